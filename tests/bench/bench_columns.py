"""The speed of one whole recompute of a lab's columns, model to arrays, which every slider move asks for."""

from collections.abc import Iterable
from functools import partial
from itertools import count, product
from time import perf_counter
from types import ModuleType
from typing import Any

from bench_timing import aim, exponents, heading, line, medians

from labs import burst, flatten, peaks
from model import bursts, finish_times

AT_DEFAULTS, AT_WORST = 5.0, 25.0  # milliseconds
RATES = (0.0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.96, 0.98, 0.99, 1.0)
LENGTHS = (1, 2, 4, 8, 12, 16, 24, 32)
BURST_LENGTHS = (1, 40, 200, 400)
GROWTH = (25, 50, 100, 200, 400)

Setting = dict[str, Any]


def columns(lab: ModuleType, **setting: Any) -> object:  # noqa: ANN401 - a lab's state
    """Return a lab's columns, computed anew: the burst lab keeps what a moved slider leaves as it was."""
    if lab is burst:
        burst._step_counts.cache_clear()  # noqa: SLF001 - what is kept is not what is measured
        burst._step_distribution.cache_clear()  # noqa: SLF001
    return lab.columns(**setting)


def report() -> None:
    """Print the section."""
    heading("columns: one whole recompute of what a lab draws")
    _report_lab(flatten, _flatten_settings())
    _report_lab(peaks, _peaks_settings())
    worst = _report_lab(burst, _burst_settings())
    fresh = count(1)
    new_seed = {"new": lambda: columns(burst, **worst | {"seed": next(fresh)})}
    line("burst, worst setting, a new seed", medians(new_seed, 9)["new"], '"draw again"')
    costs = count(1)
    new_cost = {"new": lambda: burst.columns(**worst | {"draft_cost": next(costs) / 100})}
    line("burst, worst setting, draft cost alone moved", medians(new_cost, 9)["new"], "the rest is kept")
    _report_parts("the defaults", burst.State().arguments())
    _report_parts("the worst setting", worst)
    _report_growth(worst)


def _flatten_settings() -> Iterable[Setting]:
    """Every position of the two sliders."""
    for a, c in product(range(100), range(101)):
        yield {"acceptance_rate": a / 100, "draft_cost": c / 100}


def _peaks_settings() -> Iterable[Setting]:
    """Yield every draft cost, at a few shares of the compute in use."""
    for c, b in product(range(201), (0, 10, 50, 100)):
        yield {"draft_cost": c / 200, "utilisation": b / 100}


def _burst_settings() -> Iterable[Setting]:
    """Yield a grid; the cost is left alone, as it only multiplies the finish times."""
    defaults = burst.State().arguments()
    for a, k, n, drawn in product(RATES, LENGTHS, BURST_LENGTHS, ("first", "unlucky, at p99")):
        yield defaults | {"acceptance_rate": a, "draft_length": k, "burst_length": n, "drawn": drawn}


def _report_lab(lab: ModuleType, settings: Iterable[Setting]) -> Setting:
    """Print the lab's times at its defaults and at the worst setting; return that."""
    name = lab.__name__.rpartition(".")[2]
    defaults = lab.State().arguments()
    worst = _worst(lab, settings)
    times = medians(
        {"defaults": partial(columns, lab, **defaults), "worst": partial(columns, lab, **worst)}, 31
    )
    line(f"{name}, the defaults", times["defaults"], aim(times["defaults"], AT_DEFAULTS))
    said = ", ".join(str(value) for value in worst.values())
    line(f"{name}, the worst setting", times["worst"], f"{aim(times['worst'], AT_WORST)} ({said})")
    return worst


def _worst(lab: ModuleType, settings: Iterable[Setting]) -> Setting:
    """Return the slowest setting: the slowest dozen at first sight, each looked at again."""
    slowest = sorted(settings, key=lambda setting: -_once(lab, setting))[:12]
    again = medians({str(i): partial(columns, lab, **setting) for i, setting in enumerate(slowest)}, 9)
    return slowest[max(range(len(slowest)), key=lambda i: again[str(i)])]


def _once(lab: ModuleType, setting: Setting) -> float:
    started = perf_counter()
    columns(lab, **setting)
    return perf_counter() - started


def _report_parts(name: str, setting: Setting) -> None:
    """Print where the burst lab's time goes."""
    a, k, c, n, seed, _ = setting.values()
    times = medians(
        {
            "whole": partial(columns, burst, **setting),
            "the exact distribution": partial(finish_times.distribution, a, k, c, n),
            "the steps of the 2,000 bursts": partial(bursts.step_counts, a, k, n, seed, burst.BURSTS),
            "the trace of the first burst": partial(bursts.trace, a, k, n, seed, burst.BURSTS),
        },
        15,
    )
    whole = times.pop("whole")
    times["the rest"] = whole - sum(times.values())
    print(f"  burst, where the time goes at {name}")
    for part, time in times.items():
        line(f"  {part}", time, f"{100 * time / whole:3.0f} %")


def _report_growth(worst: Setting) -> None:
    """Print how the burst lab's time grows with the burst, at the worst rate and draft length."""
    works = {str(n): partial(columns, burst, **worst | {"burst_length": n}) for n in GROWTH}
    times = list(medians(works, 15).values())
    between, overall = exponents(GROWTH, times)
    print(
        f"  burst, growth with burst length n at a = {worst['acceptance_rate']}, k = {worst['draft_length']}"
    )
    for n, time, power in zip(GROWTH, times, [None, *between], strict=True):
        line(f"  n = {n}", time, "" if power is None else f"n^{power:.2f} since half of it")
    print(f"    time ~ n^{overall:.2f} from {GROWTH[0]} to {GROWTH[-1]}")
