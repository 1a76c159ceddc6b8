"""`make stills`: each plot at its defaults as a picture, for readers whose browser runs no script."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from conftest import CHROMIUM, QUIET
from pages import LabPage
from playwright.sync_api import Browser, sync_playwright

from app import page
from app.export import export

SVG = """async (plot) => {
  const root = Bokeh.documents[0].get_model_by_name(`${plot}_figure`);
  return (await Bokeh.index.find_one(root).export("svg", false).to_blob()).text();
}"""
PLOTS = """() => [...document.querySelectorAll("main > .figures figure")]
  .map((figure) => figure.dataset.plot)"""


def draw(browser: Browser, folder: Path) -> dict[str, str]:
    """Return the plots of the labs exported into the folder, as the figures export themselves."""
    stills = {}
    for lab in page.PAGES:
        lab_page = LabPage(browser.new_page(viewport={"width": 1280, "height": 800}))
        lab_page.open((folder / f"{page.name(lab)}.html").as_uri())
        for plot in lab_page.page.evaluate(PLOTS):
            stills[f"{plot}.svg"] = tidy(lab_page.page.evaluate(SVG, plot), plot)
    return stills


def tidy(svg: str, plot: str) -> str:
    """Return a picture with ids in their order, coordinates to a tenth of a pixel, and many lines."""
    ids = {name: f"{plot}{i}" for i, name in enumerate(re.findall(r' id="(\w+)"', svg))}
    svg = re.sub(r'(id="|url\(#)(\w+)', lambda found: found[1] + ids[found[2]], svg)
    svg = re.sub(r"<[^>]*>", _with_short_numbers, svg)
    svg = re.sub(r'width="(\d+)" height="(\d+)"', r'viewBox="0 0 \1 \2" \g<0>', svg, count=1)
    svg = re.sub(r'<text fill="none"[^>]*>[^<]*</text>', "", svg)  # outlines of no width
    return svg.replace("><", ">\n<") + "\n"


def _with_short_numbers(tag: re.Match[str]) -> str:
    return re.sub(r"\d+\.\d{2,}", lambda number: f"{float(number[0]):.1f}", tag[0])


if __name__ == "__main__":
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        export(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        for name, svg in draw(browser, Path(folder)).items():
            Path(str(page.ASSETS / "stills" / name)).write_text(svg, encoding="utf-8")
        browser.close()
