"""The exported labs beside the thinnest Bokeh page: a slider's move, where its time goes, opening, bytes."""

import tempfile
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import median

from bench_browser import Subject, browser, measure, opened
from bench_exported_bytes import report_bytes
from bench_exported_floor import floor_page
from bench_opening import opening_times
from bench_profile import where_it_goes
from bench_served import PRODUCT, serving
from bench_timing import aim, heading, percentile
from playwright.sync_api import Browser

from app.export import export

MOVES, PROFILED, OPENINGS = 40, 20, 9
OVER_FLOOR, FRAMES, FASTER = (
    1.3,
    33.0,
    3.0,
)  # times the floor, milliseconds above it, times faster than served
FLATTEN = {"a": (0.1, 0.5, 0.8, 0.9, 0.94), "c": (0, 0.01, 0.1, 0.5, 1)}
BURST = {"a": (0, 0.1, 0.2, 0.35, 0.5, 0.8, 0.95), "k": (1, 2, 4, 8, 16, 32), "n": (40, 200, 400)}

# A setting is taken and painted, then the rate moves by a step: milliseconds from there to the painted plots.
SLIDERS = {"peaks": "draft_cost"}  # moved in place of the acceptance rate
SEARCH = """async ([settings, keys]) => {
  const doc = Bokeh.documents[0];
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    setTimeout(done);
  })));
  const slider = (key) => doc.get_model_by_name(
    document.querySelector(`.control input[data-key=${key}]`).id);
  const times = [];
  for (const setting of settings) {
    keys.forEach((key, i) => { slider(key).value = setting[i]; });
    await painted();
    const started = performance.now();
    slider("a").value = setting[0] + 0.01;
    await painted();
    times.push(performance.now() - started);
  }
  return times;
}"""


def report() -> None:
    """Print the section."""
    heading("exported: a slider's move, key press to painted plots, in Chromium, from the disk")
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        folder = Path(name)
        export(folder)
        for plots in (1, 2):
            (folder / f"floor{plots}.html").write_text(floor_page(plots), encoding="utf-8")
        worst = {
            "flatten": _worst(chromium, folder / "flatten.html", FLATTEN),
            "burst": _worst(chromium, folder / "burst.html", BURST),
            "peaks": "?c=0.02",  # best draft lengths far out, and the most labels
        }
        _report_moves(chromium, folder.as_uri(), worst)
        _report_parts(chromium, folder.as_uri(), worst)
        _report_opening(chromium, folder.as_uri())
        report_bytes(folder)


def _worst(chromium: Browser, page: Path, grid: Mapping[str, Sequence[float]]) -> str:
    """Return the slowest setting of the grid as a query: the slowest dozen at first sight, again."""
    tab = opened(chromium, Subject("search", page.as_uri()))
    settings = list(product(*grid.values()))
    for rounds, kept in ((1, 12), (5, 1)):
        times = [tab.evaluate(SEARCH, [settings, list(grid)]) for _ in range(rounds)]
        slowest = sorted(zip(map(median, zip(*times, strict=True)), settings, strict=True), reverse=True)
        settings = [setting for _, setting in slowest[:kept]]
    tab.context.close()
    return "?" + "&".join(f"{key}={value}" for key, value in zip(grid, settings[0], strict=True))


def _report_moves(chromium: Browser, exported: str, worst: Mapping[str, str]) -> None:
    """Print the moves of both labs, at their defaults and at their worst, beside floors and served pages."""
    with serving(PRODUCT) as served:
        floors = [
            Subject("floor: one plot", f"{exported}/floor1.html", last_source="curve"),
            Subject("floor: two plots", f"{exported}/floor2.html", last_source="curve"),
        ]
        subjects, beside = [], []
        for lab, query in worst.items():
            for setting in ("", query):
                name, slider = f"{lab} {setting}".strip(), SLIDERS.get(lab, "acceptance_rate")
                subjects.append(Subject(name, f"{exported}/{lab}.html{setting}", slider=slider))
                beside.append(Subject(f"served: {name}", f"{served}/{lab}{setting}", slider=slider))
        measure(chromium, [*floors, *subjects, *beside], MOVES)
    print(f"  {MOVES} moves each, in turns{'':<14}{'p50':>8}{'p95':>9}")
    for floor in floors:
        print(_times(floor))
    for subject, other in zip(subjects, beside, strict=True):
        _report_aims(subject, other, floors)
    looks = [look for subject in (*floors, *subjects, *beside) for look in subject.settled]
    print(f"  the moment is right: {sum(looks)} of {len(looks)} pictures looked at were new and final")


def _times(subject: Subject) -> str:
    p50, p95 = (percentile(subject.times("painted"), share) for share in (0.5, 0.95))
    return f"  {subject.name:<36}{p50:>8.1f}{p95:>9.1f} ms"


def _report_aims(subject: Subject, served: Subject, floors: Sequence[Subject]) -> None:
    """Print one lab's move beside what it is held against; of the floors, two plots are what a lab has."""
    time, by_server, *least = (median(each.times("painted")) for each in (subject, served, *floors))
    print(_times(subject))
    print(_times(served))
    for floor, of in zip(least, ("one plot", "two plots"), strict=True):
        if "?" not in subject.name:
            print(f"      {time / floor:.2f} x the floor with {of}; {aim(time / floor, OVER_FLOOR, ' x')}")
        print(f"      {time - floor:.1f} ms above the floor with {of}; {aim(time - floor, FRAMES)}")
    met = "met" if by_server / time >= FASTER else "MISSED"
    print(f"      {by_server / time:.1f} x faster than served; aim {FASTER:g} x or more: {met}")


def _report_parts(chromium: Browser, exported: str, worst: Mapping[str, str]) -> None:
    """Print where the time of a move goes; every page is looked at with the profiler at work."""
    heading("exported: where the time of a move goes, in milliseconds, means, the profiler at work")
    subjects = [Subject("floor", f"{exported}/floor2.html", last_source="curve")]
    for lab, query in worst.items():
        address = f"{exported}/shared/{lab}.html"
        slider = SLIDERS.get(lab, "acceptance_rate")
        subjects += [
            Subject(lab, address, slider=slider),
            Subject(f"{lab}, worst", address + query, slider=slider),
        ]
    parts = [where_it_goes(chromium, subject, PROFILED) for subject in subjects]
    print(f"  {'':<44}" + "".join(f"{subject.name:>16}" for subject in subjects))
    for part in parts[0]:
        print(f"  {part:<44}" + "".join(f"{times[part]:>16.2f}" for times in parts))


def _report_opening(chromium: Browser, exported: str) -> None:
    """Print how long a page takes from its file's opening until it can be used."""
    heading("exported: from opening the file to a page that can be used, its plots painted")
    names = (
        "floor1",
        "floor2",
        "flatten",
        "burst",
        "peaks",
        "shared/flatten",
        "shared/burst",
        "shared/peaks",
    )
    addresses = {name: f"{exported}/{name}.html" for name in names}
    times = opening_times(chromium, addresses, OPENINGS)
    floor = median(times["floor2"])
    print(
        f"  {OPENINGS} times each, in turns{'':<13}{'p50':>8}{'p95':>9}     beside the floor with two plots"
    )
    for name, taken in times.items():
        p50, p95 = (percentile(taken, share) for share in (0.5, 0.95))
        print(f"  {name:<36}{p50:>8.1f}{p95:>9.1f} ms  {p50 / floor:.2f} x")
