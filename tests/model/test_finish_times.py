"""Exact finish times: against a plain loop for the bits, against rational arithmetic for the values."""

from fractions import Fraction

import numpy as np
import pytest
from exact import conditional, exact_distribution, still_running
from hypothesis import example, given, settings
from hypothesis import strategies as st

from model import finish_times
from model.chains import burst_timeout
from model.checks import Rate
from model.finish_times import distribution, moments, quantile, step_distribution
from model.mixtures import step_quantiles
from model.steps import step_cost

SETTINGS = [
    (0.9, 10, 40),
    (0.5, 32, 60),
    (0.01, 3, 25),
    (0.99, 32, 90),
    (0.0, 5, 12),
    (1.0, 5, 12),
    (0.7, 0, 9),
    (0.7, 4, 1),
    (0.7, 50, 20),
    ((0.95, 0.9, 0.8, 0.4), 6, 50),
    ((1.0, 0.5, 0.0), 6, 30),
]
quickly = settings(deadline=None)
chance = st.floats(0, 1)


def plain_loop(a: Rate, k: int, n: int) -> list[float]:
    """Return P(N = m) for m = 0..n by the words of the contract, one number at a time."""
    at_least = [1.0]
    for j in range(1, k + 1):
        at_least.append(at_least[-1] * conditional(a, j))
    exactly = [at_least[j] * (1.0 - conditional(a, j + 1)) for j in range(k)] + [at_least[k]]
    now, chances = [1.0] + [0.0] * (n - 1), [0.0]
    for _ in range(n):
        crossing, then = 0.0, [0.0] * n
        for s in range(max(0, n - 1 - k), n):
            crossing += now[s] * at_least[n - s - 1]
        for j in range(k + 1):
            for s in range(n - j - 1):
                then[s + j + 1] += exactly[j] * now[s]
        chances.append(crossing)
        now = then
    return chances


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
def test_distribution_has_the_bits_of_a_plain_loop(a: Rate, k: int, n: int) -> None:
    times, chances = distribution(a, k, 0.1, n)
    expected = plain_loop(a, k, n)
    possible = [m for m in range(n + 1) if expected[m] > 0]
    assert times.tolist() == [m * step_cost(k, 0.1) for m in possible]
    assert chances.tolist() == [expected[m] for m in possible]


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
def test_distribution_agrees_with_exact_arithmetic(a: Rate, k: int, n: int) -> None:
    exact = exact_distribution(a, k, n)
    times, chances = distribution(a, k, 0, n)
    assert times.tolist() == [m for m, mass in enumerate(exact) if mass]
    for steps, mass in zip(times, chances, strict=True):
        # Each chance is a sum of positive terms: at most a few n roundings of 1.1e-16 on the way to it, and
        # the rate itself, a decimal, is off by as much of its value (by 50 times as much in 1 - 0.99).
        assert mass == pytest.approx(float(exact[int(steps)]), rel=n * 1e-14)


@pytest.mark.parametrize("p", [0.01, 0.5, 0.9, 0.99, 0.999])
@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
def test_exact_quantiles_agree_with_exact_arithmetic(a: Rate, k: int, n: int, p: float) -> None:
    exact = exact_distribution(a, k, n)
    steps, finished = 0, exact[0]
    while finished < Fraction(round(p * 1000), 1000):
        steps += 1
        finished += exact[steps]
    times, chances = distribution(a, k, 0.1, n)
    assert quantile(times, p, chances) == steps * step_cost(k, 0.1)


@pytest.mark.parametrize("n", [1, 40, 400, 2000])
@pytest.mark.parametrize("k", [0, 1, 10, 32])
@pytest.mark.parametrize("a", [0.0, 1e-9, 0.01, 0.3, 0.5, 0.77, 0.9, 0.99, 1 - 1e-9, 1.0])
def test_probabilities_sum_to_one_up_to_two_thousand_tokens(a: float, k: int, n: int) -> None:
    assert distribution(a, k, 0.1, n)[1].sum() == pytest.approx(
        1, abs=1e-12
    )  # the contract; measured 1.3e-13


@pytest.mark.parametrize("n", [1, 40, 400, 2000])
@pytest.mark.parametrize(("a", "k"), [(0.9, 10), (0.5, 32), (0.97, 3)])
def test_mean_agrees_with_the_renewal_equation(a: float, k: int, n: int) -> None:
    exactly = [a**j * (1 - a) for j in range(k)] + [a**k]
    mean = [0.0] * (n + 1)  # steps that n tokens take: one, and those that the tokens left take
    for left in range(1, n + 1):
        mean[left] = 1 + sum(w * mean[left - j - 1] for j, w in enumerate(exactly) if j + 1 < left)
    times, chances = distribution(a, k, 0.5, n)
    # Both carry the roundings of up to n steps: 2,000 times 1.1e-16, and as much again.
    assert (times * chances).sum() == pytest.approx(mean[n] * (1 + k * 0.5), rel=1e-12)


def test_no_burst_finishes_sooner_than_full_acceptance_allows() -> None:
    times, _ = distribution(0.9, 10, 0, 400)
    assert times[0] == 37
    assert (np.diff(times) == 1).all()
    assert times[-1] <= 400


def test_only_possible_finish_times_are_given() -> None:
    assert [part.tolist() for part in distribution(0, 10, 0.1, 40)] == [[80.0], [1.0]]
    assert [part.tolist() for part in distribution(1, 10, 0.1, 40)] == [[8.0], [1.0]]
    assert [part.tolist() for part in distribution(0.9, 10, 0.1, 1)] == [[2.0], [1.0]]


def test_two_tokens_take_one_step_with_chance_a() -> None:
    assert [part.tolist() for part in distribution(0.75, 10, 0, 2)] == [[1.0, 2.0], [0.75, 0.25]]


