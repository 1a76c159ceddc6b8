"""The labs behind one server, with a home page that links them."""

from types import ModuleType

import panel as pn
import param
from tornado.web import RequestHandler, addslash

from app import export, page, server, teacher
from app.below import Below
from labs import measured


def served(lab: ModuleType) -> pn.Template:
    """Return a lab's page, alive: each move of a slider recomputes the columns and replaces the data."""
    state = lab.State()
    sources = page.sources(lab, state)
    widgets = {key: page.widget(parameter) for key, parameter in state.controls().items()}
    below = Below(lab, state, sources) if page.below(lab) else None

    def update(*_: param.parameterized.Event) -> None:
        state.take(**{key: control.value for key, control in widgets.items()})
        with pn.io.hold():  # one message for all sources, so that the page is painted once
            for key, data in page.columns(lab, state).items():
                sources[key].data = data
        if below:
            below.ask()

    template = pn.Template(page.template(page.name(lab)))
    for key, control in widgets.items():
        control.param.watch(update, "value")
        template.add_panel(key, control)
    for key, control in (below.roots if below else {}).items():
        template.add_panel(key, control)
    for key, figure in page.figures(lab, sources).items():
        template.add_panel(key, pn.pane.Bokeh(figure, sizing_mode="stretch_width"))
    for key, value in page.variables(lab).items():
        template.add_variable(key, value)
    return template


class HomeHandler(RequestHandler):
    """The home page, at the root."""

    @addslash
    def get(self) -> None:
        """Send the page."""
        self.write(page.home(suffix=""))


class MeasuredHandler(RequestHandler):
    """The page that reads a server's own numbers in the browser, as it is exported."""

    def get(self) -> None:
        """Send the page."""
        self.write(export.single(measured, suffix=""))


class TeacherHandler(RequestHandler):
    """The teacher's page."""

    def get(self) -> None:
        """Send the page."""
        self.write(teacher.sheet())


def serve(place: server.Place) -> None:
    """Serve the labs until interrupted; a person at a terminal gets them opened in a browser."""
    routes = [("/?", HomeHandler), ("/measured", MeasuredHandler), ("/teacher", TeacherHandler)]
    server.run(place, sessions(), routes)


def sessions() -> dict[str, server.App]:
    """Return what makes one visitor's page of each lab, by the lab's name."""
    return {page.name(lab): _session(lab) for lab in page.LABS}


def _session(lab: ModuleType) -> server.App:
    """Return what makes one visitor's page: Panel shares all but plain functions between visitors."""
    return lambda: served(lab)
