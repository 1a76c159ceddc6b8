"""What the sections below the burst lab draw and print, where bursts are counted as they come."""

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from exact import exact_distribution, still_running

from labs.burst import tail
from model import chains, finish_times, mixtures, steps

DEFAULTS = (0.9, 10, 0.1, 40, 600, 1.0, 0.0)
TRAFFIC = (0.63, 5, 0.1, 40, 600, 1.0, 0.16)
SETTINGS = [
    DEFAULTS,
    TRAFFIC,
    (0.5, 1, 0.5, 3, 1, 1.0, 0.0),
    (0.8, 7, 0.25, 133, 10_000, 0.9, 0.0),
    (0.9, 4, 0.0, 60, 50, 1.1, 0.3),
    (1.0, 3, 0.2, 12, 7, 0.5, 0.05),
    (0.0, 2, 1.0, 9, 600, 1.2, 0.02),
]
Columns = dict[str, dict[str, Any]]


def sources(name: str, *setting: float) -> Columns:
    """Run a section to its end: nothing but None comes before its sources."""
    *rests, last = tail.SECTIONS[name](*setting)
    assert set(rests) <= {None}
    return {source: {key: list(values) for key, values in data.items()} for source, data in last.items()}


def row_of(table: dict[str, list[Any]], row: int = 0) -> dict[str, Any]:
    return {name: values[row] for name, values in table.items()}


def kinds_of(setting: tuple[float, ...]) -> tuple[Any, Any]:
    a, k, _, _, _, d, s = setting
    return mixtures.burst_kinds(a, s, d, int(k))


def distribution_of(setting: tuple[float, ...], n: int) -> tuple[Any, Any]:
    """Return the numbers of steps and their chances by way of each kind's own distribution."""
    chances = np.zeros(n + 1)
    for rates, weight in zip(*kinds_of(setting), strict=True):
        counts, own = finish_times.step_distribution(rates, int(setting[1]), n)
        chances[counts] += weight * own
    return np.flatnonzero(chances), chances[chances > 0]


# ---- every burst length ----


def test_the_posts_lengths_have_the_exact_quantiles_beside_them() -> None:
    at = sources("lengths", *DEFAULTS[:3], 7, *DEFAULTS[4:])["lengths_at"]
    assert [40, 100, 200, 400, 7] == at["burst_length"]
    assert [12, 30, 60, 118, 2] == at["p50"]
    assert [20, 42, 74, 138, 8] == at["p99"]
    assert [1.67, 1.4, 1.23, 1.17, 4] == [round(float(ratio), 2) for ratio in at["ratio"]]
    assert [3.33, 3.33, 3.33, 3.39, 3.5] == [round(float(speedup), 2) for speedup in at["speedup_p50"]]
    assert [2.0, 2.38, 2.7, 2.9, 0.88] == [round(float(speedup), 2) for speedup in at["speedup_p99"]]


@pytest.mark.parametrize("setting", SETTINGS)
def test_each_length_has_the_quantiles_of_its_own_distribution(setting: tuple[float, ...]) -> None:
    found, cost = sources("lengths", *setting), steps.step_cost(int(setting[1]), setting[2])
    every = found["lengths"]
    assert list(range(1, 401)) == every["burst_length"]
    for n in (1, 2, 3, 8, 39, 40, 97):
        counts, chances = distribution_of(setting, n)
        quantiles = chains.burst_timeout(counts, chances, 1, [0.5, 0.9, 0.99, 0.999])
        assert (quantiles * cost).tolist() == [every[name][n - 1] for name in ("p50", "p90", "p99", "p999")]
        assert every["ratio"][n - 1] == every["p99"][n - 1] / every["p50"][n - 1]
    for n, row in zip(found["lengths_at"]["burst_length"], range(5), strict=True):
        at = row_of(found["lengths_at"], row)
        assert {name: values[n - 1] for name, values in every.items()}.items() <= at.items()
        for name in ("p50", "p90", "p99", "p999"):
            assert n / at[name] == at[f"speedup_{name}"]


def test_quantiles_that_tie_are_reached_as_in_exact_arithmetic() -> None:
    every = sources("lengths", 0.5, 1, 1.0, 3, 600, 1.0, 0.0)["lengths"]
    for n, (name, late) in product(range(1, 16), (("p50", Fraction(1, 2)), ("p90", Fraction(1, 10)))):
        first = next(m for m, running in enumerate(still_running(0.5, 1, n)) if running <= late)
        assert 2 * first == every[name][n - 1]


# ---- a run of bursts ----


def test_a_run_at_the_defaults_meets_what_the_issue_says() -> None:
    row = row_of(sources("run", *DEFAULTS)["run"])
    assert [26, 28, 32] == [row[name] for name in ("timeout_90", "timeout_99", "timeout_999")]
    assert (20, 6, 24_000) == (row["p99"], row["expected"], row["plain"])
    assert [4.48, 15.5] == [round(float(row["past_p99"]), 2), round(float(row["at_or_past_p99"]), 1)]


