"""What a server's own figures say: every real paste beside its right answers."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from pages import FACTS

from model.engines.reading import measure

PASTES = sorted((FACTS / "engine_logs").glob("*.txt"))
NUMBERS = ["draft_length", "drafts", "accepted", "drafted", "strict_rate", "tokens_per_step"]
NUMBERS += ["alpha_mle", "alpha_moment"]
LISTS = ["position_rates", "conditional_rates"]


def text_of(path: Path) -> str:
    return path.read_bytes().decode()


def tolerance(answer: dict[str, Any], name: str) -> tuple[float, float]:
    """Return the range that the answer's author states for a number; counts are exact."""
    stated = re.search(rf"\b{name} ([0-9.]+)\.\.([0-9.]+)", answer["tolerance"].partition(" -- ")[0])
    return (float(stated[1]), float(stated[2])) if stated else (answer[name], answer[name])


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_a_real_paste_gives_its_right_numbers(path: Path) -> None:
    answer, measured = json.loads(path.with_suffix(".json").read_text()), measure(text_of(path))
    assert answer["format"].partition(" ")[0] == measured["format"]
    for name in NUMBERS:
        if answer[name] is None:
            assert measured[name] is None, name
        else:
            low, high = tolerance(answer, name)
            assert low <= measured[name] <= high, name


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_a_real_paste_gives_its_right_rates_by_position(path: Path) -> None:
    answer, measured = json.loads(path.with_suffix(".json").read_text()), measure(text_of(path))
    for name in LISTS:
        if answer[name] is None:
            assert measured[name] is None, name
        else:
            off = float(re.search(rf"{name} \+-([0-9.]+)", answer["tolerance"])[1])
            known = [math.nan if rate is None else rate for rate in answer[name]]
            shown = [math.nan if rate is None else rate for rate in measured[name]]
            assert known == pytest.approx(shown, abs=off, nan_ok=True), name


@pytest.mark.parametrize("path", PASTES, ids=lambda path: path.stem)
def test_line_ends_colours_prefixes_and_markdown_change_nothing(path: Path) -> None:
    text = text_of(path)
    plain = measure(text)
    assert plain == measure(text.replace("\n", "\r\n"))
    assert plain == measure(text.replace("\n", "\r"))
    assert plain == measure(
        "".join(f"\x1b[36m(EngineCore pid=7)\x1b[0;0m {line}\n" for line in text.split("\n"))
    )
    assert plain == measure("```\n" + "".join(f"> {line}\n" for line in text.split("\n")) + "```")
    assert plain == measure(text.replace(" ", "\u00a0"))


def known(text: str, *names: str) -> list[Any]:
    measured: dict[str, Any] = dict(measure(text))
    return [measured[name] for name in names]


