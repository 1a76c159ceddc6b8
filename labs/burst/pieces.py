"""Sections below a lab, which take long and so are computed in pieces.

A section is a generator: it yields None after each piece of its work, so that the next move of a slider can
end it there, and at last what a lab's ``columns`` return. Neither draft cost nor the length of a run is in
what takes long, so that is kept for when only those move.
"""

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import wraps
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from labs import state
from model import finish_times, mixtures, steps, tails
from model.checks import Floats, Wholes

AT_ONCE = 10  # steps: 3 to 10 ms, of 33 kinds of bursts of 400 tokens with 32 guesses
KEPT = 64

Item = TypeVar("Item")
Pieces: TypeAlias = Generator[None, None, Item]
Sources: TypeAlias = dict[str, dict[str, Any]]
Section: TypeAlias = Callable[..., Iterator[Sources | None]]
# Acceptance rate, one or several by position, then deviation, decay, draft length.
Bursts: TypeAlias = tuple[float | tuple[float, ...], float, float, int]


class Setting(NamedTuple):
    """What every section is called with, in this order: the burst lab's numbers, then those of the tail."""

    acceptance_rate: float
    draft_length: int
    draft_cost: float
    burst_length: int
    run_length: int
    decay: float
    deviation: float
    position_rates: str = ""

    @property
    def rate(self) -> float | tuple[float, ...]:
        """Return the rates by position where they are given, else the one acceptance rate."""
        return state.rate(self.acceptance_rate, self.position_rates)

    @property
    def cost(self) -> float:
        """Return the cost of a step."""
        return steps.step_cost(self.draft_length, self.draft_cost)

    @property
    def bursts(self) -> Bursts:
        """Return what kinds of bursts there are."""
        return self.rate, self.deviation, self.decay, self.draft_length

    @property
    def alike(self) -> Bursts:
        """Return the one kind that there is without spread and decay."""
        return self.rate, 0.0, 1.0, self.draft_length


def section(compute: Callable[[Setting], Iterator[Sources | None]]) -> Section:
    """Return the section to be called with the numbers of a setting."""

    @wraps(compute)
    def called(*given: Any, **named: Any) -> Iterator[Sources | None]:  # noqa: ANN401 - the setting's numbers
        return compute(Setting(*given, **named))

    return called


_kept: dict[tuple[object, ...], Any] = {}


def once(work: Callable[..., Pieces[Item]], *given: object) -> Pieces[Item]:
    """Return what the work comes to, or came to lately."""
    found: Item | None = _kept.get((work, *given))
    if found is None:
        found = yield from work(*given)
        _kept[work, *given] = found
        if len(_kept) > KEPT:
            _kept.pop(next(iter(_kept)), None)
    return found


def quantiles(bursts: Bursts, longest: int, p: tuple[float, ...]) -> Pieces[Wholes]:
    """Return the steps that the shares p of bursts take at most, for every length up to the longest."""
    rates, weights = mixtures.burst_kinds(*bursts)
    rising = mixtures.rising_step_quantiles(rates, weights, bursts[-1], longest, p)
    return (yield from _in_pieces(rising))[-1]


def distribution(bursts: Bursts, burst_length: int) -> Pieces[tuple[Wholes, Floats]]:
    """Return the numbers of steps that a burst can take, and the chance of each."""
    rates, weights = mixtures.burst_kinds(*bursts)
    chances = mixtures.step_chances(rates, weights, bursts[-1], burst_length)
    return finish_times.possible((yield from _in_pieces(chances)))


def distributions(
    acceptance_rate: float | tuple[float, ...], decay: float, longest_draft: int, burst_length: int
) -> Pieces[list[tuple[Wholes, Floats]]]:
    """Return, of each draft length up to the longest, what ``distribution`` does of one."""
    rates = mixtures.decayed_rates(acceptance_rate, decay, longest_draft)
    chances = yield from _in_pieces(tails.draft_length_chances(rates, longest_draft, burst_length))
    return [finish_times.possible(column) for column in np.array(chances).T]


def sampled(bursts: Bursts, burst_length: int, p: float, size: int) -> Pieces[Floats]:
    """Return the chance of each finish time to be the quantile that a sample of so many bursts shows."""
    _, chances = yield from once(distribution, bursts, burst_length)
    return np.array((yield from _in_pieces(tails.sampled_chances(chances, p, size))))


def _in_pieces(stepwise: Iterable[Item]) -> Pieces[list[Item]]:
    """Return all that comes step by step, resting after every so many."""
    found = []
    for item in stepwise:
        found.append(item)
        if len(found) % AT_ONCE == 0:
            yield None
    return found
