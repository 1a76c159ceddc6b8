"""Rates by position in the labs: they stand in for the one acceptance rate, and the last carries on."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_labs import readout_of
from test_tail_columns import DEFAULTS, sources

from labs import burst, flatten
from labs.burst import tail
from labs.state import RATES, rate
from model import finish_times, mixtures, steps, tails

ten_thousandths = st.integers(0, 10_000).map(lambda i: f"{i // 10_000}.{i % 10_000:04}")
texts = st.lists(ten_thousandths, min_size=1, max_size=32).map("_".join)
MEASURED = "0.78_0.814_0.835_0.847"
ODD = [
    "x",
    "0.5_",
    "_0.5",
    "0.5__0.5",
    "0,5",
    "1.5",
    "-0.5",
    "0.12345",
    "1e-3",
    ".5",
    "0.",
    "\u0660.\u0665",
    "nan",
    "0.5\n",
]


# ---- as text ----


@given(texts)
def test_a_text_of_rates_is_read_as_its_decimals(text: str) -> None:
    assert tuple(Fraction(one) for one in text.split("_")) == tuple(
        Fraction(str(one)) for one in rate(0.3, text)
    )


def test_no_text_leaves_the_one_rate() -> None:
    assert 0.3 == rate(0.3, "")


@pytest.mark.parametrize("text", [*ODD, "_".join(["0.5"] * 33)])
def test_an_odd_text_is_an_error_that_says_what_it_must_be(text: str) -> None:
    with pytest.raises(ValueError, match=re.escape("up to 32 decimals from 0 to 1 joined by _")):
        rate(0.3, text)
    state = flatten.State()
    state.take(position_rates=text)
    assert "" == state.position_rates
    with pytest.raises(ValueError, match="position_rates"):
        state.position_rates = text


@given(texts)
def test_a_state_takes_a_text_of_rates(text: str) -> None:
    state = burst.State()
    state.take(position_rates=text)
    assert text == state.position_rates == re.match(RATES, text)[0]  # type: ignore[index]


# ---- flatten ----


@settings(deadline=None)
@given(texts, st.integers(1, 100))
def test_the_flatten_curve_is_that_of_the_rates_in_exact_arithmetic(text: str, hundredths: int) -> None:
    rates, c = [Fraction(one) for one in text.split("_")], Fraction(hundredths, 100)
    reached, tokens = Fraction(1), Fraction(1)
    columns = flatten.columns(0.6, float(c), text)
    for k in range(1, 33):
        reached *= rates[min(k, len(rates)) - 1]
        tokens += reached
        # As in test_steps.py: a rounding per factor and per term.
        assert columns["curve"]["tokens_per_step"][k - 1] == pytest.approx(float(tokens), rel=1e-14)
        assert columns["curve"]["speedup"][k - 1] == pytest.approx(float(tokens / (1 + k * c)), rel=1e-14)
    readout = {name: value for name, [value] in columns["readout"].items()}
    assert readout["pays"] == (rates[0] > c)
    assert max([1, *columns["curve"]["speedup"]]) <= readout["speedup"] * (1 + 1e-14)


def test_the_one_rate_stands_beside_the_rates_by_position_and_nowhere_else() -> None:
    alone, beside = flatten.columns(0.81, 0.05), flatten.columns(0.81, 0.05, MEASURED)
    assert [[]] * 3 == [column.tolist() for column in alone["one_rate"].values()]
    assert {name: column.tolist() for name, column in alone["curve"].items()} == {
        name: column.tolist() for name, column in beside["one_rate"].items()
    }


@pytest.mark.parametrize(
    ("text", "c", "best", "ceiling", "tokens", "speedup"),
    [
        ("0.9_0.5", 0.1, 3, 2.8, 2.575, 2.575 / 1.3),
        ("0.9_0_1", 0.1, 1, 1.9, 1.9, 1.9 / 1.1),
        ("0.9_1", 0.1, math.inf, math.inf, math.inf, 9.0),  # (1 + 0.9 k) / (1 + 0.1 k) climbs to 0.9 / 0.1
        ("0.5_0.9_1", 0.0, math.inf, math.inf, math.inf, math.inf),
        ("0.5_0.8", 0.0, math.inf, 3.5, 3.5, 3.5),
    ],
)
def test_the_ceiling_and_the_best_are_those_of_the_last_rate_carried_on(  # noqa: PLR0913, PLR0917 - a row
    text: str, c: float, best: float, ceiling: float, tokens: float, speedup: float
) -> None:
    readout = readout_of(flatten, 0.6, c, text)  # type: ignore[arg-type]
    found = [readout[name] for name in ("best_draft_length", "ceiling", "tokens_per_step", "speedup")]
    assert [best, ceiling, tokens, speedup] == pytest.approx(found, rel=1e-14)  # a few roundings


# ---- burst ----


@settings(deadline=None)
@given(texts, st.integers(1, 12), st.integers(1, 60))
def test_bursts_are_drawn_and_timed_with_the_rates_by_position(text: str, k: int, n: int) -> None:
    rates = [float(one) for one in text.split("_")]
    columns = burst.columns(0.3, k, 0.1, n, 0, "first", text)
    counts, chances = finish_times.step_distribution(rates, k, n)
    histogram = columns["histogram"]
    assert (counts * steps.step_cost(k, 0.1)).tolist() == histogram["finish_time"].tolist()
    assert (burst.BURSTS * chances).tolist() == histogram["exact"].tolist()
    assert burst.BURSTS == histogram["bursts"].sum()
    assert columns["trace"]["total"][-1] >= n


@pytest.mark.parametrize("a", [0.0, 0.63, 0.9, 1.0])
def test_one_position_has_the_bits_of_one_rate(a: float) -> None:
    one, listed = burst.columns(a, 5, 0.1, 40, 3, "first"), burst.columns(0.2, 5, 0.1, 40, 3, "first", str(a))
    for source in ("trace", "histogram"):
        for name, column in one[source].items():
            assert column.tolist() == listed[source][name].tolist(), name
    for section in tail.SECTIONS:
        setting = (a, 5, 0.1, 40, 600, 0.95, 0.16)
        assert sources(section, *setting) == sources(section, 0.2, *setting[1:], str(a))


# ---- below ----


@pytest.mark.parametrize(("d", "s"), [(1.0, 0.0), (0.9, 0.0), (0.95, 0.16)])
def test_the_sections_below_are_of_the_rates_by_position(d: float, s: float) -> None:
    rates, k, c, n = [float(one) for one in MEASURED.split("_")], 4, 0.1, 40
    setting = (0.2, k, c, n, 600, d, s, MEASURED)
    counts, chances = mixtures.step_distribution(*mixtures.burst_kinds(rates, s, d, k), k, n)
    alike = finish_times.step_distribution(rates, k, n)
    cost = steps.step_cost(k, c)
    curve = sources("run", *setting)["run_curve"]
    assert (counts * cost).tolist() == list(curve["finish_time"])
    assert (counts * cost).tolist() == list(sources("sample", *setting)["sample"]["finish_time"])
    varying = sources("varying", *setting)["varying"]
    assert alike[1].tolist() == [chance for chance in varying["constant"] if chance]
    assert chances.tolist() == [chance for chance in varying["varying"] if chance]
    at = sources("lengths", *setting)["lengths_at"]
    assert finish_times.quantile(counts, 0.99, chances) * cost == at["p99"][0]


def test_the_draft_lengths_of_the_tail_are_of_the_rates_by_position() -> None:
    rates = [float(one) for one in MEASURED.split("_")]
    found = sources("draft_lengths", 0.2, *DEFAULTS[1:], MEASURED)["draft_lengths"]
    for k in (1, 3, 8, 32):
        bursts = finish_times.step_distribution(rates, k, 40)
        expected = tails.draft_length_times(*bursts, steps.step_cost(k, 0.1), 600, 0.99)
        assert list(expected) == [found[name][k - 1] for name in ("mean", "p50", "p99", "timeout")]
