"""What each kind of format determines: the ways from records to counts that model/engines/counts.py has not.

Most engines print counts of drafts. The others print target passes, emitted tokens, a length with the
target's token in it, or shares; each kind's function says what follows from it.
"""

from collections.abc import Callable, Sequence

from model.engines.counts import (
    PERCENT_OFF,
    Counts,
    counted,
    counts,
    figure,
    positioned,
    precision,
    share,
    whole,
)
from model.engines.logs import Record
from model.engines.passes import example, passed
from model.engines.sglang import sglang, verified
from model.sums import total

ROUNDED_RATES = 0.02  # how far a length may lie from 1 and the sum of its rounded position rates


def requests(records: Sequence[Record]) -> Counts:
    """Return llama.cpp's requests: a mean length gives the drafts; without one in each, passes count."""
    pooled = counted(records)
    return passed(records) if "left out" in pooled["notes"] or pooled["drafts"] is None else pooled


def chained(records: Sequence[Record]) -> Counts:
    """Return vLLM's log lines or blocks pooled; where none has its counts, what the last one printed."""
    pooled = counted(records)
    if pooled["drafts"] is not None:
        return pooled
    last = records[-1]
    tokens, rates, rate = figure(last, "length"), last.get("positions"), share(last, "rate")
    accepted, drafted = figure(last, "accepted"), figure(last, "drafted")
    if accepted is not None and drafted and accepted <= drafted:
        rate = accepted / drafted
    notes = [note for note in pooled["notes"] if note != "left out" or len(records) > 1] + ["counts missing"]
    if rates and _agree(rates, tokens, rate):
        known = positioned(rates)
        return known | {"notes": [*notes, *known["notes"]]}
    possible = tokens is not None and tokens >= 1.0
    return counts(tokens_per_step=tokens if possible else None, strict_rate=rate, notes=notes)


def _agree(rates: list[float], tokens: float | None, rate: float | None) -> bool:
    """Return whether rates by position are whole, and shares: with their sum the other figures agree."""
    together = total(rates)
    return (tokens is None or abs(1.0 + together - tokens) <= ROUNDED_RATES) and (
        tokens is not None or rate is None or abs(together / len(rates) - rate) <= PERCENT_OFF
    )


def tabled(records: Sequence[Record]) -> Counts:
    """Return ik_llama.cpp's rows pooled: with short drafts its rates are not of all drafts, and dropped."""
    full = [
        "positions" not in row or row["drafted"] == row["drafts"] * len(row["positions"]) for row in records
    ]
    rows = [
        row if all_full else {name: row[name] for name in ("drafts", "accepted", "drafted")}
        for row, all_full in zip(records, full, strict=True)
    ]
    known = counted(rows)
    return known if all(full) else known | {"notes": [*known["notes"], "rates of longer drafts"]}


def statistics(records: Sequence[Record]) -> Counts:
    """Return llama.cpp's statistics, which run on: the last of each drafter counts."""
    last = _latest(records)
    pooled = counted(last)
    return pooled | {"notes": [*pooled["notes"], "cumulative"]} if len(last) < len(records) else pooled


def _latest(records: Sequence[Record]) -> list[Record]:
    return list({str(record.get("drafter")): record for record in records}.values())


def paired(records: Sequence[Record], kind: str) -> Counts:
    """Return what accepted and drafted tokens alone determine: the strict rate."""
    rows = _latest(records) if kind == "statistics" else records
    known = passed(
        [{what: row.get(what, row.get(f"{what}_old")) for what in ("accepted", "drafted")} for row in rows]
    )
    return known | {"notes": [*known["notes"], "counts missing"]}


def emitted(records: Sequence[Record]) -> Counts:
    """Return vLLM V0's counters, which run on: the last line that has them counts, else its efficiency."""
    notes = ["matches after a rejection"] + (["cumulative"] if len(records) > 1 else [])
    for record in reversed(records):
        length = figure(record, "draft_length")
        if length is None or length < 1 or not whole(length):
            continue
        drafted, tokens = figure(record, "drafted"), figure(record, "emitted")
        if drafted is None or tokens is None:
            continue
        drafts = drafted / length
        if drafted == 0:
            return counts(drafts=0.0, accepted=0.0, drafted=0.0, notes=["nothing drafted"])
        if whole(drafts) and whole(tokens) and drafts <= tokens <= drafts * (length + 1):
            return counts(
                draft_length=length,
                drafts=drafts,
                accepted=tokens - drafts,
                drafted=drafted,
                notes=notes,
            )
    return _efficient(records, notes)


