"""The labs without a browser: their states, their columns, their figures."""

from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from app import page, parts
from labs import burst, flatten, peaks, theme
from labs.state import snapped
from model import bursts, finish_times, steps

quickly = settings(deadline=None)
hundredths = st.integers(0, 100).map(lambda i: i / 100)
burst_states = st.fixed_dictionaries(
    {
        "acceptance_rate": hundredths,
        "draft_length": st.integers(1, 32),
        "draft_cost": hundredths,
        "burst_length": st.integers(1, 60),
        "seed": st.integers(0, 9999),
        "drawn": st.sampled_from(burst.State.param["drawn"].objects),
    }
)


def _finish_times(state: dict[str, Any]) -> NDArray[np.floating]:
    arguments = {name: value for name, value in state.items() if name != "drawn"}
    return bursts.simulate(**arguments, bursts=burst.BURSTS)


def readout_of(lab: ModuleType, *state: float) -> dict[str, float]:
    return {name: value for name, [value] in lab.columns(*state)["readout"].items()}


def peaks_of(draft_cost: float, utilisation: float = 0.0) -> list[dict[str, float]]:
    """Return the rows of the peaks lab's table, one per acceptance rate."""
    table = peaks.columns(draft_cost, utilisation)["peaks"]
    return [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]


@pytest.mark.parametrize("position", range(101))
def test_a_slider_position_is_the_double_of_its_decimal(position: int) -> None:
    summed = float(np.linspace(0, 1, 101)[position])
    for nearby in (summed, np.nextafter(summed, 2), np.nextafter(summed, -1)):
        assert float(f"0.{position:02}" if position < 100 else "1") == snapped(
            burst.State.param.draft_cost, nearby
        )


@pytest.mark.parametrize(("value", "kept"), [(-5, 1), (0, 1), (7.4, 7), (32, 32), (99, 32)])
def test_a_value_out_of_range_is_clamped(value: float, kept: int) -> None:
    state = burst.State()
    state.take(draft_length=value)
    assert kept == state.draft_length


def test_the_flatten_readout_is_exact_at_every_setting_of_hundredths_by_twentieths() -> None:
    for i in range(100):
        for j in range(0, 101, 5):
            readout = {name: value for name, [value] in flatten.columns(i / 100, j / 100)["readout"].items()}
            a, c, best = Fraction(i, 100), Fraction(j, 100), readout["best_draft_length"]
            assert (a > c) == readout["pays"]
            tokens = 1 / (1 - a) if best == np.inf else sum(a**m for m in range(int(best) + 1))
            cost = 1 if best == np.inf else 1 + int(best) * c
            assert float(tokens) == pytest.approx(
                readout["tokens_per_step"], rel=1e-14
            )  # the model's own bound
            assert float(tokens / cost) == pytest.approx(readout["speedup"], rel=1e-14)
            assert float(tokens * (1 - a)) == pytest.approx(readout["ceiling_share"], rel=2e-14)


@pytest.mark.parametrize(
    ("c", "lengths", "speedups"),
    [
        (0.1, [2, 4, 6, 7, 10, 15], ["1.46", "1.98", "2.47", "2.85", "3.43", "4.48"]),
        (0.5, [0, 1, 2, 2, 3, 5], ["1.00", "1.13", "1.22", "1.29", "1.38", "1.51"]),
        (0.02, [4, 8, 11, 14, 19, 31], ["1.79", "2.76", "3.82", "4.75", "6.37", "9.95"]),
    ],
)
def test_the_curves_peak_where_the_second_post_sends_its_reader(
    c: float, lengths: list[int], speedups: list[str]
) -> None:
    rows = peaks_of(c)
    assert list(peaks.ACCEPTANCE_RATES) == [row["acceptance_rate"] for row in rows]
    assert lengths == [row["best_draft_length"] for row in rows]
    assert speedups == [f"{row['speedup']:.2f}" for row in rows]


