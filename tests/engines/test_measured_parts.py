"""A part of what an engine prints: what it determines is known, and what it does not is not."""

from collections.abc import Iterator
from itertools import product

import pytest
from test_measured import COUNTS, known, line, warned
from test_measured_cut import WHOLE

from model.engines.formats import FORMATS

FIGURES = [*COUNTS, "strict_rate", "tokens_per_step"]
BENCH = """Acceptance length: 2.50
Draft tokens: 300
Accepted tokens: 150
Position 0: 70
Position 1: 50
Position 2: 30"""
MLC = """spec_decode_accept_prob{step=0}\t1.0
spec_decode_accept_prob{step=1}\t0.8
spec_decode_accept_prob{step=2}\t0.5"""
V0 = (
    "Speculative metrics: Draft acceptance rate: {}, System efficiency: {}, Number of speculative tokens: 4, "
    "Number of accepted tokens: 0, Number of draft tokens: 0, Number of emitted tokens: 0."
)
PARTS: list[tuple[str, list[float | None]]] = [
    (WHOLE[WHOLE.index("Accepted") :], [3, 100, 150, 300, 0.5, 2.5]),
    (WHOLE[WHOLE.index("Drafted") :], [3, None, None, None, 0.5, 2.5]),
    ("Per-position acceptance rate: 0.700, 0.500, 0.300", [3, None, None, None, 0.5, 2.5]),
    ("Avg Draft acceptance rate: 50.0%", [None, None, None, None, 0.5, None]),
    ("Accepted: 150 tokens, Drafted: 300 tokens", [None, None, None, None, 0.5, None]),
    (BENCH, [3, 100, 150, 300, 0.5, 2.5]),
    ("Acceptance rate (%): 43.71\nAcceptance length: 4.50", [None, None, None, None, 0.4371, 4.5]),
    ("mean acceptance length: 2.46", [None, None, None, None, None, 2.46]),
    ("acceptance at token 0: 0.7\nacceptance at token 1: 0.5", [2, None, None, None, 0.6, 2.2]),
    ('{"acceptance_histogram": [39, 1, 0, 3], "num_draft_tokens": 129}', [3, 43, 10, 129, 10 / 129, 53 / 43]),
    ("SD accuracy: 75.0%", [None, None, None, None, 0.75, None]),
    (
        '{"acceptance_rate": 0.5, "total_accepted_draft_tokens": 150, "total_draft_tokens": 300}',
        [None, None, 150, 300, 0.5, None],
    ),
    (MLC, [2, None, None, None, 0.65, 2.3]),
    (
        "draft acceptance = 0.00000 (    0 accepted /   100 generated), mean len = 1.00",
        [None, None, 0, 100, 0, 1],
    ),
    ("Draft: 0 / 100 accepted (0.00%)", [None, None, 0, 100, 0, 1]),
    ("System efficiency: 0.200, Number of speculative tokens: 4, Number of", [4, None, None, None, 0, 1]),
]


@pytest.mark.parametrize(("text", "expected"), PARTS)
def test_a_part_determines_what_it_determines(text: str, expected: list[float | None]) -> None:
    assert [x if x is None else pytest.approx(x) for x in expected] == known(text, *FIGURES)


@pytest.mark.parametrize("text", [line(1, 0, 0).replace("1.00", "nan"), V0.format("nan", "nan")])
def test_rates_that_are_none_are_those_of_nothing_drafted(text: str) -> None:
    assert [0, None, None] == known(text, "drafted", "strict_rate", "tokens_per_step")
    assert warned(text, "Nothing was drafted")
    assert not warned(WHOLE + text, "left out")


@pytest.mark.parametrize(
    "text",
    [
        "Accepted: 150 tokens, Drafted: 300 tokens, Per-position acceptance rate: 0.700, 0.500",
        "Drafted: 300 tokens, Per-position acceptance rate: 0.700, 0.500, Avg Draft acceptance rate: 50.0%",
        "Per-position acceptance rate: 0.700, 0.500, 0.300, Mean acceptance length: 2.9",
    ],
)
def test_rates_that_are_cut_do_not_tell_k_by_themselves(text: str) -> None:
    assert [None, None] == known(text, "draft_length", "alpha_moment")


def test_an_efficiency_that_cannot_be_is_not_used() -> None:
    text = "System efficiency: 0.100, Number of speculative tokens: 4, Number of accepted"
    assert [None, None, None] == known(text, "draft_length", "tokens_per_step", "strict_rate")
    assert warned(text, "cannot be")


def test_a_rate_of_nothing_may_not_have_been_measured() -> None:
    text = '"acceptance_rate": 0.0, "avgDecodedTokensPerIter": 2.4'
    assert [None, 2.4] == known(text, "strict_rate", "tokens_per_step")
    assert warned(text, "may mean that acceptance was not measured")
    assert not warned(text, "Nothing was accepted")
    text = '{"total_accepted_draft_tokens": 0, "total_draft_tokens": 300}'
    assert [300, None, None] == known(text, "drafted", "strict_rate", "tokens_per_step")
    assert warned(text, "may mean that acceptance was not measured")


