"""One lab's page: its widgets, its sources and figures, and the template that lays them out."""

from collections.abc import Iterable
from importlib.metadata import version
from importlib.resources import files
from types import ModuleType
from typing import Any

import panel as pn
import param
from bokeh.models import ColumnDataSource
from jinja2 import Environment, FileSystemLoader, Template

from labs import theme

ASSETS = files("assets")
KEYS = {
    "acceptance_rate": "a",
    "draft_length": "k",
    "draft_cost": "c",
    "burst_length": "n",
    "seed": "seed",
}


def asset(name: str) -> str:
    """The text of one of the files in assets/."""
    return (ASSETS / name).read_text(encoding="utf-8")


def name(lab: ModuleType) -> str:
    """The lab's name, in the address of its page and in its files."""
    return lab.__name__.rpartition(".")[2]


def home(labs: Iterable[ModuleType], suffix: str) -> str:
    """The page that links the labs; the suffix is what their addresses end with."""
    cards = [{"name": name(lab), "heading": lab.TITLE, "description": lab.DESCRIPTION} for lab in labs]
    return template("home").render(labs=cards, suffix=suffix, style=style(), version=version("guess-ahead"))


def template(page: str) -> Template:
    """A lab's page template, with the templates that it extends within reach."""
    return Environment(loader=FileSystemLoader(str(ASSETS)), autoescape=False).get_template(f"{page}.html")  # noqa: S701


def style() -> str:
    """The style sheet: the colours by meaning, then all that uses them."""
    colours = "".join(f"--{name}:light-dark({light},{dark});" for name, (light, dark) in theme.COLOURS.items())
    return f":root{{{colours}}}\n{asset('style.css')}"


def script(lab: str) -> str:
    """The page script of a lab, whole."""
    return "\n".join(asset(f"{part}.js") for part in ("numbers", "labels", lab, "page"))


def widgets(state: param.Parameterized) -> dict[str, pn.widgets.Widget]:
    """One widget for each part of a lab's state; the page writes labels and values beside them."""
    return {name: widget(parameter) for name, parameter in parameters(state).items()}


def widget(parameter: param.Parameter) -> pn.widgets.Widget:
    """A slider for a number, radio buttons for a choice."""
    if isinstance(parameter, param.Selector):
        return pn.widgets.RadioBoxGroup(
            name="", options=parameter.objects, value=parameter.default, inline=True, margin=0, stylesheets=[asset("choice.css")],
        )
    kind = pn.widgets.IntSlider if isinstance(parameter, param.Integer) else pn.widgets.FloatSlider
    return kind(
        name="",
        start=parameter.bounds[0],
        end=parameter.bounds[1],
        step=parameter.step or 1,
        value=parameter.default,
        show_value=False,
        margin=0,
        bar_color=theme.CURVE,
        stylesheets=[asset("slider.css")],
        sizing_mode="stretch_width",
    )


def parameters(state: param.Parameterized) -> dict[str, param.Parameter]:
    """The parameters of a lab's state, in their order on the page."""
    return {name: parameter for name, parameter in state.param.objects().items() if name != "name"}


def sliders(state: param.Parameterized) -> list[dict[str, Any]]:
    """What the template says of each slider."""
    return [
        {"name": name, "key": KEYS[name], "label": p.label, "start": p.bounds[0], "end": p.bounds[1], "step": p.step or 1, "value": p.default}
        for name, p in parameters(state).items()
        if isinstance(p, param.Number)
    ]


def served(lab: ModuleType) -> pn.Template:
    """A lab's page, alive: every move of a slider recomputes the columns and replaces the sources' data."""
    state = lab.State()
    sources = {key: ColumnDataSource(data, name=key) for key, data in lab.columns(**values(state)).items()}
    controls = widgets(state)

    def update(*events: param.parameterized.Event) -> None:
        state.param.update({key: snapped(state.param[key], widget.value) for key, widget in controls.items()})
        for key, data in lab.columns(**values(state)).items():
            sources[key].data = data

    page = pn.Template(template(name(lab)))
    for key, widget in controls.items():
        widget.param.watch(update, "value")
        page.add_panel(key, widget)
    for key, fig in lab.figures(sources).items():
        page.add_panel(key, pn.pane.Bokeh(fig, sizing_mode="stretch_width"))
    for key, value in {
        "lab": name(lab),
        "heading": lab.TITLE,
        "description": lab.DESCRIPTION,
        "sliders": sliders(state),
        "colours": theme.COLOURS,
        "style": style(),
        "script": script(name(lab)),
    }.items():
        page.add_variable(key, value)
    return page


def values(state: param.Parameterized) -> dict[str, Any]:
    return {name: getattr(state, name) for name in state.param if name != "name"}


def snapped(parameter: param.Number, value: float) -> float:
    """A slider's value as a whole number over its steps per unit: its own sums end beside them."""
    if isinstance(parameter, param.Selector):
        return value
    per_unit = round(1 / (parameter.step or 1))
    low, high = parameter.bounds
    return min(high, max(low, round(value * per_unit) / per_unit))
