"""Acceptance that varies: along the draft, and from burst to burst.

Real acceptance is neither constant nor independent. Two idealisations of that: the rate falls or rises from
guess to guess, and bursts are of kinds, each with a rate of its own that holds for all of its steps. The kind
is drawn anew for every burst: bursts are independent, the steps of one burst are not.
"""

from collections.abc import Iterator

import numpy as np

from model import checks, finish_times, steps
from model.checks import Floats, Rate, Times, Wholes

KINDS = 33
WIDEST = 0.5  # no rate between 0 and 1 deviates more from its mean
FASTEST = 10.0  # of a decay's factor
LEAST_SHARE, MOST_SHARE = 1e-6, 1.0 - 1e-6


def decayed_rates(acceptance_rate: Rate, decay: float, draft_length: int) -> Floats:
    """Return conditional acceptance rates that fall or rise from guess to guess by a factor.

    q[j] d^(j-1), at most 1, for j = 1..k, which is a d^(j-1) at a constant rate.

    a: acceptance rate, 0 to 1. d: ``decay``, 0 to 10: below 1 the rate falls along the draft, above 1 it
    rises. k: ``draft_length``, 0 to 2,000,000. The result has shape (k,), for use as an acceptance rate by
    position. Raises ValueError outside these ranges. Source: the post, after section 08, which says that real
    acceptance varies with position.

    >>> decayed_rates(0.8, 0.5, 3).tolist()
    [0.8, 0.4, 0.2]
    """
    rates, length = checks.rates(acceptance_rate), checks.draft_length(draft_length)
    factor = checks.number("decay", decay, 0, FASTEST)
    decayed = steps.conditional_rates(rates, 0, length)
    last = min(len(rates), length) - 1
    with np.errstate(over="ignore"):  # beyond any number is beyond 1
        for position in range(1, last + 1):
            decayed[position : last + 1] *= factor
        decayed[last + 1 :] = factor
        decayed[last:] = np.cumprod(decayed[last:])
    return np.minimum(decayed, 1.0)


def burst_kinds(
    acceptance_rate: Rate, deviation: float, decay: float, draft_length: int
) -> tuple[Floats, Floats]:
    """Return the acceptance rates of the kinds of bursts, and how large a share of the bursts each kind is.

    a + s z, kept within 0 and 1, over 33 fixed pairs of z and weight, at every position alike; each such rate
    then decays. Clipping heaps up at 0 and 1 what would lie beyond; what remains of a and s at the first
    guess is ``finish_times.moments(rates[:, 0], weights)``. Against a finely cut Beta distribution of mean a
    and deviation s, p50, p90 and p99 of 40 to 200 tokens are within a step at a = 0.63, s = 0.16, k = 5, and
    within a step and 9 % for a from 0.3 to 0.75 where that Beta is highest within. Nearer to 1 a Beta leans
    further than these pairs do: at k = 10, a = 0.9, s = 0.1, p99 is 19 % short and p50 10 % long, at a = 0.8,
    s = 0.2 14 % and 22 %, at a = 0.95, s = 0.1 40 % and 11 %, on average over those lengths.

    a: mean acceptance rate, one or several by position. s: ``deviation``, 0 to 0.5; at 0 there is one kind.
    d: ``decay``, 0 to 10. k: ``draft_length``, 0 to 2,000,000. The results have shapes (kinds, max(k, 1)) and
    (kinds,), and the weights add up to 1. Raises ValueError outside these ranges. The pairs: ``_pairs``.

    >>> rates, weights = burst_kinds(0.63, 0.16, 1, 5)
    >>> mean, spread = finish_times.moments(rates[:, 0], weights)
    >>> rates.shape, round(mean, 4), round(spread, 4)
    ((33, 5), 0.63, 0.16)
    """
    mean, positions = checks.rates(acceptance_rate), max(checks.draft_length(draft_length), 1)
    spread = checks.number("deviation", deviation, 0, WIDEST)
    z, weights = (Z, WEIGHTS.copy()) if spread > 0.0 else (np.zeros(1), np.ones(1))
    kinds = np.clip(mean + spread * z[:, np.newaxis], 0.0, 1.0)
    return np.array([decayed_rates(kind, decay, positions) for kind in kinds]), weights


def step_distribution(
    acceptance_rates: list[Rate] | Floats, weights: Times, draft_length: int, burst_length: int
) -> tuple[Wholes, Floats]:
    """Return the numbers of steps N that a burst can take, and the chance of each, where bursts are of kinds.

    P(N = m) = sum over kinds of weight times P(N = m) at that kind's rates.

    acceptance_rates: of each kind of burst, one or several by position, from 0 to 1. weights: the share of
    each kind, together 1. k: ``draft_length``, 0 to 2,000,000. n: ``burst_length``, 1 to 100,000 tokens. Both
    results have shape (possible numbers of steps,). Raises ValueError outside these ranges. Source: the law
    of total probability.

    >>> counts, chances = step_distribution(*burst_kinds(0.63, 0.16, 1, 5), 5, 40)
    >>> finish_times.quantile(counts, [0.5, 0.99], chances).tolist()
    [16.0, 32.0]
    """
    return finish_times.possible(step_chances(acceptance_rates, weights, draft_length, burst_length))


