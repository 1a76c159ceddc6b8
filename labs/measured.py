"""Your own server's numbers: its rates by position beside one rate for all, and what a draft length gains.

The only lab whose input is a text, read in the browser: nothing of it is served or sent. The page's script
hands the text's reading and the step's cost to these columns' twin.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from bokeh.models import ColumnDataSource, FixedTicker, Range1d
from bokeh.plotting import figure

from labs import state, theme
from labs.trials import Trial
from model import deployment, finish_times, steps
from model.checks import Rate
from model.engines.reading import Reading, measure

TITLE = "Your own server's numbers"
DESCRIPTION = (
    "Paste what your inference server printed about speculative decoding, and see where you stand. "
    "Everything is read in this page: nothing is sent anywhere."
)
CARD = "positions"  # the plot that the home page shows
TWIN = (  # what the page computes with, in the order of its needs
    *("model/sums", "model/steps", "model/finish_times", "model/estimates", "model/deployment"),
    *(f"model/engines/{part}" for part in ("counts", "passes", "sglang", "kinds", "logs", "counters")),
    *("model/engines/typed", "model/engines/reading", "labs/measured"),
)
TRIALS: tuple[Trial, ...] = ()
# Pastes to begin with, the first of them on the page from the start.
EXAMPLES = {
    "vLLM log": (
        "INFO 11-24 10:15:02 [metrics.py:96] SpecDecoding metrics: Mean acceptance length: 4.50, Accepted "
        "throughput: 349.60 tokens/s, Drafted throughput: 800.00 tokens/s, Accepted: 3496 tokens, Drafted: "
        "8000 tokens, Per-position acceptance rate: 0.780, 0.635, 0.530, 0.449, 0.371, 0.302, 0.246, 0.183, "
        "Avg Draft acceptance rate: 43.7%"
    ),
    "llama.cpp server": (
        "draft acceptance = 0.57576 (  171 accepted /   297 generated), mean acceptance length =  2.73, "
        "acceptance rate per position = (0.788, 0.556, 0.384)"
    ),
    "SGLang": (
        "Decode batch, #running-req: 12, #token: 9218, token usage: 0.04, accept len: 2.60, "
        "accept rate: 0.65, cuda graph: True, gen throughput (token/s): 1480.21, #queue-req: 0"
    ),
    "numbers": "draft length: 4, acceptance length: 2.9",
    "a list of position rates": "0.82, 0.63, 0.47",
}
DRAFT_LENGTHS = np.arange(1, deployment.LONGEST + 1)
ANSWER = 100  # tokens, for the tail
MOST_POSITIONS = 64  # drawn


class State(state.State):
    """The slider; the rest stands in the text."""

    draft_cost = param.Number(0.1, bounds=(0, 1), step=0.01, label="cost per guess c")

    def arguments(self) -> dict[str, Any]:
        """Return the first example's reading, and the costs."""
        return {"measured": measure(EXAMPLES["vLLM log"]), "fixed": 1.0, "per_guess": self.draft_cost}


def columns(measured: Reading, fixed: float, per_guess: float) -> dict[str, dict[str, Any]]:
    """Return what the lab draws and prints: rates by position, curves over draft lengths, one row of numbers.

    A step costs fixed + per_guess k target passes. NaN is what is not known, and has no place on a plot. Past
    the longest position that was measured the last conditional rate is carried on.
    """
    rates, alpha = measured_rates(measured), fitted_rate(measured)
    shown = len(rates) if rates else min(measured["draft_length"] or 0, MOST_POSITIONS)
    known = len(rates) >= DRAFT_LENGTHS
    curve = {"draft_length": DRAFT_LENGTHS}
    for name, rate in (("measured", rates or None), ("fitted", alpha)):
        tokens, speedups = _curves(rate, fixed, per_guess)
        curve |= {f"tokens_{name}": tokens, f"speedup_{name}": speedups}
    for name in ("tokens", "speedup"):
        whole = curve[f"{name}_measured"]
        beyond = np.where(len(rates) <= DRAFT_LENGTHS, whole, math.nan)
        curve |= {f"{name}_measured": np.where(known, whole, math.nan), f"{name}_beyond": beyond}
    return {
        "positions": {
            "position": np.arange(1, shown + 1),
            "measured": steps.position_rates(rates, shown) if rates else np.full(shown, math.nan),
            "fitted": steps.position_rates(alpha, shown) if alpha is not None else np.full(shown, math.nan),
        },
        "curve": curve,
        "readout": {
            name: [value] for name, value in _readout(measured, rates or alpha, fixed, per_guess).items()
        },
    }


def measured_rates(measured: Reading) -> list[float]:
    """Return the conditional rates of the positions drawn; where nothing came so far, 0."""
    return [rate or 0.0 for rate in (measured["conditional_rates"] or [])[:MOST_POSITIONS]]


def fitted_rate(measured: Reading) -> float | None:
    """Return the one rate for all positions: by maximum likelihood if it is known, else by moments."""
    return measured["alpha_moment"] if measured["alpha_mle"] is None else measured["alpha_mle"]


