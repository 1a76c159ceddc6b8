// The page script, the same in a served and in an exported page. It finds Bokeh's models by name, writes numbers
// and words into the page, names the sliders, reads and writes the address, and tells an embedding page its height.
// What it sets on a model is for the eye alone, so a server is not told of it (sync: false).
(() => {
  const { views, placeLabels, parsed, snapped } = GuessAhead;
  const { lab, parameters } = document.querySelector("main").dataset;
  const view = views[lab];
  const colours = JSON.parse(document.getElementById("colours").textContent);
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const query = new URLSearchParams(location.search);

  let doc;
  const models = new Map(); // Bokeh walks through all of them for a name
  function find(name) {
    if (!models.has(name)) models.set(name, doc.get_model_by_name(name));
    return models.get(name);
  }
  const viewOf = (model) => Bokeh.index.find_one(model);
  const show = (model, properties) => model.setv(properties, { sync: false });
  const element = (selector) => document.querySelector(selector);

  // ---- sliders ----

  const inputs = [...document.querySelectorAll(".control input")];
  const handles = new Map();
  const decimals = (slider) => (String(slider.step).split(".")[1] ?? "").length;

  function nameSlider(input) {
    const slider = find(input.id);
    const text = snapped(slider).toFixed(decimals(slider));
    input.value = text;
    const said = {
      label: input.labels[0].textContent, valuemin: slider.start, valuemax: slider.end, valuenow: text, valuetext: text,
    };
    const handle = handles.get(input.id);
    for (const [name, value] of Object.entries(said)) handle.setAttribute(`aria-${name}`, value);
  }

  // The one way in for a number from outside: what is no number is refused, what is out of range is clamped.
  function set(input, text) {
    const slider = find(input.id);
    const label = input.labels[0].textContent;
    const number = parsed(text);
    if (number === null) return `${label}: not a number, left at ${input.value}.`;
    slider.value = snapped(slider, number);
    return number < slider.start || number > slider.end
      ? `${label}: ${text} lies outside ${slider.start} to ${slider.end}, taken as ${slider.value}.` : "";
  }

  function notify(messages) {
    const notice = element(".notice");
    notice.textContent = messages.filter(Boolean).join(" ");
    notice.hidden = notice.textContent === "";
  }

  // ---- the address ----

  function readAddress() {
    notify(inputs.map((input) => (query.has(input.dataset.key) ? set(input, query.get(input.dataset.key)) : "")));
  }

  let writing;
  function writeAddress() {
    clearTimeout(writing);
    writing = setTimeout(() => { // browsers refuse more than a few writes a second
      for (const input of inputs) query.set(input.dataset.key, input.value);
      try {
        history.replaceState(null, "", `?${query}${location.hash}`);
      } catch { /* a page inside srcdoc has no address of its own */ }
    }, 300);
  }

  // ---- what the page shows ----

  const dark = () => ({ dark: true, light: false })[query.get("theme")] ?? prefersDark.matches;
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
  }

  const data = new Proxy({}, { get: (_, name) => find(name).data });
  const numbers = () => Object.fromEntries(Object.entries(data.readout).map(([name, [value]]) => [name, value]));
  const plots = new Map();
  const frameWidth = (name) => plots.get(name).frame.bbox.width;

  let speaking; // what a screen reader hears waits until the slider rests
  function showNumbers() {
    const readout = numbers();
    const words = view.words(readout);
    for (const output of document.querySelectorAll("output")) {
      const { digits, scale = 1 } = output.dataset;
      const text = words[output.name] ?? GuessAhead.number(readout[output.name] * scale, Number(digits));
      if (output.textContent !== text) output.textContent = text;
    }
    element(".summary").textContent = view.summary(readout, data);
    clearTimeout(speaking);
    speaking = setTimeout(() => { element(".spoken").textContent = element(".summary").textContent; }, 700);
  }

  function showFigures() {
    const readout = numbers();
    for (const [name, [start, end]] of Object.entries(view.axes(readout, data, frameWidth))) {
      show(find(name), { start, end });
    }
    for (const [name, plan] of Object.entries(view.labels(readout, data))) {
      show(find(`${name}_labels`), { data: placeLabels(plots.get(name), plan, colour) });
    }
  }

  // ---- start ----

  function watchSliders() {
    for (const input of inputs) {
      const slider = find(input.id);
      handles.set(input.id, viewOf(slider).shadow_el.querySelector(".noUi-handle"));
      slider.properties.value.change.connect(() => {
        queueMicrotask(() => nameSlider(input)); // the slider first rounds what it says to one decimal
        notify([]);
        writeAddress();
      });
      input.addEventListener("change", () => {
        notify([set(input, input.value.trim())]);
        nameSlider(input);
      });
      nameSlider(input);
    }
    document.addEventListener("click", ({ target }) => {
      const { set: name, to, by } = target.dataset;
      if (name === undefined) return;
      const slider = find(name);
      slider.value = to === undefined ? (slider.value + Number(by)) % (slider.end + 1) : Number(to);
    });
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

  function watchFigures() {
    for (const figure of document.querySelectorAll("figure[data-plot]")) {
      const root = find(`${figure.dataset.plot}_figure`);
      const plot = viewOf(root.children?.[0] ?? root);
      plots.set(figure.dataset.plot, plot);
      describe(plot.canvas_view.events_el, figure.querySelector("h2").textContent);
      new ResizeObserver(() => requestAnimationFrame(showFigures)).observe(figure);
    }
    find("readout").properties.data.change.connect(() => {
      showNumbers();
      showFigures();
    });
    prefersDark.addEventListener("change", () => {
      paintColours();
      showFigures();
    });
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
    watchSliders();
    watchFigures();
    paintColours();
    showNumbers();
    showFigures();
    readAddress();
    tellHeight();
    document.documentElement.dataset.ready = "";
  }

  if (["light", "dark"].includes(query.get("theme"))) document.documentElement.dataset.theme = query.get("theme");
  const waiting = setInterval(() => {
    [doc] = window.Bokeh?.documents ?? [];
    if (!doc?.is_idle) return;
    clearInterval(waiting);
    start();
  }, 10);
})();
