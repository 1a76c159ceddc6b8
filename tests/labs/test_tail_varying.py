"""The tail where acceptance varies, and what a sample shows of it: against the model called by other ways."""

from math import lgamma

import numpy as np
import pytest
from test_tail_columns import DEFAULTS, SETTINGS, TRAFFIC, distribution_of, row_of, sources

from model import chains, finish_times, steps

# ---- acceptance that varies ----


def test_spread_keeps_the_tail_of_real_traffic_and_hardly_moves_the_median() -> None:
    found = sources("varying", *TRAFFIC)
    at = found["varying_at"]
    assert [40, 100, 200] == at["burst_length"]
    assert [1.44, 1.25, 1.18] == [round(float(ratio), 2) for ratio in at["constant_ratio"]]
    assert [2.0, 2.0, 1.96] == [round(float(ratio), 2) for ratio in at["varying_ratio"]]
    assert [1.5 * m for m in (16, 40, 79)] == at["constant_p50"]
    assert [1.5 * m for m in (16, 39, 78)] == at["varying_p50"]
    rates = row_of(found["varying_rates"])
    assert (0.63, 0.16) == pytest.approx((rates["mean"], rates["deviation"]), rel=1e-13)  # 33 roundings
    assert (0, 0) == (rates["at_zero"], rates["at_one"])


@pytest.mark.parametrize("setting", SETTINGS)
def test_both_distributions_stand_on_one_lattice(setting: tuple[float, ...]) -> None:
    a, k, c, n, _, _, _ = setting
    curve = sources("varying", *setting)["varying"]
    steps_taken = np.array(curve["finish_time"]) / steps.step_cost(int(k), c)
    counts = np.rint(steps_taken).astype(int)
    assert (np.diff(counts) > 0).all()
    alike, as_set = finish_times.step_distribution(a, int(k), int(n)), distribution_of(setting, int(n))
    assert set(counts) == {*alike[0], *as_set[0]}
    for name, (possible, chances) in (("constant", alike), ("varying", as_set)):
        here = dict(zip(counts, curve[name], strict=True))
        assert [here[m] for m in possible] == pytest.approx(list(chances), rel=1e-12)  # sums of 33 terms
        assert sum(here.values()) == pytest.approx(1, abs=1e-12)
        assert {m for m, chance in here.items() if chance} == set(possible)


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_ratios_at_three_lengths_are_those_of_their_distributions(setting: tuple[float, ...]) -> None:
    at, cost = sources("varying", *setting)["varying_at"], steps.step_cost(int(setting[1]), setting[2])
    for name, given in (("constant", (*setting[:5], 1.0, 0.0)), ("varying", setting)):
        for row, n in enumerate((40, 100, 200)):
            p50, p99 = chains.burst_timeout(*distribution_of(given, n), 1, [0.5, 0.99]) * cost
            there = row_of(at, row)
            assert [p50, p99, p99 / p50] == [there[f"{name}_{part}"] for part in ("p50", "p99", "ratio")]


def test_where_nothing_varies_both_are_the_same() -> None:
    found = sources("varying", *DEFAULTS)
    assert found["varying"]["constant"] == found["varying"]["varying"]
    assert [0.9, 0, 0, 0] == pytest.approx(list(row_of(found["varying_rates"]).values()), abs=1e-15)


def test_what_clipping_leaves_is_told() -> None:
    """With 0.9 + 0.2 z above 1 for z over 1/2; sums of Beta weights by powers, which have other roundings."""
    x = np.arange(1, 34) / 34
    bell = x ** (33 / 8) * (1 - x) ** 2 / (x ** (33 / 8) * (1 - x) ** 2).sum()
    z = (x - (bell * x).sum()) / np.sqrt((bell * x * x).sum() - (bell * x).sum() ** 2)
    rates = row_of(sources("varying", 0.9, 3, 0.1, 5, 600, 0.5, 0.2)["varying_rates"])
    first = np.minimum(0.9 + 0.2 * z, 1)
    assert rates["at_one"] == pytest.approx(bell[z > 0.5].sum(), rel=1e-12)
    assert rates["mean"] == pytest.approx((bell * first).sum(), rel=1e-12)
    assert rates["deviation"] == pytest.approx(
        np.sqrt((bell * (first - (bell * first).sum()) ** 2).sum()), rel=1e-12
    )
    low = row_of(sources("varying", 0.1, 3, 0.1, 5, 600, 0.5, 0.2)["varying_rates"])
    assert (low["at_zero"], low["at_one"]) == pytest.approx((bell[z < -0.5].sum(), 0), rel=1e-12)


# ---- what a sample shows ----


@pytest.mark.parametrize(("n", "band"), [(40, (20, 22)), (100, (40, 42)), (200, (74, 76)), (400, (138, 140))])
def test_two_thousand_bursts_leave_a_band_around_p99(n: int, band: tuple[int, int]) -> None:
    found = row_of(sources("sample", *DEFAULTS[:3], n, *DEFAULTS[4:])["sample_band"])
    assert band == (found["low"], found["high"])
    assert found["low"] <= found["likeliest"] <= found["high"]


@pytest.mark.parametrize("setting", SETTINGS)
def test_what_a_sample_shows_agrees_with_exact_order_statistics(setting: tuple[float, ...]) -> None:
    found, cost = sources("sample", *setting), steps.step_cost(int(setting[1]), setting[2])
    counts, chances = distribution_of(setting, int(setting[3]))
    shown = found["sample"]["chance"]
    assert (counts * cost).tolist() == found["sample"]["finish_time"]
    later, q = np.arange(21), np.clip(finish_times.still_running(chances), 1e-300, 1 - 2**-53)[:, np.newaxis]
    ways = np.array([lgamma(2001) - lgamma(j + 1) - lgamma(2001 - j) for j in later])
    by = np.exp(ways + later * np.log(q) + (2000 - later) * np.log1p(-q)).sum(axis=1)
    exact = np.diff(by, prepend=0)
    assert shown == pytest.approx(exact.tolist(), abs=1e-9)  # exponents up to 15,000, right to 16 digits
    band = row_of(found["sample_band"])
    reached = np.cumsum(exact)
    assert counts[np.argmax(reached >= 0.025)] * cost == band["low"]
    assert counts[np.argmax(reached >= 0.975)] * cost == band["high"]
    assert counts[np.argmax(exact)] * cost == band["likeliest"]
    assert row_of(sources("run", *setting)["run"])["p99"] == band["exact"]
