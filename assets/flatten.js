// What the flatten lab's page says in words: its summary, the labels in its plots, how far its axes reach.
GuessAhead.views.flatten = {
  words(readout) {
    const { number } = GuessAhead;
    const [a, c] = [number(readout.acceptance_rate, 2), number(readout.draft_cost, 2)];
    return { pays: readout.pays ? "yes" : "no", why: readout.pays ? `a ${a} > c ${c}` : `a ${a} ≤ c ${c}` };
  },

  summary(readout) {
    const { number } = GuessAhead;
    const { words } = GuessAhead.views.flatten;
    const ceiling = number(readout.ceiling, 2);
    if (!readout.pays) {
      return `Guessing does not pay: ${words(readout).why}, so no draft length is faster than plain decoding.`;
    }
    const best = readout.best_draft_length;
    if (best === Infinity) {
      return `Drafting is free, so every longer draft is faster: the speedup climbs towards the ceiling, ${ceiling}×.`;
    }
    return `Draft ${best} ${best === 1 ? "token" : "tokens"} ahead: ${number(readout.speedup, 2)}× the speed of plain `
      + `decoding, with ${number(readout.tokens_per_step, 2)} of at most ${ceiling} tokens per step.`
      + (best > 32 ? ` That lies beyond the plot, which ends at k = 32.` : "");
  },

  // A number is drawn where its axis can hold it: 1.12 leaves room for the label over the highest line.
  axes(readout, { curve }) {
    const highest = Math.max(...curve.speedup, 1);
    return {
      tokens_y: [0, 1.12 * GuessAhead.rung(readout.ceiling)],
      speedup_y: [0, 1.12 * GuessAhead.rung(highest)],
    };
  },

  labels(readout, { curve }) {
    const { number } = GuessAhead;
    const { acceptance_rate: a, draft_cost: c, best_draft_length: best } = readout;
    const [tokens, speedup] = [number(readout.tokens_per_step, 2), number(readout.speedup, 2)];
    const last = curve.draft_length.length - 1;
    const inside = best <= curve.draft_length[last];
    const at = inside ? best : curve.draft_length[last];
    const k = best === Infinity ? "∞" : best;
    const beyond = (name) => ({
      x: at, y: curve[name][last], sides: ["above left", "below left"], colour: "curve", bold: true,
    });
    const point = (name) => (inside ? { x: best, y: readout[name], colour: "curve", bold: true } : beyond(name));
    return {
      tokens: {
        lines: [{ y: readout.ceiling }, ...(inside ? [{ x: best }] : [])],
        curves: [{ x: curve.draft_length, y: curve.tokens_per_step }],
        labels: [
          { x: 33, y: readout.ceiling, sides: ["above left", "below left"],
            text: `ceiling 1/(1−a) = ${number(readout.ceiling, 2)}`, colour: "ink" },
          { ...point("tokens_per_step"),
            text: inside ? `k = ${k} settles ${tokens}` : `best k = ${k} → settles ${tokens}` },
          ...(readout.draft_length_95 <= 32 ? [{ x: readout.draft_length_95, y: readout.tokens_per_step_95,
            text: `95 % of the ceiling at k = ${readout.draft_length_95}`,
            short: `95 % at k = ${readout.draft_length_95}`, colour: "quiet" }] : []),
        ],
      },
      speedup: {
        lines: [{ y: 1 }, ...(inside ? [{ x: best }] : [])],
        curves: [{ x: curve.draft_length, y: curve.speedup }],
        labels: [
          { ...point("speedup"), text: readout.pays
            ? `best k = ${k}${inside ? ":" : " →"} ${speedup}×, ${tokens} tokens per step`
            : `a ${number(a, 2)} ≤ c ${number(c, 2)}: no draft length helps`,
            short: readout.pays ? `best k = ${k}${inside ? ":" : " →"} ${speedup}×` : "no draft length helps" },
          { x: 33, y: 1, sides: ["below left", "above left"], text: "break-even", colour: "loss_ink" },
          { x: at > 16 ? -0.5 : 33, y: 0, sides: ["above right", "above left"], text: "slower than plain decoding",
            colour: "loss_ink" },
        ],
      },
    };
  },
};
