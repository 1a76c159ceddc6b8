"""One step of speculative decoding: what it settles, what it costs, and how far ahead to guess.

Every function takes ``acceptance_rate`` (a): the chance, from 0 to 1, that the target model accepts a guess
given that it accepted those before, either one number or one per position, the last of which holds for all
later positions. Time is counted in target passes. Sources: Leviathan, Kalman and Matias (2023),
arXiv:2211.17192, and the post "Your Model Guesses Ahead. The Ceiling Is Exact."

The arithmetic is + - * / and comparisons in one written order, running products and running sums, so that
the JavaScript twin in ``assets/`` gives the same bits.
"""

import math
from collections.abc import Iterator
from typing import overload

import numpy as np

from model import checks
from model.checks import LONGEST_DRAFT, Floats, Lengths, Rate, Wholes

FIRST_STRETCH = 64  # draft lengths looked at first; nearly all answers lie within
ROUNDING = 1e-14  # tokens per step are right to within this part of their value


def conditional_rates(rates: Floats, first: int, size: int) -> Floats:
    """Return the conditional rates of the positions that follow the first ones, the last rate repeated."""
    conditional = np.full(size, rates[-1])
    listed = rates[first : first + size]
    conditional[: len(listed)] = listed
    return conditional


def position_rates(acceptance_rate: Rate, draft_length: int) -> Floats:
    """Return the chance that at least j guesses are accepted, for each j = 1..k.

    p[j] = q[1] q[2] ... q[j], which is a^j at a constant rate.

    a: acceptance rate. k: ``draft_length``, a whole number from 0 to 2,000,000. The result has shape (k,) and
    never rises. Raises ValueError outside these ranges. Source: Leviathan et al. (2023), section 3.1.

    >>> position_rates(0.5, 3).tolist()
    [0.5, 0.25, 0.125]
    """
    return np.cumprod(conditional_rates(checks.rates(acceptance_rate), 0, checks.draft_length(draft_length)))


@overload
def tokens_per_step(acceptance_rate: Rate, draft_length: int) -> float: ...
@overload
def tokens_per_step(acceptance_rate: Rate, draft_length: Lengths) -> Floats: ...
def tokens_per_step(acceptance_rate: Rate, draft_length: int | Lengths) -> float | Floats:
    """Return the expected number of tokens that one step settles.

    E = 1 + p[1] + ... + p[k], which is (1 - a^(k+1)) / (1 - a) at a constant rate: the accepted guesses, and
    one token that the target model always contributes.

    a: acceptance rate. k: ``draft_length``, a whole number from 0 to 2,000,000 (the result is a float) or an
    array of them (an array of the same shape). The result lies between 1 and k + 1. Raises ValueError outside
    these ranges. Source: Leviathan et al. (2023), equation 1.

    >>> round(tokens_per_step(0.8, 6), 2)
    3.95
    """
    lengths = checks.draft_lengths(draft_length)
    longest = int(np.max(lengths, initial=0))
    tokens = np.cumsum(np.concatenate(([1.0], position_rates(acceptance_rate, longest))))
    return float(tokens[lengths]) if isinstance(lengths, int) else tokens[lengths]


@overload
def step_cost(draft_length: int, draft_cost: float, utilisation: float = 0.0) -> float: ...
@overload
def step_cost(draft_length: Lengths, draft_cost: float, utilisation: float = 0.0) -> Floats: ...
def step_cost(draft_length: int | Lengths, draft_cost: float, utilisation: float = 0.0) -> float | Floats:
    """Return the time one step takes, in target passes: k draft passes, one pass over k + 1 positions.

    max(1, b (k + 1)) + k c

    k: ``draft_length``, a whole number from 0 to 2,000,000 or an array of them. c: ``draft_cost``, one draft
    pass in target passes, 0 or more. b: ``utilisation``, the share of the arithmetic that plain decoding uses
    already, from 0 (an idle accelerator verifies for free) to 1 (a batch saturates it). The result has the
    shape of k. Raises ValueError outside these ranges. Sources: Leviathan et al. (2023), section 3.3, at
    b = 0 and, with c = 0, their operations at b = 1; b from the post "The Speedup Arithmetic", on batch size.

    >>> step_cost(10, 0.1), step_cost(10, 0.1, 0.25)
    (2.0, 3.75)
    """
    lengths = checks.draft_lengths(draft_length)
    cost = _verify_cost(lengths, checks.utilisation(utilisation)) + lengths * checks.draft_cost(draft_cost)
    return float(cost) if isinstance(lengths, int) else cost


