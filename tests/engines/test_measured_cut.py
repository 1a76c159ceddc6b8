"""Counts that are cut, none, or not those of the rates beside them."""

import math

import pytest
from test_measured import COUNTS, known, line, warned

from labs import measured
from model.engines.reading import measure

WHOLE = line(2.5, 150, 300, 0.7, 0.5, 0.3)
NOTHING_DRAFTED = [
    "num_drafts: 100\nnum_draft_tokens: 0\nnum_accepted_tokens: 0",
    '{"num_spec_steps": 43, "num_accepted_draft_tokens": 0, "num_draft_tokens": 0, "num_spec_tokens": 3}',
    '{"spec_verify_ct": 43, "spec_accept_token_num": 0, "spec_draft_token_num": 0}',
    "statistics draft: #gen drafts = 5, #acc drafts = 0, #gen tokens = 0, #acc tokens = 0",
    "drafts=100 drafted=0 accepted=0 k=4",
    (
        "vllm:spec_decode_num_drafts_total 100\n"
        "vllm:spec_decode_num_draft_tokens_total 0\n"
        "vllm:spec_decode_num_accepted_tokens_total 0"
    ),
]
CUT = [
    WHOLE[: WHOLE.index("Per-position")],
    WHOLE[: WHOLE.index("0.300")],
    WHOLE[: WHOLE.index("0.500") + 2],
]


@pytest.mark.parametrize("text", NOTHING_DRAFTED)
def test_steps_without_a_draft_are_no_drafts(text: str) -> None:
    assert [None, 0, 0, 0] == known(text, *COUNTS)
    assert [None, None, None] == known(text, "strict_rate", "tokens_per_step", "alpha_moment")
    assert warned(text, "Nothing was drafted")
    assert not warned(text, "Nothing was accepted")
    assert not warned(text, "varied")


@pytest.mark.parametrize("cut", CUT)
def test_a_cut_line_beside_a_whole_one_is_left_out(cut: str) -> None:
    assert [3, 100, 150, 300] == known(WHOLE + cut, *COUNTS)
    assert known(WHOLE, "alpha_mle", "position_rates") == known(WHOLE + cut, "alpha_mle", "position_rates")
    assert warned(WHOLE + cut, "left out")
    assert not warned(WHOLE + cut, "varied")


def test_a_request_without_rates_beside_one_with_them_is_left_out_alone() -> None:
    request = "draft acceptance = 0.5 (150 accepted / 300 generated), mean len = 2.50"
    text = f"{request}\n{request}, acc per pos = (0.7, 0.5, 0.3)"
    assert [3, 100, 150, 300] == known(text, *COUNTS)
    assert warned(text, "do not tell their draft length")


@pytest.mark.parametrize("rates", [(0.7, 0.5, 0.0), (0.9, 0.8, 0.7)])
def test_rates_that_are_not_those_of_the_counts_are_not_used(rates: tuple[float, ...]) -> None:
    text = line(2.5, 150, 300, *rates)
    assert [3, 2.5, None, None] == known(
        text, "draft_length", "tokens_per_step", "position_rates", "independence"
    )
    assert known(WHOLE, "alpha_moment") == known(text, "alpha_moment")
    assert [None] == known(text, "alpha_mle")
    assert warned(text, "not those of the printed counts")


def table(*rows: tuple[int, str, str]) -> str:
    head = "| task | rounds | accepted | a.len | pos accept |\n|---|---|---|---|---|\n"
    return head + "".join(f"| code | {rounds} | {of} | 2.80 | {rates} |\n" for rounds, of, rates in rows)


def test_rates_of_the_drafts_that_were_so_long_are_not_those_of_all() -> None:
    text = table((100, "180/260", "80.0% 66.7% 57.1%"))
    assert [None, 100, 180, 260] == known(text, *COUNTS)
    assert [2.8, None, None] == known(text, "tokens_per_step", "position_rates", "conditional_rates")
    assert warned(text, "not rates of all drafts")
    assert not warned(text, "not those of the printed counts")
    whole = table((100, "180/300", "80.0% 60.0% 40.0%"))
    assert [3, [0.8, 0.6, 0.4]] == known(whole, "draft_length", "position_rates")
    assert not warned(whole, "not rates of all drafts")


VARIED = (
    "draft acceptance = 0.6 (120 accepted / 200 generated), mean acceptance length = 2.50, "
    "acceptance rate per position = (0.7, 0.4, 0.3, 0.1)"
)
BEST = ("best_measured", "best_fitted")


@pytest.mark.parametrize(
    "text",
    [
        table((100, "180/260", "80.0% 66.7% 57.1%")),
        WHOLE[: WHOLE.index("Per-position")],
        VARIED,
    ],
)
def test_without_advice_no_draft_length_is_called_the_best(text: str) -> None:
    readout = measured.columns(measure(text), 1.0, 0.1)["readout"]
    assert ["none", True, True] == [readout["action"][0], *(math.isnan(readout[name][0]) for name in BEST)]


def test_a_rate_typed_alone_has_a_best_draft_length() -> None:
    readout = measured.columns(measure("α = 0.8"), 1.0, 0.1)["readout"]
    assert ["none", 6, 6] == [readout["action"][0], *(readout[name][0] for name in BEST)]
