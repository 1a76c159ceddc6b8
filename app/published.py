"""What the two posts print where the arithmetic gives something else, each with the value computed anew."""

from typing import NamedTuple

from labs import peaks
from model import finish_times, steps

CEILING = "Your Model Guesses Ahead"
ARITHMETIC = "The Speedup Arithmetic"


class Correction(NamedTuple):
    """A printed figure, where it stands, and the exact one."""

    printed: str
    where: str
    exact: str


def corrections() -> list[Correction]:
    """Return the posts' figures that are wrong, in the order of the posts."""
    return [_length_for_95_percent(), *_bursts(), *_tokens_per_cycle(), _rule_of_thumb()]


def _length_for_95_percent() -> Correction:
    length = steps.draft_length_reaching(0.95, 0.8)
    return Correction("95 % of the ceiling takes k = 14 at a = 0.8", f"{CEILING}, 05", f"k = {length}")


def _bursts() -> list[Correction]:
    """Return those of the bursts at a = 0.9, k = 10, c = 0.1."""
    where = f"{CEILING}, 07"
    times, chances = finish_times.distribution(0.9, 10, 0.1, 200)
    p50, p99 = (finish_times.quantile(times, p, chances) for p in (0.5, 0.99))
    short, odds = finish_times.distribution(0.9, 10, 0.1, 40)
    steps_taken = (short * odds).sum() / steps.step_cost(10, 0.1)
    printed = 20.0
    late, later = (100 * odds[past].sum() for past in (short >= printed, short > printed))
    return [
        Correction(
            "200 tokens: p50 58.0, p99 / p50 1.28, 3.45×",
            where,
            f"{p50:.1f}, {p99 / p50:.2f}, {200 / p50:.2f}×; 58.0 is one sample's luck",
        ),
        Correction("40 tokens take only four or five steps", where, f"{steps_taken:.1f} on average"),
        Correction(
            "one burst in a hundred takes 20.0 passes or longer",
            where,
            f"{late:.1f} in a hundred; {later:.2f} take longer than 20.0",
        ),
    ]


def _tokens_per_cycle() -> list[Correction]:
    printed = {(0.85, 4): "3.68", (0.85, 8): "5.05", (0.95, 8): "7.03"}
    return [
        Correction(
            f"{figure} tokens at α = {rate}, γ = {length}",
            ARITHMETIC,
            f"{steps.tokens_per_step(rate, length):.2f}",
        )
        for (rate, length), figure in printed.items()
    ]


def _rule_of_thumb() -> Correction:
    readout = peaks.columns(*peaks.State.defaults().values())["readout"]
    low, high = readout["rule_low"][0], readout["rule_high"][0]
    return Correction(
        "2–6× at α 0.8–0.95, γ 3–8, c 0.02–0.1, a rule of thumb", ARITHMETIC, f"{low:.2f}–{high:.2f}×"
    )
