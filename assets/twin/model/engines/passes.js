// What follows from tokens predicted, drafted and accepted: the twin of model/engines/passes.py. See steps.js.
{
  const { counts, figure, whole } = GuessAhead.engines.counts;
  const { total } = GuessAhead.sums;

  // mirrors model/engines/passes.py: passed
  function passed(records) {
    const rows = records.filter(possible);
    const timed = rows.filter((row) => figure(row, "predicted") !== null);
    const notes = rows.length < records.length ? ["left out"] : [];
    if (rows.length > 1) notes.push("requests pooled");
    if (rows.length === 0) return counts({ notes });
    const known = rows.map((row) => figure(row, "drafted")).filter((drafted) => drafted !== null);
    const drafted = known.length === rows.length ? total(known) : null;
    const tokens = total(timed.map((row) => row.predicted));
    const settled = total(timed.map((row) => row.accepted));
    const accepted = total(rows.map((row) => row.accepted));
    const none = drafted === 0;
    const nothing = drafted && accepted === 0 ? 1 : null; // accepted: each pass settles the target's token
    return counts({
      drafts: none ? 0 : null,
      accepted,
      drafted,
      tokens_per_step: tokens > settled ? tokens / (tokens - settled) : nothing,
      notes: [...notes, none ? "nothing drafted" : "length not printed", ...(tokens > 0 ? ["prefill"] : [])],
    });
  }

  // mirrors model/engines/passes.py: _possible
  function possible(row) {
    const [accepted, drafted, predicted] = ["accepted", "drafted", "predicted"].map((name) => figure(row, name));
    return accepted !== null && whole(accepted)
      && (drafted === null || (accepted <= drafted && whole(drafted)))
      && (predicted === null || accepted <= predicted)
      && !(drafted === null && predicted === null);
  }

  // mirrors model/engines/passes.py: example
  function example(records) {
    const rows = records.filter((row) => possible(row) && figure(row, "predicted") !== null);
    const pooled = passed(rows.length > 0 ? rows : records);
    const lengths = new Set(rows.map((row) => figure(row, "draft_length")));
    const [length] = lengths.size === 1 ? lengths : [null];
    if (rows.length === 0 || !pooled.drafted) return pooled;
    const drafts = rows.map((row) => example_drafts(row, length));
    if (length === null || drafts.includes(null)) {
      return { ...pooled, notes: [...pooled.notes, "varied", "ceiling only"] };
    }
    return counts({
      draft_length: length,
      drafts: total(drafts),
      accepted: pooled.accepted,
      drafted: pooled.drafted,
      notes: [...pooled.notes.filter((note) => note !== "length not printed"), "drafts worked out"],
    });
  }

  // mirrors model/engines/passes.py: _example_drafts
  function example_drafts(row, length) {
    const passes = row.predicted - row.accepted;
    return [passes - 1, passes].find((drafts) => length && drafts > 0 && length * drafts === row.drafted) ?? null;
  }

  GuessAhead.engines.passes = { passed, example };
}
