"""Flatten lab: tokens per step run into the ceiling 1/(1 - a) while the cost of drafting goes on climbing."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from labs import state, theme, trials
from model import steps

TITLE = "Watch it flatten"
DESCRIPTION = (
    "Every further token you hope for costs another factor of a, so the tokens per step run into a ceiling. "
    "The bill for drafting does not."
)
TRIALS = trials.FLATTEN
DRAFT_LENGTHS = np.arange(1, 33)


class State(state.State):
    """The sliders."""

    acceptance_rate = param.Number(0.8, bounds=(0, 0.99), step=0.01, label="acceptance rate a (α)")
    draft_cost = param.Number(0.1, bounds=(0, 1), step=0.01, label="draft cost c")


def columns(acceptance_rate: float, draft_cost: float) -> dict[str, dict[str, Any]]:
    """Return what the lab draws and prints: the curve over the draft lengths, and one row of numbers."""
    tokens = steps.tokens_per_step(acceptance_rate, DRAFT_LENGTHS)
    return {
        "curve": {
            "draft_length": DRAFT_LENGTHS,
            "tokens_per_step": tokens,
            "speedup": tokens / steps.step_cost(DRAFT_LENGTHS, draft_cost),
        },
        "readout": {name: [value] for name, value in _readout(acceptance_rate, draft_cost).items()},
    }


def _readout(acceptance_rate: float, draft_cost: float) -> dict[str, float]:
    ceiling = steps.ceiling(acceptance_rate)
    best, best_tokens, best_speedup = _best(acceptance_rate, draft_cost)
    reaching = int(steps.draft_length_reaching(0.95, acceptance_rate))
    return {
        "acceptance_rate": acceptance_rate,
        "draft_cost": draft_cost,
        "ceiling": ceiling,
        "best_draft_length": best,
        "speedup": best_speedup,
        "tokens_per_step": best_tokens,
        "ceiling_share": best_tokens / ceiling,
        "draft_length_95": reaching,
        "tokens_per_step_95": steps.tokens_per_step(acceptance_rate, reaching),
        "speedup_95": steps.speedup(acceptance_rate, reaching, draft_cost),
        "pays": steps.pays(acceptance_rate, draft_cost),
    }


def _best(acceptance_rate: float, draft_cost: float) -> tuple[float, float, float]:
    """Return the best draft length, its tokens per step and speedup: the limits where none is best."""
    best = steps.best_draft_length(acceptance_rate, draft_cost)
    if math.isinf(best):  # drafting is free: both approach the ceiling
        return best, steps.ceiling(acceptance_rate), steps.ceiling(acceptance_rate)
    return (
        best,
        steps.tokens_per_step(acceptance_rate, int(best)),
        steps.speedup(acceptance_rate, int(best), draft_cost),
    )


def figures(sources: Mapping[str, ColumnDataSource]) -> dict[str, figure]:
    """Return the two plots, drawn from the sources alone."""
    return {
        "tokens_figure": _tokens_figure(sources["curve"], sources["readout"]),
        "speedup_figure": _speedup_figure(sources["curve"], sources["readout"]),
    }


def _tokens_figure(curve: ColumnDataSource, readout: ColumnDataSource) -> figure:
    fig = _plot("tokens", "tokens per step (cycle)")
    fig.hspan("ceiling", source=readout, line_color=theme.INK, line_dash=theme.DASHED, line_width=1.5)
    _draw_curve(fig, "tokens_per_step", curve)
    fig.scatter(
        "draft_length_95", "tokens_per_step_95", source=readout, marker="diamond", size=11, color=theme.QUIET
    )
    _mark_best(fig, "tokens_per_step", readout)
    theme.add_labels(fig, "tokens")
    return fig


def _speedup_figure(curve: ColumnDataSource, readout: ColumnDataSource) -> figure:
    fig = _plot("speedup", "speedup over plain decoding")
    theme.mark_break_even(fig)
    _draw_curve(fig, "speedup", curve)
    _mark_best(fig, "speedup", readout)
    theme.add_labels(fig, "speedup")
    return fig


def _plot(name: str, y_axis_label: str) -> figure:
    fig = theme.plot(name, "draft length k (γ)", y_axis_label, x_range=Range1d(-0.5, 33))
    fig.xaxis.ticker = FixedTicker(ticks=list(range(0, 33, 4)))
    return fig


def _draw_curve(fig: figure, y: str, curve: ColumnDataSource) -> None:
    fig.line("draft_length", y, source=curve, color=theme.CURVE, line_width=2.5)
    fig.scatter("draft_length", y, source=curve, color=theme.CURVE, size=6)


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