def test_k_beside_a_part_makes_it_typed_numbers() -> None:
    assert ["plain", 4, 2.9] == known(
        "k = 4, mean acceptance length = 2.9", "format", "draft_length", "tokens_per_step"
    )


MTP = "  code_python        pred= 192 draft= 180 acc= 146 rate=0.811 tok/s=31.3"


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        (f"{MTP}\nk: 4", [4, 146 / 180, 192 / 46]),
        ("[AL] AVERAGE: 2.85\r\nK = 4\r\n", [4, pytest.approx(0.4625), 2.85]),
        ('{"completion_tokens": 256, "spec_verify_ct": 100}\ndraft length 3', [3, pytest.approx(0.52), 2.56]),
    ],
)
def test_a_draft_length_typed_beside_a_paste_is_taken(text: str, figures: list[float | None]) -> None:
    assert figures == known(text, "draft_length", "strict_rate", "tokens_per_step")
    assert known(text, "alpha_moment") != [None]
    assert warned(text, "typed beside it was taken")
    assert not warned(text, "is not printed.")


@pytest.mark.parametrize("beside", ["k = 16", "k = 3", "k = 0"])
def test_a_draft_length_that_does_not_fit_the_paste_is_not_taken(beside: str) -> None:
    text = f"{MTP}\n{beside}"
    assert [None, None] == known(text, "draft_length", "alpha_moment")
    assert warned(text, "does not fit the figures")


def test_a_draft_length_in_another_line_is_none_of_the_pastes() -> None:
    assert [None] == known(f'{MTP}\n{{"k": 4, "top_k": 4}} k = 4', "draft_length")


def test_what_else_is_found_is_named() -> None:
    text = f"{WHOLE}{MTP}\nAccepted 40/100 tokens"
    assert ["vllm-v1-log", 100] == known(text, "format", "drafts")
    assert warned(
        text, "Also found, and not used: llama.cpp, MTP benchmark; LM Studio, accepted of all tokens."
    )
    assert not warned(WHOLE, "Also found")


def pairs_of_names() -> Iterator[tuple[str, str, str]]:
    """Yield each engine's names for accepted and drafted tokens, all that can stand together."""
    for name, format_ in FORMATS.items():
        both = [
            [field for field, meaning in format_["fields"].items() if meaning in {what, f"{what}_old"}]
            for what in ("accepted", "drafted")
        ]
        yield from ((name, accepted, drafted) for accepted, drafted in product(*both))


@pytest.mark.parametrize(("name", "accepted", "drafted"), pairs_of_names())
def test_accepted_and_drafted_tokens_alone_are_a_strict_rate(name: str, accepted: str, drafted: str) -> None:
    for text in (f"{accepted} = 150, {drafted} = 300", f'{{"{drafted}": 300, "{accepted}": 150}}'):
        assert [0.5, None, None] == known(text, "strict_rate", "draft_length", "alpha_moment")
    engine = name.partition("-")[0]
    assert engine in {"block", "plain"} or str(known(text, "format")[0]).startswith((engine, "block"))


CUT_STATISTICS = "#gen tokens = {}, #acc tokens = {}, dur(b,g,a) = 0.005, 325.555, 0.114 ms\n"


def test_a_statistics_line_that_is_cut_still_has_its_strict_rate() -> None:
    cut = CUT_STATISTICS.format(297, 171)
    assert ["llamacpp-statistics", None, 171, 297, 171 / 297] == known(
        cut, "format", *COUNTS[1:], "strict_rate"
    )
    assert warned(cut, "Counts are cut off")
    assert [3, 171 / 297, 1 + 171 / 99] == known(
        f"{cut}k = 3", "draft_length", "strict_rate", "tokens_per_step"
    )


def test_of_statistics_lines_that_are_cut_the_last_counts_for_they_run_on() -> None:
    text = CUT_STATISTICS.format(100, 90) + CUT_STATISTICS.format(297, 171)
    assert [171, 297, 171 / 297] == known(text, "accepted", "drafted", "strict_rate")


def test_a_cut_statistics_line_is_not_used_beside_a_whole_one() -> None:
    whole = "statistics ngram: #gen drafts = 90, #acc drafts = 80, #gen tokens = 270, #acc tokens = 200\n"
    assert [3, 90, 200, 270] == known(whole + CUT_STATISTICS.format(297, 171), *COUNTS)


def test_accepted_tokens_beyond_the_drafted_ones_are_no_rate() -> None:
    assert [None, None] == known(CUT_STATISTICS.format(100, 171), "accepted", "strict_rate")
    assert warned(CUT_STATISTICS.format(100, 171), "cannot be")
