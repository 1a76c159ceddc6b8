"""Workshop mode: the exported labs for a whole class, and live sessions for whoever presents them.

The files are made, compressed and held in memory before the first visitor comes. A request looks its path up
among them and touches no disk, so that it can reach nothing else.
"""

import gzip
import hashlib
import mimetypes
import socket
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tornado.ioloop import IOLoop
from tornado.web import HTTPError, RequestHandler

from app import export, page, seats, security, served, server

TEN_MINUTES = "public, max-age=600"  # a page that was open opens again, even while the network is away
FOR_EVER = "public, max-age=31536000, immutable"  # a script whose name holds the digest of its text
ANYWHERE = "0.0.0.0"  # noqa: S104 - a class is elsewhere
ELSEWHERE = ("192.0.2.1", 9)  # an address of no machine; nothing is sent to it


class Body(NamedTuple):
    """What is sent of a file, and the name of its version."""

    content: bytes
    etag: str


class File(NamedTuple):
    """A file, plain and compressed, and its headers."""

    plain: Body
    packed: Body
    headers: Mapping[str, str]


def serve(place: server.Place, most: int, wait: float = seats.WAIT) -> None:
    """Serve the labs to a class until interrupted, with so many live sessions at most.

    A page that was closed has left its seat after a wait of so many seconds, or a third more.
    """
    files = {"files": made()}
    known = hosts(place.address)
    say = partial(print, *_said(place, known[0], most), sep="\n", flush=True)
    IOLoop.current().add_callback(say)  # once it listens
    server.run(
        place._replace(origins=[*place.origins, *(f"{host}:{place.port}" for host in known)]),
        {f"live/{name}": session for name, session in served.sessions().items()},
        [
            (r"/?()", FileHandler, files),
            (r"/live/?", served.HomeHandler),
            (r"/live/measured", served.MeasuredHandler),
            (rf"/({'|'.join(map(page.name, page.PAGES))})", LabHandler),
            (r"/((?!static/).+)", FileHandler, files),
        ],
        show=False,
        verbose=False,
        check_unused_sessions_milliseconds=int(1000 * wait / 3),
        unused_session_lifetime_milliseconds=int(1000 * wait),
        **{seats.SEATS: most},
    )


def _said(place: server.Place, host: str, most: int) -> list[str]:
    """Return the lines that say where everything is."""
    root = f":{place.port}/{place.prefix.strip('/')}".rstrip("/")
    return [
        f"For the class:         http://{host}{root}/",
        f"To print, for a hand:  http://{host}{root}/teacher",
        f"Live, to present:      http://localhost{root}/live/  ({most} sessions at most)",
        "Ctrl-C ends it.",
    ]


def hosts(address: str) -> list[str]:
    """Return the names of this machine that a browser may reach it by, the likeliest on its network first."""
    if address != ANYWHERE:
        return [address]
    found = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)  # the system chooses the address that it would send from
        found.append(probe.getsockname()[0])
    name = socket.gethostname()
    with suppress(OSError):
        found += [str(entry[4][0]) for entry in socket.getaddrinfo(name, None, socket.AF_INET)]
    return list(dict.fromkeys([*found, name.lower(), "localhost"]))


def made() -> dict[str, File]:
    """Return the exported files by path; the home page leads to the labs that share their scripts."""
    with TemporaryDirectory() as folder:
        export.export(Path(folder))
        paths = [path for path in Path(folder).rglob("*") if path.is_file()]
        texts = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    texts["index.html"] = page.home(suffix=".html", folder="shared/").encode()
    files = {path: file(path, text) for path, text in texts.items()}
    return files | {"": files["index.html"]}


def file(path: str, text: bytes) -> File:
    """Return a file ready to be sent."""
    kind = mimetypes.guess_type(path)[0]
    headers = {
        "Content-Type": f"{kind}; charset=utf-8",
        "Cache-Control": FOR_EVER if path.startswith("shared/static/") else TEN_MINUTES,
        "Vary": "Accept-Encoding",
    }
    if kind == "text/html":
        framed = security.may_be_framed(path)
        headers["Content-Security-Policy"] = security.policy(text.decode(), framed=framed)
    return File(_body(text), _body(gzip.compress(text, mtime=0)), headers)


def _body(content: bytes) -> Body:
    return Body(content, f'"{hashlib.sha256(content).hexdigest()[:16]}"')


class FileHandler(RequestHandler):
    """One of the files."""

    def initialize(self, files: Mapping[str, File]) -> None:
        """Note the files."""
        self._files = files
        self._etag: str | None = None

    def get(self, path: str) -> None:
        """Send the file, compressed where the browser takes that."""
        if not path and not self.request.path.endswith("/"):  # what the home page leads to stands below it
            self.redirect(f"{self.request.path}/")
            return
        found = self._files.get(path) or self._files.get(f"{path}.html")
        if found is None:
            raise HTTPError(404)
        for name, value in found.headers.items():
            self.set_header(name, value)
        body = found.plain
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            body = found.packed
        self._etag = body.etag
        self.write(body.content)

    head = get

    def compute_etag(self) -> str | None:
        """Return the version's name; who has it already is told so, and gets no more."""
        return self._etag


class LabHandler(RequestHandler):
    """A lab's short address, as somebody types it."""

    def get(self, lab: str) -> None:
        """Lead to the lab's page."""
        self.redirect(f"shared/{lab}.html{self.request.query and '?'}{self.request.query}")
