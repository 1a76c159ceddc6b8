"""What the sections below the burst lab say in words."""

import re

import pytest
from kept import Lead
from playwright.sync_api import expect
from test_tail_page import ALL_OPEN, await_run, says, summary


def test_the_sections_say_the_figures_of_the_defaults(lead: Lead) -> None:
    lab = lead("burst", query=ALL_OPEN)
    expect(says(lab, "lengths")).to_have_text(
        "Of bursts of 40 tokens, 99 in a hundred finish within 20.0 passes, 1.67 times the median of 12.0 "
        "passes. "
        "At 400 tokens the p99 is 1.17 times the median.",
        use_inner_text=True,
    )
    expect(says(lab, "run")).to_have_text(
        "A timeout of 28.0 passes per burst is what 99 in a hundred runs of 600 bursts survive whole. At "
        "the p99 "
        "of a single burst, 20.0 passes, 98.9 % of runs have a burst cut short. On average 4.48 of its "
        "bursts take "
        "longer and 15.54 end there or later; N/100 = 6.00 lies between, since times are whole steps and "
        "many "
        "bursts share one.",
        use_inner_text=True,
    )
    expect(says(lab, "draft_lengths")).to_have_text(
        "Best for the mean is k = 9, for the median k = 7, for the p99 k = 5, for the timeout of a run k "
        "= 3. "
        "Whoever tunes for the mean, k = 9, needs a timeout of 28.5 passes instead of 23.4 passes, 22 % "
        "longer.",
        use_inner_text=True,
    )
    expect(says(lab, "sample")).to_have_text(
        "The exact p99 is 20.0 passes. Of samples of 2,000 bursts, 92 % show just that; 19 in 20 show a p99 "
        "from 20.0 passes to 22.0 passes.",
        use_inner_text=True,
    )
    cells = lab.page.locator("[data-source=run] td").all_inner_texts()
    assert cells == ["26.0", "28.0", "32.0", "7,689.4", "68.7", "7,850.0", "24,000.0"]


@pytest.mark.parametrize(
    ("query", "section", "words"),
    [
        (
            "a=0&c=1&k=4",
            "draft_lengths",
            "No draft length is faster than plain decoding’s 40.0 passes: the best",
        ),
        (
            "a=0.1&c=0.05",
            "draft_lengths",
            "At every draft length more than one burst in a hundred takes longer",
        ),
        ("a=0.7&n=10&run=10000", "draft_lengths", "At every draft length the timeout is longer than plain"),
        ("a=0.9&run=1", "run", "A run of one burst is that burst: 99 in a hundred finish within 20.0 passes"),
        ("n=1", "lengths", "Of bursts of 1 token,"),
        ("", "varying", "Every burst has an acceptance rate of 0.90."),
        ("a=0.99&k=32", "draft_lengths", "Best for the mean is"),
    ],
)
def test_a_section_says_what_is_special_of_its_setting(
    lead: Lead, query: str, section: str, words: str
) -> None:
    lab = lead("burst", query=f"open={section}&{query}")
    expect(says(lab, section)).to_have_text(re.compile(f"^{re.escape(words)}"))


def test_no_run_is_said_to_be_sure_of_a_late_burst_nor_a_tie_to_be_longer(lead: Lead) -> None:
    lab = lead("burst", query="open=run.draft_lengths&a=0.99&s=0.3&run=10000")
    expect(says(lab, "run")).to_contain_text("more than 99.9 % of runs have a burst cut short")
    lab = lead("burst", query="open=draft_lengths&a=0.6&n=33&run=10&c=0.15")
    expect(says(lab, "draft_lengths")).to_contain_text(
        "k = 1 and 2. Whoever tunes for the mean has the best timeout, too."
    )


def test_mixed_traffic_is_of_one_acceptance_rate(lead: Lead) -> None:
    lab = lead("burst", query="q=0.9_0.8&a=0.63&k=5&open=varying")
    lab.page.get_by_role("button", name="mixed traffic").click()
    expect(says(lab, "varying")).to_contain_text("0.63 ± 0.16")
    lab.page.wait_for_url(lambda address: "q=" not in address)


def test_mixed_traffic_keeps_its_tail_where_one_acceptance_loses_it(lead: Lead) -> None:
    lab = lead("burst", query="open=varying")
    lab.page.get_by_role("button", name="mixed traffic").click()
    said = says(lab, "varying")
    expect(said).to_have_text(
        "Bursts have acceptance rates of 0.63 ± 0.16 (mean and standard deviation). p99/p50 at 40, 100 "
        "and 200 "
        "tokens: 2.00, 2.00, 1.96; with the same acceptance throughout: 1.44, 1.25, 1.18."
    )
    expect(lab.page.locator("[data-section=varying] > .varied")).to_have_count(0)
    summary(lab, "run").click()
    expect(lab.page.locator("[data-section=run] > .varied")).to_be_visible()
    lab.press("acceptance_rate", "End")
    expect(said).to_contain_text("what clipping to 0–1 leaves, with")


def test_a_pass_in_milliseconds_turns_passes_into_seconds(lead: Lead) -> None:
    lab = lead("burst", query="open=run")
    await_run(lab, 28.0)
    assert lab.page.locator(".seconds:visible").count() == 0
    summary(lab, "seconds").click()
    expect(says(lab, "seconds")).to_have_text("Not given: times stay in target passes.", use_inner_text=True)
    lab.press("pass_time", *["ArrowRight"] * 30)
    expect(says(lab, "seconds")).to_have_text(
        "At 30 ms a pass, a burst of 40 takes plain decoding 1.20 s, 33.3 tokens per second; with the same "
        "acceptance throughout half of the bursts take at most 0.36 s, 111.1 tokens per second; 99 in a "
        "hundred at most 0.60 s, 66.7 tokens per second.",
        use_inner_text=True,
    )
    expect(says(lab, "run")).to_have_text(re.compile(r"^A timeout of 28\.0 passes \(0\.84 s\) per burst"))
    seconds = lab.page.locator("[data-source=run] .seconds:visible")
    expect(seconds.nth(0)).to_have_text("0.78 s")
    expect(seconds.nth(1)).to_have_text("0.84 s")
    lab.press("burst_length", "Home")
    expect(says(lab, "seconds")).to_contain_text("a burst of 1 takes")
