"""The bytes of the exported labs, raw and gzipped, beside Panel's own ways to save the same lab."""

import gzip
import io
import itertools
import logging
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType

import panel as pn
import param
from bench_timing import aim, heading
from bokeh.models import ColumnDataSource
from bokeh.resources import INLINE

from app import page, parts
from labs.state import State

OPTIONS = 11  # values of a slider in panel.save(embed=True), and two sliders are alive
OWN_WEIGHT = 25.0  # kB, gzipped


def report_bytes(folder: Path) -> None:
    """Print the section, for the labs exported into the folder."""
    heading("exported: bytes, raw and gzip -9, in kB")
    scripts = sorted((folder / "shared/static").iterdir())
    bokehjs = sum(_gzipped(script.read_bytes()) for script in scripts if "bokeh" in script.name)
    print(f"  {'':<58}{'raw':>9}{'gzip':>9}")
    for lab in page.LABS:
        name = page.name(lab)
        own = _print(f"{name}.html", (folder / f"{name}.html").read_bytes()) - bokehjs
        print(f"      {own:.1f} kB above the two files of BokehJS; {aim(own, OWN_WEIGHT, ' kB')}")
        _print(f"shared/{name}.html", (folder / f"shared/{name}.html").read_bytes())
        _print(f"{name}: panel.save(resources=INLINE)", _saved(lab))
        kept = " and ".join(itertools.islice(lab.State.controls(), 2))
        _print(f"{name}: panel.save(embed=True), {OPTIONS} x {OPTIONS}", _saved(lab, embed=True))
        print(f"      alive there: {kept} at {OPTIONS} values each; all others stand still")
    for script in scripts:
        _print(f"shared/static/{script.name}", script.read_bytes())


def _print(what: str, content: bytes) -> float:
    """Print what weighs how much; return the gzipped kilobytes."""
    gzipped = _gzipped(content)
    print(f"  {what:<58}{len(content) / 1000:>9.1f}{gzipped:>9.1f}", flush=True)
    return gzipped


def _gzipped(content: bytes) -> float:
    return len(gzip.compress(content, 9)) / 1000


def _saved(lab: ModuleType, *, embed: bool = False) -> bytes:
    """Return the lab as Panel saves it, with all inside; embedding adds what each setting replaces."""
    file = io.StringIO()
    logging.getLogger("bokeh").setLevel(logging.ERROR)
    with redirect_stdout(io.StringIO()):
        pn.io.save.save(
            _column(lab),
            file,
            resources=INLINE,
            embed=embed,
            max_states=OPTIONS * (OPTIONS + 1),
            max_opts=OPTIONS,
            embed_json=False,
            progress=False,
        )
    return file.getvalue().encode()


def _column(lab: ModuleType) -> pn.Column:
    """Return the lab's widgets over its figures, the first two widgets alive."""
    state = lab.State()
    sources = parts.sources(lab, state)
    widgets = {key: _widget(parameter) for key, parameter in state.controls().items()}
    for i, (key, control) in enumerate(widgets.items()):
        control.name = key
        if i < 2:
            control.param.watch(_updating(lab, state, sources, widgets), "value")
        else:
            control.disabled = True
    return pn.Column(*widgets.values(), *map(pn.pane.Bokeh, lab.figures(sources).values()))


def _widget(parameter: param.Parameter) -> pn.widgets.Widget:
    """Return Panel's own widget for a parameter, which is what Panel saves."""
    if isinstance(parameter, param.Selector):
        return pn.widgets.RadioBoxGroup(options=parameter.objects, value=parameter.default)
    kind = pn.widgets.IntSlider if isinstance(parameter, param.Integer) else pn.widgets.FloatSlider
    return kind(value=parameter.default, **page.span(parameter))


def _updating(
    lab: ModuleType,
    state: State,
    sources: dict[str, ColumnDataSource],
    widgets: dict[str, pn.widgets.Widget],
) -> Callable[[object], None]:
    def update(_: object) -> None:
        state.take(**{key: control.value for key, control in widgets.items()})
        for key, data in parts.columns(lab, state).items():
            sources[key].data = data

    return update
