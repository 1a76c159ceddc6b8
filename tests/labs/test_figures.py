"""What the labs draw, without a browser: lines, marks, hatching, colours; and states that nothing spoils."""

import math
import re
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import param
import pytest
from bokeh.models import BoxAnnotation, Glyph, HArea, HBar, HSpan, Line, Quad, Scatter, Segment, Span, VSpan
from bokeh.plotting import figure
from pages import ASSETS

from app import page, parts
from labs import burst, flatten, peaks, theme
from labs.state import snapped

BURST = burst.State().arguments()
PLOTS = {"tokens": flatten, "speedup": flatten, "trace": burst, "histogram": burst, "peaks": peaks}
TEXT = {"ink", "quiet", "curve", "loss_ink"}
HATCHED = ("/", theme.LOSS)
# As Bokeh keeps a dash that is the same for a whole line.
DASHED, DOTTED = ([int(pixels) for pixels in dash.split()] for dash in (theme.DASHED, theme.DOTTED))


def drawn(name: str) -> figure:
    lab = PLOTS[name]
    return lab.figures(parts.sources(lab, lab.State()))[f"{name}_figure"]


def looks(fig: figure, kind: type, *properties: str) -> list[tuple[Any, ...]]:
    """Return all glyphs of a kind: their source's name, then these properties, a column by its name."""

    def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a glyph has
        return getattr(value, "field", getattr(value, "value", value))

    return [
        (drawer.data_source.name, *(plain(getattr(drawer.glyph, name)) for name in properties))
        for drawer in fig.renderers
        if type(drawer.glyph) is kind and drawer.visible
    ]


def test_a_page_carries_each_glyph_once() -> None:
    for lab in page.PAGES:
        for fig in parts.figures(lab, parts.sources(lab, lab.State())).values():
            glyphs = [model for model in fig.references() if isinstance(model, Glyph)]
            assert len(fig.renderers) == len(glyphs)


def test_the_ceiling_is_a_dashed_line() -> None:
    expected = [("readout", "ceiling", theme.INK, theme.DASHED)]
    assert expected == looks(drawn("tokens"), HSpan, "y", "line_color", "line_dash")


@pytest.mark.parametrize(("name", "y"), [("tokens", "tokens_per_step"), ("speedup", "speedup")])
def test_a_curve_has_a_point_at_each_draft_length_and_a_larger_one_at_the_best(name: str, y: str) -> None:
    curve, best = ("curve", "draft_length", y), ("readout", "best_draft_length", y)
    reaching = [("readout", "draft_length_95", "tokens_per_step_95", "diamond", 11)] * (name == "tokens")
    expected = [(*curve, "circle", 6), *reaching, (*best, "circle", 13)]
    assert expected == looks(drawn(name), Scatter, "x", "y", "marker", "size")
    one_rate = ("one_rate", "draft_length", y, DOTTED)
    assert [one_rate, (*curve, [])] == looks(drawn(name), Line, "x", "y", "line_dash")
    stem = ("readout", "best_draft_length", 0, "best_draft_length", y, theme.DOTTED)
    assert [stem] == looks(drawn(name), Segment, "x0", "y0", "x1", "y1", "line_dash")


@pytest.mark.parametrize("name", ["speedup", "peaks"])
def test_break_even_and_all_below_it_are_marked_as_loss(name: str) -> None:
    [line], [area] = (list(drawn(name).select({"type": kind})) for kind in (Span, BoxAnnotation))
    expected = (1, "width", theme.LOSS, DASHED)
    assert expected == (line.location, line.dimension, line.line_color, line.line_dash)
    assert (1, theme.LOSS, 0.08) == (area.top, area.fill_color, area.fill_alpha)
    sides = ["left", "right", "bottom"]
    assert sides == [getattr(area, side).symbol for side in sides]  # the frame's own


