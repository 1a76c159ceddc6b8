"""Predict first: what gives the answer away waits for a guess, and then stands beside it."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from kept import Lead
from pages import DEFAULTS, LABS, LabPage
from playwright.sync_api import expect

from labs import burst, flatten, peaks

GUESSES = {"flatten": 4, "burst": 15, "peaks": 4}


def flatten_verdict() -> str:
    columns = flatten.columns(0.8, 0.1)
    return f"You guessed k = 4, {columns['curve']['speedup'][3]:.2f}×; the fastest is k = 6, 2.47×."


def burst_verdict() -> str:
    histogram = burst.columns(**DEFAULTS["burst"])["histogram"]
    late = np.sum(histogram["bursts"][histogram["finish_time"] > 15])
    return f"You guessed 15 passes: {late} of the 2,000 bursts take longer."


def peaks_verdict() -> str:
    there = peaks.columns(0.1, 0)["curves"]["speedup_90"][4]
    return f"You guessed k = 4, {there:.2f}×; the curve for 0.90 peaks at k = 10, 3.43×."


VERDICTS: dict[str, Callable[[], str]] = {
    "flatten": flatten_verdict,
    "burst": burst_verdict,
    "peaks": peaks_verdict,
}


def answers(lab: LabPage) -> list[str]:
    """Return the labels in plots that can be seen, and the marks of the best that are drawn."""
    labels = [
        text
        for plot in lab.page.locator("figure[data-plot] > figcaption:visible").all()
        for text in lab.labels(plot.locator("..").get_attribute("data-plot"))
    ]
    marks = lab.page.evaluate(
        "[...Bokeh.documents[0]._all_models.values()]"
        ".filter(({ tags, visible }) => tags.includes('answer') && visible).map(({ type }) => type)"
    )
    return labels + marks


def guess(lab: LabPage, number: str) -> None:
    lab.page.locator("#guess").fill(number)
    lab.page.get_by_role("button", name="that is my guess").click()


@pytest.mark.parametrize("way", ["served", "exported"])
@pytest.mark.parametrize("name", LABS)
def test_the_answer_waits_for_a_guess_and_stands_beside_it(lead: Lead, name: str, way: str) -> None:
    lab = lead(name, way)
    lab.page.get_by_role("switch", name="predict first").check()
    for hidden in (".readout", ".summary", "figure[data-answers]"):
        expect(lab.page.locator(hidden).first).to_be_hidden()
    assert not [
        text for text in answers(lab) if "best" in text or "settles" in text or text == "GlyphRenderer"
    ]
    guess(lab, str(GUESSES[name]))
    for shown in (".readout", ".summary", "figure[data-answers] figcaption"):
        expect(lab.page.locator(shown).first).to_be_visible()
    assert lab.summary().startswith(f"{VERDICTS[name]()} ")
    assert lab.page.evaluate("document.activeElement.className") == "summary"


@pytest.mark.parametrize("name", LABS)
def test_another_setting_asks_anew(lead: Lead, name: str) -> None:
    lab = lead(name, query="predict=1")
    question = lab.page.locator(".prediction label")
    guess(lab, "3")
    expect(question).to_be_hidden()
    before = question.text_content()
    lab.press("draft_cost", "ArrowLeft")
    expect(question).to_be_visible()
    assert before != question.inner_text()
    expect(lab.page.locator(".readout")).to_be_hidden()
    lab.page.get_by_role("switch", name="predict first").uncheck()
    expect(lab.page.locator(".readout")).to_be_visible()
    assert "You guessed" not in lab.summary()


@pytest.mark.parametrize("text", ["", "-1", "1e9", "+-3"])
def test_what_is_no_guess_is_refused_with_a_line(lead: Lead, text: str) -> None:
    lab = lead("burst", query="predict=1")
    field = lab.page.locator("#guess")
    field.focus()
    lab.page.keyboard.type(text)
    field.press("Enter")
    assert lab.page.locator(".prediction [role=alert]").inner_text() == "A guess is a number, 0 or more."
    expect(lab.page.locator(".readout")).to_be_hidden()


@pytest.mark.parametrize(
    ("guessed", "says"), [("0", "k = 0, 1.00×"), ("32", "k = 32, 1.19×"), ("50", "k = 50;")]
)
def test_any_draft_length_may_be_guessed(lead: Lead, guessed: str, says: str) -> None:
    lab = lead("flatten", query="predict=1")
    guess(lab, guessed)
    assert lab.summary().startswith(f"You guessed {says}")


def test_the_mode_stands_in_the_address(lab: LabPage, folder: Path) -> None:
    lab.open((folder / "flatten.html").as_uri())
    lab.page.get_by_role("switch", name="predict first").check()
    lab.page.wait_for_url("**?a=0.80&c=0.10&predict=1")
    lab.open(lab.page.url)
    assert lab.page.get_by_role("switch", name="predict first").is_checked()
    lab.open(f"{(folder / 'flatten.html').as_uri()}?predict=yes")
    assert not lab.page.get_by_role("switch", name="predict first").is_checked()
    assert "predict: only 1 turns it on" in lab.page.get_by_role("alert").inner_text()


def test_a_guess_is_taken_in_a_sandboxed_frame(lab: LabPage, folder: Path) -> None:
    lab.open_hosted(folder, 'sandbox="allow-scripts" src="flatten.html?predict=1"')
    lab.frame.locator("#guess").fill("6")
    lab.frame.get_by_role("button", name="that is my guess").click()
    assert lab.summary().startswith("You guessed k = 6, 2.47×; the fastest is k = 6, 2.47×.")