def step_chances(
    acceptance_rates: list[Rate] | Floats, weights: Times, draft_length: int, burst_length: int
) -> Iterator[float]:
    """Yield, for m = 1, 2, ... steps, the chance P(N = m) of ``step_distribution``.

    So whoever asks may rest between two of them. Arguments, errors and source are those of
    ``step_distribution``.

    >>> [round(chance, 3) for chance in step_chances([0.9], [1], 1, 3)]
    [0.0, 0.99, 0.01]
    """
    kinds, shares = checks.kinds(acceptance_rates, weights)
    length = checks.burst_length(burst_length)
    guesses = min(checks.draft_length(draft_length), length - 1)
    at_least, exactly = finish_times.accepted_chances(kinds, guesses)
    yield from finish_times.chances_of_step_counts(at_least, exactly, shares, length)


def step_quantiles(
    acceptance_rates: list[Rate] | Floats, weights: Times, draft_length: int, burst_length: int, p: Times
) -> Wholes:
    """Return the steps that the share p of bursts takes at most, for every burst length up to the given one.

    min {m : P(N > m) <= 1 - p}, with P(N > m) = f[m][0] + ... + f[m][n-1]: the chance f[m][s] that s tokens
    are settled after m steps does not depend on n, so one pass serves all lengths, and sums of positive
    terms from the survival side serve every p. A tie, such as p50 at a = 0.5, is reached.

    Over n these are staircases, since steps are whole: as n grows, p50 and p99 step up at different lengths.
    Their ratio jumps where p99 steps and falls back where p50 does. Its saw-teeth are real, and the higher
    the fewer steps a burst takes.

    Arguments and errors are those of ``step_distribution``; p: shares from 0.000001 to 0.999999. The result
    has shape (shares, n), lengths 1..n. Source: the post, section 07, which samples four lengths.

    >>> step_quantiles([0.9], [1], 10, 400, [0.5, 0.99])[:, [39, 99, 199, 399]].tolist()
    [[6, 15, 30, 59], [10, 21, 37, 69]]
    """
    *_, counts = rising_step_quantiles(acceptance_rates, weights, draft_length, burst_length, p)
    return counts


def rising_step_quantiles(
    acceptance_rates: list[Rate] | Floats, weights: Times, draft_length: int, burst_length: int, p: Times
) -> Iterator[Wholes]:
    """Yield, for m = 0, 1, 2, ... until nothing rises, ``step_quantiles`` or m where that is less.

    So whoever asks may rest between two of them; what is yielded is overwritten by the next. Arguments,
    errors and source are those of ``step_quantiles``.

    >>> [counts[0].tolist() for counts in rising_step_quantiles([0.9], [1], 1, 3, [0.5])]
    [[0, 0, 0], [1, 1, 1], [1, 1, 2]]
    """
    kinds, shares = checks.kinds(acceptance_rates, weights)
    length = checks.burst_length(burst_length)
    late = (1.0 - checks.numbers("p", p, LEAST_SHARE, MOST_SHARE)) * (1.0 + finish_times.ROUNDING)
    _, exactly = finish_times.accepted_chances(kinds, min(checks.draft_length(draft_length), length - 1))
    counts = np.zeros((len(late), length), dtype=np.int64)
    yield counts
    for mass in finish_times.unfinished(exactly, length):
        mixed = (shares[:, np.newaxis] * mass).sum(axis=0)  # row by row, as in finish_times
        running = np.cumsum(mixed) > late[:, np.newaxis]
        if not running.any():
            return
        counts += running
        yield counts


def _pairs() -> tuple[Floats, Floats]:
    """Return z and weight of the kinds: x = 1/34..33/34 weighed by x^(33/8) (1 - x)^2, standardised.

    That is Beta(5.125, 3), nearly the Beta of mean 0.63 and deviation 0.16. It leans to the left, as every
    Beta does whose mean is above 1/2: slow bursts deviate further than fast ones, and make the tail.
    """
    x = np.arange(1, KINDS + 1) / (KINDS + 1)
    unscaled = x * x * x * x * np.sqrt(np.sqrt(np.sqrt(x))) * (1.0 - x) * (1.0 - x)
    weights = unscaled / np.cumsum(unscaled)[-1]
    off = x - np.cumsum(weights * x)[-1]
    return off / np.sqrt(np.cumsum(weights * (off * off))[-1]), weights


Z, WEIGHTS = _pairs()
