"""The exported pages in a real browser: from the disk, in frames, under a strict policy, with no network."""

import gzip
import re
from pathlib import Path

import pytest
import stills
from kept import Lead
from pages import DEFAULTS, LABS, LAYOUT, VARIANTS, LabPage, assert_alive, plain, until
from playwright.sync_api import Browser, Page, Route, expect

from app import page as parts
from app.export import export

PLOT = {"flatten": "speedup", "burst": "histogram", "peaks": "peaks"}
PLOTS = {"flatten": 2, "burst": 2, "peaks": 1}
OWN_WEIGHT, SECOND_WEIGHT = 45_000, 25_000  # bytes above BokehJS, gzipped


@pytest.mark.parametrize("path", VARIANTS)
def test_sliders_are_alive_from_the_disk(lab: LabPage, folder: Path, path: str) -> None:
    lab.open((folder / path).as_uri())
    assert_alive(lab, path)


@pytest.mark.parametrize("network", ["refused", "hanging"])
@pytest.mark.parametrize("name", LABS)
def test_no_network_is_needed(page: Page, folder: Path, name: str, network: str) -> None:
    asked = []

    def answer(route: Route) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
            return
        asked.append(route.request.url)
        if network == "refused":
            route.abort()

    page.route("**/*", answer)
    assert_alive(LabPage(page).open((folder / f"{name}.html").as_uri()), f"{name}.html")
    assert asked == []


@pytest.mark.parametrize("name", LABS)
def test_a_page_names_no_other_address(folder: Path, name: str) -> None:
    text = re.sub(
        r"<script.*?</script>", "<script></script>", (folder / f"{name}.html").read_text(), flags=re.DOTALL
    )
    assert set(re.findall(r'<link[^>]*href="([^"]*)"', text)) == {"data:,"}
    assert re.findall(r'[^-]src="|@import|url\((?!#)', text) == []


@pytest.mark.parametrize("name", LABS)
def test_a_page_weighs_little_beside_bokehjs(folder: Path, name: str) -> None:
    bokehjs = sum(
        len(gzip.compress(path.read_bytes(), 9)) for path in (folder / "shared/static").glob("bokeh*")
    )
    own = len(gzip.compress((folder / f"{name}.html").read_bytes(), 9)) - bokehjs
    second = len(gzip.compress((folder / f"shared/{name}.html").read_bytes(), 9))
    assert 0 < own <= OWN_WEIGHT
    assert second <= SECOND_WEIGHT


def test_the_same_version_exports_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    export(tmp_path)
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 9
    for path in files:
        assert (tmp_path / path).read_bytes() == (folder / path).read_bytes()


@pytest.mark.parametrize("name", LABS)
def test_without_scripts_the_plots_stand_as_pictures(browser: Browser, folder: Path, name: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((folder / f"{name}.html").as_uri())
    assert page.locator("figure svg:visible").count() == PLOTS[name]
    assert page.locator("noscript p").is_visible()
    for why in page.locator("main > .figures .why").all():
        why.locator("summary").click()
        assert all(bold.is_visible() for bold in why.locator("b").all())
    page.context.close()


def test_no_still_is_stale(browser: Browser, folder: Path) -> None:
    def numbers(svg: str) -> tuple[list[str], list[float]]:
        parts = re.split(r"((?<=[ \"(,])-?\d+(?:\.\d+)?(?=[ \"),]))", svg)
        return parts[::2], [float(number) for number in parts[1::2]]

    for name, svg in stills.draw(browser, folder).items():
        drawn, kept = numbers(svg), numbers(parts.asset(f"stills/{name}"))
        assert drawn[0] == kept[0], f"{name} is stale: make stills"
        assert kept[1] == pytest.approx(
            drawn[1], abs=8
        )  # pixels: fonts differ in width from machine to machine


# Whether the page is as wide as its window, and a plot has been laid out within it.
NARROW = """([name, width]) => document.documentElement.scrollWidth === width
  && Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name(name)).bbox.width < width"""


@pytest.mark.parametrize("name", LABS)
def test_a_resized_page_stays_right(lead: Lead, name: str) -> None:
    lab = lead(name).resize(1400)
    wide = lab.labels(PLOT[name])
    for width in (1000, 700, 320):
        lab.resize(width)
        until(lab.page, NARROW, arg=[f"{PLOT[name]}_figure", width])
    lab.resize(1400)
    same = "([name, texts]) => `${Bokeh.documents[0].get_model_by_name(name).data.text}` === texts"
    until(lab.page, same, arg=[f"{PLOT[name]}_labels", ",".join(wide)])
    assert plain(LABS[name].columns(**DEFAULTS[name])) == lab.columns()


def test_the_home_page_shows_a_plot_of_each_lab_and_what_is_exact(page: Page, folder: Path) -> None:
    page.goto((folder / "index.html").as_uri())
    assert len(LABS) + 1 == page.locator(".cards svg:visible").count()
    for exact in ("k = 13", "2.27–6.38×"):
        expect(page.get_by_role("cell", name=exact)).to_be_visible()


def test_the_home_page_leads_to_every_lab_from_the_disk(page: Page, folder: Path) -> None:
    for name, lab in LABS.items():
        page.goto((folder / "index.html").as_uri())
        page.get_by_role("link", name=lab.TITLE).click()
        page.wait_for_url(f"**/{name}.html")


@pytest.mark.parametrize("query", ["", "a=0.5&c=0.2", "a=0.99&c=0.01", "a=0.1&c=0.5", "c=0"])
@pytest.mark.parametrize("name", LABS)
def test_served_and_exported_pages_are_the_same(lead: Lead, name: str, query: str) -> None:
    seen = []
    for way in ("served", "exported"):
        lab = lead(name, way, query)
        values = dict(pair.split("=") for pair in query.split("&") if pair)
        keys = {"a": "acceptance_rate", "c": "draft_cost"}
        known = {key: value for key, value in values.items() if keys[key] in DEFAULTS[name]}
        lab.settle(**{keys[key]: float(value) for key, value in known.items()})
        lab.page.wait_for_timeout(300)
        seen.append(
            (lab.sources(), lab.page.inner_text(".readout"), lab.summary(), lab.page.evaluate(LAYOUT))
        )
    served, exported = seen
    assert served == exported
