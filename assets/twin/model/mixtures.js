// Acceptance that varies: the twin of model/mixtures.py, which says what each function means. See steps.js.
{
  const { conditional_rates } = GuessAhead.steps;
  const { accepted_chances, chances_of_step_counts, possible, unfinished } = GuessAhead.finish_times;
  const { KINDS } = python["model.mixtures"];
  const { ROUNDING } = python["model.finish_times"];

  // mirrors model/mixtures.py: decayed_rates
  function decayed_rates(acceptance_rate, decay, draft_length) {
    const listed = [acceptance_rate].flat().length;
    const rates = conditional_rates(acceptance_rate, 0, draft_length);
    for (let j = 1; j < draft_length; j += 1) {
      if (j >= listed) rates[j] = rates[j - 1] * decay;
      else for (let i = 0; i < j; i += 1) rates[j] *= decay;
    }
    return rates.map((rate) => Math.min(rate, 1));
  }

  // mirrors model/mixtures.py: burst_kinds
  function burst_kinds(acceptance_rate, deviation, decay, draft_length) {
    const [all_z, weights] = deviation > 0 ? [Z, WEIGHTS] : [Float64Array.of(0), Float64Array.of(1)];
    const kinds = Array.from(all_z, (z) => (
      [acceptance_rate].flat().map((rate) => Math.min(Math.max(rate + deviation * z, 0), 1))));
    return [kinds.map((kind) => decayed_rates(kind, decay, Math.max(draft_length, 1))), weights];
  }

  // mirrors model/mixtures.py: step_distribution
  function step_distribution(acceptance_rates, weights, draft_length, burst_length) {
    return possible(step_chances(acceptance_rates, weights, draft_length, burst_length));
  }

  // mirrors model/mixtures.py: step_chances
  function step_chances(acceptance_rates, weights, draft_length, burst_length) {
    const guesses = Math.min(draft_length, burst_length - 1);
    const [at_least, exactly] = accepted_chances(acceptance_rates, guesses);
    return chances_of_step_counts(at_least, exactly, weights, burst_length);
  }

  // mirrors model/mixtures.py: step_quantiles
  function step_quantiles(acceptance_rates, weights, draft_length, burst_length, p) {
    return [...rising_step_quantiles(acceptance_rates, weights, draft_length, burst_length, p)].pop();
  }

  // mirrors model/mixtures.py: rising_step_quantiles
  function* rising_step_quantiles(acceptance_rates, weights, draft_length, burst_length, p) {
    const [, exactly] = accepted_chances(acceptance_rates, Math.min(draft_length, burst_length - 1));
    const counts = Array.from(p, () => new Int32Array(burst_length));
    yield counts;
    for (const mass of unfinished(exactly, burst_length)) {
      const running = running_by_length(mass, weights);
      const still = counts.map((count, i) => counted(count, running, (1 - p[i]) * (1 + ROUNDING)));
      if (!still.includes(true)) return;
      yield counts;
    }
  }

  function running_by_length(mass, weights) {
    const running = new Float64Array(mass[0].length);
    mass.forEach((chances, kind) => {
      for (let s = 0; s < running.length; s += 1) running[s] += weights[kind] * chances[s];
    });
    for (let s = 1; s < running.length; s += 1) running[s] += running[s - 1];
    return running;
  }

  // Counts a step at each length where more than the limit still runs, and says whether there is any.
  function counted(count, running, limit) {
    let any = false;
    for (let s = 0; s < count.length; s += 1) {
      if (running[s] > limit) {
        count[s] += 1;
        any = true;
      }
    }
    return any;
  }

  // mirrors model/mixtures.py: _pairs
  function pairs() {
    const x = Float64Array.from({ length: KINDS }, (_, i) => (i + 1) / (KINDS + 1));
    const unscaled = x.map((v) => v * v * v * v * Math.sqrt(Math.sqrt(Math.sqrt(v))) * (1 - v) * (1 - v));
    const total = unscaled.reduce((sum, weight) => sum + weight, 0);
    const weights = unscaled.map((weight) => weight / total);
    const mean = weights.reduce((sum, weight, i) => sum + weight * x[i], 0);
    const off = x.map((value) => value - mean);
    const deviation = Math.sqrt(weights.reduce((sum, weight, i) => sum + weight * (off[i] * off[i]), 0));
    return [off.map((value) => value / deviation), weights];
  }

  const [Z, WEIGHTS] = pairs();

  GuessAhead.mixtures = {
    decayed_rates, burst_kinds, step_distribution, step_chances, step_quantiles, rising_step_quantiles,
  };
}
