"""What follows from tokens predicted, drafted and accepted, where no drafts are counted.

Each target pass settles the tokens accepted and one more, so the target ran predicted - accepted passes.
"""

from collections.abc import Sequence

from model.engines.counts import Counts, counts, figure, whole
from model.engines.logs import Record
from model.sums import total


def passed(records: Sequence[Record]) -> Counts:
    """Return tokens over target passes: each pass settles the accepted ones and one more."""
    rows = [row for row in records if _possible(row)]
    timed = [row for row in rows if figure(row, "predicted") is not None]
    notes = ["left out"] if len(rows) < len(records) else []
    notes += ["requests pooled"] if len(rows) > 1 else []
    if not rows:
        return counts(notes=notes)
    known = [drafted for row in rows if (drafted := figure(row, "drafted")) is not None]
    drafted = total(known) if len(known) == len(rows) else None
    tokens, settled = total(row["predicted"] for row in timed), total(row["accepted"] for row in timed)
    accepted, none = total(row["accepted"] for row in rows), drafted == 0
    nothing = 1.0 if drafted and not accepted else None  # accepted: each pass settles the target's token
    return counts(
        drafts=0.0 if none else None,
        accepted=accepted,
        drafted=drafted,
        tokens_per_step=tokens / (tokens - settled) if tokens > settled else nothing,
        notes=[*notes, "nothing drafted" if none else "length not printed", *(["prefill"] if tokens else [])],
    )


def _possible(row: Record) -> bool:
    accepted, drafted, predicted = (figure(row, name) for name in ("accepted", "drafted", "predicted"))
    return (
        accepted is not None
        and whole(accepted)
        and (drafted is None or (accepted <= drafted and whole(drafted)))
        and (predicted is None or accepted <= predicted)
        and not (drafted is None and predicted is None)
    )


def example(records: Sequence[Record]) -> Counts:
    """Return llama.cpp's example: k was fixed exactly if k times the drafted passes is all drafted."""
    rows = [row for row in records if _possible(row) and figure(row, "predicted") is not None]
    pooled = passed(rows or records)
    lengths = {figure(row, "draft_length") for row in rows}
    length = lengths.pop() if len(lengths) == 1 else None
    if not rows or not pooled["drafted"]:
        return pooled
    drafts = [_example_drafts(row, length) for row in rows]
    if length is None or any(known is None for known in drafts):
        return pooled | {"notes": [*pooled["notes"], "varied", "ceiling only"]}
    notes = [note for note in pooled["notes"] if note != "length not printed"]
    return counts(
        draft_length=length,
        drafts=total(drafts),
        accepted=pooled["accepted"],
        drafted=pooled["drafted"],
        notes=[*notes, "drafts worked out"],
    )


def _example_drafts(row: Record, length: float | None) -> float | None:
    """Return the number of drafts of one run, if all were of this length; the first pass may have none."""
    passes = row["predicted"] - row["accepted"]
    for drafts in (passes - 1.0, passes):
        if length and drafts > 0 and length * drafts == row["drafted"]:
            return float(drafts)
    return None
