// Exact finish times: the twin of model/finish_times.py, which says what each function means. See steps.js.
// Sums run over a rising index, as Python's do, and leave out terms that are 0.
{
  const { conditional_rates, step_cost } = GuessAhead.steps;
  const { ROUNDING } = python["model.finish_times"];

  // mirrors model/finish_times.py: distribution
  function distribution(acceptance_rate, draft_length, draft_cost, burst_length) {
    const cost = step_cost(draft_length, draft_cost);
    const [counts, chances] = step_distribution(acceptance_rate, draft_length, burst_length);
    return [Float64Array.from(counts, (count) => count * cost), chances];
  }

  // mirrors model/finish_times.py: step_distribution
  function step_distribution(acceptance_rate, draft_length, burst_length) {
    const guesses = Math.min(draft_length, burst_length - 1);
    const [at_least, exactly] = accepted_chances([acceptance_rate], guesses);
    return possible(chances_of_step_counts(at_least, exactly, [1], burst_length));
  }

  // mirrors model/finish_times.py: quantile
  function quantile(times, p, weights = null) {
    const value = weights === null ? of_sample(times) : of_distribution(times, weights);
    return typeof p === "number" ? value(p) : Float64Array.from(p, value);
  }

  function of_sample(times) {
    const sorted = new Float64Array(times).sort();
    return (share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  }

  function of_distribution(times, weights) {
    const [values, past] = past_each(times, weights);
    return (share) => values[past.findIndex((late) => late <= (1 - share) * (1 + ROUNDING))];
  }

  // mirrors model/finish_times.py: _past
  function past_each(times, weights) {
    const order = [...times.keys()].filter((i) => weights[i] > 0).sort((i, j) => times[i] - times[j]);
    const after = later(order.map((i) => weights[i]));
    const whole = after[0] + weights[order[0]];
    return [order.map((i) => times[i]), after.map((late) => late / whole)];
  }

  // mirrors model/finish_times.py: _later
  function later(mass) {
    const sums = new Float64Array(mass.length);
    for (let i = mass.length - 2; i >= 0; i -= 1) sums[i] = sums[i + 1] + mass[i + 1];
    return sums;
  }

  // mirrors model/finish_times.py: still_running
  function still_running(chances) {
    return later(chances).map((chance) => Math.min(chance, 1));
  }

  // mirrors model/finish_times.py: moments
  function moments(values, chances) {
    let [mean, variance] = [0, 0];
    for (let i = 0; i < values.length; i += 1) mean += chances[i] * values[i];
    for (let i = 0; i < values.length; i += 1) variance += chances[i] * ((values[i] - mean) * (values[i] - mean));
    return [mean, Math.sqrt(variance)];
  }

  // mirrors model/finish_times.py: accepted_chances
  function accepted_chances(rates, guesses) {
    const accepts = Array.from(rates, (kind) => conditional_rates(kind, 0, guesses));
    const at_least = accepts.map((kind) => {
      const reached = new Float64Array(guesses + 1).fill(1);
      kind.forEach((rate, j) => { reached[j + 1] = reached[j] * rate; });
      return reached;
    });
    const exactly = at_least.map((reached, kind) => (
      reached.map((chance, j) => (j < guesses ? chance * (1 - accepts[kind][j]) : chance))));
    return [at_least, exactly];
  }

  // mirrors model/finish_times.py: unfinished
  function* unfinished(exactly, length) {
    const most = exactly[0].length;
    const zeros = most + AT_ONCE; // in front, so that no sum reads past the start
    const padded = exactly.map(() => new Float64Array(zeros + length).fill(1, zeros, zeros + 1));
    const mass = padded.map((kind) => kind.subarray(zeros));
    for (let step = 1; step <= length; step += 1) {
      yield mass;
      const end = Math.min(length, step * most + 1);
      padded.forEach((kind, i) => settle(kind, exactly[i], zeros + step, zeros + end));
      if (mass.every((kind) => kind.every((chance) => chance === 0))) return;
    }
  }

  // Overwrites the mass from first to end by that of one step more; before first it is 0. Four neighbouring sums run
  // at once, each over a rising j: a sum alone waits for its last addition before the next. From the top down, so that
  // nothing is read that was overwritten.
  const AT_ONCE = 4;
  function settle(mass, exactly, first, end) {
    for (let s = end - 1; s >= first; s -= AT_ONCE) {
      const most = Math.min(exactly.length - 1, s - first);
      let [sum, sum1, sum2, sum3] = [0, 0, 0, 0];
      let [before, before1, before2] = [mass[s - 1], mass[s - 2], mass[s - 3]];
      for (let j = 0; j <= most; j += 1) {
        const chance = exactly[j];
        const before3 = mass[s - 4 - j];
        sum += chance * before;
        sum1 += chance * before1;
        sum2 += chance * before2;
        sum3 += chance * before3;
        before = before1;
        before1 = before2;
        before2 = before3;
      }
      mass[s] = sum;
      mass[s - 1] = sum1;
      mass[s - 2] = sum2;
      mass[s - 3] = sum3;
    }
    mass[first - 1] = 0;
  }

  // mirrors model/finish_times.py: chances_of_step_counts
  function* chances_of_step_counts(at_least, exactly, weights, length) {
    for (const chances of chances_by_kind(at_least, exactly, length)) {
      let chance = 0;
      for (let kind = 0; kind < weights.length; kind += 1) chance += chances[kind] * weights[kind];
      yield Math.min(chance, 1);
    }
  }

  // mirrors model/finish_times.py: chances_by_kind
  function* chances_by_kind(at_least, exactly, length) {
    const first = length - at_least[0].length;
    for (const mass of unfinished(exactly, length)) {
      yield Float64Array.from(mass, (settled, kind) => {
        let crossing = 0;
        for (let s = first; s < length; s += 1) crossing += settled[s] * at_least[kind][length - 1 - s];
        return Math.min(crossing, 1);
      });
    }
  }

  // mirrors model/finish_times.py: possible
  function possible(chances) {
    const mass = Float64Array.from([0, ...chances]);
    const counts = Int32Array.from(mass.keys()).filter((count) => mass[count] > 0);
    return [counts, mass.filter((chance) => chance > 0)];
  }

  GuessAhead.finish_times = {
    distribution, step_distribution, quantile, still_running, moments, accepted_chances, unfinished,
    chances_of_step_counts, chances_by_kind, possible,
  };
}