COUNTS = ["draft_length", "drafts", "accepted", "drafted"]
LMDEPLOY = (
    "SpecDecoding metrics: Draft acceptance rate: 50.00%, Mean acceptance length: 2.00, "
    "Accepted: 30.0 tokens, Drafted: 60.0 tokens, Per-position acceptance rate: 0.667, 0.333"
)
STATISTICS = """I statistics ngram: #gen drafts = 9, #acc drafts = 8, #gen tokens = 27, #acc tokens = 20
I statistics ngram: #gen drafts = 90, #acc drafts = 80, #gen tokens = 270, #acc tokens = 200"""
REQUEST = """[{"spec_verify_ct": 4, "spec_num_correct_drafts": 5, "spec_num_proposed_drafts": 12,
"spec_correct_drafts_histogram": [
  1,
  2,
  0,
  1
]}]"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'spec_verify_ct': 10, 'completion_tokens': 32, 'spec_accept_length': 3.2", [None, 10, None, None]),
        ("{'spec_verify_ct': 10, 'spec_accept_token_num': 22, 'spec_draft_token_num': 30}", [3, 10, 22, 30]),
        (REQUEST, [3, 4, 5, 12]),
        (" - Draft: 1,234 / 2,345 accepted (52.62%)", [None, None, 1234, 2345]),
        ("Accepted 40/100 tokens", [None, None, 40, None]),
        ('"totalDraftTokensCount": 100, "acceptedDraftTokensCount": 80', [None, None, 80, 100]),
        (LMDEPLOY, [2, 30, 30, 60]),
        (STATISTICS, [3, 90, 200, 270]),
    ],
)
def test_other_engines_counts_are_found(text: str, expected: list[float | None]) -> None:
    assert expected == known(text, *COUNTS)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Accepted 40/100 tokens", 100 / 60),
        ("{'completion_tokens': 32, 'spec_verify_ct': 10}", 3.2),
        ("SD efficiency: 60.00%, SD accuracy: 80.00%", 2.5),
        ('"accept_prob{step=0}": 1.0, "accept_prob{step=1}": 0.75, "accept_prob{step=2}": 0.5', 2.25),
        ("[DAR] AVERAGE: 0.4\n[DAR] P99: 0.9\n[AL] MINIMUM: 1.0\n[AL] AVERAGE: 2.5\n[AL] P99: 4.0", 2.5),
        ("tgi_request_skipped_tokens_sum 150\ntgi_request_skipped_tokens_count 100", 2.5),
        ('sglang:spec_accept_length{model_name="m"} 2.5', 2.5),
    ],
)
def test_other_engines_lengths_are_tokens_per_step(text: str, tokens: float) -> None:
    assert [pytest.approx(tokens, rel=1e-15)] == known(text, "tokens_per_step")


def line(length: float, accepted: int, drafted: int, *rates: float) -> str:
    positions = ", ".join(f"{rate:.3f}" for rate in rates)
    return (
        f"SpecDecoding metrics: Mean acceptance length: {length:.2f}, Accepted: {accepted} tokens, "
        f"Drafted: {drafted} tokens, Per-position acceptance rate: {positions}, "
        f"Avg Draft acceptance rate: {100 * accepted / drafted if drafted else math.nan:.1f}%\n"
    )


def warned(text: str, word: str) -> bool:
    return any(word in warning for warning in measure(text)["warnings"])


def test_lmdeploys_lines_are_told_from_vllms() -> None:
    assert ["lmdeploy-log"] == known(LMDEPLOY, "format")
    assert ["vllm-v1-log"] == known(LMDEPLOY.replace("50.00%", "50.0%"), "format")


def test_lines_are_pooled_by_counts() -> None:
    text = line(1.5, 50, 200, 0.4, 0.1) + line(2.5, 1500, 2000, 0.9, 0.6) + line(1, 0, 0, 0, 0)
    assert [2, 1100, 1550, 2200] == known(text, *COUNTS)
    assert [1 + 1550 / 1100, 1550 / 2200] == known(text, "tokens_per_step", "strict_rate")


def test_a_draft_length_that_varied_is_none() -> None:
    text = line(1.5, 50, 200, 0.4, 0.1) + line(1.5, 50, 300, 0.3, 0.15, 0.05)
    assert [None, 200, 100, 500] == known(text, *COUNTS)
    assert [None, None, None, False] == known(
        text, "alpha_mle", "alpha_moment", "position_rates", "advisable"
    )
    assert warned(text, "varied")


def test_a_length_without_the_targets_token_is_seen() -> None:
    text = line(0.5, 50, 200, 0.4, 0.1)
    assert [1.5] == known(text, "tokens_per_step")
    assert warned(text, "leaves the target's own token out")


def test_nothing_drafted_is_not_a_rate_of_zero() -> None:
    text = line(1, 0, 0, 0, 0)
    assert [0, None, None] == known(text, "drafted", "strict_rate", "alpha_mle")
    assert warned(text, "Nothing was drafted")


def test_padded_positions_are_dropped() -> None:
    text = "num_drafts: 100\nnum_draft_tokens: 200\nnum_accepted_tokens: 120\n" + "".join(
        f"acceptance at token {i}: {rate}\n" for i, rate in enumerate((0.7, 0.5, 0.0, 0.0))
    )
    assert [2, [0.7, 0.5]] == known(text, "draft_length", "position_rates")
    assert warned(text, "padding")


def test_a_suspicious_hundred_per_cent_is_pointed_out() -> None:
    assert warned(line(3, 400, 400, 1, 1), "suspicious")


def test_counts_that_belie_the_printed_figures_are_pointed_out() -> None:
    belied = "num_drafts: 1000, num_draft_tokens: 2000, num_accepted_tokens: 1200, mean acceptance length: {}"
    assert not warned(belied.format("2.20"), "not those of the printed counts")
    assert warned(belied.format("2.90"), "not those of the printed counts")


@pytest.mark.parametrize(
    "bad",
    [
        "num_drafts: 10, num_draft_tokens: 30, num_accepted_tokens: 31",
        "num_drafts: 10, num_draft_tokens: 30, num_accepted_tokens: -3",
        "num_drafts: 0, num_draft_tokens: 30, num_accepted_tokens: 3",
        "num_drafts: 1e99, num_draft_tokens: 3e99, num_accepted_tokens: 1e99",
        "draft acceptance = 1.5 ( 45 accepted / 30 generated)",
    ],
)
def test_impossible_counts_are_left_out(bad: str) -> None:
    assert [None, None, None] == known(bad, "accepted", "strict_rate", "tokens_per_step")
    assert measure(bad)["warnings"]


def test_position_rates_that_rise_or_pass_one_are_not_used() -> None:
    for rates in ((0.5, 0.6), (1.2, 0.4), (-0.1, -0.2)):
        text = "num_drafts: 100\nnum_draft_tokens: 200\nnum_accepted_tokens: 110\n" + "".join(
            f"acceptance at token {i}: {rate}\n" for i, rate in enumerate(rates)
        )
        assert [2.1, None, None] == known(text, "tokens_per_step", "position_rates", "alpha_mle")
        assert warned(text, "rise or lie outside")


@pytest.mark.parametrize(
    "text",
    ["", " \n", "hello", "<script>alert(1)</script>", "a: 1\nb: 2", "\x00\x01\ud800", "num_drafts: NaN"],
)
def test_what_holds_no_figures_has_no_format(text: str) -> None:
    assert [None, None, None] == known(text, "format", "draft_length", "tokens_per_step")
