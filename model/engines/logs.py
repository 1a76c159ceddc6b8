"""What a paste of a server's output holds: the fields of each format, gathered into records.

Fields are found by name, in any order, and all else is skipped. A record is what one line, one block or one
JSON object says: a field that comes again begins the next one. Nothing is computed here:
engine_counts.py says what the fields mean.
"""

import math
import re
from typing import Any

from model.engines.formats import FORMATS, PATTERNS

Record = dict[str, Any]
Found = dict[str, list[Record]]

LARGEST = 1e15  # a count beyond is no count
MOST_POSITIONS = 1000
PERCENT = 100.0
PRINTED = {
    "length": "length_digits",
    "rate": "rate_digits",
    "rate%": "rate_digits",
    "efficiency": "efficiency_digits",
}  # how exactly


def _compiled(pattern: str) -> "re.Pattern[str]":
    return re.compile(pattern.replace("<N>", f"({PATTERNS['number']})"), re.ASCII)


def named(fields: list[str]) -> "re.Pattern[str]":
    """Return what finds any of these fields and its figures; blanks in a name are any blanks, or none."""
    names = "|".join(_name(field) for field in fields)
    return _compiled(f"({names}){PATTERNS['separator']}{PATTERNS['run']}")


def _name(field: str) -> str:
    literal = re.sub(r"[.*+?^${}()|\[\]\\]", r"\\\g<0>", field)
    begins = r"\b" if re.match(r"[A-Za-z0-9_]", field) else ""
    return begins + literal.replace(" ", r"[ \t]*").replace("@", "[\"']?[0-9]{1,3}[\"']?")


OWNERS: dict[str, list[tuple[str, str]]] = {}  # a field's formats, and what it means there
PRINTING = {name: format_ for name, format_ in FORMATS.items() if name != "plain"}  # which is typed
for _format, _is in PRINTING.items():
    for _field, _meaning in _is["fields"].items():
        OWNERS.setdefault(_field.replace(" ", ""), []).append((_format, _meaning))
FIELD = named([field for is_ in PRINTING.values() for field in is_["fields"]])
GATE, COUNTER, DRAFTER = (_compiled(PATTERNS[name]) for name in ("stems", "counter", "drafter"))
FIRST = _compiled(r"[ \t]*<N>")
EACH = _compiled(r"[-+0-9.eE]+")
BEFORE = [
    (name, _compiled(pattern), meanings)
    for name, is_ in FORMATS.items()
    for pattern, meanings in is_.get("patterns", {}).items()
]


def read(text: str) -> Found:
    """Return the records of each format that the text holds something of, by the format's name.

    text: anything at all. A figure below 0 or beyond 1e15 is NaN. Prometheus counters are one record of each
    engine, with the value of each in every scrape. Source: the engines' own code.

    >>> read("n_draft = 4, n_accept = 15")
    {'llamacpp-example': [{'draft_length': 4.0, 'accepted': 15.0}]}
    """
    reader = _Reader()
    for line in lines(text):
        reader.take(line)
    return reader.found


def lines(text: str) -> list[str]:
    """Return the lines of a text, without the colours of terminals; a list of JSON stands in one line."""
    plain = re.sub(r"\r\n?", "\n", text).replace("\u00a0", " ")
    if "\x1b" in plain:
        plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", plain)
    if "histogram" in plain or "acceptance_rates" in plain:
        plain = re.sub(r"([,\[])[ \t]*\n[ \t]*(?=[0-9])", r"\1 ", plain)
    if "accept_prob" in plain:  # MLC's text has no sign between a name and its figure
        plain = re.sub(
            r"\b[a-z_]*(accept_prob\{step=)[\"']?([0-9]{1,3})[\"']?\}[ \t]+",
            r"\1\2}: ",
            plain,
            flags=re.ASCII,
        )
    return plain.split("\n")


def value(text: str) -> float:
    """Return a printed number, NaN where it is none or no count or share could be."""
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        return math.nan
    return number if 0.0 <= number <= LARGEST else math.nan


def values(text: str) -> list[float]:
    """Return the numbers of a printed list."""
    return [value(part) for part in EACH.findall(text)[:MOST_POSITIONS]]


