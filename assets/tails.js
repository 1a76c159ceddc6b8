// Choosing for the tail: the twin of model/tails.py, which says what each function means. See assets/steps.js on twins.
{
  const { chains, finish_times, steps } = GuessAhead;
  const ROUNDING = 1e-12;

  // mirrors model/tails.py: draft_length_times
  function draft_length_times(acceptance_rate, draft_length, draft_cost, burst_length, bursts, share) {
    const cost = steps.step_cost(draft_length, draft_cost);
    const [counts, chances] = finish_times.step_distribution(acceptance_rate, draft_length, burst_length);
    const [p50, p99] = chains.burst_timeout(counts, chances, 1, [0.5, 0.99]);
    const late = chains.burst_timeout(counts, chances, bursts, share);
    return [finish_times.moments(counts, chances)[0] * cost, p50 * cost, p99 * cost, late * cost];
  }

  // mirrors model/tails.py: draft_lengths_of_least
  function draft_lengths_of_least(times) {
    const least = times.reduce((time, other) => Math.min(time, other));
    return Int32Array.from(times.keys(), (i) => i + 1).filter((length) => times[length - 1] <= least * (1 + ROUNDING));
  }

  // mirrors model/tails.py: sampled_quantile
  function sampled_quantile(chances, p, bursts) {
    return Float64Array.from(sampled_chances(chances, p, bursts));
  }

  // mirrors model/tails.py: sampled_chances
  function* sampled_chances(chances, p, bursts) {
    const later = bursts - Math.max(1, Math.ceil(p * bursts));
    let before = 0;
    for (const q of finish_times.still_running(chances)) {
      const counts = binomial(bursts, q);
      let by = 0;
      for (let j = 0; j <= later; j += 1) by += counts[j];
      yield Math.max(by - before, 0);
      before = by;
    }
  }

  // mirrors model/tails.py: binomial
  function binomial(trials, chance) {
    const mode = Math.min(Math.floor((trials + 1) * chance), trials);
    const terms = new Float64Array(trials + 1).fill(1, mode, mode + 1);
    for (let j = mode; j > 0; j -= 1) terms[j - 1] = terms[j] * (j * (1 - chance) / ((trials - j + 1) * chance));
    for (let j = mode; j < trials; j += 1) terms[j + 1] = terms[j] * ((trials - j) * chance / ((j + 1) * (1 - chance)));
    let total = 0;
    for (let j = 0; j <= trials; j += 1) total += terms[j];
    return terms.map((term) => term / total);
  }

  GuessAhead.tails = { draft_length_times, draft_lengths_of_least, sampled_quantile, sampled_chances, binomial };
}
