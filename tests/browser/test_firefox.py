"""The exported labs in Firefox, driven by WebDriver BiDi: Playwright cannot drive the system's own."""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from conftest import free_port
from pages import DEFAULTS, HANDLE, LABS, READY, SOURCES, plain
from tornado.websocket import WebSocketClientConnection, websocket_connect

from app import page
from app.export import export

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
MISSING = FIREFOX is None and "CI" not in os.environ
ARROW_LEFT = "\ue012"


class Tab:
    """Firefox's one tab, by WebDriver BiDi."""

    def __init__(self, socket: WebSocketClientConnection) -> None:
        """Speak over this socket."""
        self._socket, self._ids, self._context = socket, count(1), ""

    async def command(self, method: str, **parameters: Any) -> Any:  # noqa: ANN401 - what the protocol has
        """Send a command and return its result."""
        number = next(self._ids)
        await self._socket.write_message(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(await self._socket.read_message() or '{"id": null, "type": "closed"}')
            if answer.get("id") == number:
                assert answer["type"] == "success", answer
                return answer["result"]

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    async def start(self) -> None:
        """Begin a session in the tab that is open."""
        await self.command("session.new", capabilities={})
        tree = await self.command("browsingContext.getTree")
        self._context = tree["contexts"][0]["context"]

    async def open(self, address: str) -> None:
        """Open the address and wait until the page can be used."""
        await self.command("browsingContext.navigate", context=self._context, url=address, wait="complete")
        await self.until(READY)

    async def evaluate(self, expression: str) -> Any:  # noqa: ANN401 - whatever the expression gives
        """Return the value of an expression in the page, by way of JSON."""
        result = await self.command(
            "script.evaluate",
            expression=f"JSON.stringify({expression})",
            target={"context": self._context},
            awaitPromise=True,
        )
        return json.loads(result["result"].get("value", "null"))

    async def until(self, expression: str) -> None:
        """Wait until the expression holds in the page."""
        async with asyncio.timeout(30):
            while not await self.evaluate(expression):  # noqa: ASYNC110 - the page has no event of ours
                await asyncio.sleep(0.05)

    async def press(self, key: str) -> None:
        """Press and release a key."""
        actions = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        keyboard = [{"type": "key", "id": "keyboard", "actions": actions}]
        await self.command("input.performActions", context=self._context, actions=keyboard)


@asynccontextmanager
async def firefox(profile: Path) -> AsyncIterator[Tab]:
    """Start Firefox with an empty profile, and end it."""
    port = free_port()
    command = [str(FIREFOX), "--headless", "--profile", str(profile), f"--remote-debugging-port={port}"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:  # noqa: ASYNC220, S603
        try:
            tab = await _tab(port)
            yield tab
            tab.close()
        finally:
            process.terminate()


async def _tab(port: int) -> Tab:
    async with asyncio.timeout(60):
        while True:
            try:
                tab = Tab(await websocket_connect(f"ws://127.0.0.1:{port}/session"))
            except OSError:
                await asyncio.sleep(0.1)
            else:
                await tab.start()
                return tab


async def columns_after_a_key(folder: Path, profile: Path) -> dict[str, Any]:
    """Open each lab, press the left arrow on its first slider, and return the columns that it then holds."""
    found = {}
    async with firefox(profile) as tab:
        for lab in page.LABS:
            name = page.name(lab)
            await tab.open((folder / f"{name}.html").as_uri())
            slider = next(iter(lab.State.controls()))
            await tab.evaluate(f"({HANDLE})('{slider}').focus()")
            before = await tab.evaluate(f"Bokeh.documents[0].get_model_by_name('{slider}').value")
            await tab.press(ARROW_LEFT)
            await tab.until(f"Bokeh.documents[0].get_model_by_name('{slider}').value < {before}")
            sources = await tab.evaluate(f"({SOURCES})()")
            names = LABS[name].columns(**DEFAULTS[name])
            found[name] = {key: sources[key] for key in names}
    return found


@pytest.mark.skipif(MISSING, reason="no Firefox on this machine; CI has one")
def test_firefox_shows_the_labs_and_moves_their_sliders(tmp_path: Path) -> None:
    export(tmp_path / "labs")
    (tmp_path / "profile").mkdir()
    with ThreadPoolExecutor() as pool:  # Playwright keeps this thread's own event loop
        found = pool.submit(
            asyncio.run, columns_after_a_key(tmp_path / "labs", tmp_path / "profile")
        ).result()
    for lab in page.LABS:
        state = lab.State()
        slider, parameter = next(iter(lab.State.controls().items()))
        state.take(**{slider: parameter.default - parameter.step})
        assert plain(lab.columns(**state.arguments())) == found[page.name(lab)]
