"""What every page is sent with: what it may load and run, and who may put it into a frame of theirs."""

import base64
import hashlib
import re

from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.web import OutputTransform

from app import page

SCRIPT = re.compile(r"<script([^>]*)>(.*?)</script>", re.DOTALL)
RULES = (
    "default-src 'none'",
    "style-src 'self' 'unsafe-inline'",  # BokehJS writes style sheets and style attributes as it draws
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
)


def policy(html: str, *, framed: bool) -> str:
    """Return the content-security policy of a page: the scripts that it has, by digest, and no other.

    A page that may be framed says nothing of ancestors: even "*" would leave out posts opened from a disk.
    """
    scripts = SCRIPT.findall(html)
    sources = ["'self'"] if any(" src=" in attributes for attributes, _ in scripts) else []
    sources += [
        _digest(text) for attributes, text in scripts if "src=" not in attributes and _runs(attributes)
    ]
    rules = [*RULES, " ".join(["script-src", *(sources or ["'none'"])])]
    return "; ".join(rules if framed else [*rules, "frame-ancestors 'none'"])


def _runs(attributes: str) -> bool:
    """Return whether a script is one, and not data for one."""
    return "type=" not in attributes or "javascript" in attributes


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def may_be_framed(path: str) -> bool:
    """Return whether the page at a path is made to be embedded anywhere: a lab's is, no other."""
    return path.rstrip("/").rpartition("/")[2].removesuffix(".html") in map(page.name, page.PAGES)


class Headers(OutputTransform):
    """Adds the headers to whatever the server answers, its error pages included."""

    def __init__(self, request: HTTPServerRequest) -> None:
        """Note the path."""
        self._path = request.path

    def transform_first_chunk(
        self,
        status_code: int,
        headers: HTTPHeaders,
        chunk: bytes,
        finishing: bool,  # noqa: ARG002, FBT001 - Tornado's signature
    ) -> tuple[int, HTTPHeaders, bytes]:
        """Return the answer with the headers; a page made ahead of time has its policy already."""
        headers.pop("Server", None)
        headers["X-Content-Type-Options"] = "nosniff"
        headers["Referrer-Policy"] = "no-referrer"
        is_page = headers.get("Content-Type", "").startswith("text/html")
        if is_page and "Content-Security-Policy" not in headers:
            framed = status_code == 200 and may_be_framed(self._path)  # noqa: PLR2004 - OK
            headers["Content-Security-Policy"] = policy(chunk.decode(), framed=framed)
        return status_code, headers, chunk
