"""Burst lab: one seeded burst step by step, and the finish times of 2,000 bursts against plain decoding."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import param
from bokeh.models import ColumnDataSource, FixedTicker, HoverTool
from bokeh.plotting import figure

from labs import state, theme
from labs.burst import tail, trials
from model import bursts, finish_times, steps
from model.checks import Floats, Wholes

TITLE = "One burst at a time"
DESCRIPTION = (
    "The mean is a promise about long runs. An agent emits forty tokens at a time, and meets the tail of the "
    "finish times."
)
TRIALS = trials.BURST
CARD = "histogram"  # the plot that the home page shows
TWIN = (  # what the page computes with, in the order of its needs
    *("model/steps", "model/bursts", "model/finish_times", "model/mixtures", "model/chains", "model/tails"),
    *("labs/burst/tail", "labs/burst/index"),
)
BELOW = tail
BURSTS = 2000
QUANTILE_DRAWN = {"typical, at p50": 0.5, "unlucky, at p99": 0.99}
FINE_ROWS = 50  # more rows than this are too thin for gaps, edges and hatching
LONGEST_DRAFT = 32
STORY = """<div style="max-width: min(300px, 70vw); margin: -5px; padding: 6px 10px; white-space: normal;
  background: var(--paper); color: var(--ink); font: 13px system-ui, sans-serif">Step @step: @accepted of
  @draft_length guesses accepted, then the target's own token: @settled settled, @total so far. The burst
  needs @burst_length.</div>"""

# A move of one slider leaves much as it was: neither draft cost nor the burst drawn change what these return.
_step_counts = lru_cache(maxsize=64)(bursts.step_counts)
_step_distribution = lru_cache(maxsize=64)(finish_times.step_distribution)


class State(state.State):
    """The sliders, the choice of the burst to draw, and rates by position that a link may carry."""

    acceptance_rate = param.Number(0.9, bounds=(0, 1), step=0.01, label="acceptance rate a (α)")
    draft_length = param.Integer(10, bounds=(1, LONGEST_DRAFT), label="draft length k (γ)")
    draft_cost = param.Number(0.1, bounds=(0, 1), step=0.01, label="draft cost c")
    burst_length = param.Integer(40, bounds=(1, 400), label="burst length n")
    seed = param.Integer(0, bounds=(0, 9999), label="seed of the draws")
    drawn = param.Selector(default="first", objects=["first", *QUANTILE_DRAWN], label="burst drawn")
    position_rates = param.String("", regex=state.RATES, label=state.RATES_LABEL)


def columns(  # noqa: PLR0913, PLR0917 - the lab's whole state, in the order of its controls
    acceptance_rate: float,
    draft_length: int,
    draft_cost: float,
    burst_length: int,
    seed: int,
    drawn: str,
    position_rates: str = "",
) -> dict[str, dict[str, Any]]:
    """Return what the lab draws and prints: one burst's steps, the finish times' bars, one row of numbers."""
    rate = state.rate(acceptance_rate, position_rates)
    counts, one_token = _step_counts(rate, draft_length, burst_length, seed, BURSTS)
    possible, chances = _step_distribution(rate, draft_length, burst_length)
    cost = steps.step_cost(draft_length, draft_cost)
    times = possible * cost
    finished = np.bincount(counts, minlength=burst_length + 1)[possible]
    burst = _drawn_burst(counts, drawn)
    accepted = bursts.trace(rate, draft_length, burst_length, seed, BURSTS, burst)
    readout = {
        "acceptance_rate": acceptance_rate,
        "position_rates": position_rates,
        "draft_length": draft_length,
        "draft_cost": draft_cost,
        "burst_length": burst_length,
        "seed": seed,
        "burst": burst + 1,
        "burst_steps": len(accepted),
        "burst_time": len(accepted) * cost,
        **_finish(times, finished, chances, burst_length),
        **_steps(counts, one_token),
    }
    return {
        "trace": _trace(accepted, draft_length, burst_length),
        "histogram": {
            **tail.bars(possible, cost),
            "bursts": finished,
            "exact": BURSTS * chances,
        },
        "readout": {name: [value] for name, value in readout.items()},
    }


def _drawn_burst(counts: Wholes, drawn: str) -> int:
    """Return the first burst that took exactly as many steps as the quantile asked for."""
    if drawn not in QUANTILE_DRAWN:
        return 0
    return int(np.argmax(counts == finish_times.quantile(counts, QUANTILE_DRAWN[drawn])))


def _trace(accepted: Wholes, draft_length: int, burst_length: int) -> dict[str, Any]:
    """Return one row per step: guesses accepted, then the target's token, then guesses thrown away."""
    settled, cells = accepted + 1, np.full(len(accepted), draft_length + 1)
    fine = len(accepted) <= FINE_ROWS
    return {
        "step": np.arange(1, len(accepted) + 1),
        "accepted": accepted,
        "settled": settled,
        "cells": cells,
        "draft_length": np.full(len(accepted), draft_length),
        "burst_length": np.full(len(accepted), burst_length),
        "total": np.cumsum(settled),
        "height": np.full(len(accepted), 0.84 if fine else 1.0),
        "hatched": cells if fine else settled,
        "hatched_area": settled if fine else cells,
        "edge": np.full(len(accepted), 1.0 if fine else 0.0),
    }


