"""The pages: their templates, what stands in them, their scripts and styles."""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files
from types import ModuleType
from typing import Any

import param
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
CONSTANTS = re.compile(r'const \{([\w\s,]+)\} = python\["([\w.]+)"\];')
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
        {"name": name(lab), "heading": lab.TITLE, "description": lab.DESCRIPTION, "plot": lab.CARD}
        for lab in PAGES
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
    return template("embed").render(style=style(), listener=asset("templates/listener.html").strip())


@cache
def template(page: str) -> Template:
    """Return a page's template, with the templates that it extends within reach."""
    loader = FileSystemLoader(str(ASSETS / "templates"))
    return Environment(loader=loader, autoescape=False).get_template(f"{page}.html")  # noqa: S701 - our own


def style() -> str:
    """Return the style sheet: the colours by meaning, then all that uses them."""
    colours = "".join(
        f"--{name}:light-dark({light},{dark});" for name, (light, dark) in theme.COLOURS.items()
    )
    return f":root{{{colours}}}\n{asset('styles/style.css')}"


def script(*parts: str) -> str:
    """Return these scripts of assets/ as one, in this order, without indentation and lines of comment.

    Indentation and comments are a sixth of the scripts' weight. No template literal runs over several lines.
    """
    text = "\n".join(asset(f"{part}.js") for part in parts)
    lines = (line.strip() for line in CONSTANTS.sub(_constants, text).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _constants(asked: re.Match[str]) -> str:
    """Return the constants that a script asks of a Python module, with their values.

    A constant is written once: const { SHORT } = python["model.engines.counts"]; becomes const SHORT = 0.99;
    """
    module = import_module(asked[2])
    values = {name: getattr(module, name) for name in re.findall(r"\w+", asked[1])}
    return f"const {', '.join(f'{name} = {_literal(value)}' for name, value in values.items())};"


def _literal(value: Any) -> str:  # noqa: ANN401 - whatever JSON can hold, and sets
    """Return a constant as JavaScript writes it: its numbers are the same to the last bit."""
    return json.dumps(sorted(value) if isinstance(value, frozenset | set) else value, separators=(",", ":"))


def around(*labs: ModuleType) -> tuple[str, ...]:
    """Return the scripts around the plots that these labs' pages have, served and exported."""
    views = [f"views/{view}" for lab in labs for view in (name(lab), *(["tail"] if below(lab) else []))]
    shared = ("sections", "controls", "address", "trials", "prediction", "pictures", "takeaway")
    return tuple(f"page/{part}" for part in ("labels", *views, *shared))


@cache
def still(plot: str) -> str:
    """Return the picture of a plot at its defaults, its colours those of the page."""

    def meaning(colour: re.Match[str]) -> str:
        digits = colour[1] or "".join(f"{int(part):02x}" for part in colour.groups()[1:])
        return f'"var(--{LIGHT[digits]})"' if digits in LIGHT else colour[0]

    return re.sub(r'"(?:#(\w{6})|rgb\((\d+),(\d+),(\d+)\))"', meaning, asset(f"stills/{plot}.svg"))


def below(lab: ModuleType) -> ModuleType | None:
    """Return what opens below a lab, if anything does."""
    return getattr(lab, "BELOW", None)


def sliders(state: type[State]) -> list[dict[str, Any]]:
    """Return what the template asks for of each slider."""
    return [
        {"name": key, "key": KEYS[key], "label": p.label, "value": p.default, **span(p)}
        for key, p in state.controls().items()
        if isinstance(p, param.Number)
    ]


def span(parameter: param.Number) -> dict[str, float]:
    """Return where a slider starts and ends, and its step."""
    return {"start": parameter.bounds[0], "end": parameter.bounds[1], "step": parameter.step or 1}


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
        "scripts": [{"text": script("page/numbers", *around(lab), "page/connection", "page/page")}],
    }
