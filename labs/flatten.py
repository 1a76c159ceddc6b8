"""Flatten lab: tokens per step run into the ceiling 1/(1 - a) while the cost of drafting goes on climbing."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from labs import state, theme
from labs.trials import Trial
from model import steps
from model.checks import Rate, Wholes

TITLE = "Watch it flatten"
DESCRIPTION = (
    "Every further token you hope for costs another factor of a, so the tokens per step run into a ceiling. "
    "The bill for drafting does not."
)
CARD = "speedup"  # the plot that the home page shows
TWIN = ("model/steps", "labs/flatten")  # what the page computes with, in the order of its needs
LONGEST = 32  # the last draft length drawn
DRAFT_LENGTHS = np.arange(1, LONGEST + 1)
TRIALS = (
    Trial(
        "a down to 0.5",
        {"acceptance_rate": 0.5},
        "The left curve is at its ceiling almost at once: 4 guesses settle 1.94 of 2.00 tokens, "
        "and 28 more buy the last 0.06.",
    ),
    Trial(
        "a up to 0.95",
        {"acceptance_rate": 0.95},
        "The left curve still climbs past k = 20, so a better draft earns twice: the ceiling is "
        "20.00, and the best k moves out to 15.",
    ),
    Trial(
        "short of the ceiling",
        {},
        "The best k = 6 settles 3.95 of 5.00 tokens. Holding out for 95 % of them takes k = 13 "
        "and is slower: 2.08× instead of 2.47×.",
    ),
    Trial(
        "c above a",
        {"draft_cost": 0.85},
        "The whole right curve sinks below break-even: a guess is right 80 times in 100 and costs "
        "0.85 of a pass.",
    ),
    Trial(
        "c just below a",
        {"acceptance_rate": 0.11},
        "Right 11 times in 100 at a cost of 0.10: one guess per step, k = 1, already gains, if only 1.01×.",
    ),
    Trial(
        "a free draft",
        {"draft_cost": 0.0},
        "Even drafts that cost nothing stay under the ceiling: no schedule makes a = 0.8 faster than 5.00×.",
    ),
    Trial(
        "published 2 to 3×",
        {"acceptance_rate": 0.85},
        "Speedups of 2 to 3 are what acceptance from 0.70 to 0.85 gives: 2.85× here, 1.98× at a = 0.70.",
    ),
)


class State(state.State):
    """The sliders, and rates by position that a link may carry."""

    acceptance_rate = param.Number(0.8, bounds=(0, 0.99), step=0.01, label="acceptance rate a (α)")
    draft_cost = param.Number(0.1, bounds=(0, 1), step=0.01, label="draft cost c")
    position_rates = param.String("", regex=state.RATES, label=state.RATES_LABEL)


def columns(acceptance_rate: float, draft_cost: float, position_rates: str = "") -> dict[str, dict[str, Any]]:
    """Return what the lab draws and prints: the curve over the draft lengths, and one row of numbers.

    Where rates by position are given, the curve is theirs, and that of the one rate stands beside it.
    """
    rate = state.rate(acceptance_rate, position_rates)
    compared = DRAFT_LENGTHS if position_rates else DRAFT_LENGTHS[:0]
    readout = {
        "acceptance_rate": acceptance_rate,
        "draft_cost": draft_cost,
        "position_rates": position_rates,
        **_readout(rate, draft_cost),
    }
    return {
        "curve": _curve(rate, DRAFT_LENGTHS, draft_cost),
        "one_rate": _curve(acceptance_rate, compared, draft_cost),
        "readout": {name: [value] for name, value in readout.items()},
    }


def _curve(rate: Rate, lengths: Wholes, draft_cost: float) -> dict[str, Any]:
    tokens = steps.tokens_per_step(rate, lengths)
    return {
        "draft_length": lengths,
        "tokens_per_step": tokens,
        "speedup": tokens / steps.step_cost(lengths, draft_cost),
    }


def _readout(rate: Rate, draft_cost: float) -> dict[str, float]:
    ceiling = steps.ceiling(rate)
    best = steps.best_draft_length(rate, draft_cost)
    reaching = steps.draft_length_reaching(0.95, rate)
    best_tokens, best_speedup = _at(best, rate, draft_cost)
    tokens_95, speedup_95 = _at(reaching, rate, draft_cost)
    return {
        "ceiling": ceiling,
        "best_draft_length": best,
        "speedup": best_speedup,
        "tokens_per_step": best_tokens,
        "ceiling_share": best_tokens / ceiling if best < math.inf else 1.0,
        "draft_length_95": reaching,
        "tokens_per_step_95": tokens_95,
        "speedup_95": speedup_95,
        "pays": steps.pays(rate, draft_cost),
    }


def _at(length: float, rate: Rate, draft_cost: float) -> tuple[float, float]:
    """Return tokens per step and speedup at a draft length: what they approach where it is infinite.

    That is the ceiling while drafting is free. Else the last rate is 1, so each guess beyond the rates listed
    costs c and settles as many tokens as drafts get so far, p: the speedup approaches p / c.
    """
    if length < math.inf:
        return steps.tokens_per_step(rate, int(length)), steps.speedup(rate, int(length), draft_cost)
    ceiling = steps.ceiling(rate)
    if draft_cost == 0.0:
        return ceiling, ceiling
    return ceiling, float(steps.position_rates(rate, len(DRAFT_LENGTHS))[-1]) / draft_cost


def figures(sources: Mapping[str, ColumnDataSource]) -> dict[str, figure]:
    """Return the two plots, drawn from the sources alone."""
    return {
        "tokens_figure": _tokens_figure(sources),
        "speedup_figure": _speedup_figure(sources),
    }


def _tokens_figure(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig, readout = _plot("tokens", "tokens per step (cycle)"), sources["readout"]
    fig.hspan("ceiling", source=readout, line_color=theme.INK, line_dash=theme.DASHED, line_width=1.5)
    _draw_curves(fig, "tokens_per_step", sources)
    fig.scatter(
        "draft_length_95", "tokens_per_step_95", source=readout, marker="diamond", size=11, color=theme.QUIET
    )
    _mark_best(fig, "tokens_per_step", readout)
    theme.add_labels(fig, "tokens")
    return fig


def _speedup_figure(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig = _plot("speedup", "speedup over plain decoding")
    theme.mark_break_even(fig)
    _draw_curves(fig, "speedup", sources)
    _mark_best(fig, "speedup", sources["readout"])
    theme.add_labels(fig, "speedup")
    return fig


def _plot(name: str, y_axis_label: str) -> figure:
    fig = theme.plot(name, "draft length k (γ)", y_axis_label, x_range=Range1d(-0.5, 33))
    fig.xaxis.ticker = FixedTicker(ticks=list(range(0, 33, 4)))
    return fig


def _draw_curves(fig: figure, y: str, sources: Mapping[str, ColumnDataSource]) -> None:
    one, curve = sources["one_rate"], {"source": sources["curve"], "color": theme.CURVE}
    fig.line("draft_length", y, source=one, color=theme.QUIET, line_width=2, line_dash=theme.DOTTED)
    fig.line("draft_length", y, line_width=2.5, **curve)
    fig.scatter("draft_length", y, size=6, **curve)


def _mark_best(fig: figure, y: str, readout: ColumnDataSource) -> None:
    at_best = {"source": readout, "line_color": theme.CURVE}
    marks = (
        fig.segment(
            "best_draft_length", 0, "best_draft_length", y, line_dash=theme.DOTTED, line_width=1.5, **at_best
        ),
        fig.scatter("best_draft_length", y, size=13, fill_color=theme.PAPER, line_width=2.5, **at_best),
    )
    for mark in marks:
        mark.tags = ["answer"]  # hidden while a reader is to predict it