@pytest.mark.parametrize(("a", "k", "n", "bursts"), [(0.75, 2, 5, 3), (0.5, 1, 4, 2), (0.9, 4, 12, 600)])
def test_a_run_agrees_with_exact_arithmetic(a: float, k: int, n: int, bursts: int) -> None:
    found, cost = sources("run", a, k, 0.5, n, bursts, 1.0, 0.0), 1 + k / 2
    row, curve = row_of(found["run"]), found["run_curve"]
    chances, running = exact_distribution(a, k, n), still_running(a, k, n)
    possible = [m for m, chance in enumerate(chances) if chance]
    any_past = [1 - (1 - q) ** bursts for q in running]
    assert [m * cost for m in possible] == curve["finish_time"]
    # Positive terms only: a few n roundings, and those of the rates.
    assert curve["past"] == pytest.approx([float(any_past[m]) for m in possible], rel=n * 1e-14)
    for name, share in (("timeout_90", 90), ("timeout_99", 99), ("timeout_999", Fraction(999, 10))):
        first = next(m for m in possible if any_past[m] <= 1 - Fraction(share) / 100)
        assert first * cost == row[name]
    p99 = next(m for m in possible if running[m] <= Fraction(1, 100))
    assert p99 * cost == row["p99"]
    expected = [bursts * running[p99], bursts * running[p99 - 1], any_past[p99]]
    actual = [row[name] for name in ("past_p99", "at_or_past_p99", "chance_past_p99")]
    assert actual == pytest.approx([float(chance) for chance in expected], rel=n * 1e-14)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_runs_time_is_that_of_the_convolution(setting: tuple[float, ...]) -> None:
    row, cost = row_of(sources("run", *setting)["run"]), steps.step_cost(int(setting[1]), setting[2])
    n, bursts = int(setting[3]), int(setting[4])
    counts, chances = distribution_of(setting, n)
    size = 1 << (n * bursts).bit_length()
    one = np.bincount(counts, weights=chances, minlength=size)
    whole = np.fft.irfft(np.fft.rfft(one) ** bursts, size)
    total = np.arange(size)
    mean = (whole * total).sum()
    # The roundings of the convolution, about 1e-15 a term, weighed by the steps of a run.
    assert row["mean"] == pytest.approx(mean * cost, rel=1e-8)
    assert row["deviation"] == pytest.approx(np.sqrt((whole * (total - mean) ** 2).sum()) * cost, abs=0.01)
    p99 = int(np.argmax(np.cumsum(whole) >= 0.99 - 1e-12))
    assert abs(row["p99_total"] / cost - p99) <= 1 + 1e-9  # the docstring's claim of run_steps_p99
    assert n * bursts == row["plain"]


# ---- which draft length ----


def test_the_best_draft_lengths_at_the_defaults_are_those_of_the_issue() -> None:
    best = sources("draft_lengths", *DEFAULTS)["draft_lengths_best"]
    assert [[9, 7, 5, 3], [1, 1, 1, 1], [9, 7, 5, 3]] == [best[name] for name in ("best", "ties", "last")]
    assert [12.72, 11.9, 18.0, 23.4] == [round(float(time), 2) for time in best["time"]]
    assert [12.72, 13.3, 19.0, 28.5] == [round(float(time), 2) for time in best["mean_choice"]]
    assert [0.0, 0.118, 0.056, 0.218] == [round(float(loss), 3) for loss in best["loss"]]


@pytest.mark.parametrize("setting", SETTINGS)
def test_each_draft_length_has_the_times_of_its_own_distribution(setting: tuple[float, ...]) -> None:
    a, _, c, n, bursts, d, _ = setting
    every = sources("draft_lengths", *setting)["draft_lengths"]
    assert list(range(1, 33)) == every["draft_length"]
    for k in (1, 2, 5, 17, 32):
        rates = [min(a * d ** (j - 1), 1.0) for j in range(1, k + 1)]
        times, chances = finish_times.distribution(rates, k, c, int(n))
        at = {name: values[k - 1] for name, values in every.items()}
        # Each rate has up to k roundings, a mean some more; times are the same whole numbers of steps.
        assert at["mean"] == pytest.approx((times * chances).sum(), rel=1e-12)
        assert at["p50"] == pytest.approx(chains.burst_timeout(times, chances, 1, 0.5), rel=1e-14)
        assert at["p99"] == pytest.approx(chains.burst_timeout(times, chances, 1, 0.99), rel=1e-14)
        assert at["timeout"] == pytest.approx(
            chains.burst_timeout(times, chances, int(bursts), 0.99), rel=1e-14
        )


@pytest.mark.parametrize(
    "setting", [*SETTINGS, (0.7, 5, 0.1, 40, 600, 1.0, 0.0), (0.9, 3, 0.5, 5, 9, 1.0, 0.0)]
)
def test_the_best_draft_lengths_are_those_of_least_time(setting: tuple[float, ...]) -> None:
    found = sources("draft_lengths", *setting)
    every, best = found["draft_lengths"], found["draft_lengths_best"]
    choice = best["best"][0]
    for row, name in enumerate(("mean", "p50", "p99", "timeout")):
        at, times = row_of(best, row), np.array(every[name])
        least = [k for k in range(1, 33) if times[k - 1] == pytest.approx(times.min(), rel=1e-12)]
        assert (least[0], len(least), least[-1]) == (at["best"], at["ties"], at["last"])
        assert (times.min(), times[choice - 1]) == (at["time"], at["mean_choice"])
        assert at["loss"] == at["mean_choice"] / at["time"] - 1 >= 0


def test_draft_lengths_tie_in_decimals() -> None:
    """The median of 40 tokens takes 16 steps of 3 guesses, or 13 of 6, and both take 20.8."""
    best = sources("draft_lengths", 0.7, 5, 0.1, 40, 600, 1.0, 0.0)["draft_lengths_best"]
    assert (3, 2, 6, 20.8) == tuple(best[name][1] for name in ("best", "ties", "last", "time"))


def test_spread_between_bursts_is_left_out_of_the_draft_lengths() -> None:
    assert sources("draft_lengths", *TRAFFIC) == sources("draft_lengths", *TRAFFIC[:6], 0.0)
