"""Sections computed in pieces: how they are called, rest, stop, and what they keep."""

import inspect
from collections.abc import Callable, Iterator

import pytest
from test_tail_columns import DEFAULTS, TRAFFIC, sources

from labs import burst
from labs.burst import pieces, tail
from model import mixtures, tails

LONG = (
    (mixtures, "step_chances"),
    (mixtures, "rising_step_quantiles"),
    (tails, "sampled_chances"),
    (tails, "draft_length_chances"),
)


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    """Let each test compute all anew."""
    pieces._kept.clear()  # noqa: SLF001 - so that a test sees the work


def test_a_section_takes_the_burst_labs_numbers_and_then_the_sliders_of_its_own() -> None:
    own, of_the_lab = list(tail.State.controls()), list(burst.State.controls())
    assert ["run_length", "decay", "deviation", "pass_time"] == own
    assert pieces.Setting._fields == (*of_the_lab[:4], *own[:3], of_the_lab[-1])
    named = pieces.Setting(*DEFAULTS)._asdict()
    for name, section in tail.SECTIONS.items():
        assert section.__name__ == name
        assert inspect.isgenerator(section(**named))


def test_the_sliders_start_where_nothing_varies_and_no_pass_time_is_given() -> None:
    assert {"run_length": 600, "decay": 1.0, "deviation": 0.0, "pass_time": 0} == tail.State.defaults()
    state = tail.State()
    state.take(run_length=10**9, decay=0.8449, deviation=0.1501, pass_time=-3)
    assert [10_000, 84 / 100, 15 / 100, 0] == list(state.arguments().values())
    assert (burst.State.param.burst_length.bounds[1], burst.LONGEST_DRAFT, burst.BURSTS) == (
        tail.LONGEST_BURST,
        tail.LONGEST_DRAFT,
        tail.SAMPLE,
    )


@pytest.mark.parametrize("name", tail.SECTIONS)
def test_a_section_can_be_left_midway_and_begun_again(name: str) -> None:
    setting = (0.63, 5, 0.1, 150, 600, 0.95, 0.16)
    whole = sources(name, *setting)
    pieces._kept.clear()  # noqa: SLF001 - as above
    left = tail.SECTIONS[name](*setting)
    assert [None, None] == [next(left), next(left)]
    left.close()  # type: ignore[attr-defined] - a generator
    assert whole == sources(name, *setting)


@pytest.mark.parametrize("name", tail.SECTIONS)
def test_no_piece_takes_more_than_ten_steps(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    done = 0

    def counted(work: Callable[..., Iterator[object]]) -> Callable[..., Iterator[object]]:
        def stepwise(*given: object) -> Iterator[object]:
            nonlocal done
            for item in work(*given):
                done += 1
                yield item

        return stepwise

    for module, work in LONG:
        monkeypatch.setattr(module, work, counted(getattr(module, work)))
    for _ in tail.SECTIONS[name](0.3, 32, 0.1, 400, 600, 1.0, 0.16):
        assert done <= 3 * 10  # one piece of each
        done = 0


def test_draft_cost_and_the_length_of_a_run_leave_what_takes_long_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in tail.SECTIONS:
        sources(name, *TRAFFIC)
    for module, work in LONG:
        monkeypatch.setattr(module, work, None)
    for name in ("lengths", "run", "varying", "sample"):
        sources(name, *TRAFFIC[:2], 0.3, 40, 7, *TRAFFIC[5:])


def test_no_more_is_kept_than_a_lab_needs() -> None:
    for a in range(80):
        sources("run", a / 100, 2, 0.1, 5, 3, 1.0, 0.0)
    assert 64 == len(pieces._kept)  # noqa: SLF001 - as above
