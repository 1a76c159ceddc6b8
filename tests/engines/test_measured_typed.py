"""What a person types in place of a paste: numbers by name or symbol, and bare lists."""

import pytest
from test_measured import COUNTS, known, warned

from model.engines.reading import Reading, measure


def test_typed_numbers_are_taken_by_name() -> None:
    assert [3, 2.4, pytest.approx(1.4 / 3)] == known(
        "draft length: 3\nacceptance length: 2.4", "draft_length", "tokens_per_step", "strict_rate"
    )
    assert [3, 625, 875, 1875] == known("accepted: 875\ndrafted: 1,875\ndraft length: 3", *COUNTS)
    assert [4, 0.8] == known("draft length: 4, alpha: 0.8", "draft_length", "alpha_moment")


@pytest.mark.parametrize(
    "text", ["0.8, 0.6, 0.45", "[0.8,0.6,0.45]", "80% 60% 45%", "position rates: 0.8 0.6 0.45"]
)
def test_a_bare_list_is_one_of_position_rates(text: str) -> None:
    measured: Reading = measure(text)
    assert pytest.approx([0.8, 0.6, 0.45]) == measured["position_rates"]
    assert (3, pytest.approx(2.85), pytest.approx(1.85 / 2.4)) == (
        measured["draft_length"],
        measured["tokens_per_step"],
        measured["alpha_mle"],
    )


def test_a_is_a_word_where_no_sign_follows() -> None:
    assert [2.9, None] == known("τ = 2.9 with a 20 % faster draft", "tokens_per_step", "alpha_moment")


def test_a_number_without_a_name_is_told_from_an_acceptance_rate() -> None:
    assert warned("43.7% k=8", "without a name")
    assert [8, pytest.approx(4.496), pytest.approx(0.8115, abs=5e-5)] == known(
        "acceptance rate 43.7%, k=8", "draft_length", "tokens_per_step", "alpha_moment"
    )


def test_a_bare_list_that_rises_is_conditional() -> None:
    assert [pytest.approx([0.6, 0.42, 0.336])] == known("0.6, 0.7, 0.8", "position_rates")
    assert warned("0.6, 0.7, 0.8", "conditional")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k = 4, α = 0.8", (4, pytest.approx(3.3616), 0.8)),
        ("γ=5, τ=3", (5, 3.0, None)),
        ("tokens per step: 3, k: 5", (5, 3.0, None)),
        ("tau = 3\nk = 5", (5, 3.0, None)),
        ("top_k = 40, tau = 3", (None, 3.0, None)),
    ],
)
def test_the_fields_symbols_can_be_typed(text: str, expected: tuple[object, ...]) -> None:
    found = measure(text)
    alpha = found["alpha_moment"] if expected[2] else None
    assert expected == (found["draft_length"], found["tokens_per_step"], alpha)
    assert found["format"] == "plain"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("α=80%, k=4", (4, 0.8)),
        ("Alpha 0.8 K 4", (4, 0.8)),
        ("alpha = .8", (None, 0.8)),
        ("a = 0.8, k = 4", (4, 0.8)),
        ("A=80% k=4", (4, 0.8)),
        ("0.8", (None, 0.8)),
        ("80 %", (None, 0.8)),
        ("0.8 k=4", (4, 0.8)),
    ],
)
def test_one_rate_is_read_however_it_is_typed(text: str, expected: tuple[int | None, float]) -> None:
    assert [*expected] == known(text, "draft_length", "alpha_moment")


@pytest.mark.parametrize(
    "text",
    [
        "num_speculative_tokens: 4, mean acceptance length: 3.2",
        "Accept length 3.2 k 4",
        "K=4, Tau=3.2",
        "draft_length=4 tokens_per_step=3.2",
        "τ 3.2\nk: 4",
    ],
)
def test_names_may_stand_in_any_letters_and_without_a_colon(text: str) -> None:
    assert [4, 3.2] == known(text, "draft_length", "tokens_per_step")


def test_typed_tokens_per_step_count_before_a_typed_rate() -> None:
    assert known("k = 4, τ = 2.9", "tokens_per_step", "alpha_moment") == known(
        "k = 4, τ = 2.9, α = 0.8", "tokens_per_step", "alpha_moment"
    )


def test_a_typed_acceptance_rate_is_the_strict_one() -> None:
    assert [8, pytest.approx(0.437), pytest.approx(4.496), pytest.approx(0.811, abs=1e-3)] == known(
        "acceptance rate: 43.7 %, k = 8", "draft_length", "strict_rate", "tokens_per_step", "alpha_moment"
    )
    assert ["plain", None, 0.437, None, None] == known(
        "acceptance rate: 0.437", "format", "draft_length", "strict_rate", "tokens_per_step", "alpha_moment"
    )


