"""A lab's page in a real browser, driven as a person drives it, and the columns it should hold."""

import math
import time
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import ConsoleMessage, ElementHandle, Frame, Page, Request

from labs import burst, flatten, peaks
from labs.burst import tail

ROOT = Path(__file__).parents[1]
ASSETS = ROOT / "assets"
FACTS = ROOT / "tests" / "facts"  # published figures and real printouts
LABS = {"flatten": flatten, "burst": burst, "peaks": peaks}
BELOW = {source for section in tail.SOURCES.values() for source in section}
DEFAULTS = {name: lab.State().arguments() for name, lab in LABS.items()}
VARIANTS = [f"{folder}{name}.html" for folder in ("", "shared/") for name in LABS]
# Numbers that JSON cannot hold travel as words.
SOURCES = """() => {
  const word = (x) => (typeof x === "number" && !Number.isFinite(x) ? String(x) : x);
  const doc = Bokeh.documents[0];
  const sources = [...doc._all_models.values()].filter((m) => m.type === "ColumnDataSource" && m.name);
  return Object.fromEntries(sources.map((source) => [source.name, Object.fromEntries(
    Object.entries(source.data).map(([name, column]) => [name, Array.from(column, word)]))]));
}"""
HANDLE = """(name) => Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name(name))
  .shadow_el.querySelector(".noUi-handle")"""
LAYOUT = """() => [
  ...document.querySelectorAll("h1, .control, .readout > *, .summary, figure, table"),
].map((e) => {
  const { x, y, width, height } = e.getBoundingClientRect();
  return [x, y, width, height];
})"""
FRAME = (
    '<link rel="icon" href="data:,">'
    '<iframe class="guess-ahead" title="lab" style="width:100%;height:300px" {attributes}></iframe>'
)
# Whether each plot in sight has been laid out within its place.
LAID_OUT = """() => [...document.querySelectorAll("figure[data-plot]")].every((figure) => {
  const root = Bokeh.documents[0].get_model_by_name(`${figure.dataset.plot}_figure`);
  const { bbox, el } = Bokeh.index.find_one(root.children?.[0] ?? root);
  return !figure.checkVisibility() || Math.abs(bbox.width - el.getBoundingClientRect().width) <= 1;
})"""
FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
READY = "document.documentElement.dataset.ready !== undefined"


def plain(columns: dict[str, dict[str, Any]]) -> dict[str, dict[str, list[Any]]]:
    """Return columns as they arrive in the browser."""

    def word(value: float) -> Any:  # noqa: ANN401 - a number, or the name of one that JSON cannot hold
        return "Infinity" if value == math.inf else value

    return {
        source: {name: [word(x) for x in np.asarray(column).tolist()] for name, column in data.items()}
        for source, data in columns.items()
    }


def shown(value: float, digits: int = 2) -> str:
    """Return a number as the page writes it: JavaScript rounds halves of the exact binary value up."""
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):,}"


def origin(address: str) -> str:
    """Return the scheme and host of an address."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def until(frame: Frame | Page, expression: str, arg: object = None, seconds: float = 30) -> None:
    """Wait until an expression holds; Playwright's own way is an eval in the page, which no policy lets."""
    deadline = time.monotonic() + seconds
    while not frame.evaluate(expression, arg):
        assert time.monotonic() < deadline, f"still not so: {expression}"
        time.sleep(0.02)


