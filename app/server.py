"""The labs behind one server, with a home page that links them."""

import sys
from collections.abc import Callable
from types import ModuleType

import panel as pn
from tornado.web import RequestHandler

from app import page
from labs import burst, flatten

LABS: tuple[ModuleType, ...] = (flatten, burst)


class HomeHandler(RequestHandler):
    """The home page, at the root."""

    def get(self) -> None:
        """Send the page."""
        self.write(page.home(LABS, suffix=""))


def serve(port: int, address: str) -> None:
    """Serve the labs until interrupted; a person at a terminal gets them opened in a browser."""
    pn.serve(
        {page.name(lab): _session(lab) for lab in LABS},
        port=port,
        address=address,
        websocket_origin=[f"{host}:{port}" for host in {address, "localhost", "127.0.0.1"}],
        extra_patterns=[("/", HomeHandler)],
        show=sys.stdout.isatty(),
    )


def _session(lab: ModuleType) -> Callable[[], pn.Template]:
    """Return what makes one visitor's page; Panel shares anything but a plain function between all visitors."""
    return lambda: page.served(lab)
