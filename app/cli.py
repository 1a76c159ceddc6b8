"""The command `guess-ahead`."""

import argparse
import errno
import sys
from collections.abc import Sequence

from app import served


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, the process's own if none are given."""
    options = _parser().parse_args(arguments)
    try:
        served.serve(options.port, options.address)
    except OSError as error:
        if error.errno not in {errno.EADDRINUSE, errno.EACCES, errno.EADDRNOTAVAIL}:
            raise
        place = f"{options.address}, port {options.port}"
        sys.exit(f"guess-ahead: cannot listen on {place}: {error.strerror}. Try another --port or --address.")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="guess-ahead", description="The arithmetic of speculative decoding."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    serve = commands.add_parser("serve", help="open the labs in a browser, until interrupted")
    serve.add_argument("--port", type=_port, default=5006, help="port to listen on (default: %(default)s)")
    serve.add_argument("--address", default="localhost", help="address to listen on (default: %(default)s)")
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 65535:  # noqa: PLR2004 - the ports there are
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a whole number from 1 to 65535")
    return int(text)
