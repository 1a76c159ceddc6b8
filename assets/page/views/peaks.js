// What the peaks lab's page says in words: its summary, the labels in its plot, how far its axes reach.
{
  const { number, rung } = GuessAhead;
  const { FIXED_LENGTHS, LONGEST, RULE_OF_THUMB } = python["labs.peaks"];
  const [, [, rule_end], , [rule_low, rule_high]] = RULE_OF_THUMB; // its box
  const endRoom = (width) => (width < 400 ? 130 : 155); // pixels for what stands at a curve's end
  const ASKED = 0.9; // the acceptance rate whose peak is to be predicted

  const name = (rate) => `speedup_${Math.round(100 * rate)}`;
  const rows = ({ peaks }) => Array.from(peaks.acceptance_rate, (rate, i) => ({
    rate, best: peaks.best_draft_length[i], speedup: peaks.speedup[i],
  }));
  const highest = ({ curves }, peaks) => (
    Math.max(1, ...peaks.flatMap(({ rate }) => Array.from(curves[name(rate)]))));
  const listed = (peaks) => peaks.map(({ rate }) => number(rate, 2)).join(", ");

  // At its end a curve says where it peaks; the mark at the peak has its length.
  const endLabel = ({ rate, best, speedup }, curves, long) => {
    const k = `${long ? "k = " : ""}${number(best, 0)}`;
    return {
      x: LONGEST, y: curves[name(rate)][LONGEST], column: true, colour: "ink",
      text: `${number(rate, 2)}: ${best === 0 ? "no gain" : `${k}, ${number(speedup, 2)}×`}`,
    };
  };
  const peakLabel = ({ best, speedup }) => ({
    x: best, y: speedup, inside: true, text: number(best, 0), colour: "ink", bold: true,
  });

  GuessAhead.views.peaks = {
    tables: (data) => ({
      peaks: ["curves", {
        draft_length: "draft length k (γ) [tokens]",
        ...Object.fromEntries(rows(data).map(({ rate }) => [name(rate), `speedup at a = ${number(rate, 2)} [×]`])),
      }],
      table: ["peaks", {
        acceptance_rate: "acceptance rate a (α)", best_draft_length: "best draft length k (γ*) [tokens]",
        tokens_per_step: "tokens per step", speedup: "speedup [×]", ceiling: "ceiling [tokens per step]",
        ...Object.fromEntries(FIXED_LENGTHS.map((k) => [`loss_${k}`, `share lost at k = ${k}`])),
        break_even_utilisation: "gains while b is under",
      }],
    }),

    words: ({ draft_cost: c, utilisation: b, paying, top_rate: a, top_draft_length: k }) => ({
      top: paying ? `a = ${number(a, 2)}, k = ${number(k, 0)}` : "nothing gains",
      condition: `a > ${number(c + Math.max(0, 2 * b - 1), 3)}`,
    }),

    wholeGuess: true,

    question: ({ draft_cost: c, utilisation: b }) => (
      `At c = ${number(c, 3)}${b > 0 ? ` and b = ${number(b, 2)}` : ""}, at which draft length k (γ) does the curve `
      + `for a = ${number(ASKED, 2)} peak? (0 for not guessing)`),

    verdict(_, data, guess) {
      const there = data.curves[name(ASKED)][guess];
      const { best, speedup } = rows(data).find(({ rate }) => rate === ASKED);
      const peak = best === 0 ? "never gains" : best === Infinity ? "climbs for ever"
        : `peaks at k = ${number(best, 0)}, ${number(speedup, 2)}×`;
      return `You guessed k = ${guess}${there === undefined ? "" : `, ${number(there, 2)}×`}; the curve for `
        + `${number(ASKED, 2)} ${peak}.`;
    },

    summary({ draft_cost: c, utilisation: b }, data) {
      const all = rows(data);
      const gaining = all.filter(({ best }) => best > 0);
      const losing = all.filter(({ best }) => best === 0);
      const where = `At c = ${number(c, 3)}${b > 0 ? ` and b = ${number(b, 2)}` : ""}`;
      const each = (words) => gaining.map(({ rate, best, speedup }) => (
        `${number(rate, 2)} ${words(number(best, 0))}${number(speedup, 2)}×`)).join(", ");
      if (gaining.length === 0) return `${where} no draft length is faster than plain decoding, at any of these rates.`;
      if (gaining[0].best === Infinity) {
        return "Drafting is free, so every longer draft is faster. The curves climb to their ceilings: "
          + `${each(() => "to ")}.`;
      }
      return `${where} the curves peak: ${each((k) => `at k = ${k} with `)}.`
        + (losing.length > 0 ? ` Guessing does not pay at ${listed(losing)}.` : "");
    },

    // The box of the rule of thumb, where it holds, is seen whole.
    axes: (readout, data, width) => ({
      peaks_x: [-0.5, (LONGEST + 0.5) * width("peaks") / (width("peaks") - endRoom(width("peaks"))) - 0.5],
      peaks_y: [0, Math.max(1.12 * rung(highest(data, rows(data))), 1.2 * readout.rule_holds * rule_high)],
    }),

    labels(readout, data, width, guess) {
      const { curves } = data;
      const all = rows(data);
      const asked = curves[name(ASKED)];
      return {
        peaks: {
          lines: [{ y: 1 }],
          split: 1, // nothing is named across the break-even line
          curves: all.map(({ rate }) => ({ x: curves.draft_length, y: curves[name(rate)] })),
          labels: [
            ...all.map((peak) => endLabel(peak, curves, endRoom(width("peaks")) > 140)),
            ...all.filter(({ best }) => best <= LONGEST).map(peakLabel),
            { x: LONGEST, y: 1, column: true, colour: "loss_ink", text: "break-even" },
            ...(asked[guess] === undefined ? [] : [{
              x: guess, y: asked[guess], colour: "ink", bold: true, text: `your guess: ${number(asked[guess], 2)}×`,
              short: "your guess",
            }]),
            ...(readout.rule_holds ? [{
              x: rule_end, y: rule_high, sides: ["below right", "above right"], colour: "quiet", optional: true,
              text: `rule of thumb: ${rule_low}–${rule_high}×`, short: `rule: ${rule_low}–${rule_high}×`,
            }] : []),
          ],
        },
      };
    },
  };
}
