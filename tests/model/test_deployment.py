"""What measured speeds say: step costs, the fit, and the advice, beside published deployments."""

import json
import re
from itertools import product
from typing import Any

import pytest
from pages import FACTS

from model.deployment import advise, best_length, cost_per_guess, fitted_cost, speedup_at, step_cost_of
from model.estimates import alpha_of

CASES = json.loads((FACTS / "engine_logs" / "speed-cases.json").read_text())
CHAINS = [case for case in CASES if case["c_eff"] is not None]


def named(case: dict[str, Any]) -> str:
    return case["id"]


@pytest.mark.parametrize("case", CASES, ids=named)
def test_a_published_deployments_step_costs_what_its_speeds_say(case: dict[str, Any]) -> None:
    # tokens and speedup are stated to four decimals, and the cost lies below 5
    cost = step_cost_of(case["tokens_per_step"], case["speedup"])
    assert case["round_cost_in_target_steps"] == pytest.approx(cost, abs=6e-4)
    if case["c_eff"] is not None:
        assert case["c_eff"] == pytest.approx(cost_per_guess(cost, case["draft_length"]), abs=6e-4)


@pytest.mark.parametrize("case", CHAINS, ids=named)
def test_a_published_deployments_best_draft_length_is_found(case: dict[str, Any]) -> None:
    alpha, cost = alpha_of(case["tokens_per_step"] - 1, case["draft_length"]), case["c_eff"]
    best = best_length(alpha, 1.0, cost)
    stated = re.search(r"best draft length is (\d+)(?: at ([0-9.]+)x)?", case["verdict"])
    assert int(stated[1]) == best
    if stated[2]:
        assert float(stated[2]) == pytest.approx(speedup_at(alpha, best, 1.0, cost), abs=0.011)


def test_the_fit_goes_through_two_points_and_between_three() -> None:
    fixed, part = fitted_cost([2, 4], [2.051, 3.1348])
    assert [2.051, 3.1348] == pytest.approx([fixed + 2 * part, fixed + 4 * part], rel=1e-14)
    assert (1.0, 0.5) == pytest.approx(fitted_cost([1, 2, 3], [1.4, 2.2, 2.4]))


@pytest.mark.parametrize(("lengths", "costs"), [([3], [1.5]), ([3, 3], [1.5, 1.6]), ([1, 2], [1.5])])
def test_a_fit_without_two_draft_lengths_is_refused(lengths: list[int], costs: list[float]) -> None:
    with pytest.raises(ValueError, match="draft_lengths must be"):
        fitted_cost(lengths, costs)


def test_the_best_length_is_that_of_trying_all() -> None:
    for alpha, fixed, part in product((0.2, 0.5, 0.8, 0.95), (0.9, 1.0, 1.3), (0.01, 0.1, 0.3, 0.6)):
        speedups = [speedup_at(alpha, k, fixed, part) for k in range(33)]
        best = best_length(alpha, fixed, part)
        assert max(speedups) == pytest.approx(speedups[best], rel=1e-12)


def test_advice_says_what_to_do_and_what_it_gains() -> None:
    told = advise(0.83, 4, 1.0, 0.534)
    assert ("shorten", 2) == (told["action"], told["draft_length"])
    assert told["gain"] == told["speedup"] / told["present_speedup"] - 1
    assert ("off", 0, 1.0) == tuple(
        advise(0.495, 3, 1.0, 0.53)[name] for name in ("action", "draft_length", "speedup")
    )
    assert ("lengthen", 6) == tuple(advise(0.8, 2, 1.0, 0.1)[name] for name in ("action", "draft_length"))


def test_a_gain_under_two_per_cent_is_no_reason_to_change() -> None:
    told = advise(0.8, 5, 1.0, 0.1)
    assert best_length(0.8, 1.0, 0.1) == 6
    assert ("keep", 5, 0.0) == (told["action"], told["draft_length"], told["gain"])


def test_advice_follows_the_measured_rates_of_each_position() -> None:
    # flat at first, then nothing: the third guess is never right
    assert ("shorten", 2) == tuple(
        advise([0.9, 0.9, 0.0], 3, 1.0, 0.2)[name] for name in ("action", "draft_length")
    )


def test_free_guesses_are_advised_no_further_than_the_limit() -> None:
    assert best_length(0.9, 1.0, 0.0) == 32


def test_a_rate_carried_on_without_end_is_advised_no_further_than_twice_the_present_length() -> None:
    for present, advised in ((3, 6), (16, 32), (20, 32)):
        told = advise([0.8, 0.9, 1.0], present, 1.0, 0.01)
        assert ("lengthen", advised) == (told["action"], told["draft_length"])


@pytest.mark.parametrize(
    "arguments", [(0.8, 0, 1.0, 0.1), (0.8, 3, 0.0, 0.1), (0.8, 3, 1.0, -0.1), (1.2, 3, 1.0, 0.1)]
)
def test_advice_refuses_what_cannot_be(arguments: tuple[float, int, float, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        advise(*arguments)
