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


def in_turn(*pages: tuple[str, SimpleNamespace], happened: list[str]) -> list[str]:
    """Return what happens once these pages wait for their turn, and where the loop reads on in between."""

    async def all_wait() -> None:
        for name, document in pages:
            turns.wait(document, lambda name=name: happened.append(name))
        for _ in range(40):
            await asyncio.sleep(turns.READING / 4)
            happened.append("|")

    run(all_wait())
    return [names for names in "".join(happened).split("|") if names]


def test_no_two_sessions_update_before_messages_are_read() -> None:
    happened: list[str] = []
    pages = [(name, page_of(happened)) for name in "abc"]
    assert ["a", "b", "c"] == in_turn(*pages, happened=happened)


def test_a_page_closed_while_it_waits_holds_nobody_up() -> None:
    happened: list[str] = []
    pages = [(name, page_of(happened, closed=name in "ac")) for name in "abcd"]
    assert ["b", "d"] == in_turn(*pages, happened=happened)


def test_who_asks_after_all_had_their_turn_is_served_again() -> None:
    happened: list[str] = []
    for name in "ab":
        assert [name] == in_turn((name, page_of(happened)), happened=happened)
        happened.clear()


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
