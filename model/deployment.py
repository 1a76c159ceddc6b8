"""What measured speeds say of a deployment: what a step costs, and which draft length to set.

Costs are in target passes. A step that settles tau tokens and is S times as fast as plain decoding costs
tau / S; beyond the one target pass that is drafting, and also verifying more positions, and overhead.
"""

from collections.abc import Sequence
from typing import TypedDict

from model import checks
from model.checks import Rate
from model.steps import tokens_per_step
from model.sums import total

LONGEST = 32  # guesses; no longer draft is advised
LEAST_COST = 1e-9  # target passes: what costs less is no step
WORTH_IT = 0.02  # a gain below it is no reason to change a setting


class Advice(TypedDict):
    """What to do: "keep", "shorten", "lengthen" or "off"; the best draft length, and both speedups."""

    action: str
    draft_length: int
    speedup: float
    present_speedup: float
    gain: float


def step_cost_of(tokens_per_step: float, speedup: float) -> float:
    """Return the time of a step, in target passes: tau / S.

    tau: ``tokens_per_step``, at least 1. S: ``speedup`` over plain decoding, above 0. Raises ValueError
    outside these ranges. Source: the definition of S.

    >>> round(step_cost_of(2.4731, 1.6199), 4)
    1.5267
    """
    tokens = checks.number("tokens_per_step", tokens_per_step, 1, checks.LARGEST)
    return tokens / checks.number("speedup", speedup, 1 / checks.LARGEST, checks.LARGEST)


def cost_per_guess(step_cost: float, draft_length: int) -> float:
    """Return what each guess adds to a step, in target passes: (step cost - 1) / k.

    It carries verification and overhead, too, so it is more than the draft model's own cost. Below 0 the two
    speeds cannot belong to the same work. k: ``draft_length``, at least 1. Raises ValueError outside this
    range.

    >>> round(cost_per_guess(1.5267, 6), 4)
    0.0878
    """
    cost = checks.number("step_cost", step_cost, 0, checks.LARGEST)
    return (cost - 1.0) / checks.whole("draft_length", draft_length, 1, checks.LONGEST_DRAFT)


def fitted_cost(draft_lengths: Sequence[int], step_costs: Sequence[float]) -> tuple[float, float]:
    """Return the fixed part of a step's cost and the part per guess: least squares of cost = fixed + part k.

    draft_lengths: at least two different k. Raises ValueError otherwise. Two points lie on the line.

    >>> [round(part, 3) for part in fitted_cost([2, 4], [2.051, 3.1348])]
    [0.967, 0.542]
    """
    lengths = [checks.draft_length(k) for k in draft_lengths]
    costs = checks.numbers("step_costs", step_costs, 0, checks.LARGEST).tolist()
    if len(set(lengths)) < 2 or len(lengths) != len(costs):  # noqa: PLR2004 - a line has two points
        raise ValueError(
            f"draft_lengths must be two or more different ones, one per cost, not {draft_lengths!r}"
        )
    middle, level = total(lengths) / len(lengths), total(costs) / len(costs)
    spread = total((k - middle) * (k - middle) for k in lengths)
    part = total((k - middle) * (cost - level) for k, cost in zip(lengths, costs, strict=True)) / spread
    return level - part * middle, part


def speedup_at(acceptance_rate: Rate, draft_length: int, fixed: float, per_guess: float) -> float:
    """Return how many times faster than plain decoding at k: E[k] / (fixed + part k), and 1 at k = 0.

    Raises ValueError where the step cost is not above 0. Source: Leviathan et al. (2023), theorem 3.8.

    >>> round(speedup_at(0.8, 6, 1.0, 0.1), 2)
    2.47
    """
    cost = fixed + per_guess * draft_length
    if draft_length == 0:
        return 1.0
    return tokens_per_step(acceptance_rate, draft_length) / checks.number(
        "cost", cost, LEAST_COST, checks.LARGEST
    )


def best_length(acceptance_rate: Rate, fixed: float, per_guess: float) -> int:
    """Return the draft length from 1 to 32 of highest speedup, 0 if none beats plain decoding.

    Of several as fast it is the shortest. fixed: above 0. per_guess: 0 or more. Raises ValueError outside
    these ranges.

    >>> best_length(0.83, 1.0, 0.534), best_length(0.495, 1.0, 0.53)
    (2, 0)
    """
    base = checks.number("fixed", fixed, LEAST_COST, checks.LARGEST)
    part = checks.draft_cost(per_guess)
    speedups = [1.0, *(speedup_at(acceptance_rate, k, base, part) for k in range(1, LONGEST + 1))]
    return speedups.index(max(speedups))


def advise(acceptance_rate: Rate, draft_length: int, fixed: float, per_guess: float) -> Advice:
    """Return which draft length to set instead of the present one.

    The present one is kept unless another is faster by 2 %. Rates by position hold as measured up to the
    present length; beyond it the last one is carried on. Where that makes every longer draft better up to the
    limit of 32, twice the present length is advised at most, to measure there. fixed, per_guess: as in
    best_length. k: ``draft_length``, at least 1. Raises ValueError outside these ranges.

    >>> advise(0.83, 4, 1.0, 0.534)["action"], advise(0.83, 4, 1.0, 0.534)["draft_length"]
    ('shorten', 2)
    """
    present = checks.whole("draft_length", draft_length, 1, checks.LONGEST_DRAFT)
    best = best_length(acceptance_rate, fixed, per_guess)
    if best == LONGEST > present:
        best = min(best, 2 * present)
    now = speedup_at(acceptance_rate, present, fixed, per_guess)
    then = speedup_at(acceptance_rate, best, fixed, per_guess)
    gain = then / now - 1.0
    action = "off" if best == 0 else "shorten" if best < present else "lengthen"
    if gain < WORTH_IT and best:
        action, best, then, gain = "keep", present, now, 0.0
    return {"action": action, "draft_length": best, "speedup": then, "present_speedup": now, "gain": gain}
