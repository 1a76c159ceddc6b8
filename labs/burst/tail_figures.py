"""The plots of the tail, drawn from the sources of its sections alone."""

from collections.abc import Mapping

from bokeh.models import ColumnDataSource, FixedTicker, HoverTool, NumeralTickFormatter
from bokeh.plotting import figure

from labs import theme

QUANTILES = ("p50", "p90", "p99", "p999")
# Lines that share a plot differ by dash as by label, the further out the more broken.
DASHES = ("solid", [12, 3], [7, 4], [2, 3])
HOVER = "past @finish_time{0.0} passes: @past{0.00 %} of runs"
PERCENTS = ("run", "varying", "sample")  # plots of chances


def figures(sources: Mapping[str, ColumnDataSource]) -> dict[str, figure]:
    """Return the plots by name."""
    plots = {
        "lengths": _lengths(sources),
        "ratio": _ratio(sources),
        "run": _run(sources),
        "draft_lengths": _draft_lengths(sources),
        "varying": _varying(sources),
        "sample": _sample(sources),
    }
    for name, fig in plots.items():
        if name in PERCENTS:
            fig.yaxis.formatter = NumeralTickFormatter(format="0 %")
        theme.add_labels(fig, name)
    return {f"{name}_figure": fig for name, fig in plots.items()}


def _lengths(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig = theme.plot("lengths", "burst length n, in tokens", "speedup over plain decoding")
    fig.xaxis.ticker = FixedTicker(ticks=list(range(0, 401, 100)))
    theme.mark_break_even(fig)
    for name, dash in zip(QUANTILES, DASHES, strict=True):
        style = {"color": theme.CURVE, "line_width": 2, "line_dash": dash}
        fig.line("burst_length", f"speedup_{name}", source=sources["lengths"], **style)
    for name in QUANTILES:
        fig.scatter("burst_length", f"speedup_{name}", source=sources["lengths_at"], size=6, color=theme.INK)
    _mark_length(fig, sources["readout"])
    return fig


def _ratio(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig = theme.plot("ratio", "burst length n, in tokens", "p99 / p50")
    fig.line("burst_length", "ratio", source=sources["lengths"], color=theme.CURVE, line_width=2)
    _mark_length(fig, sources["readout"])
    return fig


def _mark_length(fig: figure, readout: ColumnDataSource) -> None:
    fig.vspan("burst_length", source=readout, color=theme.INK, line_dash=theme.DOTTED, line_width=1.5)


def _run(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig = theme.plot("run", "time, in target passes", "runs with a burst past it")
    curve = {"source": sources["run_curve"], "color": theme.CURVE}
    fig.step("finish_time", "past", mode="after", line_width=2, **curve)
    points = fig.scatter("finish_time", "past", size=6, **curve)
    fig.add_tools(HoverTool(renderers=[points], tooltips=HOVER))
    fig.vspan("p99", source=sources["run"], color=theme.INK, line_dash=theme.DOTTED, line_width=1.5)
    fig.vspan("timeout_99", source=sources["run"], color=theme.INK, line_width=1.5)
    return fig


def _draft_lengths(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig = theme.plot("draft_lengths", "draft length k (γ)", "time of a burst, in target passes")
    fig.xaxis.ticker = FixedTicker(ticks=[1, *range(4, 33, 4)])
    every, best = sources["draft_lengths"], sources["draft_lengths_best"]
    for name, dash in zip(("mean", "p50", "p99", "timeout"), DASHES, strict=True):
        fig.line("draft_length", name, source=every, color=theme.CURVE, line_width=2, line_dash=dash)
    fig.scatter("best", "time", source=best, size=9, color=theme.INK)
    fig.hspan("burst_length", source=sources["readout"], color=theme.LOSS, line_dash=theme.DASHED)
    return fig


def _varying(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig = theme.plot("varying", "finish time, in target passes", "bursts")
    varying = sources["varying"]
    fig.quad("left", "right", "varying", 0, source=varying, color=theme.CURVE, alpha=0.75)
    fig.segment("left", "constant", "right", "constant", source=varying, color=theme.INK, line_width=2)
    fig.tags = [sources["varying_at"], sources["varying_rates"]]  # for the table: not drawn, but on the page
    return fig


def _sample(sources: Mapping[str, ColumnDataSource]) -> figure:
    fig = theme.plot("sample", "p99 shown, in target passes", "samples")
    fig.quad("left", "right", "chance", 0, source=sources["sample"], color=theme.CURVE, alpha=0.75)
    fig.vspan("exact", source=sources["sample_band"], color=theme.INK, line_dash=theme.DOTTED, line_width=1.5)
    return fig