@overload
def speedup(
    acceptance_rate: Rate, draft_length: int, draft_cost: float, utilisation: float = 0.0
) -> float: ...
@overload
def speedup(
    acceptance_rate: Rate, draft_length: Lengths, draft_cost: float, utilisation: float = 0.0
) -> Floats: ...
def speedup(
    acceptance_rate: Rate, draft_length: int | Lengths, draft_cost: float, utilisation: float = 0.0
) -> float | Floats:
    """Return how many times faster than plain decoding, which settles one token per target pass.

    S = (tokens per step) / (max(1, b (k + 1)) + k c)

    a: acceptance rate. k: ``draft_length``, a whole number from 0 to 2,000,000 or an array of them. c:
    ``draft_cost``, one draft pass in target passes, 0 or more. b: ``utilisation``, from 0 to 1, as in
    step_cost. The result has the shape of k; below 1 is a loss. Raises ValueError outside these ranges.
    Source: Leviathan et al. (2023), theorem 3.8, at b = 0.

    >>> round(speedup(0.8, 6, 0.1), 2)
    2.47
    """
    cost: float | Floats = step_cost(draft_length, draft_cost, utilisation)
    return tokens_per_step(acceptance_rate, draft_length) / cost


def ceiling(acceptance_rate: Rate) -> float:
    """Return the tokens per step that no draft length gets past.

    1 / (1 - a) at a constant rate; with rates by position 1 + q[1] (1 + q[2] (1 + ... / (1 - q[last]))). It
    bounds the speedup too, whatever the draft costs.

    a: acceptance rate. The result is at least 1, and infinite where every guess from some position on is
    accepted. Raises ValueError outside this range. Source: the post, section 03.

    >>> round(ceiling(0.9), 2)
    10.0
    """
    *earlier, last = checks.rates(acceptance_rate).tolist()
    settled: float = 1.0 / (1.0 - last) if last < 1.0 else math.inf
    for rate in reversed(earlier):
        settled = 1.0 + rate * settled if rate > 0.0 else 1.0  # 0 * inf would be NaN
    return settled


def pays(acceptance_rate: Rate, draft_cost: float) -> bool:
    """Return whether some draft length beats plain decoding.

    a > c, with a the rate of the first position: a guess must be right more often than it is expensive.

    a: acceptance rate. c: ``draft_cost``, one draft pass in target passes, 0 or more. Raises ValueError
    outside these ranges. Source: the post, section 04; Leviathan et al. (2023), corollary 3.9.

    >>> pays(0.8, 0.1), pays(0.1, 0.1)
    (True, False)
    """
    return bool(checks.rates(acceptance_rate)[0] > checks.draft_cost(draft_cost))


def best_draft_length(acceptance_rate: Rate, draft_cost: float, utilisation: float = 0.0) -> float:
    """Return the shortest draft length of highest speedup: 0 where none pays, inf where longer is better.

    The first k with p[k+1] cost(k) <= (cost(k+1) - cost(k)) E[k], where one guess more no longer raises
    S = E / cost. No later guess raises it above S[k]: E is concave in k and the cost convex, so E - S[k] cost
    is concave, and as it does not rise from k, where it is 0, it stays at most 0. Once b (k + 1) >= 1 the
    rule holds: p[k+1] (b (k + 1) + k c) <= (b + c) (1 + k p[k+1]) <= (b + c) E[k].

    a: acceptance rate. c: ``draft_cost``, one draft pass in target passes, 0 or more. b: ``utilisation``,
    from 0 to 1, as in step_cost; where it lengthens a step, a gain under 1e-14 is none, so that a tie in
    decimals stays one. A finite result is a whole number. At b = 0 it is infinite where a free draft (c = 0)
    has no rate of 0, and where the last rate is 1 and the rule has not held by then. Raises ValueError
    outside these ranges, and where the result lies past 2,000,000. Source: the post, section 05; Leviathan
    et al. (2023), section 3.5.

    >>> best_draft_length(0.8, 0.1), best_draft_length(0.8, 0.1, 0.25)
    (6, 3)
    """
    rates = checks.rates(acceptance_rate)
    cost, used = checks.draft_cost(draft_cost), checks.utilisation(utilisation)
    longest = _draft_length_before_a_zero(rates)
    if cost == used == 0.0:
        return longest
    endless = used == 0.0 and rates[-1] == 1.0  # past the listed rates the rule's two sides grow alike
    furthest = len(rates) - 1 if endless else LONGEST_DRAFT
    for lengths, next_rates, tokens in _stretches(rates, int(min(furthest, longest - 1))):
        growth = _cost_growth(lengths, cost, used)  # 0 while a free draft's checks are free: never stop
        stops = (growth > 0.0) & (
            next_rates * (_verify_cost(lengths, used) + lengths * cost) <= growth * tokens
        )
        if stops.any():
            return int(lengths[stops.argmax()])
    if endless or longest <= LONGEST_DRAFT:
        return longest
    arguments = f"acceptance_rate {acceptance_rate!r} and draft_cost {draft_cost!r}"
    raise _too_far(f"{arguments} at utilisation {utilisation!r}")


