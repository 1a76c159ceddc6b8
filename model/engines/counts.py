"""What an engine's fields mean: the counts that they determine, by the kind of format.

Notes are keys of model/engines/reading.py's WARNINGS. What the fields do not determine is None.
"""

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TypedDict

from model.engines.logs import LARGEST, Record
from model.sums import total

MOST_DECIMALS = 6
SHORT = 0.99  # of the tokens that drafts of full length have: below it, the draft length varied
PERCENT_OFF = 0.0051  # a rate in percent with one decimal or more is printed as exactly as this


class Counts(TypedDict):
    """What was counted: by how many drafts a position was reached, or the share that reached it."""

    draft_length: float | None
    drafts: float | None
    accepted: float | None
    drafted: float | None
    reached: list[float] | None
    rates: list[float] | None
    tokens_per_step: float | None
    strict_rate: float | None
    alpha: float | None
    notes: list[str]


def counts(**known: object) -> Counts:
    """Return counts of which these are known."""
    none: dict[str, object] = dict.fromkeys(Counts.__annotations__)
    return none | {"notes": []} | known  # type: ignore[return-value]


def whole(value: float) -> bool:
    """Return whether a value is a count."""
    return value == math.floor(value)


def figure(record: Record, name: str) -> float | None:
    """Return a field's number, None where it is absent or none."""
    value = record.get(name)
    return None if value is None or math.isnan(value) else float(value)


def share(record: Record, name: str) -> float | None:
    """Return a field's number from 0 to 1."""
    value = figure(record, name)
    return None if value is None or value > 1.0 else value


def shares(known: Counts) -> tuple[float | None, float | None]:
    """Return tokens per step and the strict rate, by the counts where they are known."""
    accepted, drafts, drafted = (known[name] for name in ("accepted", "drafts", "drafted"))
    tokens = 1.0 + accepted / drafts if drafts and accepted is not None else known["tokens_per_step"]
    rate = accepted / drafted if drafted and accepted is not None else known["strict_rate"]
    return tokens, rate


def rounded(value: float) -> float:
    """Return the nearest whole number, of two the higher."""
    return math.floor(value + 0.5)


def precision(record: Record, name: str) -> float:
    """Return how far a printed number may lie from the exact one."""
    unit = 1.0
    for _ in range(min(record.get(f"{name}_digits", 2), MOST_DECIMALS)):
        unit /= 10.0
    return 0.51 * unit


def counted(records: Sequence[Record]) -> Counts:
    """Return counts pooled over records that have drafts and accepted tokens, or what gives them.

    A record that is cut before its draft length is left out where others have theirs.
    """
    rows = [row for row in map(_row, records) if row is not None]
    drafted = [row for row in rows if row["drafts"]]
    used = [row for row in drafted if row["draft_length"] is not None] or drafted
    notes = ["left out"] if len(rows) < len(records) else []
    notes += ["length cut"] if len(used) < len(drafted) else []
    notes += [note for row in used or rows for note in row["notes"]]
    if rows and not used:
        return counts(drafts=0.0, accepted=0.0, drafted=0.0, notes=[*notes, "nothing drafted"])
    if not used:
        return counts(notes=notes)
    notes += ["pooled"] if len(used) > 1 else []
    notes += ["steps without a draft"] if any(figure(record, "without") for record in records) else []
    return _pooled(used, notes)


def _pooled(rows: Sequence[Counts], notes: list[str]) -> Counts:
    """Return the sums; a draft length only where all rows have it, and nearly all drafts reach it."""
    drafts = total(row["drafts"] for row in rows)
    known = [row["drafted"] for row in rows if row["drafted"] is not None]
    drafted = total(known) if len(known) == len(rows) else None
    lengths = {row["draft_length"] for row in rows}
    length = rows[0]["draft_length"] if len(lengths) == 1 else None
    full = 1.0 if drafted is None or length is None else drafted / (length * drafts)
    if len(lengths) > 1 or full < SHORT:
        notes.append("varied")
    elif full < 1.0:
        notes.append("some short")
    return counts(
        draft_length=length if full >= SHORT else None,
        drafts=drafts,
        accepted=total(row["accepted"] for row in rows),
        drafted=drafted,
        reached=_reached(rows) if len(lengths) == 1 else None,
        notes=notes,
    )


def _reached(rows: Sequence[Counts]) -> list[float] | None:
    lists = [row["reached"] for row in rows]
    known = [reached for reached in lists if reached is not None]
    if len(known) < len(lists) or len({len(reached) for reached in known}) != 1:
        return None
    return [total(column) for column in zip(*known, strict=True)]


def _row(record: Record) -> Counts | None:
    """Return one record's counts; None where they are not there, or cannot be."""
    told = record | _from_histogram(record)
    accepted, drafted = figure(told, "accepted"), figure(told, "drafted")
    accepted = figure(told, "accepted_old") if accepted is None else accepted
    drafted = figure(told, "drafted_old") if drafted is None else drafted
    positions, notes = _positions(told)
    known = told | {"accepted": accepted, "drafted": drafted, "positions": positions}
    drafts, sure = _drafts(known)
    if drafts is None or accepted is None or not whole(drafts) or not whole(accepted):
        return None
    if drafted is not None and (accepted > drafted or not whole(drafted) or (drafted > 0 and drafts == 0)):
        return None
    if drafted == 0:
        return counts(drafts=0.0, accepted=0.0, drafted=0.0, notes=notes)
    length, positions, more = _length(known, drafts, sure=sure)
    if length is not None and accepted > length * drafts:
        return None
    notes += more + _disagreements(known, drafts)
    if positions is not None and _contradict(positions, accepted, drafts, length):
        positions = None
        notes.append("disagree")
    reached = None if positions is None else [float(rounded(rate * drafts)) for rate in positions]
    return counts(
        draft_length=length, drafts=drafts, accepted=accepted, drafted=drafted, reached=reached, notes=notes
    )


