// What a reader takes away: the numbers behind a plot, the plot as a picture, a link, a citation, a printed page.
GuessAhead.takeaway = ({ view, data, controls, plots, colours, colour, address, notify }) => {
  const { lab, version } = document.querySelector("main").dataset;
  const heading = document.querySelector("h1").textContent;
  const ofPlot = (name) => Object.values(view.sections ?? {}).find(({ tables }) => tables?.[name]) ?? view;
  // The controls that a plot depends on, or all that are in sight.
  function set(name) {
    const keys = name && ofPlot(name).settings?.split(" ");
    return controls.filter(({ key, idle, text }) => (keys ? keys.includes(key) && text !== "" : !idle));
  }
  const brief = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);
  const stated = (each, between) => view.cited?.(data.readout) ?? each.join(between);
  const settings = (name, most) => stated(set(name).map(({ key, text }) => `${key} = ${brief(text, most)}`), ", ");
  const titleOf = (element) => element.closest("figure, .table").querySelector("h2, h4").textContent;

  // Doubles in full: what is read back is the same to the last bit.
  function csv(name, title) {
    const { tables } = ofPlot(name);
    const [source, columns] = (typeof tables === "function" ? tables(data) : tables)[name];
    const head = stated(set(name).map(({ label, text }) => `${label.replace(/:$/, "")} = ${text}`), "; ");
    const rows = Array.from(Object.values(data[source])[0], (_, i) => (
      Object.keys(columns).map((column) => data[source][column][i]).join(",")));
    const names = Object.values(columns).join(",");
    return [`# Guess Ahead ${version}. ${heading}: ${title}`, `# ${head}`, names, ...rows, ""].join("\n");
  }

  // A link from a disk leads nobody else there.
  function citation() {
    const link = location.protocol.startsWith("http") ? ` ${location.href}.` : "";
    return `Guess Ahead ${version}, “${heading}”, ${settings()}.${link} Arithmetic after Leviathan, Kalman and Matias, `
      + "“Fast Inference from Transformers via Speculative Decoding”, ICML 2023, arXiv:2211.17192.";
  }
  function cite() {
    document.querySelector("cite").textContent = citation();
  }

  const pictures = GuessAhead.pictures({ plots, colours, colour, settings, beforePrint: cite });
  const kinds = {
    csv: async (name, title) => new Blob([csv(name, title)], { type: "text/csv" }),
    svg: async (name) => new Blob([pictures.svg(name)], { type: "image/svg+xml" }),
    png: pictures.png,
  };

  async function take(button) {
    const name = button.parentElement.dataset.of;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await kinds[button.dataset.take](name, titleOf(button)));
    link.download = `guess-ahead-${lab}-${name}.${button.dataset.take}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async function copy(button) {
    address.settle();
    const text = button.dataset.copy === "link" ? location.href : citation();
    button.dataset.said ??= button.textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
      setTimeout(() => { button.textContent = button.dataset.said; }, 1500);
    } catch { // not allowed, or not over a secure connection
      notify([`To copy: ${text}`]);
    }
  }

  document.addEventListener("click", ({ target }) => {
    if (target.dataset.take) take(target);
    else if (target.dataset.copy) copy(target);
  });

  // A page inside srcdoc has no address to copy.
  document.querySelector("[data-copy=link]").hidden = location.protocol === "about:";
  return { cite };
};