def test_the_rule_of_thumb_of_2_to_6_gives_2_27_to_6_38() -> None:
    readout = readout_of(peaks, 0.7, 0.3)  # whatever the sliders say
    assert (2, 6) == peaks.RULE_OF_THUMB.speedups
    assert ("2.27", "6.38") == (f"{readout['rule_low']:.2f}", f"{readout['rule_high']:.2f}")
    inside = [steps.speedup(a / 100, np.arange(3, 9), c / 100) for a in range(80, 96) for c in range(2, 11)]
    assert (np.min(inside), np.max(inside)) == (readout["rule_low"], readout["rule_high"])


@pytest.mark.parametrize(
    ("c", "b", "holds"), [(0.02, 0, 1), (0.1, 0, 1), (0.015, 0, 0), (0.105, 0, 0), (0.1, 0.01, 0)]
)
def test_the_rule_of_thumb_speaks_of_cheap_drafts_on_an_idle_accelerator(
    c: float, b: float, holds: int
) -> None:
    assert holds == readout_of(peaks, c, b)["rule_holds"]


@pytest.mark.parametrize("b", range(0, 101, 10))
def test_the_peaks_are_exact_at_every_setting_of_fortieths_by_tenths(b: int) -> None:
    lengths, used = range(1, 33), Fraction(b, 100)
    for c in (Fraction(j, 40) for j in range(41)):
        cost = {k: max(1, used * (k + 1)) + k * c for k in range(120)}
        for row in peaks_of(float(c), b / 100):
            a, best = Fraction(str(row["acceptance_rate"])), row["best_draft_length"]
            tokens = {k: (1 - a ** (k + 1)) / (1 - a) for k in {0, *lengths} | {best} - {np.inf}}
            peak = 1 / (1 - a) if best == np.inf else tokens[best] / cost[best]
            assert all(peak >= tokens[k] / cost[k] for k in lengths)
            assert (best > 0) == (peak > 1) == (used < row["break_even_utilisation"] - 1e-12)  # doubles' ties
            assert float(peak) == pytest.approx(row["speedup"], rel=1e-14)  # the model's own bound
            losses = {k: 1 - tokens[k] / cost[k] / peak for k in (3, 5, 8)}
            assert [float(loss) for loss in losses.values()] == pytest.approx(
                [row[f"loss_{k}"] for k in losses], abs=2e-14
            )


@quickly
@given(st.integers(0, 200), st.integers(0, 100))
def test_no_length_loses_less_than_nothing_and_the_best_loses_nothing(c: int, b: int) -> None:
    for row in peaks_of(c / 200, b / 100):
        losses = {k: row[f"loss_{k}"] for k in (3, 5, 8)}
        assert all(0 <= loss < 1 for loss in losses.values())
        assert losses.get(row["best_draft_length"], 0.0) == 0.0


@quickly
@given(st.integers(0, 200), st.integers(0, 100))
def test_each_curve_starts_at_plain_decoding_and_never_passes_its_peak(c: int, b: int) -> None:
    curves, rows = peaks.columns(c / 200, b / 100)["curves"], peaks_of(c / 200, b / 100)
    assert list(range(33)) == curves["draft_length"].tolist()
    for row in rows:
        curve = curves[f"speedup_{100 * row['acceptance_rate']:.0f}"]
        assert curve[0] == 1.0
        assert curve.max() <= row["speedup"] * (1 + 2e-14)  # a gain of 1e-14 is none, and so much is rounded
        best = row["best_draft_length"]
        assert best > 32 or curve[int(best)] == row["speedup"]


@quickly
@given(st.integers(0, 200), st.integers(0, 100))
def test_the_peaks_readout_sums_up_the_table(c: int, b: int) -> None:
    rows, readout = peaks_of(c / 200, b / 100), readout_of(peaks, c / 200, b / 100)
    lengths = [row["best_draft_length"] for row in rows]
    assert sum(length in {3, 4, 5, 6, 7, 8} for length in lengths) == readout["peaks_3_to_8"]
    assert np.count_nonzero(lengths) == readout["paying"]
    top = rows[-1]["acceptance_rate"], rows[-1]["best_draft_length"], max(row["speedup"] for row in rows)
    assert top == (readout["top_rate"], readout["top_draft_length"], readout["top_speedup"])


