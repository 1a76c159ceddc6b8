"""Key press to painted plots in a real browser, on any page with a slider and a source of ours.

A move is one arrow key on a slider's focused handle. All moments are taken inside the page, by its clock:

- pressed: the time stamp of the `keydown` event, set when the browser received the key;
- sent: when the page first sent something over its web socket after that (at once, in a page without one);
- arrived: when the first of the sources was replaced. What a server does comes before that;
- painted: BokehJS draws a plot on its canvas within an animation frame and then emits `repainted`. A message
  posted to oneself from there is delivered once the browser is through with that frame, its layout and its
  painting. The last such moment counts, over all plots, after the last source of the move was replaced: a
  move is over when for QUIET milliseconds nothing was painted any more.

So a plot that paints twice for one move is charged for both. That the moment is right is seen, not supposed:
in some further moves the canvases are read at that moment, and compared with what they held before the key
and what they hold half a second later.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle

from playwright.sync_api import Browser, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
QUIET = 120
SWEEP = 5  # moves one way, and then as many back
WARM_UP = 2 * SWEEP
READY = """(source) => window.Bokeh?.documents?.[0]?.is_idle && Bokeh.documents[0].get_model_by_name(source)
  && (!document.querySelector("main[data-lab]") || "ready" in document.documentElement.dataset)"""

# Before the page's own scripts: when its web socket sends.
LISTEN = """
window.sent = [];
window.WebSocket = class extends WebSocket {
  send(message) {
    sent.push(performance.now());
    super.send(message);
  }
};
"""

# In the page once it is ready. A plot's canvases are looked at only where asked: reading them takes time.
RECORD = """([slider, source, quiet]) => {
  const doc = Bokeh.documents[0];
  const models = [...doc._all_models.values()];
  const plots = models.map((model) => Bokeh.index.find_one(model)).filter((view) => view?.repainted);
  const pictures = () => plots.map(({ canvas_view: { primary, overlays } }) =>
    primary.canvas.toDataURL() + overlays.canvas.toDataURL()).join();
  const afterFrame = (then) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = then;
    port2.postMessage(null);
  };
  let move;
  document.addEventListener("keydown", ({ timeStamp }) => { move.pressed = timeStamp; }, true);
  for (const model of models.filter(({ type }) => type === "ColumnDataSource")) {
    model.properties.data.change.connect(() => { move.arrived ??= performance.now(); });
  }
  doc.get_model_by_name(source).properties.data.change.connect(() => { move.replaced = performance.now(); });
  for (const plot of plots) plot.repainted.connect(() => {
    move.paints += 1;
    afterFrame(() => {
      move.painted = performance.now();
      if (move.looking) move.then = pictures();
    });
  });
  const result = () => {
    const { pressed, arrived, painted, paints } = move;
    const first = sent.find((time) => time >= pressed) ?? pressed;
    return { sent: first - pressed, arrived: arrived - pressed, painted: painted - pressed,
      paints: paints / plots.length };
  };
  window.bench = {
    begin(looking) {
      move = { looking, paints: 0, before: looking ? pictures() : "", replaced: NaN, painted: NaN };
    },
    async end() {
      const pause = move.looking ? 500 : quiet;
      const over = () => move.painted > move.replaced && performance.now() - move.painted > pause;
      for (let i = 0; !over(); i += 1) {
        if (i > 1000) throw new Error("no plot was painted");
        await new Promise((done) => setTimeout(done, 10));
      }
      const settled = move.looking && move.then === pictures() && move.then !== move.before;
      return { ...result(), settled };
    },
  };
  bench.begin(false);
  Bokeh.index.find_one(doc.get_model_by_name(slider)).shadow_el.querySelector(".noUi-handle").focus();
}"""


@dataclass
class Subject:
    """A page to measure: its name, its address, the slider to move, and the source that is replaced last."""

    name: str
    url: str
    last_source: str = "readout"
    slider: str = "acceptance_rate"
    moves: list[dict[str, float]] = field(default_factory=list)
    settled: list[bool] = field(default_factory=list)

    def times(self, moment: str) -> list[float]:
        """Return when that moment came in each move, in milliseconds since the key was pressed."""
        return [move[moment] for move in self.moves]


@contextmanager
def browser() -> Iterator[Browser]:
    """Open the system's Chromium where there is one, Playwright's own otherwise."""
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)


def measure(chromium: Browser, subjects: Sequence[Subject], moves: int, looks: int = SWEEP) -> None:
    """Move each subject's slider so many times, in turns, and note the moments of each move."""
    pages = [opened(chromium, subject) for subject in subjects]
    keys = cycle(["ArrowRight"] * SWEEP + ["ArrowLeft"] * SWEEP)
    for i, key in zip(range(WARM_UP + moves + looks), keys, strict=False):
        looking = i >= WARM_UP + moves
        for page, subject in zip(pages, subjects, strict=True):
            move = moved(page, key, looking=looking)
            if looking:
                subject.settled.append(bool(move["settled"]))
            elif i >= WARM_UP:
                subject.moves.append(move)
    for page in pages:
        page.context.close()


def opened(chromium: Browser, subject: Subject) -> Page:
    # Waiting for an expression evaluates a text inside the page, which the product's policy does not let.
    page = chromium.new_page(viewport={"width": 1280, "height": 900}, bypass_csp=True)
    page.add_init_script(LISTEN)
    page.goto(subject.url)
    page.wait_for_function(READY, arg=subject.last_source)
    page.wait_for_timeout(500)
    page.evaluate(RECORD, [subject.slider, subject.last_source, QUIET])
    return page


def moved(page: Page, key: str, *, looking: bool) -> dict[str, float]:
    page.evaluate("(looking) => bench.begin(looking)", looking)
    page.keyboard.press(key)
    return page.evaluate("bench.end()")
