// What an engine's fields mean: the twin of model/engines/counts.py. See twin/model/steps.js.
{
  const { total } = GuessAhead.sums;
  const { LARGEST, MOST_DECIMALS, SHORT, PERCENT_OFF } = python["model.engines.counts"];

  // mirrors model/engines/counts.py: counts
  function counts(known) {
    return {
      draft_length: null, drafts: null, accepted: null, drafted: null, reached: null, rates: null,
      tokens_per_step: null, strict_rate: null, alpha: null, notes: [], ...known,
    };
  }

  // mirrors model/engines/counts.py: whole
  function whole(value) {
    return value === Math.floor(value);
  }

  // mirrors model/engines/counts.py: figure
  function figure(record, name) {
    const value = record[name] ?? null;
    return value === null || Number.isNaN(value) ? null : value;
  }

  // mirrors model/engines/counts.py: share
  function share(record, name) {
    const value = figure(record, name);
    return value === null || value > 1 ? null : value;
  }

  // mirrors model/engines/counts.py: shares
  function shares({ accepted, drafts, drafted, tokens_per_step, strict_rate }) {
    return [
      drafts && accepted !== null ? 1 + accepted / drafts : tokens_per_step,
      drafted && accepted !== null ? accepted / drafted : strict_rate,
    ];
  }

  // mirrors model/engines/counts.py: rounded
  function rounded(value) {
    return Math.floor(value + 0.5);
  }

  // mirrors model/engines/counts.py: precision
  function precision(record, name) {
    let unit = 1;
    for (let i = Math.min(record[`${name}_digits`] ?? 2, MOST_DECIMALS); i > 0; i -= 1) unit /= 10;
    return 0.51 * unit;
  }

  // mirrors model/engines/counts.py: counted
  function counted(records) {
    const rows = records.map(row_of).filter((row) => row !== null);
    const drafted = rows.filter(({ drafts }) => drafts > 0);
    const whole_rows = drafted.filter(({ draft_length }) => draft_length !== null);
    const used = whole_rows.length > 0 ? whole_rows : drafted;
    const notes = rows.length < records.length ? ["left out"] : [];
    if (used.length < drafted.length) notes.push("length cut");
    for (const row of used.length > 0 ? used : rows) notes.push(...row.notes);
    if (rows.length > 0 && used.length === 0) {
      return counts({ drafts: 0, accepted: 0, drafted: 0, notes: [...notes, "nothing drafted"] });
    }
    if (used.length === 0) return counts({ notes });
    if (used.length > 1) notes.push("pooled");
    if (records.some((record) => figure(record, "without"))) notes.push("steps without a draft");
    return pooled(used, notes);
  }

  // mirrors model/engines/counts.py: _pooled
  function pooled(rows, notes) {
    const drafts = total(rows.map((row) => row.drafts));
    const known = rows.map((row) => row.drafted).filter((drafted) => drafted !== null);
    const drafted = known.length === rows.length ? total(known) : null;
    const lengths = new Set(rows.map((row) => row.draft_length));
    const length = lengths.size === 1 ? rows[0].draft_length : null;
    const full = drafted === null || length === null ? 1 : drafted / (length * drafts);
    if (lengths.size > 1 || full < SHORT) notes.push("varied");
    else if (full < 1) notes.push("some short");
    return counts({
      draft_length: full >= SHORT ? length : null,
      drafts,
      accepted: total(rows.map((row) => row.accepted)),
      drafted,
      reached: lengths.size === 1 ? reached_of(rows) : null,
      notes,
    });
  }

  // mirrors model/engines/counts.py: _reached
  function reached_of(rows) {
    const size = rows[0].reached?.length;
    if (rows.some(({ reached }) => reached === null || reached.length !== size)) return null;
    return rows[0].reached.map((_, i) => total(rows.map(({ reached }) => reached[i])));
  }

  // mirrors model/engines/counts.py: _row
  function row_of(record) {
    const told = { ...record, ...from_histogram(record) };
    const accepted = figure(told, "accepted") ?? figure(told, "accepted_old");
    const drafted = figure(told, "drafted") ?? figure(told, "drafted_old");
    const [rates, notes] = positions_of(told);
    const known = { ...told, accepted, drafted, positions: rates };
    const [drafts, sure] = drafts_of(known);
    if (drafts === null || accepted === null || !whole(drafts) || !whole(accepted)) return null;
    if (drafted !== null && (accepted > drafted || !whole(drafted) || (drafted > 0 && drafts === 0))) return null;
    if (drafted === 0) return counts({ drafts: 0, accepted: 0, drafted: 0, notes });
    const [draft_length, positions, more] = length_of(known, drafts, sure);
    if (draft_length !== null && accepted > draft_length * drafts) return null;
    notes.push(...more, ...disagreements(known, drafts));
    const belied = positions !== null && contradict(positions, accepted, drafts, draft_length);
    if (belied) notes.push("disagree");
    const reached = positions === null || belied ? null : positions.map((rate) => rounded(rate * drafts));
    return counts({ draft_length, drafts, accepted, drafted, reached, notes });
  }

  // mirrors model/engines/counts.py: _from_histogram
  function from_histogram({ histogram }) {
    if (!histogram?.length || histogram.some((steps) => !whole(steps))) return {}; // NaN is not whole
    const reached = [...histogram];
    for (let j = reached.length - 2; j >= 0; j -= 1) reached[j] += reached[j + 1];
    const drafts = reached[0];
    if (drafts === 0) return {};
    const positions = reached.slice(1).map((count) => count / drafts);
    const accepted = total(histogram.map((steps, j) => j * steps));
    const known = { drafts, accepted, ...(positions.length > 0 ? { positions } : {}) };
    return drafts <= LARGEST && accepted <= LARGEST ? known : {};
  }

  // mirrors model/engines/counts.py: _positions
  function positions_of({ positions: rates = [] }) {
    if (rates.length === 0) return [null, []];
    if (rates.some((rate) => !(rate <= 1))) return [null, ["positions dropped"]];
    if (rates.some((rate, i) => i > 0 && rate > rates[i - 1])) return [null, ["positions dropped"]];
    return [rates, []];
  }

  // mirrors model/engines/counts.py: _drafts
  function drafts_of(record) {
    const [drafts, accepted, drafted] = ["drafts", "accepted", "drafted"].map((name) => figure(record, name));
    const length = figure(record, "length");
    const { positions } = record;
    if (drafts !== null) return [drafts, true];
    if (drafted === 0) return [0, true];
    let even = positions === null || drafted === null ? null : drafted / positions.length;
    if (even !== null && !whole(even)) even = null;
    if (even !== null && (accepted === null || fits(accepted / even, record))) return [even, true];
    if (accepted && length !== null && length > 1) return [rounded(accepted / (length - 1)), false];
    return even === null || length === null ? [null, false] : [even, true];
  }

  // mirrors model/engines/counts.py: _fits
  function fits(per_draft, record) {
    const [length, { positions }] = [figure(record, "length"), record];
    if (length === null) return Math.abs(total(positions) - per_draft) <= PERCENT_OFF * positions.length;
    const off = Math.abs(1 + per_draft - length);
    return off <= precision(record, "length") || Math.abs(off - 1) <= precision(record, "length");
  }

  // mirrors model/engines/counts.py: _length
  function length_of(record, drafts, sure) {
    const drafted = figure(record, "drafted");
    const { positions } = record;
    const declared = figure(record, "draft_length");
    if (declared !== null && whole(declared) && declared >= 1 && declared <= LARGEST) return [declared, positions, []];
    if (drafts === 0 || drafted === null) return [positions === null ? null : positions.length, positions, []];
    const needed = Math.ceil(drafted / drafts);
    if (positions === null) return [sure ? needed : null, null, []];
    const full = drafted >= SHORT * needed * drafts;
    if (positions.length > needed && full && !positions.slice(needed).some(Boolean)) {
      return [needed, positions.slice(0, needed), ["padded"]];
    }
    if (positions.length < needed) return [sure ? needed : null, positions, ["positions missing"]];
    return [positions.length, positions, []];
  }

  // mirrors model/engines/counts.py: _disagreements
  function disagreements(record, drafts) {
    const [length, rate] = [figure(record, "length"), figure(record, "rate")];
    const { accepted, drafted } = record;
    const notes = [];
    if (drafts > 0 && length !== null && accepted !== null) {
      const off = Math.abs(1 + accepted / drafts - length);
      if (Math.abs(off - 1) <= precision(record, "length") && length < 1 + accepted / drafts) {
        notes.push("length without target");
      } else if (off > precision(record, "length")) {
        notes.push("disagree");
      }
    }
    if (drafted && rate !== null && Math.abs(rate - accepted / drafted) > PERCENT_OFF) notes.push("disagree");
    return notes;
  }

  // mirrors model/engines/counts.py: _contradict
  function contradict(positions, accepted, drafts, length) {
    if (drafts === 0) return false;
    const off = total(positions) - accepted / drafts;
    return off > PERCENT_OFF * positions.length
      || (positions.length === length && off < -PERCENT_OFF * positions.length);
  }

  // mirrors model/engines/counts.py: positioned
  function positioned(rates) {
    const falling = rates.every((rate, i) => rate <= (i === 0 ? 1 : rates[i - 1]));
    if (rates.length === 0 || !falling) return counts({ notes: ["positions dropped"] });
    const together = total(rates);
    return counts({
      draft_length: rates.length,
      rates,
      tokens_per_step: 1 + together,
      strict_rate: together / rates.length,
      notes: ["no counts"],
    });
  }

  GuessAhead.engines.counts = {
    counts, whole, figure, share, shares, rounded, precision, counted, positioned,
  };
}
