// What each kind of format determines: the twin of model/engines/kinds.py. See twin/model/steps.js.
{
  const { counted, counts, figure, positioned, precision, whole, share: share_of } = GuessAhead.engines.counts;
  const { total } = GuessAhead.sums;
  const { example, passed } = GuessAhead.engines.passes;
  const { sglang, verified } = GuessAhead.engines.sglang;
  const { ROUNDED_RATES, PERCENT_OFF } = python["model.engines.kinds"];

  // mirrors model/engines/kinds.py: requests
  function requests(records) {
    const pooled = counted(records);
    return pooled.notes.includes("left out") || pooled.drafts === null ? passed(records) : pooled;
  }

  // mirrors model/engines/kinds.py: chained
  function chained(records) {
    const pooled = counted(records);
    if (pooled.drafts !== null) return pooled;
    const last = records.at(-1);
    const [tokens, accepted, drafted] = ["length", "accepted", "drafted"].map((name) => figure(last, name));
    const rates = last.positions ?? [];
    const whole_rate = accepted !== null && drafted && accepted <= drafted;
    const rate = whole_rate ? accepted / drafted : share_of(last, "rate");
    const notes = pooled.notes.filter((note) => note !== "left out" || records.length > 1);
    notes.push("counts missing");
    if (rates.length > 0 && agree(rates, tokens, rate)) {
      const known = positioned(rates);
      return { ...known, notes: [...notes, ...known.notes] };
    }
    const possible = tokens !== null && tokens >= 1;
    return counts({ tokens_per_step: possible ? tokens : null, strict_rate: rate, notes });
  }

  // mirrors model/engines/kinds.py: _agree
  function agree(rates, tokens, rate) {
    const together = total(rates);
    return (tokens === null || Math.abs(1 + together - tokens) <= ROUNDED_RATES)
      && (tokens !== null || rate === null || Math.abs(together / rates.length - rate) <= PERCENT_OFF);
  }

  // mirrors model/engines/kinds.py: tabled
  function tabled(records) {
    const full = records.map(({ drafts, drafted, positions }) => (
      positions === undefined || drafted === drafts * positions.length));
    const known = counted(records.map((row, i) => (full[i] ? row : { ...row, positions: undefined })));
    return full.every(Boolean) ? known : { ...known, notes: [...known.notes, "rates of longer drafts"] };
  }

  // mirrors model/engines/kinds.py: statistics
  function statistics(records) {
    const last = latest(records);
    const pooled = counted(last);
    return last.length < records.length ? { ...pooled, notes: [...pooled.notes, "cumulative"] } : pooled;
  }

  // mirrors model/engines/kinds.py: _latest
  const latest = (records) => [...new Map(records.map((record) => [record.drafter, record])).values()];

  // mirrors model/engines/kinds.py: paired
  function paired(records, kind) {
    const rows = kind === "statistics" ? latest(records) : records;
    const known = passed(rows.map((row) => (
      { accepted: row.accepted ?? row.accepted_old, drafted: row.drafted ?? row.drafted_old })));
    return { ...known, notes: [...known.notes, "counts missing"] };
  }

  // mirrors model/engines/kinds.py: emitted
  function emitted(records) {
    const notes = ["matches after a rejection", ...(records.length > 1 ? ["cumulative"] : [])];
    for (const record of [...records].reverse()) {
      const length = figure(record, "draft_length");
      const [drafted, tokens] = [figure(record, "drafted"), figure(record, "emitted")];
      if (!chain(length) || drafted === null || tokens === null) continue;
      const drafts = drafted / length;
      if (drafted === 0) return counts({ drafts: 0, accepted: 0, drafted: 0, notes: ["nothing drafted"] });
      if (whole(drafts) && whole(tokens) && drafts <= tokens && tokens <= drafts * (length + 1)) {
        return counts({ draft_length: length, drafts, accepted: tokens - drafts, drafted, notes });
      }
    }
    return efficient(records, notes);
  }

  const chain = (length) => length !== null && length >= 1 && whole(length);

  // mirrors model/engines/kinds.py: _efficient
  function efficient(records, known_notes) {
    let notes = known_notes;
    for (const record of [...records].reverse()) {
      const [efficiency, length] = [share_of(record, "efficiency"), figure(record, "draft_length")];
      if (efficiency === null || !chain(length)) continue;
      const tokens = efficiency * (length + 1);
      if (tokens < 1 - (length + 1) * precision(record, "efficiency")) {
        notes = [...notes, "left out"];
        continue;
      }
      return counts({
        draft_length: length,
        tokens_per_step: Math.max(1, tokens),
        strict_rate: (Math.max(1, tokens) - 1) / length,
        notes: [...notes, "counts missing"],
      });
    }
    return counts({ notes: [...notes, "counts missing"] });
  }

  // mirrors model/engines/kinds.py: listed
  function listed(records) {
    const rows = records.map((record) => record.counts).filter((row) => row.length > 1);
    const notes = ["list of counts", ...(rows.length < records.length ? ["left out"] : [])];
    const pooled = counted(rows.map(listed_row));
    return { ...pooled, notes: [...notes, ...pooled.notes] };
  }

  // mirrors model/engines/kinds.py: _listed
  function listed_row([drafts, ...reached]) {
    if (!(drafts > 0)) return {};
    return {
      drafts,
      drafted: drafts * reached.length,
      accepted: total(reached),
      positions: reached.map((count) => count / drafts),
    };
  }

  // mirrors model/engines/kinds.py: length
  function length(records) {
    const known = records.map((row) => figure(row, "length")).filter((value) => value !== null && value >= 1);
    if (known.length === 0) return counts({ notes: ["left out"] });
    const tokens = total(known) / known.length;
    const rate = records.length === 1 ? share_of(records[0], "rate") : null;
    const notes = known.length > 1 ? ["averaged"] : [];
    if (tokens === 1) notes.push("nothing accepted or off");
    if (rate === 0) notes.push("unmeasured");
    return counts({ tokens_per_step: tokens, strict_rate: rate || null, notes: [...notes, "length not printed"] });
  }

  // mirrors model/engines/kinds.py: totalled
  function totalled(records) {
    const known = passed(records);
    if (known.accepted || !known.drafted) return known;
    return counts({ drafted: known.drafted, notes: ["unmeasured", "length not printed"] });
  }

  // mirrors model/engines/kinds.py: shared
  function shared(records) {
    const record = records.at(-1);
    const [part, rate] = [share_of(record, "share"), share_of(record, "rate")];
    if (part === null) return counts({ strict_rate: rate, notes: ["no counts", "length not printed"] });
    if (rate === null || part === 1) return counts({ strict_rate: rate, notes: ["two meanings"] });
    return counts({ tokens_per_step: 1 / (1 - part), strict_rate: rate, notes: ["length not printed"] });
  }

  // mirrors model/engines/kinds.py: stepped
  function stepped(records) {
    const { steps } = records.at(-1);
    return steps.length > 1 && steps[0] === 1 ? positioned(steps.slice(1)) : counts({ notes: ["left out"] });
  }

  // mirrors model/engines/kinds.py: latencies
  function latencies(records) {
    const [chunk, token] = [figure(records.at(-1), "chunk_time"), figure(records.at(-1), "token_time")];
    const notes = ["no acceptance figures", "estimate"];
    if (chunk === null || token === null || !(token > 0 && token <= chunk)) return counts({ notes });
    return counts({ tokens_per_step: chunk / token, notes });
  }

  // mirrors model/engines/kinds.py: rated
  function rated(records) {
    const rates = records.map((record) => share_of(record, "rate")).filter((rate) => rate !== null);
    return counts({ strict_rate: rates.length === 1 ? rates[0] : null, notes: ["no counts", "length not printed"] });
  }

  // mirrors model/engines/kinds.py: nothing
  function nothing(_) {
    return counts({ notes: ["no acceptance figures", "one step"] });
  }

  const KINDS = {
    counted, tabled, chained, verified, requests, statistics, passed, example, emitted, listed, sglang, length,
    latencies, nothing, share: shared, totals: totalled, shares: stepped, rates: rated,
  };

  GuessAhead.engines.kinds = {
    requests, chained, tabled, statistics, paired, emitted, listed, length, totalled, shared, stepped, latencies, rated,
    nothing, KINDS,
  };
}