def _efficient(records: Sequence[Record], notes: list[str]) -> Counts:
    """Return what efficiency, emitted / (drafts (k + 1)), and k give where the counts are missing."""
    for record in reversed(records):
        efficiency, length = share(record, "efficiency"), figure(record, "draft_length")
        if efficiency is None or length is None or length < 1 or not whole(length):
            continue
        tokens = efficiency * (length + 1.0)
        if tokens < 1.0 - (length + 1.0) * precision(record, "efficiency"):
            notes = [*notes, "left out"]
            continue
        tokens = max(1.0, tokens)
        return counts(
            draft_length=length,
            tokens_per_step=tokens,
            strict_rate=(tokens - 1.0) / length,
            notes=[*notes, "counts missing"],
        )
    return counts(notes=[*notes, "counts missing"])


def listed(records: Sequence[Record]) -> Counts:
    """Return lists of counts pooled: the steps, then how many of them accepted at least 1, 2, … tokens."""
    rows = [record["counts"] for record in records if len(record["counts"]) > 1]
    notes = ["list of counts"] + (["left out"] if len(rows) < len(records) else [])
    pooled = counted([_listed(row) for row in rows])
    return pooled | {"notes": [*notes, *pooled["notes"]]}


def _listed(row: list[float]) -> Record:
    drafts, *reached = row
    if not drafts > 0:
        return {}
    return {
        "drafts": drafts,
        "drafted": drafts * len(reached),
        "accepted": total(reached),
        "positions": [count / drafts for count in reached],
    }


def length(records: Sequence[Record]) -> Counts:
    """Return the tokens per step: a length with the target's token in it."""
    known = [value for row in records if (value := figure(row, "length")) is not None and value >= 1.0]
    if not known:
        return counts(notes=["left out"])
    tokens = total(known) / len(known)
    rate = share(records[0], "rate") if len(records) == 1 else None
    notes = ["averaged"] if len(known) > 1 else []
    notes += ["nothing accepted or off"] if tokens == 1.0 else []
    notes += ["unmeasured"] if rate == 0.0 else []
    return counts(tokens_per_step=tokens, strict_rate=rate or None, notes=[*notes, "length not printed"])


def totalled(records: Sequence[Record]) -> Counts:
    """Return TensorRT-LLM's totals: where nothing was accepted, nothing may have been counted."""
    known = passed(records)
    if known["accepted"] or not known["drafted"]:
        return known
    return counts(drafted=known["drafted"], notes=["unmeasured", "length not printed"])


def shared(records: Sequence[Record]) -> Counts:
    """Return what ExLlamaV2's drafted share of the output tokens gives; alone, it may mean another thing."""
    record = records[-1]
    part, rate = share(record, "share"), share(record, "rate")
    if part is None:
        return counts(strict_rate=rate, notes=["no counts", "length not printed"])
    if rate is None or part == 1.0:
        return counts(strict_rate=rate, notes=["two meanings"])
    return counts(tokens_per_step=1.0 / (1.0 - part), strict_rate=rate, notes=["length not printed"])


def stepped(records: Sequence[Record]) -> Counts:
    """Return what MLC's shares give: step 0 is the target's token, from 1 on they are position rates."""
    steps = records[-1]["steps"]
    return positioned(steps[1:]) if len(steps) > 1 and steps[0] == 1.0 else counts(notes=["left out"])


def latencies(records: Sequence[Record]) -> Counts:
    """Return what a chunk per step gives: its time over the time per token."""
    chunk, token = figure(records[-1], "chunk_time"), figure(records[-1], "token_time")
    notes = ["no acceptance figures", "estimate"]
    if chunk is None or token is None or not 0 < token <= chunk:
        return counts(notes=notes)
    return counts(tokens_per_step=chunk / token, notes=notes)


def rated(records: Sequence[Record]) -> Counts:
    """Return a strict rate alone."""
    rates = [rate for record in records if (rate := share(record, "rate")) is not None]
    return counts(
        strict_rate=rates[0] if len(rates) == 1 else None, notes=["no counts", "length not printed"]
    )


def nothing(_: Sequence[Record]) -> Counts:
    """Return nothing: there are times, but no tokens."""
    return counts(notes=["no acceptance figures", "one step"])


KINDS: dict[str, Callable[[Sequence[Record]], Counts]] = {
    "counted": counted,
    "tabled": tabled,
    "chained": chained,
    "verified": verified,
    "requests": requests,
    "statistics": statistics,
    "passed": passed,
    "example": example,
    "emitted": emitted,
    "listed": listed,
    "sglang": sglang,
    "length": length,
    "totals": totalled,
    "share": shared,
    "shares": stepped,
    "latencies": latencies,
    "rates": rated,
    "nothing": nothing,
}
