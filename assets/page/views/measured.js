// What the page of measured numbers says in words: the advice, the labels in its plots, how far its axes reach.
{
  const { number, rung } = GuessAhead;
  const { LONGEST, WORTH_IT } = python["model.deployment"];
  const { ANSWER } = python["labs.measured"];
  const END_ROOM = 84; // pixels for what stands at a line's end
  const roomy = (end, width) => end * width / (width - END_ROOM);
  const finite = (x, y) => {
    const kept = Array.from(y.keys()).filter((i) => Number.isFinite(y[i]));
    return { x: kept.map((i) => x[i]), y: kept.map((i) => y[i]) };
  };
  const highest = (...columns) => Math.max(
    1, ...columns.flatMap((column) => Array.from(column).filter(Number.isFinite)));

  // At the end of a curve stands what it is; there is no label for one that has no points.
  function atEnd({ x, y }, text) {
    return x.length === 0 ? [] : [{ x: x.at(-1), y: y.at(-1), column: true, text, colour: "ink" }];
  }

  // The engines' own names for the draft length, ready to copy.
  const SETTINGS = [
    [/^vllm/, (k) => `--speculative-config '{"num_speculative_tokens": ${k}, …}'`],
    [/^sglang/, (k) => (
      `--speculative-num-steps ${k} --speculative-eagle-topk 1 --speculative-num-draft-tokens ${k + 1}`)],
    [/^llamacpp/, (k) => `--spec-draft-n-max ${k}`, "(--draft-max before May 2026)"],
    [/^ik/, (k) => `--spec-type …:n_max=${k}`],
    [/^trtllm/, (k) => `max_draft_len: ${k}`],
    [/^lmdeploy/, (k) => `--speculative-num-draft-tokens ${k}`],
    [/^mlc/, (k) => `spec_draft_length=${k}`],
    [/^exllama/, (k) => `num_draft_tokens=${k}`],
  ];

  // What it would take to give advice.
  function missing({ draft_length: k, alpha }) {
    if (!Number.isFinite(k)) return "it takes one draft length k, known and the same throughout";
    if (!Number.isFinite(alpha)) return "it takes how many guesses were accepted";
    return "it takes chains of guesses whose counts agree, and a cost that can be";
  }

  function draw(name, { curve, readout }) {
    const [measured, beyond, fitted] = ["measured", "beyond", "fitted"]
      .map((kind) => finite(curve.draft_length, curve[`${name}_${kind}`]));
    const whole = Array.from(curve.draft_length, (_, i) => (
      Number.isFinite(curve[`${name}_measured`][i]) ? curve[`${name}_measured`][i] : curve[`${name}_beyond`][i]));
    const own = readout.draft_length[0];
    const bests = [
      ["measured", readout.best_measured[0], whole], ["one α", readout.best_fitted[0], curve[`${name}_fitted`]],
    ].filter(([, k, column]) => name === "speedup" && k > 0 && Number.isFinite(column[k - 1]));
    const same = bests.length === 2 && bests[0][1] === bests[1][1];
    const named = bests.slice(0, same ? 1 : 2).map(([what, k, column]) => ({
      x: k, y: column[k - 1], text: `best k = ${k}${same ? "" : `, ${what}`}: ${number(column[k - 1], 2)}×`,
      short: `best k = ${k}`, colour: "ink", bold: true,
      sides: ["above", "above right", "above left", "below", "below right", "below left"],
    }));
    return {
      curves: [measured, beyond, fitted],
      ...(name === "speedup" ? { split: 1 } : {}), // nothing is named across the break-even line
      lines: [...(name === "speedup" ? [{ y: 1 }] : []), ...(Number.isFinite(own) ? [{ x: own }] : [])],
      labels: [
        ...atEnd(beyond.x.length > 0 ? beyond : measured, "measured"),
        ...atEnd(fitted, "one α"),
        ...named,
        ...(Number.isFinite(own) && own <= LONGEST ? [{
          x: own, y: 0, text: `yours, k = ${own}`, sides: ["above right", "above left"], colour: "ink",
        }] : []),
      ],
    };
  }

  GuessAhead.views.measured = {
    tables: () => ({
      positions: ["positions", {
        position: "position in the draft", measured: "measured, share of drafts accepted so far",
        fitted: "one α for all positions, share of drafts accepted so far",
      }],
      per_step: ["curve", {
        draft_length: "draft length k (γ) [tokens]", tokens_measured: "tokens per step as measured",
        tokens_beyond: "tokens per step, last rate carried on", tokens_fitted: "tokens per step at one α",
      }],
      gain: ["curve", {
        draft_length: "draft length k (γ) [tokens]", speedup_measured: "speedup as measured [×]",
        speedup_beyond: "speedup, last rate carried on [×]", speedup_fitted: "speedup at one α [×]",
      }],
    }),

    // Whatever says what a step costs, the slider or speeds.
    cited: ({ fixed: [fixed], per_guess: [part] }) => `step cost = ${number(fixed, 2)} + ${number(part, 3)} k`,

    question: () => "", // there is nothing to predict of one's own numbers

    verdict: () => "",

    words: ({ alpha_low: low, alpha_high: high, best_measured: best, best_fitted: fitted }) => ({
      interval: Number.isFinite(low) ? `${number(low, 3)} to ${number(high, 3)}` : "no interval",
      best_measured: best === 0 ? "none" : number(best, 0),
      best_fitted: `one α: ${fitted === 0 ? "none" : number(fitted, 0)}`,
    }),

    // The advice in a sentence, with its reason.
    summary(readout) {
      const { action, draft_length: own, gain } = readout;
      const { advised_length: k, advised_speedup: then, present_speedup: now } = readout;
      const speeds = `${number(then, 2)}× instead of ${number(now, 2)}×, ${number(100 * gain, 0)} % faster`;
      const tail = Number.isFinite(readout.p99)
        ? ` At k = ${own}, half of all answers of ${ANSWER} tokens are done within ${number(readout.p50, 1)} target `
          + `passes, 99 in a hundred within ${number(readout.p99, 1)}; plain decoding takes ${ANSWER}.` : "";
      const said = {
        keep: () => `Keep k = ${own}: no other draft length is ${number(100 * WORTH_IT, 0)} % faster, at `
          + `${number(now, 2)}×.`,
        shorten: () => `Shorten k from ${own} to ${k}: ${speeds}. The last guesses cost more than they bring.`,
        lengthen: () => `Lengthen k from ${own} to ${k}: ${speeds}. One more guess still brings more than it costs, if `
          + "the acceptance measured so far carries on.",
        off: () => "Do not speculate: at this cost no draft length is faster than plain decoding, and yours runs at "
          + `${number(now, 2)}×.`,
        none: () => `No advice: ${missing(readout)}.`,
      }[action]();
      return said + tail;
    },

    setting(format) {
      const [, now, older = ""] = SETTINGS.find(([engine]) => engine.test(format ?? "")) ?? [];
      return now && { now, older };
    },

    axes(_, { positions, curve }, width) {
      const shown = Math.max(4, positions.position.length);
      const most = (name) => highest(curve[`${name}_measured`], curve[`${name}_beyond`], curve[`${name}_fitted`]);
      return {
        positions_x: [0.5, 0.5 + roomy(shown, width("positions"))],
        positions_y: [0, 1.08],
        per_step_x: [-0.5, roomy(LONGEST + 0.5, width("per_step")) - 0.5],
        per_step_y: [0, 1.12 * rung(most("tokens"))],
        gain_x: [-0.5, roomy(LONGEST + 0.5, width("gain")) - 0.5],
        gain_y: [0, 1.12 * rung(most("speedup"))],
      };
    },

    labels(_, data) {
      const { position, measured, fitted } = data.positions;
      const lines = [finite(position, measured), finite(position, fitted)];
      return {
        positions: { curves: lines, labels: [...atEnd(lines[0], "measured"), ...atEnd(lines[1], "one α")] },
        per_step: draw("tokens", data),
        gain: draw("speedup", data),
      };
    },
  };
}
