"""The twin of the labs' columns: the same bits as Python, in the page that runs it."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from twins import HUNDREDTHS, Twin, assert_same_columns, seeded

from labs import burst

# ---- the labs ----


def test_every_setting_of_the_flatten_lab_gives_the_same_bits(twin: Twin) -> None:
    assert_same_columns(twin, "flatten", list(product(HUNDREDTHS[:-1], HUNDREDTHS)))


def test_every_draft_cost_of_the_peaks_lab_gives_the_same_bits(twin: Twin) -> None:
    dice, costs = seeded(3), [i / 200 for i in range(201)]
    others = [(dice.choice(costs), dice.choice(HUNDREDTHS)) for _ in range(3000)]
    assert_same_columns(twin, "peaks", [*product(costs, (0.0, 0.5, 1.0)), *others])


DRAWN = burst.State.param.drawn.objects


def burst_settings(dice: random.Random, count: int) -> Iterator[tuple[Any, ...]]:
    """Yield random settings; a burst's length is as likely to have one digit as two or three."""
    for _ in range(count):
        a, c, k = dice.choice(HUNDREDTHS), dice.choice(HUNDREDTHS), dice.randint(1, 32)
        yield a, k, c, round(400 ** dice.random()), dice.choice([0, 1, 2, 9999]), dice.choice(DRAWN)


def test_two_thousand_settings_of_the_burst_lab_give_the_same_bits(twin: Twin) -> None:
    assert_same_columns(twin, "burst", list(burst_settings(seeded(1), 2000)))


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
