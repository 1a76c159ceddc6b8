"""What a reader takes away: numbers to the last bit, labelled pictures, a citation, a printed page."""

import csv
import re
import time
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import param
import pytest
from kept import Lead
from pages import DEFAULTS, LABS, LabPage, until
from PIL import Image, ImageChops

from labs.theme import COLOURS

PLOTS = {"flatten": ["tokens", "speedup"], "burst": ["trace", "histogram"], "peaks": ["peaks"]}
TABLES = PLOTS | {"peaks": ["peaks", "table"]}
COLUMNS = {
    "tokens": ("curve", ["draft_length", "tokens_per_step"]),
    "speedup": ("curve", ["draft_length", "speedup"]),
    "trace": ("trace", ["step", "accepted", "settled", "total"]),
    "histogram": ("histogram", ["finish_time", "bursts", "exact"]),
    "peaks": ("curves", ["draft_length", *(f"speedup_{rate}" for rate in (50, 70, 80, 85, 90, 95))]),
    "table": (
        "peaks",
        [
            "acceptance_rate",
            "best_draft_length",
            "tokens_per_step",
            "speedup",
            "ceiling",
            *(f"loss_{k}" for k in (3, 5, 8)),
            "break_even_utilisation",
        ],
    ),
}
SETTINGS = {
    "flatten": ("a=0.37&c=0.07", {"acceptance_rate": 0.37, "draft_cost": 0.07}),
    "burst": ("a=0.77&k=7&c=0.13", {"acceptance_rate": 0.77, "draft_length": 7, "draft_cost": 0.13}),
    "peaks": ("c=0.035&b=0.15", {"draft_cost": 0.035, "utilisation": 0.15}),
}


def taken(lab: LabPage, plot: str, kind: str) -> bytes:
    with lab.page.expect_download() as download:
        lab.page.locator(f"[data-of={plot}] [data-take={kind}]").click()
    assert f"guess-ahead-{lab.page.locator('main').get_attribute('data-lab')}-{plot}.{kind}" == (
        download.value.suggested_filename
    )
    return Path(download.value.path()).read_bytes()


@pytest.mark.parametrize("way", ["served", "exported"])
@pytest.mark.parametrize("name", LABS)
def test_a_csv_read_back_is_the_model_to_the_last_bit(lead: Lead, name: str, way: str) -> None:
    query, values = SETTINGS[name]
    lab = lead(name, way, query).settle(**values)
    for plot in TABLES[name]:
        assert_is_the_model(taken(lab, plot, "csv").decode(), name, plot)


def assert_is_the_model(text: str, name: str, plot: str) -> None:
    source, names = COLUMNS[plot]
    columns = LABS[name].columns(**DEFAULTS[name] | SETTINGS[name][1])[source]
    read = np.genfromtxt(text.splitlines(), delimiter=",", skip_header=3)
    expected = np.column_stack([np.asarray(columns[column], dtype=float) for column in names])
    assert np.array_equal(expected, read)
    title, settings, header = text.splitlines()[:3]
    assert title.startswith(f"# Guess Ahead 0.1.0. {LABS[name].TITLE}: ")
    for parameter in LABS[name].State.controls().values():
        assert parameter.label in settings or isinstance(parameter, param.String)  # none is given
    [row] = csv.reader([header])
    assert len(names) == len(row)
    assert "[" in header  # units


def test_an_endless_best_is_written_as_a_number_too(lead: Lead) -> None:
    lab = lead("peaks", query="c=0")
    rows = taken(lab, "table", "csv").decode().splitlines()[3:]
    assert [float("inf")] * 6 == [float(row.split(",")[1]) for row in rows]


@pytest.mark.parametrize("name", LABS)
def test_an_svg_holds_title_labels_keys_and_settings_on_paper(lead: Lead, name: str) -> None:
    lab = lead(name)
    for dark, system in ((1, "dark"), (0, "light")):
        lab.page.emulate_media(color_scheme=system)
        lab.page.wait_for_function(
            "([name, colour]) => Bokeh.documents[0].get_model_by_name(name).data.colour.includes(colour)",
            arg=[f"{PLOTS[name][0]}_labels", COLOURS["ink" if name != "burst" else "quiet"][dark]],
        )
        for plot in PLOTS[name]:
            assert_holds_all(lab, plot, COLOURS["paper"][dark])


def assert_holds_all(lab: LabPage, plot: str, paper: str) -> None:
    root = ET.fromstring(taken(lab, plot, "svg"))  # noqa: S314 - made by the page under test
    texts = {text for element in root.iter() if (text := (element.text or "").strip())}
    figure = lab.page.locator(f"[data-plot={plot}]")
    expected = {
        figure.locator("h2").inner_text(),
        *lab.labels(plot),
        *figure.locator(".key").all_inner_texts(),
    }
    assert expected <= texts
    settings = next(text for text in texts if text.endswith("· Guess Ahead"))
    keys = lab.page.evaluate("[...new URLSearchParams(location.search).keys()]")
    assert all(f"{key} = " in settings for key in keys)
    assert paper == root.find("{http://www.w3.org/2000/svg}rect").get("fill")


