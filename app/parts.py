"""What Bokeh draws and reads of a lab: its sources and figures, its sliders and choices."""

import logging
from collections.abc import Callable
from types import ModuleType
from typing import Any, TypeAlias

import numpy as np
import param
from bokeh.models import CheckboxGroup, ColumnDataSource, RadioGroup, Slider, TextInput
from bokeh.plotting import figure

from app import page
from labs import theme
from labs.state import State

Control: TypeAlias = Slider | RadioGroup | TextInput


def sources(lab: ModuleType, state: State) -> dict[str, ColumnDataSource]:
    """Return the sources that a lab's figures draw from, by name; of those below it, none has a row yet."""
    data = columns(lab, state)
    if module := page.below(lab):
        for section in module.SECTIONS:
            data |= nothing(module, section)
    return {key: ColumnDataSource(data, name=key) for key, data in data.items()}


def figures(lab: ModuleType, sources: dict[str, ColumnDataSource]) -> dict[str, figure]:
    """Return a lab's figures and those of what opens below it, by name."""
    module = page.below(lab)
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
        css = [page.asset("styles/choice.css")]
        return RadioGroup(
            name=key, labels=parameter.objects, active=at, inline=True, margin=0, stylesheets=css
        )
    return Slider(
        name=key,
        value=parameter.default,
        **page.span(parameter),
        show_value=False,
        bar_color=theme.CURVE,
        margin=0,
        min_width=0,
        sizing_mode="stretch_width",
        stylesheets=[page.asset("styles/slider.css")],
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
