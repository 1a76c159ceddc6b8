"""A workshop: the labs as files for everybody, live sessions for a few, from one server."""

import gzip
import signal
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import Served, serving
from pages import LABS, LabPage, assert_alive, plain

from app import workshop
from app.export import export
from labs import flatten

SEATS = 9
FOR_EVER = "public, max-age=31536000, immutable"


@pytest.fixture(scope="module")
def class_room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give the product in workshop mode."""
    with serving(tmp_path_factory.mktemp("workshop"), "--workshop", f"--seats={SEATS}") as served:
        yield served
    assert "Traceback" not in served.log.read_text()
    assert "ERROR" not in served.log.read_text()


def asked(served: Served, path: str, method: str = "GET", **headers: str) -> tuple[HTTPResponse, bytes]:
    with closing(HTTPConnection(urlsplit(served.address).netloc, timeout=20)) as connection:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, headers=sent)
        answer = connection.getresponse()
        return answer, answer.read()


def test_it_says_where_everything_is_this_machine_on_its_network_too(class_room: Served) -> None:
    port = urlsplit(class_room.address).port
    host = workshop.hosts(workshop.ANYWHERE)[0]
    assert class_room.lines()[:3] == [
        f"For the class:         http://{host}:{port}/",
        f"To print, for a hand:  http://{host}:{port}/teacher",
        f"Live, to present:      http://localhost:{port}/live/  ({SEATS} sessions at most)",
    ]
    socket.create_connection((host, port), timeout=5).close()


def test_every_file_is_what_the_export_writes_plain_and_compressed(
    class_room: Served, tmp_path: Path
) -> None:
    export(tmp_path)
    paths = [path for path in tmp_path.rglob("*.*") if path.name != "index.html"]
    assert len(paths) >= 9
    for path in paths:
        name = path.relative_to(tmp_path).as_posix()
        plain, text = asked(class_room, f"/{name}")
        packed, few = asked(class_room, f"/{name}", Accept_Encoding="gzip, br")
        assert path.read_bytes() == text == gzip.decompress(few)
        assert ("gzip", "Accept-Encoding") == (packed.headers["Content-Encoding"], packed.headers["Vary"])
        assert plain.headers["Content-Encoding"] is None
        assert plain.headers["Etag"] != packed.headers["Etag"]


def test_a_script_is_kept_for_ever_and_a_page_for_minutes(class_room: Served, folder: Path) -> None:
    [script, *_] = (folder / "shared/static").iterdir()
    assert asked(class_room, f"/shared/static/{script.name}")[0].headers["Cache-Control"] == FOR_EVER
    assert asked(class_room, "/shared/flatten.html")[0].headers["Cache-Control"] == "public, max-age=600"


def test_what_a_browser_has_already_is_not_sent_again(class_room: Served) -> None:
    first, _ = asked(class_room, "/burst.html", Accept_Encoding="gzip")
    again, body = asked(
        class_room, "/burst.html", Accept_Encoding="gzip", If_None_Match=first.headers["Etag"]
    )
    assert (304, b"") == (again.status, body)


def test_a_question_for_the_headers_alone_gets_them_alone(class_room: Served) -> None:
    answer, body = asked(class_room, "/burst.html", "HEAD", Accept_Encoding="gzip")
    assert (200, b"") == (answer.status, body)
    assert 400_000 < int(answer.headers["Content-Length"]) < 600_000


@pytest.mark.parametrize(
    ("typed", "leads_to"),
    [
        ("/flatten", "shared/flatten.html"),
        ("/burst?a=0.5&n=10", "shared/burst.html?a=0.5&n=10"),
        ("/live", "/live/"),
    ],
)
def test_what_somebody_types_leads_there(class_room: Served, typed: str, leads_to: str) -> None:
    answer, _ = asked(class_room, typed)
    assert answer.status in {301, 302}
    assert leads_to == answer.headers["Location"]


@pytest.mark.parametrize("name", LABS)
def test_the_home_page_leads_to_labs_that_share_their_scripts(
    lab: LabPage, class_room: Served, name: str
) -> None:
    lab.page.goto(class_room.address)
    lab.page.get_by_role("link", name=LABS[name].TITLE).click()
    lab.page.wait_for_url(f"{class_room.address}/shared/{name}.html*")
    lab.open(lab.page.url)
    assert_alive(lab, f"{name}.html")


def test_the_presenters_labs_are_alive_at_their_own_address(lab: LabPage, class_room: Served) -> None:
    lab.page.goto(f"{class_room.address}/live/")
    lab.page.get_by_role("link", name=LABS["flatten"].TITLE).click()
    lab.page.wait_for_url(f"{class_room.address}/live/flatten*")
    lab.open(lab.page.url).press("acceptance_rate", "ArrowLeft")
    lab.settle(acceptance_rate=0.79)
    assert plain(flatten.columns(0.79, 0.1)) == lab.columns()


def test_a_live_lab_answers_at_the_machines_address_on_its_network(lab: LabPage, class_room: Served) -> None:
    host = workshop.hosts(workshop.ANYWHERE)[0]
    lab.open(f"http://{host}:{urlsplit(class_room.address).port}/live/flatten")
    lab.press("draft_cost", "ArrowRight")
    lab.settle(draft_cost=0.11)


def test_a_class_that_comes_while_the_server_is_busy_is_let_in(class_room: Served) -> None:
    parts = urlsplit(class_room.address)
    class_room.process.send_signal(signal.SIGSTOP)
    try:
        with ExitStack() as held:
            for _ in range(1000):  # five connections for each of 200 browsers
                held.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=5))
    finally:
        class_room.process.send_signal(signal.SIGCONT)
