// What the flatten lab's page says in words: its summary, the labels in its plots, how far its axes reach.
{
  const { number, rung, acceptance, first } = GuessAhead;
  const { LONGEST } = python["labs.flatten"];

  const comparison = (readout) => (`${readout.position_rates ? "a₁" : "a"} ${number(first(readout), 2)} `
    + `${readout.pays ? ">" : "≤"} c ${number(readout.draft_cost, 2)}`);
  const highest = (...curves) => Math.max(1, ...curves.flatMap((curve) => Array.from(curve)));
  // A last rate near 1, carried on, has a ceiling far above all that is drawn.
  const near = ({ ceiling }, curve) => ceiling <= 4 * highest(curve.tokens_per_step);

  // Where the best draft length lies beyond the plot, its label stands at the curve's end and points on.
  function bestLabel(readout, curve, name, text) {
    const { best_draft_length: best } = readout;
    const look = { rows: 3, colour: "curve", bold: true, answer: true };
    if (best <= LONGEST) return { x: best, y: readout[name], ...look, ...text(":", "") };
    return {
      x: LONGEST, y: curve[name][LONGEST - 1], sides: ["above left", "below left"], ...look, ...text(" →", " →"),
    };
  }

  const k = "draft length k (γ) [tokens]";

  GuessAhead.views.flatten = {
    tables: () => ({
      tokens: ["curve", { draft_length: k, tokens_per_step: "tokens per step" }],
      speedup: ["curve", { draft_length: k, speedup: "speedup over plain decoding [×]" }],
    }),

    wholeGuess: true,

    question: (readout) => (`At ${acceptance(readout)} and c = ${number(readout.draft_cost, 2)}, which draft length `
      + "k (γ) is fastest? (0 for not guessing)"),

    verdict({ best_draft_length: best, speedup }, { curve }, guess) {
      const there = guess === 0 ? 1 : curve.speedup[guess - 1];
      const fastest = best === 0 ? "fastest is not to guess." : best === Infinity ? "longer is always faster."
        : `the fastest is k = ${number(best, 0)}, ${number(speedup, 2)}×.`;
      return `You guessed k = ${guess}${there === undefined ? "" : `, ${number(there, 2)}×`}; ${fastest}`;
    },

    words: (readout) => ({ pays: readout.pays ? "yes" : "no", why: comparison(readout) }),

    summary(readout) {
      const ceiling = number(readout.ceiling, 2);
      const best = readout.best_draft_length;
      if (!readout.pays) {
        return `Guessing does not pay: ${comparison(readout)}, so no draft length is faster than plain decoding.`;
      }
      if (best === Infinity && readout.draft_cost > 0) {
        return "Every longer draft is faster, if the last measured rate, 100 %, carries on: the speedup climbs towards "
          + `${number(readout.speedup, 2)}×.`;
      }
      if (best === Infinity) {
        return "Drafting is free, so every longer draft is faster: the speedup climbs towards the ceiling, "
          + `${ceiling}×.`;
      }
      const start = readout.position_rates ? "At the measured rates, draft" : "Draft";
      return `${start} ${best} ${best === 1 ? "token" : "tokens"} ahead: ${number(readout.speedup, 2)}× the speed of `
        + `plain decoding, with ${number(readout.tokens_per_step, 2)} of at most ${ceiling} tokens per step`
        + (best > LONGEST ? `; beyond the plot, which ends at k = ${LONGEST}.` : ".");
    },

    // Both axes leave room for a label over the highest line.
    axes: (readout, { curve, one_rate: one }) => ({
      tokens_y: [0, 1.12 * rung(highest(
        curve.tokens_per_step, one.tokens_per_step, near(readout, curve) ? [readout.ceiling] : []))],
      speedup_y: [0, 1.12 * rung(highest(curve.speedup, one.speedup))],
    }),

    labels(readout, { curve, one_rate: one }, _, guess) {
      const { ceiling, best_draft_length: best, draft_length_95: reaching } = readout;
      const [tokens, speedup] = [number(readout.tokens_per_step, 2), number(readout.speedup, 2)];
      const best_k = number(best, 0);
      const atBest = best <= LONGEST ? [{ x: best }] : [];
      // The one rate's curve is named where it lies furthest from the other and has room on its right.
      const oneRate = (name) => {
        const away = Array.from(one[name].slice(0, 24), (y, i) => Math.abs(y - curve[name][i]));
        const i = away.indexOf(Math.max(...away));
        return i < 0 ? [] : [{
          x: one.draft_length[i], y: one[name][i], colour: "quiet", rows: 3,
          text: `one a = ${number(readout.acceptance_rate, 2)}`, short: "one a",
          sides: ["above right", "above left", "above", "below right", "below left", "below"],
        }];
      };
      return {
        tokens: {
          lines: [{ y: ceiling }, ...atBest],
          curves: [curve, one].map((of) => ({ x: of.draft_length, y: of.tokens_per_step })),
          labels: [
            ...(near(readout, curve) ? [{ x: LONGEST + 1, y: ceiling, sides: ["above left", "below left"],
              colour: "ink", text: `ceiling ${readout.position_rates ? "" : "1/(1−a) = "}${number(ceiling, 2)}`,
              short: `ceiling ${number(ceiling, 2)}` }] : []),
            ...(reaching > LONGEST ? [] : [{ x: reaching, y: readout.tokens_per_step_95, rows: 3, colour: "quiet",
              text: `95 % of the ceiling at k = ${reaching}`, short: `95 % at k = ${reaching}` }]),
            ...(!readout.pays ? [] : [bestLabel(readout, curve, "tokens_per_step", (_, arrow) => ({
              text: `k = ${best_k}${arrow} settles ${tokens}`, short: `k = ${best_k}: ${tokens}` }))]),
            ...oneRate("tokens_per_step"),
          ],
        },
        speedup: {
          lines: [{ y: 1 }, ...atBest],
          curves: [curve, one].map((of) => ({ x: of.draft_length, y: of.speedup })),
          labels: [
            bestLabel(readout, curve, "speedup", (sign) => (readout.pays
              ? { text: `best k = ${best_k}${sign} ${speedup}×, ${tokens} tokens per step`,
                short: `best k = ${best_k}${sign} ${speedup}×` }
              : { text: `${comparison(readout)}: no draft length helps`, short: "no draft length helps" })),
            ...(guess > 0 && guess <= LONGEST && guess !== best ? [{
              x: guess, y: curve.speedup[guess - 1], rows: 3, colour: "ink", bold: true,
              text: `your guess: ${number(curve.speedup[guess - 1], 2)}×`, short: "your guess",
            }] : []),
            ...oneRate("speedup"),
            { x: LONGEST + 1, y: 1, sides: ["below left", "above left"], rows: 3, colour: "loss_ink",
              text: "break-even: guessing is slower below", short: "break-even" },
          ],
        },
      };
    },
  };
}
