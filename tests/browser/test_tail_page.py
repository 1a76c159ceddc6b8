"""The sections below the burst lab, served and exported: opened, filled, said, closed."""

import csv
import re
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from kept import Lead
from pages import LabPage, plain, until
from playwright.sync_api import Locator, Page, expect

from labs import burst
from labs.burst import pieces, tail

NUMBERS = {"acceptance_rate": 0.9, "draft_length": 10, "draft_cost": 0.1, "burst_length": 40}
OWN = {"run_length": 600, "decay": 1.0, "deviation": 0.0}
ALL_OPEN = f"open={'.'.join(tail.SECTIONS)}"
WAYS = pytest.mark.parametrize("way", ["served", "exported"])
FIRST_VIEW = """() => [...document.querySelectorAll("h1, .control, .readout > *, main > .figures figure")]
  .filter((e) => !e.closest(".below")).map((e) => JSON.stringify(e.getBoundingClientRect()))"""
# Whether the section holds these numbers, or nothing.
HOLDS = """([section, source, column, value]) => {
  const [found] = Bokeh.documents[0].get_model_by_name(source).data[column];
  return document.querySelector(`[data-section=${section}]`).open ? found === value : found === undefined;
}"""


def expected(section: str, **moved: float) -> dict[str, dict[str, list[Any]]]:
    """Return what Python computes for a section, its sources by name."""
    *_, last = tail.SECTIONS[section](**NUMBERS | OWN | moved)
    assert last is not None
    return {source: plain(last)[source] for source in tail.SOURCES[section]}


def timeout(**moved: float) -> float:
    """Return the timeout that 99 % of runs survive."""
    return expected("run", **moved)["run"]["timeout_99"][0]


def summary(lab: LabPage, section: str) -> Any:  # noqa: ANN401 - a locator
    return lab.page.locator(f"[data-section={section}] > summary")


def says(lab: LabPage, section: str) -> Locator:
    return lab.page.locator(f"[data-section={section}] > .says")


def await_run(lab: LabPage, expected: float | None) -> None:
    """Wait until a run's timeout is this one, or until the section holds nothing."""
    until(lab.page, HOLDS, arg=["run", "run", "timeout_99", expected])


def test_what_a_section_fills_is_what_is_declared() -> None:
    for name, section in tail.SECTIONS.items():
        *_, last = section(**NUMBERS | OWN)
        assert last is not None
        assert {source: set(columns) for source, columns in tail.SOURCES[name].items()} == {
            source: set(columns) for source, columns in last.items()
        }


@WAYS
def test_closed_sections_hold_nothing_and_opened_ones_what_python_computes(
    lab: LabPage, request: pytest.FixtureRequest, way: str
) -> None:
    lab.open(lab.address(request, "burst", way))
    for name in tail.SECTIONS:
        assert [] == [column for data in lab.below(name).values() for column in data.values() if column]
        summary(lab, name).click()
    for name in tail.SECTIONS:
        expect(says(lab, name)).not_to_be_empty()
        assert expected(name) == lab.below(name)


@WAYS
def test_sections_follow_the_sliders_of_the_first_view_and_their_own(lead: Lead, way: str) -> None:
    lab = lead("burst", way, "open=run.lengths")
    await_run(lab, 28.0)
    lab.press("draft_length", *["ArrowLeft"] * 7)
    await_run(lab, 23.400000000000002)
    lab.press("run_length", "Home")
    await_run(lab, timeout(draft_length=3, run_length=1))
    assert expected("run", draft_length=3, run_length=1) == lab.below("run")
    assert expected("lengths", draft_length=3) == lab.below("lengths")
    lab.drag("acceptance_rate", to=0.5)
    rate = lab.value("acceptance_rate")
    await_run(lab, timeout(acceptance_rate=rate, draft_length=3, run_length=1))


@WAYS
def test_the_timeout_stands_in_the_histogram_while_its_section_is_open(lead: Lead, way: str) -> None:
    lab = lead("burst", way)
    before, layout = lab.labels("histogram"), lab.page.evaluate(FIRST_VIEW)
    assert "timeout 28.0" not in before
    summary(lab, "run").evaluate("(e) => e.click()")
    await_run(lab, 28.0)
    assert "timeout 28.0" in lab.labels("histogram")
    assert layout == lab.page.evaluate(FIRST_VIEW)
    summary(lab, "run").evaluate("(e) => e.click()")
    await_run(lab, None)
    assert before == lab.labels("histogram")


@WAYS
def test_a_closed_section_leaves_its_sliders_at_their_defaults(
    lab: LabPage, request: pytest.FixtureRequest, way: str
) -> None:
    lab.open(lab.address(request, "burst", way) + "?open=run&run=2000&s=0.1")
    assert (2000, 0.1) == (lab.value("run_length"), lab.value("deviation"))
    assert lab.page.locator("[data-section=varying][open]").count() == 1
    varied = timeout(run_length=2000, deviation=0.1)
    await_run(lab, varied)
    summary(lab, "varying").click()
    await_run(lab, timeout(run_length=2000))
    summary(lab, "run").click()
    await_run(lab, None)
    assert (600, 0.0) == (lab.value("run_length"), lab.value("deviation"))
    lab.page.wait_for_url(lambda address: "run=" not in address and "open=" not in address)


def test_a_timeout_far_out_leaves_the_bars_their_room(lead: Lead) -> None:
    lab = lead("burst", query="open=run.varying&k=32&c=1&s=0.3&run=10000")
    late = timeout(draft_length=32, draft_cost=1.0, deviation=0.3, run_length=10_000)
    await_run(lab, late)
    assert late > 1060
    assert f"timeout {late:,.1f} →" in lab.labels("histogram")
    end = lab.page.evaluate("Bokeh.documents[0].get_model_by_name('histogram_x').end")
    assert end <= 1060


