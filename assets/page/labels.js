// Names what a figure shows, inside the figure: each label takes the first side of its point where it covers no
// other label, no curve and no line; where there is none, the side that covers least.
GuessAhead.placeLabels = (() => {
  const GAP = 14;
  const HEIGHT = 18; // of a line of text, and the room around it
  const SIDES = {
    "above right": [GAP / 2, GAP, "left"], "above left": [-GAP / 2, GAP, "right"],
    "below right": [GAP / 2, -GAP, "left"], "below left": [-GAP / 2, -GAP, "right"],
    right: [GAP, 0, "left"], left: [-GAP, 0, "right"],
    above: [0, GAP + 4, "center"], below: [0, -GAP - 4, "center"],
  };
  // A label may stand in several rows below its point, as beside a vertical line.
  const sides = ({ sides: names = Object.keys(SIDES), rows = 1 }) => Array.from({ length: rows }, (_, row) => (
    names.map((name) => [SIDES[name][0], SIDES[name][1] - 20 * row, SIDES[name][2]]))).flat();

  const pen = document.createElement("canvas").getContext("2d");

  function textWidth(text, bold) {
    pen.font = `${bold ? "bold " : ""}13px system-ui, sans-serif`;
    return pen.measureText(text).width;
  }

  function box(x, y, [dx, dy, align], width) {
    const left = x + dx - { left: 0, center: width / 2, right: width }[align];
    return { left, right: left + width, top: y - dy - HEIGHT / 2, bottom: y - dy + HEIGHT / 2 };
  }

  // Small squares along a curve, close enough that no label slips between two of them.
  function squares({ x, y }, toScreen) {
    const points = Array.from(x, (value, i) => toScreen(value, y[i]));
    return points.slice(1).flatMap((end, i) => {
      const start = points[i];
      const pieces = Math.ceil(Math.hypot(end[0] - start[0], end[1] - start[1]) / 8) || 1;
      return Array.from({ length: pieces + 1 }, (_, j) => {
        const [u, v] = [0, 1].map((axis) => start[axis] + (end[axis] - start[axis]) * (j / pieces));
        return { left: u - 4, right: u + 4, top: v - 4, bottom: v + 4 };
      });
    });
  }

  // The boxes of a histogram's bars.
  const boxes = ({ left, right, height }, toScreen) => Array.from(height, (top, i) => {
    const [[x, y], [end, bottom]] = [toScreen(left[i], top), toScreen(right[i], 0)];
    return { left: x, right: end, top: y, bottom };
  });

  const overlap = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left))
    * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));
  const outside = (a, frame) => Math.max(0, frame.left - a.left, a.right - frame.right)
    + Math.max(0, frame.top - a.top, a.bottom - frame.bottom);

  // Spreads labels of one column over distinct rows, each as near as can be to its point: the least squares of
  // shifts that keep the order, by pooling neighbours. Heights run down the screen, from highest to lowest.
  function spread(heights, highest, lowest) {
    const order = heights.map((height, i) => [height, i]).sort(([one], [other]) => other - one);
    const pools = [];
    order.forEach(([height], rank) => {
      let pool = { sum: height + HEIGHT * rank, size: 1 };
      while (pools.length > 0 && pools.at(-1).sum / pools.at(-1).size < pool.sum / pool.size) {
        const last = pools.pop();
        pool = { sum: last.sum + pool.sum, size: last.size + pool.size };
      }
      pools.push(pool);
    });
    const least = highest + HEIGHT * (heights.length - 1);
    const level = pools.flatMap(({ sum, size }) => Array(size).fill(Math.min(lowest, Math.max(least, sum / size))));
    return order.reduce((placed, [, i], rank) => {
      placed[i] = level[rank] - HEIGHT * rank;
      return placed;
    }, []);
  }

  // The heights of a column's labels, none of them across a line: those under it that have no room there go over it.
  function columnHeights(heights, top, bottom, line) {
    const under = heights.filter((height) => height > line).sort((one, other) => other - one)
      .slice(0, Math.floor((bottom - line) / HEIGHT));
    const isUnder = (height) => under.includes(height);
    const [over, beneath] = [
      spread(heights.filter((height) => !isUnder(height)), top + HEIGHT / 2, line - HEIGHT / 2),
      spread(heights.filter(isUnder), line + HEIGHT / 2, bottom - HEIGHT / 2),
    ];
    return heights.map((height) => (isUnder(height) ? beneath : over).shift());
  }

  return function placeLabels(view, { labels, curves = [], lines = [], bars, split }, colour) {
    const { frame } = view;
    const toScreen = (x, y) => [frame.x_scale.compute(x), frame.y_scale.compute(y)];
    const { left, right, top, bottom } = frame.bbox;
    const taken = [
      ...(bars === undefined ? [] : boxes(bars, toScreen)),
      ...curves.flatMap((curve) => squares(curve, toScreen)),
      ...lines.map(({ x, y }) => (x === undefined
        ? { left, right, top: toScreen(0, y)[1] - 1, bottom: toScreen(0, y)[1] + 1 }
        : { top, bottom, left: toScreen(x, 0)[0] - 1, right: toScreen(x, 0)[0] + 1 })),
    ];
    const column = labels.filter((label) => label.column);
    const heights = column.map(({ x, y }) => toScreen(x, y)[1]);
    const placed = columnHeights(heights, top, bottom, split === undefined ? bottom : toScreen(0, split)[1]);
    column.forEach((label, i) => { label.places = [[GAP, heights[i] - placed[i], "left"]]; });
    for (const label of labels) if (label.inside) label.places = [[0, 0, "center"]];
    const data = { x: [], y: [], text: [], dx: [], dy: [], align: [], colour: [], weight: [], lead_x: [], lead_y: [] };
    const best = (label, text) => {
      const width = textWidth(text, label.bold);
      return (label.places ?? sides(label)).map((place) => {
        const at = box(...toScreen(label.x, label.y), place, width);
        const covered = taken.reduce((sum, other) => sum + (other.weight ?? 1) * overlap(at, other), 0);
        const cost = 1e4 * outside(at, frame.bbox) + covered;
        return { text, place, at, cost };
      }).reduce((least, next) => (next.cost < least.cost ? next : least));
    };
    for (const label of labels) {
      const long = best(label, label.text);
      const { text, place: [dx, dy, align], at, cost } = long.cost > 0 && label.short ? best(label, label.short) : long;
      if (label.optional && cost > 0) continue;
      taken.push({ ...at, weight: 100 }); // rather on a bar than on another label
      const [u, v] = toScreen(label.x, label.y);
      for (const [name, value] of Object.entries({
        lead_x: label.column ? frame.x_scale.invert(u + dx - 3) : label.x,
        lead_y: label.column ? frame.y_scale.invert(v - dy) : label.y,
        x: label.x, y: label.y, text, dx, dy, align,
        colour: colour(label.colour), weight: label.bold ? "bold" : "normal",
      })) data[name].push(value);
    }
    return data;
  };
})();