def test_a_printed_draft_acceptance_rate_is_no_typed_one() -> None:
    # vLLM V0's counts matches after a rejection, too
    text = "INFO 08-01 metrics.py:411] Speculative metrics: Draft acceptance rate: 0.500"
    assert [None, None] == known(text, "format", "strict_rate")


def test_a_list_may_have_its_draft_length_beside_it() -> None:
    assert [3, [0.82, 0.63, 0.47]] == known("0.82 0.63 0.47 k=3", "draft_length", "position_rates")


@pytest.mark.parametrize(
    "text", ["k=4, τ=2,9", "α = 0,8, k=4", "0,82 0,63 0,47", "0,82, 0,63, 0,47", "82,5 63,1", "α = 0,800"]
)
def test_a_decimal_comma_is_refused_with_a_reason(text: str) -> None:
    assert [None, None, None, None] == known(
        text, "format", "tokens_per_step", "alpha_moment", "position_rates"
    )
    assert warned(text, "write a decimal point")


def test_a_thousands_group_and_a_list_without_blanks_have_no_decimal_comma() -> None:
    assert [3, 625, 875, 1875] == known("accepted: 875, drafted: 1,875, draft length: 3", *COUNTS)
    assert [pytest.approx([0.8, 0.6, 0.45])] == known("80,60,45", "position_rates")


@pytest.mark.parametrize("text", ["0.5 0.8 1.2", "0,82,0,63", "100 50 0", "0.9 0.8 k=4", "1, 50"])
def test_a_list_that_is_no_list_of_rates_says_what_one_is(text: str) -> None:
    assert [None, None] == known(text, "format", "position_rates")
    assert warned(text, "or all in percent")


@pytest.mark.parametrize("text", ["3.2", "42", "...", "1764000000", "2026-11-24"])
def test_a_number_that_is_no_rate_means_nothing(text: str) -> None:
    assert [None, None, []] == known(text, "format", "alpha_moment", "warnings")


@pytest.mark.parametrize(
    "text", ["k=4 tau=6", "accepted=5 drafted=4", "k=0 tau=2", "k=2.5 tau=2", "alpha=1.2", "tau = 0.9"]
)
def test_numbers_that_cannot_be_say_so(text: str) -> None:
    assert [None, None] == known(text, "format", "tokens_per_step")
    assert warned(text, "cannot be")


def test_nobody_types_megabytes() -> None:
    assert [None] == known("k = 4, τ = 2.9" + " " * 10_000, "format")


@pytest.mark.parametrize(
    ("text", "k", "tokens", "rate"),
    [
        ("Acceptance rate: 43.7 %, k = 8", 8, 4.496, 0.437),
        ("Acceptance rate (%): 43.71\nk = 8", 8, 4.4968, 0.4371),
        ("Accepted tokens: 150\nDraft tokens: 387\nk = 3", 3, 1 + 150 / 129, 150 / 387),
        ("Avg Draft acceptance rate: 43.7%\nk = 8", 8, 4.496, 0.437),
        ("Mean acceptance length: 2.16\nk=3", 3, 2.16, 1.16 / 3),
        ('{"spec_verify_ct": 100, "spec_num_correct_drafts": 150}\nDraft length: 3', 3, 2.5, 0.5),
        ("Accept length: 2.9, k = 4", 4, 2.9, 0.475),
        ("- k = 4\n- τ = 2.9", 4, 2.9, 0.475),
        ("--num-speculative-tokens 8\nacceptance rate 43.7%", 8, 4.496, 0.437),
    ],
)
def test_a_typed_draft_length_completes_what_is_printed(
    text: str, k: int, tokens: float, rate: float
) -> None:
    expected = [k, pytest.approx(tokens, rel=1e-12), pytest.approx(rate, rel=1e-12)]
    assert expected == known(text, "draft_length", "tokens_per_step", "strict_rate")


def test_a_typed_draft_length_that_the_figures_refute_is_not_taken() -> None:
    for text in (
        "SD efficiency: 40%, SD accuracy: 60%\nk = 3",
        "acceptance_rate: 0.6, acceptanceLength: 2.9\nk=8",
    ):
        assert [None, False] == known(text, "draft_length", "advisable")
        assert warned(text, "does not fit")


def test_several_acceptance_rates_are_those_of_the_positions() -> None:
    assert [[0.85, 0.75, 0.7]] == known("acceptance rate 0.85 0.75 0.7, k = 3", "position_rates")


def test_a_line_of_blanks_is_read_as_soon_as_any_other() -> None:
    text = "Accept length: 2.9\nk" + " " * 1_000_000 + "x"  # takes hours if each blank may be of two loops
    assert [None, 2.9] == known(text, "draft_length", "tokens_per_step")