def break_even_utilisation(acceptance_rate: Rate, draft_cost: float) -> float:
    """Return the utilisation at which guessing turns from gain to loss: below it some draft length gains.

    (1 + a - c) / 2 where a > c, with a the rate of the first position, and 0 where a <= c: no b gains there.

    k gains if and only if E[k] > 1 + k c and b < (E[k] - k c) / (k + 1). At k = 1 these are a > c and the
    result above, which is over 1/2. No longer draft gains further: with d = a - c <= 1 its bound on b is at
    most (1 + k d) / (k + 1), and (1 + k d) / (k + 1) - (1 + d) / 2 = (k - 1) (d - 1) / (2 (k + 1)) <= 0.

    a: acceptance rate. c: ``draft_cost``, one draft pass in target passes, 0 or more. The result is 0 or from
    0.5 to 1. Raises ValueError outside these ranges. Source: derived here from step_cost.

    >>> round(break_even_utilisation(0.8, 0.1), 2)
    0.85
    """
    first, cost = float(checks.rates(acceptance_rate)[0]), checks.draft_cost(draft_cost)
    return (1.0 + first - cost) / 2.0 if first > cost else 0.0


def draft_length_reaching(share: float, acceptance_rate: Rate) -> float:
    """Return the shortest draft length whose tokens per step reach a share of the ceiling, inf if none does.

    The first k with E[k] >= share * ceiling, a tie in decimals (a = 0.2 reaches 0.8 at k = 0) included.

    share: from 0 to 1. a: acceptance rate. A finite result is a whole number. Raises ValueError outside these
    ranges, and where the length lies past 2,000,000. Source: the post, section 05, which says 14 below.

    >>> draft_length_reaching(0.95, 0.8)
    13
    """
    rates, part = checks.rates(acceptance_rate), checks.number("share", share, 0, 1)
    if part == 1.0:
        return _draft_length_before_a_zero(rates)
    wanted = part * ceiling(rates) * (1.0 - ROUNDING) if part > 0.0 else 0.0  # 0 * inf would be NaN
    if wanted == math.inf:
        return math.inf
    for lengths, _, tokens in _stretches(rates, LONGEST_DRAFT):
        reaches = tokens >= wanted
        if reaches.any():
            return int(lengths[reaches.argmax()])
    raise _too_far(f"share {share!r} and acceptance_rate {acceptance_rate!r}")


def _stretches(rates: Floats, furthest: int) -> Iterator[tuple[Wholes, Floats, Floats]]:
    """Yield k, p[k+1] and E[k] for k = 0, 1, ..., furthest, in stretches of growing size.

    Product and sum are carried over from stretch to stretch: the bits are those of one plain running loop.
    """
    first, size = 0, FIRST_STRETCH
    reached: Floats = np.ones(1)
    tokens: Floats = np.ones(1)
    while first <= furthest:
        size = min(size, furthest + 1 - first)
        reached = np.cumprod(np.concatenate((reached[-1:], conditional_rates(rates, first, size))))
        tokens = np.cumsum(np.concatenate((tokens[-1:], reached[1:])))
        yield np.arange(first, first + size), reached[1:], tokens[:-1]
        first, size = first + size, 2 * size


@overload
def _verify_cost(lengths: int, utilisation: float) -> float: ...
@overload
def _verify_cost(lengths: Wholes, utilisation: float) -> Floats: ...
def _verify_cost(lengths: int | Wholes, utilisation: float) -> float | Floats:
    """Return the time to verify k + 1 positions, in target passes: max(1, b (k + 1))."""
    return np.maximum(1.0, utilisation * (lengths + 1.0))


def _cost_growth(lengths: Wholes, draft_cost: float, utilisation: float) -> Floats:
    """Return what one guess more adds to a step's cost; what it adds to verifying is rounded up."""
    verifying = _verify_cost(lengths + 1, utilisation) - _verify_cost(lengths, utilisation)
    return draft_cost + np.where(verifying > 0.0, verifying + ROUNDING, 0.0)


def _draft_length_before_a_zero(rates: Floats) -> float:
    """Return how many positions come before the first whose guess is never accepted, inf if there is none."""
    return int(rates.argmin()) if rates.min() == 0.0 else math.inf


def _too_far(arguments: str) -> ValueError:
    return ValueError(f"draft lengths are sought from 0 to {LONGEST_DRAFT}; that of {arguments} lies beyond")
