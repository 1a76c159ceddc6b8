// What measured speeds say of a deployment: the twin of model/deployment.py. See twin/model/steps.js.
{
  const { steps, sums: { total } } = GuessAhead;
  const { LONGEST, WORTH_IT } = python["model.deployment"];

  // mirrors model/deployment.py: step_cost_of
  function step_cost_of(tokens_per_step, speedup) {
    return tokens_per_step / speedup;
  }

  // mirrors model/deployment.py: cost_per_guess
  function cost_per_guess(step_cost, draft_length) {
    return (step_cost - 1) / draft_length;
  }

  // mirrors model/deployment.py: fitted_cost
  function fitted_cost(draft_lengths, step_costs) {
    const [middle, level] = [draft_lengths, step_costs].map((values) => total(values) / values.length);
    const spread = total(draft_lengths.map((k) => (k - middle) * (k - middle)));
    const part = total(draft_lengths.map((k, i) => (k - middle) * (step_costs[i] - level))) / spread;
    return [level - part * middle, part];
  }

  // mirrors model/deployment.py: speedup_at
  function speedup_at(acceptance_rate, draft_length, fixed, per_guess) {
    if (draft_length === 0) return 1;
    return steps.tokens_per_step(acceptance_rate, draft_length) / (fixed + per_guess * draft_length);
  }

  // mirrors model/deployment.py: best_length
  function best_length(acceptance_rate, fixed, per_guess) {
    const speedups = Array.from({ length: LONGEST + 1 }, (_, k) => speedup_at(acceptance_rate, k, fixed, per_guess));
    return speedups.indexOf(Math.max(...speedups));
  }

  // mirrors model/deployment.py: advise
  function advise(acceptance_rate, draft_length, fixed, per_guess) {
    let best = best_length(acceptance_rate, fixed, per_guess);
    if (best === LONGEST && best > draft_length) best = Math.min(best, 2 * draft_length);
    const now = speedup_at(acceptance_rate, draft_length, fixed, per_guess);
    const then = speedup_at(acceptance_rate, best, fixed, per_guess);
    const gain = then / now - 1;
    if (gain < WORTH_IT && best > 0) {
      return { action: "keep", draft_length, speedup: now, present_speedup: now, gain: 0 };
    }
    const action = best === 0 ? "off" : best < draft_length ? "shorten" : "lengthen";
    return { action, draft_length: best, speedup: then, present_speedup: now, gain };
  }

  GuessAhead.deployment = { step_cost_of, cost_per_guess, fitted_cost, speedup_at, best_length, advise };
}
