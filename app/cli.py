"""The command `guess-ahead`."""

import argparse
import re
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from app import export, served, server, workshop

SEATS = 20


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, the process's own if none are given."""
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
    except OSError as error:
        sys.exit(f"guess-ahead: cannot {options.aim(options)}: {error.strerror}.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="guess-ahead", description="The arithmetic of speculative decoding."
    )
    parser.add_argument("--version", action="version", version=version("guess-ahead"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="open the labs in a browser, until interrupted")
    serve.add_argument("--port", type=_port, default=5006, help="port to listen on (default: %(default)s)")
    serve.add_argument(
        "--address", help="address to listen on (default: localhost; all of this machine's in a workshop)"
    )
    serve.add_argument(
        "--prefix", type=_prefix, default="", help="path before all others, behind another server"
    )
    serve.add_argument(
        "--origin",
        action="append",
        default=[],
        help="host[:port] that browsers see, if it is another server's",
    )
    serve.add_argument(
        "--workshop", action="store_true", help="the exported labs for a class, live sessions at /live/"
    )
    serve.add_argument(
        "--seats",
        type=_seats,
        default=SEATS,
        help="live sessions at most, in a workshop (default: %(default)s)",
    )
    serve.set_defaults(
        run=_serve, aim=lambda options: f"listen on {_place(options).address}, port {options.port}"
    )
    files = commands.add_parser("export", help="write the labs as files that need no server")
    files.add_argument("folder", nargs="?", type=Path, default=Path("dist"), help="default: %(default)s")
    files.set_defaults(
        run=lambda options: export.export(options.folder),
        aim=lambda options: f"write to {options.folder}",
    )
    return parser


def _serve(options: argparse.Namespace) -> None:
    if options.workshop:
        workshop.serve(_place(options), options.seats)
    else:
        served.serve(_place(options))


def _place(options: argparse.Namespace) -> server.Place:
    address = options.address or (workshop.ANYWHERE if options.workshop else "localhost")
    return server.Place(options.port, address, options.prefix, options.origin)


def _prefix(text: str) -> str:
    if not re.fullmatch(r"[\w.~/-]*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not a path of letters, digits and . _ ~ - /")
    return text


def _seats(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of sessions, a whole number from 1")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:  # noqa: PLR2004 - the ports there are
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a whole number from 1 to 65535")
    return int(text)
