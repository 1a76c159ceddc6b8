"""A slider move in the served labs, key press to painted plots, beside the thinnest Panel app."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from urllib.error import URLError
from urllib.request import urlopen

from bench_browser import Subject, browser, measure
from bench_timing import heading, percentile
from panel.reactive import Syncable

FLOOR = [sys.executable, str(Path(__file__).with_name("bench_floor.py"))]
PRODUCT = [str(Path(sys.executable).with_name("guess-ahead")), "serve", "--port"]
HELD = Syncable._debounce  # noqa: SLF001 - milliseconds; Panel has no other name for it
MOVES = 60
OVER_FLOOR = 1.3
WORST_BURST = "?a=0.5&k=32&n=400"


def report() -> None:
    """Print the section."""
    heading(f"served: a slider move, key press to painted plots, in Chromium; {MOVES} moves each, in turns")
    with ExitStack() as running:
        floor = running.enter_context(serving(FLOOR))
        product = running.enter_context(serving(PRODUCT))
        subjects = [
            Subject("floor: one precomputed source", f"{floor}/floor", last_source="curve"),
            Subject("flatten", f"{product}/flatten"),
            Subject("burst", f"{product}/burst"),
            Subject(f"burst {WORST_BURST}", f"{product}/burst{WORST_BURST}"),
            Subject("peaks", f"{product}/peaks", slider="draft_cost"),
        ]
        measure(running.enter_context(browser()), subjects, MOVES)
    print_moves(subjects, OVER_FLOOR)
    _print_phases(subjects)


def print_moves(subjects: Sequence[Subject], over_floor: float) -> None:
    """Print key press to painted plots for each subject, beside the first one, the floor."""
    print(f"  {'':<32}{'p50':>8}{'p95':>9}     beside the floor (p50, p95)")
    floor = [percentile(subjects[0].times("painted"), share) for share in (0.5, 0.95)]
    for subject in subjects:
        times = [percentile(subject.times("painted"), share) for share in (0.5, 0.95)]
        ratios = [time / least for time, least in zip(times, floor, strict=True)]
        met = "met" if ratios[0] <= over_floor else "MISSED"
        note = (
            ""
            if subject is subjects[0]
            else f"{ratios[0]:.2f} x, {ratios[1]:.2f} x; aim {over_floor} x: {met}"
        )
        print(f"  {subject.name:<32}{times[0]:>8.1f}{times[1]:>9.1f} ms  {note}".rstrip())
    settled = [look for subject in subjects for look in subject.settled]
    print(f"  the moment is right: {sum(settled)} of {len(settled)} pictures looked at were new and final")


def _print_phases(subjects: Sequence[Subject]) -> None:
    """Print where the time between the key and the plots goes."""
    columns = f"{'to send':>8}{'held':>9}{'server':>9}{'page':>9}"
    print(f"  {'where it goes, medians':<32}{columns}     paints per plot")
    for subject in subjects:
        sent, arrived, painted = (subject.times(moment) for moment in ("sent", "arrived", "painted"))
        held = HELD if subject is subjects[0] else 0
        server = median(b - a for a, b in zip(sent, arrived, strict=True)) - held
        page = median(b - a for a, b in zip(arrived, painted, strict=True))
        print(
            f"  {subject.name:<32}{median(sent):>8.1f}{held:>9.1f}{server:>9.1f}{page:>9.1f} ms"
            f"{median(subject.times('paints')):>6.1f}     server: {100 * server / median(painted):.0f} %"
        )
    print(f"  held: Panel keeps a slider's events for {HELD} ms (Syncable._debounce), the labs do not")
    print("  server: Python, and the way there and back, until the first source is replaced")


@contextmanager
def serving(command: Sequence[str]) -> Iterator[str]:
    """Yield the address of a server started with this command and a free port, once it answers."""
    port = free_port()
    command = [*command, str(port)]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:  # noqa: S603 - our own commands
        try:
            wait_for(f"http://localhost:{port}/", process)
            yield f"http://localhost:{port}"
        finally:
            process.terminate()


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(address: str, process: subprocess.Popen[bytes], seconds: float = 60) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < deadline:
        try:
            urlopen(address, timeout=seconds).close()  # noqa: S310 - the address of a server started here
        except URLError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"{process.args!r} did not answer at {address}")
