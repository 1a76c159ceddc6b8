"""Seeded bursts: how many steps each of some thousand simulated bursts takes to settle its tokens.

Step by step, ``RandomState(seed).random_sample(bursts)`` gives one number u for every burst, whether or not
it still runs, and a step accepts as many guesses as there are position rates above u. The draws depend on no
slider: as the odds move each burst changes only as they do, and a longer burst extends the same run.
"""

from collections.abc import Iterator
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from model import checks, steps
from model.checks import Floats, Rate, Wholes

BLOCK = 16  # steps drawn at once
MOST_DRAWS = 200_000_000  # a burst draws once per token at worst; at 8 bytes each this is 1.6 GB
MOST_SEED = 2**32 - 1
FEW_RATES = 64  # up to here one comparison per rate is faster than a binary search per draw


class Draws:
    """The random numbers of one seed, drawn once and as far as needed, in blocks of BLOCK steps."""

    def __init__(self, seed: int, bursts: int) -> None:
        """Start the stream of MT19937 that NumPy promises never to change."""
        self._stream = np.random.RandomState(seed)
        self._bursts = bursts
        self._blocks: list[Floats] = []
        self._lock = Lock()

    def blocks(self) -> Iterator[Floats]:
        """Yield the blocks from the first step on, without end."""
        index = 0
        while True:
            yield self._block(index)
            index += 1

    def _block(self, index: int) -> Floats:
        with self._lock:  # two threads drawing from the stream would break its order
            while len(self._blocks) <= index:
                self._blocks.append(self._stream.random_sample((BLOCK, self._bursts)))
        return self._blocks[index]


def simulate(  # noqa: PLR0913, PLR0917 - the contract: three rates, a length, and what to draw
    acceptance_rate: Rate,
    draft_length: int,
    draft_cost: float,
    burst_length: int,
    seed: int = 0,
    bursts: int = 2000,
) -> Floats:
    """Return the finish times of simulated bursts, in target passes.

    T = N (1 + k c), with N the number of steps until n tokens are settled; the last is charged in full.

    a: acceptance rate. k: ``draft_length``, 0 to 2,000,000. c: ``draft_cost``, one draft pass in target
    passes, 0 or more. n: ``burst_length``, 1 to 100,000 tokens. seed: 0 to 2^32 - 1. bursts: at least 1, and
    at most 200 million / n. The result has shape (bursts,). Raises ValueError outside these ranges. Source:
    the post, section 07.

    >>> float(np.median(simulate(0.9, 10, 0.1, 40)))
    12.0
    """
    cost = steps.step_cost(checks.draft_length(draft_length), draft_cost)
    return step_counts(acceptance_rate, draft_length, burst_length, seed, bursts)[0] * cost


def step_counts(
    acceptance_rate: Rate, draft_length: int, burst_length: int, seed: int = 0, bursts: int = 2000
) -> tuple[Wholes, Wholes]:
    """Return the number of steps of each simulated burst, and how many of them settled exactly one token.

    Arguments and errors are those of ``simulate``. Both results have shape (bursts,). A step settles exactly
    one token where it accepts no guess, with chance 1 - a. Source: the post, section 06.

    >>> counts, one_token = step_counts(0.9, 10, 40)
    >>> round(float(one_token.sum() / counts.sum()), 2)
    0.1
    """
    draws, length = _draws(seed, bursts, burst_length), checks.burst_length(burst_length)
    enough = min(checks.draft_length(draft_length), length)  # more accepted guesses end the burst as well
    rates = steps.position_rates(acceptance_rate, enough)
    settled, counts, one_token = np.zeros((3, bursts), dtype=np.int32)
    for block in draws.blocks():
        for accepted in _guesses_accepted(block, rates):
            running = settled < length
            counts += running
            one_token += running & (accepted == 0)
            settled += accepted
            settled += 1
        if settled.min() >= length:
            break
    return counts, one_token


def trace(  # noqa: PLR0913, PLR0917 - the contract: a rate, two lengths, and which burst of which draws
    acceptance_rate: Rate,
    draft_length: int,
    burst_length: int,
    seed: int = 0,
    bursts: int = 2000,
    burst: int = 0,
) -> Wholes:
    """Return the guesses accepted at each step of one of the bursts that ``simulate`` draws.

    The last step is given as drawn: it may settle more tokens than the burst still needed.

    burst: which one, 0 to bursts - 1. Other arguments and errors are those of ``simulate``. The result has
    shape (steps,), and steps * (1 + k c) is that burst's finish time. Source: the post, section 07.

    >>> trace(0.9, 10, 40).tolist()
    [5, 1, 10, 9, 7, 2]
    """
    draws, left = _draws(seed, bursts, burst_length), checks.burst_length(burst_length)
    column = checks.whole("burst", burst, 0, bursts - 1)
    rates = steps.position_rates(acceptance_rate, draft_length)
    accepted: list[int] = []
    for guesses in (step for block in draws.blocks() for step in _guesses_accepted(block[:, column], rates)):
        accepted.append(int(guesses))
        left -= int(guesses) + 1
        if left <= 0:
            break
    return np.array(accepted)


def _draws(seed: int, bursts: int, burst_length: int) -> Draws:
    most = MOST_DRAWS // checks.burst_length(burst_length)
    return _kept_draws(checks.whole("seed", seed, 0, MOST_SEED), checks.whole("bursts", bursts, 1, most))


@lru_cache(maxsize=4)
def _kept_draws(seed: int, bursts: int) -> Draws:
    return Draws(seed, bursts)


def _guesses_accepted(draws: Floats, rates: Floats) -> NDArray[np.integer]:
    """Return, for each draw, how many of the never-rising rates lie above it."""
    above = rates[rates > draws.min()]
    if len(above) > FEW_RATES:
        return len(above) - np.searchsorted(above[::-1], draws, side="right")
    accepted = np.zeros(draws.shape, dtype=np.uint8)
    for rate in above:
        accepted += draws < rate
    return accepted
