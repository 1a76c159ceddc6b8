"""Exact finish times: the distribution that simulated bursts approach, and the quantiles of either."""

import math
import sys
from collections.abc import Iterable, Iterator
from typing import overload

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from model import checks, steps
from model.checks import Floats, Rate, Times, Wholes

LARGEST_TIME = sys.float_info.max
# A chance so close is a tie that roundings undid: ties are of few steps. Real differences may be as small as
# 4e-13, as between half and the bursts of 100 tokens at a = 0.5 and k = 32 that take more than 50 steps.
ROUNDING = 1e-14


def distribution(
    acceptance_rate: Rate, draft_length: int, draft_cost: float, burst_length: int
) -> tuple[Floats, Floats]:
    """Return the finish times that a burst can have, in target passes, and the chance of each.

    T = N (1 + k c), with N and its chances those of ``step_distribution``.

    a: acceptance rate. k: ``draft_length``, 0 to 2,000,000. c: ``draft_cost``, one draft pass in target
    passes, 0 or more. n: ``burst_length``, 1 to 100,000 tokens. Both results have shape (possible numbers of
    steps,). Raises ValueError outside these ranges. Source: the model of the post, section 02; its section 07
    samples this distribution, and prints 58.0 below.

    >>> times, chances = distribution(0.9, 10, 0.1, 200)
    >>> quantile(times, 0.5, chances)
    60.0
    """
    cost = steps.step_cost(checks.draft_length(draft_length), draft_cost)
    counts, chances = step_distribution(acceptance_rate, draft_length, burst_length)
    return counts * cost, chances


def step_distribution(acceptance_rate: Rate, draft_length: int, burst_length: int) -> tuple[Wholes, Floats]:
    """Return the numbers of steps N that a burst can take, and the chance of each.

    With f[m][s] the chance that s < n tokens are settled after m steps and w[j] the chance that a step
    accepts exactly j guesses, f[m+1][s] = sum over j of w[j] f[m][s-j-1], and P(N = m + 1) = sum over s of
    f[m][s] p[n-s-1], the mass before times the chance of crossing: positive terms only.

    a: acceptance rate. k: ``draft_length``, 0 to 2,000,000. n: ``burst_length``, 1 to 100,000 tokens; the
    work grows as n^2 min(k + 1, n). Both results have shape (possible numbers of steps,). Raises ValueError
    outside these ranges. Source: the model of the post, section 02.

    >>> counts, chances = step_distribution(0.9, 10, 40)
    >>> int(counts[0]), round(float((counts * chances).sum()), 3)
    (4, 6.408)
    """
    length = checks.burst_length(burst_length)
    guesses = min(checks.draft_length(draft_length), length - 1)  # this many accepted settle any burst
    at_least, exactly = accepted_chances([checks.rates(acceptance_rate)], guesses)
    return possible(chances_of_step_counts(at_least, exactly, np.ones(1), length))


@overload
def quantile(times: Times, p: float, weights: Times | None = None) -> float: ...
@overload
def quantile(times: Times, p: Times, weights: Times | None = None) -> Floats: ...
def quantile(times: Times, p: float | Times, weights: Times | None = None) -> float | Floats:
    """Return the smallest time by which at least the share p of a sample or a distribution is finished.

    min {t : P(T <= t) >= p}, which is NumPy's method "inverted_cdf". With weights it is found from the
    survival side, P(T > t) <= 1 - p, where what misses by a rounding (1e-14 of 1 - p) is a tie: at a = 0.5
    and k = 32 exactly half of the bursts of 20 tokens take 10 steps at most.

    times: a sample, or with weights the values of a distribution, in any order and unit, shape (m,). p: one
    share from 0 to 1 (the result is a float) or several (an array). weights: chances or counts, 0 or more and
    not all 0, shape (m,); they need not add up to 1. Raises ValueError outside these ranges. Source: Hyndman
    and Fan (1996), definition 1; the post's p50 and p99.

    >>> from model.bursts import simulate
    >>> quantile(simulate(0.9, 10, 0.1, 40), 0.99)
    20.0
    """
    shares = checks.numbers("p", p, 0, 1) if isinstance(p, checks.LISTS) else checks.number("p", p, 0, 1)
    values = checks.numbers("times", times, -LARGEST_TIME, LARGEST_TIME)
    if weights is None:
        found = np.sort(values)[np.searchsorted(np.arange(1.0, len(values) + 1.0), shares * len(values))]
    else:
        values, past = _past(values, weights)
        found = values[np.searchsorted(-past, -(1.0 - shares) * (1.0 + ROUNDING))]
    return found if isinstance(p, checks.LISTS) else float(found)


