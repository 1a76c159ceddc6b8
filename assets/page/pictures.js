// A plot as a picture: with its title, its colours' names and its settings on paper, to take away or to print.
GuessAhead.pictures = ({ plots, colours, colour, settings, beforePrint }) => {
  const NARROWEST = 560; // pixels, so that title, names and settings have room beside a phone's plot
  const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);

  // The plot as it stands, with its title, its colours' names and its settings, on paper.
  function svg(name) {
    const { width: plotted, height } = plots.get(name).bbox;
    const width = Math.max(plotted, NARROWEST);
    const figure = document.querySelector(`[data-plot="${name}"]`);
    const title = figure.querySelector("h2, h4").textContent;
    const text = (x, y, style, words) => `<text x="${x}" y="${y}" ${style}>${escaped(words)}</text>`;
    const keys = [...figure.querySelectorAll(".key")].map((key, i) => {
      const box = key.matches(".dash") ? 'y="39" height="2"' : 'y="34" height="12"';
      const { colour: meaning, opacity = 1 } = key.dataset;
      return `<rect x="${8 + 130 * i}" width="12" ${box} fill="${colour(meaning)}" fill-opacity="${opacity}"/>`
        + text(26 + 130 * i, 45, `font-size="13" fill="${colour("quiet")}"`, key.textContent);
    }).join("");
    const plot = plots.get(name).export("svg", false).ctx.get_serialized_svg(true);
    const top = keys ? 54 : 32;
    const size = `width="${width}" height="${top + height + 26}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${top + height + 26}" `
      + `font-family="system-ui, sans-serif"><rect ${size} fill="${colour("paper")}"/>`
      + text(8, 22, `font-size="16" font-weight="bold" fill="${colour("ink")}"`, title)
      + `${keys}<g transform="translate(0 ${top})">${plot}</g>`
      + text(8, top + height + 18, `font-size="12" fill="${colour("quiet")}"`, `${settings(name, 12)} · Guess Ahead`)
      + "</svg>";
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

  // A picture's colours, all exchanged for those of light paper.
  function inLight(picture) {
    const parts = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)).join(",");
    return Object.values(colours).reduce((text, [light, dark]) => (
      text.replaceAll(dark, light).replaceAll(`(${parts(dark)}`, `(${parts(light)}`)), picture);
  }

  // On paper a plot is a picture, and every why stands open.
  const closed = new Set();
  addEventListener("beforeprint", () => {
    beforePrint();
    for (const details of document.querySelectorAll(".why")) {
      if (details.closest("[data-section]:not([open])")) continue;
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

  return { svg, png };
};