PLACES = """(plot) => {
  const find = (name) => Bokeh.documents[0].get_model_by_name(name);
  const { bbox, frame: { x_scale, y_scale } } = Bokeh.index.find_one(find(`${plot}_figure`));
  const { x, y, dx, dy, text } = find(`${plot}_labels`).data;
  const place = (_, i) => [x_scale.compute(x[i]) + dx[i], y_scale.compute(y[i]) - dy[i]];
  return [bbox.width, Array.from(text, place)];
}"""
ERASE = """(plot) => {
  const labels = Bokeh.documents[0].get_model_by_name(`${plot}_labels`);
  labels.data = { ...labels.data, text: labels.data.text.map(() => "") };
}"""


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("name", LABS)
def test_a_png_holds_the_labels_on_paper(lead: Lead, name: str, width: int) -> None:
    lab = lead(name).resize(width, 900)
    for plot in PLOTS[name]:
        assert_shows_labels(lab, plot)


def assert_shows_labels(lab: LabPage, plot: str) -> None:
    plotted, labels = lab.page.evaluate(PLACES, plot)
    with_labels = Image.open(BytesIO(taken(lab, plot, "png"))).convert("L")
    assert 2 * max(plotted, 560) == with_labels.width  # room for title and settings beside a phone's plot
    assert 255 == with_labels.getpixel((2, 2))
    lab.page.evaluate(ERASE, plot)
    without = Image.open(BytesIO(taken(lab, plot, "png"))).convert("L")
    changed = ImageChops.difference(with_labels, without)
    top = with_labels.height - 2 * (360 + 26)
    for x, y in labels:
        around = changed.crop(
            (int(2 * x - 20), int(top + 2 * y - 14), int(2 * x + 20), int(top + 2 * y + 14))
        )
        assert around.getextrema()[1] > 60, "ink of a label"


CUT = """(picture) => {
  const svg = new DOMParser().parseFromString(picture, "image/svg+xml").documentElement;
  document.body.append(svg);
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll(":scope > text")];
  return texts.filter((text) => text.getBoundingClientRect().right > frame.right).map((e) => e.textContent);
}"""


@pytest.mark.parametrize("name", LABS)
def test_no_text_of_a_picture_is_cut_on_a_phone(lead: Lead, name: str) -> None:
    lab = lead(name).resize(360, 900)
    for plot in PLOTS[name]:
        assert [] == lab.page.evaluate(CUT, taken(lab, plot, "svg").decode())


def test_the_citation_names_the_settings_and_follows_them(lead: Lead, server: str) -> None:
    lab = lead("flatten", "served")
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.press("acceptance_rate", "ArrowLeft")
    lab.settle(acceptance_rate=0.79)
    lab.page.get_by_role("button", name="copy citation").click()
    lab.page.get_by_role("button", name="copied").wait_for()
    citation = lab.page.evaluate("navigator.clipboard.readText()")
    link = re.escape(f"{server}/flatten?a=0.79&c=0.10")
    assert re.match(rf"Guess Ahead 0.1.0, “Watch it flatten”, a = 0.79, c = 0.10. {link}\. ", citation)
    assert "arXiv:2211.17192" in citation
    until(lab.page, "(text) => document.querySelector('cite').textContent === text", citation)


@pytest.mark.parametrize("name", LABS)
def test_paper_gets_pictures_in_light_colours_and_every_why(lab: LabPage, folder: Path, name: str) -> None:
    lab.page.emulate_media(color_scheme="dark")
    lab.open((folder / f"{name}.html").as_uri())
    before = lab.sources(), lab.page.locator("details[open], svg").count()
    lab.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    lab.page.emulate_media(media="print")
    plots = len(PLOTS[name])
    pictures = lab.page.locator("svg.printed")
    assert plots == pictures.count()
    assert all(picture.is_visible() for picture in pictures.all())
    papers = pictures.evaluate_all("(all) => all.map((e) => e.querySelector('rect').getAttribute('fill'))")
    assert {COLOURS["paper"][0]} == set(papers)
    assert plots == lab.page.locator(".why[open]").count()
    assert lab.page.locator("figure button:visible, .tools:visible").count() == 0
    lab.page.evaluate("dispatchEvent(new Event('afterprint'))")
    lab.page.emulate_media(media="screen", color_scheme="dark")
    deadline = time.monotonic() + 30
    while before != (lab.sources(), lab.page.locator("details[open], svg").count()):
        assert time.monotonic() < deadline, "the page is not as it was"
        lab.page.wait_for_timeout(50)


def test_printing_gives_pictures_to_the_paper_and_the_page_back(lab: LabPage, folder: Path) -> None:
    lab.open((folder / "flatten.html").as_uri())
    count = "document.querySelectorAll('.printed').length"
    lab.page.evaluate(f"addEventListener('beforeprint', () => {{ window.printed = {count}; }})")
    lab.page.pdf()
    assert [2, 0] == lab.page.evaluate(f"[printed, {count}]")
