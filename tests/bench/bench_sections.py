"""How soon the sections below the burst lab follow a move, and that the first view does not wait for them."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import median

from bench_browser import Subject, browser, opened
from bench_timing import aim, heading, line
from playwright.sync_api import Page

from app.export import export
from labs.burst import tail

REST = 60.0  # milliseconds without a move
FOLLOWS = 250.0  # after it
ALL_DRAFTS = 500.0  # for the section that tries 32 draft lengths, the last
ROUNDS = 5
DEFAULTS = {"acceptance_rate": 0.9, "draft_length": 10, "burst_length": 40, "decay": 1.0, "deviation": 0.0}
SETTINGS: dict[str, Mapping[str, float]] = {
    "the defaults": {},
    "n = 400, k = 1": {"burst_length": 400, "draft_length": 1},
    "n = 400, k = 32": {"burst_length": 400, "draft_length": 32},
    "n = 400, k = 32, spread 0.3": {"burst_length": 400, "draft_length": 32, "deviation": 0.3},
    "n = 400, k = 32, spread 0.16": {"burst_length": 400, "draft_length": 32, "deviation": 0.16},
    "n = 400, k = 32, decay 0.9, spread 0.3": {
        "burst_length": 400,
        "draft_length": 32,
        "decay": 0.9,
        "deviation": 0.3,
    },
    "a = 0.5, n = 400, k = 1, spread 0.16": {
        "acceptance_rate": 0.5,
        "burst_length": 400,
        "draft_length": 1,
        "deviation": 0.16,
    },
}
# Moves to these values, the acceptance rate aside so that nothing is kept from before, and gives the
# milliseconds until each source was replaced; one that is replaced by the same would never tell.
FOLLOW = """async ([values, sources]) => {
  const find = (name) => Bokeh.documents[0].get_model_by_name(name);
  const started = performance.now();
  const replaced = sources.map((name) => new Promise((done) => {
    const { change } = find(name).properties.data;
    const arrived = () => {
      change.disconnect(arrived);
      done(performance.now() - started);
    };
    change.connect(arrived);
  }));
  for (const [name, value] of Object.entries(values)) find(name).value = value;
  return Promise.all(replaced);
}"""


def report() -> None:
    """Print the section."""
    heading("sections: from a move to numbers, all five open; medians, Chromium, exported")
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        export(Path(name))
        address = (Path(name) / "burst.html").as_uri()
        page = opened(chromium, Subject("all open", f"{address}?open={'.'.join(tail.SECTIONS)}"))
        for setting, moved in SETTINGS.items():
            _report(page, setting, DEFAULTS | moved)


def _report(page: Page, setting: str, values: Mapping[str, float]) -> None:
    """Print when the first view had its numbers, and when each section had its own."""
    names = ["readout", *(next(iter(tail.SOURCES[name])) for name in tail.SECTIONS)]
    rounds = []
    for turn in range(ROUNDS):
        aside = {"acceptance_rate": values["acceptance_rate"] - (turn + 1) / 100}
        rounds.append(page.evaluate(FOLLOW, [{**values, **aside}, names]))
    first, *sections = (median(times) for times in zip(*rounds, strict=True))
    *others, drafts = (time - REST for time in sections)
    each = ", ".join(f"{name} {time:.0f}" for name, time in zip(tail.SECTIONS, others, strict=False))
    line(f"first view, {setting}", first)
    line("  the last of four sections", max(others), f"{aim(max(others), FOLLOWS)} ({each})")
    line("  which k for the tail", drafts, aim(drafts, ALL_DRAFTS))
