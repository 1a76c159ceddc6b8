// The page script, the same in a served and in an exported page. It finds Bokeh's models by name, writes numbers
// and words into the page, keeps colours, axes and labels right, and tells an embedding page its height.
// What it sets on a model is for the eye alone, so a server is not told of it (sync: false).
(() => {
  const { views, placeLabels, number } = GuessAhead;
  const { lab, parameters } = document.querySelector("main").dataset;
  const view = views[lab];
  const colours = JSON.parse(document.getElementById("colours").textContent);
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const theme = ["light", "dark"].find((name) => name === new URLSearchParams(location.search).get("theme"));
  if (theme) document.documentElement.dataset.theme = theme;

  let doc;
  const models = new Map(); // Bokeh walks through all of them for a name
  function find(name) {
    if (!models.has(name)) models.set(name, doc.get_model_by_name(name));
    return models.get(name);
  }
  const viewOf = (model) => Bokeh.index.find_one(model);
  const show = (model, properties) => model.setv(properties, { sync: false });
  const element = (selector) => document.querySelector(selector);

  function notify(messages) {
    const text = messages.filter(Boolean).join(" ");
    element(".notice span").textContent = text;
    element(".notice").hidden = text === "";
  }

  // ---- what the page shows ----

  const dark = () => (theme === undefined ? prefersDark.matches : theme === "dark");
  const colour = (meaning) => colours[meaning][Number(dark())];

  function paintColours() {
    const to = new Map(Object.values(colours).map((pair) => (dark() ? pair : [pair[1], pair[0]])));
    for (const model of doc._all_models.values()) {
      for (const property of model) {
        const { attr } = property;
        const value = property.is_unset ? null : property.get_value();
        if (to.has(value)) show(model, { [attr]: to.get(value) });
        else if (to.has(value?.value)) show(model, { [attr]: { value: to.get(value.value) } });
      }
    }
    showFigures();
  }

  const data = new Proxy({}, { get: (_, name) => find(name).data });
  const numbers = () => Object.fromEntries(Object.entries(data.readout).map(([name, [value]]) => [name, value]));
  const plots = new Map();
  const frameWidth = (name) => plots.get(name).frame.bbox.width;

  let speaking; // what a screen reader hears waits until the slider rests
  function showNumbers() {
    const readout = numbers();
    const words = view.words(readout);
    prediction.show();
    for (const cell of document.querySelectorAll("output, [data-column]")) {
      const { digits, scale = 1, zero, column, row } = cell.dataset;
      const value = column ? data[cell.closest("table").dataset.source][column][row] : readout[cell.name];
      const text = words[cell.name] ?? (value === 0 ? zero : undefined) ?? number(value * scale, Number(digits));
      if (cell.textContent !== text) cell.textContent = text;
    }
    element(".verdict").textContent = prediction.verdict();
    element(".summary span").textContent = view.summary(readout, data);
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      element(".spoken").textContent = prediction.hiding() ? prediction.question() : element(".summary").textContent;
      takeaway.cite();
    }, 700);
  }

  function showFigures() {
    const readout = numbers();
    for (const [name, [start, end]] of Object.entries(view.axes(readout, data, frameWidth))) {
      show(find(name), { start, end });
    }
    for (const [name, plan] of Object.entries(view.labels(readout, data, frameWidth, prediction.guess()))) {
      const labels = plan.labels.filter(({ answer }) => !(answer && prediction.hiding()));
      show(find(`${name}_labels`), { data: placeLabels(plots.get(name), { ...plan, labels }, colour) });
    }
    for (const answer of answers) show(answer, { visible: !prediction.hiding() });
  }

  function refresh() {
    showNumbers();
    showFigures();
  }

  // ---- start ----

  let controls, answers, address, prediction, takeaway;

  function watchControls() {
    for (const control of controls) {
      control.change.connect(() => {
        queueMicrotask(() => control.show()); // the slider first rounds what it says to one decimal
        notify([]);
        address.follow();
      });
      control.input?.addEventListener("change", () => {
        const [value, message] = control.read(control.input.value.trim(), control.value);
        control.value = value;
        control.show();
        notify([message]);
      });
      control.show();
    }
    document.addEventListener("click", ({ target }) => {
      const { set: name, to, by } = target.dataset;
      if (name === undefined) return;
      const slider = find(name);
      slider.value = to === undefined ? (slider.value + Number(by)) % (slider.end + 1) : Number(to);
    });
    document.getElementById("predict").addEventListener("change", () => address.follow());
    element(".notice button").addEventListener("click", () => notify([]));
  }

  // A section opened on demand holds controls that stand at their defaults while it is closed.
  function watchSections() {
    for (const section of document.querySelectorAll(".controls details")) {
      const inside = controls.filter(({ input }) => section.contains(input));
      section.addEventListener("toggle", () => {
        if (!section.open) for (const control of inside) control.value = control.initial;
      });
      for (const control of inside) {
        control.change.connect(() => { section.open ||= control.value !== control.initial; });
      }
    }
  }

  // A plot is a picture: the summary says what it shows. A finger's tap is the hover that it has none of.
  function describe(canvas, title) {
    canvas.tabIndex = -1;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${title}: see the summary above`);
    canvas.addEventListener("pointerup", ({ pointerType, clientX, clientY }) => {
      if (pointerType !== "touch") return;
      const hover = new PointerEvent("pointermove", { clientX, clientY, isPrimary: true, bubbles: true });
      setTimeout(() => canvas.dispatchEvent(hover)); // once the finger's own events have ended the last hover
    });
  }

  function findFigures() {
    for (const figure of document.querySelectorAll("figure[data-plot]")) {
      const root = find(`${figure.dataset.plot}_figure`);
      const plot = viewOf(root.children?.[0] ?? root);
      plots.set(figure.dataset.plot, plot);
      describe(plot.canvas_view.events_el, figure.querySelector("h2").textContent);
    }
    answers = [...doc._all_models.values()].filter(({ tags }) => tags.includes("answer"));
  }

  function watchFigures() {
    const resized = new ResizeObserver(() => requestAnimationFrame(showFigures));
    for (const figure of document.querySelectorAll("figure[data-plot]")) resized.observe(figure);
    find("readout").properties.data.change.connect(refresh);
    prefersDark.addEventListener("change", paintColours);
  }

  function tellHeight() {
    if (parent === window) return;
    const main = element("main");
    new ResizeObserver(() => {
      parent.postMessage({ type: "guess-ahead:height", height: Math.ceil(main.getBoundingClientRect().height) }, "*");
    }).observe(main);
  }

  function start() {
    GuessAhead.engine?.(find, lab, parameters.split(" "));
    controls = GuessAhead.controls(find, viewOf);
    findFigures();
    prediction = GuessAhead.prediction({ view, numbers, data, refresh });
    address = GuessAhead.address([...controls, prediction.setting], notify);
    takeaway = GuessAhead.takeaway({ view, data, controls, plots, colours, colour, address, notify });
    watchControls();
    watchSections();
    GuessAhead.trials(controls);
    showNumbers();
    paintColours();
    address.read();
    address.replace();
    takeaway.cite();
    watchFigures();
    tellHeight();
    GuessAhead.connection?.(doc, address.replace);
    document.documentElement.dataset.ready = "";
  }

  const waiting = setInterval(() => {
    [doc] = window.Bokeh?.documents ?? [];
    if (!doc?.is_idle) return;
    clearInterval(waiting);
    start();
  }, 10);
})();
