"""A room of 200: files fetched at once, live labs dragged together, sessions that come and go.

Each beside plain `panel serve` of the same labs, the two taking turns. Clients are one process of their own,
on the same machine, so that with two cores they leave the server one.
"""

import asyncio
import gzip
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from bench_served import PRODUCT, free_port, wait_for
from bench_timing import aim, heading, percentile
from live import Live, opened

CLIENTS, LIVE, VISITS = 200, 30, 300
MOVES, EVERY = 99, 0.1  # moves of each live session, seconds between them
LABS = {"flatten": "acceptance_rate", "burst": "acceptance_rate", "peaks": "draft_cost"}
APPS = [str(Path(__file__).parents[2] / "app" / f"{lab}.py") for lab in LABS]
PLAIN = [sys.executable, "-m", "panel", "serve", *APPS, "--port"]
WORKSHOP = [*PRODUCT[:2], "--workshop", "--seats=400", "--port"]
GONE = 40  # seconds until both servers have let go of sessions whose page is closed
TROUBLE = re.compile(rb"ERROR|Traceback|Exception|[Ee]rror:")


class Room(NamedTuple):
    """A running server: its name here, where its files and live labs are, its process."""

    name: str
    address: str
    file: str
    live: str
    pid: int
    log: list[str]


@contextmanager
def serving(name: str, command: list[str], file: str, live: str) -> Iterator[Room]:
    """Yield a server; at the end what it logged of errors is in its log."""
    port = free_port()
    with TemporaryFile() as log:
        with subprocess.Popen([*command, str(port)], stdout=log, stderr=log) as process:  # noqa: S603 - our own
            wait_for(f"http://localhost:{port}/favicon.ico", process)
            room = Room(name, f"http://localhost:{port}", file, live, process.pid, [])
            yield room
            process.terminate()
        log.seek(0)
        room.log.extend(line.decode() for line in log if TROUBLE.search(line))


def report() -> None:
    """Print the section."""
    heading(
        f"a room: {CLIENTS} fetch a lab at once, {LIVE} drag, {VISITS} come and go; beside plain panel serve"
    )
    with (
        serving("plain", PLAIN, "/{}", "/{}") as plain,
        serving("workshop", WORKSHOP, "/shared/{}.html", "/live/{}") as workshop,
    ):
        rooms = (plain, workshop)
        for part in (fetching, dragging):
            for room in rooms:
                print(f"  {room.name:<10}{asyncio.run(part(room))}", flush=True)
        for room, said in zip(rooms, asyncio.run(visited(rooms)), strict=True):
            print(f"  {room.name:<10}{said}", flush=True)
    for room in rooms:
        print(f"  {room.name:<10}{len(room.log)} errors in its log {' '.join(room.log[:1])[:80]}".rstrip())


async def fetching(room: Room) -> str:
    """Return how long it takes until everybody has the last byte of a lab and its scripts."""
    address = room.address + room.file.format("flatten")
    started = time.perf_counter()
    results = await asyncio.gather(*(fetched(address) for _ in range(CLIENTS)), return_exceptions=True)
    times = [result[0] - started for result in results if isinstance(result, tuple)]
    weight = max(result[1] for result in results if isinstance(result, tuple)) / 1000
    last = max(times)
    return (
        f"{CLIENTS} fetch a lab, {weight:.0f} kB: half {percentile(times, 0.5):.2f} s, last {last:.2f} s, "
        f"{CLIENTS - len(times)} lost  {aim(last, 1, ' s')}"
    )


async def fetched(address: str) -> tuple[float, int]:
    """Fetch a page and the scripts that it names; return when that was done and how many bytes came."""
    page = await body(address)
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', unpacked(page))
    rest = await asyncio.gather(*(body(urljoin(address, script)) for script in scripts))
    return time.perf_counter(), len(page) + sum(map(len, rest))


def unpacked(content: bytes) -> str:
    """Return a page's text."""
    return (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode()


async def body(address: str) -> bytes:
    """Return what a server sends, checked to be all of it."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    writer.write(
        f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: gzip\r\n"
        "Connection: close\r\n\r\n".encode()
    )
    answer = await reader.read()
    writer.close()
    head, _, content = answer.partition(b"\r\n\r\n")
    length = int(re.search(rb"(?i)content-length: (\d+)", head)[1])
    if not head.startswith(b"HTTP/1.1 200") or len(content) != length:
        raise ConnectionError(head.split(b"\r\n")[0])
    return content


async def dragging(room: Room) -> str:
    """Return how long a move takes to come back while many drag, and whether the last position wins."""
    async with AsyncExitStack() as sessions:
        labs = [list(LABS)[i % len(LABS)] for i in range(LIVE)]
        lives = [
            await sessions.enter_async_context(opened(room.address + room.live.format(lab))) for lab in labs
        ]
        drags = [
            drag(live, LABS[lab], i * EVERY / LIVE)
            for i, (live, lab) in enumerate(zip(lives, labs, strict=True))
        ]
        results = await asyncio.gather(*drags)
    times = [1000 * time for waits, _ in results for time in waits]
    ended = sum(won for _, won in results)
    p50, p95 = (percentile(times, share) for share in (0.5, 0.95))
    return (
        f"{LIVE} drag, {1 / EVERY:.0f} moves/s each: p50 {p50:.0f} ms, p95 {p95:.0f} ms, last position right "
        f"in {ended} of {LIVE}  {aim(p95, 150)}"
    )


async def drag(live: Live, slider: str, offset: float) -> tuple[list[float], bool]:
    """Move a slider every so often; return how long each move took, and whether the last one came back.

    A move has come back once the numbers are those of it or of a later one.
    """
    sent: dict[float, tuple[int, float]] = {}
    waits: dict[int, float] = {}
    done = asyncio.Event()

    async def listen() -> None:
        while len(waits) < MOVES:
            _, content = await live.receive()
            if (numbers := live.shown(content)) and numbers[slider] in sent:
                now, (last, _) = time.perf_counter(), sent[numbers[slider]]
                for move, moment in sent.values():
                    if move <= last:
                        waits.setdefault(move, now - moment)
        done.set()

    listening = asyncio.create_task(listen())
    await asyncio.sleep(offset)
    for move in range(MOVES):
        value = move / 100  # all different, within every slider
        sent[value] = move, time.perf_counter()
        await live.move(slider, value)
        await asyncio.sleep(EVERY)
    with suppress(TimeoutError):
        await asyncio.wait_for(done.wait(), 30)
    listening.cancel()
    return list(waits.values()), MOVES - 1 in waits


async def visited(rooms: Sequence[Room]) -> list[str]:
    """Return what visits leave behind in each room, all visited at the same time: nothing here is timed."""
    return await asyncio.gather(*map(visiting, rooms))


async def visiting(room: Room) -> str:
    """Return what memory is left in use once many sessions have come and gone, and as many once more."""
    used = []
    for _ in range(2):
        for _ in range(VISITS // 10):
            await asyncio.gather(*(visit(room) for _ in range(10)))
        await asyncio.sleep(GONE)
        used.append(memory(room.pid))
    return f"{VISITS} come and go: {used[0]:.0f} MB after, {used[1]:.0f} MB after as many again"


async def visit(room: Room) -> None:
    """Open a live lab, move a slider, close it."""
    async with opened(room.address + room.live.format("flatten")) as live:
        await live.move("draft_cost", 0.2)
        await live.settled(draft_cost=0.2)


def memory(pid: int) -> float:
    """Return the memory that a process holds, in megabytes (Linux)."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6
