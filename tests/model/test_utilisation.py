"""The verify pass of a busy accelerator: its cost, the best draft length and the break-even, exactly."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.steps import best_draft_length, break_even_utilisation, speedup, step_cost, tokens_per_step

HUNDREDTHS = range(101)
LENGTHS = np.arange(200)

rate = st.floats(0, 1)
hundredth = st.integers(0, 100)
cost = st.floats(0, 2)
quickly = settings(deadline=None)


def steps_until_no_gain(rates: list[int], cost: int, used: int) -> int:
    """Return the shortest best draft length, all given in hundredths: in whole numbers nothing is rounded."""
    reached, tokens, length = rates[0], 1, 0  # p[k+1] = reached / 100^(k+1), E[k] = tokens / 100^k
    while True:
        now, then = (max(100, used * (k + 1)) + k * cost for k in (length, length + 1))
        if reached * now <= (then - now) * tokens * 100:
            return length
        length += 1
        tokens = tokens * 100 + reached
        reached *= rates[min(length, len(rates) - 1)]


def gains(a: Fraction, c: Fraction, b: Fraction) -> Iterator[int]:
    """Yield the draft lengths up to 400 that beat plain decoding, in whole numbers."""
    power, tokens, scale = 1, 1, 1
    for k in range(1, 401):
        power, scale = power * a.numerator, scale * a.denominator
        tokens = tokens * a.denominator + power  # E[k] = tokens / scale
        cost = max(1, b * (k + 1)) + k * c
        if tokens * cost.denominator > cost.numerator * scale:
            yield k


def test_an_idle_accelerator_verifies_any_draft_in_one_pass_to_the_last_bit() -> None:
    for c in (i / 100 for i in HUNDREDTHS):
        assert np.array_equal(1.0 + LENGTHS * c, step_cost(LENGTHS, c, 0))
        for a in (0, 0.37, 0.8, 0.95, 1, [0.9, 0.5, 0.7]):
            expected = tokens_per_step(a, LENGTHS) / (1.0 + LENGTHS * c)
            assert np.array_equal(expected, speedup(a, LENGTHS, c, 0))
            assert best_draft_length(a, c) == best_draft_length(a, c, 0)


def test_a_verify_pass_grows_from_where_its_positions_fill_the_accelerator() -> None:
    assert step_cost([0, 3, 4, 9], 0.5, 0.25).tolist() == [1.0, 2.5, 3.25, 7.0]
    assert [step_cost(k, 0, 1) for k in range(4)] == [1.0, 2.0, 3.0, 4.0]
    assert step_cost(np.array([255], dtype=np.uint8), 0, 1).tolist() == [256.0]


@pytest.mark.parametrize("b", HUNDREDTHS)
def test_step_cost_is_exact_on_all_hundredths(b: int) -> None:
    for c in HUNDREDTHS:
        costs = step_cost(np.arange(33), c / 100, b / 100)
        exact = [max(1, Fraction(b, 100) * (k + 1)) + k * Fraction(c, 100) for k in range(33)]
        assert [float(value) for value in exact] == pytest.approx(
            costs, rel=2**-51
        )  # four roundings of 2^-53


def test_plain_decoding_costs_one_pass_however_busy_the_accelerator() -> None:
    assert {step_cost(0, 0.1, i / 100) for i in HUNDREDTHS} == {1.0}
    assert {speedup(0.8, 0, 0.1, i / 100) for i in HUNDREDTHS} == {1.0}


@quickly
@given(st.lists(rate, min_size=1, max_size=8), cost, rate, rate)
def test_a_busier_accelerator_never_speeds_a_step_up(
    a: list[float], c: float, b: float, other: float
) -> None:
    idler, busier = (speedup(a, LENGTHS, c, used) for used in sorted((b, other)))
    assert (busier <= idler).all()


@quickly
@given(st.lists(rate, min_size=1, max_size=8), cost, st.floats(0.001, 1), st.floats(0.001, 1))
def test_a_busier_accelerator_never_makes_a_longer_draft_best(
    a: list[float], c: float, b: float, other: float
) -> None:
    longer, shorter = (best_draft_length(a, c, used) for used in sorted((b, other)))
    assert shorter <= longer


@quickly
@given(st.lists(rate, min_size=1, max_size=8), cost, st.floats(0.001, 1))
def test_the_best_draft_ends_where_the_verify_pass_is_full(a: list[float], c: float, b: float) -> None:
    best = int(best_draft_length(a, c, b))
    assert best * b <= 1
    highest = speedup(a, np.arange(1100), c, b).max()
    assert highest <= speedup(a, best, c, b) * (1 + 2e-14)  # a gain of 1e-14 is none, and so much is rounded


def some_hundredths() -> Iterator[tuple[int, int, int]]:
    """Yield a, c and b > 0 on a grid, along c = 0, a = 1 and a = c, and at the break-even."""
    yield from product(HUNDREDTHS, (1, 2, 5, 10, 20, 50, 100), (1, 2, 3, 7, *range(10, 101, 5)))
    yield from ((a, 0, b) for a, b in product(HUNDREDTHS[::7], HUNDREDTHS[1:]))
    yield from ((100, c, b) for c, b in product(HUNDREDTHS[::3], HUNDREDTHS[1:]))
    yield from ((a, a, b) for a, b in product(HUNDREDTHS, HUNDREDTHS[::5]))
    for a, c in product(HUNDREDTHS, HUNDREDTHS):
        if a > c and (a - c) % 2 == 0:
            yield a, c, (100 + a - c) // 2


def test_best_draft_length_is_right_on_many_hundredths() -> None:
    for a, c, b in some_hundredths():
        assert steps_until_no_gain([a], c, b) == best_draft_length(a / 100, c / 100, b / 100), (a, c, b)


@quickly
@given(st.lists(hundredth, min_size=1, max_size=8), hundredth, st.integers(1, 100))
def test_best_draft_length_is_right_for_rates_by_position(rates: list[int], c: int, b: int) -> None:
    expected = steps_until_no_gain(rates, c, b)
    assert expected == best_draft_length([a / 100 for a in rates], c / 100, b / 100)


@pytest.mark.parametrize(
    ("a", "c", "b", "best"),
    [
        (1, 0, 0.1, 9),  # E / cost = 1 / b from here on
        (1, 0, 0.3, 3),  # so too, where b (k + 1) goes past 1
        (1, 0.5, 1e-6, 999_999),
        (0.5, 0, 1e-6, 999_999),  # p[k+1] has long sunk to 0, no rate has
        ([0.5, 0.0, 0.9], 0, 1e-9, 1),
        ([1e-200] * 3 + [0.0], 0, 0.01, 3),
        ([0.5, 1.0], 0.1, 0.01, 99),
        (0.8, 0.1, 0.85, 0),  # a = c + (2 b - 1), which doubles miss
        (0.8, 0.1, 0.849, 1),
    ],
)
def test_the_best_draft_is_finite_once_verifying_costs(
    a: float | list[float], c: float, b: float, best: int
) -> None:
    assert best == best_draft_length(a, c, b)


@pytest.mark.parametrize("a", [1.0, 0.5])
def test_a_draft_length_past_two_million_is_refused(a: float) -> None:
    with pytest.raises(ValueError, match=r"from 0 to 2000000.*and draft_cost 0 at utilisation 1e-09 lies"):
        best_draft_length(a, 0, 1e-9)


def test_some_draft_gains_just_below_the_break_even_and_none_at_it_or_above() -> None:
    for i, j in product(range(0, 101, 10), repeat=2):
        a, c = Fraction(i, 100), Fraction(j, 100)
        exact = (1 + a - c) / 2 if a > c else Fraction(0)
        assert float(exact) == pytest.approx(
            break_even_utilisation(i / 100, j / 100), abs=2**-52
        )  # 3 roundings
        assert [] == list(gains(a, c, exact)) == list(gains(a, c, (1 + exact) / 2))
        if a > c:
            assert 1 in gains(a, c, exact - Fraction(1, 10**9))


def test_no_draft_is_best_at_the_break_even_and_one_is_below() -> None:
    for a, c in product((i / 100 for i in HUNDREDTHS), repeat=2):
        b = break_even_utilisation(a, c)
        assert best_draft_length(a, c, b) == 0
        assert a <= c or best_draft_length(a, c, b - 1e-9) >= 1


def test_only_the_first_rate_decides_where_the_break_even_lies() -> None:
    for a in ([0.8, 0.0], [0.8, 1.0], [0.8, 0.3, 1.0]):
        assert break_even_utilisation(0.8, 0.1) == break_even_utilisation(a, 0.1)
        assert best_draft_length(a, 0.1, 0.85) == 0
    assert break_even_utilisation([0.2, 1.0], 0.2) == 0.0


def test_the_break_even_falls_as_drafts_get_dearer_and_ends_at_a_half() -> None:
    falling = [break_even_utilisation(0.8, c / 100) for c in range(80)]
    assert all(more > less for more, less in pairwise(falling))
    assert 1.0 == break_even_utilisation(1, 0)
    assert 0.5 < falling[-1] < 0.51
    assert break_even_utilisation(0.8, 0.8) == 0.0
