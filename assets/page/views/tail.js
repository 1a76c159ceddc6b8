// What the sections below the burst lab say in words, name in their plots, and how far their axes reach. Each speaks
// from its own sources alone, which may follow the sliders a little later than the page's first view.
{
  const { number, rung } = GuessAhead;
  const last = (values) => values[values.length - 1];
  const highest = (...columns) => Math.max(...columns.flatMap((column) => Array.from(column)));
  // No run is sure to meet a burst past the p99, however near 1 a double comes.
  const unsure = (chance) => Math.min(chance, 1 - 2 ** -53);
  const tokens = (n) => `${n} ${n === 1 ? "token" : "tokens"}`;
  // Of a chance nearly all is not all, and hardly any is not none.
  const percent = (share, digits) => {
    const least = 10 ** -digits;
    if (share < 1 && 100 * share > 100 - least) return `more than ${number(100 - least, digits)} %`;
    if (share > 0 && 100 * share < least) return `less than ${number(least, digits)} %`;
    return `${number(100 * share, digits)} %`;
  };
  const { LONGEST_BURST, LONGEST_DRAFT, SAMPLE } = python["labs.burst.tail"];
  const END_ROOM = 116; // pixels for what stands at a line's end
  const roomy = (end, width) => end * width / (width - END_ROOM); // an axis that leaves it free

  // A time in passes and, where a pass has been given its milliseconds, in seconds.
  const time = (passes, ms) => `${number(passes, 1)} passes${ms > 0 ? ` (${number(passes * ms / 1000, 2)} s)` : ""}`;

  const QUANTILE_NAMES = { p50: "p50", p90: "p90", p99: "p99", p999: "p99.9" };
  const GOALS = { mean: "mean", p50: "p50", p99: "p99", timeout: "timeout" };
  const at = (table, row) => Object.fromEntries(Object.entries(table).map(([name, column]) => [name, column[row]]));
  const curves = (source, x, columns) => columns.map((name) => ({ x: source[x], y: source[name] }));
  const atEnd = (source, x, columns) => Object.entries(columns).map(([name, text]) => ({
    x: last(source[x]), y: last(source[name]), column: true, text, colour: "ink",
  }));
  const beside = (x, y, text) => ({ x, y, text, sides: ["below right", "below left"], rows: 4, colour: "ink" });

  // The draft lengths that are best: one, or how many share the least time and where the last of them lies.
  function bestOf({ best, ties, last: longest }) {
    if (ties === 1) return `k = ${best}`;
    return ties === 2 ? `k = ${best} and ${longest}` : `k = ${best} and ${ties - 1} more up to ${longest}`;
  }

  const lengths = {
    tables: {
      lengths: ["lengths", {
        burst_length: "burst length [tokens]", p50: "p50 [target passes]", p90: "p90 [target passes]",
        p99: "p99 [target passes]", p999: "p99.9 [target passes]", ratio: "p99 / p50",
        speedup_p50: "speedup at p50 [×]", speedup_p90: "speedup at p90 [×]", speedup_p99: "speedup at p99 [×]",
        speedup_p999: "speedup at p99.9 [×]",
      }],
      ratio: ["lengths", { burst_length: "burst length [tokens]", ratio: "p99 / p50" }],
    },
    settings: "a q k c n d s",

    says({ lengths_at: table }, ms) {
      const [yours, longest] = [at(table, 4), at(table, 3)];
      return `Of bursts of ${tokens(yours.burst_length)}, 99 in a hundred finish within ${time(yours.p99, ms)}, `
        + `${number(yours.ratio, 2)} times the median of ${time(yours.p50, ms)}. At ${LONGEST_BURST} tokens the p99 is `
        + `${number(longest.ratio, 2)} times the median.`;
    },

    axes: (_, { lengths: all }, width) => ({
      lengths_x: [0, roomy(LONGEST_BURST, width("lengths"))],
      lengths_y: [0, 1.12 * rung(highest(all.speedup_p50))],
      ratio_x: [0, LONGEST_BURST],
      ratio_y: [0.9, 1.12 * rung(highest(all.ratio))],
    }),

    labels(_, { lengths: all, lengths_at: table }) {
      const { burst_length: n, ratio } = at(table, 4);
      const names = Object.keys(QUANTILE_NAMES).map((name) => `speedup_${name}`);
      return {
        lengths: {
          curves: curves(all, "burst_length", names),
          lines: [{ y: 1 }, { x: n }],
          split: 1,
          labels: [
            ...atEnd(all, "burst_length", Object.fromEntries(
              Object.entries(QUANTILE_NAMES).map(([name, text]) => [
                `speedup_${name}`, `${text} ${number(last(all[`speedup_${name}`]), 2)}×`]))),
            { x: n, y: 0, text: `n = ${n}`, sides: ["above right", "above left"], colour: "ink" },
            { x: LONGEST_BURST, y: 1, column: true, text: "break-even", colour: "loss_ink" },
          ],
        },
        ratio: {
          curves: curves(all, "burst_length", ["ratio"]),
          lines: [{ x: n }],
          labels: [{ x: n, y: ratio, text: `n = ${n}: ${number(ratio, 2)}`, colour: "ink" }],
        },
      };
    },
  };

  const run = {
    tables: { run: ["run_curve", {
      finish_time: "time [target passes]", past: "chance that some burst of a run takes longer",
    }] },
    settings: "a q k c n run d s",

    says({ run: table }, ms) {
      const of = at(table, 0);
      if (of.run_length === 1) {
        return `A run of one burst is that burst: 99 in a hundred finish within ${time(of.p99, ms)}, its p99 and its `
          + `timeout; ${percent(of.chance_past_p99, 1)} take longer.`;
      }
      return `A timeout of ${time(of.timeout_99, ms)} per burst is what 99 in a hundred runs of `
        + `${number(of.run_length, 0)} bursts survive whole. At the p99 of a single burst, ${time(of.p99, ms)}, `
        + `${percent(unsure(of.chance_past_p99), 1)} of runs have a burst cut short. On average `
        + `${number(of.past_p99, 2)} of its bursts take longer and ${number(of.at_or_past_p99, 2)} end there or later; `
        + `N/100 = ${number(of.expected, 2)} lies between, since times are whole steps and many bursts share one.`;
    },

    axes(_, { run_curve: curve, run: table }) {
      const seen = Array.from(curve.finish_time).filter((_time, i) => curve.past[i] > 0.001);
      return {
        run_x: [0, 1.06 * rung(highest(seen, table.timeout_999))],
        run_y: [0, 1.08],
      };
    },

    labels(_, { run_curve: curve, run: table }) {
      const { p99, timeout_99: timeout, chance_past_p99: past } = at(table, 0);
      return { run: {
        curves: curves(curve, "finish_time", ["past"]),
        lines: [{ x: p99 }, { x: timeout }],
        labels: [
          {
            ...beside(p99, 1.05, `p99 ${number(p99, 1)}: ${percent(unsure(past), 1)}`),
            sides: ["below left", "below right"],
          },
          {
            ...beside(timeout, 1.05, `timeout ${number(timeout, 1)}: 1 % at most`),
            short: `timeout ${number(timeout, 1)}`,
          },
        ],
      } };
    },
  };

  // Where even the best draft lengths lose against plain decoding.
  function losing(mean, p99, timeout, ms) {
    const plain = `plain decoding’s ${time(mean.plain, ms)}`;
    if (mean.time >= mean.plain) {
      return `No draft length is faster than ${plain}: the best takes ${time(mean.time, ms)} on average. `;
    }
    if (p99.time > p99.plain) {
      return `At every draft length more than one burst in a hundred takes longer than ${plain}. `;
    }
    return timeout.time > timeout.plain ? `At every draft length the timeout is longer than ${plain}. ` : "";
  }

  const draft_lengths = {
    tables: {
      draft_lengths: ["draft_lengths", {
        draft_length: "draft length k (γ) [tokens]", mean: "mean [target passes]", p50: "p50 [target passes]",
        p99: "p99 [target passes]", timeout: "timeout that 99 % of runs survive [target passes]",
      }],
    },
    settings: "a q c n run d",

    says({ draft_lengths_best: best }, ms) {
      const [mean, p50, p99, timeout] = [0, 1, 2, 3].map((row) => at(best, row));
      const costs = timeout.loss === 0 ? "Whoever tunes for the mean has the best timeout, too"
        : `Whoever tunes for the mean, k = ${mean.best}, needs a timeout of ${time(timeout.mean_choice, ms)} instead `
          + `of ${time(timeout.time, ms)}, ${timeout.loss < 0.01 ? "less than 1" : number(100 * timeout.loss, 0)} % `
          + "longer";
      return `${losing(mean, p99, timeout, ms)}Best for the mean is ${bestOf(mean)}, for the median ${bestOf(p50)}, `
        + `for the p99 ${bestOf(p99)}, for the timeout of a run ${bestOf(timeout)}. ${costs}.`;
    },

    words({ draft_lengths_best: best }) {
      return Object.fromEntries(Object.keys(GOALS).map((goal, row) => [`best_${goal}`, bestOf(at(best, row))]));
    },

    axes: (_, { draft_lengths: all }, width) => ({
      draft_lengths_x: [0, roomy(LONGEST_DRAFT, width("draft_lengths"))],
      draft_lengths_y: [0, 1.06 * rung(highest(all.timeout))],
    }),

    labels({ burst_length: n }, { draft_lengths: all, draft_lengths_best: best }) {
      return { draft_lengths: {
        curves: curves(all, "draft_length", Object.keys(GOALS)),
        lines: [{ y: n }],
        split: n,
        labels: [
          ...atEnd(all, "draft_length", GOALS),
          ...Object.keys(GOALS).map((_goal, row) => ({
            x: best.best[row], y: best.time[row], text: `k = ${best.best[row]}`, colour: "ink", bold: true,
            optional: true, sides: ["below", "below right", "below left", "above"],
          })),
          { x: LONGEST_DRAFT, y: n, column: true, text: "plain decoding", colour: "loss_ink" },
        ],
      } };
    },
  };

  const varying = {
    tables: { varying: ["varying", {
      finish_time: "finish time [target passes]", constant: "chance with the same acceptance throughout",
      varying: "chance with acceptance varying as set",
    }] },
    settings: "a q k c n d s",

    says({ varying_at: table, varying_rates: rates }, _, readout) {
      const { mean, deviation, at_zero: none, at_one: all } = at(rates, 0);
      const ratios = (name) => Array.from(table[`${name}_ratio`], (ratio) => number(ratio, 2)).join(", ");
      const clipped = [[none, "0"], [all, "1"]].filter(([share]) => share > 0 && share < 1)
        .map(([share, end]) => `${percent(share, 0)} of bursts at exactly ${end}`).join(" and ");
      const [each, all_of] = readout.position_rates
        ? ["Every first guess", "First guesses"] : ["Every burst", "Bursts"];
      const rate = deviation === 0 ? `${each} has an acceptance rate of ${number(mean, 2)}`
        : `${all_of} have acceptance rates of ${number(mean, 2)} ± ${number(deviation, 2)} (mean and standard deviation`
          + `${clipped ? `, what clipping to 0–1 leaves, with ${clipped}` : ""})`;
      return `${rate}. p99/p50 at 40, 100 and 200 tokens: ${ratios("varying")}; `
        + `${readout.position_rates ? "without decay and spread" : "with the same acceptance throughout"}: `
        + `${ratios("constant")}.`;
    },

    axes(_, { varying: all }) {
      const seen = Array.from(all.finish_time).filter((_time, i) => all.varying[i] > 5e-4 || all.constant[i] > 5e-4);
      return {
        varying_x: [0, 1.06 * rung(highest(seen))],
        varying_y: [0, 1.12 * rung(100 * highest(all.varying, all.constant)) / 100],
      };
    },

    labels: () => ({}),
  };

  const sample = {
    tables: { sample: ["sample", {
      finish_time: "p99 shown [target passes]", chance: `chance that ${SAMPLE} bursts show it`,
    }] },
    settings: "a q k c n d s",

    says({ sample: all, sample_band: band }, ms) {
      const { low, high, exact, likeliest } = at(band, 0);
      const right = Array.from(all.finish_time).indexOf(exact);
      const within = low === high ? `19 in 20 show ${time(low, ms)}`
        : `19 in 20 show a p99 from ${time(low, ms)} to ${time(high, ms)}`;
      return `The exact p99 is ${time(exact, ms)}. Of samples of ${number(SAMPLE, 0)} bursts, ${percent(all.chance[right], 0)} `
        + `show just that; ${within}${likeliest === exact ? "" : `, and most often ${time(likeliest, ms)}`}.`;
    },

    axes(_, { sample: all }) {
      const seen = Array.from(all.finish_time).filter((_time, i) => all.chance[i] > 0.001);
      const top = 1.12 * rung(100 * highest(all.chance)) / 100;
      const step = (all.right[0] - all.left[0]) / 0.9; // what a bar leaves free on either side
      return { sample_x: [Math.max(0, Math.min(...seen) - 4 * step), highest(seen) + 4 * step], sample_y: [0, top] };
    },

    labels(_, { sample: all, sample_band: band }) {
      const seen = Array.from(all.chance).map((chance, i) => [chance, i]).filter(([chance]) => chance > 0.001);
      return { sample: {
        lines: [{ x: band.exact[0] }],
        bars: { ...all, height: all.chance },
        labels: seen.map(([chance, i]) => ({
          x: all.finish_time[i], y: chance, text: `${number(all.finish_time[i], 1)}: ${percent(chance, 1)}`,
          sides: ["above", "above right", "above left"], colour: "ink", optional: true,
        })),
      } };
    },
  };

  // What a pass takes makes times seconds, and a speed tokens per second.
  const seconds = {
    says(_, ms, { burst_length: n, exact_p50: p50, exact_p99: p99, position_rates: rates }) {
      if (ms === 0) return "Not given: times stay in target passes.";
      const speed = (passes) => (
        `${number(passes * ms / 1000, 2)} s, ${number(n / passes * 1000 / ms, 1)} tokens per second`);
      return `At ${ms} ms a pass, a burst of ${n} takes plain decoding ${speed(n)}; `
        + `${rates ? "at the measured rates" : "with the same acceptance throughout"} half of the bursts take at most `
        + `${speed(p50)}; 99 in a hundred at most ${speed(p99)}.`;
    },
  };

  GuessAhead.views.burst.sections = { lengths, run, draft_lengths, varying, sample, seconds };
}
