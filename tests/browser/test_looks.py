"""What is written into the plots and how far they reach: labels with room, axes on rungs, right words."""

import time
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, count, product
from pathlib import Path
from typing import Any

import pytest
from kept import Lead
from pages import DEFAULTS, LABS, LabPage
from playwright.sync_api import BrowserContext

from labs import burst, flatten

FLATTEN = product((0, 0.1, 0.5, 0.8, 0.9, 0.95, 0.99), (0, 0.01, 0.1, 0.3, 0.6, 1))
PEAKS = product((0, 0.005, 0.02, 0.1, 0.2, 0.5, 0.9, 1), (0, 0.1, 0.3, 0.5, 0.9, 1))
BURST = product((0, 0.5, 0.9, 0.99, 1), (1, 4, 10, 32), ((0.1, 1), (0.5, 20), (0.1, 400)))
GRID = {
    "flatten": [{"acceptance_rate": a, "draft_cost": c} for a, c in FLATTEN],
    "peaks": [{"draft_cost": c, "utilisation": b} for c, b in PEAKS],
    "burst": [
        {"acceptance_rate": a, "draft_length": k, "draft_cost": c, "burst_length": n}
        for a, k, (c, n) in [*BURST, (0.9, 10, (0, 40)), (0.9, 10, (1, 40)), (0.1, 2, (0.3, 1))]
    ],
}
# What each plot shows at each setting: frame, labels' ink and curve's points in pixels, and ranges.
SEEN = """async (settings) => {
const find = (name) => Bokeh.documents[0].get_model_by_name(name);
const shown = [];
for (const values of settings) {
  for (const [name, value] of Object.entries(values)) find(name).value = value;
  await null; // the engine takes what moved together as one move
  const pen = document.createElement("canvas").getContext("2d");
  pen.textBaseline = "middle";
  const figures = [...document.querySelectorAll("main > .figures figure")];
  shown.push(Object.fromEntries(figures.map(({ dataset: { plot } }) => {
    const { frame, model } = Bokeh.index.find_one(find(`${plot}_figure`));
    const at = (x, y) => [frame.x_scale.compute(x), frame.y_scale.compute(y)];
    const { x, y, text, dx, dy, align, weight } = find(`${plot}_labels`).data;
    const labels = Array.from(text, (words, i) => {
      pen.font = `${weight[i]} 13px system-ui, sans-serif`;
      const ink = pen.measureText(words);
      const [u, v] = at(x[i], y[i]);
      const start = u + dx[i] - { left: 0, center: ink.width / 2, right: ink.width }[align[i]];
      return [words, start - ink.actualBoundingBoxLeft, start + ink.actualBoundingBoxRight,
        v - dy[i] - ink.actualBoundingBoxAscent, v - dy[i] + ink.actualBoundingBoxDescent];
    });
    const { draft_length, ...curves } = (find("curve") ?? find("curves"))?.data ?? {};
    const points = Object.entries(curves)
      .filter(([name]) => plot === "peaks" || name === ({ tokens: "tokens_per_step" }[plot] ?? plot))
      .flatMap(([, heights]) => Array.from(heights, (height, i) => at(draft_length[i], height)));
    const { left, right, top, bottom } = frame.bbox;
    const ranges = [model.x_range, model.y_range].map(({ start, end }) => [start, end]);
    const lines = plot === "peaks" ? [at(0, 1)[1]] : [];
    return [plot, { frame: [left, right, top, bottom], labels, points, ranges, lines }];
  })));
}
return shown;
}"""
# What of the readout's words and numbers reaches out of its cell.
OUTSIDE = """() => [...document.querySelectorAll(".readout div > *")].filter((part) => {
  const text = new Range();
  text.selectNodeContents(part);
  return text.getBoundingClientRect().right > part.parentElement.getBoundingClientRect().right - 2;
}).map((part) => part.textContent)"""
WIDEST = {
    "flatten": ({}, {"acceptance_rate": 0, "draft_cost": 0}, {"position_rates": "0.78_0.9_1"}),
    "burst": ({}, {"draft_length": 32, "draft_cost": 1, "burst_length": 400}, {"position_rates": "0.78_0.9"}),
    "peaks": ({}, {"draft_cost": 0}, {"utilisation": 1}),
    "measured": ({}, {"draft_cost": 1}),
}
Opener = Callable[..., LabPage]


