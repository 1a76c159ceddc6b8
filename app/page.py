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
    colours = "".join(
        f"--{name}:light-dark({light},{dark});" for name, (light, dark) in theme.COLOURS.items()
    )
    return f":root{{{colours}}}\n{asset('style.css')}"


def script(lab: str) -> str:
    """The page script of a lab, whole."""
    return "\n".join(asset(f"{part}.js") for part in ("numbers", "labels", lab, "page"))


def widget(parameter: param.Parameter) -> pn.widgets.Widget:
    """Return a slider for a number, radio buttons for a choice; the page writes label and value beside them."""
    looks = {"name": "", "value": parameter.default, "margin": 0}
    if isinstance(parameter, param.Selector):
        css = [asset("choice.css")]
        return pn.widgets.RadioBoxGroup(options=parameter.objects, inline=True, stylesheets=css, **looks)
    kind = pn.widgets.IntSlider if isinstance(parameter, param.Integer) else pn.widgets.FloatSlider
    return kind(
        **span(parameter),
        show_value=False,
        bar_color=theme.CURVE,
        stylesheets=[asset("slider.css")],
        sizing_mode="stretch_width",
        **looks,
    )


def span(parameter: param.Number) -> dict[str, float]:
    """Return where a slider starts and ends, and its step."""
    return {"start": parameter.bounds[0], "end": parameter.bounds[1], "step": parameter.step or 1}


def variables(lab: ModuleType) -> dict[str, Any]:
    """Return what the template of a lab's page asks for, beside the models to embed."""
    return {
        "lab": name(lab),
        "heading": lab.TITLE,
        "description": lab.DESCRIPTION,
        "sliders": [
            {"name": key, "key": KEYS[key], "label": p.label, "value": p.default, **span(p)}
            for key, p in lab.State.controls().items()
            if isinstance(p, param.Number)
        ],
        "colours": theme.COLOURS,
        "style": style(),
        "script": script(name(lab)),
    }


def served(lab: ModuleType) -> pn.Template:
    """Return a lab's page, alive: every move of a slider recomputes the columns and replaces the sources' data."""
    state = lab.State()
    sources = {
        key: ColumnDataSource(data, name=key) for key, data in lab.columns(**state.arguments()).items()
    }
    widgets = {key: widget(parameter) for key, parameter in state.controls().items()}

    def update(*_: param.parameterized.Event) -> None:
        state.take(**{key: control.value for key, control in widgets.items()})
        for key, data in lab.columns(**state.arguments()).items():
            sources[key].data = data

    page = pn.Template(template(name(lab)))
    for key, control in widgets.items():
        control.param.watch(update, "value")
        page.add_panel(key, control)
    for key, figure in lab.figures(sources).items():
        page.add_panel(key, pn.pane.Bokeh(figure, sizing_mode="stretch_width"))
    for key, value in variables(lab).items():
        page.add_variable(key, value)
    return page
