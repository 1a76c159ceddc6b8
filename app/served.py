"""The labs behind one server, with a home page that links them."""

import asyncio
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import panel as pn
import param
from tornado.ioloop import IOLoop
from tornado.web import RequestHandler
from tornado.websocket import WebSocketClosedError

from app import export, page
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

    def get(self) -> None:
        """Send the page."""
        self.write(page.home(suffix=""))


class MeasuredHandler(RequestHandler):
    """The page that reads a server's own numbers in the browser, as it is exported."""

    def get(self) -> None:
        """Send the page."""
        self.write(export.single(measured, suffix=""))


def serve(port: int, address: str) -> None:
    """Serve the labs until interrupted; a person at a terminal gets them opened in a browser."""
    IOLoop.current().add_callback(
        lambda: asyncio.get_running_loop().set_exception_handler(_log_unless_closed)
    )
    pn.serve(
        {page.name(lab): _session(lab) for lab in page.LABS},
        port=port,
        address=address,
        websocket_origin=[f"{host}:{port}" for host in {_bracketed(address), "localhost", "127.0.0.1"}],
        extra_patterns=[("/", HomeHandler), ("/measured", MeasuredHandler)],
        show=sys.stdout.isatty(),
    )


def _bracketed(address: str) -> str:
    """Return an address as it stands before a port: one of IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


def _session(lab: ModuleType) -> Callable[[], pn.Template]:
    """Return what makes one visitor's page: Panel shares all but plain functions between visitors."""
    return lambda: served(lab)


def _log_unless_closed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong, unless a visitor has closed the page while a message was on its way."""
    if not isinstance(context.get("exception"), WebSocketClosedError):
        loop.default_exception_handler(context)
