"""Updates of live labs: one for all moves that wait, and one session after the other."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from bokeh.document import Document
from live import run

from app import turns
from app.served import Alive
from labs import burst, flatten


def page_of(happened: list[str], *, closed: bool = False) -> SimpleNamespace:
    """Return what stands in for a visitor's document: a callback that it is given runs in the next round."""
    return SimpleNamespace(
        session_context=None if closed else happened,
        add_next_tick_callback=lambda act: asyncio.get_running_loop().call_soon(act),
    )


@pytest.fixture(autouse=True)
def _idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin on a server where nobody has moved anything lately."""
    monkeypatch.setattr(turns, "_last", (0, 0.0))


async def rounds(happened: list[str], count: int = 40) -> None:
    """Let the loop run, and note where each of its rounds ends."""
    for _ in range(count):
        await asyncio.sleep(0)
        happened.append("|")


def by_round(happened: list[str]) -> list[str]:
    """Return what happened in each round in which anything did."""
    return [names for names in "".join(happened).split("|") if names]


def in_turn(*pages: tuple[str, SimpleNamespace], happened: list[str]) -> list[str]:
    """Return what happens, round by round, once these pages wait for their turn."""

    async def all_wait() -> None:
        for name, document in pages:
            turns.wait(document, lambda name=name: happened.append(name))
        await rounds(happened)

    run(all_wait())
    return by_round(happened)


def test_no_two_sessions_update_before_messages_are_read() -> None:
    happened: list[str] = []
    pages = [(name, page_of(happened)) for name in "abc"]
    assert ["a", "b", "c"] == in_turn(*pages, happened=happened)


def test_a_page_closed_while_it_waits_holds_nobody_up() -> None:
    happened: list[str] = []
    pages = [(name, page_of(happened, closed=name in "ac")) for name in "abcd"]
    assert ["b", "d"] == in_turn(*pages, happened=happened)


def test_one_session_never_waits_and_another_reads_on_first() -> None:
    happened: list[str] = []
    one, other = page_of(happened), page_of(happened)

    async def both() -> None:
        for name in "ab":
            turns.wait(one, lambda name=name: happened.append(name))
            await rounds(happened)
        turns.wait(other, lambda: happened.append("c"))
        await rounds(happened)
        assert ["a", "b"] == by_round(happened)
        await asyncio.sleep(2 * turns.READING)

    run(both())
    assert ["a", "b", "c"] == by_round(happened)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """Give the updates that wait for their turn."""
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(turns, "wait", lambda _, update: waiting.append(update))
    return waiting


def test_moves_that_wait_are_one_update_to_the_last_position(asked: list[Callable[[], None]]) -> None:
    lab = Alive(flatten, Document())
    for cost in (0.2, 0.3, 0.4):
        lab.controls["draft_cost"].value = cost
    [update] = asked
    update()
    assert [0.4] == lab.sources["readout"].data["draft_cost"]


def test_a_move_after_an_update_is_a_new_one(asked: list[Callable[[], None]]) -> None:
    lab = Alive(flatten, Document())
    for cost in (0.2, 0.3):
        lab.controls["draft_cost"].value = cost
        asked.pop()()
        assert [cost] == lab.sources["readout"].data["draft_cost"]


def test_while_nothing_is_open_below_a_move_asks_for_nothing_there(asked: list[Callable[[], None]]) -> None:
    document = Document()
    lab = Alive(burst, document)
    lab.controls["draft_cost"].value = 0.2
    asked.pop()()
    assert [] == document.session_callbacks
