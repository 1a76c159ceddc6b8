"""The speed of the exact distributions and of what is read from them, in Python and in Chromium."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from bench_browser import Subject, browser, opened
from bench_timing import aim, exponents, heading, line, medians
from playwright.sync_api import Browser, Page

from app.export import export
from model import chains, finish_times, mixtures, tails

SHARES = [0.5, 0.9, 0.99, 0.999]
RATES = (0.01, 0.1, 0.3, 0.5, 0.63, 0.8, 0.9, 0.99)
DEVIATIONS = (0.02, 0.16, 0.5)
DECAYS = (0.9, 1.0)
LONGEST, WIDEST = 400, 32
BURST_LENGTHS, DRAFT_LENGTHS = (25, 50, 100, 200, 400), (1, 3, 7, 15, 31)
ALL_DRAFTS, SPREAD = 500.0, 250.0  # milliseconds
ROUNDS, REPEATS = 9, 10

# The milliseconds that several calls take together, in rounds that take turns.
TIMES = """([calls, rounds]) => {
  const call = ([path, ...given]) => {
    const twin = path.split(".").reduce((owner, name) => owner[name], GuessAhead);
    const found = twin(...given);
    return found.next ? [...found] : found;
  };
  const times = calls.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    calls.forEach((several, i) => {
      const started = performance.now();
      several.forEach(call);
      times[i].push(performance.now() - started);
    });
  }
  return times;
}"""

Call = tuple[Callable[..., object], tuple[Any, ...]]
Work = list[Call]  # calls that are timed together


def report() -> None:
    """Print the section."""
    heading("tails: the exact distribution, and what is read from it; medians, Python and Chromium")
    with tempfile.TemporaryDirectory() as name, browser() as chromium:
        page = _page(chromium, Path(name))
        _report_growth(page, "n", BURST_LENGTHS, [(0.5, WIDEST, n) for n in BURST_LENGTHS])
        _report_growth(
            page, "k + 1", [k + 1 for k in DRAFT_LENGTHS], [(0.5, k, LONGEST) for k in DRAFT_LENGTHS]
        )
        _report_worst(page, "which k for the tail, 1..32, n = 400", {"Chromium": ALL_DRAFTS}, _all_drafts())
        both = {"Python": SPREAD, "Chromium": SPREAD}
        _report_worst(page, "33 kinds, k = 32, n = 400", both, _spread())
        _report_worst(page, "33 kinds, k = 32, every n to 400", both, _lengths(DEVIATIONS))
        _report_worst(page, "one kind, k = 32, every n to 400", both, _lengths([0.0]))
        _report_worst(page, "what 2,000 samples show, n = 400", both, _samples())
        _report_worst(page, "a chain, all of it, n = 400", both, _chain())


def _page(chromium: Browser, folder: Path) -> Page:
    """Return an exported page, which has the twin in it."""
    export(folder)
    return opened(chromium, Subject("twin", (folder / "burst.html").as_uri()))


def _report_growth(
    page: Page, of: str, sizes: Sequence[int], settings: Sequence[tuple[float, int, int]]
) -> None:
    """Print how the cost of one distribution grows; its additions are at most n^2 (k + 1) / 2."""
    works: list[Work] = [[(finish_times.step_distribution, setting)] * REPEATS for setting in settings]
    for engine, timed in _engines(page).items():
        times = [time / REPEATS for time in timed(works, ROUNDS)]
        between, overall = exponents(sizes, times)
        print(f"  the exact distribution, growth with {of}, at a = {settings[-1][0]}: {engine}")
        for (_, k, n), time, power in zip(settings, times, [None, *between], strict=True):
            grown = "" if power is None else f"({of})^{power:.2f} since the line above"
            line(f"  k = {k}, n = {n}", time, grown)
        print(f"    time ~ ({of})^{overall:.2f} from {sizes[0]} to {sizes[-1]}")


def _report_worst(page: Page, what: str, limits: Mapping[str, float], works: Mapping[str, Work]) -> None:
    """Print the slowest of the settings in both: the slowest three at first sight, each looked at again."""
    for engine, timed in _engines(page).items():
        first = dict(zip(works, timed(list(works.values()), 1), strict=True))
        slowest = sorted(first, key=lambda setting: -first[setting])[:3]
        again = dict(zip(slowest, timed([works[setting] for setting in slowest], ROUNDS), strict=True))
        worst = max(again, key=lambda setting: again[setting])
        aimed = f"{aim(again[worst], limits[engine])} " if engine in limits else ""
        line(f"{what}: {engine}", again[worst], f"{aimed}(worst: {worst})")


def _engines(page: Page) -> dict[str, Callable[[Iterable[Work], int], list[float]]]:
    return {"Python": _python, "Chromium": partial(_chromium, page)}


def _python(works: Iterable[Work], rounds: int) -> list[float]:
    def all_of(work: Work) -> Callable[[], object]:
        return lambda: [_whole(function(*given)) for function, given in work]

    return list(medians({str(i): all_of(work) for i, work in enumerate(works)}, rounds).values())


def _chromium(page: Page, works: Iterable[Work], rounds: int) -> list[float]:
    calls = [
        [
            [f"{function.__module__.removeprefix('model.')}.{function.__name__}", *map(_plain, given)]
            for function, given in work
        ]
        for work in works
    ]
    return [median(times) for times in page.evaluate(TIMES, [calls, rounds])]


def _whole(found: object) -> object:
    return list(found) if isinstance(found, Iterator) else found


def _plain(given: Any) -> Any:  # noqa: ANN401 - a model's argument
    return given.tolist() if hasattr(given, "tolist") else given


def _all_drafts() -> dict[str, Work]:
    return {f"a = {a}": [(tails.draft_length_chances, (a, WIDEST, LONGEST))] for a in RATES}


def _lengths(deviations: Iterable[float]) -> dict[str, Work]:
    return {
        f"a = {a}, deviation {s}, decay {d}": [
            (mixtures.step_quantiles, (*mixtures.burst_kinds(a, s, d, WIDEST), WIDEST, LONGEST, SHARES))
        ]
        for a, s, d in product(RATES, deviations, DECAYS)
    }


def _spread() -> dict[str, Work]:
    return {
        f"a = {a}, deviation {s}, decay {d}": [
            (mixtures.step_distribution, (*mixtures.burst_kinds(a, s, d, WIDEST), WIDEST, LONGEST))
        ]
        for a, s, d in product(RATES, DEVIATIONS, DECAYS)
    }


def _samples() -> dict[str, Work]:
    works: dict[str, Work] = {}
    for a, k in product(RATES, (1, WIDEST)):
        _, chances = finish_times.step_distribution(a, k, LONGEST)
        works[f"a = {a}, k = {k}"] = [(tails.sampled_quantile, (chances, 0.99, 2000))]
    return works


def _chain() -> dict[str, Work]:
    works: dict[str, Work] = {}
    for a in RATES:
        run = (*finish_times.step_distribution(a, 1, LONGEST), 10_000)
        works[f"a = {a}, k = 1"] = [
            (chains.chance_past, (*run, run[0])),
            (chains.burst_timeout, (*run, SHARES)),
            (chains.bursts_past, (*run, 0.99)),
            (chains.run_time, run),
            (chains.run_steps_p99, run),
        ]
    return works
