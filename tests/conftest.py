"""A browser, a server, and pages that may not complain."""

import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from kept import Kept, Lead
from pages import LABS, LabPage
from playwright.sync_api import Browser, BrowserContext, Page, expect
from twins import Twin

from app.export import export

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
QUIET = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
ONE_PROCESS = "--process-per-site"  # BokehJS, once compiled, serves the pages of all tests
FAILED = pytest.StashKey[bool]()

expect.set_options(timeout=30_000)  # milliseconds: as long as all else here waits, for machines are shared


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how long each file took, the slowest first, so that a slow newcomer shows."""
    seconds = Counter[str]()
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    terminalreporter.section("seconds by file")
    for file, taken in seconds.most_common():
        terminalreporter.write_line(f"{taken:7.1f}  {file}")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Return the system's Chromium where there is one, Playwright's own otherwise."""
    return browser_type_launch_args | {"args": [*QUIET, ONE_PROCESS], "executable_path": CHROMIUM}


@pytest.fixture(scope="session")
def context(browser: Browser) -> BrowserContext:
    """Give one context to all tests, so that BokehJS is fetched once; the pages keep nothing in it.

    A page stays open, and with it the process of all pages on the disk.
    """
    made = browser.new_context()
    made.new_page().goto(Path(__file__).as_uri())
    return made


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """Give a page of its own to each test."""
    fresh = context.new_page()
    yield fresh
    fresh.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address: str, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            urlopen(address, timeout=seconds).close()  # noqa: S310 - the address of a server started here
        except URLError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)
        else:
            return


class Served(NamedTuple):
    """A server's address and the file with all that it has said."""

    address: str
    log: Path
    process: subprocess.Popen[bytes]

    def lines(self) -> list[str]:
        """Return the lines of the log so far."""
        return self.log.read_text().splitlines()


@contextmanager
def serving(folder: Path, *arguments: str, port: int | None = None) -> Iterator[Served]:
    """Start the product as a person does, with these arguments, and end it."""
    port = port or free_port()
    with started(folder, port, "-m", "app", "serve", "--port", str(port), *arguments) as served:
        yield served


@contextmanager
def started(folder: Path, port: int, *arguments: str) -> Iterator[Served]:
    """Start Python with these arguments, which serve at that port, and end it."""
    command = [sys.executable, *arguments]
    log = folder / f"{port}.log"
    with log.open("wb") as file, subprocess.Popen(command, stdout=file, stderr=subprocess.STDOUT) as process:  # noqa: S603
        wait_for(f"http://localhost:{port}/favicon.ico")
        yield Served(f"http://localhost:{port}", log, process)
        process.terminate()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of the product, served as a person serves it."""
    with serving(tmp_path_factory.mktemp("served")) as served:
        yield served.address
    assert "Traceback" not in served.log.read_text()
    assert "ERROR" not in served.log.read_text()


@pytest.fixture
def lab(page: Page) -> Iterator[LabPage]:
    """Give a page that must not complain, nor ask anything of another machine."""
    lab_page = LabPage(page)
    yield lab_page
    assert lab_page.complaints == []


@pytest.fixture(scope="session")
def kept(context: BrowserContext, request: pytest.FixtureRequest) -> Kept:
    """Give the pages that stay open."""
    return Kept(context.new_page, lambda name, way: LabPage.address(request, name, way))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note which tests fail, for the fixtures that end with them."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.fixture
def lead(request: pytest.FixtureRequest, kept: Kept) -> Iterator[Lead]:
    """Give what leads a lab's page, one that stays open and must not complain, to a query.

    One that a test fails with is closed, so that the next test finds nothing of it.
    """
    yield kept.lead
    assert [] == kept.release(failed=request.node.stash[FAILED])


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the exported labs."""
    made = tmp_path_factory.mktemp("exported")
    export(made)
    return made


@pytest.fixture(scope="session")
def twin(context: BrowserContext, folder: Path) -> Iterator[Twin]:
    """Give the twin as it runs in the exported pages, opened from the disk."""
    pages = {lab: context.new_page() for lab in LABS}
    for lab, opened in pages.items():
        opened.goto((folder / f"{lab}.html").as_uri())
    yield Twin(pages)
    for opened in pages.values():
        opened.close()
