"""Choosing for the tail: against rational arithmetic, counting by hand, and the samples of many seeds."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from exact import exact_distribution, still_running

from model import chains, finish_times, tails
from model.bursts import simulate
from model.checks import Rate
from model.steps import step_cost

# ---- which draft length ----


def exact_times(a: float, k: int, n: int, bursts: int) -> list[Fraction]:
    """Return mean, p50, p99 and the timeout that 99 % of runs survive, in steps."""
    running = still_running(a, k, n)
    first = [
        next(m for m, late in enumerate(running) if late <= limit)
        for limit in (Fraction(1, 2), Fraction(1, 100))
    ]
    late = [1 - (1 - chance) ** bursts for chance in running]
    mean = sum((m * mass for m, mass in enumerate(exact_distribution(a, k, n))), Fraction(0))
    return [
        mean,
        *map(Fraction, first),
        Fraction(next(m for m, q in enumerate(late) if q <= Fraction(1, 100))),
    ]


def times_at(a: Rate, k: int, c: float, n: int, run: tuple[int, float]) -> tuple[float, float, float, float]:
    """Return the mean, p50, p99 and timeout at a draft length."""
    return tails.draft_length_times(*finish_times.step_distribution(a, k, n), step_cost(k, c), *run)


@pytest.mark.parametrize(("a", "n"), [(0.9, 12), (0.5, 9), (0.63, 20)])
def test_the_best_draft_lengths_are_those_of_exact_arithmetic(a: float, n: int) -> None:
    lengths = range(1, 13)
    costs = [1 + Fraction(k, 10) for k in lengths]
    exact = [
        [time * cost for time in exact_times(a, k, n, 20)] for k, cost in zip(lengths, costs, strict=True)
    ]
    actual = [times_at(a, k, 0.1, n, (20, 0.99)) for k in lengths]
    for ours, theirs in zip(zip(*actual, strict=True), zip(*exact, strict=True), strict=True):
        # The mean carries the roundings of n steps, the others one product.
        assert ours == pytest.approx([float(time) for time in theirs], rel=1e-13)
        best = [k for k, time in zip(lengths, theirs, strict=True) if time == min(theirs)]
        assert best == tails.draft_lengths_of_least(ours).tolist()


def test_the_tail_asks_for_shorter_drafts_than_the_mean_at_the_defaults() -> None:
    times = np.array([times_at(0.9, k, 0.1, 40, (600, 0.99)) for k in range(1, 33)])
    assert [[9], [7], [5], [3]] == [tails.draft_lengths_of_least(column).tolist() for column in times.T]
    assert [12.72, 11.9, 18.0, 23.4] == [round(float(time), 2) for time in times.min(axis=0)]
    assert [12.82, 12.0, 20.0, 28.0] == [round(float(time), 2) for time in times[9]]


def test_a_quantile_has_saw_teeth_over_the_draft_length_and_the_mean_has_none() -> None:
    times = np.array([times_at(0.9, k, 0.1, 40, (600, 0.99)) for k in range(1, 33)])
    turns = [int((np.diff(np.sign(np.diff(column))) != 0).sum()) for column in times.T]
    assert [1, 5, 5, 5] == turns  # rises become falls, or falls rises


def test_draft_lengths_that_tie_in_decimals_are_all_named() -> None:
    at_two, at_seven = 17 * step_cost(2, 0.1), 12 * step_cost(7, 0.1)
    assert at_two != at_seven
    assert [2, 7] == tails.draft_lengths_of_least([30, at_two, 30, 30, 30, 30, at_seven]).tolist()
    assert [1] == tails.draft_lengths_of_least([1.0, 1.0 + 1e-9]).tolist()


@pytest.mark.parametrize(("rate", "longest", "n"), [(0.9, 32, 100), ((0.9, 0.2, 0.7), 12, 5), (1.0, 3, 1)])
def test_one_pass_gives_every_draft_length_the_distribution_of_its_own(
    rate: Rate, longest: int, n: int
) -> None:
    every = np.array(list(tails.draft_length_chances(rate, longest, n))).T
    assert longest == len(every)
    for k, chances in enumerate(every, start=1):
        expected = finish_times.step_distribution(rate, k, n)
        actual = finish_times.possible(chances)
        assert [column.tolist() for column in expected] == [column.tolist() for column in actual]


def test_a_draft_length_has_the_times_of_its_distribution() -> None:
    times, chances = finish_times.distribution((0.9, 0.8, 0.7), 5, 0.2, 60)
    mean, p50, p99, timeout = times_at((0.9, 0.8, 0.7), 5, 0.2, 60, (100, 0.9))
    assert finish_times.quantile(times, [0.5, 0.99], chances).tolist() == [p50, p99]
    assert chains.burst_timeout(times, chances, 100, 0.9) == timeout
    assert mean == pytest.approx((times * chances).sum(), rel=1e-14)  # sixty roundings


# ---- how sure a sample is ----


@pytest.mark.parametrize("trials", [1, 2, 7, 100])
@pytest.mark.parametrize("chance", [0.0, 1e-9, 0.01, 0.5, 0.75, 1 - 2**-40, 1.0])
def test_binomial_chances_agree_with_exact_arithmetic(trials: int, chance: float) -> None:
    q = Fraction(chance)
    exact = [float(comb(trials, j) * q**j * (1 - q) ** (trials - j)) for j in range(trials + 1)]
    # Four roundings per ratio; where a chance is below all numbers it is 0 in both.
    assert tails.binomial(trials, chance).tolist() == pytest.approx(exact, rel=trials * 1e-15, abs=1e-300)


@pytest.mark.parametrize("chance", [0.0, 1e-12, 0.003, 0.5, 0.9, 1.0])
def test_binomial_chances_of_many_trials_have_their_mean_and_deviation(chance: float) -> None:
    trials = 2000
    mean, deviation = finish_times.moments(np.arange(trials + 1), tails.binomial(trials, chance))
    # A few thousand roundings.
    assert mean == pytest.approx(trials * chance, rel=1e-11)
    assert deviation == pytest.approx(np.sqrt(trials * chance * (1 - chance)), rel=1e-10)


@pytest.mark.parametrize(
    ("bursts", "p"), [(1, 0.5), (5, 0.5), (10, 0.99), (100, 0.99), (100, 0.0), (100, 1.0)]
)
def test_the_sampled_quantile_agrees_with_exact_arithmetic(bursts: int, p: float) -> None:
    running = still_running(0.75, 3, 12)
    rank = max(1, -(-round(100 * p) * bursts // 100))  # ceil(p B)
    by = [
        sum(comb(bursts, j) * q**j * (1 - q) ** (bursts - j) for j in range(bursts - rank + 1))
        for q in running
    ]
    counts, chances = finish_times.step_distribution(0.75, 3, 12)
    exact = [float(by[m] - by[m - 1]) for m in counts]
    # Each is the difference of two chances, right to some thirteen digits.
    assert tails.sampled_quantile(chances, p, bursts).tolist() == pytest.approx(exact, abs=1e-13)


def test_of_a_thousand_seeds_as_many_show_each_p99_as_computed() -> None:
    seeds, bursts = 1000, 500
    times, chances = finish_times.distribution(0.9, 10, 0.1, 40)
    shown = [finish_times.quantile(simulate(0.9, 10, 0.1, 40, seed, bursts), 0.99) for seed in range(seeds)]
    seen = np.array([np.mean(np.array(shown) == time) for time in times])
    expected = tails.sampled_quantile(chances, 0.99, bursts)
    assert (np.abs(seen - expected) <= 4 * np.sqrt(expected * (1 - expected) / seeds)).all()


def test_the_posts_median_at_two_hundred_tokens_is_one_seed_in_four() -> None:
    times, chances = finish_times.distribution(0.9, 10, 0.1, 200)
    medians = dict(zip(times, tails.sampled_quantile(chances, 0.5, 2000), strict=True))
    assert [0.263, 0.737] == [round(float(medians[time]), 3) for time in (58, 60)]


def test_two_thousand_bursts_leave_a_band_around_p99() -> None:
    bands = []
    for n in (40, 100, 200, 400):
        times, chances = finish_times.distribution(0.9, 10, 0.1, n)
        seen = tails.sampled_quantile(chances, 0.99, 2000)
        bands.append(finish_times.quantile(times, [0.025, 0.975], seen).tolist())
    assert [[20, 22], [40, 42], [74, 76], [138, 140]] == bands
