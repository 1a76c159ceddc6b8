"""One step: against exact rational arithmetic, against its identities, and near the edges."""

import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.steps import (
    best_draft_length,
    ceiling,
    draft_length_reaching,
    pays,
    position_rates,
    speedup,
    step_cost,
    tokens_per_step,
)

HUNDREDTHS = [i / 100 for i in range(101)]
NEAR_THE_EDGES = [1e-12, 1 - 1e-12]
ACCURACY = 1e-14  # asked for by the model's contract; the worst measured is 2.7e-15, at a = 0.94, k = 885

rate = st.floats(0, 1)
rates = st.lists(rate, min_size=1, max_size=8)
length = st.integers(0, 200)
cost = st.floats(0, 2)
quickly = settings(deadline=None)


def steps_until_no_gain(a: Fraction, c: Fraction) -> int:
    """Return the shortest best draft length in whole numbers: nothing is rounded."""
    reached, scale, tokens, length = (
        a.numerator,
        1,
        1,
        0,
    )  # p[k+1] = reached / (scale a_den), E = tokens / scale
    c_num, c_den, a_den = c.numerator, c.denominator, a.denominator
    while reached * (c_den + length * c_num) > c_num * tokens * a_den:
        scale *= a_den
        tokens = tokens * a_den + reached
        reached *= a.numerator
        length += 1
    return length


@pytest.mark.parametrize("a", HUNDREDTHS + NEAR_THE_EDGES)
def test_tokens_per_step_is_the_exact_sum(a: float) -> None:
    a_num, a_den = Fraction(a).numerator, Fraction(a).denominator
    tokens, power, scale = 1, 1, 1
    for value in tokens_per_step(a, np.arange(1001)):
        num, den = Fraction(value).numerator, Fraction(value).denominator
        assert abs(num * scale - tokens * den) * 10**14 <= tokens * den  # ACCURACY, in whole numbers
        power *= a_num
        tokens = tokens * a_den + power
        scale *= a_den


@pytest.mark.parametrize("a", HUNDREDTHS[:-1])
def test_closed_form_and_sum_over_the_distribution_agree(a: float) -> None:
    exact, k = Fraction(a), 12
    closed = (1 - exact ** (k + 1)) / (1 - exact)
    stops = [exact**j * (1 - exact) for j in range(k)]
    direct = sum((j + 1) * chance for j, chance in enumerate([*stops, exact**k]))
    assert closed == direct
    assert float(closed) == pytest.approx(tokens_per_step(a, k), rel=ACCURACY)


def test_position_rates_multiply_the_conditional_rates_and_the_last_one_holds() -> None:
    assert position_rates([0.5, 0.25, 0.5], 5).tolist() == [0.5, 0.125, 0.0625, 0.03125, 0.015625]
    assert position_rates([0.5, 0.25, 0.5], 2).tolist() == [0.5, 0.125]
    assert position_rates(0.9, 0).tolist() == []


def test_tokens_per_step_sums_the_varying_position_rates() -> None:
    assert tokens_per_step([0.5, 0.25, 0.5], 3) == 1.6875
    assert ceiling([0.5, 0.25, 0.5]) == 1 + 0.5 * (1 + 0.25 * 2)


def test_a_whole_draft_length_gives_a_float_and_an_array_its_own_shape() -> None:
    lengths = np.array([[1, 2], [0, 6]])
    for measure in (
        lambda k: tokens_per_step(0.8, k),
        lambda k: step_cost(k, 0.1),
        lambda k: speedup(0.8, k, 0.1),
    ):
        assert type(measure(6)) is float
        assert measure(lengths).shape == (2, 2)
        assert measure(lengths)[1, 1] == measure(6)
        assert measure([0, 6]).tolist() == [measure(0), measure(6)]
        assert measure(np.array([], dtype=int)).shape == (0,)


@pytest.mark.parametrize("function", [position_rates, tokens_per_step])
def test_equal_rates_by_position_are_one_rate(function: Callable[..., object]) -> None:
    for values in ([0.7], [0.7] * 3, (0.7, 0.7), np.full(40, 0.7)):
        assert np.array_equal(function(values, 20), function(0.7, 20))


def test_plain_decoding_is_a_draft_of_no_guesses() -> None:
    assert (tokens_per_step(0.8, 0), step_cost(0, 0.1), speedup(0.8, 0, 0.1)) == (1.0, 1.0, 1.0)


@quickly
@given(rates, length)
def test_tokens_per_step_never_passes_one_per_guess_and_one(a: list[float], k: int) -> None:
    assert 1 <= tokens_per_step(a, k) <= k + 1


@quickly
@given(rates, length)
def test_no_draft_length_beats_the_ceiling(a: list[float], k: int) -> None:
    assert tokens_per_step(a, k) <= ceiling(a) * (1 + ACCURACY)


@quickly
@given(rates, length, cost)
def test_no_speedup_beats_the_ceiling(a: list[float], k: int, c: float) -> None:
    assert speedup(a, k, c) <= ceiling(a) * (1 + ACCURACY)


@quickly
@given(rates)
def test_a_longer_draft_never_settles_fewer_tokens(a: list[float]) -> None:
    assert (np.diff(tokens_per_step(a, np.arange(100))) >= 0).all()


@quickly
@given(rate, rate, length)
def test_a_better_draft_never_settles_fewer_tokens(a: float, b: float, k: int) -> None:
    assert tokens_per_step(min(a, b), k) <= tokens_per_step(max(a, b), k)


