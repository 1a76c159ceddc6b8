"""Choosing for the tail: which draft length keeps it short, and how far a sample of bursts can see it."""

import math
from collections.abc import Iterator

import numpy as np

from model import chains, checks, finish_times
from model.checks import Floats, Rate, Times, Wholes

MOST_COMPARED = 1000  # draft lengths: the work grows as their square
ROUNDING = 1e-12  # times this close are equal: at c = 0.1, 17 steps of k = 2 and 12 of k = 7 both take 20.4


def draft_length_chances(acceptance_rate: Rate, longest_draft: int, burst_length: int) -> Iterator[Floats]:
    """Yield, for m = 1, 2, ... steps, the chance P(N = m) at each draft length from 1 to the longest.

    Those of ``finish_times.step_distribution``, to the last bit: bursts of one draft length are one kind of
    bursts, and one pass serves all kinds.

    a: acceptance rate. longest_draft: 1 to 1,000. n: ``burst_length``, 1 to 100,000 tokens. What is
    yielded has shape (longest_draft,). Raises ValueError outside these ranges. Source: as there.

    >>> [chances.tolist() for chances in draft_length_chances(0.5, 2, 2)]
    [[0.5, 0.5], [0.5, 0.5]]
    """
    length = checks.burst_length(burst_length)
    longest = checks.whole("longest_draft", longest_draft, 1, MOST_COMPARED)
    guesses = min(longest, length - 1)  # this many accepted settle any burst
    at_least, exactly = finish_times.accepted_chances([checks.rates(acceptance_rate)], guesses)
    accepted, draft_length = np.arange(guesses + 1), np.arange(1, longest + 1)[:, np.newaxis]
    last = np.minimum(draft_length, guesses)
    yield from finish_times.chances_by_kind(
        np.where(accepted <= last, at_least, 0.0),
        np.where(accepted < last, exactly, np.where(accepted == last, at_least, 0.0)),
        length,
    )


def draft_length_times(
    counts: Times, chances: Times, cost: float, bursts: int, share: float
) -> tuple[float, float, float, float]:
    """Return the mean, p50 and p99 of a burst's time at one draft length, and the timeout a run survives.

    E[N], p50 and p99 of N and the burst timeout of ``chains``, in steps, each times the cost of a step.

    counts: the numbers of steps that a burst can take, in rising order. chances: of each, together 1. cost:
    of a step, in target passes, 0 or more. bursts: of the run, 1 to 1,000,000. share: of the runs that have
    every burst on time, from 0 to 1. The results are in target passes. Raises ValueError outside these
    ranges. Source: the post, sections 05 and 07.

    >>> counts, chances = finish_times.step_distribution(0.9, 10, 40)
    >>> [round(time, 2) for time in draft_length_times(counts, chances, 2.0, 600, 0.99)]
    [12.82, 12.0, 20.0, 28.0]
    """
    price = checks.number("cost", cost, 0, checks.LARGEST)
    p50, p99 = chains.burst_timeout(counts, chances, 1, [0.5, 0.99]).tolist()
    late = chains.burst_timeout(counts, chances, bursts, share)
    return finish_times.moments(counts, chances)[0] * price, p50 * price, p99 * price, late * price


def draft_lengths_of_least(times: Times) -> Wholes:
    """Return the draft lengths of the least time: all of them where several tie.

    {k : t[k] <= (1 + 1e-12) min t}

    The mean of long bursts has one best k, or two that tie. A quantile is a whole number of steps, times
    1 + k c: it rises with k by the cost until it falls by a step, so it has saw-teeth with a low at each
    fall, and the best of them may lie far from its rivals while being hardly better, or tie with them.

    times: for k = 1, 2, ..., such as one column of ``draft_length_times``. The result has the shortest first.
    Raises ValueError where they are no numbers. Source: elementary.

    >>> draft_lengths_of_least([22.0, 20.0, 21.0, 20.000000000000004]).tolist()
    [2, 4]
    """
    known = checks.numbers("times", times, 0, finish_times.LARGEST_TIME)
    return np.flatnonzero(known <= known.min() * (1.0 + ROUNDING)) + 1


def sampled_quantile(chances: Times, p: float, bursts: int) -> Floats:
    """Return the chance that each finish time is the quantile that a sample of bursts shows.

    The quantile of B bursts is the r-th fastest, r = ceil(p B). It is at most t where at most B - r of them
    take longer, each with chance q = P(T > t): sum over j <= B - r of C(B, j) q^j (1 - q)^(B-j). The chance
    of t is that less the same for the time before.

    chances: those of the finish times in rising order, together 1, shape (m,). p: from 0 to 1. B: ``bursts``,
    1 to 1,000,000. The result has shape (m,) and adds up to 1; ``finish_times.quantile(times, [0.025, 0.975],
    result)`` is the band that 95 samples in a hundred stay within. Raises ValueError outside these ranges.
    Source: order statistics; David and Nagaraja (2003), section 2.1.

    >>> times, chances = finish_times.distribution(0.9, 10, 0.1, 40)
    >>> seen = sampled_quantile(chances, 0.99, 2000)
    >>> finish_times.quantile(times, [0.025, 0.975], seen).tolist()
    [20.0, 22.0]
    """
    return np.array(list(sampled_chances(chances, p, bursts)))


def sampled_chances(chances: Times, p: float, bursts: int) -> Iterator[float]:
    """Yield, from one finish time to the next, the chances of ``sampled_quantile``.

    So whoever asks may rest between two of them. Arguments, errors and source are those of
    ``sampled_quantile``.

    >>> list(sampled_chances([0.5, 0.5], 0.5, 3))
    [0.5, 0.5]
    """
    mass, size = checks.numbers("chances", chances, 0, 1), checks.bursts(bursts)
    later = size - max(1, math.ceil(checks.number("p", p, 0, 1) * size))
    before = 0.0
    for q in finish_times.still_running(mass):
        by = float(np.cumsum(binomial(size, float(q))[: later + 1])[-1])
        yield max(by - before, 0.0)
        before = by


def binomial(trials: int, chance: float) -> Floats:
    """Return the chances of 0, 1, ..., B successes in B trials.

    C(B, j) q^j (1 - q)^(B-j), by the ratios of neighbours from the likeliest number outwards, divided by
    their sum: no power, no factorial, and nothing but what is too small to count is lost.

    B: ``trials``, 1 to 1,000,000. q: ``chance``, from 0 to 1. The result has shape (B + 1,). Raises
    ValueError outside these ranges. Source: elementary.

    >>> binomial(2, 0.5).tolist()
    [0.25, 0.5, 0.25]
    """
    size = checks.whole("trials", trials, 1, checks.MOST_BURSTS)
    q = checks.number("chance", chance, 0, 1)
    mode = min(int((size + 1) * q), size)
    fewer, more = np.arange(mode, 0.0, -1.0), np.arange(float(mode), size)
    down = np.cumprod(fewer * (1.0 - q) / ((size - fewer + 1.0) * q))
    up = np.cumprod((size - more) * q / ((more + 1.0) * (1.0 - q)))
    terms = np.concatenate((down[::-1], [1.0], up))
    chances: Floats = terms / np.cumsum(terms)[-1]
    return chances
