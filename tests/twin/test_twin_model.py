"""The twin of the model: nothing forgotten, and the same bits as Python."""

import base64
import inspect
import math
import random
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from pages import ASSETS, ROOT
from twins import (
    DRAWS,
    LABS,
    MODEL,
    SEEDS,
    Twin,
    assert_same,
    expected,
    seeded,
)

from app.page import PAGES, name
from model import bursts, finish_times, steps

# ---- nothing is forgotten ----


def parameters(function: Callable[..., Any]) -> str:
    """Return the parameters as JavaScript writes them."""
    words = {inspect.Parameter.empty: "", None: "=null", "": '=""'}
    return ",".join(
        parameter.name + words.get(parameter.default, f"={parameter.default}")
        for parameter in inspect.signature(function).parameters.values()
    )


def public_functions(module: ModuleType) -> dict[str, str]:
    return {
        name: parameters(value)
        for name, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }


@pytest.mark.parametrize(
    ("lab", "module"), [("flatten", steps), ("peaks", steps), *(("burst", module) for module in MODEL)]
)
def test_each_function_of_the_model_has_a_twin_with_the_same_arguments(
    twin: Twin, lab: str, module: ModuleType
) -> None:
    assert public_functions(module) == twin.signatures(module.__name__.removeprefix("model."), lab)


def files(folder: Path, suffix: str) -> set[str]:
    """Return the files below a folder by their place: a package is named as JavaScript names one."""
    places = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob(f"*{suffix}")}
    return {place.replace("__init__", "index") for place in places}


def test_each_file_of_the_model_has_its_twin_in_the_same_place() -> None:
    without = {"checks", "index", "engines/formats", "engines/index"}  # in range already; data for both
    assert files(ROOT / "model", ".py") - without == files(ASSETS / "twin" / "model", ".js")


def test_each_lab_has_its_twin_in_the_same_place() -> None:
    twins = files(ASSETS / "twin" / "labs", ".js")
    assert twins <= files(ROOT / "labs", ".py")
    assert {name(lab) for lab in PAGES} == {place.partition("/")[0] for place in twins}


def test_each_file_of_the_twin_is_in_some_page() -> None:
    used = {part for lab in PAGES for part in lab.TWIN}
    assert used == files(ASSETS / "twin", ".js")


def test_each_lab_has_columns_in_the_twin_with_the_same_arguments(twin: Twin) -> None:
    for lab, module in LABS.items():
        assert {lab: parameters(module.columns)} == twin.signatures("columns", lab)


@pytest.mark.parametrize("path", sorted(ASSETS.rglob("*.js")), ids=lambda path: path.name)
def test_what_the_twin_says_it_mirrors_is_there(path: Path) -> None:
    for file, function in re.findall(r"mirrors ((?:model|labs)/[\w/]+\.py)(?:: (\w+))?", path.read_text()):
        source = (ROOT / file).read_text()
        assert not function or re.search(rf"^(def|class) {function}\b", source, re.MULTILINE), (
            f"{file}: {function}"
        )


# ---- the model ----


def some_rates(dice: random.Random) -> float | list[float]:
    """Return one acceptance rate or some by position, with the ends and their neighbours among them."""

    def a_rate() -> float:
        ends = [0.0, 1.0, 1e-12, 1 - 1e-12, 1 - 2**-53, 5e-324]
        return dice.choice([dice.random(), dice.random() ** 9, dice.choice(ends)])

    return dice.choice([a_rate(), [a_rate() for _ in range(dice.randint(1, 8))]])


def samples(count: int, *others: Callable[[random.Random], Any]) -> list[tuple[Any, ...]]:
    """Return random arguments: acceptance rates, then what the others make of the dice."""
    dice = seeded(4)
    return [(some_rates(dice), *(other(dice) for other in others)) for _ in range(count)]


def a_length(dice: random.Random) -> int:
    return dice.choice([0, 1, dice.randint(0, 40), dice.randint(0, 2000)])


