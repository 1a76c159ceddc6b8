"""The thinnest Panel app with a slider and a plot: all data is ready, and a move replaces one source.

`python tests/bench/bench_floor.py PORT` serves it, for the benchmark of the served labs to stand beside.
"""

import sys

import numpy as np
import panel as pn
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure
from jinja2 import Template

PAGE = """{% extends base %}{% block contents %}
{{ embed(roots.acceptance_rate) }}{{ embed(roots.plot) }}
{% endblock %}"""
POINTS = np.arange(1, 33)
DATA = [{"x": POINTS, "y": np.cumsum((position / 100) ** POINTS)} for position in range(101)]


def app() -> pn.Template:
    """Return one visitor's page."""
    source = ColumnDataSource(DATA[80], name="curve")
    fig = figure(height=360, width=500, tools="", toolbar_location=None, x_range=(0, 33), y_range=(0, 33))
    fig.line("x", "y", source=source)
    slider = pn.widgets.FloatSlider(start=0, end=1, step=0.01, value=0.8)

    def update(event: object) -> None:
        source.data = DATA[round(100 * event.new)]

    slider.param.watch(update, "value")
    page = pn.Template(Template(PAGE))
    page.add_panel("acceptance_rate", slider)
    page.add_panel("plot", pn.pane.Bokeh(fig))
    return page


if __name__ == "__main__":
    pn.serve({"floor": app}, port=int(sys.argv[1]), show=False)
