"""Rates by position carried along by a link: taken, said, dropped, and taken back, served and exported."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from kept import Lead
from pages import DEFAULTS, LABS, LAYOUT, LabPage, plain, until
from playwright.sync_api import expect
from test_position_rates import MEASURED
from test_takeaway import taken

from labs.burst import tail

KEYS = {"flatten": "a=0.81&c=0.05", "burst": "a=0.81&k=8&c=0.05"}
MOVED = {"acceptance_rate": 0.81, "draft_cost": 0.05, "position_rates": MEASURED}
WITH_RATES = {
    name: DEFAULTS[name] | MOVED | ({"draft_length": 8} if name == "burst" else {}) for name in KEYS
}
LINE = "Acceptance a₁, a₂ … by position: 78, 81.4, 83.5, 84.7 %, the last carried on; "
WAYS = pytest.mark.parametrize("way", ["served", "exported"])
NAMES = pytest.mark.parametrize("name", KEYS)
FOCUSED = "() => document.activeElement.shadowRoot?.activeElement?.getAttribute('aria-label')"


def expected(name: str, **moved: object) -> dict[str, Any]:
    return plain(LABS[name].columns(**WITH_RATES[name] | moved))


def with_rates(lead: Lead, name: str, more: str = "") -> LabPage:
    return lead(name, query=f"{KEYS[name]}&q={MEASURED}{more}").settle(position_rates=MEASURED)


@WAYS
@NAMES
def test_a_link_carries_rates_that_stay_until_a_is_moved_and_come_back(
    lab: LabPage, request: pytest.FixtureRequest, name: str, way: str
) -> None:
    lab.open(f"{lab.address(request, name, way)}?{KEYS[name]}&q={MEASURED}").settle(**MOVED)
    assert expected(name) == lab.columns()
    line = lab.page.locator(".rates")
    assert line.inner_text().startswith(LINE)
    place = lab.page.evaluate(LAYOUT)
    lab.press("draft_cost", "ArrowRight")
    lab.settle(draft_cost=0.06, position_rates=MEASURED)
    assert expected(name, draft_cost=0.06) == lab.columns()
    lab.page.wait_for_url("**c=0.06*")
    lab.press("acceptance_rate", "ArrowLeft")
    lab.settle(acceptance_rate=0.8, position_rates="")
    assert expected(name, draft_cost=0.06, acceptance_rate=0.8, position_rates="") == lab.columns()
    expect(line).to_be_hidden()
    until(lab.page, "() => !location.search.includes('q=')")
    assert place == lab.page.evaluate(LAYOUT)  # the line's room stays
    lab.page.go_back()
    lab.settle(draft_cost=0.06, acceptance_rate=0.81, position_rates=MEASURED)
    assert expected(name, draft_cost=0.06) == lab.columns()
    expect(line).to_be_visible()


@NAMES
def test_a_button_and_each_experiment_lead_back_to_one_rate(lead: Lead, name: str) -> None:
    lab = with_rates(lead, name)
    lab.page.get_by_role("button", name="use one a instead").click()
    lab.settle(acceptance_rate=0.81, position_rates="")
    assert expected(name, position_rates="") == lab.columns()
    assert "acceptance rate a (α)" == lab.page.evaluate(FOCUSED)
    lab = with_rates(lead, name, "&n=41" if name == "burst" else "")
    lab.page.get_by_role("button", name="reset").click()
    lab.settle(acceptance_rate=DEFAULTS[name]["acceptance_rate"], draft_cost=0.1, position_rates="")
    assert plain(LABS[name].columns(**DEFAULTS[name])) == lab.columns()


@pytest.mark.parametrize("rates", ["", "0.5_", "0.5_1.5", "0.5,0.6", "%3Cb%3E", "_".join(["0.5"] * 33)])
def test_odd_rates_in_an_address_get_a_line_and_one_rate_counts(lead: Lead, rates: str) -> None:
    lab = lead("flatten", query=f"{KEYS['flatten']}&q={rates}")
    said = "q: not up to 32 rates from 0 to 1 joined by _, so one a counts."
    assert said == lab.page.locator(".notice span").inner_text()
    assert expected("flatten", position_rates="") == lab.columns()
    until(lab.page, "() => !location.search.includes('q=')")
    expect(lab.page.locator(".rates")).to_be_hidden()


@NAMES
def test_no_word_of_the_page_speaks_of_one_rate(lead: Lead, name: str) -> None:
    lab = with_rates(lead, name, "&predict=1")
    assert "At the measured rates" in lab.page.inner_text(".prediction label")
    lab.page.locator("#predict").uncheck()
    first = {"flatten": "a₁ 0.78 > c 0.05", "burst": "1 − a₁ = 22 %"}[name]
    assert first == lab.output({"flatten": "why", "burst": "rejection"}[name])
    if name == "flatten":
        assert lab.summary().startswith("At the measured rates, draft 10 tokens ahead: 3.31×")
        assert {"ceiling 5.88", "one a = 0.81"} <= set(lab.labels("tokens"))


@NAMES
def test_what_is_taken_away_carries_the_rates(lead: Lead, name: str) -> None:
    lab = with_rates(lead, name)
    expect(lab.page.locator("cite")).to_contain_text(f"q = {MEASURED}")
    plot = {"flatten": "speedup", "burst": "histogram"}[name]
    head = taken(lab, plot, "csv").decode().splitlines()[1]
    assert f"acceptance by position, in place of a = {MEASURED}" in head
    assert "q = 0.78_0.814_0…" in taken(lab, plot, "svg").decode()


@WAYS
def test_the_sections_below_are_of_the_rates_too(lead: Lead, way: str) -> None:
    sections = ".".join(tail.SECTIONS)
    lab = lead("burst", way, f"{KEYS['burst']}&q={MEASURED}&open={sections}&d=0.95").settle(**MOVED)
    until(lab.page, "() => Bokeh.documents[0].get_model_by_name('varying_at').data.burst_length.length > 0")
    setting = (0.81, 8, 0.05, 40, 600, 0.95, 0.0, MEASURED)
    for name, section in tail.SECTIONS.items():
        *_, last = section(*setting)
        found = {source: plain(last)[source] for source in tail.SOURCES[name]}
        source, column = name, tail.SOURCES[name][name][-1]
        until(
            lab.page,
            "([source, column, value]) => "
            "Bokeh.documents[0].get_model_by_name(source).data[column][0] === value",
            [source, column, found[source][column][0]],
        )
        assert found == lab.below(name)
    says = lab.page.inner_text("[data-section=varying] > .says")
    assert says.startswith("Every first guess has an acceptance rate of 0.78")


@pytest.mark.parametrize(
    ("rates", "c", "says"),
    [
        ("0.9_1", "0.10", "if the last measured rate, 100 %, carries on: the speedup climbs towards 9.00×."),
        ("0.9_1", "0.00", "the speedup climbs towards the ceiling, ∞×."),
        ("0.8_0.9999", "0.10", "At the measured rates, draft"),
        ("0", "0.10", "Guessing does not pay: a₁ 0.00 ≤ c 0.10"),
    ],
)
def test_rates_at_their_ends_are_drawn_and_said(lead: Lead, rates: str, c: str, says: str) -> None:
    lab = lead("flatten", query=f"c={c}&q={rates}").settle(position_rates=rates)
    assert says in lab.summary()
    assert plain(LABS["flatten"].columns(0.8, float(c), rates)) == lab.columns()
    ends = "['tokens_y', 'speedup_y'].map((y) => Bokeh.documents[0].get_model_by_name(y).end)"
    curve = lab.columns()["curve"]
    for end, column in zip(lab.page.evaluate(ends), ("tokens_per_step", "speedup"), strict=True):
        assert max(curve[column]) < end < 20 * max(1, *curve[column])


@NAMES
def test_axe_finds_nothing_in_the_line_of_rates(lead: Lead, name: str) -> None:
    lab = with_rates(lead, name)
    assert [] == [(found["id"], found["nodes"]) for found in Axe().run(lab.page).response["violations"]]
