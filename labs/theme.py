"""Colours by meaning, in a light and a dark set, and the plain plot that every figure starts from."""

from typing import Any

from bokeh.core.properties import value
from bokeh.models import BoxAnnotation, LabelSet, Range1d, Span
from bokeh.models.sources import ColumnDataSource
from bokeh.plotting import figure

# Meaning: (light, dark). Figures are drawn in the light set and the page script exchanges it on a dark page,
# so no colour may stand for two meanings. The base is Okabe and Ito's colour-blind-safe palette.
COLOURS = {
    "paper": ("#ffffff", "#12181f"),
    "ink": ("#1b2733", "#e6ecf2"),
    "quiet": ("#5b6b7a", "#9dabb8"),
    "grid": ("#e6eaee", "#2a343e"),
    "curve": ("#0b6fb8", "#5cb3f0"),
    "accepted": ("#009e73", "#2bbf94"),
    "target": ("#e69f00", "#f0b73c"),
    "edge": ("#1a1a1a", "#fff3d6"),
    "loss": ("#d55e00", "#f08a45"),
    "loss_ink": ("#ab4a00", "#f5a46c"),
    # A family of curves by acceptance rate in percent: further from the paper as acceptance grows.
    "rate_50": ("#4394ea", "#026baa"),
    "rate_70": ("#2b7ed2", "#0580c8"),
    "rate_80": ("#0d6abc", "#2494e2"),
    "rate_85": ("#01579f", "#42acfb"),
    "rate_90": ("#014680", "#7fc4fe"),
    "rate_95": ("#013260", "#b8ddfe"),
}

INK, QUIET, GRID, PAPER = (COLOURS[meaning][0] for meaning in ("ink", "quiet", "grid", "paper"))
CURVE, ACCEPTED, TARGET, EDGE, LOSS = (
    COLOURS[meaning][0] for meaning in ("curve", "accepted", "target", "edge", "loss")
)
FONT = "system-ui, sans-serif"
DASHED, DOTTED = "8 5", "2 3"  # as text: Bokeh 3.9.0 takes a list beside a source for a column


def plot(name: str, x_axis_label: str, y_axis_label: str, **options: Any) -> figure:  # noqa: ANN401 - Bokeh's own
    """Return a quiet plot, its ranges named <name>_x and <name>_y for the page script."""
    options = {"x_range": Range1d(0, 1), "y_range": Range1d(0, 1)} | options
    fig = figure(
        height=360,
        sizing_mode="stretch_width",
        tools="",
        toolbar_location=None,
        x_axis_label=x_axis_label,
        y_axis_label=y_axis_label,
        outline_line_color=None,
        background_fill_color=None,
        border_fill_color=None,
        min_border_left=66,
        min_border_top=6,
        min_border_right=12,
        **options,
    )
    fig.x_range.name, fig.y_range.name = f"{name}_x", f"{name}_y"
    fig.xgrid.visible = False
    fig.ygrid.grid_line_color = GRID
    for axis in fig.axis:
        axis.axis_line_color = axis.major_tick_line_color = QUIET
        axis.minor_tick_line_color = None
        axis.major_label_text_color, axis.axis_label_text_color = QUIET, INK
        axis.major_label_text_font = axis.axis_label_text_font = FONT
        axis.major_label_text_font_size, axis.axis_label_text_font_size = "12px", "13px"
        axis.axis_label_text_font_style = "normal"
    return fig


def mark_break_even(fig: figure) -> None:
    """Draw the line of speedup 1, and shade the loss below it."""
    fig.add_layout(BoxAnnotation(top=1, fill_color=LOSS, fill_alpha=0.08, level="underlay"))
    fig.add_layout(Span(location=1, dimension="width", line_color=LOSS, line_dash=DASHED, line_width=1.5))


def slim(fig: figure) -> None:
    """Leave out the glyphs' looks while others are selected or muted: nothing ever is."""
    for renderer in fig.renderers:
        renderer.nonselection_glyph = renderer.muted_glyph = "auto"  # what Bokeh leaves out


def add_labels(fig: figure, name: str) -> ColumnDataSource:
    """Let the page script write into the figure: it alone words labels, and finds them room.

    Return the labels' source: from (x, y) leads a line to (lead_x, lead_y) where a label stands apart.
    """
    columns = ("x", "y", "text", "dx", "dy", "align", "colour", "weight", "lead_x", "lead_y")
    source = ColumnDataSource({column: [] for column in columns}, name=f"{name}_labels")
    fig.add_layout(
        LabelSet(
            x="x",
            y="y",
            text="text",
            x_offset="dx",
            y_offset="dy",
            text_align="align",
            text_baseline="middle",
            text_color="colour",
            text_font_style="weight",
            text_font=value(FONT),
            text_font_size="13px",
            background_fill_color=PAPER,
            background_fill_alpha=0.7,
            source=source,
        )
    )
    return source
