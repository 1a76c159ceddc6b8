// One step of speculative decoding: the twin of model/steps.py, which says what each function means and whence.
// The twins agree to the last bit, because both write the same + - * / and comparisons in the same order. Python is
// the reference: who changes one changes both, and tests/twin compare them. Arguments are taken as valid. Constants
// stand in Python alone: app/page.py writes their values in place of python["…"].
{
  const { LONGEST_DRAFT } = python["model.checks"];
  const { ROUNDING } = python["model.steps"];

  const listed = (acceptance_rate) => (typeof acceptance_rate === "number" ? [acceptance_rate] : acceptance_rate);
  const each = (draft_length, value) => (
    typeof draft_length === "number" ? value(draft_length) : Float64Array.from(draft_length, value));

  // mirrors model/steps.py: conditional_rates
  function conditional_rates(rates, first, size) {
    const all = listed(rates);
    const conditional = new Float64Array(size).fill(all[all.length - 1]);
    conditional.set(all.slice(first, first + size));
    return conditional;
  }

  // mirrors model/steps.py: position_rates
  function position_rates(acceptance_rate, draft_length) {
    const rates = conditional_rates(acceptance_rate, 0, draft_length);
    for (let i = 1; i < draft_length; i += 1) rates[i] *= rates[i - 1];
    return rates;
  }

  // mirrors model/steps.py: tokens_per_step
  function tokens_per_step(acceptance_rate, draft_length) {
    let longest = 0;
    each(draft_length, (length) => { longest = Math.max(longest, length); });
    const tokens = new Float64Array(longest + 1).fill(1);
    position_rates(acceptance_rate, longest).forEach((rate, i) => { tokens[i + 1] = tokens[i] + rate; });
    return each(draft_length, (length) => tokens[length]);
  }

  // mirrors model/steps.py: step_cost
  function step_cost(draft_length, draft_cost, utilisation = 0.0) {
    return each(draft_length, (length) => verify_cost(length, utilisation) + length * draft_cost);
  }

  // mirrors model/steps.py: speedup
  function speedup(acceptance_rate, draft_length, draft_cost, utilisation = 0.0) {
    const tokens = tokens_per_step(acceptance_rate, draft_length);
    const cost = step_cost(draft_length, draft_cost, utilisation);
    return typeof tokens === "number" ? tokens / cost : tokens.map((value, i) => value / cost[i]);
  }

  // mirrors model/steps.py: ceiling
  function ceiling(acceptance_rate) {
    const rates = listed(acceptance_rate);
    let settled = 1 / (1 - rates[rates.length - 1]); // Infinity at a rate of 1
    for (let i = rates.length - 2; i >= 0; i -= 1) settled = rates[i] > 0 ? 1 + rates[i] * settled : 1;
    return settled;
  }

  // mirrors model/steps.py: pays
  function pays(acceptance_rate, draft_cost) {
    return listed(acceptance_rate)[0] > draft_cost;
  }

  // mirrors model/steps.py: best_draft_length
  function best_draft_length(acceptance_rate, draft_cost, utilisation = 0.0) {
    const rates = listed(acceptance_rate);
    const longest = draft_length_before_a_zero(rates);
    if (draft_cost === 0 && utilisation === 0) return longest;
    const endless = utilisation === 0 && rates[rates.length - 1] === 1;
    const furthest = Math.min(endless ? rates.length - 1 : LONGEST_DRAFT, longest - 1);
    const best = shortest(rates, furthest, (length, next_rate, tokens) => {
      const growth = cost_growth(length, draft_cost, utilisation);
      return growth > 0
        && next_rate * (verify_cost(length, utilisation) + length * draft_cost) <= growth * tokens;
    });
    if (best !== null) return best;
    if (endless || longest <= LONGEST_DRAFT) return longest;
    throw too_far();
  }

  // mirrors model/steps.py: break_even_utilisation
  function break_even_utilisation(acceptance_rate, draft_cost) {
    const [first] = listed(acceptance_rate);
    return first > draft_cost ? (1 + first - draft_cost) / 2 : 0;
  }

  // mirrors model/steps.py: draft_length_reaching
  function draft_length_reaching(share, acceptance_rate) {
    const rates = listed(acceptance_rate);
    if (share === 1) return draft_length_before_a_zero(rates);
    const wanted = share > 0 ? share * ceiling(rates) * (1 - ROUNDING) : 0;
    if (wanted === Infinity) return Infinity;
    const reaching = shortest(rates, LONGEST_DRAFT, (length, next_rate, tokens) => tokens >= wanted);
    if (reaching === null) throw too_far();
    return reaching;
  }

  // The first k = 0, 1, ..., furthest at which something holds of k, p[k+1] and E[k], null if there is none.
  // mirrors model/steps.py: _stretches, as the one running loop whose bits those have
  function shortest(rates, furthest, holds) {
    let [reached, tokens] = [1, 1];
    for (let length = 0; length <= furthest; length += 1) {
      reached *= rates[Math.min(length, rates.length - 1)];
      if (holds(length, reached, tokens)) return length;
      tokens += reached;
    }
    return null;
  }

  // mirrors model/steps.py: _verify_cost
  function verify_cost(length, utilisation) {
    return Math.max(1, utilisation * (length + 1));
  }

  // mirrors model/steps.py: _cost_growth
  function cost_growth(length, draft_cost, utilisation) {
    const verifying = verify_cost(length + 1, utilisation) - verify_cost(length, utilisation);
    return draft_cost + (verifying > 0 ? verifying + ROUNDING : 0);
  }

  // mirrors model/steps.py: _draft_length_before_a_zero
  function draft_length_before_a_zero(rates) {
    const before = rates.indexOf(0);
    return before < 0 ? Infinity : before;
  }

  const too_far = () => new RangeError(`draft lengths are sought from 0 to ${LONGEST_DRAFT}`);

  GuessAhead.steps = {
    conditional_rates, position_rates, tokens_per_step, step_cost, speedup, ceiling, pays, best_draft_length,
    break_even_utilisation, draft_length_reaching,
  };
}
