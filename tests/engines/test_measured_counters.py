"""Prometheus counters: scraped once or more often, whole or cut, of one engine or several."""

import re

import pytest
from test_measured import COUNTS, known, warned

PROMETHEUS = """# HELP vllm:spec_decode_num_drafts_total Number of spec decoding drafts.
vllm:spec_decode_num_drafts_total{engine="0",model_name="m"} 1000.0
vllm:spec_decode_num_drafts_created{engine="0",model_name="m"} 1.7e+09
vllm:spec_decode_num_draft_tokens_total{engine="0",model_name="m"} 2000.0
vllm:spec_decode_num_accepted_tokens_total{engine="0",model_name="m"} 1.3e+03
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="0"} 800.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{engine="0",model_name="m",position="1"} 500.0
"""


def test_counters_of_several_engines_are_added_up() -> None:
    both = PROMETHEUS + PROMETHEUS.replace('engine="0"', 'engine="1"')
    assert ["vllm-counters", 2, 2000, 2600, 4000] == known(both, "format", *COUNTS)
    assert [[0.8, 0.5], [0.8, 0.625]] == known(both, "position_rates", "conditional_rates")


def test_counters_given_twice_are_taken_as_a_difference() -> None:
    later = re.sub(r"(?<=} )[0-9.e+]+", lambda found: str(3 * float(found[0])), PROMETHEUS)
    assert [2, 2000, 2600, 4000] == known(PROMETHEUS + later, *COUNTS)
    assert warned(PROMETHEUS + later, "difference")


def test_counters_of_llamacpp_and_lmdeploy_are_read_alike() -> None:
    for engine in ("llamacpp", "lmdeploy"):
        text = PROMETHEUS.replace("vllm:", f"{engine}:")
        assert [f"{engine}-counters", 2, 1000, 1300, 2000] == known(text, "format", *COUNTS)


def test_old_gauges_and_counters_give_their_draft_length() -> None:
    text = """vllm:spec_decode_efficiency{model_name="m"} 0.51
vllm:spec_decode_draft_acceptance_rate{model_name="m"} 0.607
vllm:spec_decode_num_accepted_tokens_total{model_name="m"} 32594.0
vllm:spec_decode_num_draft_tokens_total{model_name="m"} 53716.0
vllm:spec_decode_num_emitted_tokens_total{model_name="m"} 34244.0"""
    assert [4, 13429, 20815, 53716] == known(text, *COUNTS)


def scrape(drafts: float | None, drafted: float | None, accepted: float | None, engine: int = 0) -> str:
    """Return vLLM's counters, those that are given."""
    named = {"num_drafts": drafts, "num_draft_tokens": drafted, "num_accepted_tokens": accepted}
    return "".join(
        f'vllm:spec_decode_{name}_total{{engine="{engine}",model_name="m"}} {value}\n'
        for name, value in named.items()
        if value is not None
    )


@pytest.mark.parametrize(
    "text",
    [
        scrape(1000, 4000, 2000) + scrape(1500, 6000, None),
        scrape(None, 4000, 2000) + scrape(1500, 6000, 3000),
    ],
)
def test_counters_of_a_scrape_that_is_cut_are_not_mixed_with_those_of_another(text: str) -> None:
    assert ["vllm-counters", None, None, None] == known(
        text, "format", "tokens_per_step", "strict_rate", "alpha_moment"
    )
    assert warned(text, "paste whole ones")


def test_after_a_restart_the_last_scrape_counts() -> None:
    for before in ("", scrape(1000, 4000, 2000)):
        text = before + scrape(900, 3600, 1800) + scrape(100, 400, 300) + scrape(1100, 4400, 3300)
        assert [4, 1100, 3300, 4400] == known(text, *COUNTS)
        assert warned(text, "began anew")


def test_engines_of_different_draft_lengths_are_not_averaged_into_one() -> None:
    text = scrape(1000, 3000, 1500, engine=0) + scrape(1000, 5000, 2000, engine=1)
    assert [None, 2000, 3500, 8000] == known(text, *COUNTS)
    assert [2.75, None, False] == known(text, "tokens_per_step", "alpha_moment", "advisable")
    assert warned(text, "varied")


def test_without_drafts_counters_give_their_strict_rate() -> None:
    text = scrape(None, 4000, 2000)
    assert [0.5, None, None] == known(text, "strict_rate", "tokens_per_step", "draft_length")


def test_gauges_of_several_ranks_are_averaged() -> None:
    gauge = 'sglang:spec_accept_length{{tp_rank="{}"}} {}\n'
    text = gauge.format(0, 2.5) + gauge.format(1, 2.75)
    assert [2.625] == known(text, "tokens_per_step")
    assert warned(text, "averaged")


def test_gauges_and_histograms_are_not_said_to_be_counters() -> None:
    for text in (
        "sglang:spec_accept_length 2.5",
        "tgi_request_skipped_tokens_sum 150\ntgi_request_skipped_tokens_count 100",
    ):
        assert not any("drafted" in how for how in known(text, "how"))
