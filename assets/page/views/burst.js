// What the burst lab's page says in words: its summary, the labels in its plots, how far its axes reach.
{
  const { number, rung, acceptance, first } = GuessAhead;
  const { BURSTS, LONGEST_DRAFT } = python["labs.burst"];
  const { LONGEST_BURST } = python["labs.burst.tail"];
  const ROW_END = 92; // pixels for what stands at the end of a row, "+33 → 429"
  const LABELLED_ROWS = 20; // more are too close for text

  // How far the histogram reaches: a timeout far out does not crush the bars.
  function farthest({ burst_length: n }, { histogram, run }) {
    const latest = Math.max(n, ...histogram.right.filter((_, i) => histogram.bursts[i] > 0));
    return 1.06 * rung(Math.min(Math.max(latest, ...run.timeout_99), 2 * latest));
  }
  const highest = ({ bursts, exact }) => 1.12 * rung(Math.max(...bursts, ...exact));

  GuessAhead.views.burst = {
    settings: "a q k c n seed drawn", // keys that its plots depend on, each section having its own
    marks: "run", // the section whose timeout stands in the histogram while it is open

    tables: () => ({
      trace: ["trace", {
        step: "step", accepted: "guesses accepted [tokens]", settled: "settled [tokens]",
        total: "settled so far [tokens]",
      }],
      histogram: ["histogram", {
        finish_time: "finish time [target passes]", bursts: `bursts of ${BURSTS}`,
        exact: `bursts of ${BURSTS} expected exactly`,
      }],
    }),

    question: (readout) => (
      `Plain decoding takes ${readout.burst_length} target passes. At ${acceptance(readout)}, k (γ) = `
      + `${readout.draft_length}, c = ${number(readout.draft_cost, 2)}: within how many do 99 in a hundred bursts `
      + "finish?"),

    verdict(_, { histogram }, guess) {
      const late = histogram.bursts.reduce((sum, count, i) => sum + (histogram.finish_time[i] > guess ? count : 0), 0);
      return `You guessed ${guess} passes: ${late} of the ${number(BURSTS, 0)} bursts take longer.`;
    },

    words: (readout) => ({
      rejection: `1 − ${readout.position_rates ? "a₁" : "a"} = ${number(100 * (1 - first(readout)), 0)} %`,
    }),

    summary(readout) {
      const { burst_length: n, p50, p99, speedup_p50: speedup, burst_steps: steps } = readout;
      const times = number(1 / speedup, 2);
      const slower = times === "1.00" ? "a little slower than" : `${times}× slower than`;
      const against = speedup < 1 ? slower : `${number(speedup, 2)}× as fast as`;
      return `Half of the bursts finish within ${number(p50, 1)} target passes, ${against} plain decoding's ${n}; `
        + `99 in a hundred within ${number(p99, 1)}. The burst drawn, number ${readout.burst}, settles its `
        + `${n} ${n === 1 ? "token" : "tokens"} in ${steps} ${steps === 1 ? "step" : "steps"}, `
        + `${number(readout.burst_time, 1)} target passes.`;
    },

    axes(readout, { trace, histogram, run }, width) {
      const cells = Math.min(LONGEST_DRAFT, rung(readout.draft_length)) + 1;
      const rows = Math.max(10, rung(trace.step.length));
      return {
        trace_x: [0, cells * width("trace") / (width("trace") - ROW_END)],
        trace_y: [Math.min(LONGEST_BURST, rows) + 0.5, 0.5],
        histogram_x: [0, farthest(readout, { histogram, run })],
        histogram_y: [0, highest(histogram)],
      };
    },

    labels(readout, { trace, histogram, run }, _, guess) {
      const { p50, p99, burst_length: n, draft_length: k } = readout;
      const beside = (x, text, more) => ({
        x, y: highest(histogram), text, sides: ["below right", "below left"], rows: 4, colour: "ink", ...more,
      });
      const quantiles = p50 === p99 ? [beside(p50, `p50 = p99 ${number(p50, 1)}`)] : [
        beside(p50, `p50 ${number(p50, 1)}`, { sides: ["below left", "below right"] }),
        beside(p99, `p99 ${number(p99, 1)}`),
      ];
      const end = farthest(readout, { histogram, run });
      const rows = trace.step.length > LABELLED_ROWS ? [] : Array.from(trace.step);
      return {
        trace: {
          labels: rows.map((step, i) => ({
            x: k + 1, y: step, sides: ["right"], text: `+${trace.settled[i]} → ${trace.total[i]}`, colour: "quiet",
          })),
        },
        histogram: {
          lines: [p50, p99, n, ...run.timeout_99].map((x) => ({ x })),
          bars: { left: histogram.left, right: histogram.right, height: histogram.bursts },
          labels: [
            ...quantiles,
            ...Array.from(run.timeout_99, (timeout) => (timeout > end
              ? beside(end, `timeout ${number(timeout, 1)} →`, { sides: ["below left"] })
              : beside(timeout, `timeout ${number(timeout, 1)}`))),
            ...(guess === null ? [] : [beside(guess, `your guess ${guess}`, { bold: true })]),
            beside(n, `plain decoding ${n}`, { short: `plain ${n}`, colour: "loss_ink" }),
          ],
        },
      };
    },
  };
}
