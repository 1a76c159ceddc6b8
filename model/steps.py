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
def step_cost(draft_length: int, draft_cost: float) -> float: ...
@overload
def step_cost(draft_length: Lengths, draft_cost: float) -> Floats: ...
def step_cost(draft_length: int | Lengths, draft_cost: float) -> float | Floats:
    """Return the time one step takes, in target passes: k draft passes and one target pass.

    1 + k c

    k: ``draft_length``, a whole number from 0 to 2,000,000 or an array of them. c: ``draft_cost``, one draft
    pass in target passes, 0 or more. The result has the shape of k. Raises ValueError outside these ranges.
    Source: Leviathan et al. (2023), section 3.3.

    >>> step_cost(10, 0.1)
    2.0
    """
    return 1.0 + checks.draft_lengths(draft_length) * checks.draft_cost(draft_cost)


@overload
def speedup(acceptance_rate: Rate, draft_length: int, draft_cost: float) -> float: ...
@overload
def speedup(acceptance_rate: Rate, draft_length: Lengths, draft_cost: float) -> Floats: ...
def speedup(acceptance_rate: Rate, draft_length: int | Lengths, draft_cost: float) -> float | Floats:
    """Return how many times faster than plain decoding, which settles one token per target pass.

    S = (tokens per step) / (1 + k c)

    a: acceptance rate. k: ``draft_length``, a whole number from 0 to 2,000,000 or an array of them. c:
    ``draft_cost``, one draft pass in target passes, 0 or more. The result has the shape of k; below 1 is a
    loss. Raises ValueError outside these ranges. Source: Leviathan et al. (2023), theorem 3.8.

    >>> round(speedup(0.8, 6, 0.1), 2)
    2.47
    """
    cost: float | Floats = step_cost(draft_length, draft_cost)
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


def best_draft_length(acceptance_rate: Rate, draft_cost: float) -> float:
    """Return the shortest draft length of highest speedup: 0 where none pays, inf where longer is better.

    The first k with p[k+1] (1 + k c) <= c E[k], where one guess more no longer raises E[k] / (1 + k c). As
    position rates never rise, no later guess raises it again.

    a: acceptance rate. c: ``draft_cost``, one draft pass in target passes, 0 or more. A finite result is a
    whole number. It is infinite where a free draft (c = 0) has no rate of 0, and where the last rate is 1 and
    the rule has not held by then. Raises ValueError outside these ranges, and where the result lies past
    2,000,000. Source: the post, section 05; Leviathan et al. (2023), section 3.5.

    >>> best_draft_length(0.8, 0.1)
    6
    """
    rates, cost = checks.rates(acceptance_rate), checks.draft_cost(draft_cost)
    if cost == 0.0:
        return _draft_length_before_a_zero(rates)
    furthest = len(rates) - 1 if rates[-1] == 1.0 else LONGEST_DRAFT  # later, its two sides grow alike
    for lengths, next_rates, tokens in _stretches(rates, furthest):
        stops = next_rates * (1.0 + lengths * cost) <= cost * tokens
        if stops.any():
            return int(lengths[stops.argmax()])
    if rates[-1] == 1.0:
        return math.inf
    raise _too_far(f"acceptance_rate {acceptance_rate!r} and draft_cost {draft_cost!r}")


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


def _draft_length_before_a_zero(rates: Floats) -> float:
    """Return how many positions come before the first whose guess is never accepted, inf if there is none."""
    return int(rates.argmin()) if rates.min() == 0.0 else math.inf


def _too_far(arguments: str) -> ValueError:
    return ValueError(f"draft lengths are sought from 0 to {LONGEST_DRAFT}; that of {arguments} lies beyond")
