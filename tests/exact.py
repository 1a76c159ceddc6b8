"""Finish times in rational arithmetic, unrounded, by another way than the model's."""

from fractions import Fraction
from functools import cache
from itertools import pairwise

from model.checks import Rate


def conditional(a: Rate, j: int) -> float:
    """Return the conditional acceptance rate at position j = 1, 2, ..."""
    return float(a[min(j, len(a)) - 1]) if isinstance(a, tuple) else float(a)


@cache
def exact_distribution(a: Rate, k: int, n: int) -> list[Fraction]:
    """Return P(N = m) for m = 0..n from P(N <= m) = P(m steps settle at least n tokens), unrounded."""
    survives, step = Fraction(1), []
    for j in range(1, k + 1):
        rate = Fraction(round(conditional(a, j) * 100), 100)
        step.append(survives * (1 - rate))
        survives *= rate
    step.append(survives)
    settled, unfinished = {0: Fraction(1)}, [Fraction(1)]
    for _ in range(n):
        after: dict[int, Fraction] = {}
        for tokens, mass in settled.items():
            for j, weight in enumerate(step):
                if weight and tokens + j + 1 < n:
                    after[tokens + j + 1] = after.get(tokens + j + 1, Fraction(0)) + mass * weight
        settled = after
        unfinished.append(sum(settled.values(), Fraction(0)))
    return [Fraction(0), *(before - left for before, left in pairwise(unfinished))]


def still_running(a: Rate, k: int, n: int) -> list[Fraction]:
    """Return P(N > m) for m = 0..n."""
    left, running = Fraction(1), []
    for chance in exact_distribution(a, k, n):
        left -= chance
        running.append(left)
    return running
