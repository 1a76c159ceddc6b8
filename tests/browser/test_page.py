"""The page around the plots: colours, tooltips, keys, names for those who do not see it, messages."""

import subprocess
import sys
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import param
import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import free_port, wait_for
from kept import Lead
from pages import DEFAULTS, LABS, READY, LabPage, plain, until
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from app.page import full
from labs import burst, flatten
from labs.theme import COLOURS

MEANT = {colour: (meaning, dark) for meaning, pair in COLOURS.items() for dark, colour in enumerate(pair)}
SURE = {
    "flatten": "curve",
    "burst": "accepted",
    "peaks": "rate_95",
}  # drawn without transparency, over more than a pixel
TIP = ".bk-tooltip-content"
# All texts that are properties of Bokeh's models, and the labels' colours.
WORDS = """() => [...Bokeh.documents[0]._all_models.values()].flatMap((model) => [
  ...[...model].map((property) => (property.is_unset ? null : property.get_value())),
  ...(model.type === "ColumnDataSource" ? model.data.colour ?? [] : []),
].map((value) => value?.value ?? value).filter((value) => typeof value === "string"))"""
PLACE = """([plot, x, y]) => {
  const { canvas_view, frame } = Bokeh.index.find_one(Bokeh.documents[0].get_model_by_name(`${plot}_figure`));
  const { left, top } = canvas_view.events_el.getBoundingClientRect();
  return [left + frame.x_scale.compute(x), top + frame.y_scale.compute(y)];
}"""
FOCUSED = """() => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const named = document.getElementById(at.getAttribute("aria-labelledby"));
  const name = at.labels?.[0]?.textContent ?? at.ariaLabel ?? (named ?? at).textContent;
  return at === document.body ? "" : `${at.getAttribute("role") ?? at.type ?? at.localName} ${name.trim()}`;
}"""


def worn(lab: LabPage) -> set[tuple[str, int]]:
    """Return the colours of all that is drawn: their meanings, and 0 for light or 1 for dark."""
    return {MEANT[word] for word in lab.page.evaluate(WORDS) if word in MEANT}


def painted(lab: LabPage) -> set[tuple[str, int]]:
    """Return the colours of the first plot's pixels."""
    picture = Image.open(BytesIO(lab.page.locator("figure").first.screenshot())).convert("RGB")
    colours = {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue) in picture.getcolors(2**24)}
    return {MEANT[colour] for colour in colours & set(MEANT)}


def assert_all(lab: LabPage, name: str, dark: int) -> None:
    assert {dark} == {shade for _, shade in worn(lab)}
    sure = {"paper", SURE[name]}
    assert {(meaning, dark) for meaning in sure} == {pair for pair in painted(lab) if pair[0] in sure}


@pytest.mark.parametrize(
    ("system", "address", "dark"),
    [
        ("dark", "flatten.html", 1),
        ("light", "flatten.html?theme=dark", 1),
        ("dark", "burst.html?theme=light", 0),
    ],
)
def test_colours_are_those_of_the_system_or_of_the_address(
    lab: LabPage, folder: Path, system: str, address: str, dark: int
) -> None:
    lab.page.emulate_media(color_scheme=system)
    lab.open(f"{folder.as_uri()}/{address}")
    assert_all(lab, address.partition(".")[0], dark)


@pytest.mark.parametrize("name", LABS)
def test_colours_change_with_the_system(lead: Lead, name: str) -> None:
    lab = lead(name)
    meanings = {meaning for meaning, _ in worn(lab)}
    assert meanings >= {"paper", "ink", "quiet", "grid", "loss"}
    for dark, system in enumerate(("light", "dark", "light")):
        lab.page.emulate_media(color_scheme=system)
        deadline = time.monotonic() + 5  # pages hear of it with a frame
        while {dark % 2} != {shade for _, shade in worn(lab)} and time.monotonic() < deadline:
            lab.page.wait_for_timeout(20)
        assert_all(lab, name, dark % 2)
        assert meanings == {meaning for meaning, _ in worn(lab)}


