"""The teacher's page: what to try in each lab, what to ask there, and the answers, computed as it is made."""

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from types import ModuleType
from typing import Any, NamedTuple

from app import page
from labs import burst, flatten, peaks
from labs.trials import Trial

Columns = Mapping[str, Mapping[str, Any]]
ASKED = 0.9  # the acceptance rate whose peak the peaks lab asks for


class Question(NamedTuple):
    """What a lab asks before it shows its answer, and the answer from its columns."""

    text: str
    answer: Callable[[Columns], str]


class Step(NamedTuple):
    """An experiment: its name, what to set, what to look for, the answer there."""

    label: str
    setting: str
    look: str
    answer: str


def steps(lab: ModuleType) -> list[Step]:
    """Return a lab's experiments in the order of its buttons."""
    return [_step(lab, trial) for trial in lab.TRIALS]


def _step(lab: ModuleType, trial: Trial) -> Step:
    columns = lab.columns(**lab.State.defaults() | trial.values)
    keyed = {page.KEYS.get(name, name): value for name, value in trial.values.items()}
    setting = ", ".join(f"{key} = {value}" for key, value in keyed.items()) or "as it opens"
    return Step(trial.label, setting, trial.look, QUESTIONS[lab].answer(columns))


def _fastest(columns: Columns) -> str:
    row = {name: value for name, [value] in columns["readout"].items()}
    return _best(row["best_draft_length"], row["speedup"])


def _late(columns: Columns) -> str:
    row = {name: value for name, [value] in columns["readout"].items()}
    return f"{shown(row['p99'], 1)} passes in this sample, {shown(row['exact_p99'], 1)} exactly"


def _peak(columns: Columns) -> str:
    peaked = columns["peaks"]
    at = list(peaked["acceptance_rate"]).index(ASKED)
    return _best(peaked["best_draft_length"][at], peaked["speedup"][at])


def _best(length: float, speedup: float) -> str:
    if length == 0:
        return "not to guess"
    if math.isinf(length):
        return f"longer is always better, towards {shown(speedup)}×"
    return f"k = {length}, {shown(speedup)}×"


def shown(value: float, digits: int = 2) -> str:
    """Return a number as the pages write it: halves of the exact binary value are rounded up."""
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


QUESTIONS = {
    flatten: Question("Which draft length k is fastest?", _fastest),
    burst: Question("Within how many target passes do 99 in a hundred bursts finish?", _late),
    peaks: Question(f"At which draft length k does the curve for a = {ASKED:.2f} peak?", _peak),
}


def sheet() -> str:
    """Return the page."""
    labs = [
        {"name": page.name(lab), "heading": lab.TITLE, "defaults": _defaults(lab), "steps": steps(lab)}
        | QUESTIONS[lab]._asdict()
        for lab in page.LABS
    ]
    return page.template("teacher").render(labs=labs, style=page.style())


def _defaults(lab: ModuleType) -> str:
    """Return where a lab's controls stand as it opens."""
    given = {name: value for name, value in lab.State.defaults().items() if value != ""}
    return ", ".join(f"{page.KEYS.get(name, name)} = {value}" for name, value in given.items())
