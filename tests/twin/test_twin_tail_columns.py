"""The twin of the sections below the burst lab: the same bits as Python, and the same pieces."""

import json
import random
from itertools import product
from typing import Any

import pytest
from twins import HUNDREDTHS, Twin, order, plain, seeded, some_or_all

from labs.burst import pieces, tail

Setting = tuple[Any, ...]

# At each setting, where the section rests, and its sources; it is first left after so many of its pieces.
RUN = """([name, left, text]) => {
  const word = (_, x) => (ArrayBuffer.isView(x) ? Array.from(x)
    : typeof x === "number" && !Number.isFinite(x) ? String(x) : x);
  return JSON.stringify(JSON.parse(text).map((given) => {
    const begun = GuessAhead.tail[name](...given);
    for (let i = 0; i < left; i += 1) begun.next();
    begun.return();
    const all = [...GuessAhead.tail[name](...given)];
    return [all.slice(0, -1), all[all.length - 1]];
  }), word);
}"""


def some_settings(dice: random.Random, count: int, longest: int) -> list[Setting]:
    """Return settings within the sliders' bounds: short bursts, few guesses, and often what does not vary."""
    return [
        (
            dice.choice(HUNDREDTHS),
            round(32 ** dice.random()),
            dice.choice(HUNDREDTHS),
            round(longest ** dice.random()),
            dice.choice([1, 600, round(10_000 ** dice.random())]),
            dice.choice([1.0, dice.randint(50, 120) / 100]),
            dice.choice([0.0, dice.randint(0, 30) / 100]),
            dice.choice(
                ["", "_".join(str(dice.randint(0, 10_000) / 10_000) for _ in range(dice.randint(1, 32)))]
            ),
        )
        for _ in range(count)
    ]


def assert_same_section(twin: Twin, name: str, settings: list[Setting], left: int = 0) -> None:
    """Compare a section with its twin: as many pieces, the same sources and columns in order."""
    pieces._kept.clear()  # noqa: SLF001 - both engines start with nothing kept, or rest less often
    twin.pages["burst"].reload()
    actual = json.loads(twin.pages["burst"].evaluate(RUN, [name, left, json.dumps(settings)]))
    for setting, (rests, columns) in zip(settings, actual, strict=True):
        *expected_rests, last = tail.SECTIONS[name](*setting)
        expected = plain(last)
        assert expected_rests == rests, f"{name}{setting}"
        assert expected == columns, f"{name}{setting}"
        assert order(expected) == order(columns)


def test_the_twin_has_the_same_sections_in_the_same_order(twin: Twin) -> None:
    assert list(tail.SECTIONS) == twin.pages["burst"].evaluate("Object.keys(GuessAhead.tail)")


@some_or_all(40, 300)
@pytest.mark.parametrize("name", tail.SECTIONS)
def test_a_number_of_settings_give_the_same_bits(twin: Twin, name: str, count: int) -> None:
    dice = seeded(list(tail.SECTIONS).index(name))
    longest = 40 if name == "draft_lengths" else 200  # 32 distributions each
    assert_same_section(twin, name, some_settings(dice, count, longest))


@pytest.mark.parametrize("name", tail.SECTIONS)
def test_the_extremes_give_the_same_bits(twin: Twin, name: str) -> None:
    short = product((0.0, 0.5, 1.0), (1, 32), (0.0, 1.0), (1, 2), (1, 10_000), (0.5, 1.0, 1.2), (0.0, 0.3))
    long = [(0.6, 32, 0.1, 400, 600, 1.0, 0.16), (0.1, 1, 0.1, 400, 10_000, 0.5, 0.3)]
    settings = seeded(9).sample(list(short), 40) if name in {"lengths", "draft_lengths"} else list(short)
    assert_same_section(twin, name, [*settings, *long, (0.9, 10, 0.1, 40, 600, 1.0, 0.0)])


@pytest.mark.parametrize("name", tail.SECTIONS)
def test_a_section_of_the_twin_can_be_left_midway_and_begun_again(twin: Twin, name: str) -> None:
    assert_same_section(twin, name, [(0.63, 5, 0.1, 150, 600, 0.95, 0.16)], left=2)
