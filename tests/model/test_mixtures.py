"""Acceptance that varies: against rational arithmetic, a simulation, and a finely cut Beta distribution."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from exact import exact_distribution, still_running

from model import finish_times, mixtures
from model.checks import Floats

SHARES = [0.5, 0.9, 0.99, 0.999]
KINDS = [((0.9, 0.8), 0.25), ((0.5,), 0.5), ((0.0,), 0.125), ((1.0, 1.0, 0.3), 0.125)]
TRAFFIC = (0.63, 0.16, 1.0, 5)  # of the mean acceptance and the deviation found in real mixed traffic


def beta_kinds(mean: float, deviation: float, size: int) -> tuple[Floats, Floats]:
    """Return rates in fine steps, weighed by the Beta distribution of that mean and deviation."""
    together = mean * (1 - mean) / deviation**2 - 1
    rates = (np.arange(size) + 0.5) / size
    logs = (mean * together - 1) * np.log(rates) + ((1 - mean) * together - 1) * np.log1p(-rates)
    weights = np.exp(logs - logs.max())
    return rates, weights / weights.sum()


# ---- along the draft ----


@pytest.mark.parametrize(
    ("a", "d"), [(0.9, 0.95), (0.5, 1.2), (0.01, 10), (0.7, 0), (0, 3), (1, 0.5), (1, 2)]
)
def test_rates_decay_by_the_same_factor_and_stay_chances(a: float, d: float) -> None:
    rates = [min(Fraction(a) * Fraction(d) ** j, Fraction(1)) for j in range(40)]
    # One rounding per factor.
    assert mixtures.decayed_rates(a, d, 40).tolist() == pytest.approx(
        [float(rate) for rate in rates], rel=1e-14
    )


@pytest.mark.parametrize(
    ("rates", "d", "k"),
    [((0.78, 0.81, 0.85), 0.95, 9), ((0.5, 1, 0, 0.7), 1.2, 4), ((0.9, 0.8, 0.7), 0.5, 2)],
)
def test_each_position_decays_from_its_own_rate_and_the_last_carries_on(
    rates: tuple[float, ...], d: float, k: int
) -> None:
    carried = [Fraction(rates[min(j, len(rates) - 1)]) for j in range(k)]
    exact = [min(rate * Fraction(d) ** j, Fraction(1)) for j, rate in enumerate(carried)]
    # One rounding per factor.
    assert mixtures.decayed_rates(rates, d, k).tolist() == pytest.approx(
        [float(rate) for rate in exact], rel=1e-14
    )


@pytest.mark.parametrize("k", [0, 1, 2, 7])
def test_the_same_rate_at_some_positions_has_the_bits_of_one_rate(k: int) -> None:
    for a, s, d in product((0.1, 0.63, 0.9), (0.0, 0.16), (0.5, 0.95, 1.0, 1.2)):
        one, three = (mixtures.burst_kinds(rate, s, d, k) for rate in (a, [a, a, a]))
        assert [part.tolist() for part in one] == [part.tolist() for part in three]


def test_rates_that_grow_beyond_any_number_are_one() -> None:
    assert mixtures.decayed_rates(0.5, 10, 1000)[-1] == 1
    assert mixtures.decayed_rates(0, 10, 1000)[-1] == 0


def test_a_decay_of_one_changes_nothing() -> None:
    assert mixtures.decayed_rates(0.9, 1, 7).tolist() == [0.9] * 7
    assert mixtures.decayed_rates(0.9, 0.5, 0).tolist() == []


# ---- from burst to burst ----


@pytest.mark.parametrize(("a", "s"), product([0.3, 0.5, 0.63, 0.8], [0.01, 0.03, 0.06]))
def test_mean_and_deviation_remain_where_nothing_is_clipped(a: float, s: float) -> None:
    rates, weights = mixtures.burst_kinds(a, s, 1, 5)
    mean, deviation = finish_times.moments(rates[:, 0], weights)
    assert 0 < rates.min() < rates.max() < 1
    assert mean == pytest.approx(a, rel=1e-14)
    assert deviation == pytest.approx(s, rel=1e-13)  # the roundings of rates beside deviations


def test_each_kind_deviates_by_its_fixed_share_of_the_spread() -> None:
    x = np.arange(1, 34) / 34
    bell = x ** (33 / 8) * (1 - x) ** 2
    mean, deviation = finish_times.moments(x, bell / bell.sum())
    for a, s in ((0.63, 0.16), (0.9, 0.1), (0.05, 0.3)):
        rates, weights = mixtures.burst_kinds(a, s, 1, 1)
        # A few roundings of numbers up to one.
        assert rates[:, 0] == pytest.approx(np.clip(a + s * (x - mean) / deviation, 0, 1), abs=1e-14)
        assert weights == pytest.approx(bell / bell.sum(), rel=1e-13)


def test_a_kind_deviates_alike_at_every_position() -> None:
    rates, weights = mixtures.burst_kinds([0.6, 0.5, 0.55], 0.05, 1, 4)
    deviates = rates[:, 0] - 0.6
    for position, rate in enumerate((0.6, 0.5, 0.55, 0.55)):
        # A few roundings of numbers up to one.
        assert rates[:, position] == pytest.approx(rate + deviates, abs=1e-14)
    assert weights.sum() == pytest.approx(1, abs=1e-14)


def test_clipping_leaves_less_of_both_than_was_asked_for() -> None:
    remains = [
        finish_times.moments(rates[:, 0], weights)
        for rates, weights in (
            mixtures.burst_kinds(a, s, 1, 1) for a, s in [(0.9, 0.3), (0.95, 0.5), (0.05, 0.5)]
        )
    ]
    assert [(0.82, 0.22), (0.78, 0.31), (0.23, 0.28)] == [
        (round(mean, 2), round(s, 2)) for mean, s in remains
    ]


@pytest.mark.parametrize(("a", "s", "d"), product([0.0, 0.01, 0.5, 0.99, 1.0], [0.01, 0.5], [0.5, 1.0, 10.0]))
def test_every_kind_has_chances_for_rates_and_a_share(a: float, s: float, d: float) -> None:
    rates, weights = mixtures.burst_kinds(a, s, d, 6)
    assert ((33, 6), (33,)) == (rates.shape, weights.shape)
    assert ((rates >= 0) & (rates <= 1)).all()
    assert (weights > 0).all()
    assert weights.sum() == pytest.approx(1, abs=1e-14)  # 33 roundings


def test_bursts_that_do_not_vary_are_of_one_kind() -> None:
    assert [part.tolist() for part in mixtures.burst_kinds(0.9, 0, 0.5, 3)] == [[[0.9, 0.45, 0.225]], [1.0]]
    assert mixtures.burst_kinds(0.9, 0, 1, 0)[0].tolist() == [[0.9]]


# ---- how long they take ----


@pytest.mark.parametrize(("a", "k", "n"), [(0.9, 10, 40), (0.5, 32, 60), ((0.9, 0.4), 6, 50), (0.7, 4, 1)])
def test_one_kind_of_burst_has_the_bits_of_its_own_distribution(
    a: float | tuple[float, ...], k: int, n: int
) -> None:
    expected = finish_times.step_distribution(a, k, n)
    actual = mixtures.step_distribution([a], [1], k, n)
    assert [part.tolist() for part in expected] == [part.tolist() for part in actual]


@pytest.mark.parametrize(("k", "n"), [(3, 25), (10, 8), (0, 5), (5, 1)])
def test_kinds_mix_as_exact_arithmetic_mixes_them(k: int, n: int) -> None:
    each = [(Fraction(share), exact_distribution(rates, k, n)) for rates, share in KINDS]
    exact = [sum((share * chances[m] for share, chances in each), Fraction(0)) for m in range(n + 1)]
    counts, chances = mixtures.step_distribution(*map(list, zip(*KINDS, strict=True)), k, n)
    assert counts.tolist() == [m for m, mass in enumerate(exact) if mass]
    # As in test_finish_times.py: positive terms, a few n roundings, and those of the rates.
    assert chances.tolist() == pytest.approx([float(mass) for mass in exact if mass], rel=n * 1e-14)


def test_a_million_simulated_bursts_of_all_kinds_finish_as_computed() -> None:
    bursts, k, n = 1_000_000, 5, 40
    rates, weights = mixtures.burst_kinds(0.63, 0.16, 0.9, k)
    dice = np.random.default_rng(1)
    reached = np.cumprod(rates, axis=1)[dice.choice(len(weights), size=bursts, p=weights)]
    settled, steps = np.zeros((2, bursts), dtype=int)
    while (running := settled < n).any():
        steps += running
        settled += 1 + (dice.random((bursts, 1)) < reached).sum(axis=1)
    counts, chances = mixtures.step_distribution(rates, weights, k, n)
    seen = np.bincount(steps, minlength=n + 1)[counts] / bursts
    assert (np.abs(seen - chances) <= 4 * np.sqrt(chances * (1 - chances) / bursts) + 1 / bursts).all()


# ---- every burst length at once ----


@pytest.mark.parametrize("k", [1, 5, 32])
@pytest.mark.parametrize("a", [0.0, 0.1, 0.49, 0.63, 0.9, 0.99, 1.0])
def test_quantiles_by_length_are_those_of_each_distribution(a: float, k: int) -> None:
    actual = mixtures.step_quantiles([a], [1], k, 120, SHARES)
    for n in range(1, 121):
        expected = finish_times.quantile(*_with_shares(finish_times.step_distribution(a, k, n)))
        assert expected.tolist() == actual[:, n - 1].tolist(), n


def test_quantiles_by_length_of_kinds_are_those_of_each_distribution() -> None:
    kinds = mixtures.burst_kinds(0.63, 0.16, 0.9, 5)
    actual = mixtures.step_quantiles(*kinds, 5, 100, SHARES)
    for n in range(1, 101):
        expected = finish_times.quantile(*_with_shares(mixtures.step_distribution(*kinds, 5, n)))
        assert expected.tolist() == actual[:, n - 1].tolist(), n


def _with_shares(distribution: tuple[Floats, Floats]) -> tuple[Floats, list[float], Floats]:
    return distribution[0], SHARES, distribution[1]


def test_ties_in_decimals_are_reached() -> None:
    """At a = 0.9, n tokens take n steps with chance 0.1, 0.01, 0.001 for n = 2, 3, 4."""
    actual = mixtures.step_quantiles([0.9], [1], 9, 4, SHARES)
    assert [1, 2, 3] == [int(actual[i, n - 1]) for i, n in ((1, 2), (2, 3), (3, 4))]


def test_ties_in_halves_are_reached() -> None:
    """At a = 0.5, k = 1, an odd number m of steps settles m + (m + 1) / 2 tokens or more with chance 1/2."""
    odd = np.arange(1, 267, 2)
    actual = mixtures.step_quantiles([0.5], [1], 1, 400, [0.5])[0]
    assert odd.tolist() == actual[(3 * odd + 1) // 2 - 1].tolist()


@pytest.mark.parametrize("a", [0.3, 0.63, 0.9])
def test_quantiles_by_length_agree_with_exact_arithmetic(a: float) -> None:
    actual = mixtures.step_quantiles([a], [1], 5, 30, SHARES)
    for n, (i, p) in product(range(1, 31), enumerate(SHARES)):
        late = 1 - Fraction(round(p * 1000), 1000)
        expected = next(m for m, running in enumerate(still_running(a, 5, n)) if running <= late)
        assert expected == actual[i, n - 1]


def test_saw_teeth_rise_with_p99_and_fall_with_p50() -> None:
    p50, p99 = mixtures.step_quantiles([0.9], [1], 10, 400, [0.5, 0.99])
    rises, falls = np.diff(p99 / p50) > 0, np.diff(p99 / p50) < 0
    assert rises.sum() > 20
    assert falls.sum() > 20
    assert set(np.diff(p50)) == set(np.diff(p99)) == {0, 1}
    assert (np.diff(p99)[rises] == 1).all()
    assert (np.diff(p50)[falls] == 1).all()


# ---- what spread between bursts does to the tail ----


def ratios(quantiles: Floats) -> list[float]:
    """Return p99 / p50 at 40, 100 and 200 tokens."""
    return [round(float(p99 / p50), 2) for p50, p99 in zip(*quantiles[[0, 2]][:, [39, 99, 199]], strict=True)]


def test_spread_keeps_the_tail_that_independence_loses() -> None:
    alike = mixtures.step_quantiles([0.63], [1], 5, 200, SHARES)
    spread = mixtures.step_quantiles(*mixtures.burst_kinds(*TRAFFIC), 5, 200, SHARES)
    beta = mixtures.step_quantiles(*beta_kinds(0.63, 0.16, 500), 5, 200, SHARES)
    assert [1.44, 1.25, 1.18] == ratios(alike)
    assert [2.0, 2.0, 1.96] == ratios(spread)
    assert [2.0, 2.0, 1.96] == ratios(beta)
    assert [[16, 40, 79], [16, 39, 78]] == [part[0, [39, 99, 199]].tolist() for part in (alike, spread)]


def test_spread_is_within_a_step_of_the_beta_of_real_traffic() -> None:
    spread = mixtures.step_quantiles(*mixtures.burst_kinds(*TRAFFIC), 5, 200, SHARES)
    beta = mixtures.step_quantiles(*beta_kinds(0.63, 0.16, 500), 5, 200, SHARES)
    assert (np.abs(spread - beta) <= 1).all()  # of up to 172


@pytest.mark.parametrize(
    ("a", "s"), [(0.3, 0.1), (0.3, 0.2), (0.4, 0.16), (0.5, 0.1), (0.5, 0.2), (0.63, 0.25), (0.75, 0.16)]
)
def test_spread_is_within_a_step_and_nine_hundredths_of_a_beta_that_is_highest_within(
    a: float, s: float
) -> None:
    for k in (3, 10):
        spread = mixtures.step_quantiles(*mixtures.burst_kinds(a, s, 1, k), k, 200, SHARES)[:, 39:]
        beta = mixtures.step_quantiles(*beta_kinds(a, s, 300), k, 200, SHARES)[:, 39:]
        assert (np.abs(spread - beta)[:3] <= 1 + 0.09 * beta[:3]).all()  # the docstring's claim


@pytest.mark.parametrize(
    ("a", "s", "p50", "p99"), [(0.9, 0.1, 1.10, 0.81), (0.8, 0.2, 1.22, 0.86), (0.95, 0.1, 1.11, 0.60)]
)
def test_spread_near_one_is_no_beta(a: float, s: float, p50: float, p99: float) -> None:
    """Its error there is large; the docstring names it, and so it is pinned."""
    spread = mixtures.step_quantiles(*mixtures.burst_kinds(a, s, 1, 10), 10, 200, [0.5, 0.99])[:, 39:]
    beta = mixtures.step_quantiles(*beta_kinds(a, s, 1000), 10, 200, [0.5, 0.99])[:, 39:]
    assert [p50, p99] == [round(float(ratio), 2) for ratio in (spread / beta).mean(axis=1)]