@pytest.fixture
def touched(browser: Browser) -> Iterator[LabPage]:
    """Give a page on a screen that is touched."""
    context = browser.new_context(has_touch=True, viewport={"width": 1280, "height": 1000})
    yield LabPage(context.new_page())
    context.close()


def tell(step: int) -> str:
    trace = {name: column[step - 1] for name, column in burst.columns(**DEFAULTS["burst"])["trace"].items()}
    return (
        f"Step {step}: {trace['accepted']} of 10 guesses accepted, then the target's own token: "
        f"{trace['settled']} settled, {trace['total']} so far. The burst needs 40."
    )


def test_a_mouse_over_a_step_gets_it_told(lead: Lead) -> None:
    lab = lead("burst")
    lab.page.locator("figure").first.scroll_into_view_if_needed()
    for step in (1, 2):
        lab.page.mouse.move(*lab.page.evaluate(PLACE, ["trace", 0.5, step]))
        expect(lab.page.locator(TIP)).to_have_text(tell(step), use_inner_text=True)


def test_a_finger_on_a_step_gets_it_told(touched: LabPage, folder: Path) -> None:
    touched.open((folder / "burst.html").as_uri())
    touched.page.locator("figure").first.scroll_into_view_if_needed()
    for step in (1, 2):
        touched.page.touchscreen.tap(*touched.page.evaluate(PLACE, ["trace", 0.5, step]))
        expect(touched.page.locator(TIP)).to_have_text(tell(step), use_inner_text=True)


@pytest.mark.parametrize("name", ["index", "embed", "teacher", *LABS])
def test_axe_finds_nothing(page: Page, folder: Path, name: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto((folder / f"{name}.html").as_uri())
    if name in LABS:
        until(page, READY)
    for system in ("light", "dark"):
        page.emulate_media(color_scheme=system)
        assert [] == [(found["id"], found["nodes"]) for found in Axe().run(page).response["violations"]]


def test_axe_finds_nothing_where_all_seats_are_taken(page: Page) -> None:
    page.set_content(full("flatten", "a=0.5", 20))
    for system in ("light", "dark"):
        page.emulate_media(color_scheme=system)
        assert [] == [(found["id"], found["nodes"]) for found in Axe().run(page).response["violations"]]


@pytest.mark.parametrize("name", LABS)
def test_tab_goes_from_control_to_control_in_their_order_and_nowhere_else(
    lab: LabPage, folder: Path, name: str
) -> None:
    lab.open((folder / f"{name}.html").as_uri())
    plots = lab.page.locator("figure:visible h2").all_inner_texts()
    expected = ["switch predict first", "button copy link"]
    for key, parameter in LABS[name].State.controls().items():
        if key == "utilisation":
            expected += ["summary when compute is not idle"]
        elif key not in {"drawn", "position_rates"}:
            expected += [f"{kind} {parameter.label}" for kind in ("number", "slider")]
    expected += [f"button {trial.label}" for trial in LABS[name].TRIALS] + ["button reset"]
    if name == "burst":
        expected += ["button draw again", "button back to seed 0", "radio first"]
    for plot in plots:
        takes = [f"button {kind}: {plot}" for kind in ("CSV", "PNG", "SVG")]
        expected += ["summary Why it looks like this", *takes]
    if name == "peaks":
        expected += ["region The same, in numbers", "button CSV: the table"]
    expected += [f"summary {question}" for question in lab.page.locator("h3").all_inner_texts()]
    expected += ["button copy citation"]
    actual = []
    for _ in [*expected, "the page itself"]:
        lab.page.keyboard.press("Tab")
        actual.append(lab.page.evaluate(FOCUSED))
    assert [*expected, ""] == actual


@pytest.mark.parametrize("name", LABS)
def test_plots_are_named_pictures_and_handles_are_large(lead: Lead, name: str) -> None:
    lab = lead(name)
    for figure in lab.page.locator("figure:visible").all():
        picture = figure.get_by_role("img", name=figure.locator("h2").inner_text())
        assert "-1" == picture.get_attribute("tabindex")
    for width in (1280, 390):
        lab.resize(width)
        sliders = [slider.bounding_box() for slider in lab.page.get_by_role("slider").all()]
        numbers = [p for p in LABS[name].State.controls().values() if isinstance(p, param.Number)]
        closed = name == "peaks"  # the section with the other slider
        assert len(numbers) - closed == len(sliders)
        assert min(min(box["width"], box["height"]) for box in sliders) >= 24  # pixels: WCAG 2.2, 2.5.8


def test_a_move_is_answered_by_one_change(lab: LabPage, server: str) -> None:
    frames: list[str] = []
    lab.page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame)))
    )
    lab.open(f"{server}/burst")
    lab.page.wait_for_timeout(500)
    frames.clear()
    lab.press("acceptance_rate", "ArrowLeft")
    lab.settle(acceptance_rate=0.89)
    assert 1 == sum('"PATCH-DOC"' in frame for frame in frames)