def test_each_acceptance_rate_has_a_curve_with_a_colour_and_a_dash_of_its_own() -> None:
    curves = looks(drawn("peaks"), Line, "x", "y", "line_color", "line_dash", "line_width")
    expected = [
        ("curves", "draft_length", f"speedup_{rate}", theme.COLOURS[f"rate_{rate}"][0], dash, 2.5)
        for rate, dash in zip((50, 70, 80, 85, 90, 95), peaks.DASHES, strict=True)
    ]
    assert expected == curves
    assert len(curves) == len({tuple(dash) for *_, dash, _ in curves})


def test_a_dash_is_more_solid_the_higher_the_acceptance_rate() -> None:
    inked = [sum(dash[::2]) / sum(dash) if dash else 1 for dash in peaks.DASHES]
    assert sorted(inked) == inked


def test_a_point_marks_where_each_curve_peaks() -> None:
    expected = [("peaks", "best_draft_length", "speedup", "circle", 20, theme.PAPER, theme.INK)]
    properties = "x", "y", "marker", "size", "fill_color", "line_color"
    assert expected == looks(drawn("peaks"), Scatter, *properties)


def test_the_rule_of_thumb_is_a_shaded_box_and_what_the_formula_gives_a_dotted_one() -> None:
    expected = [
        ("readout", 3, 8, 2, 6, theme.GRID, "rule_holds"),
        ("readout", 3, 8, "rule_low", "rule_high", None, 1.0),
    ]
    sides = ("left", "right", "bottom", "top")
    assert expected == looks(drawn("peaks"), Quad, *sides, "fill_color", "fill_alpha")
    edges = [(None, 1.0, []), (theme.QUIET, "rule_holds", theme.DOTTED)]
    edge = ("line_color", "line_alpha", "line_dash")
    assert edges == [found[1:] for found in looks(drawn("peaks"), Quad, *edge)]


def test_a_step_is_a_row_of_accepted_guesses_the_targets_token_and_guesses_thrown_away() -> None:
    runs = looks(drawn("trace"), HBar, "y", "height", "left", "right", "fill_color")
    ends = ["accepted", "settled", "cells"]
    expected = zip([0, *ends], ends, [theme.ACCEPTED, theme.TARGET, theme.LOSS], strict=False)
    assert {("trace", "step", "height", *run) for run in expected} == {run for run in runs if run[-1]}


def test_guesses_thrown_away_are_hatched_in_rows_or_as_one_area() -> None:
    hatch = "hatch_pattern", "hatch_color"
    rows = [row for row in looks(drawn("trace"), HBar, "left", "right", *hatch) if row[3] is not None]
    assert [("trace", "settled", "hatched", *HATCHED)] == rows
    areas = looks(drawn("trace"), HArea, "x1", "x2", "y", *hatch)
    assert [("trace", "settled", "hatched_area", "step", *HATCHED)] == areas


@pytest.mark.parametrize("rows", [40, 50, 51, 400])
def test_up_to_fifty_rows_have_gaps_edges_and_hatching_of_their_own(rows: int) -> None:
    state = BURST | {"acceptance_rate": 0.0, "burst_length": rows}  # one token a step
    trace = {name: column.tolist() for name, column in burst.columns(**state)["trace"].items()}
    height, edge, *hatched = (0.84, 1, "cells", "settled") if rows <= 50 else (1, 0, "settled", "cells")
    assert ([height] * rows, [edge] * rows) == (trace["height"], trace["edge"])
    assert [trace[end] for end in hatched] == [trace["hatched"], trace["hatched_area"]]
    assert [1] * rows == trace["settled"]
    assert [1 + BURST["draft_length"]] * rows == trace["cells"]


def test_a_gap_separates_the_cells_of_all_rows() -> None:
    [gaps] = [drawer for drawer in drawn("trace").renderers if isinstance(drawer.glyph, VSpan)]
    assert list(range(1, burst.LONGEST_DRAFT + 1)) == list(gaps.data_source.data["x"])
    assert (None, "x", theme.PAPER) == looks(drawn("trace"), VSpan, "x", "line_color")[0]


