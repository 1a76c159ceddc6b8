"""The figures that the posts and Leviathan et al. (2023) print, and the exact ones where they are wrong."""

import json
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from pages import FACTS

from app import page
from app.published import corrections
from model.bursts import simulate, trace
from model.finish_times import distribution, quantile
from model.steps import best_draft_length, ceiling, draft_length_reaching, speedup, step_cost, tokens_per_step

PUBLISHED: dict[str, Any] = json.loads((FACTS / "published.json").read_text(encoding="utf-8"))
CEILING_POST, ARITHMETIC_POST = PUBLISHED["the_ceiling_is_exact"], PUBLISHED["the_speedup_arithmetic"]
TOKENS = CEILING_POST["tokens_per_step"]
BEST = CEILING_POST["best_draft_length_at_draft_cost_0.1"]
REACHING = CEILING_POST["draft_length_reaching_95_percent_of_the_ceiling"]
BURSTS = CEILING_POST["bursts_at_acceptance_0.9_draft_length_10_draft_cost_0.1"]
CYCLES = ARITHMETIC_POST["tokens_per_cycle"]
LEVIATHAN = PUBLISHED["leviathan_2023_table_1"]


def shown(value: float, decimals: int = 2) -> float:
    """Return the value as a table prints it: a half is rounded up."""
    return float(Decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def burst_row(times: Any, weights: Any, length: int) -> list[float]:  # noqa: ANN401 - arrays or None
    p50, p99 = quantile(times, 0.5, weights), quantile(times, 0.99, weights)
    return [length, p50, p99, shown(p99 / p50), shown(length / p50)]


@pytest.mark.parametrize("row", TOKENS["rows"])
def test_tokens_per_step_are_those_of_the_post(row: list[float]) -> None:
    a = row[0]
    assert row == [a, *(shown(tokens_per_step(a, k)) for k in (4, 8, 32)), shown(ceiling(a))]


@pytest.mark.parametrize("row", BEST["rows"])
def test_best_draft_lengths_are_those_of_the_post(row: list[float]) -> None:
    a, c = row[0], 0.1
    k = int(best_draft_length(a, c))
    assert row == [a, k, shown(tokens_per_step(a, k)), shown(speedup(a, k, c)), shown(ceiling(a))]


def test_thirteen_guesses_reach_95_percent_of_the_ceiling_where_the_post_says_fourteen() -> None:
    assert (REACHING["printed"], REACHING["exact"]) == (14, 13)
    assert REACHING["exact"] == draft_length_reaching(0.95, REACHING["acceptance_rate"])


@pytest.mark.parametrize("row", BURSTS["rows"])
def test_seed_0_draws_the_burst_table_of_the_post(row: list[float]) -> None:
    n = int(row[0])
    assert row == burst_row(simulate(0.9, 10, 0.1, n, seed=0), None, n)


@pytest.mark.parametrize("row", BURSTS["rows"])
def test_the_exact_burst_table_differs_where_the_post_is_listed_as_wrong(row: list[float]) -> None:
    n = int(row[0])
    exact = dict(zip(BURSTS["columns"], row, strict=True)) | BURSTS["exact"].get(str(n), {})
    exact.pop("why", None)
    assert list(exact.values()) == burst_row(*distribution(0.9, 10, 0.1, n), n)
    assert (list(exact.values()) != row) == (n == 200)


@pytest.mark.parametrize("n", [40, 100, 200, 400])
def test_seed_2_draws_the_exact_quantiles(n: int) -> None:
    assert burst_row(*distribution(0.9, 10, 0.1, n), n) == burst_row(
        simulate(0.9, 10, 0.1, n, seed=2), None, n
    )


def test_the_58_passes_of_the_post_are_the_luck_of_one_sample() -> None:
    times, chances = distribution(0.9, 10, 0.1, 200)
    assert shown(chances[times <= 58].sum(), 4) == 0.4927


def test_a_burst_of_forty_takes_more_than_four_or_five_steps() -> None:
    exact, (times, chances) = BURSTS["exact_at_40"], distribution(0.9, 10, 0.1, 40)
    assert exact["mean_steps"] == shown((times * chances).sum() / 2, 3)
    assert exact["least_steps"] == times[0] / 2
    assert exact["median_steps"] == quantile(times, 0.5, chances) / 2 == len(trace(0.9, 10, 40))
    assert exact["P(T >= 20)"] == shown(chances[times >= 20].sum(), 4)
    assert exact["P(T > 20)"] == shown(chances[times > 20].sum(), 4)


@pytest.mark.parametrize("row", CYCLES["rows"])
def test_tokens_per_cycle_differ_from_the_post_only_where_it_is_listed_as_wrong(row: list[float]) -> None:
    a = row[0]
    computed = [shown(tokens_per_step(a, k)) for k in (2, 4, 8)] + [shown(ceiling(a), 1)]
    printed = dict(zip(CYCLES["columns"][1:], row[1:], strict=True))
    exact = dict(zip(printed, computed, strict=True))
    wrong = {column: value for column, value in exact.items() if value != printed[column]}
    assert wrong == CYCLES["exact"].get(str(a), {})


@pytest.mark.parametrize("row", LEVIATHAN["rows"])
def test_operations_and_speed_are_those_of_table_1_of_leviathan(row: list[float]) -> None:
    a, k = row[0], int(row[1])
    operations = (k + 1) / tokens_per_step(a, k)
    assert operations == step_cost(k, draft_cost=0, utilisation=1) / tokens_per_step(a, k)
    assert row == [a, k, shown(operations), shown(speedup(a, k, LEVIATHAN["draft_cost"]))]


def test_the_home_page_corrects_what_is_listed_as_wrong() -> None:
    bursts, at_40 = BURSTS["exact"]["200"], BURSTS["exact_at_40"]
    printed = dict(zip(BURSTS["columns"], BURSTS["rows"][2], strict=True))
    cycles = {row[0]: dict(zip(CYCLES["columns"], row, strict=True)) for row in CYCLES["rows"]}
    expected = [
        (f"k = {REACHING['printed']}", f"k = {REACHING['exact']}"),
        (
            f"p50 {printed['p50']}, p99 / p50 {printed['p99_over_p50']}, {printed['speedup_at_p50']}×",
            f"{bursts['p50']}, {bursts['p99_over_p50']}, {bursts['speedup_at_p50']}×",
        ),
        ("four or five steps", f"{shown(at_40['mean_steps'], 1)} on average"),
        (
            "20.0 passes",
            f"{shown(100 * at_40['P(T >= 20)'], 1)} in a hundred; {100 * at_40['P(T > 20)']:.2f}",
        ),
        *(
            (f"{cycles[float(rate)][column]} tokens at α = {rate}, γ = {column[-1]}", str(exact))
            for rate, columns in CYCLES["exact"].items()
            for column, exact in columns.items()
        ),
        ("2–6×", "2.27–6.38×"),
    ]
    rows = corrections()
    assert len(expected) == len(rows)
    home = page.home(suffix="")
    for (wrong, right), row in zip(expected, rows, strict=True):
        assert wrong in row.printed
        assert row.exact.startswith(right)
        assert row.exact in home
