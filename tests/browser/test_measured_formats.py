"""One real paste of each format, all in one page: what it shows is what Python measures."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pages import LabPage, shown
from playwright.sync_api import BrowserContext
from test_measured import PASTES, text_of
from test_measured_page import paste, plain_columns

from model.engines.formats import FORMATS
from model.engines.reading import measure

# The line that sets seven guesses in each engine whose setting is known; the others' outputs get none.
LINES = {
    "vllm": ["--speculative-config '{\"num_speculative_tokens\": 7, …}'", ""],
    "sglang": [
        "--speculative-num-steps 7 --speculative-eagle-topk 1 --speculative-num-draft-tokens 8",
        "",
    ],
    "llamacpp": ["--spec-draft-n-max 7", "(--draft-max before May 2026)"],
    "ik": ["--spec-type …:n_max=7", ""],
    "trtllm": ["max_draft_len: 7", ""],
    "lmdeploy": ["--speculative-num-draft-tokens 7", ""],
    "mlc": ["spec_draft_length=7", ""],
    "exllamav2": ["num_draft_tokens=7", ""],
}
SET = """(formats) => formats.map((format) => {
  const { now, older } = GuessAhead.views.measured.setting(format) ?? {};
  return now ? [now(7), older] : null;
})"""
FIRST_OF_EACH = {measure(text_of(path))["format"]: path for path in reversed(PASTES)}
SHOWN = {"tokens_per_step": (1, 2), "alpha": (1, 3), "strict_rate": (100, 1), "drafts": (1, 0)}


@pytest.fixture(scope="module")
def reader(context: BrowserContext, folder: Path) -> Iterator[LabPage]:
    """Give the exported page, opened once for all pastes."""
    page = LabPage(context.new_page()).open((folder / "measured.html").as_uri())
    yield page
    page.page.close()
    assert page.complaints == []


def test_the_line_that_sets_a_draft_length_is_the_engines_own(reader: LabPage) -> None:
    expected = {name: LINES.get(name.partition("-")[0]) for name in FORMATS}
    assert {name.partition("-")[0] for name in expected} >= set(LINES)
    assert expected == dict(zip(FORMATS, reader.page.evaluate(SET, list(FORMATS)), strict=True))


@pytest.mark.parametrize("path", FIRST_OF_EACH.values(), ids=FIRST_OF_EACH)
def test_a_real_paste_of_each_format_shows_what_python_measures(reader: LabPage, path: Path) -> None:
    text, measured = text_of(path), measure(text_of(path))
    paste(reader, text)
    assert plain_columns(text) == reader.columns()
    assert f"Read as {measured['title']}. {measured['how']}" == reader.page.inner_text("#recognised")
    assert measured["warnings"] == [
        line for line in reader.page.locator("#warnings li").all_inner_texts() if "Pearson" not in line
    ]
    for name, (scale, digits) in SHOWN.items():
        [value] = reader.columns()["readout"][name]
        assert ("–" if value == "NaN" else shown(value * scale, digits)) == reader.output(name)
