"""What a server's own figures say of its speculation: the truth of a deployment, from what it printed.

Symbols: k draft length, D drafts, A accepted tokens, T = k D drafted tokens, F drafts accepted in full, p[i]
the share of drafts that accepted at least i tokens. What the figures do not determine is None.
"""

from collections.abc import Iterator
from typing import TypedDict

from model.engines.counters import counters, series_of
from model.engines.counts import Counts, shares
from model.engines.formats import COUNTERS, FORMATS, WARNINGS, Format, Words
from model.engines.kinds import KINDS, paired
from model.engines.logs import Found, Record, read
from model.engines.typed import UNKNOWN_LENGTH, beside, plain, typed
from model.estimates import Independence, alpha_of, conditional, independence, wilson
from model.sums import total

NOTHING = Words(title="", how="")
PAIR = ["accepted|accepted_old", "drafted|drafted_old"]
FEW_DRAFTS = 100
TOO_GOOD = 0.9  # a strict rate above it is rare without a confidence stop

Recognised = tuple[str, Words, Counts]


class Reading(TypedDict):
    """All that is known of a deployment."""

    format: str | None
    title: str
    how: str
    draft_length: int | None
    drafts: float | None
    accepted: float | None
    drafted: float | None
    strict_rate: float | None
    tokens_per_step: float | None
    alpha_mle: float | None
    alpha_interval: list[float] | None
    alpha_moment: float | None
    position_rates: list[float] | None
    conditional_rates: list[float | None] | None
    independence: Independence | None
    advisable: bool
    warnings: list[str]


def measure(text: str) -> Reading:
    """Return what a paste says of a server's speculation.

    strict rate A / T; tokens per step 1 + A / D; alpha by maximum likelihood A / (A + D - F); alpha by
    moments the root of a + a^2 + ... + a^k = A / D; conditional rates q[1] = p[1], q[i] = p[i] / p[i-1].

    text: anything. Raises nothing: what cannot be read has format None. Source: the engines' own code, see
    model/engines/formats.py.

    >>> measured = measure("num_drafts: 2189, num_draft_tokens: 6567, num_accepted_tokens: 3187")
    >>> measured["draft_length"], round(measured["tokens_per_step"], 3), round(measured["alpha_moment"], 3)
    (3, 2.456, 0.68)
    """
    return said(read(text), text)


def said(found: Found, text: str) -> Reading:
    """Return what the fields found in a paste say; a page may find them piece by piece.

    found: of the text, by model/engines/logs.py.
    """
    recognised, numbers = _totals_first(list(_recognised(found))), typed(text)
    known = plain(numbers)
    if recognised and not (_tells(known) and _gives_way(recognised[0], numbers)):
        (name, words, printed), *others = recognised
        measured = _result(name, words, beside(printed, text))
        also = [WARNINGS["also found"].format("; ".join(other["title"] for _, other, _ in others))]
        return measured | {"warnings": measured["warnings"] + (also if others else [])}
    return _result("plain", FORMATS["plain"], known) if _tells(known) else _result(None, NOTHING, known)


def _totals_first(recognised: list[Recognised]) -> list[Recognised]:
    """Return what is recognised, a total before its single requests where it covers more than those shown."""
    for i, (name, words, known) in enumerate(recognised):
        singles = FORMATS[name].get("totals") if name in FORMATS else None
        if any(other == singles and _covers(known, shown) for other, _, shown in recognised[:i]):
            return [(name, words, _noted(known, ["total"])), *recognised[:i], *recognised[i + 1 :]]
    return recognised


def _covers(whole: Counts, shown: Counts) -> bool:
    """Return whether a total's counts are those shown and more."""
    both = [(whole[name], shown[name] or 0.0) for name in ("accepted", "drafted")]
    return all(of_all is not None and of_all >= of_shown for of_all, of_shown in both) and any(
        of_all != of_shown for of_all, of_shown in both
    )


def _gives_way(recognised: Recognised, numbers: Record) -> bool:
    """Return whether what is recognised is less than what was typed: a part, or nothing that tells."""
    name, _, known = recognised
    return not _tells(known) or (name.endswith("-part") and "draft_length" in numbers)


def _tells(known: Counts) -> bool:
    """Return whether anything is known."""
    return any(known[name] is not None for name in ("tokens_per_step", "strict_rate", "accepted", "alpha"))


def _recognised(found: Found) -> Iterator[Recognised]:
    """Yield the formats that the paste has, with their counts, the most trusted first; a part only alone."""
    whole = False
    for name, format_ in FORMATS.items():
        if name == "llamacpp-timings-json":  # after all that is printed per request or interval
            for engine, series in series_of(found).items():
                known = counters(series)
                if _tells(known) or "scrapes cut" in known["notes"]:
                    whole = True
                    yield f"{engine}-counters", COUNTERS[engine], known
        printed = found.get(format_.get("of", name), [])
        records = [row for row in printed if _has(row, format_["needs"]) and not _other_rate(row, found)]
        if records and not (whole and (name.endswith("-part") or format_["kind"] == "nothing")):
            whole = True
            dialect = _dialect(name, records)
            known = KINDS[format_["kind"]](records)
            yield dialect, FORMATS[dialect], _noted(known, ["left out"] if _cut(printed, format_) else [])
    if not whole:
        yield from _pairs(found)