def test_a_picture_names_the_settings_that_its_plot_depends_on(lead: Lead) -> None:
    lab = lead("burst", query="open=draft_lengths.varying&s=0.1")
    expect(says(lab, "draft_lengths")).not_to_be_empty()
    for name, keys in (
        ("histogram", ["a", "k", "c", "n", "seed", "drawn"]),
        ("draft_lengths", ["a", "c", "n", "run", "d"]),
    ):
        with lab.page.expect_download() as download:
            lab.page.locator(f"[data-of={name}] [data-take=svg]").click()
        caption = Path(download.value.path()).read_text().rpartition("<text")[2]
        assert keys == re.findall(r"(\w+) = ", caption)


@WAYS
def test_a_drag_is_never_held_up_and_the_last_position_wins(lead: Lead, way: str) -> None:
    lab = lead("burst", way, f"{ALL_OPEN}&s=0.16&k=32&n=200")
    lab.drag("burst_length", to=0.9, moves=30)
    lab.drag("acceptance_rate", to=0.4, moves=30)
    length, rate = lab.value("burst_length"), lab.value("acceptance_rate")
    lab.settle(burst_length=length, acceptance_rate=rate)
    moved = {"burst_length": length, "acceptance_rate": rate, "draft_length": 32, "deviation": 0.16}
    await_run(lab, timeout(**moved))
    likeliest = expected("sample", **moved)["sample_band"]["likeliest"][0]
    until(lab.page, HOLDS, arg=["sample", "sample_band", "likeliest", likeliest])
    for name in tail.SECTIONS:
        assert expected(name, **moved) == lab.below(name)


def test_a_section_hides_its_answers_until_a_guess_is_made(lead: Lead) -> None:
    lab = lead("burst", query="open=run&predict=1")
    await_run(lab, 28.0)
    assert "20.0" not in lab.page.inner_text("main")
    lab.page.locator("#guess").fill("20")
    lab.page.keyboard.press("Enter")
    expect(says(lab, "run")).to_contain_text("20.0", use_inner_text=True)


def test_a_sections_numbers_can_be_taken_away(lead: Lead) -> None:
    lab = lead("burst", query="open=lengths")
    expect(says(lab, "lengths")).not_to_be_empty()
    with lab.page.expect_download() as download:
        lab.page.locator("[data-of=lengths] [data-take=csv]").click()
    title, settings, header, *rows = Path(download.value.path()).read_text().splitlines()
    assert "Speedup of the typical and of the unlucky burst" in title
    assert "bursts in a run" not in settings  # they do not depend on it
    assert next(csv.reader([header]))[:2] == ["burst length [tokens]", "p50 [target passes]"]
    assert 400 == len(rows)
    assert rows[39].startswith("40,12,16,20,24,")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_with_the_sections_open(page: Page, folder: Path, theme: str) -> None:
    lab = LabPage(page).open((folder / "burst.html").as_uri() + f"?{ALL_OPEN}&ms=30&theme={theme}")
    expect(page.locator("[data-section=sample] > .says")).not_to_be_empty()
    assert Axe().run(page).response["violations"] == []
    small = page.locator(".below :is(button, summary, input):visible").evaluate_all(
        "(all) => all.filter((e) => e.getBoundingClientRect().height < 24).map((e) => e.outerHTML)"
    )
    assert small == []
    assert lab.complaints == []


@pytest.mark.parametrize("width", [320, 390])
def test_a_narrow_page_does_not_scroll_sideways_with_the_sections_open(lead: Lead, width: int) -> None:
    lab = lead("burst", query=f"{ALL_OPEN}&ms=30&s=0.1").resize(width)
    expect(says(lab, "sample")).not_to_be_empty()
    assert lab.page.evaluate("document.documentElement.scrollWidth") == width


def test_the_sections_share_the_burst_labs_numbers() -> None:
    assert tuple(burst.State.controls())[:4] == tail.SETTING[:4] == pieces.Setting._fields[:4]


def test_each_table_that_is_taken_away_names_as_many_columns_as_it_has(lead: Lead) -> None:
    lab = lead("burst")
    tables = lab.page.evaluate(
        """() => Object.values(GuessAhead.views.burst.sections)
          .flatMap(({ tables = {} }) => Object.values(tables).map(([, columns]) => Object.values(columns)))"""
    )
    assert len(tables) == 6
    for names in tables:
        assert names == ",".join(names).split(",")


@pytest.mark.parametrize("width", [390, 1280])
def test_what_stands_at_a_lines_end_is_not_cut(lead: Lead, width: int) -> None:
    lab = lead("burst", query="open=lengths.draft_lengths").resize(width)
    expect(says(lab, "draft_lengths")).not_to_be_empty()
    beyond = lab.page.evaluate(
        """() => ["lengths", "draft_lengths"].flatMap((plot) => {
          const find = (name) => Bokeh.documents[0].get_model_by_name(name);
          const { frame } = Bokeh.index.find_one(find(`${plot}_figure`));
          const { x, dx, text, align } = find(`${plot}_labels`).data;
          const pen = document.createElement("canvas").getContext("2d");
          pen.font = "13px system-ui, sans-serif";
          return text.filter((words, i) => align[i] === "left"
            && frame.x_scale.compute(x[i]) + dx[i] + pen.measureText(words).width > frame.bbox.right);
        })"""
    )
    assert [] == beyond
