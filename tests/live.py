"""A live session as a browser holds it: its page, its web socket, moves of a slider, what comes back."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import WebSocketClientConnection, websocket_connect

AsyncHTTPClient.configure(None, max_clients=1000)

READY = {
    "kind": "MessageSent",
    "msg_type": "bokeh_event",
    "msg_data": {"type": "event", "name": "document_ready", "values": {"type": "map"}},
}


def models(document: object) -> Iterator[dict[str, Any]]:
    """Yield all models in a document as it is sent."""
    if isinstance(document, dict):
        if document.get("type") == "object" and "id" in document:
            yield document
        for part in document.values():
            yield from models(part)
    elif isinstance(document, list):
        for part in document:
            yield from models(part)


async def token(address: str) -> str:
    """Return what a lab's page lets its browser in with."""
    answer = await AsyncHTTPClient().fetch(address, request_timeout=120, connect_timeout=120)
    return re.search(r'"token":"([^"]+)"', answer.body.decode())[1]


def run(work: Coroutine[Any, Any, object]) -> None:
    """Do the work in a thread of its own: Playwright keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as other:
        other.submit(asyncio.run, work).result()


@asynccontextmanager
async def connected(
    address: str, *protocols: str, **headers: str
) -> AsyncIterator[WebSocketClientConnection]:
    """Yield a web socket to a lab's page, with these sub-protocols and headers."""
    parts = urlsplit(address)
    request = HTTPRequest(
        f"ws://{parts.netloc}{parts.path}/ws",
        headers={"Origin": f"http://{parts.netloc}"} | headers,
        connect_timeout=120,
        request_timeout=120,
    )
    socket = await websocket_connect(request, subprotocols=list(protocols))
    if socket.protocol is not None:
        socket.protocol.stream.set_nodelay(True)  # as browsers do
    try:
        yield socket
    finally:
        socket.close()


@asynccontextmanager
async def opened(address: str) -> AsyncIterator["Live"]:
    """Yield a session at a lab's page."""
    async with connected(address, "bokeh", await token(address)) as socket:
        live = Live(socket)
        await live.start()
        yield live


class Live:
    """One session."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        """Note the socket."""
        self.socket, self._ids = socket, dict[str, str]()

    async def start(self) -> None:
        """Fetch the document and say that it is shown, as BokehJS does."""
        await self.receive()
        await self.send("PULL-DOC-REQ", {})
        _, document = await self.receive()
        named = {model.get("attributes", {}).get("name"): model["id"] for model in models(document)}
        self._ids = {name: key for name, key in named.items() if name}
        await self.send("PATCH-DOC", {"events": [READY]})
        await self.receive()

    async def send(self, kind: str, content: dict[str, Any]) -> None:
        """Send a message of Bokeh's protocol: a header, data on it, content."""
        for part in ({"msgid": "1", "msgtype": kind}, {}, content):
            await self.socket.write_message(json.dumps(part))

    async def receive(self) -> tuple[str, dict[str, Any]]:
        """Return the next message, its kind and content; "" once the other side is gone."""
        parts = [await self.socket.read_message() for _ in range(3)]
        if None in parts:
            return "", {}
        header, _, content = map(json.loads, parts)
        for _ in range(2 * header.get("num_buffers", 0)):
            await self.socket.read_message()
        return header["msgtype"], content

    async def move(self, name: str, value: object, attribute: str = "value") -> None:
        """Set a control, as the browser tells it."""
        change = {"kind": "ModelChanged", "model": {"id": self._ids[name]}, "attr": attribute, "new": value}
        await self.send("PATCH-DOC", {"events": [change]})

    def shown(self, content: dict[str, Any]) -> dict[str, float] | None:
        """Return the numbers that a message brings for the readout, if it does."""
        for event in content.get("events", []):
            if event["kind"] == "ColumnDataChanged" and event["model"]["id"] == self._ids["readout"]:
                return {key: column[0] for key, column in event["data"]["entries"]}
        return None

    async def settled(self, **values: float) -> None:
        """Wait until the readout is that of these values."""
        while True:
            kind, content = await self.receive()
            assert kind, "the connection was closed"
            numbers = self.shown(content)
            if numbers and values.items() <= numbers.items():
                return
