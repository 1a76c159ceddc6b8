// Seeded bursts: the twin of model/bursts.py, which says what each function means. See twin/model/steps.js.
// The draws depend on no slider: they are made once per seed, and only as far as a burst needs them.
{
  const { position_rates, step_cost } = GuessAhead.steps;
  const { BLOCK } = python["model.bursts"];
  const SEEDS_KEPT = 4;

  // mirrors numpy.random.RandomState: MT19937 (Matsumoto and Nishimura, 1998) seeded by one number, two of its
  // 32-bit numbers to a double of 53 bits
  class RandomState {
    constructor(seed) {
      this.state = new Uint32Array(624).fill(seed);
      for (let i = 1; i < 624; i += 1) {
        const before = this.state[i - 1];
        this.state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
      }
      this.used = 624;
    }

    random_sample(size) {
      const sample = new Float64Array(size);
      for (let i = 0; i < size; i += 1) {
        if (this.used === 624) this.twist();
        const high = tempered(this.state[this.used]) >>> 5;
        const low = tempered(this.state[this.used + 1]) >>> 6;
        this.used += 2;
        sample[i] = (high * 67108864 + low) / 9007199254740992;
      }
      return sample;
    }

    twist() {
      const { state } = this;
      for (let i = 0; i < 624; i += 1) {
        const bits = (state[i] & 0x80000000) | (state[i < 623 ? i + 1 : 0] & 0x7fffffff);
        state[i] = state[i < 227 ? i + 397 : i - 227] ^ (bits >>> 1) ^ (-(bits & 1) & 0x9908b0df);
      }
      this.used = 0;
    }
  }

  function tempered(bits) {
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    return bits ^ (bits >>> 18);
  }

  // mirrors model/bursts.py: Draws
  class Draws {
    constructor(seed, bursts) {
      Object.assign(this, { stream: new RandomState(seed), bursts, drawn: [] });
    }

    * blocks() {
      for (let index = 0; ; index += 1) {
        if (index === this.drawn.length) this.drawn.push(this.stream.random_sample(BLOCK * this.bursts));
        yield this.drawn[index];
      }
    }
  }

  // mirrors model/bursts.py: simulate
  function simulate(acceptance_rate, draft_length, draft_cost, burst_length, seed = 0, bursts = 2000) {
    const [counts] = step_counts(acceptance_rate, draft_length, burst_length, seed, bursts);
    const cost = step_cost(draft_length, draft_cost);
    return Float64Array.from(counts, (count) => count * cost);
  }

  // mirrors model/bursts.py: step_counts
  function step_counts(acceptance_rate, draft_length, burst_length, seed = 0, bursts = 2000) {
    const rates = position_rates(acceptance_rate, Math.min(draft_length, burst_length));
    const [settled, counts, one_token] = [0, 0, 0].map(() => new Int32Array(bursts));
    for (const block of kept_draws(seed, bursts).blocks()) {
      for (let burst = 0; burst < bursts; burst += 1) {
        for (let i = burst; i < block.length && settled[burst] < burst_length; i += bursts) {
          const accepted = guesses_accepted(block[i], rates);
          counts[burst] += 1;
          if (accepted === 0) one_token[burst] += 1;
          settled[burst] += accepted + 1;
        }
      }
      if (settled.every((tokens) => tokens >= burst_length)) break;
    }
    return [counts, one_token];
  }

  // mirrors model/bursts.py: trace
  function trace(acceptance_rate, draft_length, burst_length, seed = 0, bursts = 2000, burst = 0) {
    const rates = position_rates(acceptance_rate, draft_length);
    const accepted = [];
    let left = burst_length;
    for (const block of kept_draws(seed, bursts).blocks()) {
      for (let i = burst; i < block.length && left > 0; i += bursts) {
        accepted.push(guesses_accepted(block[i], rates));
        left -= accepted[accepted.length - 1] + 1;
      }
      if (left <= 0) break;
    }
    return Int32Array.from(accepted);
  }

  // mirrors model/bursts.py: _kept_draws, whose cache lets go of the seed used longest ago
  const kept = new Map();
  function kept_draws(seed, bursts) {
    const key = `${seed} ${bursts}`;
    const draws = kept.get(key) ?? new Draws(seed, bursts);
    kept.delete(key);
    kept.set(key, draws);
    if (kept.size > SEEDS_KEPT) kept.delete(kept.keys().next().value);
    return draws;
  }

  // mirrors model/bursts.py: _guesses_accepted; rates never rise, so those above the draw come first
  function guesses_accepted(draw, rates) {
    let accepted = 0;
    while (accepted < rates.length && draw < rates[accepted]) accepted += 1;
    return accepted;
  }

  GuessAhead.bursts = { Draws, simulate, step_counts, trace };
}
