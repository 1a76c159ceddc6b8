"""The twin of what reads a paste, and of the columns that follow: the same fields, numbers and words."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import FACTS
from playwright.sync_api import BrowserContext, Page
from test_measured_counters import PROMETHEUS, scrape
from test_measured_cut import CUT, NOTHING_DRAFTED, VARIED, WHOLE, table
from test_measured_parts import CUT_STATISTICS, MTP, PARTS, pairs_of_names
from test_measured_sglang import FIRST, SECOND, requests
from test_measured_totals import FOUR, MORE, REQUEST, SERVER, TOTAL

from labs import measured
from model.engines import formats
from model.engines.reading import measure

PASTES = [path.read_bytes().decode() for path in sorted((FACTS / "engine_logs").glob("*.txt"))]
ODD = [
    *(*NOTHING_DRAFTED, *(WHOLE + cut for cut in CUT), VARIED, *(text for text, _ in PARTS)),
    *(
        table((100, "180/260", "80.0% 66.7% 57.1%")),
        requests(FIRST, SECOND),
        requests(FIRST, FIRST, usage=True),
    ),
    *(f"{accepted}: 150, {drafted}: 300" for _, accepted, drafted in pairs_of_names()),
    *(f"{FOUR}\n{TOTAL}", f"{TOTAL}\n{FOUR}", f"{REQUEST}\n{SERVER.format(*MORE)}"),
    CUT_STATISTICS.format(100, 90) + CUT_STATISTICS.format(297, 171),
    *(PROMETHEUS + scrape(9, 40, 20) + scrape(1, 4, 2), scrape(9, None, 20) + scrape(10, 40, 20)),
    *(
        WHOLE + MTP,
        f"{MTP}\nk: 4",
        f"{MTP}\nk: 16",
        "α=80% K 4",
        "k 4, τ=2,9",
        "0,8 0,6",
        "0.8",
        "90 80 %",
        ".9 .8 k=2",
    ),
    *("80, 60", "k = 4, tau = 6", "acceptance rate 43.7 %, k = 8", "0.5 0.8 1.2", "42", "k = 4, alpha = 0.8"),
]
COSTS = [(1.0, 0.1), (1.0, 0.0), (0.97, 0.54), (1.3, 0.02), (1.0, -0.1), (0.0, 0.1), (1.0, 1.0)]
READ = """(texts) => JSON.stringify(texts.map((text) => GuessAhead.engines.reading.measure(text)))"""
COLUMNS = """([texts, costs]) => {
  const word = (_, x) => (ArrayBuffer.isView(x) ? Array.from(x)
    : typeof x === "number" && !Number.isFinite(x) ? String(x) : x);
  return JSON.stringify(texts.map((text) => costs.map(([fixed, part]) => (
    GuessAhead.measured_columns.columns(GuessAhead.engines.reading.measure(text), fixed, part)))), word);
}"""
# Lines of all formats, cut and put together again: what is pasted is seldom whole.
PIECES = sorted({line for paste in PASTES for line in paste.splitlines()})
NAMES = sorted({field.replace("@", "3") for f in formats.FORMATS.values() for field in f["fields"]})
NUMBERS = [
    "0",
    "1",
    "4",
    "-3",
    "0.5",
    "1e3",
    "NaN",
    "nan%",
    "inf",
    "1,234",
    "2,9",
    "80 %",
    "0.8 0.6",
    "99.9%",
    "1/0",
    "[1, 2, 3]",
    "²",
    "٣",
]
TYPED = st.builds(
    "{}{}{}".format,
    st.sampled_from(NAMES),
    st.sampled_from([": ", "=", " ", "\t:"]),
    st.sampled_from(NUMBERS),
)
CUT = st.builds(
    lambda line, a, b: line[min(a, b) : max(a, b)],
    st.sampled_from(PIECES),
    st.integers(0, 400),
    st.integers(0, 400),
)
LINE = st.one_of(st.sampled_from(PIECES), CUT, TYPED, st.text(max_size=40))
TEXT = st.builds(
    "".join,
    st.lists(
        st.builds("{}{}".format, LINE, st.sampled_from(["\n", "\r\n", ", ", "\x1b[0m", "|"])), max_size=8
    ),
)


@pytest.fixture(scope="module")
def reader(context: BrowserContext, folder: Path) -> Any:  # noqa: ANN401 - a page, then closed
    page = context.new_page()
    page.goto((folder / "measured.html").as_uri())
    yield page
    page.close()


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever columns hold
    """Return columns as they arrive from the browser."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list | np.ndarray):
        return [plain(item) for item in np.asarray(value).tolist()]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity"
    return value


def test_every_real_and_every_odd_paste_is_read_alike(reader: Page) -> None:
    texts = [*PASTES, *ODD]
    for text, read in zip(texts, json.loads(reader.evaluate(READ, texts)), strict=True):
        assert json.loads(json.dumps(measure(text))) == read


def test_every_paste_gives_the_same_columns_at_every_cost(reader: Page) -> None:
    texts = [*PASTES, *ODD, *measured.EXAMPLES.values(), ""]
    found = json.loads(reader.evaluate(COLUMNS, [texts, COSTS]))
    for text, of_costs in zip(texts, found, strict=True):
        for cost, columns in zip(COSTS, of_costs, strict=True):
            assert plain(measured.columns(measure(text), *cost)) == columns


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(TEXT, min_size=20, max_size=20))
def test_whatever_is_pasted_is_read_alike(reader: Page, texts: list[str]) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in texts]  # as a browser has it
    for text, read in zip(texts, json.loads(reader.evaluate(READ, texts)), strict=True):
        assert json.loads(json.dumps(measure(text))) == read


@settings(max_examples=300, deadline=None)
@given(TEXT)
def test_whatever_is_read_lies_in_its_range(text: str) -> None:
    found = measure(text)
    for name in ("strict_rate", "alpha_mle", "alpha_moment"):
        assert found[name] is None or 0 <= found[name] <= 1  # type: ignore[literal-required]
    assert found["tokens_per_step"] is None or found["tokens_per_step"] >= 1
    assert all(0 <= rate <= 1 for rate in found["position_rates"] or [])
    json.dumps(found, allow_nan=False)
    measured.columns(found, 1.0, 0.1)