def test_guesses_beyond_the_burst_change_its_cost_alone() -> None:
    assert distribution(0.9, 39, 0, 40)[1].tolist() == distribution(0.9, 2_000_000, 0, 40)[1].tolist()
    assert distribution(0.9, 99, 0.5, 40)[0][0] == 1 + 99 * 0.5


samples = st.lists(st.integers(-20, 20), min_size=1, max_size=60)


@quickly
@example(list(range(100)), 0.07)  # 0.07 * 100 rounds to more than 7, and 7 / 100 to 0.07
@given(samples, st.one_of(chance, st.integers(0, 100).map(lambda percent: percent / 100)))
def test_quantile_of_a_sample_is_that_of_numpy(times: list[int], p: float) -> None:
    assert quantile(times, p) == np.quantile(times, p, method="inverted_cdf")


@quickly
@given(st.data(), samples, chance)
def test_quantile_of_a_distribution_is_that_of_numpy(data: st.DataObject, times: list[int], p: float) -> None:
    weight = st.one_of(st.just(0.0), st.floats(1e-3, 10))
    weights = data.draw(st.lists(weight, min_size=len(times), max_size=len(times)).filter(any))
    kept = [
        (time, w) for time, w in zip(times, weights, strict=True) if w
    ]  # NumPy may give a time of weight 0
    expected = np.quantile([t for t, _ in kept], p, weights=[w for _, w in kept], method="inverted_cdf")
    assert quantile(times, p, weights) == expected


@quickly
@given(samples, st.integers(0, 64))
def test_quantile_is_the_smallest_time_by_which_the_share_is_finished(times: list[int], part: int) -> None:
    p = part / 64  # exact in binary, and so is its product with the number of times
    finished = [
        time for time in sorted(times) if Fraction(sum(t <= time for t in times), len(times)) >= Fraction(p)
    ]
    assert quantile(times, p) == finished[0]


def test_counts_weigh_like_repeated_times() -> None:
    p = np.array([0, 0.25, 0.26, 0.5, 0.75, 0.9, 1])
    assert quantile([14, 12, 18], p, [2, 1, 1]).tolist() == quantile([14, 14, 12, 18], p).tolist()
    assert quantile([14, 12, 18], p, [2, 1, 1]).tolist() == [12, 12, 14, 14, 14, 18, 18]


@pytest.mark.parametrize(("k", "n"), [(32, 100), (32, 98), (32, 20), (31, 31), (10, 60)])
def test_a_tie_and_what_is_nearly_one_are_told_apart_wherever_a_quantile_is_asked_for(k: int, n: int) -> None:
    counts, chances = step_distribution(0.5, k, n)
    found = [
        quantile(counts, 0.5, chances),
        burst_timeout(counts, chances, 1, 0.5),
        float(step_quantiles([0.5], [1], k, n, [0.5])[0, -1]),
    ]
    running = still_running(0.5, k, n)
    assert [next(m for m, late in enumerate(running) if late <= Fraction(1, 2))] * 3 == found


def test_the_last_quantile_is_the_largest_time_however_unlikely() -> None:
    assert quantile([1.0, 2.0], [0, 1 - 1e-12, 1], [1.0, 1e-300]).tolist() == [1.0, 1.0, 2.0]


def test_a_time_of_no_weight_is_no_quantile() -> None:
    assert quantile([1.0, 2.0, 3.0], [0, 1], [0, 1, 0]).tolist() == [2.0, 2.0]


def test_one_share_gives_a_float_and_several_an_array() -> None:
    assert type(quantile([1.0, 2.0], 0.5)) is float
    assert quantile([1.0, 2.0], [0.5]).tolist() == [1.0]


def test_the_last_time_is_reached_though_ten_tenths_add_up_to_less_than_one() -> None:
    assert np.cumsum([0.1] * 10)[-1] < 1
    assert quantile(range(10), 1, [0.1] * 10) == 9


def test_weights_need_not_add_up_to_one() -> None:
    assert quantile([1.0, 2.0], [0.5, 0.51], [0.01, 0.01]).tolist() == [1.0, 2.0]


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
def test_the_chance_to_run_still_agrees_with_exact_arithmetic_however_small(a: Rate, k: int, n: int) -> None:
    exact = still_running(a, k, n)
    counts, chances = finish_times.step_distribution(a, k, n)
    for count, running in zip(counts, finish_times.still_running(chances), strict=True):
        # A sum of as many positive terms as there are steps, each with the roundings stated above.
        assert running == pytest.approx(float(exact[count]), rel=n * 1e-14, abs=0)


def test_the_chance_to_run_still_begins_at_one_at_most_and_ends_at_zero() -> None:
    sums = []
    for percent in range(5, 100, 5):
        _, chances = distribution(percent / 100, 1, 0.1, 200)
        sums.append(np.cumsum(chances[::-1])[-1])
        running = finish_times.still_running(chances)
        assert running[0] <= 1
        assert (np.diff(running) <= 0).all()
        assert running[-1] == 0
    assert max(sums) > 1  # by its roundings, where it is not kept


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
def test_moments_agree_with_exact_arithmetic(a: Rate, k: int, n: int) -> None:
    exact = exact_distribution(a, k, n)
    mean = sum((m * mass for m, mass in enumerate(exact)), Fraction(0))
    variance = sum(((m - mean) ** 2 * mass for m, mass in enumerate(exact)), Fraction(0))
    actual = moments(*finish_times.step_distribution(a, k, n))
    # Chances as above; the deviation is a root, and its squares are of numbers up to n times as large.
    assert actual == (
        pytest.approx(float(mean), rel=n * 1e-14),
        pytest.approx(float(variance) ** 0.5, rel=n * 1e-13, abs=1e-12),
    )
