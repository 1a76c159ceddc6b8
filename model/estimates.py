"""Estimates from counts: one acceptance rate for all positions, how sure it is, and whether one rate fits."""

import math
from itertools import pairwise, takewhile
from typing import TypedDict

from model.sums import total

SURE = 1.959963984540054  # standard normal deviations: 95 %
HALVINGS = 60
LONGEST = 1000  # guesses: what more are worth is left out
# Pearson's chi-square at 1 %, by degrees of freedom from 1; from tables.
CRITICAL = (
    6.635, 9.210, 11.345, 13.277, 15.086, 16.812, 18.475, 20.090, 21.666, 23.209,
    24.725, 26.217, 27.688, 29.141, 30.578, 32.000, 33.409, 34.805, 36.191, 37.566,
    38.932, 40.289, 41.638, 42.980, 44.314, 45.642, 46.963, 48.278, 49.588, 50.892,
)  # fmt: skip


class Independence(TypedDict):
    """Whether one acceptance rate fits all positions."""

    statistic: float
    degrees: int
    critical: float
    refuted: bool
    trend: str


def conditional(reached: list[float], drafts: float | None) -> list[float | None]:
    """Return the rate of each position given the one before it; None where nothing came so far.

    reached: drafts that accepted at least i tokens, i = 1..k, of ``drafts`` in all, or shares of them.
    """
    return [later / earlier if earlier else None for earlier, later in pairwise([drafts or 1.0, *reached])]


def alpha_of(per_draft: float, draft_length: float) -> float:
    """Return the acceptance rate that gives so many accepted tokens per draft: a + a^2 + ... + a^k = A / D.

    per_draft: A / D, from 0 to k. k: ``draft_length``, at least 1. The result lies in [0, 1]; it is found by
    halving 60 times. Source: the mean of Leviathan et al. (2023), equation 1, less the target's token.

    >>> round(alpha_of(1.4, 3), 4)
    0.6646
    """
    if per_draft <= 0.0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if accepted_of(middle, draft_length) < per_draft else (low, middle)
    return high


def accepted_of(rate: float, draft_length: float) -> float:
    """Return the tokens accepted per draft at one rate for all positions: a + a^2 + ... + a^k."""
    together = 0.0
    for _ in range(min(int(draft_length), LONGEST)):
        together = rate * (1.0 + together)
    return together


def wilson(accepted: float, judged: float) -> list[float]:
    """Return Wilson's 95 % interval of a share: accepted guesses of those judged.

    judged: at least 1. The result lies in [0, 1]. Source: Wilson (1927), JASA 22, without correction.

    >>> [round(bound, 3) for bound in wilson(10, 50)]
    [0.112, 0.33]
    """
    share, square = accepted / judged, SURE * SURE
    middle = share + square / (2.0 * judged)
    spread = SURE * math.sqrt(share * (1.0 - share) / judged + square / (4.0 * judged * judged))
    scale = 1.0 + square / judged
    return [max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)]


def independence(reached: list[float], drafts: float) -> Independence | None:
    """Return Pearson's test of one acceptance rate for all positions, None where too little was counted.

    The guess at position i was judged n[i] = reached[i-1] times and accepted reached[i] times. Statistic:
    the sum of (reached[i] - a n[i])^2 / (a (1 - a) n[i]) with a the pooled rate; degrees of freedom: the
    positions less one. From the position on that expects less than one of either kind, all are taken together
    (Cochran 1954); past 31 positions too. It refutes at 1 %.

    >>> independence([70.0, 55.0, 42.0], 87.0)["refuted"]
    False
    """
    cells = list(pairwise([drafts, *reached]))
    judged, accepted = total(n for n, _ in cells), total(c for _, c in cells)
    rate = accepted / judged
    cells = _merged(cells, min(rate, 1.0 - rate))
    if len(cells) < 2:  # noqa: PLR2004 - one rate always fits itself
        return None
    statistic = total(_deviation(c, n, rate) for n, c in cells)
    critical = CRITICAL[len(cells) - 2]
    first, later = cells[0][1] / cells[0][0], (accepted - cells[0][1]) / (judged - cells[0][0])
    return {
        "statistic": statistic,
        "degrees": len(cells) - 1,
        "critical": critical,
        "refuted": statistic > critical,
        "trend": "rise" if later > first else "fall",
    }


def _deviation(accepted: float, judged: float, rate: float) -> float:
    off = accepted - rate * judged
    return off * off / (rate * (1.0 - rate) * judged)


def _merged(cells: list[tuple[float, float]], rarer: float) -> list[tuple[float, float]]:
    """Return the cells, the last of them taken together where one alone expects less than 1."""
    kept = list(takewhile(lambda cell: cell[0] * rarer >= 1, cells[: len(CRITICAL)]))
    rest = cells[len(kept) :]
    tail = (total(n for n, _ in rest), total(c for _, c in rest))
    return [*kept, tail] if tail[0] * rarer >= 1 else kept
