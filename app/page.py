"""One lab's page: its widgets, its sources and figures, and the template that lays them out."""

import logging
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import param
from bokeh.models import CheckboxGroup, ColumnDataSource, RadioGroup, Slider, TextInput
from bokeh.plotting import figure
from jinja2 import Environment, FileSystemLoader, Template

from app import published
from labs import burst, flatten, measured, peaks, theme
from labs.state import State
from labs.trials import Trial

LABS: tuple[ModuleType, ...] = (flatten, burst, peaks)
PAGES = (*LABS, measured)  # the last lives in the browser alone: no server ever sees what is pasted
ASSETS = files("assets")
KEYS = {
    "acceptance_rate": "a",
    "draft_length": "k",
    "draft_cost": "c",
    "burst_length": "n",
    "seed": "seed",
    "position_rates": "q",
    "utilisation": "b",
    "run_length": "run",
    "decay": "d",
    "deviation": "s",
    "pass_time": "ms",
}
Control: TypeAlias = Slider | RadioGroup | TextInput
LIGHT = {light.removeprefix("#"): name for name, (light, _) in theme.COLOURS.items()}


def asset(name: str) -> str:
    """Return the text of one of the files in assets/."""
    return (ASSETS / name).read_text(encoding="utf-8")


def name(lab: ModuleType) -> str:
    """Return the lab's name, in the address of its page and in its files."""
    return lab.__name__.rpartition(".")[2]


@cache
def home(suffix: str, folder: str = "") -> str:
    """Return the page that links the labs: folder and suffix are what their addresses begin and end with."""
    cards = [
        {"name": name(lab), "heading": lab.TITLE, "description": lab.DESCRIPTION, "plot": plot}
        for lab, plot in zip(PAGES, ("speedup", "histogram", "peaks", "positions"), strict=True)
    ]
    return template("home").render(
        labs=cards,
        still=still,
        corrections=published.corrections(),
        folder=folder,
        suffix=suffix,
        style=style(),
        version=version("guess-ahead"),
    )


def full(lab: str, query: str, most: int) -> str:
    """Return the page that says that all live sessions are taken, with a link to the same lab as a file."""
    return template("full").render(lab=lab, query=query, most=most, style=style())


def embed() -> str:
    """Return the page that shows how to embed a lab."""
    return template("embed").render(style=style(), listener=asset("listener.html").strip())


@cache
def template(page: str) -> Template:
    """Return a page's template, with the templates that it extends within reach."""
    return Environment(loader=FileSystemLoader(str(ASSETS)), autoescape=False).get_template(f"{page}.html")  # noqa: S701


def style() -> str:
    """Return the style sheet: the colours by meaning, then all that uses them."""
    colours = "".join(
        f"--{name}:light-dark({light},{dark});" for name, (light, dark) in theme.COLOURS.items()
    )
    return f":root{{{colours}}}\n{asset('style.css')}"


