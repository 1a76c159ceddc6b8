"""What SGLang prints: requests in its own order of fields, trees, and two definitions of one rate."""

import json

import pytest
from test_measured import COUNTS, known, warned

from model.engines.reading import measure

FIRST, SECOND = (256, 100), (100, 50)
KEYS = ("completion_tokens", "spec_verify_ct")


def requests(*figures: tuple[int, int], keys: tuple[str, str] = KEYS, usage: bool = False) -> str:
    told = [dict(zip(keys, each, strict=True)) for each in figures]
    if usage:
        told = [{"meta_info": request, "usage": {KEYS[0]: request[KEYS[0]]}} for request in told]  # type: ignore[misc]
    return "\n".join(map(json.dumps, told))


@pytest.mark.parametrize("usage", [False, True])
def test_completion_tokens_belong_to_the_passes_of_their_own_request(*, usage: bool) -> None:
    swapped = requests(
        *((passes, tokens) for tokens, passes in (FIRST, SECOND)), keys=KEYS[::-1], usage=usage
    )
    for text in (requests(FIRST, SECOND, usage=usage), swapped):
        assert [150, 356 / 150] == known(text, "drafts", "tokens_per_step")
        assert not warned(text, "left out")


@pytest.mark.parametrize("usage", [False, True])
def test_requests_of_as_many_tokens_are_requests_of_their_own(*, usage: bool) -> None:
    text = requests((256, 100), (256, 80), (256, 76), usage=usage)
    assert [256, 3.0] == known(text, "drafts", "tokens_per_step")


def test_a_request_without_its_tokens_is_said_to_be_left_out() -> None:
    text = requests(FIRST) + '\n{"spec_verify_ct": 50}'
    assert [100, 2.56] == known(text, "drafts", "tokens_per_step")
    assert warned(text, "left out")


def request(**more: float) -> str:
    return json.dumps(
        {"completion_tokens": 350, "spec_verify_ct": 100, "spec_num_correct_drafts": 249, **more}
    )


def test_a_request_with_a_large_tree_has_no_draft_length() -> None:
    text = request(spec_num_proposed_drafts=6300)
    assert [None, 100, 249, 6300] == known(text, *COUNTS)
    assert [3.49, None, None, False] == known(
        text, "tokens_per_step", "alpha_moment", "position_rates", "advisable"
    )
    assert warned(text, "are a tree of drafts")


def test_a_request_that_may_have_a_tree_says_so() -> None:
    text = request(spec_num_proposed_drafts=1500)
    assert [15] == known(text, "draft_length")
    assert warned(text, "topk above 1")


def test_a_requests_accept_length_is_its_tokens_over_its_passes() -> None:
    assert not warned(request(spec_accept_length=3.5), "not those of the printed counts")
    assert warned(request(spec_accept_length=3.1), "not those of the printed counts")


LINE = "Decode batch, #running-req: 1, accept len: {}, accept rate: {}, gen throughput (token/s): 9"


@pytest.mark.parametrize(
    ("length", "rate", "draft_length", "says"),
    [
        ("4.00", "1.00", 3, "worked out from rate and length"),
        ("2.50", "0.50", None, "two draft lengths fit"),
        ("2.17", "0.93", None, "No single number"),
        ("1.00", "0.00", None, "is not printed"),
    ],
)
def test_k_is_what_fits_either_definition(
    length: str, rate: str, draft_length: int | None, says: str
) -> None:
    text = LINE.format(length, rate)
    assert [draft_length, float(length)] == known(text, "draft_length", "tokens_per_step")
    assert warned(text, says)


def test_without_a_rate_no_rate_is_said_to_disagree() -> None:
    text = "Decode batch, accept len: 2.17, gen throughput (token/s): 9"
    assert warned(text, "k is not printed")
    assert not warned(text, "agree")


def test_sglangs_two_definitions_are_told_apart() -> None:
    line = (
        "Decode batch, #running-req: 1, accept len: {:.2f}, accept rate: {:.2f}, gen throughput (token/s): 9"
    )
    old = "\n".join(line.format(length, length / 5) for length in (2.51, 3.37, 1.93))
    new = "\n".join(line.format(length, (length - 1) / 4) for length in (2.51, 3.37, 1.93))
    for text, side in ((old, "above and below"), (new, "leaves the target's own token out")):
        length, tokens, rate = known(text, "draft_length", "tokens_per_step", "strict_rate")
        assert (4, pytest.approx(2.6033, abs=1e-4), pytest.approx(0.4008, abs=1e-4)) == (length, tokens, rate)
        assert any(side in warning for warning in measure(text)["warnings"])


def test_a_large_tree_of_sglang_has_no_draft_length() -> None:
    text = "\n".join(f"Decode batch. accept len: {n:.2f}, accept rate: {n / 60:.5f}, x" for n in (3.25, 2.91))
    assert [None, None, None, False] == known(
        text, "draft_length", "alpha_moment", "strict_rate", "advisable"
    )


def test_sglang_without_a_rate_or_with_one_that_fits_nothing_leaves_the_length_open() -> None:
    for rate in ("", ", accept rate: 0.93"):
        assert [None, 2.17] == known(
            f"Decode batch. accept len: 2.17{rate}, x", "draft_length", "tokens_per_step"
        )
