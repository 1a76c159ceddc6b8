// What the flatten lab draws and prints: the twin of labs/flatten.py's columns. See twin/model/steps.js.
{
  const { steps } = GuessAhead;
  const { LONGEST } = python["labs.flatten"];
  const DRAFT_LENGTHS = Int32Array.from({ length: LONGEST }, (_, i) => i + 1);

  // mirrors labs/flatten.py: columns
  function flatten(acceptance_rate, draft_cost, position_rates = "") {
    const rate = GuessAhead.rate(acceptance_rate, position_rates);
    const compared = position_rates ? DRAFT_LENGTHS : DRAFT_LENGTHS.slice(0, 0);
    const readout = { acceptance_rate, draft_cost, position_rates, ...numbers(rate, draft_cost) };
    return {
      curve: curve(rate, DRAFT_LENGTHS, draft_cost),
      one_rate: curve(acceptance_rate, compared, draft_cost),
      readout: Object.fromEntries(Object.entries(readout).map(([name, value]) => [name, [value]])),
    };
  }

  // mirrors labs/flatten.py: _curve
  function curve(rate, lengths, draft_cost) {
    const tokens = steps.tokens_per_step(rate, lengths);
    const cost = steps.step_cost(lengths, draft_cost);
    return {
      draft_length: lengths,
      tokens_per_step: tokens,
      speedup: tokens.map((value, i) => value / cost[i]),
    };
  }

  // mirrors labs/flatten.py: _readout
  function numbers(rate, draft_cost) {
    const ceiling = steps.ceiling(rate);
    const best = steps.best_draft_length(rate, draft_cost);
    const reaching = steps.draft_length_reaching(0.95, rate);
    const [best_tokens, best_speedup] = at(best, rate, draft_cost);
    const [tokens_95, speedup_95] = at(reaching, rate, draft_cost);
    return {
      ceiling,
      best_draft_length: best,
      speedup: best_speedup,
      tokens_per_step: best_tokens,
      ceiling_share: best < Infinity ? best_tokens / ceiling : 1,
      draft_length_95: reaching,
      tokens_per_step_95: tokens_95,
      speedup_95,
      pays: steps.pays(rate, draft_cost),
    };
  }

  // mirrors labs/flatten.py: _at
  function at(length, rate, draft_cost) {
    if (length < Infinity) return [steps.tokens_per_step(rate, length), steps.speedup(rate, length, draft_cost)];
    const ceiling = steps.ceiling(rate);
    if (draft_cost === 0) return [ceiling, ceiling];
    return [ceiling, steps.position_rates(rate, DRAFT_LENGTHS.length)[DRAFT_LENGTHS.length - 1] / draft_cost];
  }

  GuessAhead.columns = { ...GuessAhead.columns, flatten };
}
