// The page script, the same in a served and in an exported page. It finds Bokeh's models by name, writes numbers
// and words into the page, keeps colours, axes and labels right, and tells an embedding page its height.
// What it sets on a model is for the eye alone, so a server is not told of it (sync: false).
(() => {
  const { views, placeLabels, number } = GuessAhead;
  const { lab } = document.querySelector("main").dataset;
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

  // A part of the page is its first view, or a section below it: its cells, its words, its plots.
  const cellsOf = (root) => [...root.querySelectorAll("output, [data-column]")];
  const passTime = () => find("pass_time")?.value ?? 0; // milliseconds, where a reader has given them
  const units = { s: (passes) => passes * passTime() / 1000, per_s: (speed) => speed * 1000 / passTime() };

  function write(cells, readout, words) {
    for (const cell of cells) {
      const { digits, scale = 1, zero, column, row, unit } = cell.dataset;
      const value = column ? data[cell.closest("table").dataset.source][column][row] : readout[cell.name];
      const measured = unit ? units[unit](value) : value * scale;
      const text = words[cell.name] ?? (value === 0 ? zero : undefined) ?? number(measured, Number(digits));
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  let speaking; // what a screen reader hears waits until the slider rests
  function showNumbers() {
    const readout = numbers();
    prediction.show();
    write(firstCells, readout, view.words(readout));
    element(".verdict").textContent = prediction.verdict();
    element(".summary span").textContent = view.summary(readout, data);
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      element(".spoken").textContent = prediction.hiding() ? prediction.question() : element(".summary").textContent;
      takeaway.cite();
    }, 700);
  }

  function draw({ axes, labels }) {
    const readout = numbers();
    for (const [name, [start, end]] of Object.entries(axes(readout, data, frameWidth))) {
      show(find(name), { start, end });
    }
    for (const [name, plan] of Object.entries(labels(readout, data, frameWidth, prediction.guess()))) {
      const seen = plan.labels.filter(({ answer }) => !(answer && prediction.hiding()));
      show(find(`${name}_labels`), { data: placeLabels(plots.get(name), { ...plan, labels: seen }, colour) });
    }
  }

  function showFirstView() {
    draw(view);
    for (const answer of answers) show(answer, { visible: !prediction.hiding() });
  }

  function showFigures() {
    showFirstView();
    for (const section of document.querySelectorAll("[data-sources]")) {
      if (sections.ready(section)) draw(view.sections[section.dataset.section]);
    }
  }

  function showSection(section) {
    const { section: name, sources } = section.dataset;
    if (name === view.marks) draw(view); // it stands in the first view's plots, and leaves them
    if (!sections.ready(section)) return;
    const { says, words, ...plan } = view.sections[name];
    section.querySelector(".says").textContent = says(data, passTime(), numbers());
    write(cellsOf(section), {}, words?.(data) ?? {});
    if (sources) draw(plan);
  }

  function refresh() {
    showNumbers();
    showFirstView(); // what is computed on demand follows with its own numbers
    for (const section of document.querySelectorAll("[data-section]:not([data-sources])")) showSection(section);
  }

  // ---- start ----

  let controls, sections, firstCells, answers, address, prediction, takeaway;

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

  // Seconds, and the note that acceptance varies, are in all sections once a reader has asked for them.
  function watchSections() {
    for (const [mark, names] of Object.entries({ seconds: ["pass_time"], varying: ["decay", "deviation"] })) {
      const asked = controls.filter(({ name }) => names.includes(name));
      for (const { change } of asked) {
        change.connect(() => {
          element("main").toggleAttribute(`data-${mark}`, asked.some(({ value, initial }) => value !== initial));
          for (const section of document.querySelectorAll("[data-section]")) showSection(section);
        });
      }
    }
  }

  // A plot is a picture: the summary says what it shows. A finger's tap is the hover that it has none of.
  function describe(canvas, title) {
    canvas.tabIndex = -1;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${title}: see the words above`);
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
      describe(plot.canvas_view.events_el, figure.querySelector("h2, h4").textContent);
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
    const recompute = GuessAhead.recompute?.(find, element("main").dataset);
    controls = GuessAhead.controls(find, viewOf);
    findFigures();
    prediction = GuessAhead.prediction({ view, numbers, data, refresh });
    sections = GuessAhead.sections({ find, data, controls, follow: () => address.follow(), show: showSection });
    firstCells = cellsOf(document).filter((cell) => !cell.closest("[data-section]"));
    address = GuessAhead.address([sections.setting, ...controls, prediction.setting], notify);
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
    if (element("#paste")) GuessAhead.paste({ find, numbers, recompute, view, cite: takeaway.cite });
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
