"""Numbers that a person typed, each by its name, or a bare list of position rates.

Nobody types much, so names may stand in any letters and without a colon: "k 4, Accept length 2.9".
"""

import math
import re
from itertools import pairwise

from model.engines.counts import Counts, counted, counts, figure, positioned, share, shares, whole
from model.engines.formats import FORMATS, PATTERNS
from model.engines.logs import MOST_POSITIONS, PERCENT, Record, value, values
from model.estimates import accepted_of

# Of these no typed draft length makes one that holds throughout.
UNKNOWN_LENGTH = frozenset(
    {"varied", "tree", "definition unclear", "two lengths fit", "nothing drafted", "no acceptance figures"}
)
MOST_TYPED = 5000  # characters
FIELDS = FORMATS["plain"]["fields"]
NAMES = "|".join(
    ("" if name[0] in "γτα" else r"\b") + name.replace(" ", "[ _-]+") + ("(?=[ \t]*=)" if name == "a" else "")
    for name in sorted(FIELDS, key=len, reverse=True)
)  # with no sign behind it, a is a word
NAMED = re.compile(f"({NAMES})(?![a-z0-9_]){PATTERNS['typed']}{PATTERNS['run']}", re.ASCII)
NUMBER = re.compile(f"[ \\t]*((?:{PATTERNS['number']})|[-+]?\\.[0-9]+)", re.ASCII)
BARE = re.compile(PATTERNS["bare"], re.ASCII)
BESIDE = re.compile(PATTERNS["beside"], re.ASCII)
# Of the tokens accepted per draft: a request's first token and its last draft are not counted alike.
NEARLY = 0.1
COMMA = re.compile(PATTERNS["comma"], re.ASCII)


def typed(text: str) -> Record:
    """Return the numbers that a person typed, each after its name, and a bare list of position rates."""
    if len(text) > MOST_TYPED:
        return {}
    record: Record = {}
    plain = re.sub("[A-Z]", lambda letter: letter[0].lower(), text.replace("\u00a0", " "))
    for match in NAMED.finditer(plain):
        record |= _read(FIELDS[re.sub("[ _-]+", " ", match[1])], match[2])
    bare = NAMED.sub(" ", plain)
    return record | _read("positions[]", bare) if BARE.fullmatch(bare) else record


def _read(meaning: str, run: str) -> Record:
    """Return what stands after a name: a number or a list; in percent if it has the sign, or must be."""
    rates = [number for number in values(run) if not math.isnan(number)]
    if meaning == "positions[]" or (meaning == "rate" and len(rates) > 1):
        percent = "%" in run or (len(rates) > 1 and all(rate > 1.0 for rate in rates))
        found: Record = {"positions": [rate / PERCENT for rate in rates] if percent else rates}
        return (found | ({"comma": 1.0} if COMMA.search(run) else {})) if rates else {}
    number = NUMBER.match(run)
    if number is None:
        return {}
    comma, percent = COMMA.match(run), run[number.end() :].lstrip(" \t").startswith("%")
    return {meaning: value(number[1]) / (PERCENT if percent else 1.0)} | ({"comma": 1.0} if comma else {})


def plain(record: Record) -> Counts:
    """Return what the numbers typed determine."""
    if "comma" in record or not _possible(record):
        return counts(notes=["decimal comma" if "comma" in record else "cannot be"])
    if "positions" in record:
        return _rated(record["positions"], figure(record, "draft_length"))
    return _counted(record) or _uncounted(record)


def _counted(record: Record) -> Counts | None:
    """Return what counts determine; None where there are not enough."""
    length = figure(record, "draft_length")
    accepted, drafted, drafts = (figure(record, name) for name in ("accepted", "drafted", "drafts"))
    if drafts is None and length is not None and drafted is not None and whole(drafted / length):
        drafts = drafted / length
    if accepted is not None and drafts is not None:
        return counted([record | {"drafts": drafts}])
    if accepted is None or drafted is None:
        return None
    return counts(accepted=accepted, drafted=drafted, notes=["length not printed"])


def _uncounted(record: Record) -> Counts:
    """Return what tokens per step, a strict rate or one rate for all positions determine."""
    length, tokens = figure(record, "draft_length"), figure(record, "length")
    alpha, rate = figure(record, "alpha") if tokens is None else None, figure(record, "rate")
    if tokens is None and length is not None and alpha is not None:
        tokens = 1.0 + accepted_of(alpha, length)
    elif tokens is None and length is not None and rate is not None:
        tokens = 1.0 + length * rate
    if tokens is None and alpha is None and rate is None:
        return counts()
    strict = rate if length is None or tokens is None else (tokens - 1.0) / length
    known = {} if tokens is None else {"draft_length": length, "tokens_per_step": tokens}
    return counts(**known, strict_rate=strict, alpha=alpha, notes=["no counts"])


def beside(known: Counts, text: str) -> Counts:
    """Return counts whose draft length is not printed with one that is typed beside them, if it fits.

    Drafts of varied length do not fit: k r would not be tokens per step - 1. One of the two gives the other.
    """
    notes = known["notes"]
    if known["draft_length"] is not None or UNKNOWN_LENGTH & set(notes):
        return known
    line = BESIDE.search(text)
    if line is None:
        return known
    length, (tokens, rate) = float(line[1]), shares(known)
    tokens = 1.0 + length * rate if tokens is None and rate is not None else tokens
    if tokens is None:
        return known
    each = tokens - 1.0 if rate is None else length * rate
    if not (length >= 1 and tokens <= length + 1.0 and abs(each - (tokens - 1.0)) <= NEARLY * each):
        return known | {"notes": [*notes, "length does not fit"]}
    notes = [*(note for note in notes if note != "length not printed"), "length typed"]
    rate = (tokens - 1.0) / length if rate is None else rate
    return known | {"draft_length": length, "tokens_per_step": tokens, "strict_rate": rate, "notes": notes}


def _possible(record: Record) -> bool:
    """Return whether the numbers can be, each alone and beside the others."""
    length, tokens = figure(record, "draft_length"), figure(record, "length")
    accepted, drafted = figure(record, "accepted"), figure(record, "drafted")
    return (
        all(figure(record, name) is not None for name in record if name != "positions")
        and (length is None or (whole(length) and 1 <= length <= MOST_POSITIONS))
        and (tokens is None or (tokens >= 1.0 and (length is None or tokens <= length + 1.0)))
        and (accepted is None or drafted is None or accepted <= drafted)
        and all(share(record, name) is not None for name in ("alpha", "rate") if name in record)
    )


def _rated(rates: list[float], length: float | None) -> Counts:
    """Return what a list of rates determines: one that rises is conditional, a single one is α."""
    if any(not rate <= 1.0 for rate in rates):
        return counts(notes=["unclear rates"] if len(rates) > 1 else [])
    if len(rates) == 1:
        known = plain({"alpha": rates[0]} | ({} if length is None else {"draft_length": length}))
        return known | {"notes": [*known["notes"], "one number"]}
    if length is not None and length != len(rates):
        return counts(notes=["unclear rates"])
    if all(later <= earlier for earlier, later in pairwise(rates)):
        return positioned(rates)
    reached = [1.0]
    for rate in rates:
        reached.append(reached[-1] * rate)
    known = positioned(reached[1:])
    return known | {"notes": [*known["notes"], "taken as conditional"]}
