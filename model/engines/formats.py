"""What inference servers print about speculative decoding: the names of their fields, and what each means.

The table stands in formats.json, which the JavaScript twin is given too. A format's ``fields`` map a
printed name to its meaning: "@" in a name is a number, a position; a meaning that ends in "%" is printed in
percent, one that ends in "[]" is a list. ``line``: each line is a record of its own. ``needs``: a paste is of
this format if one record has all of these, "|" being "or". ``of``: the format whose records these are in
part. ``totals``: the format of the single requests that these records add up. ``kind``: which function reads
the records.
``patterns`` find figures that stand before their names, <N> being a number; they are linear, and mean the
same in both languages: ASCII classes, no look-behind, no two loops that could match the same text. The order
is the order of trust: where a paste has several formats, the first of them counts.
"""

import json
from importlib.resources import files
from typing import NotRequired, TypedDict


class Words(TypedDict):
    """What a format is called, and how its figures follow."""

    title: str
    how: str


class Format(Words):
    """How one engine prints."""

    kind: str
    line: bool
    needs: list[str]
    fields: dict[str, str]
    patterns: NotRequired[dict[str, list[str]]]
    of: NotRequired[str]
    totals: NotRequired[str]


class Table(TypedDict):
    """All that is known of the engines, and the warnings in words by the notes that the readers take."""

    formats: dict[str, Format]
    counters: dict[str, Words]
    patterns: dict[str, str]
    warnings: dict[str, str]


TABLE: Table = json.loads((files("model.engines") / "formats.json").read_text(encoding="utf-8"))
FORMATS, COUNTERS, PATTERNS, WARNINGS = (
    TABLE["formats"],
    TABLE["counters"],
    TABLE["patterns"],
    TABLE["warnings"],
)
