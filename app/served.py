"""The labs behind one server, with a home page that links them."""

from functools import cache
from types import ModuleType

import panel as pn
from bokeh.document import Document
from tornado.web import RequestHandler, addslash

from app import export, page, parts, security, server, teacher, turns
from app.below import Below
from labs import measured


def served(lab: ModuleType) -> None:
    """Make a visitor's document a lab's page, alive."""
    document = pn.io.init_doc(pn.state.curdoc)
    alive = Alive(lab, document)
    with document.models.freeze():
        for root in alive.roots:
            document.add_root(root)
    document.template = page.template(page.name(lab))
    document.template_variables.update(page.variables(lab))


class Alive:
    """A lab in a visitor's document: moves of its sliders recompute the columns and replace the data.

    However many moves have come while the server was busy, they are one update, to where the sliders are now.
    """

    def __init__(self, lab: ModuleType, document: Document) -> None:
        """Make what the page shows, and listen to its controls."""
        self.lab, self.document, self.state = lab, document, lab.State()
        self.sources = parts.sources(lab, self.state)
        self.controls = parts.controls(lab.State)
        self.below = Below(lab, self.state, self.sources, document) if page.below(lab) else None
        self.roots = [
            *self.controls.values(),
            *(self.below.roots if self.below else ()),
            *parts.figures(lab, self.sources).values(),
        ]
        self.waiting = False
        for control in self.controls.values():
            parts.listen(control, self.moved)

    def moved(self) -> None:
        """See to it that an update follows once all that has come is read."""
        if not self.waiting:
            self.waiting = True
            turns.wait(self.document, self.update)

    def update(self) -> None:
        """Recompute for where the controls are."""
        self.waiting = False
        self.state.take(**parts.chosen(self.controls))
        with pn.io.hold(self.document):  # one message for all sources, so that the page is painted once
            for key, data in parts.columns(self.lab, self.state).items():
                self.sources[key].data = data
        if self.below:
            self.below.ask()


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
        content, policy = _measured()
        self.set_header("Content-Security-Policy", policy)
        self.write(content)


@cache
def _measured() -> tuple[bytes, str]:
    """Return the page and its policy, worked out once: digests of 1.9 MB of scripts take a while."""
    html = export.single(measured, suffix="")
    return html.encode(), security.policy(html, framed=True)


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
