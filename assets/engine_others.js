// Counts from Prometheus counters, and from numbers typed: the twin of model/engine_others.py. See assets/steps.js.
{
  const { counted, counts, figure, positioned, rounded, share, whole } = GuessAhead.engine_counts;
  const { emitted } = GuessAhead.engine_kinds;
  const { sglang } = GuessAhead.engine_sglang;
  const { values } = GuessAhead.engine_logs;
  const { patterns } = GuessAhead.engine_formats;
  const MOST_POSITIONS = 1000; // mirrors model/engine_logs.py
  const NAMES = {
    spec_decode_num_drafts: "drafts",
    spec_decode_num_draft_tokens: "drafted",
    spec_decode_num_accepted_tokens: "accepted",
    spec_decode_num_emitted_tokens: "emitted",
    spec_decode_efficiency: "efficiency",
    spec_accept_length: "length",
    spec_accept_rate: "rate",
    request_skipped_tokens_sum: "skipped",
    request_skipped_tokens_count: "steps",
  };
  const GAUGES = ["length", "rate", "efficiency"];
  const PER_POSITION = "spec_decode_num_accepted_tokens_per_pos";
  const GAUGE_DIGITS = 6;
  const NEARLY_WHOLE = 0.05;
  const BARE = new RegExp(`^(?:${patterns.bare})$`);
  const POSITION = new RegExp(patterns.position);

  // mirrors model/engine_others.py: counters
  function counters(series) {
    const [record, twice] = scraped(series);
    if ("skipped" in record && record.steps) {
      return counts({ tokens_per_step: 1 + record.skipped / record.steps, notes: ["length not printed"] });
    }
    if ("length" in record) return sglang([{ ...record, length_digits: GAUGE_DIGITS, rate_digits: GAUGE_DIGITS }]);
    const known = "emitted" in record ? emitted([with_length(record)]) : counted([record]);
    return { ...known, notes: [...(twice ? ["difference"] : []), ...known.notes] };
  }

  // mirrors model/engine_others.py: _scraped
  function scraped(series) {
    const record = {};
    const reached = new Map();
    let twice = false;
    for (const [label, seen] of series) {
      const name = label.split("{")[0].replace(/_total$/, "");
      const grown = seen.length > 1 && seen.at(-1) >= seen[0];
      const meaning = NAMES[name];
      const gauge = GAUGES.includes(meaning);
      const found = grown && !gauge ? seen.at(-1) - seen[0] : seen.at(-1);
      twice ||= grown && !gauge;
      if (Number.isNaN(found)) continue;
      if (meaning !== undefined) record[meaning] = found + (gauge ? 0 : record[meaning] ?? 0);
      const position = name === PER_POSITION ? POSITION.exec(label) : null;
      if (position) reached.set(Number(position[1]), (reached.get(Number(position[1])) ?? 0) + found);
    }
    const list = Array.from(reached, (_, i) => reached.get(i));
    if (list.length > 0 && !list.includes(undefined) && record.drafts) {
      record.positions = list.map((count) => count / record.drafts);
    }
    return [record, twice];
  }

  // mirrors model/engine_others.py: _with_length
  function with_length(record) {
    const [efficiency, drafted] = [share(record, "efficiency"), figure(record, "drafted")];
    if (!efficiency || !drafted) return record;
    const drafts = record.emitted / efficiency - drafted;
    const length = drafts > 0 ? drafted / drafts : Infinity;
    const near = length < MOST_POSITIONS && Math.abs(length - rounded(length)) <= NEARLY_WHOLE;
    return near ? { ...record, draft_length: rounded(length) } : record;
  }

  // mirrors model/engine_others.py: typed
  function typed(text, found) {
    return BARE.test(text) ? { positions: values(text) } : Object.assign({}, ...found.plain ?? []);
  }

  // mirrors model/engine_others.py: plain
  function plain(record) {
    if (record.positions?.length) return rated(record.positions);
    let length = figure(record, "draft_length");
    if (length !== null && !(whole(length) && length >= 1 && length <= MOST_POSITIONS)) length = null;
    const [tokens, alpha] = [figure(record, "length"), share(record, "alpha")];
    const [accepted, drafted] = [figure(record, "accepted"), figure(record, "drafted")];
    let drafts = figure(record, "drafts");
    if (drafts === null && length !== null && drafted !== null && whole(drafted / length)) drafts = drafted / length;
    if (accepted !== null && drafts !== null) return counted([{ ...record, drafts }]);
    if (accepted !== null && drafted !== null && accepted <= drafted) {
      return counts({ accepted, drafted, notes: ["length not printed"] });
    }
    if (tokens !== null && tokens >= 1 && (length === null || tokens <= length + 1)) {
      const rate = length === null ? null : (tokens - 1) / length;
      return counts({ draft_length: length, tokens_per_step: tokens, strict_rate: rate, notes: ["no counts"] });
    }
    return alpha === null ? counts({}) : counts({ draft_length: length, alpha, notes: ["no counts"] });
  }

  // mirrors model/engine_others.py: _rated
  function rated(given) {
    if (given.some((rate) => !(rate <= 100))) return counts({ notes: ["positions dropped"] });
    const rates = given.some((rate) => rate > 1) ? given.map((rate) => rate / 100) : given;
    if (rates.every((rate, i) => i === 0 || rate <= rates[i - 1])) return positioned(rates);
    let before = 1;
    const known = positioned(rates.map((rate) => (before *= rate)));
    return { ...known, notes: [...known.notes, "taken as conditional"] };
  }

  // mirrors model/engine_others.py: series_of
  function series_of(found) {
    return Object.entries(found).filter(([name]) => name.endsWith("-counters"))
      .map(([name, [series]]) => [name.slice(0, -"-counters".length), series]);
  }

  GuessAhead.engine_others = { counters, typed, plain, series_of };
}
