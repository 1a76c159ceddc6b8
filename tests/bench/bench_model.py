"""The speed of `simulate` beside the loop that a reader would write, and beside drawing its numbers."""

import random
from collections.abc import Iterator
from functools import partial
from itertools import count, product
from statistics import median

import numpy as np
from bench_timing import heading, interleaved, line, medians

from model.bursts import simulate

BURSTS = 2000
DEFAULTS = (0.9, 10, 0.1, 40)
LONG = (0.9, 10, 0.1, 400)
RATES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
LENGTHS = (1, 2, 4, 8, 16, 32)
BURST_LENGTHS = (40, 400)
WANTED = 10.0  # times faster than the plain loop

Setting = tuple[float, int, float, int]


def plain_loop(
    acceptance_rate: float, draft_length: int, draft_cost: float, burst_length: int
) -> list[float]:
    """Return the finish times of 2,000 bursts, guess by guess, as a reader of the post would write it."""
    times = []
    for _ in range(BURSTS):
        settled = steps = 0
        while settled < burst_length:
            accepted = 0
            while accepted < draft_length and random.random() < acceptance_rate:  # noqa: S311 - a simulation
                accepted += 1
            settled += accepted + 1
            steps += 1
        times.append(steps * (1 + draft_length * draft_cost))
    return times


def draw(size: int) -> None:
    """Draw as many numbers as `simulate` needs, and use none: the floor."""
    np.random.RandomState(0).random_sample(size)


def report() -> None:
    """Print the section."""
    heading(f"model: {BURSTS:,} bursts (a, k, c, n), `simulate` against a plain loop over the guesses")
    fresh = count(1)  # seeds not met before
    for name, setting in (("the defaults", DEFAULTS), ("400 tokens", LONG)):
        _report_setting(f"at {name}", setting, fresh, rounds=15 if setting == DEFAULTS else 7)
    _report_setting("at the least ratio found, for 40 or 400 tokens,", _worst_ratio(), fresh, rounds=15)


def _report_setting(name: str, setting: Setting, fresh: Iterator[int], rounds: int) -> None:
    numbers = BURSTS * _steps(setting)
    times = interleaved(
        {
            "loop": partial(plain_loop, *setting),
            "kept": partial(simulate, *setting),
            "first": lambda: simulate(*setting, seed=next(fresh)),
            "draw": partial(draw, numbers),
        },
        rounds,
    )
    loop, kept, first, floor = (median(times[work]) for work in ("loop", "kept", "first", "draw"))
    met = "met" if loop / kept >= WANTED else "MISSED"
    print(f"  {name} {setting}")
    line("  plain loop over the guesses", loop)
    line("  simulate, draws kept", kept, f"{loop / kept:.1f} x faster; aim {WANTED:g} x or more: {met}")
    line("  simulate, draws made", first, f"{loop / first:.1f} x faster")
    line(
        f"  drawing {numbers:,} numbers, the floor",
        floor,
        f"simulate takes {kept / floor:.2f} of it, {first / floor:.2f} drawing",
    )


def _steps(setting: Setting) -> int:
    """Return the steps of the longest burst: each draws one number per burst."""
    return round(float(simulate(*setting).max()) / (1 + setting[1] * setting[2]))


def _worst_ratio() -> Setting:
    """Return the setting of the grid where the plain loop is least behind."""
    settings = [(a, k, 0.1, n) for a, k, n in product(RATES, LENGTHS, BURST_LENGTHS)]
    return min(settings, key=_ratio)


def _ratio(setting: Setting) -> float:
    simulate(*setting)
    rounds = 1 if setting[3] > 40 else 3
    times = medians({"loop": partial(plain_loop, *setting), "kept": partial(simulate, *setting)}, rounds)
    return times["loop"] / times["kept"]
