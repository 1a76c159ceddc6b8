// What SGLang's requests and log lines determine: the twin of model/engines/sglang.py. See twin/model/steps.js.
{
  const { counted, counts, figure, precision } = GuessAhead.engines.counts;
  const { total } = GuessAhead.sums;
  const { LONGEST_CHAIN } = python["model.engines.sglang"];

  // mirrors model/engines/sglang.py: verified
  function verified(records) {
    const pooled = counted(records.map(without_own_length));
    if (pooled.drafts === null) return completed(records) ?? pooled;
    if (pooled.draft_length !== null && pooled.draft_length >= LONGEST_CHAIN) {
      return { ...pooled, draft_length: null, reached: null, notes: [...pooled.notes, "tree"] };
    }
    return pooled.drafts > 0 ? { ...pooled, notes: [...pooled.notes, "tree possible"] } : pooled;
  }

  // mirrors model/engines/sglang.py: _without_own_length
  function without_own_length(row) {
    const [output, drafts, length] = ["output", "drafts", "length"].map((name) => figure(row, name));
    const known = output !== null && drafts && length !== null;
    return known && Math.abs(output / drafts - length) > precision(row, "length") ? row : { ...row, length: undefined };
  }

  // mirrors model/engines/sglang.py: _completed
  function completed(records) {
    const rows = records.filter((row) => figure(row, "drafts") && (figure(row, "output") ?? 0) >= row.drafts);
    if (rows.length === 0) return null;
    const drafts = total(rows.map((row) => row.drafts));
    const notes = rows.length < records.length ? ["left out"] : [];
    if (rows.length > 1) notes.push("requests pooled");
    notes.push("length not printed", "tree possible");
    return counts({ drafts, tokens_per_step: total(rows.map((row) => row.output)) / drafts, notes });
  }

  // mirrors model/engines/sglang.py: sglang
  function sglang(records) {
    const rows = records.filter((row) => (figure(row, "length") ?? 0) >= 1);
    if (rows.length === 0) return counts({ notes: ["left out"] });
    const tokens = total(rows.map((row) => row.length)) / rows.length;
    const notes = rows.length > 1 ? ["averaged"] : [];
    if (tokens === 1) notes.push("nothing accepted or off");
    if (!rows.every((row) => "rate" in row)) {
      return counts({ tokens_per_step: tokens, notes: [...notes, "length not printed"] });
    }
    const [before, now] = [fitting(rows, false), fitting(rows, true)];
    const lengths = new Set([before === null ? null : before - 1, now].filter((length) => length !== null));
    if (lengths.size !== 1) {
      const none = tokens === 1 ? "length not printed" : "definition unclear";
      return counts({ tokens_per_step: tokens, notes: [...notes, lengths.size > 1 ? "two lengths fit" : none] });
    }
    if (before === null || now === null) {
      notes.push(now === null ? "target on both sides" : "target on neither side");
    }
    const [length] = lengths;
    notes.push("tree possible");
    if (length >= LONGEST_CHAIN) return counts({ tokens_per_step: tokens, notes: [...notes, "tree"] });
    const rate = (tokens - 1) / length;
    return counts({
      draft_length: length, tokens_per_step: tokens, strict_rate: rate, notes: [...notes, "length inferred"],
    });
  }

  // mirrors model/engines/sglang.py: _fitting
  function fitting(rows, is_new) {
    let [low, high] = [1, Infinity];
    for (const row of rows) {
      const [rate, off] = [figure(row, "rate"), precision(row, "rate")];
      const length = row.length - (is_new ? 1 : 0);
      if (rate === null || rate <= off) continue;
      low = Math.max(low, (length - precision(row, "length")) / (rate + off));
      high = Math.min(high, (length + precision(row, "length")) / (rate - off));
    }
    const first = is_new ? Math.ceil(low) : Math.max(2, Math.ceil(low));
    return high < Infinity && first <= high && high < first + 1 ? first : null;
  }

  GuessAhead.engines.sglang = { verified, sglang };
}
