"""A chain of bursts: what an agent's run meets that waits for one burst after another.

A run is so many bursts, independent of one another and all of the same distribution, given as ``times``, the
finish times in rising order, and ``chances``, one for each and together 1: those of ``finish_times`` or of
``mixtures``. Tails are taken from the survival side: over 10,000 bursts the answer lies where one burst in
ten million is late, and there 1 - P(T <= t) has lost half of its digits.
"""

import math
from typing import overload

import numpy as np

from model import checks, finish_times
from model.checks import Floats, Times

ROUNDING = finish_times.ROUNDING  # of times too: three steps of 1.1 end on a timeout of 3.3
SURE = 1e-9  # steps that deviate by less are all alike, in a million bursts too
NORMAL_99 = 2.3263478740408408  # the quantile 0.99 of the normal distribution


@overload
def chance_of_any(chance: float, bursts: int) -> float: ...
@overload
def chance_of_any(chance: Times, bursts: int) -> Floats: ...
def chance_of_any(chance: float | Times, bursts: int) -> float | Floats:
    """Return the chance that at least one burst of a run does what one burst does with a given chance.

    1 - (1 - q)^N, by squaring: twice the bursts have q (2 - q), and q of some with r of others make
    r + q (1 - r). All terms are positive, so tiny chances stay right to a few roundings of their own value.

    q: ``chance``, from 0 to 1, one (the result is a float) or several (an array). N: ``bursts``, 1 to
    1,000,000. Raises ValueError outside these ranges. Source: elementary.

    >>> chance_of_any(1e-20, 600), chance_of_any(0.5, 2)
    (6e-18, 0.75)
    """
    several = isinstance(chance, checks.LISTS)
    one = checks.numbers("chance", chance, 0, 1) if several else checks.number("chance", chance, 0, 1)
    result, left = 0.0 * one, checks.bursts(bursts)
    while left > 0:
        if left % 2 == 1:
            result = result + one * (1.0 - result)
        one = one * (2.0 - one)
        left //= 2
    return result


@overload
def chance_past(times: Times, chances: Times, bursts: int, timeout: float) -> float: ...
@overload
def chance_past(times: Times, chances: Times, bursts: int, timeout: Times) -> Floats: ...
def chance_past(times: Times, chances: Times, bursts: int, timeout: float | Times) -> float | Floats:
    """Return the chance that at least one burst of a run takes longer than a timeout.

    1 - (1 - P(T > t))^N. A burst that ends on the timeout is on time.

    times, chances: the finish times of one burst in rising order, and the chance of each. N: ``bursts``, 1 to
    1,000,000. t: ``timeout``, 0 or more, in the unit of the times, one (the result is a float) or several (an
    array). Raises ValueError outside these ranges. Source: the post, section 07, "you will meet the tail many
    times over".

    >>> times, chances = finish_times.distribution(0.9, 10, 0.1, 40)
    >>> round(chance_past(times, chances, 600, 20), 3)
    0.989
    """
    ends, past = _past(times, chances, bursts)
    name, several = "timeout", isinstance(timeout, checks.LISTS)
    check = checks.numbers if several else checks.number
    ended = np.searchsorted(ends, check(name, timeout, 0, checks.LARGEST) * (1.0 + ROUNDING), side="right")
    found = np.concatenate(([1.0], past))[ended]
    return found if several else float(found)


@overload
def burst_timeout(times: Times, chances: Times, bursts: int, share: float) -> float: ...
@overload
def burst_timeout(times: Times, chances: Times, bursts: int, share: Times) -> Floats: ...
def burst_timeout(times: Times, chances: Times, bursts: int, share: float | Times) -> float | Floats:
    """Return the shortest timeout of a burst that so large a share of runs survives, all bursts on time.

    min {t : 1 - (1 - P(T > t))^N <= 1 - share}; with one burst, its quantile. A tie in decimals, such as the
    share 0.9 of one burst of two tokens at a = 0.9, is survived.

    times, chances: the finish times of one burst in rising order, and the chance of each. N: ``bursts``, 1 to
    1,000,000. share: of the runs, from 0 to 1, one (the result is a float) or several (an array). The result
    is one of the times. Raises ValueError outside these ranges. Source: the post, section 07, "your timeout
    budget".

    >>> times, chances = finish_times.distribution(0.9, 10, 0.1, 40)
    >>> burst_timeout(times, chances, 600, [0.9, 0.99, 0.999]).tolist()
    [26.0, 28.0, 32.0]
    """
    ends, past = _past(times, chances, bursts)
    several = isinstance(share, checks.LISTS)
    shares = checks.numbers("share", share, 0, 1) if several else checks.number("share", share, 0, 1)
    found = ends[_first_at_most(past, 1.0 - np.atleast_1d(shares))]
    return found if several else float(found[0])