def a_length_or_some(dice: random.Random) -> int | list[int]:
    return dice.choice([a_length(dice), [a_length(dice) for _ in range(dice.randint(0, 9))]])


def a_cost(dice: random.Random) -> float:
    return dice.choice([0.0, 1.0, dice.random(), dice.random() ** 9, 10 * dice.random(), 1e100])


def a_utilisation(dice: random.Random) -> float:
    return dice.choice([0.0, 1.0, dice.random(), dice.random() ** 9, 1 / dice.randint(1, 200), 5e-324])


def a_share(dice: random.Random) -> float:
    return dice.choice([0.0, 0.95, 1.0, dice.random(), 1 - 1e-15])


def a_burst_length(dice: random.Random) -> int:
    return dice.choice([1, dice.randint(1, 12), dice.randint(1, 100), 400])


def test_rates_tokens_and_costs_have_the_same_bits(twin: Twin) -> None:
    windows = [(np.atleast_1d(rates).tolist(), i % 5, i % 13) for i, (rates,) in enumerate(samples(500))]
    for given, actual in zip(windows, twin.results("steps.conditional_rates", windows), strict=True):
        assert steps.conditional_rates(np.array(given[0]), *given[1:]).tolist() == actual
    assert_same(twin, steps.position_rates, samples(500, a_length))
    assert_same(twin, steps.tokens_per_step, samples(500, a_length_or_some))
    for others in ([a_length_or_some, a_cost], [a_length_or_some, a_cost, a_utilisation]):
        assert_same(twin, steps.step_cost, [given[1:] for given in samples(500, *others)])
        assert_same(twin, steps.speedup, samples(500, *others))
    assert_same(twin, steps.ceiling, samples(2000))
    assert_same(twin, steps.pays, samples(500, a_cost))
    assert_same(twin, steps.break_even_utilisation, samples(500, a_cost))


def test_best_draft_lengths_are_the_same_up_to_the_furthest(twin: Twin) -> None:
    calls = [
        (0.99, 0.01),
        (1 - 1e-6, 5e-7),
        (1 - 1e-7, 1e-9),  # beyond two million
        (1.0, 0.5),
        (1.0, 1.0),
        ([0.9, 0.8, 1.0], 0.5),
        ([0.9, 0.0, 1.0], 0.0),
        (0.5, 0.0),
        (1.0, 0.5, 1e-6),
        (1.0, 0.0, 1e-7),  # beyond two million
        ([0.5, 0.0], 0.0, 1e-7),
        (0.8, 0.1, 0.85),
    ]
    found = [expected(steps.best_draft_length, given) for given in calls]
    assert [113, 1_505_240, "refused", "Infinity", 0, "Infinity", 1, "Infinity"] == found[:8]
    assert [999_999, "refused", 1, 0] == found[8:]
    assert_same(twin, steps.best_draft_length, calls + samples(1000, a_cost))
    assert_same(twin, steps.best_draft_length, samples(500, a_cost, a_utilisation))


def test_draft_lengths_reaching_a_share_are_the_same_up_to_the_furthest(twin: Twin) -> None:
    calls = [
        (0.95, 0.8),
        (0.8, 1 - 1e-6),
        (0.95, 1 - 1e-12),  # beyond two million
        (0.8, 0.2),
        (0.5, 1.0),
        (0.0, 1.0),
        (1.0, [0.5, 0.0]),
    ]
    found = [expected(steps.draft_length_reaching, given) for given in calls]
    assert [13, 1_609_437, "refused", 0, "Infinity", 0, 1] == found
    others = [(share, rates) for rates, share in samples(500, a_share)]
    assert_same(twin, steps.draft_length_reaching, calls + others)