@pytest.fixture(scope="module")
def opened(context: BrowserContext, folder: Path) -> Iterator[Opener]:
    """Give the labs' pages at a width, each opened once for the tests that only look or set all sliders."""
    pages: dict[tuple[str, int], LabPage] = {}

    def open_once(name: str, width: int = 1280) -> LabPage:
        if (name, width) not in pages:
            pages[name, width] = lab = LabPage(context.new_page())
            lab.page.set_viewport_size({"width": width, "height": 800})
            lab.open((folder / f"{name}.html").as_uri())
        return pages[name, width]

    yield open_once
    assert [] == [complaint for lab in pages.values() for complaint in lab.complaints]
    for lab in pages.values():
        lab.page.close()


def seen(lab: LabPage, name: str, *settings: Mapping[str, float]) -> list[dict[str, dict[str, Any]]]:
    numbers = {key: value for key, value in DEFAULTS[name].items() if key != "drawn"}
    return lab.page.evaluate(SEEN, [numbers | values for values in settings])


def faults(plot: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the labels that lie outside the frame, on one another, or on a point of the curve."""

    def common(one: list[float], other: list[float]) -> bool:
        return all(max(one[i], other[i]) < min(one[i + 1], other[i + 1]) for i in (0, 2))

    left, right, top, bottom = plot["frame"]
    names, boxes = [text for text, *_ in plot["labels"]], [box for _, *box in plot["labels"]]
    points = [[x, x + 1e-6, y, y + 1e-6] for x, y in plot["points"]]
    labels = list(zip(names, boxes, strict=True))
    outside = [
        (name, "frame")
        for name, box in labels
        if not name.isdecimal() and (box[0] < left or box[1] > right or box[2] < top or box[3] > bottom)
    ]
    covering = [
        (name, "curve")
        for name, box in labels
        if not name.isdecimal() and any(common(box, point) for point in points)
    ]  # a number alone stands in its peak's mark
    meeting = [
        (one, other)
        for (one, a), (other, b) in combinations(labels, 2)
        if common(a, b) and not (one.isdecimal() and other.isdecimal())
    ]  # marks of peaks that are close may meet
    struck = [
        (name, "line")
        for name, box in labels
        for height in plot["lines"]
        if not name.isdecimal() and box[2] < height < box[3]
    ]
    return outside + covering + meeting + struck


@pytest.mark.parametrize("step", [80, pytest.param(20, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", WIDEST)
def test_no_number_leaves_its_cell_at_any_width(lead: Lead, name: str, step: int) -> None:
    page, found = lead(name).page, []
    for values, width in product(WIDEST[name], (*range(320, 1300, step), 390)):
        page.set_viewport_size({"width": width, "height": 800})
        page.evaluate(
            "values => { for (const [name, value] of Object.entries(values)) "
            "Bokeh.documents[0].get_model_by_name(name).value = value; }",
            values,
        )
        found += [(values, width, text) for text in page.evaluate(OUTSIDE)]
    assert [] == found


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", LABS)
def test_labels_stay_in_the_frame_and_off_each_other_and_the_curve(
    opened: Opener, name: str, width: int
) -> None:
    settings = GRID[name]
    plots = seen(opened(name, width), name, *settings)
    found = {
        (width, *values.values()): [faults(plot) for plot in shown.values()]
        for values, shown in zip(settings, plots, strict=True)
    }
    assert {} == {setting: labels for setting, labels in found.items() if any(labels)}


@pytest.mark.parametrize("name", LABS)
def test_a_page_made_narrower_looks_like_one_opened_so(
    opened: Opener, lab: LabPage, folder: Path, name: str
) -> None:
    lab.page.set_viewport_size({"width": 1280, "height": 800})
    lab.open((folder / f"{name}.html").as_uri())
    [wide], [expected] = seen(lab, name, {}), seen(opened(name, 390), name, {})
    assert wide != expected
    lab.page.set_viewport_size({"width": 390, "height": 800})
    deadline = time.monotonic() + 10
    while seen(lab, name, {}) != [expected] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [expected] == seen(lab, name, {})


def rung(value: float) -> float:
    """Return the smallest of 1, 2, 5, 10, … that reaches the value, as near as a double's sums come to it."""
    return next(n * 10**i for i in count() for n in (1, 2, 5) if n * 10**i >= value * (1 - 1e-9))


def test_rungs_are_one_two_and_five_times_the_powers_of_ten(opened: Opener) -> None:
    values = [*range(2100), 0.3, 1.001, 4.999, 5 + 1e-15, 5.001, 99999, 123456, 1e6]
    actual = opened("flatten").page.evaluate("(values) => values.map(GuessAhead.rung)", values)
    assert [rung(value) for value in values] == actual


def test_the_flatten_labs_axes_end_above_a_rung(opened: Opener) -> None:
    settings = list(product((0, 0.5, 0.8, *(i / 100 for i in range(81, 91)), 0.99), (0, 0.1, 1)))
    plots = seen(
        opened("flatten"), "flatten", *({"acceptance_rate": a, "draft_cost": c} for a, c in settings)
    )
    for (a, c), shown in zip(settings, plots, strict=True):
        columns = flatten.columns(a, c)
        tops = columns["readout"]["ceiling"][0], max(1, *columns["curve"]["speedup"])
        expected = [[[-0.5, 33], [0, 1.12 * rung(top)]] for top in tops]
        assert expected == [shown[plot]["ranges"] for plot in ("tokens", "speedup")]


def test_the_burst_labs_axes_end_at_or_above_a_rung_and_step_1_is_on_top(opened: Opener) -> None:
    lengths = product((1, 6, 7, 10, 11, 32), (1, 40, 41, 50, 400))
    settings = [{"draft_length": k, "burst_length": n} for k, n in lengths]
    default, *plots = seen(opened("burst"), "burst", {}, *settings)
    unit = default["trace"]["ranges"][0][1] / 11  # a cell, and its share of the room for what ends a row
    for values, shown in zip(settings, plots, strict=True):
        columns = burst.columns(**DEFAULTS["burst"] | values)
        trace, histogram = columns["trace"], columns["histogram"]
        latest = rung(max(values["burst_length"], *histogram["right"][histogram["bursts"] > 0]))
        highest = rung(max(*histogram["bursts"], *histogram["exact"]))
        assert [[0, 1.06 * latest], [0, 1.12 * highest]] == shown["histogram"]["ranges"]
        across, down = shown["trace"]["ranges"]
        cells = min(32, rung(values["draft_length"])) + 1
        assert [0, cells * unit] == pytest.approx(across, rel=1e-12)  # a few roundings of 2^-53
        assert [min(400, max(10, rung(len(trace["step"])))) + 0.5, 0.5] == down


@pytest.mark.parametrize("c", [0.1, 1])
def test_the_summary_says_whether_bursts_are_faster_or_slower(opened: Opener, c: float) -> None:
    seen(opened("burst"), "burst", {"draft_cost": c})
    speedup = burst.columns(**DEFAULTS["burst"] | {"draft_cost": c})["readout"]["speedup_p50"][0]
    expected = f"{speedup:.2f}× as fast as" if c == 0.1 else f"{1 / speedup:.2f}× slower than"
    assert f", {expected} plain decoding's 40;" in opened("burst").summary()


@pytest.mark.parametrize(("a", "n"), [(0.9, 40), (0, 20), (0, 21)])
def test_up_to_twenty_rows_end_in_tokens_settled_and_their_total(opened: Opener, a: float, n: int) -> None:
    values = {"acceptance_rate": a, "burst_length": n}
    [shown] = seen(opened("burst"), "burst", values)
    trace = burst.columns(**DEFAULTS["burst"] | values)["trace"]
    ends = [f"+{settled} → {total}" for settled, total in zip(trace["settled"], trace["total"], strict=True)]
    assert (ends if len(ends) <= 20 else []) == [text for text, *_ in shown["trace"]["labels"]]