def bursts_past(times: Times, chances: Times, bursts: int, p: float) -> tuple[float, float]:
    """Return how many bursts of a run take longer than one burst's quantile, and how many as long or longer.

    N P(T > t) and N P(T >= t) with t = min {t : P(T > t) <= 1 - p}, on average. N (1 - p) lies between: the
    finish times are a lattice, t is the first on it with no more than 1 - p beyond, and the whole chance of
    ending on t itself, which the two differ by, has to fall to one side.

    times, chances: the finish times of one burst in rising order, and the chance of each. N: ``bursts``, 1 to
    1,000,000. p: from 0 to 1. Raises ValueError outside these ranges. Source: the post, section 07, "one
    burst in a hundred takes 20.0 or longer".

    >>> past, at_or_past = bursts_past(*finish_times.distribution(0.9, 10, 0.1, 40), 600, 0.99)
    >>> round(past, 2), round(at_or_past, 1)
    (4.48, 15.5)
    """
    _, mass = checks.rising_distribution("times", times, chances)
    count, share = checks.bursts(bursts), checks.number("p", p, 0, 1)
    running = np.concatenate(([1.0], finish_times.still_running(mass)))  # after none, the first, ...
    at = int(_first_at_most(running[1:], np.array([1.0 - share]))[0])
    return float(count * running[at + 1]), float(count * running[at])


def run_time(times: Times, chances: Times, bursts: int) -> tuple[float, float]:
    """Return the mean and the standard deviation of a whole run's time.

    N m and s sqrt(N), with m and s those of one burst.

    times, chances: the finish times of one burst, and the chance of each. N: ``bursts``, 1 to 1,000,000. The
    results are in the unit of the times. Raises ValueError outside these ranges. Source: elementary.

    >>> mean, deviation = run_time(*finish_times.distribution(0.9, 10, 0.1, 40), 600)
    >>> round(mean), round(deviation, 1)
    (7689, 68.7)
    """
    mean, deviation = finish_times.moments(times, chances)
    count = checks.bursts(bursts)
    return count * mean, math.sqrt(count) * deviation


def run_steps_p99(counts: Times, chances: Times, bursts: int) -> float:
    """Return the steps that 99 % of runs take at most, approximately.

    With m, v, g and h the mean, variance, third and fourth central moment of one burst's steps and z the
    normal p99, x = N m + (z^2 - 1) g / (6 v) + (z + b) sqrt(N v), where N b = (z^3 - 3 z) (h / v^2 - 3) / 24
    - (2 z^3 - 5 z) (g^2 / v^3) / 36: the expansion of Cornish and Fisher, carried to 1/N, with b kept within
    1/2, beyond which it is of no use. Steps are whole, and m steps stand for m - 1/2 to m + 1/2: the result
    is the first whole number from x - 1/2 on, kept within what is possible. One burst's p99 is exact. At one
    rate the result was never found more than one step from the exact p99, and from 0.02 to 0.99 equal to it
    in 97 of 100 settings. Where bursts vary, however widely, it is within one step from 50 bursts on, two
    from 20 on, and within 1 % at 10 bursts, 4 % at 3, 13 % at 2.

    counts, chances: the numbers of steps of one burst in rising order, and the chance of each. N: ``bursts``,
    1 to 1,000,000. The result is a whole number; times the step cost it is the time. Raises ValueError
    outside these ranges. Source: Cornish and Fisher (1937).

    >>> run_steps_p99(*finish_times.step_distribution(0.9, 10, 40), 600)
    3925.0
    """
    steps, mass = checks.rising_distribution("counts", counts, chances)
    count = checks.bursts(bursts)
    if count == 1:
        return burst_timeout(counts, chances, 1, 0.99)
    mean, deviation = finish_times.moments(steps, mass)
    x = count * mean + (_beyond_the_mean(steps - mean, mass, count) if deviation > SURE else 0.0)
    return float(min(max(math.ceil(x - 0.5), count * steps[0]), count * steps[-1]))


def _beyond_the_mean(off: Floats, mass: Floats, bursts: int) -> float:
    """Return how far the p99 of a sum of bursts lies above its mean."""
    z, squared = NORMAL_99, off * off
    v, g, h = (float(np.cumsum(mass * power)[-1]) for power in (squared, squared * off, squared * squared))
    peaked = (z * z * z - 3.0 * z) * (h / (v * v) - 3.0) / 24.0
    skewed = (2.0 * z * z * z - 5.0 * z) * (g * g / (v * v * v)) / 36.0
    bend = min(max((peaked - skewed) / bursts, -0.5), 0.5)
    return (z * z - 1.0) * g / (6.0 * v) + (z + bend) * math.sqrt(bursts * v)


def _past(times: Times, chances: Times, bursts: int) -> tuple[Floats, Floats]:
    """Return the finish times, and the chance that at least one burst of the run goes past each."""
    ends, mass = checks.rising_distribution("times", times, chances)
    return ends, chance_of_any(finish_times.still_running(mass), bursts)


def _first_at_most(falling: Floats, limits: Floats) -> list[int]:
    """Return where the never-rising numbers, the last of them 0, first come down to each limit."""
    return [int(np.argmax(falling <= limit * (1.0 + ROUNDING))) for limit in limits]