def script(*parts: str) -> str:
    """Return these scripts of assets/ as one, in this order, without indentation and lines of comment.

    These are a sixth of the scripts' weight. No template literal runs over several lines.
    """
    lines = (line.strip() for part in parts for line in asset(f"{part}.js").splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def page_scripts(*labs: ModuleType) -> tuple[str, ...]:
    """Return the scripts that a page has in both ways of running, for these labs."""
    around = ("controls", "address", "trials", "prediction", "pictures", "takeaway")
    own = [part for lab in labs for part in (name(lab), *(["tail"] if below(lab) else []))]
    return ("labels", *own, "sections", *around)


@cache
def still(plot: str) -> str:
    """Return the picture of a plot at its defaults, its colours those of the page."""

    def meaning(colour: re.Match[str]) -> str:
        digits = colour[1] or "".join(f"{int(part):02x}" for part in colour.groups()[1:])
        return f'"var(--{LIGHT[digits]})"' if digits in LIGHT else colour[0]

    return re.sub(r'"(?:#(\w{6})|rgb\((\d+),(\d+),(\d+)\))"', meaning, asset(f"{plot}.svg"))


def below(lab: ModuleType) -> ModuleType | None:
    """Return what opens below a lab, if anything does."""
    return getattr(lab, "BELOW", None)


def sources(lab: ModuleType, state: State) -> dict[str, ColumnDataSource]:
    """Return the sources that a lab's figures draw from, by name; of those below it, none has a row yet."""
    data = columns(lab, state)
    if module := below(lab):
        for section in module.SECTIONS:
            data |= nothing(module, section)
    return {key: ColumnDataSource(data, name=key) for key, data in data.items()}


def figures(lab: ModuleType, sources: dict[str, ColumnDataSource]) -> dict[str, figure]:
    """Return a lab's figures and those of what opens below it, by name."""
    module = below(lab)
    plots: dict[str, figure] = lab.figures(sources) | (module.figures(sources) if module else {})
    for key, plot in plots.items():
        plot.name = key
        theme.slim(plot)
    return plots


def columns(lab: ModuleType, state: State) -> dict[str, dict[str, list[Any]]]:
    """Return a lab's columns as lists."""
    return {source: lists(data) for source, data in lab.columns(**state.arguments()).items()}


def lists(data: dict[str, Any]) -> dict[str, list[Any]]:
    """Return columns as lists: small as they are, they travel faster so than as arrays."""
    return {column: np.asarray(values).tolist() for column, values in data.items()}


def nothing(module: ModuleType, section: str) -> dict[str, dict[str, list[Any]]]:
    """Return the columns of a section that is closed: none has a row."""
    return {source: {column: [] for column in columns} for source, columns in module.SOURCES[section].items()}


def opened(module: ModuleType) -> CheckboxGroup:
    """Return what tells which sections are open; the page shows them itself."""
    return CheckboxGroup(name="opened", labels=list(module.SECTIONS), visible=False)


def controls(state: type[State]) -> dict[str, Control]:
    """Return a control for each parameter that a reader sets, by name."""
    return {key: control(key, parameter) for key, parameter in state.controls().items()}


def control(key: str, parameter: param.Parameter) -> Control:
    """Return a slider for a number, radio buttons for a choice; their labels stand in the template.

    A text is carried unseen: the page itself shows what it says.
    """
    if isinstance(parameter, param.String):
        return TextInput(name=key, value=parameter.default, visible=False)
    if isinstance(parameter, param.Selector):
        at = parameter.objects.index(parameter.default)
        css = [asset("choice.css")]
        return RadioGroup(
            name=key, labels=parameter.objects, active=at, inline=True, margin=0, stylesheets=css
        )
    return Slider(
        name=key,
        value=parameter.default,
        **span(parameter),
        show_value=False,
        bar_color=theme.CURVE,
        margin=0,
        min_width=0,
        sizing_mode="stretch_width",
        stylesheets=[asset("slider.css")],
    )


def listen(control: Control | CheckboxGroup, act: Callable[[], None]) -> None:
    """Have something done whenever a reader has moved a control."""
    name = "active" if isinstance(control, RadioGroup | CheckboxGroup) else "value"
    control.on_change(name, lambda attr, old, new: act())  # noqa: ARG005 - Bokeh insists on these names


def chosen(controls: dict[str, Control]) -> dict[str, Any]:
    """Return what the controls are set to, by name: whatever a browser has sent."""
    return {key: _chosen(control) for key, control in controls.items()}


def _chosen(control: Control) -> Any:  # noqa: ANN401 - as above
    """Return what a control is set to; of a choice that there is not, None."""
    if not isinstance(control, RadioGroup):
        return control.value
    if control.active not in range(len(control.labels)):
        logging.getLogger(__name__).warning("%s has no choice %s", control.name, control.active)
        return None
    return control.labels[control.active]


def span(parameter: param.Number) -> dict[str, float]:
    """Return where a slider starts and ends, and its step."""
    return {"start": parameter.bounds[0], "end": parameter.bounds[1], "step": parameter.step or 1}


def sliders(state: type[State]) -> list[dict[str, Any]]:
    """Return what the template asks for of each slider."""
    return [
        {"name": key, "key": KEYS[key], "label": p.label, "value": p.default, **span(p)}
        for key, p in state.controls().items()
        if isinstance(p, param.Number)
    ]


def _whole(trials: Sequence[Trial], defaults: dict[str, Any]) -> list[Trial]:
    """Return experiments that set every control of a lab: what one does not name goes to its default."""
    return [trial._replace(values=defaults | trial.values) for trial in trials]


def variables(lab: ModuleType) -> dict[str, Any]:
    """Return what the template of a lab's page asks for, beside the models to embed."""
    module = below(lab)
    defaults = lab.State.defaults() | (module.State.defaults() if module else {})
    return {
        "lab": name(lab),
        "parameters": list(lab.State.controls()),
        "setting": list(module.SETTING) if module else [],
        "heading": lab.TITLE,
        "description": lab.DESCRIPTION,
        "sliders": sliders(lab.State),
        "below": {of["name"]: of for of in sliders(module.State)} if module else {},
        "sources": module.SOURCES if module else {},
        "trials": _whole(lab.TRIALS, lab.State.defaults()),
        "trials_below": module.TRIALS if module else [],
        "defaults": defaults,
        "still": still,
        "rates": getattr(lab, "ACCEPTANCE_RATES", ()),
        "examples": getattr(lab, "EXAMPLES", {}),
        "version": version("guess-ahead"),
        "colours": theme.COLOURS,
        "style": style(),
        "scripts": [{"text": script("numbers", *page_scripts(lab), "connection", "page")}],
    }
