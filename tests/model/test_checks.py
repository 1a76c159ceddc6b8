"""Bad input: every argument of every function answers with its name, its range and the value."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from model.bursts import simulate, step_counts, trace
from model.finish_times import distribution, quantile
from model.steps import (
    best_draft_length,
    break_even_utilisation,
    ceiling,
    draft_length_reaching,
    pays,
    position_rates,
    speedup,
    step_cost,
    tokens_per_step,
)

Function = Callable[[object], object]

NOT_A_NUMBER = [math.nan, True, np.True_, "0.5", None, 0.5j, {0.5}, b"\x00"]
NOT_A_SHARE = [-0.1, 1.5, math.inf, *NOT_A_NUMBER]
NOT_WHOLE = [3.0, np.float64(3), *NOT_A_NUMBER]


@pytest.mark.parametrize(
    "value",
    [*NOT_A_SHARE, [], [0.5, 1.5], np.array([0.5, math.nan]), np.array([True]), [[0.5]], [True], ["1"]],
)
@pytest.mark.parametrize(
    "function",
    [
        lambda a: position_rates(a, 3),
        lambda a: tokens_per_step(a, 3),
        lambda a: speedup(a, 3, 0.1),
        ceiling,
        lambda a: pays(a, 0.1),
        lambda a: best_draft_length(a, 0.1),
        lambda a: break_even_utilisation(a, 0.1),
        lambda a: draft_length_reaching(0.5, a),
        lambda a: simulate(a, 10, 0.1, 40),
        lambda a: trace(a, 10, 40),
        lambda a: distribution(a, 10, 0.1, 40),
    ],
)
def test_a_bad_acceptance_rate_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^acceptance_rate.* must be .* from 0 to 1, not "):
        function(value)


def test_the_position_of_a_bad_rate_is_named() -> None:
    for values in ([0.5, 1.5], np.array([0.5, 1.5])):
        with pytest.raises(
            ValueError, match=r"^acceptance_rate\[1\] must be a number from 0 to 1, not .*1\.5"
        ):
            ceiling(values)


@pytest.mark.parametrize("value", [-1, 2_000_001, *NOT_WHOLE])
@pytest.mark.parametrize(
    "function",
    [
        lambda k: position_rates(0.8, k),
        lambda k: tokens_per_step(0.8, k),
        lambda k: tokens_per_step(0.8, [1, k]),
        lambda k: tokens_per_step(0.8, np.array([k])),
        lambda k: step_cost(k, 0.1),
        lambda k: step_cost(np.array([k]), 0.1),
        lambda k: speedup(0.8, k, 0.1),
        lambda k: simulate(0.9, k, 0.1, 40),
        lambda k: trace(0.9, k, 40),
        lambda k: distribution(0.9, k, 0.1, 40),
    ],
)
def test_a_bad_draft_length_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^draft_length must be a whole number from 0 to 2000000, not "):
        function(value)


@pytest.mark.parametrize("value", [-0.1, math.inf, 10**400, [0.1], *NOT_A_NUMBER])
@pytest.mark.parametrize(
    "function",
    [
        lambda c: step_cost(3, c),
        lambda c: speedup(0.8, 3, c),
        lambda c: pays(0.8, c),
        lambda c: best_draft_length(0.8, c),
        lambda c: break_even_utilisation(0.8, c),
        lambda c: simulate(0.9, 10, c, 40),
        lambda c: distribution(0.9, 10, c, 40),
    ],
)
def test_a_bad_draft_cost_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^draft_cost must be a number from 0 to 1e\+100, not "):
        function(value)


@pytest.mark.parametrize("value", [[0.5], *NOT_A_SHARE])
@pytest.mark.parametrize(
    "function",
    [
        lambda b: step_cost(3, 0.1, b),
        lambda b: speedup(0.8, 3, 0.1, b),
        lambda b: best_draft_length(0.8, 0.1, b),
    ],
)
def test_a_bad_utilisation_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^utilisation must be a number from 0 to 1, not "):
        function(value)


@pytest.mark.parametrize("value", NOT_A_SHARE)
def test_a_bad_share_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^share must be a number from 0 to 1, not "):
        draft_length_reaching(value, 0.8)


@pytest.mark.parametrize("value", [0, -1, 100_001, *NOT_WHOLE])
@pytest.mark.parametrize(
    "function",
    [
        lambda n: simulate(0.9, 10, 0.1, n),
        lambda n: step_counts(0.9, 10, n),
        lambda n: trace(0.9, 10, n),
        lambda n: distribution(0.9, 10, 0.1, n),
    ],
)
def test_a_bad_burst_length_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^burst_length must be a whole number from 1 to 100000, not "):
        function(value)


@pytest.mark.parametrize("value", [-1, 2**32, *NOT_WHOLE])
@pytest.mark.parametrize(
    "function", [lambda seed: simulate(0.9, 10, 0.1, 40, seed), lambda seed: trace(0.9, 10, 40, seed)]
)
def test_a_bad_seed_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^seed must be a whole number from 0 to 4294967295, not "):
        function(value)


@pytest.mark.parametrize("value", [0, 5_000_001, *NOT_WHOLE])
@pytest.mark.parametrize(
    "function",
    [lambda bursts: simulate(0.9, 10, 0.1, 40, 0, bursts), lambda bursts: trace(0.9, 10, 40, 0, bursts)],
)
def test_a_bad_number_of_bursts_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^bursts must be a whole number from 1 to 5000000, not "):
        function(value)


@pytest.mark.parametrize("value", [-1, 2000, *NOT_WHOLE])
def test_a_burst_that_is_not_drawn_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^burst must be a whole number from 0 to 1999, not "):
        trace(0.9, 10, 40, burst=value)


@pytest.mark.parametrize("value", [*NOT_A_SHARE, [], [0.5, 1.5], np.array([[0.5]])])
def test_a_bad_quantile_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^p.* must be .* from 0 to 1, not "):
        quantile([12.0, 14.0], value)


@pytest.mark.parametrize(
    "value", [12.0, [], [12.0, math.nan], [math.inf], ["12"], np.array([[12, math.nan]]), *NOT_A_NUMBER]
)
def test_bad_times_are_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^times.* must be .* from .* to .*, not "):
        quantile(value, 0.5)


@pytest.mark.parametrize(
    "value", [0.5, [], [1], [1, 2, 3], [1, -1], [1, math.nan], [0, 0], [math.inf, 1], "12"]
)
def test_bad_weights_are_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^weights.* must be .*, not "):
        quantile([12.0, 14.0], 0.5, value)


def test_numbers_of_every_kind_are_taken() -> None:
    kinds = [np.float64(0.5), np.float32(0.5), [0.5], (0.5,), np.array([0.5], dtype=np.float32)]
    assert [ceiling(value) for value in kinds] == [2.0] * len(kinds)
    assert [tokens_per_step(1, k) for k in (np.int64(3), np.uint8(3))] == [4.0, 4.0]
    assert tokens_per_step(1, np.array([3], dtype=np.uint8)).tolist() == [4.0]
    assert tokens_per_step(1, range(4)).tolist() == [1.0, 2.0, 3.0, 4.0]
