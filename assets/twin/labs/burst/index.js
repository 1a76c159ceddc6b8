// What the burst lab draws and prints: the twin of labs/burst/__init__.py's columns. See twin/model/steps.js.
// What a moved slider leaves as it was is not computed again, and a source that stays the same is the same object.
{
  const { bursts, finish_times, steps, tail_bars } = GuessAhead;
  const { BURSTS, QUANTILE_DRAWN, FINE_ROWS } = python["labs.burst"];

  // The function, remembering its last arguments and what it returned for them.
  function remembering(compute) {
    let [last, result] = [[]];
    return (...given) => {
      if (given.length !== last.length || given.some((value, i) => value !== last[i])) {
        [last, result] = [given, compute(...given)];
      }
      return result;
    };
  }

  const rate_of = remembering(GuessAhead.rate); // the same rates by position are the same array
  const step_counts = remembering((...given) => bursts.step_counts(...given));
  const step_distribution = remembering((...given) => finish_times.step_distribution(...given));

  // mirrors labs/burst/__init__.py: columns
  function burst(acceptance_rate, draft_length, draft_cost, burst_length, seed, drawn, position_rates = "") {
    const rate = rate_of(acceptance_rate, position_rates);
    const [counts, one_token] = step_counts(rate, draft_length, burst_length, seed, BURSTS);
    const [possible, chances] = step_distribution(rate, draft_length, burst_length);
    const cost = steps.step_cost(draft_length, draft_cost);
    const which = drawn_burst(counts, drawn);
    const trace = trace_columns(rate, draft_length, burst_length, seed, which);
    const histogram = histogram_columns(counts, possible, chances, cost);
    const readout = {
      acceptance_rate,
      position_rates,
      draft_length,
      draft_cost,
      burst_length,
      seed,
      burst: which + 1,
      burst_steps: trace.step.length,
      burst_time: trace.step.length * cost,
      ...finish(histogram, chances, burst_length),
      ...step_numbers(counts, one_token),
    };
    return {
      trace,
      histogram,
      readout: Object.fromEntries(Object.entries(readout).map(([name, value]) => [name, [value]])),
    };
  }

  const histogram_columns = remembering((counts, possible, chances, cost) => {
    const finished = new Int32Array(possible[possible.length - 1] + 1);
    for (const count of counts) finished[count] += 1;
    return {
      ...tail_bars(possible, cost),
      bursts: possible.map((count) => finished[count]),
      exact: chances.map((chance) => BURSTS * chance),
    };
  });

  // mirrors labs/burst/__init__.py: _drawn_burst
  function drawn_burst(counts, drawn) {
    const p = QUANTILE_DRAWN[drawn];
    return p === undefined ? 0 : counts.indexOf(finish_times.quantile(counts, p));
  }

  // mirrors labs/burst/__init__.py: _trace
  const trace_columns = remembering((rate, draft_length, burst_length, seed, which) => {
    const accepted = bursts.trace(rate, draft_length, burst_length, seed, BURSTS, which);
    const settled = accepted.map((guesses) => guesses + 1);
    const cells = accepted.map(() => draft_length + 1);
    const fine = accepted.length <= FINE_ROWS;
    let total = 0;
    return {
      step: accepted.map((_, i) => i + 1),
      accepted,
      settled,
      cells,
      draft_length: accepted.map(() => draft_length),
      burst_length: accepted.map(() => burst_length),
      total: settled.map((tokens) => { total += tokens; return total; }),
      height: new Float64Array(accepted.length).fill(fine ? 0.84 : 1),
      hatched: fine ? cells : settled,
      hatched_area: fine ? settled : cells,
      edge: new Float64Array(accepted.length).fill(fine ? 1 : 0),
    };
  });

  // mirrors labs/burst/__init__.py: _finish
  function finish({ finish_time: times, bursts: finished }, chances, burst_length) {
    const [p50, p99] = [0.5, 0.99].map((p) => finish_times.quantile(times, p, finished));
    return {
      p50,
      p99,
      p99_over_p50: p99 / p50,
      speedup_p50: burst_length / p50,
      mean: weighted_sum(times, finished) / BURSTS,
      exact_p50: finish_times.quantile(times, 0.5, chances),
      exact_p99: finish_times.quantile(times, 0.99, chances),
      exact_mean: weighted_sum(times, chances),
    };
  }

  function weighted_sum(times, weights) {
    let sum = 0;
    for (let i = 0; i < times.length; i += 1) sum += times[i] * weights[i];
    return sum;
  }

  // mirrors labs/burst/__init__.py: _steps
  function step_numbers(counts, one_token) {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return { steps: total / BURSTS, one_token_share: one_token.reduce((sum, count) => sum + count, 0) / total };
  }

  GuessAhead.columns = { ...GuessAhead.columns, burst };
}
