// What the burst lab's page says in words: its summary, the labels in its plots, how far its axes reach.
GuessAhead.views.burst = (() => {
const ROW_END = 76; // pixels for what stands at the end of a row, "+11 → 400"
const highest = ({ bursts, exact }) => 1.12 * GuessAhead.rung(Math.max(...bursts, ...exact));

return {
  words: (readout) => ({ rejection: GuessAhead.number(100 * (1 - readout.acceptance_rate), 0) }),

  summary(readout) {
    const { number } = GuessAhead;
    const { burst_length: n, p50, p99, speedup_p50: speedup } = readout;
    const against = speedup > 1 ? `${number(speedup, 2)}× faster` : `no faster`;
    return `Half of the bursts finish within ${number(p50, 1)} target passes, ${against} than plain decoding's ${n}. `
      + `One in a hundred takes ${number(p99, 1)} or more. The burst drawn, number ${readout.burst}, settles its `
      + `${n} ${n === 1 ? "token" : "tokens"} in ${readout.burst_steps} steps, ${number(readout.burst_time, 1)} passes.`;
  },

  axes(readout, { trace, histogram }, width) {
    const { finish_time: times, bursts } = histogram;
    const latest = Math.max(readout.burst_length, ...Array.from(times).filter((_, i) => bursts[i] > 0));
    const cells = Math.min(32, GuessAhead.rung(readout.draft_length)) + 1;
    const rows = Math.max(10, GuessAhead.rung(trace.step.length));
    return {
      trace_x: [0, cells * width("trace") / (width("trace") - ROW_END)],
      trace_y: [Math.min(400, rows) + 0.5, 0.5],
      histogram_x: [0, 1.06 * GuessAhead.rung(latest)],
      histogram_y: [0, highest(histogram)],
    };
  },

  labels(readout, { trace, histogram }) {
    const { number } = GuessAhead;
    const rows = trace.step.length <= 20 ? Array.from(trace.step) : [];
    const { p50, p99, burst_length: n } = readout;
    const top = highest(histogram);
    const beside = (x, text, more) => ({ x, y: top, text, sides: ["below right", "below left"], rows: 4, ...more });
    return {
      trace: {
        labels: rows.map((step, i) => ({
          x: readout.draft_length + 1, y: step, sides: ["right"], text: `+${trace.settled[i]} → ${trace.total[i]}`,
          colour: "quiet",
        })),
      },
      histogram: {
        lines: [{ x: p50 }, { x: p99 }, { x: n }],
        curves: [{ x: histogram.finish_time, y: histogram.bursts }],
        labels: [
          ...(p50 === p99 ? [beside(p50, `p50 = p99 ${number(p50, 1)}`, { colour: "ink" })] : [
            beside(p50, `p50 ${number(p50, 1)}`, { colour: "ink", sides: ["below left", "below right"] }),
            beside(p99, `p99 ${number(p99, 1)}`, { colour: "ink" }),
          ]),
          beside(n, `plain decoding ${n}`, { colour: "loss_ink" }),
        ],
      },
    };
  },
};
})();
