// What a server's own figures say of its speculation: the twin of model/engines/reading.py. See twin/model/steps.js.
{
  const { shares } = GuessAhead.engines.counts;
  const { total } = GuessAhead.sums;
  const { formats: FORMATS, counters: COUNTERS, warnings: WARNINGS } = GuessAhead.engines.formats;
  const { alpha_of, conditional, independence, wilson } = GuessAhead.estimates;
  const { counters: { counters, series_of }, kinds: { KINDS, paired }, logs } = GuessAhead.engines;
  const { UNKNOWN_LENGTH, beside, plain, typed } = GuessAhead.engines.typed;
  const { FEW_DRAFTS, NOTHING, PAIR, TOO_GOOD } = python["model.engines.reading"];

  // mirrors model/engines/reading.py: measure
  function measure(text) {
    return said(logs.read(text), text);
  }

  // mirrors model/engines/reading.py: said
  function said(found, text) {
    const recognised = totals_first([...recognised_in(found)]);
    const numbers = typed(text);
    const known = plain(numbers);
    if (recognised.length > 0 && !(tells(known) && gives_way(recognised[0], numbers))) {
      const [[name, words, printed], ...others] = recognised;
      const measured = result(name, words, beside(printed, text));
      if (others.length > 0) {
        const titles = others.map(([, { title }]) => title).join("; ");
        measured.warnings.push(WARNINGS["also found"].replace("{}", () => titles));
      }
      return measured;
    }
    return tells(known) ? result("plain", FORMATS.plain, known) : result(null, NOTHING, known);
  }

  // mirrors model/engines/reading.py: _totals_first
  function totals_first(recognised) {
    for (const [i, [name, words, known]] of recognised.entries()) {
      const singles = FORMATS[name]?.totals;
      const others = recognised.filter((_, j) => j !== i);
      if (others.slice(0, i).some(([other, , shown]) => other === singles && covers(known, shown))) {
        return [[name, words, { ...known, notes: [...known.notes, "total"] }], ...others];
      }
    }
    return recognised;
  }

  // mirrors model/engines/reading.py: _covers
  function covers(whole, shown) {
    const both = ["accepted", "drafted"].map((name) => [whole[name], shown[name] ?? 0]);
    return both.every(([all, some]) => all !== null && all >= some) && both.some(([all, some]) => all !== some);
  }

  // mirrors model/engines/reading.py: _gives_way
  const gives_way = ([name, , known], numbers) => (
    !tells(known) || (name.endsWith("-part") && "draft_length" in numbers));

  // mirrors model/engines/reading.py: _tells
  const tells = (known) => (
    ["tokens_per_step", "strict_rate", "accepted", "alpha"].some((name) => known[name] !== null));

  // mirrors model/engines/reading.py: _recognised
  function* recognised_in(found) {
    let known_whole = false;
    for (const [name, { kind, needs, of = name }] of Object.entries(FORMATS)) {
      if (name === "llamacpp-timings-json") {
        for (const [engine, series] of series_of(found)) {
          const known = counters(series);
          if (!tells(known) && !known.notes.includes("scrapes cut")) continue;
          known_whole = true;
          yield [`${engine}-counters`, COUNTERS[engine], known];
        }
      }
      const printed = found[of] ?? [];
      const records = printed.filter((record) => has(record, needs) && !other_rate(record, found));
      if (records.length > 0 && !(known_whole && (name.endsWith("-part") || kind === "nothing"))) {
        known_whole = true;
        const format = dialect(name, records);
        const known = KINDS[kind](records);
        const notes = cut(printed, needs) ? [...known.notes, "left out"] : known.notes;
        yield [format, FORMATS[format], { ...known, notes }];
      }
    }
    if (!known_whole) yield* pairs(found);
  }

  // mirrors model/engines/reading.py: _pairs
  function* pairs(found) {
    for (const [name, words] of Object.entries(FORMATS)) {
      const records = (found[name] ?? []).filter((row) => has(row, PAIR));
      if (records.length > 0) yield [name, words, paired(records, words.kind)];
    }
  }

  // mirrors model/engines/reading.py: _cut
  const cut = (records, needs) => (
    records.some((record) => "accepted" in record && record.drafted !== 0 && !has(record, needs)));

  // mirrors model/engines/reading.py: _dialect
  const dialect = (name, records) => (
    name === "vllm-v1-log" && records.at(-1).rate_digits === 2 ? "lmdeploy-log" : name);

  // mirrors model/engines/reading.py: _other_rate
  const other_rate = (record, found) => (
    Object.keys(record).every((name) => ["rate", "rate_digits"].includes(name)) && "vllm-v0-log" in found);

  // mirrors model/engines/reading.py: _has
  const has = (record, needs) => (
    needs.length > 0 && needs.every((need) => need.split("|").some((name) => name in record)));

  // mirrors model/engines/reading.py: _result
  function result(format, { title, how }, known) {
    const { drafts, accepted, drafted, draft_length, reached } = known;
    const [tokens, rate] = shares(known);
    const positions = position_rates(known);
    const trials = trials_of(known, positions);
    const tested = reached?.length && drafts && draft_length ? independence(reached, drafts) : null;
    const measured = {
      format,
      title,
      how,
      draft_length,
      drafts,
      accepted,
      drafted,
      strict_rate: drafted === 0 ? null : rate,
      tokens_per_step: tokens,
      alpha_mle: trials ? trials[0] / trials[1] : null,
      alpha_interval: trials && drafts ? wilson(...trials) : null,
      alpha_moment: known.alpha ?? alpha_moment(known, tokens),
      position_rates: positions,
      conditional_rates: positions === null ? null : conditional(reached?.length ? reached : positions, drafts),
      independence: tested,
      advisable: draft_length !== null && !known.notes.includes("tree") && !known.notes.includes("varied"),
    };
    return { ...measured, warnings: warnings(measured, known.notes) };
  }

  // mirrors model/engines/reading.py: _position_rates
  function position_rates({ drafts, reached, draft_length, accepted, rates }) {
    if (drafts && reached !== null) return reached.map((count) => count / drafts);
    return draft_length === 1 && drafts && accepted !== null ? [accepted / drafts] : rates;
  }

  // mirrors model/engines/reading.py: _alpha_moment
  function alpha_moment({ draft_length, drafts, accepted, drafted }, tokens) {
    if (draft_length === null || tokens === null || drafts === 0) return null;
    const least = alpha_of(tokens - 1, draft_length);
    if (!drafts || accepted === null || !drafted || drafted === draft_length * drafts) return least;
    return (least + alpha_of(draft_length * (accepted / drafted), draft_length)) / 2;
  }

  // mirrors model/engines/reading.py: _trials
  function trials_of({ draft_length, drafts, accepted, reached }, positions) {
    if (draft_length === null || drafts === 0) return null;
    if (drafts && accepted !== null) {
      if (accepted === 0) return [0, drafts];
      if (accepted === draft_length * drafts) return [accepted, accepted];
      let full = reached?.length && reached.length === draft_length ? reached.at(-1) : null;
      if (draft_length === 1) full = accepted;
      return full === null ? null : [accepted, accepted + drafts - full];
    }
    if (positions === null || positions.length !== draft_length) return null;
    const together = total(positions);
    return [together, together + 1 - positions.at(-1)];
  }

  // mirrors model/engines/reading.py: _warnings
  function warnings(measured, notes) {
    const { drafts, strict_rate: rate, independence: tested, draft_length, accepted, tokens_per_step } = measured;
    const more = [];
    if (tested?.refuted) more.push(`rates ${tested.trend}`);
    if (rate === 1) more.push("all accepted");
    else if (rate !== null && rate > TOO_GOOD && !draft_length) more.push("early stop");
    if (rate === 0 || (accepted === 0 && drafts)) more.push("zero accepted");
    if (drafts && drafts < FEW_DRAFTS) more.push("few drafts");
    if (!draft_length && tokens_per_step && !UNKNOWN_LENGTH.some((note) => notes.includes(note))) {
      more.push("length not printed");
    }
    return [...new Set([...notes, ...more])].map((note) => WARNINGS[note]);
  }

  GuessAhead.engines.reading = { measure, said };
}
