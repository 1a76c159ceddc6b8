"""What SGLang's requests and log lines determine: k only where the drafts are chains, α with it.

Its lengths hold the target's token. Its rate did, above and below, before April 2026; since then it does not.
"""

import math
from collections.abc import Sequence

from model.engines.counts import Counts, counted, counts, figure, precision
from model.engines.logs import Record
from model.sums import total

LONGEST_CHAIN = 16  # tokens; what verifies more at once is a tree


def verified(records: Sequence[Record]) -> Counts:
    """Return SGLang's requests pooled; without accepted tokens, completion tokens over verify passes."""
    pooled = counted([_without_own_length(row) for row in records])
    if pooled["drafts"] is None:
        return _completed(records) or pooled
    length, notes = pooled["draft_length"], pooled["notes"]
    if length is not None and length >= LONGEST_CHAIN:
        return pooled | {"draft_length": None, "reached": None, "notes": [*notes, "tree"]}
    return pooled | {"notes": [*notes, "tree possible"]} if pooled["drafts"] else pooled


def _without_own_length(row: Record) -> Record:
    """Return a request without its length, unless that is not what it should be: tokens over passes."""
    output, drafts, length = (figure(row, name) for name in ("output", "drafts", "length"))
    if output is not None and drafts and length is not None:
        off = abs(output / drafts - length)
        if off > precision(row, "length"):
            return row
    return {name: value for name, value in row.items() if name != "length"}


def _completed(records: Sequence[Record]) -> Counts | None:
    """Return completion tokens over verify passes; None where no request has both."""
    rows = [
        row for row in records if (passes := figure(row, "drafts")) and (figure(row, "output") or 0) >= passes
    ]
    if not rows:
        return None
    drafts, tokens = total(row["drafts"] for row in rows), total(row["output"] for row in rows)
    notes = ["left out"] if len(rows) < len(records) else []
    notes += ["requests pooled"] if len(rows) > 1 else []
    return counts(
        drafts=drafts, tokens_per_step=tokens / drafts, notes=[*notes, "length not printed", "tree possible"]
    )


def sglang(records: Sequence[Record]) -> Counts:
    """Return the mean of SGLang's lengths; the one k that fits its rates to them, by either definition."""
    rows = [row for row in records if (length := figure(row, "length")) is not None and length >= 1.0]
    if not rows:
        return counts(notes=["left out"])
    tokens = total(row["length"] for row in rows) / len(rows)
    notes = ["averaged"] if len(rows) > 1 else []
    notes += ["nothing accepted or off"] if tokens == 1.0 else []
    if not all("rate" in row for row in rows):
        return counts(tokens_per_step=tokens, notes=[*notes, "length not printed"])
    old, new = _fitting(rows, new=False), _fitting(rows, new=True)
    fitting = {length for length in (None if old is None else old - 1.0, new) if length is not None}
    if len(fitting) != 1:
        none = "length not printed" if tokens == 1.0 else "definition unclear"
        return counts(tokens_per_step=tokens, notes=[*notes, "two lengths fit" if fitting else none])
    if old is None or new is None:
        notes.append("target on both sides" if new is None else "target on neither side")
    [length] = fitting
    notes.append("tree possible")
    if length >= LONGEST_CHAIN:
        return counts(tokens_per_step=tokens, notes=[*notes, "tree"])
    rate = (tokens - 1.0) / length
    return counts(
        draft_length=length, tokens_per_step=tokens, strict_rate=rate, notes=[*notes, "length inferred"]
    )


def _fitting(rows: Sequence[Record], *, new: bool) -> float | None:
    """Return n with rate n = length in all lines, if new n with rate n = length - 1; None if not one fits."""
    low, high = 1.0, math.inf
    for row in rows:
        rate, off = figure(row, "rate"), precision(row, "rate")
        length = row["length"] - (1.0 if new else 0.0)
        if rate is None or rate <= off:
            continue
        low = max(low, (length - precision(row, "length")) / (rate + off))
        high = min(high, (length + precision(row, "length")) / (rate - off))
    first = float(math.ceil(low) if new else max(2, math.ceil(low)))
    return first if high < math.inf and first <= high < first + 1 else None
