"""What a step costs on the page of one's own numbers: worked out from speeds, and said alike everywhere."""

import pytest
from kept import Lead
from pages import LabPage
from test_measured_page import LINE, paste

from model.engines.reading import measure


def weighed(lead: Lead, *speeds: str) -> LabPage:
    """Return the page with a paste, and speeds typed: without speculation, with it, another k, its speed."""
    lab = lead("measured")
    paste(lab, LINE)
    lab.page.get_by_text("work out the cost").click()
    for name, value in zip(("plain_speed", "own_speed", "other_length", "other_speed"), speeds, strict=False):
        lab.page.locator(f"#{name}").fill(value)
    return lab


def test_speeds_tell_what_a_step_costs(lead: Lead) -> None:
    lab = weighed(lead, "100", "150")
    tokens = measure(LINE)["tokens_per_step"]
    assert tokens is not None
    per_guess = (tokens / 1.5 - 1) / 3
    said = lab.page.inner_text("#cost")
    assert f"so {per_guess:.3f} per guess, which also carries verification and overhead." in said
    assert f"{per_guess:.3f}" == lab.output("per_guess")
    lab.page.locator("#unit").select_option("time")
    assert "0.67× at k = 3" in lab.page.inner_text("#cost")
    lab.page.locator("#unit").select_option("tokens")
    lab.page.locator("#other_length").fill("6")
    lab.page.locator("#other_speed").fill("140")
    assert "With k = 6, a fixed part of" in lab.page.inner_text("#cost")
    assert lab.output("fixed") != "1.00"


@pytest.mark.parametrize(
    ("plain_speed", "own", "says"),
    [
        ("0", "150", "Speeds, and k, are numbers above 0, written like 161.99."),
        ("161,99", "150", "Speeds, and k, are numbers above 0, written like 161.99."),
        ("", "150", "It takes two speeds: without speculation and with it."),
        ("100", "5000", "No step costs that: the speeds cannot belong to the same work. The slider counts."),
        ("fast", "150", "Speeds, and k, are numbers above 0, written like 161.99."),
        ("-1", "150", "Speeds, and k, are numbers above 0, written like 161.99."),
    ],
)
def test_speeds_that_cannot_be_leave_the_slider_to_count(
    lead: Lead, plain_speed: str, own: str, says: str
) -> None:
    lab = weighed(lead, plain_speed, own)
    assert lab.page.inner_text("#cost").endswith(says)
    assert "0.100" == lab.output("per_guess")


@pytest.mark.parametrize(
    ("length", "speed", "says"),
    [
        ("3", "140", "Another k is a whole number up to 1000 that is not 3."),
        ("2.5", "140", "Another k is a whole number up to 1000 that is not 3."),
        ("6", "-5", "Speeds, and k, are numbers above 0, written like 161.99."),
        ("6", "", "Another k takes its speed, too. This counts in place of the slider."),
        ("", "140", "Another k takes its speed, too. This counts in place of the slider."),
    ],
)
def test_a_second_draft_length_that_cannot_be_is_said(lead: Lead, length: str, speed: str, says: str) -> None:
    lab = weighed(lead, "100", "150", length, speed)
    assert lab.page.inner_text("#cost").endswith(says)


def test_what_a_step_costs_is_the_same_wherever_it_is_said(lead: Lead) -> None:
    lab = weighed(lead)
    assert "step cost = 1.00 + 0.100 k." in lab.page.inner_text("cite")
    lab = weighed(lead, "100", "150", "6", "140")
    fixed, per_guess = (float(lab.columns()["readout"][name][0]) for name in ("fixed", "per_guess"))  # type: ignore[arg-type]
    assert f"step cost = {fixed:.2f} + {per_guess:.3f} k." in lab.page.inner_text("cite")
    whole = (fixed + 3 * per_guess - 1) / 3
    assert f"There c = {whole:.2f}: all that a step at k = 3 costs" in lab.page.inner_text("#links")
    for link in lab.page.locator("#links a").all():
        assert f"&c={whole:.2f}&q=" in (link.get_attribute("href") or "")
