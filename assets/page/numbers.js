// What all scripts of a page share.
const GuessAhead = {
  views: {},

  // A number as it is shown: half of the last digit is rounded up, thousands are grouped, and a limit has its sign.
  number(value, digits) {
    if (Number.isNaN(value)) return "–";
    if (value === Infinity) return "∞";
    const [whole, ...part] = value.toFixed(digits).split(".");
    return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...part].join(".");
  },

  // A number as a person types it or an address holds it; anything odd is null.
  parsed: (text) => (/^[+-]?(\d{1,60}(\.\d{0,60})?|\.\d{1,60})$/.test(text) ? Number(text) : null),

  // Rates by position as an address has them, "0.78_0.814_0.835", as numbers; anything odd is null.
  rates(text) {
    const { LISTED } = python["labs.state"];
    return new RegExp(`^${LISTED}$`).test(text) ? text.split("_").map(Number) : null;
  },

  // Mirrors labs/state.py: rate.
  rate: (acceptance_rate, position_rates) => (position_rates ? GuessAhead.rates(position_rates) : acceptance_rate),

  // The acceptance that counts, in words, and that of the first guess.
  acceptance: ({ acceptance_rate: a, position_rates: rates }) => (rates ? "the measured rates" : `a = ${a.toFixed(2)}`),
  first: ({ acceptance_rate: a, position_rates: rates }) => [GuessAhead.rate(a, rates)].flat()[0],

  // A slider's own sums end beside its steps (0.7499999999999999): a value is a whole number over the steps per unit.
  // Mirrors labs/state.py: snapped.
  snapped(slider, value = slider.value) {
    const perUnit = Math.round(1 / slider.step);
    return Math.min(slider.end, Math.max(slider.start, Math.round(value * perUnit) / perUnit));
  },

  // The smallest of 1, 2, 5, 10, 20, 50, … that reaches the value: axes move only between these rungs.
  // A ceiling of 5 may be 5.000000000000001 in binary, and that is still 5 to the eye.
  rung(value) {
    let rung = 1;
    for (let i = 0; rung < value * (1 - 1e-9); i += 1) rung = [2, 5, 10][i % 3] * 10 ** Math.floor(i / 3);
    return rung;
  },
};