def test_a_free_draft_on_an_idle_accelerator_climbs_to_the_ceiling() -> None:
    for row in peaks_of(0.0):
        assert row["best_draft_length"] == np.inf
        assert row["ceiling"] == row["tokens_per_step"] == row["speedup"]


def test_a_draft_cost_moves_in_two_hundredths() -> None:
    state = peaks.State()
    state.take(draft_cost=0.0249, utilisation=0.333)
    assert {"draft_cost": 5 / 200, "utilisation": 33 / 100} == state.arguments()


@quickly
@given(burst_states)
def test_every_burst_has_its_bar_and_the_exact_distribution_lies_over_them(state: dict[str, Any]) -> None:
    histogram = burst.columns(**state)["histogram"]
    times = _finish_times(state)
    finish_time = histogram["finish_time"]
    assert burst.BURSTS == histogram["bursts"].sum()
    assert burst.BURSTS == pytest.approx(histogram["exact"].sum(), rel=1e-12)  # the distribution's own bound
    assert [np.count_nonzero(times == t) for t in finish_time] == histogram["bursts"].tolist()
    assert (histogram["left"][1:] > histogram["right"][:-1]).all()


@quickly
@given(burst_states)
def test_the_burst_drawn_is_the_one_chosen(state: dict[str, Any]) -> None:
    columns = burst.columns(**state)
    readout = {name: value for name, [value] in columns["readout"].items()}
    times = _finish_times(state)
    assert times[readout["burst"] - 1] == readout["burst_time"]
    quantile = burst.QUANTILE_DRAWN.get(state["drawn"])
    assert (
        readout["burst"] == 1
        if quantile is None
        else finish_times.quantile(times, quantile) == readout["burst_time"]
    )
    total = columns["trace"]["total"]
    assert total[-1] >= state["burst_length"]
    assert len(total) == 1 or total[-2] < state["burst_length"]


@quickly
@given(burst_states)
def test_the_burst_readout_is_that_of_the_sample(state: dict[str, Any]) -> None:
    readout = {name: value for name, [value] in burst.columns(**state)["readout"].items()}
    times = _finish_times(state)
    assert np.quantile(times, [0.5, 0.99], method="inverted_cdf").tolist() == [readout["p50"], readout["p99"]]
    assert times.mean() == pytest.approx(readout["mean"], rel=1e-12)  # 2,000 terms, each within 2^-53
    steps = times / (1 + state["draft_length"] * state["draft_cost"])
    assert steps.mean() == pytest.approx(readout["steps"], rel=1e-12)


def test_one_token_steps_are_as_frequent_as_rejections() -> None:
    readout = {
        name: value for name, [value] in burst.columns(0.9, 10, 0.1, 400, 0, "first")["readout"].items()
    }
    steps = burst.BURSTS * readout["steps"]
    assert 0.1 == pytest.approx(
        readout["one_token_share"], abs=4 * np.sqrt(0.1 * 0.9 / steps)
    )  # 4 standard errors


@pytest.mark.parametrize("lab", page.LABS)
def test_a_labs_columns_take_its_state_in_order_and_its_template_names_every_root(lab: ModuleType) -> None:
    state = lab.State()
    sources = parts.sources(lab, state)
    below = [source for section in getattr(page.below(lab), "SOURCES", {}).values() for source in section]
    assert [*lab.columns(*state.arguments().values()), *below] == list(sources)
    markup = page.asset(f"templates/{page.name(lab)}.html") + page.asset("templates/lab.html")
    for figure in parts.figures(lab, sources):
        assert f"roots.{figure}" in markup


def test_no_light_colour_has_two_meanings() -> None:
    colours = [colour for pair in theme.COLOURS.values() for colour in pair]
    assert len(colours) == len(set(colours))
