// Exact finish times: the twin of model/finish_times.py, which says what each function means. See assets/steps.js on
// twins. Sums run over a rising index, as Python's do, and leave out terms that are 0.
{
  const { conditional_rates, step_cost } = GuessAhead.steps;

  // mirrors model/finish_times.py: distribution
  function distribution(acceptance_rate, draft_length, draft_cost, burst_length) {
    const cost = step_cost(draft_length, draft_cost);
    const [counts, chances] = step_distribution(acceptance_rate, draft_length, burst_length);
    return [Float64Array.from(counts, (count) => count * cost), chances];
  }

  // mirrors model/finish_times.py: step_distribution
  function step_distribution(acceptance_rate, draft_length, burst_length) {
    const guesses = Math.min(draft_length, burst_length - 1);
    const chances = chances_of_step_counts(acceptance_rate, guesses, burst_length);
    const counts = Int32Array.from(chances.keys()).filter((count) => chances[count] > 0);
    return [counts, chances.filter((chance) => chance > 0)];
  }

  // mirrors model/finish_times.py: quantile
  function quantile(times, p, weights = null) {
    const [values, cumulative, whole] = weights === null ? sorted(times) : accumulated(times, weights);
    const value = (share) => values[cumulative.findIndex((reached) => reached >= share * whole)];
    return typeof p === "number" ? value(p) : Float64Array.from(p, value);
  }

  function sorted(times) {
    return [new Float64Array(times).sort(), Float64Array.from(times, (_, i) => i + 1), times.length];
  }

  // mirrors model/finish_times.py: _cumulative
  function accumulated(times, weights) {
    const order = [...times.keys()].filter((i) => weights[i] > 0).sort((i, j) => times[i] - times[j]);
    let mass = 0;
    const cumulative = order.map((i) => { mass += weights[i]; return mass; });
    return [order.map((i) => times[i]), cumulative.map((reached) => reached / mass), 1];
  }

  // mirrors model/finish_times.py: _chances_of_step_counts
  function chances_of_step_counts(acceptance_rate, guesses, length) {
    const [at_least, exactly] = accepted_chances(acceptance_rate, guesses);
    const unfinished = new Float64Array(length).fill(1, 0, 1); // by tokens settled
    const chances = new Float64Array(length + 1);
    for (let step = 1, any = true; any && step <= length; step += 1) {
      for (let s = Math.max(length - 1 - guesses, step - 1); s < length; s += 1) {
        chances[step] += unfinished[s] * at_least[length - 1 - s];
      }
      any = false;
      for (let s = Math.min(length, step * (guesses + 1) + 1) - 1; s >= step; s -= 1) { // falling: none is read again
        const most = Math.min(guesses, s - step);
        let sum = 0;
        for (let j = 0; j <= most; j += 1) sum += exactly[j] * unfinished[s - j - 1];
        unfinished[s] = sum;
        any ||= sum > 0;
      }
      unfinished[step - 1] = 0;
    }
    return chances;
  }

  // mirrors model/finish_times.py: _accepted_chances
  function accepted_chances(acceptance_rate, guesses) {
    const accepts = conditional_rates(acceptance_rate, 0, guesses);
    const at_least = new Float64Array(guesses + 1).fill(1);
    accepts.forEach((rate, j) => { at_least[j + 1] = at_least[j] * rate; });
    return [at_least, at_least.map((chance, j) => (j < guesses ? chance * (1 - accepts[j]) : chance))];
  }

  GuessAhead.finish_times = { distribution, step_distribution, quantile };
}