def _past(values: Floats, weights: Times) -> tuple[Floats, Floats]:
    """Return the values of positive weight in rising order, and the share of the weight past each."""
    mass = checks.numbers("weights", weights, 0, checks.LARGEST)
    if len(mass) != len(values) or not mass.any():
        raise ValueError(
            f"weights must be one number per time ({len(values)}) and not all 0, not {weights!r}"
        )
    order = np.argsort(values, kind="stable")
    order = order[mass[order] > 0.0]
    later = _later(mass[order])
    return values[order], later / (later[0] + mass[order[0]])


def _later(mass: Floats) -> Floats:
    """Return what comes after each, added up from the last."""
    return np.concatenate((np.cumsum(mass[:0:-1])[::-1], [0.0]))


def still_running(chances: Times) -> Floats:
    """Return the chance that a burst still runs after each of its finish times.

    P(T > t[i]) = P(T = t[m]) + P(T = t[m-1]) + ... + P(T = t[i+1]), the smallest terms first: right to a few
    roundings of its own value however small it is, where 1 - P(T <= t[i]) is right to 1e-16 of one.

    chances: those of the finish times in rising order, shape (m,). The result has the same shape, starts at 1
    or below, never rises and ends at 0. Raises ValueError where a chance lies outside 0 to 1. Source:
    elementary.

    >>> still_running([0.5, 0.25, 0.25]).tolist()
    [0.5, 0.25, 0.0]
    """
    return np.minimum(_later(checks.numbers("chances", chances, 0, 1)), 1.0)


def moments(values: Times, chances: Times) -> tuple[float, float]:
    """Return the mean and the standard deviation of a distribution.

    m = sum of p[i] v[i] and the root of the sum of p[i] (v[i] - m)^2, which are positive terms.

    values: in any unit, which both results have. chances: of each value, together 1. Both have shape (m,).
    Raises ValueError where they differ in length or the chances do not add up. Source: elementary.

    >>> mean, deviation = moments(*distribution(0.9, 10, 0.1, 40))
    >>> round(mean, 2), round(deviation, 2)
    (12.82, 2.8)
    """
    known, mass = checks.distribution("values", values, chances)
    mean = np.cumsum(mass * known)[-1]
    off = known - mean
    return float(mean), math.sqrt(np.cumsum(mass * (off * off))[-1])


def accepted_chances(rates: Iterable[Floats], guesses: int) -> tuple[Floats, Floats]:
    """Return the chance that a step accepts at least j guesses, and exactly j: by kind of burst, j = 0..k."""
    accepts = np.array([steps.conditional_rates(kind, 0, guesses) for kind in rates])
    ones = np.ones((len(accepts), 1))
    at_least = np.concatenate((ones, np.cumprod(accepts, axis=1)), axis=1)
    return at_least, at_least * np.concatenate((1.0 - accepts, ones), axis=1)


def unfinished(exactly: Floats, length: int) -> Iterator[Floats]:
    """Yield, after m = 0, 1, 2, ... steps, the chance that s = 0..n-1 tokens are settled: a row per kind.

    What is yielded is overwritten by the next. It does not depend on n but in where it ends, so that one pass
    serves all shorter bursts too.
    """
    kinds, most = exactly.shape
    padded = np.zeros((kinds, most + length))
    mass = padded[:, most:]
    mass[:, 0] = 1.0
    before = sliding_window_view(padded, length, axis=1)[:, most - 1 :: -1]  # mass[s - j - 1] by kind, j, s
    before, exactly = before.transpose(1, 0, 2), exactly.T[:, :, np.newaxis]
    for step in range(1, length + 1):
        yield mass
        reachable = slice(step, min(length, step * most + 1))
        terms = np.multiply(before[:, :, reachable], exactly, order="C")
        mass[:, reachable] = terms.sum(axis=0)  # adds row by row: j ascending, as NumPy's notes on sum say
        mass[:, step - 1] = 0.0
        if not mass.any():
            return


def chances_of_step_counts(
    at_least: Floats, exactly: Floats, weights: Floats, length: int
) -> Iterator[float]:
    """Yield, for m = 1, 2, ... steps, P(N = m): the chance that step m settles the last token."""
    for chances in chances_by_kind(at_least, exactly, length):
        yield min(float(np.cumsum(chances * weights)[-1]), 1.0)


def chances_by_kind(at_least: Floats, exactly: Floats, length: int) -> Iterator[Floats]:
    """Yield, for m = 1, 2, ... steps, P(N = m) of each kind of burst."""
    falling = at_least[:, ::-1]
    first = length - falling.shape[1]
    for mass in unfinished(exactly, length):
        yield np.minimum(np.cumsum(mass[:, first:] * falling, axis=1)[:, -1], 1.0)


def possible(chances: Iterable[float]) -> tuple[Wholes, Floats]:
    """Return the numbers of steps that have a chance, and that chance, from those of 1, 2, ... steps."""
    mass = np.array([0.0, *chances])
    counts = np.flatnonzero(mass)
    return counts, mass[counts]
