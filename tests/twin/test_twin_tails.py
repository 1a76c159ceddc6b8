"""The twin of what is built on the finish times: the same bits as Python."""

import random
from itertools import product
from typing import Any

import numpy as np
from test_twin_model import a_burst_length, a_cost, a_length, some_rates
from twins import Twin, assert_same, expected, seeded

from model import chains, finish_times, mixtures, tails

SHARES = [0.5, 0.9, 0.99, 0.999]
Kinds = tuple[list[Any], list[float]]


def a_bursts(dice: random.Random) -> int:
    return dice.choice([1, 2, 600, 10_000, dice.randint(1, 1_000_000)])


def a_share(dice: random.Random) -> float:
    return dice.choice([0.0, 0.9, 0.99, 0.999, 1.0, dice.random()])


def some_kinds(dice: random.Random) -> Kinds:
    """Return acceptance rates of one to five kinds of bursts, and shares that add up to 1."""
    parts = [dice.choice([dice.random(), dice.random() ** 9, 1.0]) for _ in range(dice.randint(1, 5))]
    return [some_rates(dice) for _ in parts], [part / sum(parts) for part in parts]


def distributions(dice: random.Random, count: int) -> list[tuple[list[float], list[float]]]:
    """Return finish times of bursts and their chances, in steps and in target passes."""
    found = []
    for _ in range(count):
        setting = (*some_kinds(dice), a_length(dice), a_burst_length(dice))
        counts, chances = mixtures.step_distribution(*setting)
        found.append(((counts * dice.choice([1.0, 1 + dice.random()])).tolist(), chances.tolist()))
    return found


def test_rates_of_bursts_that_vary_have_the_same_bits(twin: Twin) -> None:
    dice = seeded(11)

    def calls(count: int) -> list[tuple[float, ...]]:
        hundredths = [(dice.randint(0, 100) / 100, dice.randint(0, 50) / 100) for _ in range(count)]
        decays = [dice.choice([0, 1, 0.5 + dice.random(), 10 * dice.random()]) for _ in range(count)]
        return [(a, s, d, a_length(dice)) for (a, s), d in zip(hundredths, decays, strict=True)]

    assert_same(twin, mixtures.burst_kinds, calls(100))
    assert_same(
        twin, mixtures.burst_kinds, list(product((0.0, 1e-9, 0.5, 1.0), (0.0, 1e-9, 0.5), (1.0,), (0, 2)))
    )
    assert_same(twin, mixtures.decayed_rates, [(a, d, k) for a, _, d, k in calls(300)])
    by_position = [(some_rates(dice), *rest) for _, *rest in calls(200)]
    assert_same(twin, mixtures.burst_kinds, by_position)
    assert_same(twin, mixtures.decayed_rates, [(rates, d, k) for rates, _, d, k in by_position])


def test_bursts_of_several_kinds_have_the_same_bits(twin: Twin) -> None:
    dice = seeded(12)
    calls = [(*some_kinds(dice), a_length(dice), a_burst_length(dice)) for _ in range(80)]
    assert_same(twin, mixtures.step_distribution, calls)
    assert_same(twin, mixtures.step_quantiles, [(*call, SHARES) for call in calls])
    short = [(*some_kinds(dice), k, n) for k, n in product(range(12), range(1, 9))]
    assert_same(twin, mixtures.step_distribution, short)
    assert_same(twin, mixtures.step_quantiles, [(*call, [0.01, 0.5]) for call in short])


def test_the_spread_of_the_lab_has_the_same_bits_at_its_ends_and_between(twin: Twin) -> None:
    settings = [*product((0.0, 0.9, 1.0), (0.05, 0.5), (0.9,), (1, 32), (400,)), (0.63, 0.16, 1.0, 5, 400)]
    calls = [
        ([kind.tolist() for kind in kinds], weights.tolist(), k, n)
        for (kinds, weights), k, n in ((mixtures.burst_kinds(*given), given[-1], n) for *given, n in settings)
    ]
    assert_same(twin, mixtures.step_distribution, calls)
    assert_same(twin, mixtures.step_quantiles, [(*call, SHARES) for call in calls])


