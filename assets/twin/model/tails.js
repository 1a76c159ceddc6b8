// Choosing for the tail: the twin of model/tails.py, which says what each function means. See twin/model/steps.js.
{
  const { chains, finish_times } = GuessAhead;
  const { ROUNDING } = python["model.tails"];

  // mirrors model/tails.py: draft_length_chances
  function* draft_length_chances(acceptance_rate, longest_draft, burst_length) {
    const guesses = Math.min(longest_draft, burst_length - 1);
    const [[at_least], [exactly]] = finish_times.accepted_chances([acceptance_rate], guesses);
    const last = Array.from({ length: longest_draft }, (_, k) => Math.min(k + 1, guesses));
    yield* finish_times.chances_by_kind(
      last.map((most) => at_least.map((chance, j) => (j <= most ? chance : 0))),
      last.map((most) => exactly.map((chance, j) => (j < most ? chance : (j === most ? at_least[j] : 0)))),
      burst_length,
    );
  }

  // mirrors model/tails.py: draft_length_times
  function draft_length_times(counts, chances, cost, bursts, share) {
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
  // Once a term is too small to count, so are all further ones, and they need not be worked out.
  function binomial(trials, chance) {
    const mode = Math.min(Math.floor((trials + 1) * chance), trials);
    const terms = new Float64Array(trials + 1).fill(1, mode, mode + 1);
    let [first, last] = [mode, mode];
    for (; first > 0 && terms[first] > 0; first -= 1) {
      terms[first - 1] = terms[first] * (first * (1 - chance) / ((trials - first + 1) * chance));
    }
    for (; last < trials && terms[last] > 0; last += 1) {
      terms[last + 1] = terms[last] * ((trials - last) * chance / ((last + 1) * (1 - chance)));
    }
    let total = 0;
    for (let j = first; j <= last; j += 1) total += terms[j];
    for (let j = first; j <= last; j += 1) terms[j] /= total;
    return terms;
  }

  GuessAhead.tails = {
    draft_length_chances, draft_length_times, draft_lengths_of_least, sampled_quantile, sampled_chances, binomial,
  };
}
