// A chain of bursts: the twin of model/chains.py, which says what each function means. See twin/model/steps.js.
{
  const { moments, still_running } = GuessAhead.finish_times;
  const { ROUNDING, SURE, NORMAL_99 } = python["model.chains"];

  const each = (given, value) => (typeof given === "number" ? value(given) : Float64Array.from(given, value));

  // mirrors model/chains.py: chance_of_any
  function chance_of_any(chance, bursts) {
    return each(chance, (q) => {
      let [result, one, left] = [0, q, bursts];
      while (left > 0) {
        if (left % 2 === 1) result += one * (1 - result);
        one *= 2 - one;
        left = Math.floor(left / 2);
      }
      return result;
    });
  }

  // mirrors model/chains.py: chance_past
  function chance_past(times, chances, bursts, timeout) {
    const past = chance_of_any(still_running(chances), bursts);
    return each(timeout, (t) => {
      const later = times.findIndex((time) => time > t * (1 + ROUNDING));
      const ended = later < 0 ? times.length : later;
      return ended > 0 ? past[ended - 1] : 1;
    });
  }

  // mirrors model/chains.py: burst_timeout
  function burst_timeout(times, chances, bursts, share) {
    const past = chance_of_any(still_running(chances), bursts);
    return each(share, (survived) => times[first_at_most(past, 1 - survived)]);
  }

  // mirrors model/chains.py: bursts_past
  function bursts_past(times, chances, bursts, p) {
    const running = still_running(chances);
    const at = first_at_most(running, 1 - p);
    return [bursts * running[at], bursts * (at > 0 ? running[at - 1] : 1)];
  }

  // mirrors model/chains.py: run_time
  function run_time(times, chances, bursts) {
    const [mean, deviation] = moments(times, chances);
    return [bursts * mean, Math.sqrt(bursts) * deviation];
  }

  // mirrors model/chains.py: run_steps_p99
  function run_steps_p99(counts, chances, bursts) {
    if (bursts === 1) return burst_timeout(counts, chances, 1, 0.99);
    const [mean, deviation] = moments(counts, chances);
    const off = Float64Array.from(counts, (count) => count - mean);
    const x = bursts * mean + (deviation > SURE ? beyond_the_mean(off, chances, bursts) : 0);
    return Math.min(Math.max(Math.ceil(x - 0.5), bursts * counts[0]), bursts * counts[counts.length - 1]);
  }

  // mirrors model/chains.py: _beyond_the_mean
  function beyond_the_mean(off, chances, bursts) {
    const z = NORMAL_99;
    let [v, g, h] = [0, 0, 0];
    off.forEach((distance, i) => {
      const squared = distance * distance;
      v += chances[i] * squared;
      g += chances[i] * (squared * distance);
      h += chances[i] * (squared * squared);
    });
    const peaked = (z * z * z - 3 * z) * (h / (v * v) - 3) / 24;
    const skewed = (2 * z * z * z - 5 * z) * (g * g / (v * v * v)) / 36;
    const bend = Math.min(Math.max((peaked - skewed) / bursts, -0.5), 0.5);
    return (z * z - 1) * g / (6 * v) + (z + bend) * Math.sqrt(bursts * v);
  }

  // mirrors model/chains.py: _first_at_most
  function first_at_most(falling, limit) {
    return falling.findIndex((chance) => chance <= limit * (1 + ROUNDING));
  }

  GuessAhead.chains = { chance_of_any, chance_past, burst_timeout, bursts_past, run_time, run_steps_p99 };
}