def test_every_burst_length_has_the_same_quantiles(twin: Twin) -> None:
    calls = [
        ([a / 100], [1], k, 400, SHARES) for a, k in product((0, 1, 30, 50, 77, 90, 99, 100), (1, 5, 32))
    ]
    assert_same(twin, mixtures.step_quantiles, calls)


def test_moments_and_what_still_runs_have_the_same_bits(twin: Twin) -> None:
    found = distributions(seeded(13), 60)
    assert_same(twin, finish_times.moments, [*found, ([3.0], [1.0])])
    assert_same(twin, finish_times.still_running, [(chances,) for _, chances in found])


def test_chains_have_the_same_bits(twin: Twin) -> None:
    dice = seeded(14)
    chances = [0.0, 1e-300, 1e-7, 1.0, 1 - 2**-53, *(dice.random() ** 9 for _ in range(50))]
    calls: list[tuple[Any, ...]] = [(q, a_bursts(dice)) for q in chances for _ in range(5)]
    assert_same(twin, chains.chance_of_any, [*calls, (chances, 600)])
    runs = [(*one, a_bursts(dice)) for one in distributions(dice, 60)]
    assert_same(twin, chains.run_time, runs)
    assert_same(twin, chains.bursts_past, [(*run, a_share(dice)) for run in runs])
    assert_same(twin, chains.burst_timeout, [(*run, a_share(dice)) for run in runs])
    assert_same(twin, chains.burst_timeout, [(*run, SHARES) for run in runs])
    timeouts = [[0.0, time, np.nextafter(time, 0), time / 2] for run in runs for time in run[0][-1:]]
    assert_same(twin, chains.chance_past, [(*run, t) for run, t in zip(runs, timeouts, strict=True)])
    assert_same(twin, chains.chance_past, [(*run, t[1]) for run, t in zip(runs, timeouts, strict=True)])


def test_the_p99_of_a_run_is_the_same(twin: Twin) -> None:
    dice = seeded(15)
    calls = []
    for _ in range(100):
        setting = (*some_kinds(dice), a_length(dice), a_burst_length(dice))
        calls.append((*(part.tolist() for part in mixtures.step_distribution(*setting)), a_bursts(dice)))
    assert any(bursts == 1 for *_, bursts in calls)
    assert_same(twin, chains.run_steps_p99, calls)


def test_draft_lengths_have_the_same_times_and_the_same_best(twin: Twin) -> None:
    dice = seeded(16)
    passes = [(some_rates(dice), dice.randint(1, 40), a_burst_length(dice)) for _ in range(150)]
    assert_same(twin, tails.draft_length_chances, passes)
    calls = [
        (*distribution, a_cost(dice), a_bursts(dice), a_share(dice))
        for distribution in distributions(dice, 150)
    ]
    assert_same(twin, tails.draft_length_times, calls)
    scans = [column for n in (12, 40) for column in np.array(list(tails.draft_length_chances(0.9, 32, n)))]
    assert_same(twin, tails.draft_lengths_of_least, [(scan.tolist(),) for scan in scans])
    assert_same(twin, tails.draft_lengths_of_least, [([20.4, 12 * (1 + 7 * 0.1), 30.0],), ([0.0, 0.0],)])


def test_what_a_sample_shows_has_the_same_bits(twin: Twin) -> None:
    dice = seeded(17)
    sizes = [1, 2, 10, 500, 2000]
    chances = [0.0, 1.0, 1e-12, 1 - 2**-53, 5e-324, *(dice.random() for _ in range(30))]
    assert_same(twin, tails.binomial, list(product(sizes, chances)))
    calls = [
        (one, p, size)
        for (_, one), p, size in zip(distributions(dice, 60), SHARES * 15, sizes * 12, strict=True)
    ]
    assert_same(twin, tails.sampled_quantile, [*calls, ([0.5, 0.5], 0.0, 7), ([0.5, 0.5], 1.0, 7)])
    shown = twin.results("tails.sampled_quantile", [([0.5, 0.5], 0.5, 3)])[0]
    assert expected(tails.sampled_quantile, ([0.5, 0.5], 0.5, 3)) == shown == [0.5, 0.5]
