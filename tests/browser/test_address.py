"""The address: it carries the whole state, strictly read, there and back, in both ways of running."""

import random
import re
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest
from kept import Lead
from pages import DEFAULTS, LABS, LabPage, plain
from playwright.sync_api import Page, expect
from twins import some_or_all

from labs import burst, flatten
from labs.burst import tail

MOVED = {
    "flatten": {"a": "0.63", "c": "0.27"},
    "burst": {"a": "0.71", "k": "5", "c": "0.33", "n": "77", "seed": "12", "drawn": "unlucky"},
    "peaks": {"c": "0.235", "b": "0.41"},
}
NAMES = {
    "a": "acceptance_rate",
    "k": "draft_length",
    "c": "draft_cost",
    "n": "burst_length",
    "b": "utilisation",
}
WAYS = pytest.mark.parametrize("way", ["served", "exported"])
READ = """(texts) => {
  const find = (name) => Bokeh.documents[0].get_model_by_name(name);
  const controls = GuessAhead.controls(find, (model) => Bokeh.index.find_one(model));
  return texts.map((text) => controls.map((control) => control.read(text, control.initial)));
}"""


def hostile_strings(count: int = 10_000) -> list[str]:
    """Return so many strings that are no number, and no two alike."""
    pieces = [
        "",
        " ",
        "\t",
        "\0",
        "%00",
        "²",
        "٣",
        "é",
        "e5",
        "0x",
        "NaN",
        "Infinity",
        "-",
        "+",
        ".",
        ",",
        "1",
        "9" * 40,
    ]
    pieces += [
        "<script>",
        "javascript:",
        "__proto__",
        "constructor",
        "${1}",
        "'",
        '"',
        "\\",
        "\u202e",
        "\ufeff",
        "😀",
    ]
    odd = random.Random(0)  # noqa: S311 - any strings will do, the same each time
    number = re.compile(r"[+-]?([0-9]{1,60}(\.[0-9]{0,60})?|\.[0-9]{1,60})")
    strings: dict[str, None] = {}
    while len(strings) < count:
        text = "".join(odd.choices(pieces, k=odd.randint(0, 12)))
        if not number.fullmatch(text):
            strings[text] = None
    return list(strings)


def state(values: dict[str, str]) -> dict[str, float]:
    return {NAMES.get(key, key): float(value) for key, value in values.items() if key != "drawn"}


@WAYS
@pytest.mark.parametrize("name", LABS)
def test_a_copied_link_opens_the_same_picture(
    lead: Lead, request: pytest.FixtureRequest, name: str, way: str
) -> None:
    address = LabPage.address(request, name, way)
    lab = lead(name, way, urlencode(MOVED[name])).settle(**state(MOVED[name]))
    lab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    lab.page.get_by_role("button", name="copy link").click()
    expect(lab.page.get_by_role("button", name="copied")).to_be_visible()
    link = lab.page.evaluate("navigator.clipboard.readText()")
    assert f"{address}?{urlencode(MOVED[name])}" == link
    shown = lab.sources(), lab.summary()
    values = dict(state(MOVED[name]).items())
    chosen = {"drawn": burst.State.param.drawn.objects[2]} if name == "burst" else {}
    assert (
        plain(LABS[name].columns(**{key: _typed(value) for key, value in values.items()} | chosen))
        == lab.columns()
    )
    other = LabPage(lab.page.context.new_page()).open(link).settle(**state(MOVED[name]))
    expect(other.page.locator(".summary")).to_have_text(shown[1])
    assert shown == (other.sources(), other.summary())
    other.page.close()


def _typed(value: float) -> float:
    return int(value) if value.is_integer() else value


@WAYS
def test_back_and_forward_lead_through_the_settings(
    lab: LabPage, request: pytest.FixtureRequest, way: str
) -> None:
    lab.open(lab.address(request, "flatten", way))
    lab.page.wait_for_url("**?a=0.80&c=0.10")
    lab.press("acceptance_rate", "Home")
    lab.page.wait_for_url("**?a=0.00&c=0.10")
    lab.press("draft_cost", "End")
    lab.page.wait_for_url("**?a=0.00&c=1.00")
    lab.page.go_back()
    lab.settle(acceptance_rate=0, draft_cost=0.1)
    assert lab.value("draft_cost") == 0.1
    lab.page.go_back()
    lab.settle(acceptance_rate=0.8, draft_cost=0.1)
    lab.page.go_forward()
    lab.settle(acceptance_rate=0, draft_cost=0.1)
    assert plain(flatten.columns(0, 0.1)) == lab.columns()
    lab.page.wait_for_timeout(500)
    lab.page.go_forward()
    lab.settle(acceptance_rate=0, draft_cost=1)


