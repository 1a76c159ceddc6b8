"""The tail of the burst lab: what the sections below it draw and print, from exact distributions.

Quantiles are those that count exact ties as reached, such as p50 at a = 0.5; times are in target passes.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import param

from labs import state
from labs.burst import tail_figures, trials
from labs.burst.pieces import (
    Bursts,
    Pieces,
    Section,
    Setting,
    Sources,
    distribution,
    distributions,
    once,
    quantiles,
    sampled,
    section,
)
from model import chains, finish_times, mixtures, steps, tails
from model.checks import Floats, Wholes

QUANTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
TIMEOUTS = {"timeout_90": 0.9, "timeout_99": 0.99, "timeout_999": 0.999}
LONGEST_BURST, LONGEST_DRAFT = 400, 32  # of the burst lab's sliders
LENGTHS_OF_THE_POST = (40, 100, 200, 400)
LENGTHS_OF_TRAFFIC = (40, 100, 200)  # that real p99 / p50 is known of
SAMPLE = 2000  # bursts, as many as the burst lab draws
HALF_BAR = 0.45  # half a bar's width, as a share of the distance between two finish times
BAR = ("finish_time", "left", "right")
QUANTILE_COLUMNS = ("burst_length", *QUANTILES, "ratio", *(f"speedup_{name}" for name in QUANTILES))
# What each section fills: its sources, and their columns.
SOURCES: dict[str, dict[str, tuple[str, ...]]] = {
    "lengths": {"lengths": QUANTILE_COLUMNS, "lengths_at": QUANTILE_COLUMNS},
    "run": {
        "run_curve": ("finish_time", "past"),
        "run": (
            *("run_length", *TIMEOUTS, "p99", "past_p99", "at_or_past_p99", "expected", "chance_past_p99"),
            *("mean", "deviation", "p99_total", "plain"),
        ),
    },
    "varying": {
        "varying": (*BAR, "constant", "varying"),
        "varying_at": (
            *("burst_length", "constant_p50", "constant_p99", "constant_ratio"),
            *("varying_p50", "varying_p99", "varying_ratio"),
        ),
        "varying_rates": ("mean", "deviation", "at_zero", "at_one"),
    },
    "sample": {"sample": (*BAR, "chance"), "sample_band": ("low", "high", "likeliest", "exact")},
    "draft_lengths": {
        "draft_lengths": ("draft_length", "mean", "p50", "p99", "timeout"),
        "draft_lengths_best": ("best", "ties", "last", "time", "mean_choice", "loss", "plain"),
    },
}
SETTING = Setting._fields

TRIALS = trials.TAIL

figures = tail_figures.figures


class State(state.State):
    """The sliders that the sections have beside those of the burst lab."""

    run_length = param.Integer(600, bounds=(1, 10_000), label="bursts in a run N")
    decay = param.Number(1.0, bounds=(0.5, 1.2), step=0.01, label="decay per position d")
    deviation = param.Number(0.0, bounds=(0, 0.3), step=0.01, label="spread between bursts s")
    pass_time = param.Integer(0, bounds=(0, 500), label="milliseconds per target pass")  # 0: not given


@section
def lengths(setting: Setting) -> Iterator[Sources | None]:
    """Yield the quantiles of every burst length and the speedups at them, and the post's four lengths anew.

    Steps of ``mixtures.step_quantiles`` times the step cost; speedup n / t.
    """
    times = yield from _quantile_times(setting.bursts, setting.cost)
    length = np.arange(1, LONGEST_BURST + 1)
    speedups = {f"speedup_{name}": length / time for name, time in times.items()}
    every = {"burst_length": length, **times, "ratio": times["p99"] / times["p50"], **speedups}
    at = np.array([*LENGTHS_OF_THE_POST, setting.burst_length])
    yield {"lengths": every, "lengths_at": {name: column[at - 1] for name, column in every.items()}}


def _quantile_times(bursts: Bursts, cost: float) -> Pieces[dict[str, Floats]]:
    """Return each quantile at every burst length."""
    counts = yield from once(quantiles, bursts, LONGEST_BURST, tuple(QUANTILES.values()))
    return dict(zip(QUANTILES, counts * cost, strict=True))


@section
def run(setting: Setting) -> Iterator[Sources | None]:
    """Yield the chance that a run has a burst past each time, and what a run meets and takes in all.

    ``chains`` of bursts; plain decoding takes N n target passes.
    """
    counts, chances = yield from once(distribution, setting.bursts, setting.burst_length)
    times, size = counts * setting.cost, setting.run_length
    mean, deviation = chains.run_time(times, chances, size)
    curve = {"finish_time": times, "past": chains.chance_past(times, chances, size, times)}
    row = {
        "run_length": size,
        **_late(times, chances, size),
        "mean": mean,
        "deviation": deviation,
        "p99_total": chains.run_steps_p99(counts, chances, size) * setting.cost,
        "plain": size * setting.burst_length,
    }
    yield {"run_curve": curve, "run": _table([row])}


def _late(times: Floats, chances: Floats, size: int) -> dict[str, float]:
    """Return the timeouts that runs survive, and what goes past the p99 of one burst."""
    timeouts = chains.burst_timeout(times, chances, size, list(TIMEOUTS.values()))
    p99 = chains.burst_timeout(times, chances, 1, QUANTILES["p99"])
    past, at_or_past = chains.bursts_past(times, chances, size, QUANTILES["p99"])
    return {
        **dict(zip(TIMEOUTS, timeouts, strict=True)),
        "p99": p99,
        "past_p99": past,
        "at_or_past_p99": at_or_past,
        "expected": size / 100,
        "chance_past_p99": chains.chance_past(times, chances, size, p99),
    }


@section
def draft_lengths(setting: Setting) -> Iterator[Sources | None]:
    """Yield mean, p50, p99 and the timeout of 99 % of runs at each draft length, and the best for each.

    Acceptance may decay, but is the same for every burst: with spread, 32 draft lengths take seconds.
    ``tails.draft_length_times``.
    """
    drafts = setting.rate, setting.decay, LONGEST_DRAFT, setting.burst_length
    times = []
    for i, bursts in enumerate((yield from once(distributions, *drafts))):
        cost = steps.step_cost(i + 1, setting.draft_cost)
        times.append(tails.draft_length_times(*bursts, cost, setting.run_length, TIMEOUTS["timeout_99"]))
        yield None
    columns = dict(zip(("mean", "p50", "p99", "timeout"), np.array(times).T, strict=True))
    choice = int(tails.draft_lengths_of_least(columns["mean"])[0])
    best = [_best(column, choice) | {"plain": setting.burst_length} for column in columns.values()]
    every = {"draft_length": np.arange(1, LONGEST_DRAFT + 1), **columns}
    yield {"draft_lengths": every, "draft_lengths_best": _table(best)}


def _best(times: Floats, choice: int) -> dict[str, float]:
    """Return the draft lengths of least time, and how much more than it another choice takes."""
    best, time, chosen = tails.draft_lengths_of_least(times), float(times.min()), float(times[choice - 1])
    return {
        "best": int(best[0]),
        "ties": len(best),
        "last": int(best[-1]),
        "time": time,
        "mean_choice": chosen,
        "loss": 0.0 if choice in best else chosen / time - 1.0,
    }


@section
def varying(setting: Setting) -> Iterator[Sources | None]:
    """Yield finish times where acceptance varies as set, along the draft and between bursts, and where not.

    Both of ``mixtures``, on one lattice.
    """
    constant = yield from once(distribution, setting.alike, setting.burst_length)
    as_set = yield from once(distribution, setting.bursts, setting.burst_length)
    counts = np.union1d(constant[0], as_set[0])
    at: dict[str, Any] = {"burst_length": LENGTHS_OF_TRAFFIC}
    for name, bursts in (("constant", setting.alike), ("varying", setting.bursts)):
        at |= yield from _tail_at(name, bursts, setting.cost)
    yield {
        "varying": {
            **bars(counts, setting.cost),
            "constant": _chances_at(counts, *constant),
            "varying": _chances_at(counts, *as_set),
        },
        "varying_at": at,
        "varying_rates": _table([_rates(setting.bursts)]),
    }


def _tail_at(name: str, bursts: Bursts, cost: float) -> Pieces[dict[str, Floats]]:
    """Return p50, p99 and their ratio at the lengths that these are known of."""
    times = yield from _quantile_times(bursts, cost)
    p50, p99 = (times[name][np.array(LENGTHS_OF_TRAFFIC) - 1] for name in ("p50", "p99"))
    return {f"{name}_p50": p50, f"{name}_p99": p99, f"{name}_ratio": p99 / p50}


def _chances_at(counts: Wholes, possible: Wholes, chances: Floats) -> Floats:
    """Return the chance of each number of steps, 0 where it is not possible."""
    found = np.zeros(len(counts))
    found[np.searchsorted(counts, possible)] = chances
    return found


def _rates(bursts: Bursts) -> dict[str, float]:
    """Return what clipping leaves of mean and spread, and the shares of bursts whose rate is 0 and 1."""
    rates, weights = mixtures.burst_kinds(*bursts)
    first = rates[:, 0]
    mean, deviation = finish_times.moments(first, weights)
    at_zero, at_one = (float(np.cumsum(weights * (first == end))[-1]) for end in (0.0, 1.0))
    return {"mean": mean, "deviation": deviation, "at_zero": at_zero, "at_one": at_one}


@section
def sample(setting: Setting) -> Iterator[Sources | None]:
    """Yield the chance that 2,000 sampled bursts show each finish time as their p99, and the band it leaves.

    ``tails.sampled_quantile``; 95 samples in a hundred lie within the band.
    """
    counts, chances = yield from once(distribution, setting.bursts, setting.burst_length)
    times = counts * setting.cost
    seen = yield from once(sampled, setting.bursts, setting.burst_length, QUANTILES["p99"], SAMPLE)
    low, high = chains.burst_timeout(times, seen, 1, [0.025, 0.975])
    exact = chains.burst_timeout(times, chances, 1, QUANTILES["p99"])
    band = {"low": low, "high": high, "likeliest": times[np.argmax(seen)], "exact": exact}
    yield {"sample": {**bars(counts, setting.cost), "chance": seen}, "sample_band": _table([band])}


def bars(counts: Wholes, cost: float) -> dict[str, Floats]:
    """Return the finish times of these numbers of steps, and where a bar at each begins and ends."""
    times = counts * cost
    return {"finish_time": times, "left": times - HALF_BAR * cost, "right": times + HALF_BAR * cost}


def _table(rows: list[dict[str, float]]) -> dict[str, list[float]]:
    """Return rows as columns."""
    return {name: [row[name] for row in rows] for name in rows[0]}


# In the order in which they are computed: what takes longest comes last.
SECTIONS: dict[str, Section] = {
    "lengths": lengths,
    "run": run,
    "varying": varying,
    "sample": sample,
    "draft_lengths": draft_lengths,
}
