"""Peaks lab: speedup against draft length, one curve per acceptance rate, each with a peak of its own."""

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from labs import state, theme
from labs.trials import Trial
from model import steps
from model.checks import Floats

TITLE = "Where each curve peaks"
DESCRIPTION = (
    "Every acceptance rate has its own best draft length. Cheap drafts move the peaks out and up, expensive "
    "ones flatten them to nothing."
)
CARD = "peaks"  # the plot that the home page shows
TWIN = ("model/steps", "labs/peaks")  # what the page computes with, in the order of its needs
ACCEPTANCE_RATES = (0.5, 0.7, 0.8, 0.85, 0.9, 0.95)
LONGEST = 32  # the last draft length drawn
DRAFT_LENGTHS = np.arange(LONGEST + 1)  # from 0, plain decoding, where all curves start at 1
FIXED_LENGTHS = (3, 5, 8)  # lengths that servers are set to, whatever the acceptance rate
DASHES: tuple[list[int], ...] = ([2, 3], [4, 3], [8, 3, 2, 3], [9, 4], [14, 3], [])  # by acceptance rate
TRIALS = (
    Trial(
        "c at 0.10",
        {},
        "The peaks lie at k = 2, 4, 6, 7, 10 and 15. Three of them lie from 3 to 8, where real "
        "systems draft, and none at 20.",
    ),
    Trial(
        "c up to 0.50",
        {"draft_cost": 0.5},
        "A draft pass that takes half as long as a target pass: even a = 0.85 gains no more than "
        "1.29×, and a = 0.50 nothing.",
    ),
    Trial(
        "c down to 0.02",
        {"draft_cost": 0.02},
        "Nearly free drafts and high acceptance: the curve for 0.95 soars to 9.95× at k = 31.",
    ),
    Trial(
        "ten times and more",
        {"draft_cost": 0.01},
        "12.54× takes a = 0.95 and drafts of 40 tokens at 0.01 of a pass each: ask whoever "
        "reports 10× for their draft.",
    ),
    Trial(
        "a free draft",
        {"draft_cost": 0.0},
        "Every curve climbs for ever, each towards its ceiling: a = 0.50 never gets past 2.00×, a "
        "= 0.95 past 20.00×.",
    ),
    Trial(
        "k = 8 on a busy server",
        {"utilisation": 0.5},
        "With half of the arithmetic in use, whoever keeps drafting 8 tokens at a = 0.80 falls to "
        "0.82×, where a single guess still gains 1.64×.",
    ),
    Trial(
        "under heavy load",
        {"utilisation": 0.9},
        "Only a = 0.95 still gains, until b = 0.925; no other rate does.",
    ),
)


class RuleOfThumb(NamedTuple):
    """Settings, each from and to, and the speedups that are said to come of them."""

    acceptance_rates: tuple[float, float]
    draft_lengths: tuple[int, int]
    draft_costs: tuple[float, float]
    speedups: tuple[float, float]


RULE_OF_THUMB = RuleOfThumb((0.8, 0.95), (3, 8), (0.02, 0.1), (2, 6))  # of the post "The Speedup Arithmetic"


class State(state.State):
    """The sliders."""

    draft_cost = param.Number(0.1, bounds=(0, 1), step=0.005, label="draft cost c")
    utilisation = param.Number(0.0, bounds=(0, 1), step=0.01, label="compute in use b")


def columns(draft_cost: float, utilisation: float) -> dict[str, dict[str, Any]]:
    """Return what the lab draws and prints: a curve and a peak per acceptance rate, one row of numbers."""
    curves = [steps.speedup(rate, DRAFT_LENGTHS, draft_cost, utilisation) for rate in ACCEPTANCE_RATES]
    peaks = [
        _peak(rate, curve, draft_cost, utilisation)
        for rate, curve in zip(ACCEPTANCE_RATES, curves, strict=True)
    ]
    readout = {
        "draft_cost": draft_cost,
        "utilisation": utilisation,
        **_summary(peaks),
        **_rule_of_thumb(),
        "rule_holds": _rule_holds(draft_cost, utilisation),
    }
    return {
        "curves": {"draft_length": DRAFT_LENGTHS, **dict(zip(_names("speedup"), curves, strict=True))},
        "peaks": {name: [peak[name] for peak in peaks] for name in peaks[0]},
        "readout": {name: [value] for name, value in readout.items()},
    }


def _names(prefix: str) -> list[str]:
    """Return a name per acceptance rate, with the rate in percent."""
    return [f"{prefix}_{round(100 * rate)}" for rate in ACCEPTANCE_RATES]


