"""What a person types in place of a paste: numbers by name or symbol, and bare lists."""

import pytest
from test_measured import COUNTS, known, warned

from model.measured import Measured, measure


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
    measured: Measured = measure(text)
    assert pytest.approx([0.8, 0.6, 0.45]) == measured["position_rates"]
    assert (3, pytest.approx(2.85), pytest.approx(1.85 / 2.4)) == (
        measured["draft_length"],
        measured["tokens_per_step"],
        measured["alpha_mle"],
    )


def test_a_bare_list_that_rises_is_conditional() -> None:
    assert [pytest.approx([0.6, 0.42, 0.336])] == known("0.6, 0.7, 0.8", "position_rates")
    assert warned("0.6, 0.7, 0.8", "conditional")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k = 4, α = 0.8", (4, None, 0.8)),
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
