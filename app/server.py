"""The server behind both ways of serving: what it listens on, how much it takes in, whom it answers."""

import asyncio
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import panel as pn
from tornado import netutil
from tornado.ioloop import IOLoop
from tornado.web import ErrorHandler, RequestHandler
from tornado.websocket import WebSocketClosedError

from app import log, seats, security

MESSAGE = BODY = 2**16  # bytes that a browser may send at once: a move of a slider takes 500
BACKLOG = 2048  # connections that may wait to be let in, where the system has no lower limit
PATIENCE = 30  # seconds for a request to come in; a connection without one is closed

App = Callable[[], None]  # fills the document of the session at hand
Route = tuple[str, type[RequestHandler]] | tuple[str, type[RequestHandler], dict[str, Any]]


class Place(NamedTuple):
    """Where a server is reached: the port and address that it listens on, and a path before all others.

    Origins are the hosts, with their ports, whose pages may talk to it, beside its own.
    """

    port: int
    address: str
    prefix: str = ""
    origins: Sequence[str] = ()


def run(place: Place, apps: Mapping[str, App], routes: Sequence[Route], **options: Any) -> None:  # noqa: ANN401
    """Serve apps and routes until interrupted; further options are those of Panel, Bokeh and Tornado."""
    log.write_lines()
    allow_many_connections()
    seats.take_part()
    IOLoop.current().add_callback(
        lambda: asyncio.get_running_loop().set_exception_handler(_log_unless_closed)
    )
    own = [f"{host}:{place.port}" for host in {_bracketed(place.address), "localhost", "127.0.0.1"}]
    pn.serve(
        dict(apps),
        port=place.port,
        address=place.address,
        prefix=place.prefix,
        websocket_origin=[*own, *place.origins],
        extra_patterns=[
            *routes,
            (r"/components/.*", ErrorHandler, {"status_code": 404}),
        ],  # would import by name
        use_index=False,
        transforms=[security.Headers],
        websocket_max_message_size=MESSAGE,
        http_server_kwargs={
            "idle_connection_timeout": PATIENCE,
            "body_timeout": PATIENCE,
            "max_body_size": BODY,
        },
        sign_sessions=True,  # so that a session begins with a page that was asked for
        secret_key=secrets.token_bytes(),
        **{"show": sys.stdout.isatty()} | options,
    )


def allow_many_connections() -> None:
    """Let the process hold as many connections as the system lets it, and have a class wait at the door.

    A shell's 1,024 files are few. Of Tornado's 128 at the door, Bokeh knows no way to ask for more; a browser
    that finds it full tries again a second later.
    """
    netutil.bind_sockets = partial(netutil.bind_sockets, backlog=BACKLOG)
    with suppress(ImportError, ValueError, OSError):  # not on Windows; macOS refuses what it calls unlimited
        import resource  # noqa: PLC0415 - there is none on Windows

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _bracketed(address: str) -> str:
    """Return an address as it stands before a port: one of IPv6 in brackets."""
    return f"[{address}]" if ":" in address else address


def _log_unless_closed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log what went wrong, unless a visitor has closed the page while a message was on its way."""
    if not isinstance(context.get("exception"), WebSocketClosedError):
        loop.default_exception_handler(context)
