"""The teacher's page: every experiment, its question, and answers that are the model's."""

from fractions import Fraction
from pathlib import Path

import pytest
from pages import LABS
from playwright.sync_api import Page, expect

from app import teacher
from labs import burst, flatten
from model import steps
from model.finish_times import distribution, quantile


@pytest.mark.parametrize("name", LABS)
def test_it_has_every_experiment_in_order(name: str) -> None:
    lab = LABS[name]
    expected = [(trial.label, trial.look) for trial in lab.TRIALS]
    assert expected == [(step.label, step.look) for step in teacher.steps(lab)]


def test_answers_of_the_flatten_lab_are_the_fastest_of_all_lengths() -> None:
    for step, trial in zip(teacher.steps(flatten), flatten.TRIALS, strict=True):
        values = flatten.State.defaults() | trial.values
        a, c = (Fraction(str(values[name])) for name in ("acceptance_rate", "draft_cost"))
        if c == 0:
            assert f"towards {teacher.shown(float(1 / (1 - a)))}×" in step.answer
            continue
        speedups = [sum(a**i for i in range(k + 1)) / (1 + k * c) for k in range(200)]
        best = max(range(200), key=speedups.__getitem__)
        assert step.answer == (f"k = {best}, {float(speedups[best]):.2f}×" if best else "not to guess")


def test_answers_of_the_burst_lab_are_its_quantiles() -> None:
    for step, trial in zip(teacher.steps(burst), burst.TRIALS, strict=True):
        values = burst.State.defaults() | trial.values
        setting = [values[name] for name in ("acceptance_rate", "draft_length", "draft_cost", "burst_length")]
        times, chances = distribution(*setting)
        assert step.answer.endswith(f", {quantile(times, 0.99, chances):.1f} exactly")


def test_another_model_gives_other_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    before = teacher.sheet()
    monkeypatch.setattr(steps, "step_cost", lambda k, c, *_: 1 + 2 * k * c)
    assert before != teacher.sheet()


def test_it_prints_on_two_pages(page: Page, folder: Path, tmp_path: Path) -> None:
    page.goto((folder / "teacher.html").as_uri())
    printed = page.pdf(path=tmp_path / "teacher.pdf", format="A4")
    assert printed.count(b"/Type /Page\n") <= 2


def test_it_is_served_too(page: Page, server: str) -> None:
    page.goto(f"{server}/teacher")
    expect(page.get_by_role("heading", name="For the teacher")).to_be_visible()
    expect(page.get_by_role("cell", name="k = 6, 2.47×").first).to_be_visible()
