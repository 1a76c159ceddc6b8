// What the page of measured numbers draws and prints: the twin of labs/measured.py, which says what each function
// means. See twin/model/steps.js.
{
  const { deployment, finish_times, steps } = GuessAhead;
  const { LEAST_COST, LONGEST } = python["model.deployment"];
  const { ANSWER, MOST_POSITIONS } = python["labs.measured"];
  const up_to = (size) => Int32Array.from({ length: size }, (_, i) => i + 1);
  const DRAFT_LENGTHS = up_to(LONGEST);

  // mirrors labs/measured.py: columns
  function columns(measured, fixed, per_guess) {
    const rates = measured_rates(measured);
    const alpha = fitted_rate(measured);
    const shown = rates.length || Math.min(measured.draft_length ?? 0, MOST_POSITIONS);
    const nothing = new Float64Array(shown).fill(NaN);
    const curve = { draft_length: DRAFT_LENGTHS };
    for (const [name, rate] of [["measured", rates.length > 0 ? rates : null], ["fitted", alpha]]) {
      [curve[`tokens_${name}`], curve[`speedup_${name}`]] = curves(rate, fixed, per_guess);
    }
    for (const name of ["tokens", "speedup"]) {
      const whole = curve[`${name}_measured`];
      const where = (seen) => whole.map((value, i) => (seen(DRAFT_LENGTHS[i]) ? value : NaN));
      curve[`${name}_measured`] = where((k) => k <= rates.length);
      curve[`${name}_beyond`] = where((k) => k >= rates.length);
    }
    const numbers = readout(measured, rates.length > 0 ? rates : alpha, fixed, per_guess);
    return {
      positions: {
        position: up_to(shown),
        measured: rates.length > 0 ? steps.position_rates(rates, shown) : nothing,
        fitted: alpha === null ? nothing : steps.position_rates(alpha, shown),
      },
      curve,
      readout: Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, [value]])),
    };
  }

  // mirrors labs/measured.py: measured_rates
  function measured_rates({ conditional_rates }) {
    return (conditional_rates ?? []).slice(0, MOST_POSITIONS).map((rate) => rate ?? 0);
  }

  // mirrors labs/measured.py: fitted_rate
  function fitted_rate({ alpha_mle, alpha_moment }) {
    return alpha_mle ?? alpha_moment;
  }

  // mirrors labs/measured.py: possible
  function possible(fixed, per_guess) {
    return fixed >= LEAST_COST && per_guess >= 0;
  }

  // mirrors labs/measured.py: _curves
  function curves(rate, fixed, per_guess) {
    const nothing = new Float64Array(LONGEST).fill(NaN);
    if (rate === null) return [nothing, nothing];
    const tokens = Float64Array.from(DRAFT_LENGTHS, (k) => steps.tokens_per_step(rate, k));
    if (!possible(fixed, per_guess)) return [tokens, nothing];
    return [tokens, tokens.map((value, i) => value / (fixed + per_guess * DRAFT_LENGTHS[i]))];
  }

  // mirrors labs/measured.py: _readout
  function readout(measured, rate, fixed, per_guess) {
    const alpha = fitted_rate(measured);
    const own = measured.draft_length;
    const [low, high] = measured.alpha_interval ?? [NaN, NaN];
    const cost = possible(fixed, per_guess);
    const chain = cost && (measured.advisable || measured.format === "plain"); // α alone may be typed, too
    const best = (of) => (chain && of !== null ? deployment.best_length(of, fixed, per_guess) : NaN);
    const names = ["draft_length", "drafts", "accepted", "drafted", "strict_rate", "tokens_per_step", "alpha_mle",
      "alpha_moment"];
    return {
      ...Object.fromEntries(names.map((name) => [name, measured[name] ?? NaN])),
      alpha: alpha ?? NaN,
      alpha_low: low,
      alpha_high: high,
      positions: measured_rates(measured).length,
      best_measured: best(rate),
      best_fitted: best(alpha),
      fixed,
      per_guess,
      ...advice(cost && measured.advisable ? rate : null, own, fixed, per_guess),
      ...tail(cost ? rate : null, own, fixed, per_guess),
    };
  }

  // mirrors labs/measured.py: _advice
  function advice(rate, own, fixed, per_guess) {
    if (rate === null || own === null) {
      return { action: "none", advised_length: NaN, advised_speedup: NaN, present_speedup: NaN, gain: NaN };
    }
    const told = deployment.advise(rate, own, fixed, per_guess);
    return {
      action: told.action, advised_length: told.draft_length, advised_speedup: told.speedup,
      present_speedup: told.present_speedup, gain: told.gain,
    };
  }

  // mirrors labs/measured.py: _tail
  function tail(rate, own, fixed, per_guess) {
    if (rate === null || own === null || own > MOST_POSITIONS) return { p50: NaN, p99: NaN };
    const [taken, chances] = finish_times.step_distribution(rate, own, ANSWER);
    const cost = fixed + per_guess * own;
    const within = (p) => finish_times.quantile(taken, p, chances) * cost;
    return { p50: within(0.5), p99: within(0.99) };
  }

  GuessAhead.measured_columns = { columns, measured_rates, fitted_rate, possible };
}
