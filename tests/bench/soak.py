"""Ten minutes of a class: files fetched, sessions opened, moved, closed, without a break; memory printed."""

import argparse
import asyncio
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the live sessions are the tests'

from bench_room import WORKSHOP, Room, fetched, memory, serving, visit
from bench_timing import heading

LOOKS = 10


async def soak(room: Room, seconds: float) -> None:
    """Print what was done and what memory is held, so many times."""
    started, done, lost = time.monotonic(), 0, 0
    for look in range(1, LOOKS + 1):
        while time.monotonic() - started < look * seconds / LOOKS:
            visits = [visit(room) for _ in range(3)]
            files = [fetched(room.address + room.file.format("burst")) for _ in range(20)]
            results = await asyncio.gather(*visits, *files, return_exceptions=True)
            lost += sum(isinstance(result, Exception) for result in results)
            done += len(results)
        passed, held = time.monotonic() - started, memory(room.pid)
        print(f"  {passed:>6.0f} s {done:>8} done {lost:>4} lost {held:>6.0f} MB", flush=True)


def main() -> None:
    """Soak for as many seconds as asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=600, help="default: %(default)s")
    seconds = parser.parse_args().seconds
    heading(f"a soak of {seconds:.0f} seconds")
    with serving("workshop", WORKSHOP, "/shared/{}.html", "/live/{}") as room:
        asyncio.run(soak(room, seconds))
    print(f"  {len(room.log)} errors in the log")


if __name__ == "__main__":
    main()
