"""A record that totals requests, beside some of those requests or all of them."""

import json

import pytest
from pages import FACTS
from test_measured import known, text_of, warned

BENCH = text_of(FACTS / "engine_logs" / "035-llamacpp-mtp-bench-a.txt")
FOUR = "\n".join(BENCH.splitlines()[:4])
TOTAL = BENCH[BENCH.index("Aggregate") :]
REQUEST = json.dumps(
    {"num_spec_steps": 43, "num_accepted_draft_tokens": 10, "num_draft_tokens": 129, "num_spec_tokens": 3}
)
SERVER = """Acceptance rate (%): {:.2f}
Acceptance length: {:.2f}
Drafts: {}
Draft tokens: {}
Accepted tokens: {}"""
MORE = (50, 2.5, 1000, 3000, 1500)
SAME = (7.75, 1.23, 43, 129, 10)
FIGURES = ["format", "accepted", "drafted"]
SAYS = "covers more than the single requests shown"


@pytest.mark.parametrize("text", [f"{FOUR}\n{TOTAL}", f"{TOTAL}\n{FOUR}"])
def test_a_total_of_nine_requests_counts_where_four_are_shown(text: str) -> None:
    assert ["llamacpp-mtp-aggregate", 1091, 1109, 1728 / 637] == known(text, *FIGURES, "tokens_per_step")
    assert warned(text, SAYS)
    assert warned(text, "Also found, and not used: llama.cpp, MTP benchmark.")


def test_a_benchmarks_totals_count_beside_one_of_its_requests() -> None:
    text = f"{REQUEST}\n{SERVER.format(*MORE)}"
    assert [1500, 3000, 3, 2.5] == known(text, *FIGURES[1:], "draft_length", "tokens_per_step")
    assert warned(text, SAYS)


@pytest.mark.parametrize("text", [BENCH, f"{REQUEST}\n{SERVER.format(*SAME)}"])
def test_a_total_of_the_requests_shown_and_no_others_adds_nothing(text: str) -> None:
    singles = BENCH[: BENCH.index("Aggregate")] if text == BENCH else REQUEST
    assert known(singles, *FIGURES) == known(text, *FIGURES)
    assert not warned(text, SAYS)


def test_a_total_of_less_than_is_shown_is_not_one_of_these_requests() -> None:
    text = f"{FOUR}\n{TOTAL.replace('1109', '400').replace('1091', '390')}"
    assert ["llamacpp-mtp-bench", 503, 510] == known(text, *FIGURES)
    assert not warned(text, SAYS)


def test_a_total_counts_where_none_of_its_requests_can_be() -> None:
    text = f"{FOUR.splitlines()[0].replace('133', '9')}\n{TOTAL}"
    assert ["llamacpp-mtp-aggregate", 1091, 1109] == known(text, *FIGURES)
    assert warned(text, SAYS)
