// What the sections below the burst lab draw and print: the twin of labs/burst/tail.py and labs/burst/pieces.py, which
// say what each function means. See twin/model/steps.js. A section is a generator: it yields null after each piece of
// its work, and at last its sources.
{
  const { chains, finish_times, mixtures, steps, tails } = GuessAhead;
  const {
    QUANTILES, TIMEOUTS, LONGEST_BURST, LONGEST_DRAFT, LENGTHS_OF_THE_POST, LENGTHS_OF_TRAFFIC, SAMPLE, HALF_BAR,
  } = python["labs.burst.tail"];
  const { AT_ONCE, KEPT } = python["labs.burst.pieces"];

  const up_to = (size) => Int32Array.from({ length: size }, (_, i) => i + 1);
  const each = (names, values) => Object.fromEntries(Object.keys(names).map((name, i) => [name, values[i]]));
  const times_of = (counts, cost) => Float64Array.from(counts, (count) => count * cost);
  const divided = (dividends, divisors) => Float64Array.from(dividends, (dividend, i) => dividend / divisors[i]);

  // mirrors labs/burst/pieces.py: Setting
  function setting(
    acceptance_rate, draft_length, draft_cost, burst_length, run_length, decay, deviation, position_rates,
  ) {
    const rate = GuessAhead.rate(acceptance_rate, position_rates);
    return {
      rate, draft_length, draft_cost, burst_length, run_length, decay, deviation,
      cost: steps.step_cost(draft_length, draft_cost),
      bursts: [rate, deviation, decay, draft_length],
      alike: [rate, 0, 1, draft_length],
    };
  }

  // mirrors labs/burst/tail.py: lengths
  function* lengths(...given) {
    const { bursts, cost, burst_length } = setting(...given);
    const times = yield* quantile_times(bursts, cost);
    const length = up_to(LONGEST_BURST);
    const speedups = Object.fromEntries(
      Object.keys(QUANTILES).map((name) => [`speedup_${name}`, divided(length, times[name])]));
    const every = { burst_length: length, ...times, ratio: divided(times.p99, times.p50), ...speedups };
    const at = [...LENGTHS_OF_THE_POST, burst_length];
    const rows = Object.fromEntries(
      Object.entries(every).map(([name, column]) => [name, at.map((n) => column[n - 1])]));
    yield { lengths: every, lengths_at: rows };
  }

  // mirrors labs/burst/tail.py: _quantile_times
  function* quantile_times(bursts, cost) {
    const counts = yield* once(quantiles, bursts, LONGEST_BURST, Object.values(QUANTILES));
    return each(QUANTILES, counts.map((row) => times_of(row, cost)));
  }

  // mirrors labs/burst/tail.py: run
  function* run(...given) {
    const { bursts, cost, burst_length, run_length } = setting(...given);
    const [counts, chances] = yield* once(distribution, bursts, burst_length);
    const times = times_of(counts, cost);
    const [mean, deviation] = chains.run_time(times, chances, run_length);
    const row = {
      run_length,
      ...late(times, chances, run_length),
      mean,
      deviation,
      p99_total: chains.run_steps_p99(counts, chances, run_length) * cost,
      plain: run_length * burst_length,
    };
    const past = chains.chance_past(times, chances, run_length, times);
    yield { run_curve: { finish_time: times, past }, run: table([row]) };
  }

  // mirrors labs/burst/tail.py: _late
  function late(times, chances, size) {
    const timeouts = chains.burst_timeout(times, chances, size, Object.values(TIMEOUTS));
    const p99 = chains.burst_timeout(times, chances, 1, QUANTILES.p99);
    const [past_p99, at_or_past_p99] = chains.bursts_past(times, chances, size, QUANTILES.p99);
    return {
      ...each(TIMEOUTS, timeouts),
      p99,
      past_p99,
      at_or_past_p99,
      expected: size / 100,
      chance_past_p99: chains.chance_past(times, chances, size, p99),
    };
  }

  // mirrors labs/burst/tail.py: draft_lengths
  function* draft_lengths(...given) {
    const { rate, draft_cost, burst_length, run_length, decay } = setting(...given);
    const drafts = [rate, decay, LONGEST_DRAFT, burst_length];
    const times = [];
    for (const bursts of yield* once(distributions, ...drafts)) {
      const cost = steps.step_cost(times.length + 1, draft_cost);
      times.push(tails.draft_length_times(...bursts, cost, run_length, TIMEOUTS.timeout_99));
      yield null;
    }
    const [mean, p50, p99, timeout] = [0, 1, 2, 3].map((i) => Float64Array.from(times, (row) => row[i]));
    const [choice] = tails.draft_lengths_of_least(mean);
    yield {
      draft_lengths: { draft_length: up_to(LONGEST_DRAFT), mean, p50, p99, timeout },
      draft_lengths_best: table(
        [mean, p50, p99, timeout].map((column) => ({ ...best(column, choice), plain: burst_length }))),
    };
  }

  // mirrors labs/burst/tail.py: _best
  function best(times, choice) {
    const shortest_first = tails.draft_lengths_of_least(times);
    const time = Math.min(...times);
    const mean_choice = times[choice - 1];
    return {
      best: shortest_first[0],
      ties: shortest_first.length,
      last: shortest_first[shortest_first.length - 1],
      time,
      mean_choice,
      loss: shortest_first.includes(choice) ? 0 : mean_choice / time - 1,
    };
  }

  // mirrors labs/burst/tail.py: varying
  function* varying(...given) {
    const { bursts, alike, cost, burst_length } = setting(...given);
    const constant = yield* once(distribution, alike, burst_length);
    const as_set = yield* once(distribution, bursts, burst_length);
    const counts = Int32Array.from(new Set([...constant[0], ...as_set[0]])).sort();
    const at = {
      burst_length: LENGTHS_OF_TRAFFIC,
      ...yield* tail_at("constant", alike, cost),
      ...yield* tail_at("varying", bursts, cost),
    };
    yield {
      varying: {
        ...bars(counts, cost),
        constant: chances_at(counts, ...constant),
        varying: chances_at(counts, ...as_set),
      },
      varying_at: at,
      varying_rates: table([rates_of(bursts)]),
    };
  }

  // mirrors labs/burst/tail.py: _tail_at
  function* tail_at(name, bursts, cost) {
    const times = yield* quantile_times(bursts, cost);
    const [p50, p99] = [times.p50, times.p99].map((row) => (
      Float64Array.from(LENGTHS_OF_TRAFFIC, (length) => row[length - 1])));
    return { [`${name}_p50`]: p50, [`${name}_p99`]: p99, [`${name}_ratio`]: divided(p99, p50) };
  }

  // mirrors labs/burst/tail.py: _chances_at
  function chances_at(counts, possible, chances) {
    const found = new Map(Array.from(possible, (count, i) => [count, chances[i]]));
    return Float64Array.from(counts, (count) => found.get(count) ?? 0);
  }

  // mirrors labs/burst/tail.py: _rates
  function rates_of(bursts) {
    const [rates, weights] = mixtures.burst_kinds(...bursts);
    const first = rates.map(([rate]) => rate);
    const [mean, deviation] = finish_times.moments(first, weights);
    const share_at = (end) => weights.reduce((sum, weight, kind) => (first[kind] === end ? sum + weight : sum), 0);
    return { mean, deviation, at_zero: share_at(0), at_one: share_at(1) };
  }

  // mirrors labs/burst/tail.py: sample
  function* sample(...given) {
    const { bursts, cost, burst_length } = setting(...given);
    const [counts, chances] = yield* once(distribution, bursts, burst_length);
    const times = times_of(counts, cost);
    const seen = yield* once(sampled, bursts, burst_length, QUANTILES.p99, SAMPLE);
    const [low, high] = chains.burst_timeout(times, seen, 1, [0.025, 0.975]);
    const likeliest = times[seen.indexOf(Math.max(...seen))];
    const exact = chains.burst_timeout(times, chances, 1, QUANTILES.p99);
    yield { sample: { ...bars(counts, cost), chance: seen }, sample_band: table([{ low, high, likeliest, exact }]) };
  }

  // mirrors labs/burst/tail.py: bars
  function bars(counts, cost) {
    const times = times_of(counts, cost);
    return {
      finish_time: times, left: times.map((t) => t - HALF_BAR * cost), right: times.map((t) => t + HALF_BAR * cost),
    };
  }

  // mirrors labs/burst/tail.py: _table
  function table(rows) {
    return Object.fromEntries(Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])]));
  }

  // mirrors labs/burst/pieces.py: once
  const kept = new Map();
  function* once(work, ...given) {
    const key = `${work.name} ${given.join(" ")}`;
    let found = kept.get(key);
    if (found === undefined) {
      found = yield* work(...given);
      kept.set(key, found);
      if (kept.size > KEPT) kept.delete(kept.keys().next().value);
    }
    return found;
  }

  // mirrors labs/burst/pieces.py: quantiles
  function* quantiles(bursts, longest, p) {
    const [rates, weights] = mixtures.burst_kinds(...bursts);
    const rising = mixtures.rising_step_quantiles(rates, weights, bursts[3], longest, p);
    return (yield* in_pieces(rising)).pop();
  }

  // mirrors labs/burst/pieces.py: distribution
  function* distribution(bursts, burst_length) {
    const [rates, weights] = mixtures.burst_kinds(...bursts);
    const chances = mixtures.step_chances(rates, weights, bursts[3], burst_length);
    return finish_times.possible(yield* in_pieces(chances));
  }

  // mirrors labs/burst/pieces.py: distributions
  function* distributions(acceptance_rate, decay, longest_draft, burst_length) {
    const rates = mixtures.decayed_rates(acceptance_rate, decay, longest_draft);
    const rows = yield* in_pieces(tails.draft_length_chances(rates, longest_draft, burst_length));
    return Array.from(rows[0], (_, k) => finish_times.possible(rows.map((chances) => chances[k])));
  }

  // mirrors labs/burst/pieces.py: sampled
  function* sampled(bursts, burst_length, p, size) {
    const [, chances] = yield* once(distribution, bursts, burst_length);
    return Float64Array.from(yield* in_pieces(tails.sampled_chances(chances, p, size)));
  }

  // mirrors labs/burst/pieces.py: _in_pieces
  function* in_pieces(stepwise) {
    const found = [];
    for (const item of stepwise) {
      found.push(item);
      if (found.length % AT_ONCE === 0) yield null;
    }
    return found;
  }

  GuessAhead.tail_bars = bars;

  // mirrors labs/burst/tail.py, whose SECTIONS these are
  GuessAhead.tail = { lengths, run, varying, sample, draft_lengths };
}
