"""The thinnest Bokeh page with a slider and a plot: a plain script puts precomputed data in place at a move.

It is what an exported lab stands beside. BokehJS comes from the same two files, inside the page.
"""

import json

from bokeh.document import Document
from bokeh.embed.bundle import Bundle
from bokeh.embed.elements import html_page_for_render_items
from bokeh.embed.util import standalone_docs_json_and_render_items
from bokeh.layouts import column, row
from bokeh.models import ColumnDataSource, Slider
from bokeh.plotting import figure

from app.export import bokehjs

POINTS = range(1, 33)
SWAP = """<script>
const data = %s;
const waiting = setInterval(() => {
  const [doc] = Bokeh.documents;
  if (!doc?.is_idle) return;
  clearInterval(waiting);
  const sources = %s.map((name) => doc.get_model_by_name(name));
  const slider = doc.get_model_by_name("acceptance_rate");
  slider.properties.value.change.connect(() => {
    for (const source of sources) source.data = data[Math.round(100 * slider.value)];
  });
  document.documentElement.dataset.ready = "";
}, 1);
</script>
</body>"""


def floor_page(plots: int) -> str:
    """Return the page with so many plots, each with a source of its own; the last source is named curve."""
    names = [*(f"curve{i}" for i in range(1, plots)), "curve"]
    data = [_curve(position / 100) for position in range(101)]
    slider = Slider(start=0, end=1, step=0.01, value=0.8, title="a", name="acceptance_rate")
    document = Document()
    document.add_root(column(slider, row(*(_plot(name, data[80]) for name in names))))
    docs, items = standalone_docs_json_and_render_items([document])
    page = html_page_for_render_items(Bundle(js_raw=list(bokehjs().values())), docs, items, title="floor")
    before, _, after = page.rpartition("</body>")
    return before + SWAP % (json.dumps(data), json.dumps(names)) + after


def _curve(rate: float) -> dict[str, list[float]]:
    """Return the tokens per step over the draft lengths."""
    y = [1.0]
    for k in POINTS:
        y.append(y[-1] + rate**k)
    return {"x": list(POINTS), "y": y[1:]}


def _plot(name: str, data: dict[str, list[float]]) -> figure:
    fig = figure(height=360, width=586, tools="", toolbar_location=None, x_range=(0, 33), y_range=(0, 33))
    fig.line("x", "y", source=ColumnDataSource(data, name=name))
    return fig