@quickly
@given(rate, st.integers(1, 200))
def test_a_draft_right_as_often_as_it_is_expensive_never_pays(a: float, k: int) -> None:
    assert not pays(a, a)
    assert best_draft_length(a, a) == 0
    assert speedup(a, k, a) <= 1 + ACCURACY


def test_guessing_pays_just_where_a_exceeds_c() -> None:
    fiftieths, lengths = [i / 50 for i in range(1, 50)], np.arange(1, 401)
    for a in fiftieths:
        for c in fiftieths:
            gains = speedup(a, lengths, c) > 1
            assert pays(a, c) == gains[0] == gains.any()


def test_only_the_first_rate_decides_whether_guessing_pays() -> None:
    assert pays([0.3, 0.0], 0.2)
    assert not pays([0.2, 1.0], 0.2)
    assert best_draft_length([0.2, 1.0], 0.2) == 0


def test_ceiling_is_infinite_only_where_no_guess_is_ever_rejected() -> None:
    assert (ceiling(0), ceiling(0.5), ceiling(1)) == (1.0, 2.0, math.inf)
    assert (ceiling([0.5, 1.0]), ceiling([1.0, 0.0, 1.0])) == (math.inf, 2.0)


@pytest.mark.parametrize("to_fraction", [lambda i: Fraction(i, 100), lambda i: Fraction(i / 100)])
def test_best_draft_length_is_right_on_all_hundredths(to_fraction: Callable[[int], Fraction]) -> None:
    for i in range(100):
        for j in range(1, 101):
            expected = steps_until_no_gain(to_fraction(i), to_fraction(j))
            assert expected == best_draft_length(i / 100, j / 100), (i, j)


@quickly
@given(st.lists(st.floats(0, 0.97), min_size=1, max_size=8), st.floats(0.01, 1))
def test_best_draft_length_has_the_highest_speedup_of_all(a: list[float], c: float) -> None:
    best = best_draft_length(a, c)
    assert speedup(a, np.arange(1000), c).max() <= speedup(a, int(best), c) * (1 + ACCURACY)
    assert best == 0 or pays(a, c)


def test_best_draft_length_is_the_shortest_on_a_tie() -> None:
    assert speedup(0.5, 1, 0.2) == speedup(0.5, 2, 0.2) == 1.25
    assert best_draft_length(0.5, 0.2) == 1


def test_best_draft_length_is_exact_beyond_a_million() -> None:
    a, c, best = 1 - 1e-6, 1e-6, 1_146_191
    assert best_draft_length(a, c) == best
    with localcontext(prec=60):
        exact_a, exact_c = Decimal(a), Decimal(c)
        near = [(1 - exact_a ** (k + 1)) / (1 + k * exact_c) for k in (best - 1, best, best + 1)]
    assert near[0] < near[1] > near[2]


def test_best_draft_length_carries_on_past_the_first_stretch_without_a_seam() -> None:
    for k, c in ((63, 0.000_02), (64, 0.000_02), (191, 0.000_02), (192, 0.000_02)):
        assert best_draft_length([0.99] * k + [0.0], c) == k
    assert best_draft_length(0.99, 0.01) == 113


@pytest.mark.parametrize(
    ("a", "c", "best"),
    [
        (0.5, 0, math.inf),
        (1, 0.99, math.inf),
        (1, 1 - 2**-53, math.inf),  # past the listed rates rounding alone would end the search
        (1, 1, 0),
        (0, 0, 0),
        ([0.5, 0.0, 0.9], 0, 1),
        ([1e-200] * 3 + [0.0], 0, 3),  # the product is 0 from the second position on, the rates are not
        ([0.5, 1.0], 0.1, math.inf),
        ([0.5, 0.1, 1.0], 0.4, 1),
    ],
)
def test_best_draft_length_is_infinite_where_every_longer_draft_is_better(
    a: float | list[float], c: float, best: float
) -> None:
    assert best_draft_length(a, c) == best


def test_a_draft_length_past_two_million_is_refused() -> None:
    with pytest.raises(ValueError, match=r"from 0 to 2000000.*share 0.9 and acceptance_rate 0.9999999 "):
        draft_length_reaching(0.9, 0.999_999_9)
    with pytest.raises(
        ValueError, match=r"from 0 to 2000000.*acceptance_rate 0.9999999 and draft_cost 1e-09"
    ):
        best_draft_length(0.999_999_9, 1e-9)


@pytest.mark.parametrize("percent", [0, 10, 25, 50, 75, 80, 90, 95, 96, 99])
def test_draft_length_reaching_a_share_is_right_on_all_hundredths(percent: int) -> None:
    for i in range(100):
        shortfall, k = Fraction(i, 100), 0  # the share missing of the ceiling is a^(k+1)
        while 1 - shortfall < Fraction(percent, 100):
            shortfall, k = shortfall * Fraction(i, 100), k + 1
        assert k == draft_length_reaching(percent / 100, i / 100), i


@pytest.mark.parametrize(
    ("share", "a", "reaching"),
    [
        (0, 1, 0),
        (0.01, 1, math.inf),
        (1, 0.5, math.inf),
        (1, 0, 0),
        (1, [0.5, 0.5, 0.0], 2),
        (1 - 2**-53, 0.8, 144),  # the first within the rounding error of tokens per step, 1e-14
        (0.9, [0.5, 0.25, 0.5], 2),  # E = 1, 1.5, 1.625 of 1.75
        (0.9, [0.5, 1.0], math.inf),
    ],
)
def test_draft_length_reaching_is_infinite_where_no_draft_reaches(
    share: float, a: float | list[float], reaching: float
) -> None:
    assert draft_length_reaching(share, a) == reaching
