// Counts from Prometheus counters: the twin of model/engines/counters.py. See twin/model/steps.js.
{
  const { counted, counts, figure, rounded, share } = GuessAhead.engines.counts;
  const { total } = GuessAhead.sums;
  const { emitted } = GuessAhead.engines.kinds;
  const { passed } = GuessAhead.engines.passes;
  const { sglang } = GuessAhead.engines.sglang;
  const { patterns } = GuessAhead.engines.formats;
  const {
    GAUGES, GAUGE_DIGITS, MOST_POSITIONS, NAMES, NEARLY_WHOLE, PER_POSITION,
  } = python["model.engines.counters"];
  const POSITION = new RegExp(patterns.position);

  // mirrors model/engines/counters.py: counters
  function counters(series) {
    const all = Array.from(grouped(series).values(), grown_of);
    const known = known_from(all.map(([record]) => record).filter((record) => Object.keys(record).length > 0));
    return { ...known, notes: [...all.flatMap(([, notes]) => notes), ...known.notes] };
  }

  // mirrors model/engines/counters.py: _known
  function known_from(records) {
    const skipping = records.filter((row) => "skipped" in row && row.steps);
    if (skipping.length > 0) {
      const [skipped, steps] = ["skipped", "steps"].map((name) => total(skipping.map((row) => row[name])));
      return counts({ tokens_per_step: 1 + skipped / steps, notes: ["length not printed"] });
    }
    const gauged = records.filter((row) => "length" in row);
    if (gauged.length > 0) {
      return sglang(gauged.map((row) => ({ ...row, length_digits: GAUGE_DIGITS, rate_digits: GAUGE_DIGITS })));
    }
    if (records.some((row) => "efficiency" in row || "emitted" in row)) {
      return emitted_of(records.filter((row) => "emitted" in row));
    }
    const pooled = counted(records);
    return pooled.drafts === null ? passed(records) : pooled;
  }

  // mirrors model/engines/counters.py: _emitted
  function emitted_of(records) {
    const settled = records.map((row) => emitted([with_length(row)]));
    if (settled.length < 2) return settled[0] ?? emitted([]);
    const pooled = counted(settled);
    return { ...pooled, notes: [...settled[0].notes, ...pooled.notes] };
  }

  // mirrors model/engines/counters.py: _grouped
  function grouped(series) {
    const groups = new Map();
    for (const [label, seen] of series) {
      const [name, labels = ""] = label.split(/\{(.*)/s);
      const position = POSITION.exec(labels);
      const plain = name.replace(/_total$/, "");
      const what = plain === PER_POSITION && position ? Number(position[1]) : NAMES[plain];
      if (what === undefined) continue;
      const key = labels.replace(POSITION, ",").replace(/^[,}]+|[,}]+$/g, "");
      if (!groups.has(key)) groups.set(key, new Map());
      groups.get(key).set(what, seen);
    }
    return groups;
  }

  // mirrors model/engines/counters.py: _grown
  function grown_of(group) {
    const counting = [...group].filter(([what]) => !GAUGES.includes(what));
    const runs = counting.filter(([what]) => typeof what === "string").map(([, seen]) => seen);
    if (new Set(runs.map((seen) => seen.length)).size > 1) return [{}, ["scrapes cut"]];
    const scrapes = runs[0]?.length ?? 1;
    const anew = runs.some((seen) => seen.some((value, i) => i > 0 && value < seen[i - 1]));
    const grown = new Map(counting.filter(([, seen]) => seen.length === scrapes)
      .map(([what, seen]) => [what, seen.at(-1) - (scrapes > 1 && !anew ? seen[0] : 0)]));
    const record = {};
    for (const [what, seen] of group) if (GAUGES.includes(what)) record[what] = seen.at(-1);
    for (const [what, value] of grown) {
      if (typeof what === "string" && !Number.isNaN(value)) record[what] = value;
    }
    const places = [...grown.keys()].filter((what) => typeof what === "number" && what < MOST_POSITIONS);
    const reached = places.map((_, i) => grown.get(i));
    if (reached.length > 0 && !reached.includes(undefined) && !reached.some(Number.isNaN) && record.drafts) {
      record.positions = reached.map((count) => count / record.drafts);
    }
    const told = scrapes > 1 ? ["difference"] : [];
    return [record, anew ? ["began anew"] : told];
  }

  // mirrors model/engines/counters.py: _with_length
  function with_length(record) {
    const [efficiency, drafted] = [share(record, "efficiency"), figure(record, "drafted")];
    if (!efficiency || !drafted) return record;
    const drafts = record.emitted / efficiency - drafted;
    const length = drafts > 0 ? drafted / drafts : Infinity;
    const near = length < MOST_POSITIONS && Math.abs(length - rounded(length)) <= NEARLY_WHOLE;
    return near ? { ...record, draft_length: rounded(length) } : record;
  }

  // mirrors model/engines/counters.py: series_of
  function series_of(found) {
    return Object.entries(found).filter(([name]) => name.endsWith("-counters"))
      .map(([name, [series]]) => [name.slice(0, -"-counters".length), series]);
  }

  GuessAhead.engines.counters = { counters, series_of };
}