def _pairs(found: Found) -> Iterator[Recognised]:
    """Yield the formats of which nothing is whole but accepted and drafted tokens."""
    for name, format_ in FORMATS.items():
        records = [row for row in found.get(name, []) if _has(row, PAIR)]
        if records:
            yield name, format_, paired(records, format_["kind"])


def _cut(records: list[Record], format_: Format) -> bool:
    """Return whether a record begins what it does not end."""
    return any(
        "accepted" in row and row.get("drafted") != 0 and not _has(row, format_["needs"]) for row in records
    )


def _dialect(name: str, records: list[Record]) -> str:
    """Return the format's name: LMDeploy prints vLLM's line with one more decimal in the rate."""
    return "lmdeploy-log" if name == "vllm-v1-log" and records[-1].get("rate_digits") == 2 else name  # noqa: PLR2004


def _noted(known: Counts, notes: list[str]) -> Counts:
    return known | {"notes": [*known["notes"], *notes]}


def _other_rate(record: Record, found: Found) -> bool:
    """Return whether the record is a rate alone, by the name that V0 gives to another one."""
    return record.keys() <= {"rate", "rate_digits"} and "vllm-v0-log" in found


def _has(record: Record, needs: list[str]) -> bool:
    return bool(needs) and all(any(name in record for name in need.split("|")) for need in needs)


def _result(name: str | None, words: Words, known: Counts) -> Reading:
    """Return what follows from the counts."""
    drafts, drafted, length = (known[name] for name in ("drafts", "drafted", "draft_length"))
    tokens, rate = shares(known)
    positions = _position_rates(known)
    trials = _trials(known, positions)
    tested = independence(known["reached"], drafts) if known["reached"] and drafts and length else None
    advisable = length is not None and not {"tree", "varied"} & set(known["notes"])
    measured: Reading = {
        "format": name,
        "title": words["title"],
        "how": words["how"],
        "draft_length": None if length is None else int(length),
        "drafts": drafts,
        "accepted": known["accepted"],
        "drafted": drafted,
        "strict_rate": None if drafted == 0 else rate,
        "tokens_per_step": tokens,
        "alpha_mle": trials[0] / trials[1] if trials else None,
        "alpha_interval": wilson(*trials) if trials and drafts else None,
        "alpha_moment": known["alpha"] if known["alpha"] is not None else _alpha_moment(known, tokens),
        "position_rates": positions,
        "conditional_rates": None
        if positions is None
        else conditional(known["reached"] or positions, drafts),
        "independence": tested,
        "advisable": advisable,
        "warnings": [],
    }
    measured["warnings"] = _warnings(measured, known["notes"])
    return measured


def _position_rates(known: Counts) -> list[float] | None:
    drafts, reached = known["drafts"], known["reached"]
    if drafts and reached is not None:
        return [count / drafts for count in reached]
    if known["draft_length"] == 1 and drafts and known["accepted"] is not None:
        return [known["accepted"] / drafts]
    return known["rates"]


def _alpha_moment(known: Counts, tokens: float | None) -> float | None:
    """Return alpha by moments; where some drafts are short, the middle of counting that as misses or not."""
    length, drafts = known["draft_length"], known["drafts"]
    accepted, drafted = known["accepted"], known["drafted"]
    if length is None or tokens is None or drafts == 0:
        return None
    least = alpha_of(tokens - 1.0, length)
    if not drafts or accepted is None or not drafted or drafted == length * drafts:
        return least
    return (least + alpha_of(length * (accepted / drafted), length)) / 2.0


def _trials(known: Counts, positions: list[float] | None) -> tuple[float, float] | None:
    """Return the guesses accepted and the guesses judged: A and A + D - F, or both per draft."""
    length, drafts, accepted = known["draft_length"], known["drafts"], known["accepted"]
    if length is None or drafts == 0:
        return None
    if drafts and accepted is not None:
        if accepted == 0:
            return 0.0, drafts
        if accepted == length * drafts:
            return accepted, accepted
        full = known["reached"][-1] if known["reached"] and len(known["reached"]) == length else None
        full = accepted if length == 1 else full
        return None if full is None else (accepted, accepted + drafts - full)
    if positions is not None and len(positions) == length:
        together = total(positions)
        return together, together + 1.0 - positions[-1]
    return None


def _warnings(measured: Reading, notes: list[str]) -> list[str]:
    """Return the warnings in words, each once."""
    drafts, rate, tested = measured["drafts"], measured["strict_rate"], measured["independence"]
    more = []
    if tested and tested["refuted"]:
        more.append(f"rates {tested['trend']}")
    if rate == 1.0:
        more.append("all accepted")
    elif rate is not None and rate > TOO_GOOD and not measured["draft_length"]:
        more.append("early stop")
    if rate == 0.0 or (measured["accepted"] == 0 and drafts):
        more.append("zero accepted")
    if drafts and drafts < FEW_DRAFTS:
        more.append("few drafts")
    if not measured["draft_length"] and measured["tokens_per_step"] and not UNKNOWN_LENGTH & set(notes):
        more.append("length not printed")
    return [WARNINGS[note] for note in dict.fromkeys([*notes, *more])]