def test_a_lab_in_a_frame_adds_no_steps_to_the_posts_history(lab: LabPage, folder: Path) -> None:
    lab.open_hosted(folder, 'src="flatten.html"')
    before = lab.page.evaluate("history.length")
    lab.press("acceptance_rate", "Home")
    lab.settle(acceptance_rate=0)
    lab.frame.wait_for_url("**?a=0.00&c=0.10")
    assert before == lab.page.evaluate("history.length")


@pytest.mark.parametrize("name", LABS)
def test_the_address_carries_the_state_from_the_start(lab: LabPage, folder: Path, name: str) -> None:
    lab.open((folder / f"{name}.html").as_uri())
    keys = lab.page.evaluate("[...new URLSearchParams(location.search).keys()]")
    assert [key for key in MOVED[name] if key != "b"] == keys  # that slider's section is closed


@WAYS
@pytest.mark.parametrize("text", hostile_strings()[::500])
def test_a_hostile_address_gets_a_line_and_the_default(lead: Lead, text: str, way: str) -> None:
    odd = quote(text)
    lab = lead("flatten", way, f"a={odd}&c=0.3&theme={odd}&predict={odd}")
    lab.settle(draft_cost=0.3)
    assert plain(flatten.columns(**DEFAULTS["flatten"] | {"draft_cost": 0.3})) == lab.columns()
    notice = lab.page.get_by_role("alert").inner_text()
    for said in ("acceptance rate a (α): not a number", "theme:", "predict:"):
        assert said in notice


def test_an_odd_choice_of_the_burst_drawn_is_the_first(lead: Lead) -> None:
    lab = lead("burst", query="drawn=second")
    assert plain(burst.columns(**DEFAULTS["burst"])) == lab.columns()
    said = "burst drawn: none of first, typical, unlucky, so it is first."
    assert said == lab.page.locator(".notice span").inner_text()


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("a=0.5&a=0.6", "a: given more than once, so it is the default."),
        ("theme=dark&theme=light", "theme: neither light nor dark, so it is the system's."),
        (f"a={'9' * 20}", f"acceptance rate a (α): {'9' * 20} lies outside 0 to 0.99, taken as 0.99."),
        ("a=1.5", "acceptance rate a (α): 1.5 lies outside 0 to 0.99, taken as 0.99."),
        ("c=NaN", "draft cost c: not a number, so it is 0.10."),
        ("theme=Dark", "theme: neither light nor dark, so it is the system's."),
        ("utm_source=post&a=0.80", ""),
    ],
)
def test_what_is_odd_in_an_address_is_said_in_one_line(lead: Lead, query: str, says: str) -> None:
    lab = lead("flatten", query=query)
    notice = lab.page.locator(".notice")
    assert says == notice.locator("span").inner_text()
    assert bool(says) is notice.is_visible()


@some_or_all(1000, 10_000)
@pytest.mark.parametrize("name", LABS)
def test_no_hostile_string_is_taken_for_a_setting(lead: Lead, name: str, count: int) -> None:
    lab = lead(name)
    read = lab.page.evaluate(READ, hostile_strings(count))
    texts = [value for value in DEFAULTS[name].values() if isinstance(value, str)]
    numbers = [value for value in DEFAULTS[name].values() if not isinstance(value, str)]
    defaults = [*numbers, *(tail.State.defaults().values() if name == "burst" else ()), *texts]
    assert [defaults] * len(read) == [[value for value, _ in values] for values in read]
    assert all(message for values in read for _, message in values)


def test_where_nothing_may_be_copied_the_link_is_shown(page: Page, folder: Path) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    lab = LabPage(page).open((folder / "flatten.html").as_uri())
    lab.page.get_by_role("button", name="copy link").click()
    assert f"To copy: {lab.page.url}" == lab.page.locator(".notice span").inner_text()
    lab.page.get_by_role("button", name="dismiss").click()
    expect(lab.page.locator(".notice")).to_be_hidden()