def possible(fixed: float, per_guess: float) -> bool:
    """Return whether a step can cost so much."""
    return fixed >= deployment.LEAST_COST and per_guess >= 0.0


def _curves(rate: Rate | None, fixed: float, per_guess: float) -> tuple[Any, Any]:
    nothing = np.full(len(DRAFT_LENGTHS), math.nan)
    if rate is None:
        return nothing, nothing
    tokens = steps.tokens_per_step(rate, DRAFT_LENGTHS)
    return tokens, tokens / (fixed + per_guess * DRAFT_LENGTHS) if possible(fixed, per_guess) else nothing


def _readout(measured: Reading, rate: Rate | None, fixed: float, per_guess: float) -> dict[str, Any]:
    alpha, own = fitted_rate(measured), measured["draft_length"]
    low, high = measured["alpha_interval"] or (math.nan, math.nan)
    numbers = ("draft_length", "drafts", "accepted", "drafted", "strict_rate", "tokens_per_step")
    cost = possible(fixed, per_guess)
    chain = cost and (measured["advisable"] or measured["format"] == "plain")  # α alone may be typed, too
    best_measured = deployment.best_length(rate, fixed, per_guess) if chain and rate is not None else math.nan
    best_fitted = deployment.best_length(alpha, fixed, per_guess) if chain and alpha is not None else math.nan
    return {
        **{name: _number(measured[name]) for name in (*numbers, "alpha_mle", "alpha_moment")},  # type: ignore[literal-required]
        "alpha": _number(alpha),
        "alpha_low": low,
        "alpha_high": high,
        "positions": len(measured_rates(measured)),
        "best_measured": best_measured,
        "best_fitted": best_fitted,
        "fixed": fixed,
        "per_guess": per_guess,
        **_advice(rate if cost and measured["advisable"] else None, own, fixed, per_guess),
        **_tail(rate if cost else None, own, fixed, per_guess),
    }


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _advice(rate: Rate | None, own: int | None, fixed: float, per_guess: float) -> dict[str, Any]:
    if rate is None or own is None:
        unknown = dict.fromkeys(("advised_length", "advised_speedup", "present_speedup", "gain"), math.nan)
        return {"action": "none", **unknown}
    told = deployment.advise(rate, own, fixed, per_guess)
    return {
        "action": told["action"],
        "advised_length": told["draft_length"],
        "advised_speedup": told["speedup"],
        "present_speedup": told["present_speedup"],
        "gain": told["gain"],
    }


def _tail(rate: Rate | None, own: int | None, fixed: float, per_guess: float) -> dict[str, float]:
    """Return within how many target passes half, and 99 in a hundred, answers of 100 tokens are done."""
    if rate is None or own is None or own > MOST_POSITIONS:
        return {"p50": math.nan, "p99": math.nan}
    taken, chances = finish_times.step_distribution(rate, own, ANSWER)
    cost = fixed + per_guess * own
    return {
        name: finish_times.quantile(taken, p, chances) * cost for name, p in (("p50", 0.5), ("p99", 0.99))
    }


def figures(sources: Mapping[str, ColumnDataSource]) -> dict[str, figure]:
    """Return the plots, drawn from the sources alone."""
    return {
        "positions_figure": _positions_figure(sources["positions"]),
        "per_step_figure": _curve_figure("per_step", "tokens", "tokens per step (cycle)", sources),
        "gain_figure": _curve_figure("gain", "speedup", "speedup over plain decoding", sources),
    }


def _positions_figure(positions: ColumnDataSource) -> figure:
    fig = theme.plot("positions", "position in the draft", "accepted so far, share of drafts")
    fig.line("position", "fitted", source=positions, color=theme.TARGET, line_width=2, line_dash=theme.DASHED)
    fig.scatter("position", "fitted", source=positions, color=theme.TARGET, marker="diamond", size=9)
    fig.line("position", "measured", source=positions, color=theme.CURVE, line_width=2.5)
    fig.scatter("position", "measured", source=positions, color=theme.CURVE, size=7)
    theme.add_labels(fig, "positions")
    return fig


def _curve_figure(
    name: str, column: str, y_axis_label: str, sources: Mapping[str, ColumnDataSource]
) -> figure:
    curve = sources["curve"]
    fig = theme.plot(name, "draft length k (γ)", y_axis_label, x_range=Range1d(-0.5, 33))
    fig.xaxis.ticker = FixedTicker(ticks=list(range(0, 33, 4)))
    if column == "speedup":
        theme.mark_break_even(fig)
    one = {"source": curve, "color": theme.TARGET, "line_width": 2}
    measured = {"source": curve, "color": theme.CURVE}
    fig.line("draft_length", f"{column}_fitted", line_dash=theme.DASHED, **one)
    fig.line("draft_length", f"{column}_beyond", line_dash=theme.DOTTED, line_width=2, **measured)
    fig.line("draft_length", f"{column}_measured", line_width=2.5, **measured)
    fig.scatter("draft_length", f"{column}_measured", size=6, **measured)
    fig.vspan("draft_length", source=sources["readout"], color=theme.INK, line_dash=theme.DOTTED)
    theme.add_labels(fig, name)
    return fig
