"""A hostile room: the server stays up, serves others, gives nothing away, and has one line to say of each."""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from bokeh.util.token import generate_jwt_token, generate_session_id
from conftest import Served, serving
from live import connected, opened, run, token
from tornado.httpclient import AsyncHTTPClient, HTTPClientError
from tornado.websocket import WebSocketClientConnection

HALF_OPEN = 2000
PATIENCE = 8
Attack = Callable[[str], Awaitable[object]]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give the product in workshop mode."""
    with serving(tmp_path_factory.mktemp("hostile"), "--workshop", "--seats=200") as served:
        yield served
    assert "Traceback" not in served.log.read_text()


async def serves_others(address: str) -> None:
    """Open a file and a live lab, and move a slider."""
    assert (await AsyncHTTPClient().fetch(f"{address}/shared/flatten.html")).code == 200
    async with opened(f"{address}/live/flatten") as live:
        await live.move("acceptance_rate", 0.5)
        await asyncio.wait_for(live.settled(acceptance_rate=0.5), PATIENCE)


def said_of(room: Served, attack: Attack) -> list[str]:
    """Return what the log says of an attack, after which others are served as before."""
    before = len(room.lines())

    async def all_of_it() -> None:
        await attack(room.address)
        await serves_others(room.address)

    run(all_of_it())
    return room.lines()[before:]


def raw(served: Served, request: bytes) -> bytes:
    """Return the answer to bytes sent as they are."""
    parts = urlsplit(served.address)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as connection:
        connection.sendall(request)
        answer = b""
        while piece := connection.recv(2**16):
            answer += piece
        return answer


def move(name: str, value: object, attribute: str = "value") -> Attack:
    async def attack(address: str) -> None:
        async with opened(f"{address}/live/burst") as live:
            await live.move(name, value, attribute)
            await live.receive()
            await live.move("draft_cost", 0.2)  # the session itself lives on
            await asyncio.wait_for(live.settled(draft_cost=0.2), PATIENCE)

    return attack


def fragments(*parts: str | bytes) -> Attack:
    async def attack(address: str) -> None:
        async with opened(f"{address}/live/burst") as live:
            for part in parts:
                await live.socket.write_message(part, binary=isinstance(part, bytes))
            await refused(live.socket)

    return attack


def wrong_token(made: Callable[[], str]) -> Attack:
    async def attack(address: str) -> None:
        async with connected(f"{address}/live/burst", "bokeh", made()) as socket:
            await refused(socket)

    return attack


async def refused(connection: WebSocketClientConnection) -> None:
    """Wait until the server has closed the connection."""
    while await asyncio.wait_for(connection.read_message(), PATIENCE) is not None:
        pass


async def wrong_origin(address: str) -> None:
    key = await token(f"{address}/live/burst")
    with pytest.raises(HTTPClientError) as error:
        async with connected(f"{address}/live/burst", "bokeh", key, Origin="http://evil.example"):
            pass
    assert error.value.code == 403


async def no_protocol(address: str) -> None:
    async with connected(f"{address}/live/burst") as socket:
        await refused(socket)


HEADER = json.dumps({"msgid": "1", "msgtype": "PATCH-DOC"})
ATTACKS: dict[str, Attack] = {
    "a text for a number": move("acceptance_rate", "x"),
    "nothing for a number": move("acceptance_rate", None),
    "a list for a number": move("draft_length", [1, 2]),
    "a choice that there is not": move("drawn", 99, "active"),
    "a property that there is not": move("drawn", 1, "nonsense"),
    "no message": fragments("{", "{}", "{}"),
    "a message of another kind": fragments(HEADER.replace("PATCH", "DROP"), "{}", "{}"),
    "binary": fragments(b"\x00\xff"),
    "no header": fragments("[]", "{}", "{}"),
    "another origin": wrong_origin,
    "no protocol": no_protocol,
    "no token": wrong_token(lambda: "e30"),
    "a token of one's own": wrong_token(
        lambda: generate_jwt_token(generate_session_id(signed=False), signed=False)
    ),
    "a token signed by another": wrong_token(
        lambda: generate_jwt_token(
            generate_session_id(b"guess", signed=True), secret_key=b"guess", signed=True
        )
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_what_a_browser_never_sends_gets_one_short_line(room: Served, name: str) -> None:
    said = said_of(room, ATTACKS[name])
    assert 1 <= len(said) <= 2, said
    for line in said:
        assert len(line) <= 2 * 160 + 30
        assert line.isprintable()


@pytest.mark.parametrize(("value", "taken"), [(1e400, 0.99), (-5, 0.0), (10**30, 0.99), (True, 0.8)])
def test_a_number_out_of_range_never_becomes_a_picture(room: Served, value: float, taken: float) -> None:
    async def attack(address: str) -> None:
        async with opened(f"{address}/live/flatten") as live:
            await live.move("acceptance_rate", value)
            await live.move("draft_cost", 0.2)
            await asyncio.wait_for(live.settled(draft_cost=0.2, acceptance_rate=taken), PATIENCE)

    said_of(room, attack)


@pytest.mark.parametrize("text", ["0.5_x", "1.5", "0.5\n", "0." + "9" * 4000])
def test_an_odd_text_never_becomes_rates(room: Served, text: str) -> None:
    async def attack(address: str) -> None:
        async with opened(f"{address}/live/flatten") as live:
            await live.move("position_rates", text)
            await live.move("draft_cost", 0.2)
            await asyncio.wait_for(live.settled(draft_cost=0.2, position_rates=""), PATIENCE)

    assert said_of(room, attack) == []


def test_a_message_that_is_too_long_ends_its_connection(room: Served) -> None:
    async def attack(address: str) -> None:
        async with opened(f"{address}/live/burst") as live:
            await live.socket.write_message("x" * (2**16 + 1))
            await refused(live.socket)
            assert live.socket.close_code == 1009

    assert said_of(room, attack) == []


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/shared/static/../../../../../etc/passwd",
        "/static/../../../../../../etc/passwd",
        "/static//etc/passwd",
        "/static/extensions/panel/../../../../../../../../etc/passwd",
        "/live/flatten/static/../../../../../../../etc/passwd",
        "/components/os/path/_css/x",
        "/shared/static/",
        "/shared",
        "/flatten.html/",
        "/\\..\\..\\etc\\passwd",
        "/%00",
        "/live/flatten/autoload.js?bokeh-autoload-element=1",
        "/live/nolab",
    ],
)
def test_no_path_leads_out_of_the_folder(room: Served, path: str) -> None:
    answer = raw(room, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert int(answer.split()[1]) in {400, 403, 404}
    assert b"root:" not in answer
    assert b"/" not in answer.partition(b"\r\n\r\n")[2].replace(b"</", b"").replace(b"text/html", b"")


@pytest.mark.parametrize(
    "query", ["a=1%0d%0aSet-Cookie:%20x=1", "a=1%0aX:1", "<script>alert(1)</script>", "'\"><img src=x>"]
)
@pytest.mark.parametrize("path", ["/flatten", "/shared/flatten.html", "/live/flatten", "/"])
def test_an_address_puts_nothing_into_headers_or_page(room: Served, path: str, query: str) -> None:
    answer = raw(
        room, f"GET {path}?{query} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n".encode()
    )
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"Set-Cookie" not in [line.partition(b":")[0] for line in head.split(b"\r\n")]
    assert b"alert(1)" not in body
    assert b"<img src=x>" not in body
    assert b"evil.example" not in answer


def test_a_request_that_is_none_is_refused(room: Served) -> None:
    for request in (
        b"GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\n\x00\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
    ):
        assert raw(room, request)[:12] in {b"", b"HTTP/1.1 400"}
    long = b"GET /?" + b"a" * 10**6 + b" HTTP/1.1\r\nHost: a\r\n\r\n"
    with pytest.raises(OSError):  # noqa: PT011 - reset or closed while it is being sent
        raise_unless_answered(raw(room, long))
    large = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n"
    assert raw(room, large)[:12] in {b"", b"HTTP/1.1 400", b"HTTP/1.1 413"}


def raise_unless_answered(answer: bytes) -> None:
    """Raise if the server closed the connection without more."""
    if not answer.startswith(b"HTTP/1.1 2"):
        raise ConnectionResetError


def test_thousands_of_half_open_connections_keep_nobody_out(room: Served) -> None:
    parts = urlsplit(room.address)

    async def attack(address: str) -> None:
        with ExitStack() as held:
            for i in range(HALF_OPEN):
                half = held.enter_context(socket.create_connection((parts.hostname, parts.port), timeout=20))
                if i % 2:
                    half.sendall(b"GET / HTTP/1.1\r\nHost: ")
            await serves_others(address)

    assert said_of(room, attack) == []


def test_files_that_may_be_open_are_as_many_as_the_system_lets(room: Served) -> None:
    with open(f"/proc/{room.process.pid}/limits") as limits:  # noqa: PTH123 - of Linux
        [line] = [line for line in limits if line.startswith("Max open files")]
    assert line.split()[3] == line.split()[4]
