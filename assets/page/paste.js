// The paste box: a text is read in this page, line by line and in pieces so that nothing hangs, and never as markup.
// Its reading and the cost of a step are what the lab's columns are computed from.
GuessAhead.paste = (() => {
  const { engines: { logs, reading: { measure, said } }, measured_columns: columns } = GuessAhead;
  const { deployment, steps, number, parsed } = GuessAhead;
  const { LONGEST_DRAFT } = python["labs.burst"];
  const { MOST_RATES } = python["labs.state"];
  const SHOWN = 20000; // characters of a long paste that the box keeps: a text field crawls under megabytes
  const PIECE = 30; // milliseconds of reading, before the page has its turn

  let measured;
  let cost = null; // { fixed, per_guess } where speeds tell it
  function computed(draft_cost) {
    measured ??= measure(document.getElementById("paste").value);
    return columns.columns(measured, cost?.fixed ?? 1, cost?.per_guess ?? draft_cost);
  }
  GuessAhead.columns = { ...GuessAhead.columns, measured: computed };

  return ({ find, numbers, recompute, view, cite }) => {
    const element = (id) => document.getElementById(id);
    const [box, result, warnings, told] = ["paste", "recognised", "warnings", "cost"].map(element);
    const fields = ["plain_speed", "own_speed", "other_length", "other_speed"].map(element);
    const examples = [...document.querySelectorAll("[data-example]")];

    // ---- the text ----

    let reading;
    function read(text) {
      clearTimeout(reading);
      const lines = logs.lines(text);
      const reader = new logs.Reader();
      let next = 0;
      const proceed = () => {
        for (const stop = performance.now() + PIECE; next < lines.length && performance.now() < stop;) {
          for (const end = Math.min(lines.length, next + 500); next < end; next += 1) reader.take(lines[next]);
        }
        if (next < lines.length) {
          result.textContent = `Reading: ${number(100 * next / lines.length, 0)} %`;
          reading = setTimeout(proceed);
          return;
        }
        measured = said(reader.found, text);
        weigh();
      };
      proceed();
    }

    let rest = ""; // of a long text: it is read, and the box's last line stands for it
    const more = () => (rest === "" ? "" : `\n… and ${rest.length} characters more, all read.`);

    function take(text) {
      rest = text.slice(SHOWN);
      box.value = text.slice(0, SHOWN) + more();
      read(text);
    }

    function edited() {
      if (rest === "" || !box.value.endsWith(more())) take(box.value);
      else read(box.value.slice(0, -more().length) + rest);
    }

    // ---- the cost of a step ----

    const speeds = () => fields.map(({ value }) => (value.trim() === "" ? null : parsed(value.trim()) ?? NaN));
    const rate = () => {
      const rates = columns.measured_rates(measured);
      return rates.length > 0 ? rates : columns.fitted_rate(measured);
    };

    // What the speeds say of the cost, in words, and the cost if it can be.
    function worked_out() {
      const given = speeds();
      const [plain, own, length, other] = given;
      const { draft_length: k, tokens_per_step: tokens } = measured;
      if (given.every((value) => value === null)) return ["", null];
      if (given.some((value) => value !== null && !(value > 0))) {
        return ["Speeds, and k, are numbers above 0, written like 161.99.", null];
      }
      if (plain === null || own === null) return ["It takes two speeds: without speculation and with it.", null];
      if (k === null || tokens === null) {
        return ["The paste does not tell k and tokens per step, so speeds tell no cost.", null];
      }
      const faster = (speed) => (element("unit").value === "tokens" ? speed / plain : plain / speed);
      const step = deployment.step_cost_of(tokens, faster(own));
      const words = `${number(faster(own), 2)}× at k = ${k}: a step costs ${number(tokens, 2)} / `
        + `${number(faster(own), 2)} = ${number(step, 2)} target passes`;
      if (length !== null && other !== null) {
        if (!Number.isInteger(length) || length > 1000 || length === k) {
          return [`Another k is a whole number up to 1000 that is not ${k}.`, null];
        }
        const there = deployment.step_cost_of(steps.tokens_per_step(rate(), length), faster(other));
        const [fixed, part] = deployment.fitted_cost([k, length], [step, there]);
        return [`${words}. With k = ${length}, a fixed part of ${number(fixed, 3)} and ${number(part, 3)} per guess.`,
          { fixed, per_guess: part }];
      }
      const part = deployment.cost_per_guess(step, k);
      const missing = length === null && other === null ? "" : " Another k takes its speed, too.";
      return [`${words}, so ${number(part, 3)} per guess, which also carries verification and overhead.${missing}`,
        { fixed: 1, per_guess: part }];
    }

    function weigh() {
      const [words, found] = worked_out();
      const fits = found !== null && columns.possible(found.fixed, found.per_guess);
      cost = fits ? found : null;
      const counts = found === null ? "" : fits ? " This counts in place of the slider."
        : " No step costs that: the speeds cannot belong to the same work. The slider counts.";
      say(told, words + counts);
      recompute();
      show();
    }

    // ---- what was found ----

    function independence({ independence: test }) {
      if (!test) return "";
      const { statistic, critical, degrees, refuted } = test;
      return `Is one α for all positions enough? Pearson’s χ² is ${number(statistic, 1)}, critical at 1 % with `
        + `${degrees} ${degrees === 1 ? "degree" : "degrees"} of freedom is ${number(critical, 1)}: `
        + `${refuted ? "refuted" : "not refuted"}.`;
    }

    // What is spoken when it changes, and only then.
    function say(place, text) {
      if (place.textContent !== text) place.textContent = text;
    }

    function list(lines) {
      const shown = Array.from(warnings.children, (item) => item.textContent);
      if (shown.join("\n") === lines.join("\n")) return;
      warnings.replaceChildren(...lines.map((line) => {
        const item = document.createElement("li");
        item.textContent = line;
        return item;
      }));
    }

    function show() {
      const { format, title, how } = measured;
      say(result, format === null
        ? "Nothing in it is known. Paste a log line, a benchmark block, counters, or JSON; or type, say, “k = 4, τ = "
          + "2.9” (tokens per step)." : `Read as ${title}. ${how}`);
      list([independence(measured), ...measured.warnings].filter(Boolean));
      const readout = numbers();
      const setting = view.setting(format);
      const advised = readout.advised_length > 0 && setting !== undefined;
      say(element("setting"), advised ? setting.now(readout.advised_length) : "");
      say(element("older"), advised ? setting.older : "");
      element("setting").parentElement.hidden = !advised;
      link(readout);
      cite();
    }

    // As many rates as the labs take, short of 0 and 1 where the measured ones are.
    function carried() {
      const rates = columns.measured_rates(measured).slice(0, MOST_RATES)
        .map((rate) => Math.min(Math.max(Math.round(1e4 * rate) / 1e4, rate > 0 ? 1e-4 : 0), rate < 1 ? 0.9999 : 1));
      return rates.length > 0 ? `&q=${rates.join("_")}` : "";
    }

    // The labs know no fixed part, so they get the cost per guess that makes a step at k as dear as it is.
    function link({ alpha, draft_length: k, fixed, per_guess }) {
      const known = Number.isFinite(alpha) && Number.isFinite(k);
      element("links").hidden = !(known && k <= LONGEST_DRAFT);
      element("far").hidden = !(known && k > LONGEST_DRAFT);
      const c = deployment.cost_per_guess(fixed + per_guess * k, k);
      const clamped = Math.min(1, Math.max(0, c));
      say(element("whole"), fixed === 1 ? ""
        : `There c = ${number(clamped, 2)}: all that a step at k = ${k} costs beyond a target pass, put on its guesses.`);
      const hundredths = (value) => (Math.round(100 * value) / 100).toFixed(2);
      for (const anchor of element("links").querySelectorAll("a")) {
        const query = `?a=${hundredths(alpha)}${anchor.dataset.lab.includes("burst") ? `&k=${k}` : ""}`;
        anchor.href = `${anchor.dataset.lab}${query}&c=${hundredths(clamped)}${carried()}`;
      }
    }

    box.addEventListener("input", edited);
    box.addEventListener("paste", (event) => {
      const text = event.clipboardData.getData("text/plain");
      const untouched = examples.some(({ dataset }) => dataset.example === box.value);
      if (text.length <= SHOWN && !untouched) return; // as any field does
      event.preventDefault();
      take(text);
    });
    element("file").addEventListener("change", async ({ target: { files: [file] } }) => {
      if (file) take(await file.text()); // none once the choice is called off
    });
    for (const button of examples) button.addEventListener("click", () => take(button.dataset.example));
    for (const field of [...fields, element("unit")]) field.addEventListener("input", weigh);
    find("readout").properties.data.change.connect(show);
    show();
  };
})();
