// What a reader takes away: the numbers behind a plot, the plot as a picture, a link, a citation, a printed page.
GuessAhead.takeaway = ({ view, data, controls, plots, colours, colour, address, notify }) => {
  const { lab, version } = document.querySelector("main").dataset;
  const heading = document.querySelector("h1").textContent;
  const settings = () => controls.map(({ key, text }) => `${key} = ${text}`).join(", ");
  const titleOf = (element) => element.closest("figure, .table").querySelector("h2").textContent;

  // Doubles in full: what is read back is the same to the last bit.
  function csv(name, title) {
    const [source, columns] = view.tables(data)[name];
    const set = controls.map(({ label, text }) => `${label.replace(/:$/, "")} = ${text}`).join("; ");
    const rows = Array.from(Object.values(data[source])[0], (_, i) => (
      Object.keys(columns).map((column) => data[source][column][i]).join(",")));
    return [`# Guess Ahead ${version}. ${heading}: ${title}`, `# ${set}`, Object.values(columns).join(","), ...rows, ""]
      .join("\n");
  }

  const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);

  // The plot as it stands, with its title, its colours' names and its settings, on paper.
  function svg(name) {
    const { width, height } = plots.get(name).bbox;
    const figure = document.querySelector(`[data-plot="${name}"]`);
    const text = (x, y, style, words) => `<text x="${x}" y="${y}" ${style}>${escaped(words)}</text>`;
    const keys = [...figure.querySelectorAll(".key")].map((key, i) => (
      `<rect x="${8 + 130 * i}" y="34" width="12" height="12" fill="${colour(key.dataset.colour)}" `
      + `fill-opacity="${key.dataset.opacity ?? 1}"/>`
      + text(26 + 130 * i, 45, `font-size="13" fill="${colour("quiet")}"`, key.textContent))).join("");
    const top = keys ? 54 : 32;
    const size = `width="${width}" height="${top + height + 26}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${top + height + 26}" `
      + `font-family="system-ui, sans-serif"><rect ${size} fill="${colour("paper")}"/>`
      + text(8, 22, `font-size="16" font-weight="bold" fill="${colour("ink")}"`, titleOf(figure))
      + `${keys}<g transform="translate(0 ${top})">${plots.get(name).export("svg", false).ctx.get_serialized_svg(true)}</g>`
      + text(8, top + height + 18, `font-size="12" fill="${colour("quiet")}"`, `${settings()} · Guess Ahead`) + "</svg>";
  }

  async function png(name) {
    const image = new Image();
    image.src = `data:image/svg+xml,${encodeURIComponent(svg(name))}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  }

  const kinds = {
    csv: async (name, title) => new Blob([csv(name, title)], { type: "text/csv" }),
    svg: async (name) => new Blob([svg(name)], { type: "image/svg+xml" }),
    png,
  };

  async function take(button) {
    const name = button.parentElement.dataset.of;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await kinds[button.dataset.take](name, titleOf(button)));
    link.download = `guess-ahead-${lab}-${name}.${button.dataset.take}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // A link from a disk leads nobody else there.
  const citation = () => `Guess Ahead ${version}, “${heading}”, ${settings()}.`
    + `${location.protocol.startsWith("http") ? ` ${location.href}.` : ""} Arithmetic after Leviathan, Kalman and Matias, `
    + "“Fast Inference from Transformers via Speculative Decoding”, ICML 2023, arXiv:2211.17192.";

  async function copy(button) {
    const { link } = address;
    const text = button.dataset.copy === "link" ? link : citation();
    try {
      await navigator.clipboard.writeText(text);
      const said = button.textContent;
      button.textContent = "copied";
      setTimeout(() => { button.textContent = said; }, 1500);
    } catch { // not allowed, or not over a secure connection
      notify([`To copy: ${text}`]);
    }
  }

  document.addEventListener("click", ({ target }) => {
    if (target.dataset.take) take(target);
    else if (target.dataset.copy) copy(target);
  });

  // A picture's colours, all exchanged for those of light paper.
  function inLight(picture) {
    const parts = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(",");
    return Object.values(colours).reduce((text, [light, dark]) => (
      text.replaceAll(dark, light).replaceAll(`(${parts(dark)}`, `(${parts(light)}`)), picture);
  }

  // On paper a plot is a picture, and every why stands open.
  const closed = new Set();
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll(".why")) {
      const { plot } = details.parentElement.dataset;
      const { documentElement } = new DOMParser().parseFromString(inLight(svg(plot)), "image/svg+xml");
      documentElement.classList.add("printed");
      details.before(documentElement);
      if (!details.open) closed.add(details);
      details.open = true;
    }
  });
  addEventListener("afterprint", () => {
    for (const picture of document.querySelectorAll(".printed")) picture.remove();
    for (const details of closed) details.open = false;
    closed.clear();
  });

  return { cite: () => { document.querySelector("cite").textContent = citation(); } };
};
