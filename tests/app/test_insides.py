"""The insides of Panel, Bokeh and Tornado that the server reaches into, in the releases it was made for."""

import inspect
from importlib.metadata import version

import pytest
from bokeh.server.urls import per_app_patterns
from bokeh.server.util import bind_sockets
from panel.io.server import DocHandler, WSHandler
from tornado import netutil

WRITTEN_FOR = {"panel": "1.9", "bokeh": "3.9", "tornado": "6"}


@pytest.mark.parametrize(("package", "release"), WRITTEN_FOR.items())
def test_the_server_was_written_for_this_release(package: str, release: str) -> None:
    assert f"{version(package)}.".startswith(f"{release}."), (
        f"app/seats.py and app/server.py reach into {package} {release}: read what they use in "
        f"{version(package)}, then say so here"
    )


def test_panel_serves_an_app_by_these_handlers() -> None:
    handlers = {address: handler.__name__ for address, handler in per_app_patterns}
    expected = {
        "/ws": "WSHandler",
        "/metadata": "MetadataHandler",
        "/autoload.js": "AutoloadJsHandler",
        "/?": "DocHandler",
    }
    assert expected == handlers
    assert {DocHandler, WSHandler} <= {handler for _, handler in per_app_patterns}


def test_a_page_and_a_session_begin_where_seats_are_counted() -> None:
    assert "get" in vars(DocHandler)
    assert ["self", "token"] == list(inspect.signature(WSHandler._async_open).parameters)  # noqa: SLF001 - as seats.py


def test_bokeh_binds_by_tornados_function_and_names_no_backlog() -> None:
    assert "netutil.bind_sockets(port=port or 0, address=address)" in inspect.getsource(bind_sockets)
    assert inspect.signature(netutil.bind_sockets).parameters["backlog"].default == 128
