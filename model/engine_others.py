"""Counts from Prometheus counters, and from numbers that a person typed."""

import math
import re
from itertools import pairwise

from model.engine_counts import Counts, counted, counts, figure, positioned, rounded, share, whole
from model.engine_formats import PATTERNS
from model.engine_kinds import emitted
from model.engine_logs import MOST_POSITIONS, Found, Record, values
from model.engine_sglang import sglang

NAMES = {
    "spec_decode_num_drafts": "drafts",
    "spec_decode_num_draft_tokens": "drafted",
    "spec_decode_num_accepted_tokens": "accepted",
    "spec_decode_num_emitted_tokens": "emitted",
    "spec_decode_efficiency": "efficiency",
    "spec_accept_length": "length",
    "spec_accept_rate": "rate",
    "request_skipped_tokens_sum": "skipped",
    "request_skipped_tokens_count": "steps",
}
GAUGES = {"length", "rate", "efficiency"}
PER_POSITION = "spec_decode_num_accepted_tokens_per_pos"
GAUGE_DIGITS = 6  # decimals that a gauge has at least
NEARLY_WHOLE = 0.05
BARE = re.compile(PATTERNS["bare"], re.ASCII)
POSITION = re.compile(PATTERNS["position"], re.ASCII)


def counters(series: Record) -> Counts:
    """Return the counts of Prometheus counters, all engines added up."""
    record, twice = _scraped(series)
    notes = ["difference"] if twice else []
    if "skipped" in record and record.get("steps"):
        return counts(tokens_per_step=1.0 + record["skipped"] / record["steps"], notes=["length not printed"])
    if "length" in record:
        return sglang([record | {"length_digits": GAUGE_DIGITS, "rate_digits": GAUGE_DIGITS}])
    known = emitted([_with_length(record)]) if "emitted" in record else counted([record])
    return known | {"notes": [*notes, *known["notes"]]}


def _scraped(series: Record) -> tuple[Record, bool]:
    """Return each counter's growth if it is given twice, else its value; added up over engines."""
    record: Record = {}
    reached: dict[int, float] = {}
    twice = False
    for label, seen in series.items():
        name = label.partition("{")[0].removesuffix("_total")
        grown = len(seen) > 1 and seen[-1] >= seen[0]
        meaning = NAMES.get(name)
        gauge = meaning in GAUGES
        found = seen[-1] - seen[0] if grown and not gauge else seen[-1]
        twice = twice or (grown and not gauge)
        if meaning is not None and not math.isnan(found):
            record[meaning] = found + (0.0 if gauge else record.get(meaning, 0.0))
        position = POSITION.search(label)
        if name == PER_POSITION and position and not math.isnan(found):
            reached[int(position[1])] = reached.get(int(position[1]), 0.0) + found
    if reached and sorted(reached) == list(range(len(reached))) and record.get("drafts"):
        record["positions"] = [reached[i] / record["drafts"] for i in range(len(reached))]
    return record, twice


def _with_length(record: Record) -> Record:
    """Return V0's counters with k: D (k + 1) is emitted / efficiency, and D k is drafted."""
    efficiency, drafted = share(record, "efficiency"), figure(record, "drafted")
    if not efficiency or not drafted:
        return record
    drafts = record["emitted"] / efficiency - drafted
    length = drafted / drafts if drafts > 0 else math.inf
    near = length < MOST_POSITIONS and abs(length - rounded(length)) <= NEARLY_WHOLE
    return record | ({"draft_length": float(rounded(length))} if near else {})


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


def series_of(found: Found) -> dict[str, Record]:
    """Return the counters found, by engine."""
    return {
        name.removesuffix("-counters"): records[0]
        for name, records in found.items()
        if name.endswith("-counters")
    }
