"""The command line, run as a person runs it."""

import socket
import subprocess
import sys

import pytest


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "app", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603


def test_a_busy_port_gets_one_clear_line() -> None:
    with socket.create_server(("localhost", 0)) as taken:
        port = taken.getsockname()[1]
        done = run("serve", "--port", str(port))
    assert f"guess-ahead: cannot listen on localhost, port {port}: Address already in use." in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize("port", ["99999", "0", "-1", "http", "", "²"])
def test_a_port_that_is_none_is_named(port: str) -> None:
    done = run("serve", f"--port={port}")
    assert f"{port!r} is not a port, a whole number from 1 to 65535" in done.stderr
    assert done.returncode == 2


def test_an_unknown_command_is_refused_with_the_known_ones() -> None:
    done = run("sing")
    assert "serve" in done.stderr
    assert done.returncode == 2