def _finish(times: Floats, finished: Wholes, chances: Floats, burst_length: int) -> dict[str, float]:
    """Return quantiles and means of the finish times, sampled and exact."""
    p50, p99 = (finish_times.quantile(times, p, finished) for p in (0.5, 0.99))
    return {
        "p50": p50,
        "p99": p99,
        "p99_over_p50": p99 / p50,
        "speedup_p50": burst_length / p50,
        "mean": np.cumsum(times * finished)[-1] / BURSTS,
        "exact_p50": finish_times.quantile(times, 0.5, chances),
        "exact_p99": finish_times.quantile(times, 0.99, chances),
        "exact_mean": np.cumsum(times * chances)[-1],
    }


def _steps(counts: Wholes, one_token: Wholes) -> dict[str, float]:
    """Return the steps per burst, and the share of all steps that settled exactly one token."""
    total = int(np.sum(counts))  # whole numbers: any order of the sum gives the same
    return {"steps": total / BURSTS, "one_token_share": int(np.sum(one_token)) / total}


def figures(sources: Mapping[str, ColumnDataSource]) -> dict[str, figure]:
    """Return the two plots, drawn from the sources alone."""
    return {
        "trace_figure": _trace_figure(sources["trace"]),
        "histogram_figure": _histogram_figure(sources["histogram"], sources["readout"], sources["run"]),
    }


def _trace_figure(trace: ColumnDataSource) -> figure:
    fig = theme.plot("trace", "position in the draft", "step")
    row = {"y": "step", "height": "height", "source": trace}
    hatch = {"hatch_pattern": "/", "hatch_color": theme.LOSS, "hatch_weight": 0.6, "hatch_scale": 8}
    accepted = fig.hbar(left=0, right="accepted", color=theme.ACCEPTED, line_color=None, **row)
    thrown = fig.hbar(
        left="settled", right="cells", color=theme.LOSS, line_color=None, fill_alpha=0.16, **row
    )
    fig.hbar(left="settled", right="hatched", fill_color=None, line_color=None, **hatch, **row)
    fig.harea("settled", "hatched_area", "step", source=trace, fill_color=None, **hatch)  # thin rows as one
    fig.vspan(list(range(1, LONGEST_DRAFT + 1)), line_color=theme.PAPER, line_width=2)
    edge = {"line_color": theme.EDGE, "line_alpha": "edge"}
    target = fig.hbar(left="accepted", right="settled", fill_color=theme.TARGET, **edge, **row)
    fig.ygrid.visible = False
    positions = [1, 5, 10, 15, 20, 25, 30]
    fig.xaxis.ticker = FixedTicker(ticks=[position - 0.5 for position in positions])
    fig.xaxis.major_label_overrides = {position - 0.5: str(position) for position in positions}
    fig.add_tools(HoverTool(renderers=[accepted, thrown, target], tooltips=STORY))
    theme.add_labels(fig, "trace")
    return fig


def _histogram_figure(
    histogram: ColumnDataSource, readout: ColumnDataSource, run: ColumnDataSource
) -> figure:
    fig = theme.plot("histogram", "finish time, in target passes", f"bursts of {BURSTS:,}")
    fig.quad("left", "right", "bursts", 0, source=histogram, color=theme.CURVE, alpha=0.75)
    fig.segment("left", "exact", "right", "exact", source=histogram, color=theme.INK, line_width=2)
    for quantile in ("p50", "p99"):
        fig.vspan(quantile, source=readout, color=theme.INK, line_dash=theme.DOTTED, line_width=1.5)
    fig.vspan("timeout_99", source=run, color=theme.INK, line_width=1.5)  # while that section is open
    fig.vspan("burst_length", source=readout, color=theme.LOSS, line_dash=theme.DASHED, line_width=1.5)
    theme.add_labels(fig, "histogram")
    return fig