def test_lines_mark_p50_p99_plain_decoding_and_a_runs_timeout() -> None:
    quantiles = [("readout", name, theme.INK, theme.DOTTED) for name in ("p50", "p99")]
    plain_decoding = ("readout", "burst_length", theme.LOSS, theme.DASHED)
    timeout = ("run", "timeout_99", theme.INK, [])
    lines = looks(drawn("histogram"), VSpan, "x", "line_color", "line_dash")
    assert [*quantiles, timeout, plain_decoding] == lines


def test_a_dash_at_the_exact_height_lies_over_each_bar() -> None:
    bar = ("histogram", "left", "right", "bursts", 0)
    assert [bar] == looks(drawn("histogram"), Quad, "left", "right", "top", "bottom")
    dash = ("histogram", "left", "exact", "right", "exact", theme.INK)
    assert [dash] == looks(drawn("histogram"), Segment, "x0", "y0", "x1", "y1", "line_color")


def luminance(colour: str) -> float:
    """Return the relative luminance of WCAG 2.2."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(meaning: str, dark: int) -> float:
    """Return the contrast with the paper, of WCAG 2.2."""
    low, high = sorted(luminance(theme.COLOURS[name][dark]) for name in (meaning, "paper"))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("dark", [0, 1])
@pytest.mark.parametrize("meaning", sorted(TEXT))
def test_text_can_be_read(meaning: str, dark: int) -> None:
    assert contrast(meaning, dark) >= 4.5  # WCAG 2.2, 1.4.3, level AA


@pytest.mark.parametrize("dark", [0, 1])
def test_curves_stand_out_more_the_higher_the_acceptance_rate(dark: int) -> None:
    contrasts = [contrast(f"rate_{100 * rate:.0f}", dark) for rate in peaks.ACCEPTANCE_RATES]
    assert contrasts[0] >= 3  # WCAG 2.2, 1.4.11, level AA
    assert all(more / less > 1.25 for less, more in pairwise(contrasts))  # six steps in a range of four


def test_no_other_colour_is_used_for_text() -> None:
    files = [file for file in ASSETS.rglob("*") if file.suffix in {".css", ".js"}]
    assets = "".join(file.read_text(encoding="utf-8") for file in files)
    assert TEXT == set(re.findall(r'(?:(?<![-\w])color: var\(--|colour: ")(\w+)', assets))
    texts = {
        getattr(axis, f"{text}_text_color")
        for name in PLOTS
        for axis in drawn(name).axis
        for text in ("axis_label", "major_label")
    }
    assert {theme.INK, theme.QUIET} == texts


@pytest.mark.parametrize("value", [math.nan, "x", "", "0,5", "1.5", "0.5_", None, [], {}], ids=repr)
@pytest.mark.parametrize("lab", page.LABS)
def test_what_is_no_number_and_no_choice_changes_nothing(lab: ModuleType, value: object) -> None:
    state = lab.State()
    state.take(**dict.fromkeys(state.controls(), value))
    assert lab.State().arguments() == state.arguments()


@pytest.mark.parametrize("value", [math.inf, -math.inf, 1e308, -1e308, 10**30, True, False, -0.0], ids=repr)
@pytest.mark.parametrize("lab", page.LABS)
def test_any_number_ends_up_on_the_sliders_grid(lab: ModuleType, value: float) -> None:
    state = lab.State()
    state.take(**dict.fromkeys(state.controls(), value))
    for name, parameter in state.controls().items():
        kept = getattr(state, name)
        if isinstance(parameter, param.Selector | param.String):
            assert parameter.default == kept
        else:
            low, high = parameter.bounds
            assert min(high, max(low, value)) == kept == snapped(parameter, kept)
            assert type(kept) is (int if isinstance(parameter, param.Integer) else float)


def test_an_integer_beyond_all_doubles_is_clamped() -> None:
    state = burst.State()
    state.take(seed=10**400)
    assert state.seed == 9999