@pytest.mark.parametrize("seed", SEEDS)
def test_draws_of_four_hundred_steps_are_numpys(twin: Twin, seed: int) -> None:
    steps_drawn, size = 400, 2000
    actual = twin.pages["burst"].evaluate(DRAWS, [seed, size, steps_drawn // bursts.BLOCK])
    stream = np.random.RandomState(seed)
    assert stream.random_sample((steps_drawn, size)).tobytes() == base64.b64decode(actual)


BLOCKS_DRAWN = """([seed, lengths]) => {
  const { Draws, step_counts, trace } = GuessAhead.bursts;
  const { blocks } = Draws.prototype;
  const used = new Set();
  Draws.prototype.blocks = function () { used.add(this); return blocks.call(this); };
  const drawn = lengths.map((length) => {
    step_counts(0.9, 10, length, seed);
    trace(0.5, 3, 1, seed);
    return Array.from(used, (draws) => draws.drawn.length);
  });
  Draws.prototype.blocks = blocks;
  return drawn;
}"""


def test_draws_are_made_once_and_no_further_than_a_burst_needs(twin: Twin) -> None:
    lengths = [1, 40, 400, 40]
    most_steps = [int(bursts.step_counts(0.9, 10, length, 123)[0].max()) for length in lengths]
    blocks = [math.ceil(max(most_steps[: i + 1]) / bursts.BLOCK) for i in range(len(lengths))]
    actual = twin.pages["burst"].evaluate(BLOCKS_DRAWN, [123, lengths])
    assert [[drawn] for drawn in blocks] == actual


def test_bursts_take_the_same_steps(twin: Twin) -> None:
    def runs(*others: Callable[[random.Random], Any]) -> list[tuple[Any, ...]]:
        def a_count(dice: random.Random) -> int:
            return dice.choice([7, 100])  # eight streams, more than are kept

        return samples(200, *others, a_burst_length, lambda dice: dice.choice(SEEDS), a_count)

    assert_same(twin, bursts.simulate, runs(a_length, a_cost))
    assert_same(twin, bursts.step_counts, runs(a_length))
    assert_same(twin, bursts.trace, [(*given, i % 7) for i, given in enumerate(runs(a_length))])
    assert_same(twin, bursts.simulate, [(0.9, 10, 0.1, 40), (0.9, 10, 0.1, 40, 3)])
    assert_same(twin, bursts.trace, [(0.9, 10, 40), (0.9, 10, 400, 3)])
    as_high_as_a_rate = float(np.random.RandomState(0).random_sample())
    assert_same(twin, bursts.trace, [([as_high_as_a_rate, 1.0], 3, 1, 0, 7)])


def test_exact_distributions_have_the_same_bits(twin: Twin) -> None:
    calls = samples(300, a_length, a_cost, a_burst_length)
    assert max(length for *_, length in calls) == 400
    assert_same(twin, finish_times.distribution, calls)
    assert_same(twin, finish_times.step_distribution, [(a, k, n) for a, k, _, n in calls[:50]])


def test_exact_distributions_of_few_tokens_have_the_same_bits(twin: Twin) -> None:
    """NumPy adds the numbers of a single column pairwise, not one by one: no such sum may slip in."""
    lengths = product(range(1, 13), range(33))
    calls = [(rates, k, 0.1, n) for (rates,), (n, k) in zip(samples(12 * 33), lengths, strict=True)]
    assert_same(twin, finish_times.distribution, calls)


def test_quantiles_of_samples_and_distributions_are_the_same(twin: Twin) -> None:
    dice = seeded(5)

    def times(size: int) -> list[float]:
        return [dice.choice([dice.random(), dice.randint(-3, 3), -1e300]) for _ in range(size)]

    def weights(size: int) -> list[float]:
        return [dice.choice([0, 1, dice.random(), dice.random() ** 99]) for _ in range(size - 1)] + [0.5]

    shares = [0.0, 0.5, 0.99, 1.0, 1 / 3, 0.1 + 0.2, [0.0, 0.25, 1.0], [0.5]]
    cases = list(product([1, 2, 3, 10, 100, 400], shares * 10))
    assert_same(twin, finish_times.quantile, [(times(size), p) for size, p in cases])
    assert_same(twin, finish_times.quantile, [(times(size), p, weights(size)) for size, p in cases])
