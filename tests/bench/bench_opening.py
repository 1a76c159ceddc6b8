"""How long a page takes from the opening of its file until it can be used, its plots painted."""

from collections.abc import Mapping

from playwright.sync_api import Browser

QUIET = 200
USABLE = "window.usable !== undefined"

# A page says that it is ready by html[data-ready]. What it asked for until then is painted in frames to come,
# and the last of them counts; a page that had painted all before is charged for the frame it is ready in.
WATCH = """
new MutationObserver((_, observer) => {
  if (!("ready" in (document.documentElement?.dataset ?? {}))) return;
  observer.disconnect();
  let [painted, quiet] = [];
  const note = () => {
    painted = performance.now();
    clearTimeout(quiet);
    quiet = setTimeout(() => { window.usable = painted; }, QUIET);
  };
  const afterFrame = () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = note;
    port2.postMessage(null);
  };
  requestAnimationFrame(afterFrame);
  for (const model of Bokeh.documents[0]._all_models.values()) {
    Bokeh.index.find_one(model)?.repainted?.connect(afterFrame);
  }
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ready"] });
""".replace("QUIET", str(QUIET))


def opening_times(chromium: Browser, addresses: Mapping[str, str], rounds: int) -> dict[str, list[float]]:
    """Return the milliseconds of each opening, the pages taking turns, each in a fresh context."""
    times: dict[str, list[float]] = {name: [] for name in addresses}
    for i in range(rounds + 1):
        for name, address in addresses.items():
            page = chromium.new_page(viewport={"width": 1280, "height": 900})
            page.add_init_script(WATCH)
            page.goto(address)
            page.wait_for_function(USABLE)
            if i > 0:  # the first reads the file from the disk
                times[name].append(page.evaluate("usable"))
            page.context.close()
    return times
