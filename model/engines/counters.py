"""Counts from Prometheus counters: those of one set of labels belong together."""

import math
import re
from collections.abc import Sequence
from itertools import pairwise

from model.engines.counts import Counts, counted, counts, figure, rounded, share
from model.engines.formats import PATTERNS
from model.engines.kinds import emitted
from model.engines.logs import MOST_POSITIONS, Found, Record
from model.engines.passes import passed
from model.engines.sglang import sglang
from model.sums import total

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
POSITION = re.compile(PATTERNS["position"], re.ASCII)
Group = dict[str | int, list[float]]  # each scrape's value, by a counter's meaning or by its position


def counters(series: Record) -> Counts:
    """Return the counts of Prometheus counters, those of all sets of labels added up."""
    grown = [_grown(group) for group in _grouped(series).values()]
    known = _known([record for record, _ in grown if record])
    return known | {"notes": [*(note for _, notes in grown for note in notes), *known["notes"]]}


def _known(records: Sequence[Record]) -> Counts:
    """Return what the counters determine: skipped tokens, gauges, V0's or the counts of today."""
    if rows := [row for row in records if "skipped" in row and row.get("steps")]:
        skipped, steps = (total(row[name] for row in rows) for name in ("skipped", "steps"))
        return counts(tokens_per_step=1.0 + skipped / steps, notes=["length not printed"])
    if rows := [row for row in records if "length" in row]:
        return sglang([row | {"length_digits": GAUGE_DIGITS, "rate_digits": GAUGE_DIGITS} for row in rows])
    if any("efficiency" in row or "emitted" in row for row in records):
        return _emitted([row for row in records if "emitted" in row])
    pooled = counted(records)
    return passed(records) if pooled["drafts"] is None else pooled


def _emitted(records: Sequence[Record]) -> Counts:
    """Return V0's counters pooled."""
    settled = [emitted([_with_length(row)]) for row in records]
    if len(settled) < 2:  # noqa: PLR2004 - one is itself
        return settled[0] if settled else emitted([])
    pooled = counted([dict(known) for known in settled])
    return pooled | {"notes": [*settled[0]["notes"], *pooled["notes"]]}


def _grouped(series: Record) -> dict[str, Group]:
    """Return the counters that mean something, by their labels but for the position."""
    groups: dict[str, Group] = {}
    for label, seen in series.items():
        name, _, labels = label.partition("{")
        position = POSITION.search(labels)
        plain = name.removesuffix("_total")
        what = int(position[1]) if plain == PER_POSITION and position else NAMES.get(plain)
        if what is not None:
            groups.setdefault(POSITION.sub(",", labels, count=1).strip(",}"), {})[what] = seen
    return groups


def _grown(group: Group) -> tuple[Record, list[str]]:
    """Return each counter's growth over the scrapes, or its value where it is given once or began anew.

    Counters that were not all seen in each scrape do not belong together: none of them is taken.
    """
    counting = {what: seen for what, seen in group.items() if what not in GAUGES}
    runs = [seen for what, seen in counting.items() if isinstance(what, str)]
    if len({len(seen) for seen in runs}) > 1:
        return {}, ["scrapes cut"]
    scrapes = len(runs[0]) if runs else 1
    anew = any(later < earlier for seen in runs for earlier, later in pairwise(seen))
    grown = {
        what: seen[-1] - (seen[0] if scrapes > 1 and not anew else 0.0)
        for what, seen in counting.items()
        if len(seen) == scrapes
    }
    record: Record = {str(what): seen[-1] for what, seen in group.items() if what in GAUGES}
    record |= {
        what: value for what, value in grown.items() if isinstance(what, str) and not math.isnan(value)
    }
    places = [what for what in grown if isinstance(what, int) and what < MOST_POSITIONS]
    reached = [grown.get(i, math.nan) for i in range(len(places))]
    if reached and not any(map(math.isnan, reached)) and record.get("drafts"):
        record["positions"] = [count / record["drafts"] for count in reached]
    return record, ["began anew"] if anew else ["difference"] if scrapes > 1 else []


def _with_length(record: Record) -> Record:
    """Return V0's counters with k: D (k + 1) is emitted / efficiency, and D k is drafted."""
    efficiency, drafted = share(record, "efficiency"), figure(record, "drafted")
    if not efficiency or not drafted:
        return record
    drafts = record["emitted"] / efficiency - drafted
    length = drafted / drafts if drafts > 0 else math.inf
    near = length < MOST_POSITIONS and abs(length - rounded(length)) <= NEARLY_WHOLE
    return record | ({"draft_length": float(rounded(length))} if near else {})


def series_of(found: Found) -> dict[str, Record]:
    """Return the counters found, by engine."""
    return {
        name.removesuffix("-counters"): records[0]
        for name, records in found.items()
        if name.endswith("-counters")
    }