def test_tabs_do_not_share_a_state(lead: Lead, server: str) -> None:
    lab = lead("flatten", "served")
    lab.press("acceptance_rate", "Home")
    lab.settle(acceptance_rate=0)
    other = LabPage(lab.page.context.new_page()).open(f"{server}/flatten")
    assert plain(flatten.columns(**DEFAULTS["flatten"])) == other.columns()
    other.press("acceptance_rate", "End")
    other.settle(acceptance_rate=0.99)
    lab.press("draft_cost", "Home")
    lab.settle(draft_cost=0)
    assert plain(flatten.columns(0, 0)) == lab.columns()
    other.page.close()


def test_the_labs_are_served_at_the_address_asked_for_alone() -> None:
    port = free_port()
    command = [sys.executable, "-m", "app", "serve", "--address", "127.0.0.2", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT) as process:  # noqa: S603
        try:
            wait_for(f"http://127.0.0.2:{port}/")
            with pytest.raises(URLError):
                urlopen(f"http://127.0.0.1:{port}/", timeout=10)
        finally:
            process.terminate()


SMALL = """() => [...document.querySelectorAll("a, button, input, summary")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }))
  .map((e) => [e.textContent || e.id, (e.type === "checkbox" ? e.parentElement : e).getBoundingClientRect()])
  .filter(([, { width, height }]) => Math.min(width, height) < 24)
  .map(([name]) => name)"""


@pytest.mark.parametrize("name", ["index", *LABS])
def test_all_that_can_be_pressed_is_large_enough(page: Page, folder: Path, name: str) -> None:
    page.goto(f"{(folder / f'{name}.html').as_uri()}?predict=1")
    if name in LABS:
        until(page, READY)
    page.locator("details").evaluate_all("(all) => all.forEach((details) => { details.open = true; })")
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        until(page, "(width) => document.documentElement.scrollWidth === width", width)
        assert [] == page.evaluate(SMALL)  # pixels: WCAG 2.2, 2.5.8


@pytest.mark.parametrize("name", LABS)
def test_axe_finds_nothing_with_all_open_and_a_question_asked(page: Page, folder: Path, name: str) -> None:
    for query in ("?predict=1&a=x&c=x", "?theme=dark"):
        LabPage(page).open((folder / f"{name}.html").as_uri() + query)
        page.locator("details").evaluate_all("(all) => all.forEach((details) => { details.open = true; })")
        page.locator(".trials button").first.click()
        until(page, "() => [...document.querySelectorAll('th')].every((cell) => cell.textContent.trim())")
        assert [] == [(found["id"], found["nodes"]) for found in Axe().run(page).response["violations"]]
