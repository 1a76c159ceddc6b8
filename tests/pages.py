"""A lab's page in a real browser, driven as a person drives it."""

from typing import Any

from playwright.sync_api import ConsoleMessage, Page, Request

# Numbers that JSON cannot hold travel as words.
SOURCES = """() => {
  const plain = (x) => (typeof x === "number" && !Number.isFinite(x) ? String(x) : x);
  const doc = Bokeh.documents[0];
  const sources = [...doc._all_models.values()].filter((m) => m.type === "ColumnDataSource" && m.name);
  return Object.fromEntries(sources.map((source) => [source.name, Object.fromEntries(
    Object.entries(source.data).map(([name, column]) => [name, Array.from(column, plain)]))]));
}"""
HANDLE = """(name) => Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name(name))
  .shadow_el.querySelector(".noUi-handle")"""
READY = "document.documentElement.dataset.ready !== undefined"


class LabPage:
    """One lab's page: what it shows, and its controls."""

    def __init__(self, page: Page, allowed: str) -> None:
        """Note all that the browser complains of, and each request to an address that does not begin so."""
        self.page, self.complaints = page, list[str]()
        self._allowed = allowed
        page.on("console", self._note_console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note_request)

    def open(self, address: str) -> "LabPage":
        """Open the address and wait until the page can be used."""
        self.page.goto(address)
        self.page.wait_for_function(READY)
        return self

    def _note_console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(message.text)

    def _note_request(self, request: Request) -> None:
        if not request.url.startswith((self._allowed, f"blob:{self._allowed}", "data:")):
            self.complaints.append(f"request to {request.url}")

    def output(self, name: str) -> str:
        """Return a number of the readout, as shown."""
        return self.page.locator(f"output[name={name}]").inner_text()

    def summary(self) -> str:
        """Return what the page says of its plots in words."""
        return self.page.locator(".summary").inner_text()

    def sources(self) -> dict[str, dict[str, list[Any]]]:
        """Return the data of all named sources."""
        return self.page.evaluate(SOURCES)

    def labels(self, plot: str) -> list[str]:
        """Return the texts written into a plot."""
        return self.sources()[f"{plot}_labels"]["text"]

    def value(self, name: str) -> float:
        """Return where a slider stands."""
        return self.page.evaluate("(name) => Bokeh.documents[0].get_model_by_name(name).value", name)

    def press(self, name: str, *keys: str) -> None:
        """Focus a slider's handle and press keys."""
        self.page.evaluate_handle(HANDLE, name).as_element().focus()
        for key in keys:
            self.page.keyboard.press(key)

    def drag(self, name: str, to: float, moves: int = 20) -> None:
        """Drag a slider's handle to a share of its track, in that many moves, and let it go."""
        handle = self.page.evaluate_handle(HANDLE, name).as_element()
        track = handle.evaluate("(handle) => handle.closest('.noUi-target').getBoundingClientRect().toJSON()")
        box = handle.bounding_box()
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        self.page.mouse.move(track["x"] + to * track["width"], track["y"] + track["height"] / 2, steps=moves)
        self.page.mouse.up()

    def settle(self, **expected: float) -> "LabPage":
        """Wait until the numbers shown belong to these values."""
        self.page.wait_for_function(
            """(expected) => {
              const { data } = Bokeh.documents[0].get_model_by_name("readout");
              return Object.entries(expected).every(([name, value]) => data[name][0] === value);
            }""",
            arg=expected,
        )
        return self
