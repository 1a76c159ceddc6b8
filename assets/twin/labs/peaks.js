// What the peaks lab draws and prints: the twin of labs/peaks.py's columns. See twin/model/steps.js.
{
  const { steps } = GuessAhead;
  const { ACCEPTANCE_RATES, FIXED_LENGTHS, LONGEST, RULE_OF_THUMB } = python["labs.peaks"];
  const DRAFT_LENGTHS = Int32Array.from({ length: LONGEST + 1 }, (_, i) => i);
  const [[low_rate, high_rate], [shortest, longest], [low_cost, high_cost]] = RULE_OF_THUMB;

  // mirrors labs/peaks.py: columns
  function peaks(draft_cost, utilisation) {
    const curves = ACCEPTANCE_RATES.map((rate) => steps.speedup(rate, DRAFT_LENGTHS, draft_cost, utilisation));
    const rows = ACCEPTANCE_RATES.map((rate, i) => peak(rate, curves[i], draft_cost, utilisation));
    const readout = {
      draft_cost, utilisation, ...summary(rows), ...rule_of_thumb, rule_holds: rule_holds(draft_cost, utilisation),
    };
    const speedups = Object.fromEntries(names("speedup").map((name, i) => [name, curves[i]]));
    return {
      curves: { draft_length: DRAFT_LENGTHS, ...speedups },
      peaks: Object.fromEntries(Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])])),
      readout: Object.fromEntries(Object.entries(readout).map(([name, value]) => [name, [value]])),
    };
  }

  // mirrors labs/peaks.py: _names
  function names(prefix) {
    return ACCEPTANCE_RATES.map((rate) => `${prefix}_${Math.round(100 * rate)}`);
  }

  // mirrors labs/peaks.py: _peak
  function peak(rate, curve, draft_cost, utilisation) {
    const [best, tokens, speedup] = best_of(rate, draft_cost, utilisation);
    return {
      acceptance_rate: rate,
      best_draft_length: best,
      tokens_per_step: tokens,
      speedup,
      ceiling: steps.ceiling(rate),
      ...Object.fromEntries(FIXED_LENGTHS.map((k) => [`loss_${k}`, 1 - curve[k] / speedup])),
      break_even_utilisation: steps.break_even_utilisation(rate, draft_cost),
    };
  }

  // mirrors labs/peaks.py: _best
  function best_of(rate, draft_cost, utilisation) {
    const best = steps.best_draft_length(rate, draft_cost, utilisation);
    if (best === Infinity) return [best, steps.ceiling(rate), steps.ceiling(rate)];
    return [best, steps.tokens_per_step(rate, best), steps.speedup(rate, best, draft_cost, utilisation)];
  }

  // mirrors labs/peaks.py: _summary
  function summary(rows) {
    const lengths = rows.map(({ best_draft_length: length }) => length);
    const top = rows[rows.length - 1];
    return {
      peaks_3_to_8: lengths.filter((length) => shortest <= length && length <= longest).length,
      paying: lengths.filter((length) => length > 0).length,
      top_rate: top.acceptance_rate,
      top_draft_length: top.best_draft_length,
      top_speedup: top.speedup,
    };
  }

  // mirrors labs/peaks.py: _rule_of_thumb
  const rule_of_thumb = (() => {
    const lengths = Array.from({ length: longest + 1 - shortest }, (_, i) => shortest + i);
    return {
      rule_low: Math.min(...steps.speedup(low_rate, lengths, high_cost)),
      rule_high: Math.max(...steps.speedup(high_rate, lengths, low_cost)),
    };
  })();

  // mirrors labs/peaks.py: _rule_holds
  function rule_holds(draft_cost, utilisation) {
    return low_cost <= draft_cost && draft_cost <= high_cost && utilisation === 0 ? 1 : 0;
  }

  GuessAhead.columns = { ...GuessAhead.columns, peaks };
}
