// What the flatten lab draws and prints: the twin of labs/flatten.py's columns. See assets/steps.js on twins.
{
  const { steps } = GuessAhead;
  const DRAFT_LENGTHS = Int32Array.from({ length: 32 }, (_, i) => i + 1);

  // mirrors labs/flatten.py: columns
  function flatten(acceptance_rate, draft_cost) {
    const tokens = steps.tokens_per_step(acceptance_rate, DRAFT_LENGTHS);
    const cost = steps.step_cost(DRAFT_LENGTHS, draft_cost);
    return {
      curve: {
        draft_length: DRAFT_LENGTHS,
        tokens_per_step: tokens,
        speedup: tokens.map((value, i) => value / cost[i]),
      },
      readout: Object.fromEntries(
        Object.entries(numbers(acceptance_rate, draft_cost)).map(([name, value]) => [name, [value]])),
    };
  }

  // mirrors labs/flatten.py: _readout
  function numbers(acceptance_rate, draft_cost) {
    const ceiling = steps.ceiling(acceptance_rate);
    const [best, best_tokens, best_speedup] = best_of(acceptance_rate, draft_cost);
    const reaching = steps.draft_length_reaching(0.95, acceptance_rate);
    return {
      acceptance_rate,
      draft_cost,
      ceiling,
      best_draft_length: best,
      speedup: best_speedup,
      tokens_per_step: best_tokens,
      ceiling_share: best_tokens / ceiling,
      draft_length_95: reaching,
      tokens_per_step_95: steps.tokens_per_step(acceptance_rate, reaching),
      speedup_95: steps.speedup(acceptance_rate, reaching, draft_cost),
      pays: steps.pays(acceptance_rate, draft_cost),
    };
  }

  // mirrors labs/flatten.py: _best
  function best_of(acceptance_rate, draft_cost) {
    const best = steps.best_draft_length(acceptance_rate, draft_cost);
    if (best === Infinity) return [best, steps.ceiling(acceptance_rate), steps.ceiling(acceptance_rate)];
    return [best, steps.tokens_per_step(acceptance_rate, best), steps.speedup(acceptance_rate, best, draft_cost)];
  }

  GuessAhead.columns = { ...GuessAhead.columns, flatten };
}
