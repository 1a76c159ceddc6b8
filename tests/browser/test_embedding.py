"""The exported labs in other pages: framed, sandboxed, under strict policies, telling their height."""

import re
from collections.abc import Iterator
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from pages import FRAME, LABS, READY, VARIANTS, LabPage, assert_alive
from playwright.sync_api import Page

from app import page as parts


class Site(ThreadingHTTPServer):
    """A plain file server with a content-security policy, which remembers what it was asked for."""

    policy = ""
    asked: ClassVar[list[str]] = []

    class Handler(SimpleHTTPRequestHandler):
        """Sends files."""

        def end_headers(self) -> None:
            """Add the policy."""
            self.send_header("Content-Security-Policy", self.server.policy)
            super().end_headers()

        def log_message(self, _: str, *arguments: object) -> None:
            """Remember the request."""
            self.server.asked.append(str(arguments[0]))

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://localhost:{self.server_port}"


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    """Give the exported labs behind a server of plain files."""
    server = Site(("localhost", 0), partial(Site.Handler, directory=folder))
    server.asked.clear()
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts"'])
@pytest.mark.parametrize("name", LABS)
def test_sliders_are_alive_in_a_frame_from_the_disk(
    lab: LabPage, folder: Path, name: str, sandbox: str
) -> None:
    lab.open_hosted(folder, f'{sandbox} src="{name}.html"')
    assert_alive(lab, name)


@pytest.mark.parametrize("name", LABS)
def test_sliders_with_shared_scripts_are_alive_in_a_sandboxed_frame(
    page: Page, folder: Path, site: Site, name: str
) -> None:
    (folder / "host.html").write_text(
        FRAME.format(attributes=f'sandbox="allow-scripts" src="shared/{name}.html"')
    )
    lab = LabPage(page).open_framed(f"{site.address}/host.html")
    assert_alive(lab, name)
    assert lab.complaints == []


@pytest.mark.parametrize("name", LABS)
def test_sliders_are_alive_in_a_frame_whose_text_the_post_holds(page: Page, folder: Path, name: str) -> None:
    host = folder / "host.html"
    host.write_text(FRAME.format(attributes=f'srcdoc="{escape((folder / f"{name}.html").read_text())}"'))
    assert_alive(LabPage(page).open_framed(host.as_uri()), name)


@pytest.mark.parametrize(
    ("path", "policy"),
    [(path, "script-src 'self'" if "shared" in path else "script-src 'unsafe-inline'") for path in VARIANTS],
)
def test_sliders_are_alive_under_a_strict_policy(
    page: Page, folder: Path, site: Site, path: str, policy: str
) -> None:
    site.policy = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; {policy}"
    lab = LabPage(page).open(f"{site.address}/{path}")
    assert_alive(lab, path)
    assert lab.complaints == []
    scripts = re.findall(r'src="(static/[^"]+)"', (folder / path).read_text())
    assert len(scripts) == (3 if path.startswith("shared") else 0)
    assert len(site.asked) == 1 + len(scripts)


def test_the_height_follows_a_lab_and_nobody_else(page: Page, folder: Path) -> None:
    host = folder / "post.html"
    host.write_text(
        FRAME.format(attributes='src="flatten.html"')
        + FRAME.format(attributes='src="about:blank"')
        + parts.asset("templates/listener.html")
    )
    page.set_viewport_size({"width": 1000, "height": 800})
    page.goto(host.as_uri())
    first, second = page.locator("iframe").all()
    page.wait_for_function("document.querySelector('iframe').style.height !== '300px'")
    inside = page.frames[1].evaluate("document.querySelector('main').getBoundingClientRect().height")
    assert first.evaluate("frame => parseFloat(frame.style.height)") == pytest.approx(inside, abs=1)
    assert second.evaluate("frame => frame.style.height") == "300px"
    for height in ("1e9", "-5", "NaN", "'300px; color: red'", "null", "{}"):
        page.frames[1].evaluate(f"parent.postMessage({{type: 'guess-ahead:height', height: {height}}}, '*')")
    page.evaluate("postMessage({type: 'guess-ahead:height', height: 500}, '*')")
    page.wait_for_timeout(100)
    assert first.evaluate("frame => parseFloat(frame.style.height)") == pytest.approx(inside, abs=1)
    page.set_viewport_size({"width": 500, "height": 800})
    page.wait_for_function(f"parseFloat(document.querySelector('iframe').style.height) > {inside} + 100")
    page.set_viewport_size({"width": 1000, "height": 800})
    page.wait_for_function(
        f"Math.abs(parseFloat(document.querySelector('iframe').style.height) - {inside}) <= 1"
    )


def test_two_versions_side_by_side_do_not_meet(page: Page, folder: Path) -> None:
    other = folder / "other.html"
    other.write_text(
        (folder / "flatten.html").read_text().replace("break-even: guessing", "break even: guessing")
    )
    host = folder / "host.html"
    host.write_text(
        "".join(FRAME.format(attributes=f'src="{name}"') for name in ("flatten.html", "other.html"))
    )
    page.goto(host.as_uri())
    texts = []
    for frame in page.frames[1:]:
        lab = LabPage(page)
        lab.frame = frame
        frame.wait_for_function(READY)
        assert_alive(lab, "flatten.html")
        texts += [text for text in lab.labels("speedup") if text.startswith("break")]
    assert len(set(texts)) == 2