def _peak(rate: float, curve: Floats, draft_cost: float, utilisation: float) -> dict[str, float]:
    """Return where a rate's curve peaks, and which share of that speedup each fixed length loses."""
    best, tokens, speedup = _best(rate, draft_cost, utilisation)
    return {
        "acceptance_rate": rate,
        "best_draft_length": best,
        "tokens_per_step": tokens,
        "speedup": speedup,
        "ceiling": steps.ceiling(rate),
        **{f"loss_{k}": 1.0 - float(curve[k]) / speedup for k in FIXED_LENGTHS},
        "break_even_utilisation": steps.break_even_utilisation(rate, draft_cost),
    }


def _best(rate: float, draft_cost: float, utilisation: float) -> tuple[float, float, float]:
    """Return the best draft length, its tokens per step and speedup: the limits where none is best."""
    best = steps.best_draft_length(rate, draft_cost, utilisation)
    if math.isinf(best):  # drafting and verifying are free: both approach the ceiling
        return best, steps.ceiling(rate), steps.ceiling(rate)
    return (
        best,
        steps.tokens_per_step(rate, int(best)),
        steps.speedup(rate, int(best), draft_cost, utilisation),
    )


def _summary(peaks: list[dict[str, float]]) -> dict[str, float]:
    """Return how many rates peak where servers draft, how many pay, and the peak of the last: the highest."""
    low, high = RULE_OF_THUMB.draft_lengths
    lengths = [peak["best_draft_length"] for peak in peaks]
    return {
        "peaks_3_to_8": sum(low <= length <= high for length in lengths),
        "paying": sum(length > 0 for length in lengths),
        "top_rate": peaks[-1]["acceptance_rate"],
        "top_draft_length": peaks[-1]["best_draft_length"],
        "top_speedup": peaks[-1]["speedup"],
    }


@cache
def _rule_of_thumb() -> dict[str, float]:
    """Return the least and the most speedup within the rule of thumb: they lie at opposite corners."""
    (low_rate, high_rate), (low_cost, high_cost) = RULE_OF_THUMB.acceptance_rates, RULE_OF_THUMB.draft_costs
    shortest, longest = RULE_OF_THUMB.draft_lengths
    lengths = np.arange(shortest, longest + 1)
    return {
        "rule_low": float(steps.speedup(low_rate, lengths, high_cost).min()),
        "rule_high": float(steps.speedup(high_rate, lengths, low_cost).max()),
    }


def _rule_holds(draft_cost: float, utilisation: float) -> float:
    """Return 1 where the rule of thumb speaks of such drafts, on an idle accelerator, 0 elsewhere."""
    low, high = RULE_OF_THUMB.draft_costs
    return 1.0 if low <= draft_cost <= high and utilisation == 0 else 0.0


def figures(sources: Mapping[str, ColumnDataSource]) -> dict[str, figure]:
    """Return the plot, drawn from the sources alone."""
    room_for_labels = Range1d(-0.5, 38)
    fig = theme.plot("peaks", "draft length k (γ)", "speedup over plain decoding", x_range=room_for_labels)
    fig.xaxis.ticker = FixedTicker(ticks=list(range(0, 33, 8)))
    _mark_rule_of_thumb(fig, sources["readout"])
    theme.mark_break_even(fig)
    for curve, colour, dash in zip(_names("speedup"), _names("rate"), DASHES, strict=True):
        style = {"color": theme.COLOURS[colour][0], "line_width": 2.5, "line_dash": dash}
        fig.line("draft_length", curve, source=sources["curves"], **style)
    mark = {"fill_color": theme.PAPER, "line_color": theme.INK, "line_width": 1.5}
    fig.scatter("best_draft_length", "speedup", source=sources["peaks"], size=20, **mark)
    labels = theme.add_labels(fig, "peaks")
    fig.segment("x", "y", "lead_x", "lead_y", source=labels, line_color=theme.QUIET)
    return {"peaks_figure": fig}


def _mark_rule_of_thumb(fig: figure, readout: ColumnDataSource) -> None:
    """Draw the box that the post names, and the one that the formula gives."""
    (left, right), (bottom, top) = RULE_OF_THUMB.draft_lengths, RULE_OF_THUMB.speedups
    shown = {"source": readout, "level": "underlay"}
    claimed = {"fill_color": theme.GRID, "fill_alpha": "rule_holds", "line_color": None}
    given = {"fill_color": None, "line_color": theme.QUIET, "line_alpha": "rule_holds"}
    fig.quad(left, right, top, bottom, **claimed, **shown)
    fig.quad(left, right, "rule_high", "rule_low", line_dash=theme.DOTTED, **given, **shown)