def _from_histogram(record: Record) -> Record:
    """Return what a histogram counts: index j holds the steps that accepted exactly j tokens."""
    histogram = record.get("histogram")
    if not histogram or any(math.isnan(steps) or not whole(steps) for steps in histogram):
        return {}
    *reached, drafts = accumulate(reversed(histogram))
    if drafts == 0:
        return {}
    positions = [count / drafts for count in reversed(reached)]
    accepted = total(j * steps for j, steps in enumerate(histogram))
    known = {"drafts": drafts, "accepted": accepted} | ({"positions": positions} if positions else {})
    return known if drafts <= LARGEST and accepted <= LARGEST else {}


def _positions(record: Record) -> tuple[list[float] | None, list[str]]:
    """Return the position rates, if they can be: shares that never rise."""
    rates = record.get("positions")
    if not rates or any(not rate <= 1.0 for rate in rates):
        return None, (["positions dropped"] if rates else [])
    if any(later > earlier for earlier, later in pairwise(rates)):
        return None, ["positions dropped"]
    return list(rates), []


def _drafts(record: Record) -> tuple[float | None, bool]:
    """Return the number of drafts, and whether it is more than an estimate."""
    drafts, accepted, drafted = (figure(record, name) for name in ("drafts", "accepted", "drafted"))
    length, positions = figure(record, "length"), record["positions"]
    if drafts is not None:
        return drafts, True
    if drafted == 0.0:
        return 0.0, True
    even = None if positions is None or drafted is None else drafted / len(positions)
    if even is not None and not whole(even):
        even = None
    if even is not None and (accepted is None or _fits(accepted / even, record)):
        return even, True
    if accepted and length is not None and length > 1.0:
        return rounded(accepted / (length - 1.0)), False
    return (None, False) if even is None or length is None else (even, True)


def _fits(per_draft: float, record: Record) -> bool:
    """Return whether the printed length is that of the counts, with the target's token or without it.

    Without a length, whether the position rates are: a list that is cut belies its own length.
    """
    length, positions = figure(record, "length"), record["positions"]
    if length is None:
        return abs(total(positions) - per_draft) <= PERCENT_OFF * len(positions)
    off = abs(1.0 + per_draft - length)
    return off <= precision(record, "length") or abs(off - 1.0) <= precision(record, "length")


def _length(
    record: Record, drafts: float, *, sure: bool
) -> tuple[float | None, list[float] | None, list[str]]:
    """Return the draft length, the position rates up to it, and notes."""
    drafted, positions = figure(record, "drafted"), record["positions"]
    declared = figure(record, "draft_length")
    if declared is not None and whole(declared) and 1 <= declared <= LARGEST:
        return declared, positions, []
    if not drafts or drafted is None:
        return (None if positions is None else len(positions)), positions, []
    needed = math.ceil(drafted / drafts)
    if positions is None:
        return (needed if sure else None), None, []
    full = drafted >= SHORT * needed * drafts
    if len(positions) > needed and full and not any(positions[needed:]):
        return needed, positions[:needed], ["padded"]
    if len(positions) < needed:
        return (needed if sure else None), positions, ["positions missing"]
    return len(positions), positions, []


def _disagreements(record: Record, drafts: float) -> list[str]:
    """Return notes of printed figures that are not those of the counts."""
    length, rate = figure(record, "length"), figure(record, "rate")
    accepted, drafted = record["accepted"], record["drafted"]
    notes = []
    if drafts and length is not None and accepted is not None:
        off = abs(1.0 + accepted / drafts - length)
        if abs(off - 1.0) <= precision(record, "length") and length < 1.0 + accepted / drafts:
            notes.append("length without target")
        elif off > precision(record, "length"):
            notes.append("disagree")
    if drafted and rate is not None and abs(rate - accepted / drafted) > PERCENT_OFF:
        notes.append("disagree")
    return notes


def _contradict(positions: list[float], accepted: float, drafts: float, length: float | None) -> bool:
    """Return whether the position rates are not those of the counts: p[1] + ... + p[k] is A / D.

    A list that is cut adds up to less, never to more.
    """
    if not drafts:
        return False
    off = total(positions) - accepted / drafts
    return off > PERCENT_OFF * len(positions) or (
        len(positions) == length and off < -PERCENT_OFF * len(positions)
    )


def positioned(rates: list[float]) -> Counts:
    """Return what shares of the drafts that accepted at least 1, 2, … tokens give, without counts."""
    falling = all(later <= earlier for earlier, later in pairwise([1.0, *rates]))
    if not rates or not falling:
        return counts(notes=["positions dropped"])
    together = total(rates)
    return counts(
        draft_length=len(rates),
        rates=rates,
        tokens_per_step=1.0 + together,
        strict_rate=together / len(rates),
        notes=["no counts"],
    )
