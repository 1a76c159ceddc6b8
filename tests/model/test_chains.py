"""A chain of bursts: against rational arithmetic, exact convolution and a simulation of whole runs."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from exact import exact_distribution, still_running

from model import chains, finish_times, mixtures
from model.checks import Floats, Rate, Wholes

DEFAULTS = finish_times.distribution(0.9, 10, 0.1, 40)
FEW = finish_times.step_distribution(0.75, 2, 5)  # steps 2 to 5
SETTINGS = [(0.9, 10, 40), (0.63, 5, 40), (0.5, 32, 60), (0.99, 32, 90), ((0.95, 0.8, 0.4), 6, 50)]


def convolved(chances: Floats, bursts: int) -> Floats:
    """Return the distribution of the sum of so many bursts, from that of one on 0, 1, 2, ..., by squaring."""
    size = 1 << ((len(chances) - 1) * bursts).bit_length()
    return np.fft.irfft(np.fft.rfft(chances, size) ** bursts, size)


def exact_p99(counts: Wholes, chances: Floats, bursts: int) -> int:
    """Return the p99 of the steps of a whole run."""
    least = int(counts[0])
    one = np.bincount(counts - least, weights=chances)
    # 1e-12 is far above the roundings of the convolution, about 1e-15, and far below the chance of one step.
    return least * bursts + int(np.argmax(np.cumsum(convolved(one, bursts)) >= 0.99 - 1e-12))


# ---- at least one ----


@pytest.mark.parametrize("bursts", [1, 2, 3, 7, 600, 1023, 10_000, 1_000_000])
@pytest.mark.parametrize("chance", [0.0, 1e-300, 1e-18, 1e-7, 0.01, 0.5, 1 - 2**-53, 1.0])
def test_the_chance_of_any_agrees_with_exact_arithmetic_however_small(chance: float, bursts: int) -> None:
    with localcontext(prec=700):  # digits enough for 1e-300 beside 1
        exact = 1 - (1 - Decimal(chance)) ** bursts
    # Up to twenty squarings and as many sums of positive terms, each with two or three roundings.
    assert chains.chance_of_any(chance, bursts) == pytest.approx(float(exact), rel=1e-14, abs=0)


def test_the_chance_of_any_never_leaves_the_chances() -> None:
    chances = np.linspace(0, 1, 1001)
    for bursts in (1, 2, 3, 5, 600, 10_000):
        actual = chains.chance_of_any(chances, bursts)
        assert (0, 1) == (actual[0], actual[-1])
        assert (actual <= 1).all()
        assert (np.diff(actual) >= 0).all()


def test_one_chance_gives_a_float_and_several_an_array() -> None:
    assert type(chains.chance_of_any(0.5, 3)) is float
    assert type(chains.chance_past(*DEFAULTS, 3, 20)) is float
    assert type(chains.burst_timeout(*DEFAULTS, 3, 0.9)) is float
    assert chains.chance_of_any([0.5], 3).tolist() == [0.875]


# ---- timeouts ----


def test_a_run_of_three_bursts_meets_what_counting_all_runs_says() -> None:
    exact = exact_distribution(0.75, 2, 5)
    runs = [(max(run), exact[run[0]] * exact[run[1]] * exact[run[2]]) for run in product(range(6), repeat=3)]
    late = {t: sum((mass for slowest, mass in runs if slowest > t), Fraction(0)) for t in range(6)}
    for t in range(6):
        # Chances of a few roundings, cubed.
        assert chains.chance_past(*FEW, 3, t) == pytest.approx(float(late[t]), rel=1e-14)
    for share in (0.01, 0.2, 0.5, 0.9, 0.99):
        expected = next(t for t in range(2, 6) if late[t] <= 1 - Fraction(str(share)))
        assert expected == chains.burst_timeout(*FEW, 3, share)


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
@pytest.mark.parametrize("bursts", [1, 600, 10_000])
def test_timeouts_agree_with_exact_arithmetic(a: Rate, k: int, n: int, bursts: int) -> None:
    running = [float(chance) for chance in still_running(a, k, n)]
    counts, chances = finish_times.step_distribution(a, k, n)
    for share in (0.9, 0.99, 0.999):
        # log1p keeps what 1 - (1 - q)^N loses; the chances here are far from any tie.
        late = [-np.expm1(bursts * np.log1p(-min(q, 1 - 1e-16))) for q in running]
        expected = next(m for m in counts if late[m] <= 1 - share)
        assert expected == chains.burst_timeout(counts, chances, bursts, share)


def test_a_long_run_needs_a_timeout_that_one_burst_in_ten_million_passes() -> None:
    timeout = chains.burst_timeout(*DEFAULTS, 10_000, 0.999)
    exact = still_running(0.9, 10, 40)
    assert 34 == timeout
    assert exact[17] < Fraction(1, 10**7) < exact[16]
    # A dozen positive terms, of the precision stated in test_finish_times.py.
    assert chains.chance_past(*DEFAULTS, 1, timeout) == pytest.approx(float(exact[17]), rel=4e-13, abs=0)


def test_the_timeouts_of_six_hundred_bursts_at_the_defaults() -> None:
    assert [26, 28, 32] == chains.burst_timeout(*DEFAULTS, 600, [0.9, 0.99, 0.999]).tolist()
    assert [20, 20, 22] == chains.burst_timeout(*DEFAULTS, 1, [0.9 + 0.09, 0.99, 0.995]).tolist()


@pytest.mark.parametrize("bursts", [1, 30, 600])
def test_a_timeout_is_the_first_that_the_share_of_runs_survives(bursts: int) -> None:
    times, _ = DEFAULTS
    for share in (0.0, 0.5, 0.9, 0.999999, 1.0):
        timeout = chains.burst_timeout(*DEFAULTS, bursts, share)
        past = chains.chance_past(*DEFAULTS, bursts, times)
        assert (past[times >= timeout] <= 1 - share).all()
        assert (past[times < timeout] > 1 - share).all()


def test_a_burst_that_ends_on_the_timeout_is_on_time_in_decimals_too() -> None:
    times, chances = finish_times.distribution(0.5, 1, 0.1, 5)
    assert times[0] == 3 * 1.1 > 3.3
    assert chains.chance_past(times, chances, 1, 3.3) == chains.chance_past(times, chances, 1, 3.4) < 1
    assert chains.chance_past(times, chances, 1, 3.29) == 1


def test_between_two_finish_times_the_chance_is_that_of_the_earlier() -> None:
    times, _ = DEFAULTS
    at, between = (chains.chance_past(*DEFAULTS, 600, times + more) for more in (0, 1))
    assert at.tolist() == between.tolist()
    assert [1, 0] == chains.chance_past(*DEFAULTS, 600, [0, 1e9]).tolist()


# ---- how many bursts go past ----


def test_of_six_hundred_bursts_fewer_go_past_p99_than_six_and_more_reach_it() -> None:
    past, at_or_past = chains.bursts_past(*DEFAULTS, 600, 0.99)
    exact = still_running(0.9, 10, 40)
    assert [4.48, 15.5] == [round(past, 2), round(at_or_past, 1)]
    # Sums of some thirty positive terms, as in test_finish_times.py.
    assert [past, at_or_past] == pytest.approx([600 * float(exact[m]) for m in (10, 9)], rel=4e-13)


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
@pytest.mark.parametrize("p", [0.0, 0.5, 0.99, 1.0])
def test_the_share_beyond_a_quantile_lies_between_past_and_at_or_past(
    a: Rate, k: int, n: int, p: float
) -> None:
    times, chances = finish_times.distribution(a, k, 0.1, n)
    past, at_or_past = chains.bursts_past(times, chances, 600, p)
    assert past <= 600 * (1 - p) <= at_or_past
    quantile = finish_times.quantile(times, p, chances)
    # The whole chance of the quantile itself lies between; two sums, each within 1e-13 of 1.
    assert at_or_past - past == pytest.approx(600 * chances[times == quantile][0], abs=600 * 2e-13)


# ---- the whole run ----


@pytest.mark.parametrize("bursts", [1, 2, 10])
@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
def test_a_runs_mean_and_deviation_are_those_of_the_convolution(a: Rate, k: int, n: int, bursts: int) -> None:
    counts, chances = finish_times.step_distribution(a, k, n)
    whole = np.ones(1)
    for _ in range(bursts):
        whole = np.convolve(whole, np.bincount(counts, weights=chances))
    mean = (np.arange(len(whole)) * whole).sum()
    deviation = np.sqrt(((np.arange(len(whole)) - mean) ** 2 * whole).sum())
    # The convolution adds up to 600 terms, ten times over.
    assert chains.run_time(counts, chances, bursts) == pytest.approx((mean, deviation), rel=1e-11)


def test_runs_of_six_hundred_simulated_bursts_are_as_late_and_as_long_as_computed() -> None:
    runs, bursts = 2000, 600  # 1,200,000 bursts
    dice = np.random.default_rng(2)
    steps, settled = np.zeros((2, runs * bursts), dtype=np.int16)
    while (running := settled < 40).any():
        steps += running
        settled += np.minimum(dice.geometric(0.1, size=runs * bursts), 11).astype(np.int16)
    times = steps.reshape(runs, bursts) * 2.0
    for timeout in (22, 24, 26, 28, 30):
        q = chains.chance_past(*DEFAULTS, bursts, timeout)
        assert abs((times.max(axis=1) > timeout).mean() - q) <= 4 * np.sqrt(q * (1 - q) / runs)
    mean, deviation = chains.run_time(*DEFAULTS, bursts)
    totals = times.sum(axis=1)
    assert abs(totals.mean() - mean) <= 4 * deviation / np.sqrt(runs)
    assert abs(totals.std() - deviation) <= 4 * deviation / np.sqrt(2 * runs)  # of a nearly normal sample
    p99 = 2 * chains.run_steps_p99(DEFAULTS[0] / 2, DEFAULTS[1], bursts)
    assert abs((totals > p99).mean() - 0.01) <= 4 * np.sqrt(0.01 * 0.99 / runs)


def errors_at_one_rate(rates: tuple[float, ...]) -> list[float]:
    """Return how many steps the p99 of runs lies beside that of the convolution."""
    errors = []
    for a, k, n in product(rates, (1, 3, 10, 32), (1, 2, 10, 40, 200)):
        counts, chances = finish_times.step_distribution(a, k, n)
        errors += [
            chains.run_steps_p99(counts, chances, bursts) - exact_p99(counts, chances, bursts)
            for bursts in (1, 2, 3, 5, 10, 30, 100)
        ]
    return errors


def test_at_one_rate_a_runs_p99_is_nearly_always_that_of_the_convolution() -> None:
    errors = errors_at_one_rate((0.02, 0.3, 0.5, 0.63, 0.8, 0.9, 0.99))
    assert np.mean([error == 0 for error in errors]) > 0.97  # the docstring's claim
    assert max(map(abs, errors)) == 1


def test_a_runs_p99_is_within_a_step_where_nearly_all_bursts_are_alike() -> None:
    assert max(map(abs, errors_at_one_rate((1e-6, 1e-3, 0.999, 1 - 1e-6)))) == 1


@pytest.mark.parametrize(
    ("bursts", "steps", "part"),
    [(1, 0, 0), (2, 1, 0.13), (3, 1, 0.04), (10, 1, 0.01), (20, 2, 0), (50, 1, 0)],
)
def test_where_bursts_vary_a_runs_p99_is_as_near_as_the_docstring_says(
    bursts: int, steps: int, part: float
) -> None:
    for a, s, k, n in product((0.3, 0.63, 0.9, 0.95), (0.1, 0.25, 0.5), (5, 32), (4, 40, 200)):
        counts, chances = mixtures.step_distribution(*mixtures.burst_kinds(a, s, 1, k), k, n)
        exact = exact_p99(counts, chances, bursts)
        assert abs(chains.run_steps_p99(counts, chances, bursts) - exact) <= max(steps, part * exact)


@pytest.mark.parametrize("a", [0.0, 1.0])
def test_a_run_without_chance_takes_what_it_takes(a: float) -> None:
    counts, chances = finish_times.step_distribution(a, 10, 40)
    assert (600 * counts[0], 0) == chains.run_time(counts, chances, 600)
    assert 600 * counts[0] == chains.run_steps_p99(counts, chances, 600)
