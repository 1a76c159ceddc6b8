"""Pages that stay open from test to test: opening a lab takes long, leading it elsewhere next to nothing."""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

from pages import DEFAULTS, LABS, LabPage, plain, until
from playwright.sync_api import Page

from labs import measured
from model.engines.reading import measure

Lead = Callable[..., LabPage]  # of a lab's name, a way of running it, and a query: Kept.lead
WIDTH, HEIGHT = 1280, 720  # Playwright's own window
# Puts back what an address does not hold, and leads the page to a query as back and forward do.
LEAD = """(query) => {
  document.activeElement.blur();
  scrollTo(0, 0);
  for (const why of document.querySelectorAll(".why[open]")) why.open = false;
  for (const line of document.querySelectorAll(".rates")) line.hidden = true; // its room, once taken, stays
  for (const field of document.querySelectorAll(".speeds input")) field.value = "";
  for (const choice of document.querySelectorAll(".speeds select")) choice.selectedIndex = 0;
  document.querySelector("[data-example]")?.click();
  history.replaceState(null, "", location.pathname + query);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
# Whether a page shows these numbers, and nothing in what is closed.
AS_OPENED = """(numbers) => {
  const find = (name) => Bokeh.documents[0].get_model_by_name(name);
  const closed = [...document.querySelectorAll("[data-sources]:not([open])")];
  const empty = (name) => Object.values(find(name).data).every(({ length }) => length === 0);
  const { data } = find("readout");
  return Object.entries(numbers).every(([name, value]) => String(data[name][0]) === String(value))
    && closed.flatMap(({ dataset }) => dataset.sources.split(" ")).every(empty);
}"""


@cache
def first_numbers(name: str) -> dict[str, Any]:
    """Return the readout of a page as it opens, as words where JSON has no number."""
    example = next(iter(measured.EXAMPLES.values()))
    columns = (
        LABS[name].columns(**DEFAULTS[name]) if name in LABS else measured.columns(measure(example), 1, 0.1)
    )
    numbers = {key: value for key, [value] in plain(columns)["readout"].items()}
    return {key: "NaN" if isinstance(x, float) and math.isnan(x) else x for key, x in numbers.items()}


class Kept:
    """The labs' pages that are open, one for each lab and way of running it."""

    def __init__(self, new_page: Callable[[], Page], address: Callable[[str, str], str]) -> None:
        """Take what opens an empty page, and what gives the address of a lab, served or exported."""
        self._new_page, self._address = new_page, address
        self._pages, self._used = dict[tuple[str, str], LabPage](), set[tuple[str, str]]()

    def lead(self, name: str, way: str = "exported", query: str = "") -> LabPage:
        """Return a lab's page as it is when it has been opened with this query."""
        self._used.add((name, way))
        if (name, way) not in self._pages:
            self._pages[name, way] = lab = LabPage(self._new_page())
            lab.open(self._address(name, way))
        lab = self._pages[name, way]
        lab.page.bring_to_front()  # in all others, frames and input come slowly
        if lab.page.viewport_size != {"width": WIDTH, "height": HEIGHT}:
            lab.resize(WIDTH, HEIGHT)
        lab.page.emulate_media(reduced_motion="no-preference")
        lab.page.evaluate(LEAD, "")
        until(lab.page, AS_OPENED, first_numbers(name))
        if query:
            lab.page.evaluate(LEAD, f"?{query}")
        return lab

    def release(self, *, failed: bool) -> list[str]:
        """Return what the pages complain of that were used since the last time; close them if any does."""
        used = [self._pages[key] for key in self._used if key in self._pages]
        complaints = [complaint for lab in used for complaint in lab.complaints]
        if complaints or failed:
            for lab in used:
                lab.page.close()
            self._pages = {key: lab for key, lab in self._pages.items() if key not in self._used}
        self._used.clear()
        return complaints
