// What the peaks lab's page says in words: its summary, the labels in its plot, how far its axes reach.
{
  const { number, rung } = GuessAhead;
  const LONGEST = 32; // the last draft length drawn
  const endRoom = (width) => (width < 400 ? 130 : 155); // pixels for what stands at a curve's end
  const ASKED = 0.9; // the acceptance rate whose peak is to be predicted

  const name = (rate) => `speedup_${Math.round(100 * rate)}`;
  const rows = ({ peaks }) => Array.from(peaks.acceptance_rate, (rate, i) => ({
    rate, best: peaks.best_draft_length[i], speedup: peaks.speedup[i],
  }));
  const highest = ({ curves }, peaks) => (
    Math.max(1, ...peaks.flatMap(({ rate }) => Array.from(curves[name(rate)]))));
  const listed = (peaks) => peaks.map(({ rate }) => number(rate, 2)).join(", ");

  // At its end a curve says where it peaks; where there is room, the peak says its length too.
  const endLabel = ({ rate, best, speedup }, curves) => {
    const a = number(rate, 2);
    const [k, fast] = [number(best, 0), `${number(speedup, 2)}×`];
    return {
      x: LONGEST, y: curves[name(rate)][LONGEST], column: true, colour: "ink",
      text: best === 0 ? `${a}: no gain` : `${a}: k = ${k}, ${fast}`,
      short: best === 0 ? `${a}: –` : `${a}: ${k}, ${fast}`,
    };
  };

  GuessAhead.views.peaks = {
    tables: (data) => ({
      peaks: ["curves", {
        draft_length: "draft length k (γ) [tokens]",
        ...Object.fromEntries(rows(data).map(({ rate }) => [name(rate), `speedup at a = ${number(rate, 2)} [×]`])),
      }],
      table: ["peaks", {
        acceptance_rate: "acceptance rate a (α)", best_draft_length: "best draft length k (γ*) [tokens]",
        tokens_per_step: "tokens per step", speedup: "speedup [×]", ceiling: "ceiling [tokens per step]",
        loss_3: "share lost at k = 3", loss_5: "share lost at k = 5", loss_8: "share lost at k = 8",
        break_even_utilisation: "gains while b is under",
      }],
    }),

    words: ({ draft_cost: c, utilisation: b }) => ({
      condition: `a > ${number(c, 3)}${b > 0 ? ", b low" : ""}`,
    }),

    question: ({ draft_cost: c, utilisation: b }) => (
      `At c = ${number(c, 3)}${b > 0 ? ` and b = ${number(b, 2)}` : ""}, at which draft length k does the curve for `
      + `a = ${number(ASKED, 2)} peak? (0 for not guessing)`),

    verdict(_, data, guess) {
      const guessed = Math.round(guess);
      const there = data.curves[name(ASKED)][guessed];
      const { best, speedup } = rows(data).find(({ rate }) => rate === ASKED);
      return `You guessed k = ${guessed}${there === undefined ? "" : `, ${number(there, 2)}×`}; the curve for `
        + `${number(ASKED, 2)} ${best === Infinity ? "climbs for ever" : `peaks at k = ${number(best, 0)}, ${number(speedup, 2)}×`}.`;
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
        return `Drafting is free, so every longer draft is faster. The curves climb to their ceilings: ${each(() => "to ")}.`;
      }
      return `${where} the curves peak: ${each((k) => `at k = ${k} with `)}.`
        + (losing.length > 0 ? ` Guessing does not pay at ${listed(losing)}.` : "");
    },

    axes: (readout, data, width) => ({
      peaks_x: [-0.5, (LONGEST + 0.5) * width("peaks") / (width("peaks") - endRoom(width("peaks"))) - 0.5],
      peaks_y: [0, 1.12 * rung(highest(data, rows(data)))],
    }),

    labels(readout, data) {
      const { curves } = data;
      const all = rows(data);
      const top = 1.12 * rung(highest(data, all));
      return {
        peaks: {
          lines: [{ y: 1 }],
          curves: all.map(({ rate }) => ({ x: curves.draft_length, y: curves[name(rate)] })),
          labels: [
            ...all.map((peak) => endLabel(peak, curves)),
            { x: LONGEST, y: 1, column: true, drop: 10, colour: "loss_ink", text: "break-even" }, // beneath its line
            ...all.filter(({ best }) => best > 0 && best <= LONGEST).reverse().map(({ best, speedup }) => ({
              x: best, y: speedup, text: number(best, 0), colour: "ink", bold: true, optional: true,
              sides: ["above", "above right", "right", "below", "left"],
            })),
            ...(readout.rule_holds ? [{
              x: 8, y: Math.min(6, top), sides: ["below right", "below left"], rows: 2, colour: "quiet", optional: true,
              text: "rule of thumb: 2–6×", short: "rule: 2–6×",
            }] : []),
          ],
        },
      };
    },
  };
}
