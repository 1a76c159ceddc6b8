"""The labs without a browser: their states, their columns, their figures."""

from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from app import page
from labs import burst, flatten, theme
from labs.state import snapped
from model import bursts, finish_times

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


@given(burst_states)
def test_every_burst_has_its_bar_and_the_exact_distribution_lies_over_them(state: dict[str, Any]) -> None:
    histogram = burst.columns(**state)["histogram"]
    times = _finish_times(state)
    finish_time = histogram["finish_time"]
    assert burst.BURSTS == histogram["bursts"].sum()
    assert burst.BURSTS == pytest.approx(histogram["exact"].sum(), rel=1e-12)  # the distribution's own bound
    assert [np.count_nonzero(times == t) for t in finish_time] == histogram["bursts"].tolist()
    assert (histogram["left"][1:] > histogram["right"][:-1]).all()


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
    sources = page.sources(lab, state)
    assert list(lab.columns(*state.arguments().values())) == list(sources)
    markup = page.asset(f"{page.name(lab)}.html") + page.asset("lab.html")
    for figure in lab.figures(sources):
        assert f"roots.{figure}" in markup


def test_no_light_colour_has_two_meanings() -> None:
    colours = [colour for pair in theme.COLOURS.values() for colour in pair]
    assert len(colours) == len(set(colours))
