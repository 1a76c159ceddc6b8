"""Bursts: against a loop that a reader would write, against the exact distribution, and kept draws."""

import math
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count, islice, pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from model.bursts import Draws, simulate, step_counts, trace
from model.checks import Rate
from model.finish_times import distribution
from model.steps import position_rates, step_cost

SETTINGS = [
    (0.9, 10, 40),
    (0.5, 4, 33),
    (0.0, 32, 20),
    (1.0, 32, 400),
    (0.9, 0, 7),
    (0.9, 10, 1),
    (0.95, 200, 100),  # more rates than are compared one by one
    ([0.95, 0.9, 0.8, 0.4], 6, 50),
    ([1.0, 0.0], 3, 9),
]


def plain_trace(a: Rate, k: int, n: int, draws: NDArray[np.float64]) -> list[int]:
    """Return one burst's accepted guesses, by the words of the contract."""
    rates, accepted = position_rates(a, k).tolist(), []
    while sum(accepted) + len(accepted) < n:
        draw = draws[len(accepted)]
        accepted.append(sum(draw < rate for rate in rates))
    return accepted


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
@pytest.mark.parametrize("seed", [0, 7, 2**32 - 1])
def test_bursts_follow_the_draws_step_by_step(a: Rate, k: int, n: int, seed: int) -> None:
    stream, bursts = np.random.RandomState(seed), 5
    draws = np.array([stream.random_sample(bursts) for _ in range(n)])
    traces = [plain_trace(a, k, n, draws[:, burst]) for burst in range(bursts)]
    counts, one_token = step_counts(a, k, n, seed, bursts)
    assert traces == [trace(a, k, n, seed, bursts, burst).tolist() for burst in range(bursts)]
    assert counts.tolist() == [len(accepted) for accepted in traces]
    assert one_token.tolist() == [accepted.count(0) for accepted in traces]
    assert simulate(a, k, 0.3, n, seed, bursts).tolist() == [len(steps) * (1 + k * 0.3) for steps in traces]


@pytest.mark.parametrize(("a", "k", "n"), SETTINGS)
def test_a_trace_adds_up_to_the_finish_time_of_its_burst(a: Rate, k: int, n: int) -> None:
    times = simulate(a, k, 0.1, n)
    for burst in (0, 1, 1234, 1999):
        accepted = trace(a, k, n, burst=burst)
        settled = np.cumsum(accepted + 1)
        assert times[burst] == len(accepted) * step_cost(k, 0.1)
        assert settled[-1] >= n > settled[-1] - accepted[-1] - 1
        assert accepted.max() <= k


def test_a_longer_burst_extends_the_same_run() -> None:
    short, long = trace(0.9, 10, 40, burst=3), trace(0.9, 10, 400, burst=3)
    assert short.tolist() == long[: len(short)].tolist()


def test_a_better_draft_never_slows_a_burst_down() -> None:
    times = [simulate(i / 20, 10, 0.1, 40) for i in range(21)]
    assert all((slower >= faster).all() for slower, faster in pairwise(times))


def test_finish_times_lie_between_full_acceptance_and_none() -> None:
    n, k = 40, 10
    assert simulate(0, k, 0.1, n).tolist() == [n * 2.0] * 2000
    assert simulate(1, k, 0.1, n).tolist() == [math.ceil(n / (k + 1)) * 2.0] * 2000


def test_plain_decoding_takes_one_pass_per_token() -> None:
    assert simulate(0.9, 0, 0.1, 40).tolist() == [40.0] * 2000


@pytest.mark.parametrize(("a", "k", "n"), [(0.9, 10, 40), (0.6, 5, 100), ([0.95, 0.9, 0.8, 0.4], 6, 50)])
def test_simulated_finish_times_follow_the_exact_distribution(a: Rate, k: int, n: int) -> None:
    bursts = 200_000
    drawn, (times, chances) = simulate(a, k, 0.1, n, seed=1, bursts=bursts), distribution(a, k, 0.1, n)
    mean = (times * chances).sum()
    deviation = math.sqrt(((times - mean) ** 2 * chances).sum())
    assert np.isin(drawn, times).all()
    for finish_time, chance in zip(times, chances, strict=True):
        # A count is binomial: 5 standard errors, and 10 bursts where fewer than that are expected.
        tolerance = 5 * math.sqrt(chance * (1 - chance) / bursts) + 10 / bursts
        assert (drawn == finish_time).mean() == pytest.approx(chance, abs=tolerance)
    assert drawn.mean() == pytest.approx(mean, abs=5 * deviation / math.sqrt(bursts))  # 5 standard errors


def test_one_step_in_ten_settles_a_single_token_at_a_of_nine_tenths() -> None:
    counts, one_token = step_counts(0.9, 10, 400, seed=3)
    steps = counts.sum()
    standard_error = math.sqrt(0.1 * 0.9 / steps)
    assert one_token.sum() / steps == pytest.approx(0.1, abs=5 * standard_error)


def test_draws_are_those_of_numpy_step_by_step() -> None:
    stream = np.random.RandomState(42)
    rows = np.concatenate(list(islice(Draws(42, 3).blocks(), 2)))
    assert rows.tolist() == [stream.random_sample(3).tolist() for _ in rows]


class SlowStream:
    """A stream of numbered blocks; the first takes longest, so that a second thread would overtake."""

    def __init__(self, _: int) -> None:
        """Start at block 0, whatever the seed."""
        self.drawn = count()

    def random_sample(self, shape: tuple[int, int]) -> NDArray[np.float64]:
        """Return the next block, filled with its number."""
        number = next(self.drawn)
        time.sleep(0.01 / (1 + number))
        return np.full(shape, number)


def block_numbers(draws: Draws, blocks: int) -> list[int]:
    return [int(block[0, 0]) for block in islice(draws.blocks(), blocks)]


def test_blocks_are_drawn_once_and_no_further_than_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = SlowStream(0)
    monkeypatch.setattr(np.random, "RandomState", lambda _: stream)
    draws = Draws(0, 1)
    assert block_numbers(draws, 3) == block_numbers(draws, 3) == [0, 1, 2]
    assert next(stream.drawn) == 3


def test_threads_that_share_draws_see_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.random, "RandomState", SlowStream)
    draws = Draws(0, 1)
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: block_numbers(draws, 8), range(8)))
    assert seen == [list(range(8))] * 8


def test_a_slider_move_draws_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    before = simulate(0.9, 10, 0.1, 40, seed=99)

    def refuse(*_: object) -> None:
        raise AssertionError("drawn again")

    monkeypatch.setattr(np.random, "RandomState", refuse)
    simulate(0.8, 6, 0.2, 20, seed=99)
    assert (simulate(0.9, 10, 0.1, 40, seed=99) == before).all()


def test_draws_of_four_hundred_steps_take_six_megabytes() -> None:
    draws = Draws(0, 2000)
    assert sum(block.nbytes for block in islice(draws.blocks(), 400 // 16)) == 6_400_000


def test_a_draw_as_high_as_the_rate_is_a_rejection() -> None:
    draw = float(np.random.RandomState(0).random_sample(1)[0])
    for guesses in (1, 100):  # compared one by one, and by binary search
        assert trace([draw, 1.0], guesses, 1, bursts=1).tolist() == [0]
        assert trace([math.nextafter(draw, 1), 1.0], guesses, 1, bursts=1).tolist() == [guesses]