class _Reader:
    """Takes line after line, and keeps what it finds."""

    def __init__(self) -> None:
        self.found: Found = {}
        self.columns: list[str] = []  # of the table that a line stands in
        self.line = 0
        self.lasts: dict[str, int] = {}  # in which line a format had its last field

    def take(self, line: str) -> None:
        if ("|" in line and self._row(line)) or not GATE.search(line):
            return
        plain = re.sub(r"[*`]", "", line)  # bold and code in Markdown
        self.line += 1
        for name, pattern, meanings in BEFORE:
            for match in pattern.finditer(plain):
                for meaning, text in zip(meanings, match.groups(), strict=True):
                    self._put(name, meaning, value(text))
        for match in COUNTER.finditer(plain):
            self._counter(f"{match[1]}-counters", match[2] + (match[3] or ""), value(match[4]))
        for match in DRAFTER.finditer(plain):
            self._put("llamacpp-statistics", "drafter", match[1])
        for match in FIELD.finditer(plain):
            self._field(match[1], match[2])

    def _field(self, printed: str, run: str) -> None:
        first = FIRST.match(run)
        if first is None:
            return
        field = re.sub(r"[ \t\"']", "", printed)
        indexed = field not in OWNERS
        for name, meaning in OWNERS[re.sub("[0-9]+", "@", field) if indexed else field]:
            if meaning.endswith("[]"):
                self._put(name, meaning[:-2], values(run))
                continue
            number = value(first[1]) / (PERCENT if meaning.endswith("%") else 1.0)
            if indexed:
                self._place(name, meaning.rstrip("%"), int(re.sub("[^0-9]", "", field)), number)
            else:
                record = self._put(name, meaning.rstrip("%"), number)
                if meaning in PRINTED:
                    record[PRINTED[meaning]] = len(first[1].partition(".")[2])

    def _put(self, name: str, meaning: str, what: float | str | list[float]) -> Record:
        """Put a field into its format's last record, or into a new one if it has the field already."""
        records = self.found.setdefault(name, [])
        if meaning == "output" and records and {"output", "drafts"} <= records[-1].keys():
            return _told_again(records, what)
        eval_line = (name, meaning) == ("llamacpp-server-log", "predicted")  # a request's first
        again = bool(records) and meaning in records[-1] and meaning != "output"
        fresh = FORMATS[name]["line"] and self.lasts.get(name) != self.line
        if not records or again or eval_line or fresh:
            told = records[-1].pop("again", None) if again else None
            records.append({} if told is None else {"output": told})
        self.lasts[name] = self.line
        records[-1][meaning] = what
        return records[-1]

    def _place(self, name: str, meaning: str, index: int, number: float) -> None:
        """Put a position's figure after those before it; one whose neighbour is missing is dropped."""
        if index == 0:
            self._put(name, meaning, [number])
            return
        records = self.found.get(name, [])
        if records and index == len(records[-1].get(meaning, ())) < MOST_POSITIONS:
            records[-1][meaning].append(number)

    def _counter(self, name: str, series: str, number: float) -> None:
        [record] = self.found.setdefault(name, [{}])
        record.setdefault(series, []).append(number)

    def _row(self, line: str) -> bool:
        """Take a row of ik_llama.cpp's table, whose columns its head names; say whether it is one."""
        if not self.columns and "rounds" not in line:
            return False
        cells = [cell.strip(" \t") for cell in line.split("|")]
        if "rounds" in cells and "accepted" in cells:
            self.columns = cells
            return True
        if len(cells) != len(self.columns):
            return False
        row = dict(zip(self.columns, cells, strict=True))
        figures = re.fullmatch(
            r"([0-9]{1,15})/([0-9]{1,15}) ([0-9]{1,15})", f"{row['accepted']} {row['rounds']}"
        )
        if figures:
            accepted, drafted, drafts = (float(number) for number in figures.groups())
            record: Record = {"accepted": accepted, "drafted": drafted, "drafts": drafts}
            each = [rate / PERCENT for rate in values(row.get("pos accept", ""))]
            self.found.setdefault("ik-spec-bench", []).append(record | ({"positions": each} if each else {}))
        return True


def _told_again(records: list[Record], output: Any) -> Record:  # noqa: ANN401 - a figure, as any field's
    """Take the tokens of a request after its passes: told again, or the next request's if they come first."""
    request = records[-1]
    names = list(request)
    if names.index("output") > names.index("drafts"):
        return request
    if output == request["output"]:
        request["again"] = output
        return request
    records.append({"output": output})
    return records[-1]
