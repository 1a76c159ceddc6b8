"""The twin of the labs' columns: the same bits as Python, in the page that runs it."""

import random
import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_position_rates import MEASURED, ODD
from twins import HUNDREDTHS, Twin, assert_same_columns, seeded, some_or_all

from labs import burst
from labs.state import RATES

# ---- the labs ----


EVERY = list(product(HUNDREDTHS[:-1], HUNDREDTHS))


@some_or_all(1000, len(EVERY))
def test_the_settings_of_the_flatten_lab_give_the_same_bits(twin: Twin, count: int) -> None:
    extremes = [(a, c) for a, c in EVERY if a in {0, HUNDREDTHS[-2]} or c in {0, 1} or a == c]
    assert_same_columns(twin, "flatten", [*extremes, *seeded(6).sample(EVERY, count)])


@some_or_all(300, 3000)
def test_every_draft_cost_of_the_peaks_lab_gives_the_same_bits(twin: Twin, count: int) -> None:
    dice, costs = seeded(3), [i / 200 for i in range(201)]
    others = [(dice.choice(costs), dice.choice(HUNDREDTHS)) for _ in range(count)]
    assert_same_columns(twin, "peaks", [*product(costs, (0.0, 0.5, 1.0)), *others])


DRAWN = burst.State.param.drawn.objects


def burst_settings(dice: random.Random, count: int) -> Iterator[tuple[Any, ...]]:
    """Yield random settings; a burst's length is as likely to have one digit as two or three."""
    for _ in range(count):
        a, c, k = dice.choice(HUNDREDTHS), dice.choice(HUNDREDTHS), dice.randint(1, 32)
        yield a, k, c, round(400 ** dice.random()), dice.choice([0, 1, 2, 9999]), dice.choice(DRAWN)


@some_or_all(400, 2000)
def test_a_number_of_settings_of_the_burst_lab_give_the_same_bits(twin: Twin, count: int) -> None:
    assert_same_columns(twin, "burst", list(burst_settings(seeded(1), count)))


def test_the_extremes_of_the_burst_lab_give_the_same_bits(twin: Twin) -> None:
    extremes = product((0.0, 0.5, 1.0), (1, 32), (0.0, 1.0), (1, 400), (0, 9999), DRAWN)
    assert_same_columns(twin, "burst", list(extremes))


def test_moving_one_slider_at_a_time_gives_the_same_bits_as_starting_there(twin: Twin) -> None:
    dice = seeded(2)
    settings: list[tuple[Any, ...]] = [(0.9, 10, 0.1, 40, 0, "first")]
    for other in burst_settings(dice, 300):
        moved = dice.randrange(len(other))
        settings.append((*settings[-1][:moved], other[moved], *settings[-1][moved + 1 :]))
    assert_same_columns(twin, "burst", settings)


texts = st.lists(st.integers(0, 10_000), min_size=1, max_size=32).map(
    lambda all_: "_".join(str(i / 10_000) for i in all_)
)
in_one_go = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@in_one_go
@given(st.lists(texts, min_size=50, max_size=80), st.randoms())
def test_any_rates_by_position_give_the_same_bits(twin: Twin, given: list[str], dice: random.Random) -> None:
    flat = [(dice.choice(HUNDREDTHS[:-1]), dice.choice(HUNDREDTHS), text) for text in given]
    ends = [(0.5, c, f"{text}_1.0000") for c, text in product((0.0, 0.01), given[:3]) if text.count("_") < 31]
    assert_same_columns(twin, "flatten", [*flat, *ends])
    in_bursts = zip(burst_settings(dice, len(given)), given, strict=True)
    assert_same_columns(twin, "burst", [(*setting, text) for setting, text in in_bursts])


@in_one_go
@given(st.lists(st.one_of(texts, st.text("01.59_+e \n\u0665"), st.from_regex(RATES)), min_size=100))
def test_both_engines_take_the_same_texts_for_rates(twin: Twin, given: list[str]) -> None:
    def read(text: str) -> list[float] | None:
        return list(map(float, text.split("_"))) if text and re.match(RATES, text) else None

    texts = [*given, *ODD, MEASURED]
    assert [read(text) for text in texts] == twin.results("rates", [(text,) for text in texts])


SPY = """([before, after]) => {
  const { columns, bursts, finish_times } = GuessAhead;
  const old = columns.burst(...before);
  const called = [];
  const watch = (owner, name) => {
    const given = owner[name];
    owner[name] = (...rest) => { called.push(name); return given(...rest); };
    return () => { owner[name] = given; };
  };
  const watched = [[bursts, "step_counts"], [finish_times, "step_distribution"], [bursts, "trace"]]
    .map((function_of) => watch(...function_of));
  const next = columns.burst(...after);
  for (const stop of watched) stop();
  return [called, Object.keys(old).filter((name) => old[name] === next[name])];
}"""


@pytest.mark.parametrize(
    ("move", "computed", "kept"),
    [
        ({"draft_cost": 0.2}, [], ["trace"]),
        ({"drawn": "unlucky, at p99"}, ["trace"], ["histogram"]),
        ({"seed": 5}, ["step_counts", "trace"], []),
        ({"acceptance_rate": 0.8}, ["step_counts", "step_distribution", "trace"], []),
        ({"draft_length": 9}, ["step_counts", "step_distribution", "trace"], []),
        ({"position_rates": "0.8_0.9"}, ["step_counts", "step_distribution", "trace"], []),
        ({"burst_length": 50}, ["step_counts", "step_distribution", "trace"], []),
        ({}, [], ["trace", "histogram"]),
    ],
)
def test_a_move_computes_only_what_depends_on_it(
    twin: Twin, move: dict[str, Any], computed: list[str], kept: list[str]
) -> None:
    defaults = burst.State().arguments()
    settings = [list(defaults.values()), list((defaults | move).values())]
    assert [computed, kept] == twin.pages["burst"].evaluate(SPY, settings)


def test_rates_by_position_are_computed_with_once(twin: Twin) -> None:
    before = burst.State().arguments() | {"position_rates": "0.8_0.9"}
    settings = [list(before.values()), list((before | {"draft_cost": 0.2}).values())]
    assert [[], ["trace"]] == twin.pages["burst"].evaluate(SPY, settings)
