"""Bad input to what is built on the finish times: argument, range and value are named."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from test_checks import NOT_A_NUMBER, NOT_A_SHARE, NOT_WHOLE

from model.chains import burst_timeout, bursts_past, chance_of_any, chance_past, run_steps_p99, run_time
from model.finish_times import moments, still_running
from model.mixtures import burst_kinds, decayed_rates, step_distribution, step_quantiles
from model.tails import (
    binomial,
    draft_length_chances,
    draft_length_times,
    draft_lengths_of_least,
    sampled_quantile,
)

Function = Callable[[object], object]

ONE = ([12.0, 14.0], [0.5, 0.5])


@pytest.mark.parametrize("value", NOT_A_SHARE)
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("acceptance_rate", lambda a: decayed_rates(a, 1, 3)),
        ("acceptance_rate", lambda a: burst_kinds(a, 0.1, 1, 3)),
        ("acceptance_rate", lambda a: list(draft_length_chances(a, 3, 40))),
        ("acceptance_rates[0]", lambda a: step_distribution([a], [1], 3, 40)),
        ("acceptance_rates[1]", lambda a: step_quantiles([[0.9, 0.8], [a, 0.5]], [0.5, 0.5], 3, 40, [0.5])),
        ("chance", lambda q: chance_of_any(q, 3)),
        ("chance", lambda q: chance_of_any([0.5, q], 3)),
        ("chance", lambda q: binomial(3, q)),
        ("share", lambda share: burst_timeout(*ONE, 3, share)),
        ("share", lambda share: burst_timeout(*ONE, 3, [0.5, share])),
        ("share", lambda share: draft_length_times(*ONE, 2.0, 600, share)),
        ("p", lambda p: bursts_past(*ONE, 3, p)),
        ("p", lambda p: sampled_quantile([0.5, 0.5], p, 3)),
        ("chances", lambda q: still_running([0.5, q])),
        ("chances", lambda q: sampled_quantile([0.5, q], 0.5, 3)),
        ("chances", lambda q: moments([12.0, 14.0], [0.5, q])),
    ],
)
def test_what_is_no_share_is_named(name: str, function: Function, value: object) -> None:
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - its words are looked at below
        function(value)
    assert str(refused.value).startswith(name)
    assert " from 0 to 1, not " in str(refused.value)


@pytest.mark.parametrize("value", [0, -1, 1_000_001, *NOT_WHOLE])
@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("bursts", lambda bursts: chance_of_any(0.5, bursts)),
        ("bursts", lambda bursts: chance_past(*ONE, bursts, 13)),
        ("bursts", lambda bursts: burst_timeout(*ONE, bursts, 0.9)),
        ("bursts", lambda bursts: bursts_past(*ONE, bursts, 0.9)),
        ("bursts", lambda bursts: run_time(*ONE, bursts)),
        ("bursts", lambda bursts: run_steps_p99(*ONE, bursts)),
        ("bursts", lambda bursts: draft_length_times(*ONE, 2.0, bursts, 0.9)),
        ("bursts", lambda bursts: sampled_quantile([0.5, 0.5], 0.5, bursts)),
        ("trials", lambda trials: binomial(trials, 0.5)),
    ],
)
def test_a_bad_number_of_bursts_is_named(name: str, function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be a whole number from 1 to 1000000, not "):
        function(value)


@pytest.mark.parametrize(
    "chances", [[1.0], [0.5, 0.5, 0.0], [0.5, 0.4], [0.6, 0.6], [0.0, 0.0], [0.5, math.nan], 1.0, []]
)
@pytest.mark.parametrize(
    "function",
    [
        lambda chances: moments(ONE[0], chances),
        lambda chances: chance_past(ONE[0], chances, 3, 13),
        lambda chances: burst_timeout(ONE[0], chances, 3, 0.9),
        lambda chances: bursts_past(ONE[0], chances, 3, 0.9),
        lambda chances: run_time(ONE[0], chances, 3),
        lambda chances: run_steps_p99(ONE[0], chances, 3),
    ],
)
def test_chances_that_do_not_fit_are_named(function: Function, chances: object) -> None:
    with pytest.raises(ValueError, match=r"^chances.* must be .* from 0 to 1.*, not "):
        function(chances)


@pytest.mark.parametrize("weights", [[1.0], [0.5, 0.4], [0.5, -0.5], 1.0, []])
def test_shares_of_kinds_that_do_not_fit_are_named(weights: object) -> None:
    for function in (
        lambda: step_distribution([0.9, 0.8], weights, 3, 40),
        lambda: step_quantiles([0.9, 0.8], weights, 3, 40, [0.5]),
    ):
        with pytest.raises(ValueError, match=r"^weights.* must be .* from 0 to 1.*, not "):
            function()


@pytest.mark.parametrize("kinds", [0.9, "0.9", None, []])
def test_kinds_that_are_no_list_are_named(kinds: object) -> None:
    with pytest.raises(ValueError, match=r"^acceptance_rates must be .* from 0 to 1, not "):
        step_distribution(kinds, [1], 3, 40)


@pytest.mark.parametrize("value", [-0.1, 0.51, math.inf, *NOT_A_NUMBER])
def test_a_bad_deviation_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^deviation must be a number from 0 to 0\.5, not "):
        burst_kinds(0.9, value, 1, 3)


@pytest.mark.parametrize("value", [-0.1, 10.1, math.inf, *NOT_A_NUMBER])
def test_a_bad_decay_is_named(value: object) -> None:
    for function in (lambda: decayed_rates(0.9, value, 3), lambda: burst_kinds(0.9, 0.1, value, 3)):
        with pytest.raises(ValueError, match=r"^decay must be a number from 0 to 10\.0, not "):
            function()


@pytest.mark.parametrize("value", [-1, 2_000_001, *NOT_WHOLE])
@pytest.mark.parametrize(
    "function",
    [
        lambda k: decayed_rates(0.9, 1, k),
        lambda k: burst_kinds(0.9, 0, 1, k),
        lambda k: step_distribution([0.9], [1], k, 40),
        lambda k: step_quantiles([0.9], [1], k, 40, [0.5]),
    ],
)
def test_a_bad_draft_length_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^draft_length must be a whole number from 0 to 2000000, not "):
        function(value)


@pytest.mark.parametrize("value", [0, 100_001, *NOT_WHOLE])
@pytest.mark.parametrize(
    "function",
    [
        lambda n: step_distribution([0.9], [1], 3, n),
        lambda n: step_quantiles([0.9], [1], 3, n, [0.5]),
        lambda n: list(draft_length_chances(0.9, 3, n)),
    ],
)
def test_a_bad_burst_length_is_named(function: Function, value: object) -> None:
    with pytest.raises(ValueError, match=r"^burst_length must be a whole number from 1 to 100000, not "):
        function(value)


@pytest.mark.parametrize("value", [0, 1001, *NOT_WHOLE])
def test_a_bad_longest_draft_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^longest_draft must be a whole number from 1 to 1000, not "):
        list(draft_length_chances(0.9, value, 40))


@pytest.mark.parametrize("value", [-1.0, math.inf, *NOT_A_NUMBER])
def test_a_bad_cost_of_a_step_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^cost must be a number from 0 to 1e\+100, not "):
        draft_length_times(*ONE, value, 3, 0.9)


@pytest.mark.parametrize("value", [0.0, 1.0, math.nan, [0.5, 1.0], [], 0.5])
def test_shares_that_are_no_list_of_shares_within_are_named(value: object) -> None:
    p = [value] if isinstance(value, float) and value != 0.5 else value
    with pytest.raises(ValueError, match=r"^p.* must be .* from 1e-06 to 0\.999999, not "):
        step_quantiles([0.9], [1], 3, 40, p)


@pytest.mark.parametrize("value", [-1.0, math.inf, *NOT_A_NUMBER])
def test_a_bad_timeout_is_named(value: object) -> None:
    with pytest.raises(ValueError, match=r"^timeout must be a number from 0 to 1e\+100, not "):
        chance_past(*ONE, 3, value)


@pytest.mark.parametrize("value", [12.0, [], [12.0, math.nan], ["12"], np.array([[12, 13]])])
def test_bad_times_are_named(value: object) -> None:
    for name, function in (
        ("times", lambda: draft_lengths_of_least(value)),
        ("times", lambda: burst_timeout(value, [0.5, 0.5], 3, 0.9)),
        ("counts", lambda: run_steps_p99(value, [0.5, 0.5], 3)),
        ("values", lambda: moments(value, [0.5, 0.5])),
    ):
        with pytest.raises(ValueError, match=rf"^{name}.* must be .* from .* to .*, not "):
            function()


@pytest.mark.parametrize("value", [[14.0, 12.0], [12.0, 12.0], np.array([14, 12])])
def test_times_that_do_not_rise_are_named(value: object) -> None:
    for name, function in (
        ("times", lambda: chance_past(value, [0.5, 0.5], 3, 13)),
        ("times", lambda: burst_timeout(value, [0.5, 0.5], 3, 0.9)),
        ("times", lambda: bursts_past(value, [0.5, 0.5], 3, 0.9)),
        ("counts", lambda: run_steps_p99(value, [0.5, 0.5], 3)),
    ):
        with pytest.raises(ValueError, match=rf"^{name} must be rising numbers from .* to .*, not "):
            function()
