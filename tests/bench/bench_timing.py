"""What the benchmarks share: measurements that take turns, and the lines they print."""

import gc
import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from time import perf_counter

MS = 1000.0


def interleaved(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return how long each piece of work took in each round, in milliseconds.

    The works take turns, so that a slow spell of the machine falls on all of them alike; no garbage is
    collected meanwhile.
    """
    times: dict[str, list[float]] = {name: [] for name in works}
    gc.collect()
    for _ in range(rounds):
        for name, work in works.items():
            gc.disable()
            started = perf_counter()
            work()
            times[name].append(MS * (perf_counter() - started))
            gc.enable()
    return times


def medians(works: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median time of each piece of work, in milliseconds, the works taking turns."""
    return {name: median(times) for name, times in interleaved(works, rounds).items()}


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def exponents(sizes: Sequence[float], times: Sequence[float]) -> tuple[list[float], float]:
    """Return p in time ~ size^p between neighbours, and the one fitted to all their logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(time) for time in times]
    between = [(y1 - y0) / (x1 - x0) for (x0, x1), (y0, y1) in zip(pairwise(x), pairwise(y), strict=True)]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    slope = sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y, strict=True))
    return between, slope / sum((u - mean_x) ** 2 for u in x)


def heading(text: str) -> None:
    """Print what the lines below are about."""
    print(f"\n{text}", flush=True)


def line(what: str, milliseconds: float, note: str = "") -> None:
    """Print one measurement: what was measured, its time, what to make of it."""
    print(f"  {what:<58}{milliseconds:>9.2f} ms  {note}".rstrip(), flush=True)


def aim(value: float, limit: float, unit: str = " ms") -> str:
    """Return whether a value that ought to be small is within its limit."""
    return f"aim {limit:g}{unit} or less: {'met' if value <= limit else 'MISSED'}"