class LabPage:
    """One lab's page: what it shows, and its controls."""

    def __init__(self, page: Page) -> None:
        """Note all that the browser complains of, and each request to another place than the page's own."""
        self.page, self.frame, self.complaints = page, page.main_frame, list[str]()
        self._origin = ""
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note_request)

    def open(self, address: str) -> "LabPage":
        """Open the address and wait until the page can be used."""
        self._origin = origin(address)
        self.page.goto(address)
        until(self.frame, READY)
        return self

    def open_hosted(self, folder: Path, attributes: str) -> "LabPage":
        """Open a lab of the folder in a frame with these attributes."""
        host = folder / "host.html"
        host.write_text(FRAME.format(attributes=attributes))
        return self.open_framed(host.as_uri())

    def open_framed(self, address: str) -> "LabPage":
        """Open a page that has the lab in its one frame."""
        self._origin = origin(address)
        self.page.goto(address)
        self.frame = self.page.frames[1]
        until(self.frame, READY)
        return self

    @staticmethod
    def address(request: pytest.FixtureRequest, name: str, way: str) -> str:
        """Return the address of a lab, served or exported."""
        if way == "served":
            return f"{request.getfixturevalue('server')}/{name}"
        return (request.getfixturevalue("folder") / f"{name}.html").as_uri()

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith((self._origin, f"blob:{self._origin}", "data:", "about:")):
            self.complaints.append(f"request to {request.url}")

    def output(self, name: str) -> str:
        """Return a number of the readout, as shown."""
        return self.frame.locator(f"output[name={name}]").inner_text()

    def summary(self) -> str:
        """Return what the page says of its plots in words."""
        return self.frame.locator(".summary").inner_text()

    def sources(self) -> dict[str, dict[str, list[Any]]]:
        """Return the data of all named sources."""
        return self.frame.evaluate(SOURCES)

    def columns(self) -> dict[str, dict[str, list[Any]]]:
        """Return the data of the sources that a lab's columns fill."""
        return {
            name: data
            for name, data in self.sources().items()
            if not (name.endswith("_labels") or name in BELOW)
        }

    def below(self, section: str) -> dict[str, dict[str, list[Any]]]:
        """Return the data of the sources that a section fills."""
        sources = self.sources()
        return {name: sources[name] for name in tail.SOURCES[section]}

    def labels(self, plot: str) -> list[str]:
        """Return the texts written into a plot."""
        return self.sources()[f"{plot}_labels"]["text"]

    def value(self, name: str) -> float:
        """Return where a slider stands."""
        return self.frame.evaluate("(name) => Bokeh.documents[0].get_model_by_name(name).value", name)

    def handle(self, name: str) -> ElementHandle:
        """Return a slider's handle."""
        return self.frame.evaluate_handle(HANDLE, name).as_element()

    def press(self, name: str, *keys: str) -> None:
        """Focus a slider's handle and press keys."""
        self.handle(name).focus()
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, name: str, to: float, moves: int = 20) -> None:
        """Drag a slider's handle to a share of its track, in that many moves, and let it go."""
        handle = self.handle(name)
        track = handle.evaluate_handle("(e) => e.closest('.noUi-target')").as_element().bounding_box()
        box = handle.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(track["x"] + to * track["width"], track["y"] + track["height"] / 2, steps=moves)
        self.page.mouse.up()

    def resize(self, width: int, height: int = 800) -> "LabPage":
        """Give the page's window a size, and wait until its plots fit and their labels are placed anew."""
        self.page.set_viewport_size({"width": width, "height": height})
        until(self.frame, LAID_OUT)
        self.frame.evaluate(FRAMES)
        return self

    def settle(self, **expected: float) -> "LabPage":
        """Wait until the numbers shown belong to these values."""
        until(
            self.frame,
            """(expected) => {
              const { data } = Bokeh.documents[0].get_model_by_name("readout");
              const same = ([name, value]) => String(data[name][0]) === String(value);
              return Object.entries(expected).every(same);
            }""",
            arg=expected,
        )
        return self


def assert_alive(lab: LabPage, path: str) -> None:
    """Drive real keys and a drag: a dead page looks alive to a script that sets values."""
    name = Path(path).stem
    state = LABS[name].State()
    first, parameter = next(iter(state.controls().items()))
    for key, value in (("ArrowLeft", parameter.default - parameter.step), ("Home", parameter.bounds[0])):
        lab.press(first, key)
        state.take(**{first: value})
        lab.settle(**{first: getattr(state, first)})
        assert plain(LABS[name].columns(**state.arguments())) == lab.columns()
    lab.drag("draft_cost", to=0.6)
    state.take(draft_cost=lab.value("draft_cost"))
    assert state.draft_cost > 0.5
    assert plain(LABS[name].columns(**state.arguments())) == lab.columns()
