"""Numbers that a person typed, each by its name, or a bare list of position rates."""

import re
from itertools import pairwise

from model.engine_counts import Counts, counted, counts, figure, positioned, share, whole
from model.engine_formats import PATTERNS
from model.engine_logs import MOST_POSITIONS, Found, Record, values

BARE = re.compile(PATTERNS["bare"], re.ASCII)


def typed(text: str, found: Found) -> Record:
    """Return the numbers that a person typed, each after its name, or a bare list of position rates."""
    if BARE.fullmatch(text):
        return {"positions": values(text)}
    record: Record = {}
    for each in found.get("plain", ()):
        record |= each
    return record


def plain(record: Record) -> Counts:
    """Return what the numbers typed determine."""
    if record.get("positions"):
        return _rated(record["positions"])
    length = figure(record, "draft_length")
    if length is not None and not (whole(length) and 1 <= length <= MOST_POSITIONS):
        length = None
    tokens, alpha = figure(record, "length"), share(record, "alpha")
    accepted, drafted, drafts = (figure(record, name) for name in ("accepted", "drafted", "drafts"))
    if drafts is None and length is not None and drafted is not None and whole(drafted / length):
        drafts = drafted / length
    if accepted is not None and drafts is not None:
        return counted([record | {"drafts": drafts}])
    if accepted is not None and drafted is not None and accepted <= drafted:
        return counts(accepted=accepted, drafted=drafted, notes=["length not printed"])
    if tokens is not None and tokens >= 1.0 and (length is None or tokens <= length + 1.0):
        rate = None if length is None else (tokens - 1.0) / length
        return counts(draft_length=length, tokens_per_step=tokens, strict_rate=rate, notes=["no counts"])
    if alpha is not None:
        return counts(draft_length=length, alpha=alpha, notes=["no counts"])
    return counts()


def _rated(given: list[float]) -> Counts:
    """Return what a list of rates determines: one that rises is conditional."""
    if any(not rate <= 100.0 for rate in given):  # noqa: PLR2004 - percent
        return counts(notes=["positions dropped"])
    rates = [rate / 100.0 for rate in given] if any(rate > 1.0 for rate in given) else given
    if all(later <= earlier for earlier, later in pairwise(rates)):
        return positioned(rates)
    reached = [1.0]
    for rate in rates:
        reached.append(reached[-1] * rate)
    known = positioned(reached[1:])
    return known | {"notes": [*known["notes"], "taken as conditional"]}
