"""Behind nginx, with the configuration that comes along: two servers, at the root and at a sub-path."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.request import urlopen

import pytest
from conftest import free_port, serving, wait_for
from pages import LabPage, plain
from playwright.sync_api import Browser

from app import page
from labs import flatten

NGINX = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")


@pytest.fixture(scope="module", params=["", "/labs", "/some/where"])
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of nginx with two servers behind it."""
    assert NGINX, "nginx is needed (on Debian: apt install nginx-light)"
    folder = tmp_path_factory.mktemp("nginx")
    port = free_port()
    arguments = (f"--origin=localhost:{port}", f"--prefix={request.param}")
    with ExitStack() as running:
        text = page.asset("nginx.conf").replace("listen 8080;", f"listen {port};")
        for known in ("5006", "5007"):
            served = running.enter_context(serving(folder, *arguments))
            text = text.replace(f"server 127.0.0.1:{known};", f"server {served.address[7:]};")
        (folder / "nginx.conf").write_text(text)
        command = [
            NGINX,
            "-p",
            folder,
            "-c",
            "nginx.conf",
            "-e",
            "stderr",
            "-g",
            "daemon off; pid nginx.pid;",
        ]
        process = running.enter_context(subprocess.Popen(command))  # noqa: S603
        running.callback(process.terminate)
        wait_for(f"http://localhost:{port}{request.param}/teacher")
        yield f"http://localhost:{port}{request.param}"


def test_a_served_lab_works_for_everybody_whichever_server_has_it(browser: Browser, front: str) -> None:
    seats = set()
    for _ in range(3):
        context = browser.new_context()
        lab = LabPage(context.new_page())
        lab.page.goto(f"{front}/")
        lab.page.get_by_role("link", name=flatten.TITLE).click()
        lab.open(f"{front}/flatten").press("acceptance_rate", "ArrowLeft")
        lab.settle(acceptance_rate=0.79)
        assert plain(flatten.columns(0.79, 0.1)) == lab.columns()
        [cookie] = context.cookies()
        seats.add(cookie["value"])
        assert lab.complaints == []
        context.close()
    assert len(seats) == 3


def test_the_home_page_and_its_links_stand_below_the_path(front: str) -> None:
    for address in (front, f"{front}/"):
        with urlopen(address, timeout=20) as answer:  # noqa: S310 - a server started here
            assert answer.url.rstrip("/") == front
            found = re.findall(r'<a href="(\w+)"', answer.read().decode())
            assert found == ["flatten", "burst", "peaks", "measured"]
