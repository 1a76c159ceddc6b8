"""Seats: whoever comes when all live sessions are taken is told so, and finds the same lab elsewhere."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import Served, free_port, serving, started
from live import opened, run
from playwright.sync_api import Page, expect
from tornado.httpclient import AsyncHTTPClient, HTTPClientError

from app import seats, workshop

SEATS, KEPT = 4, 2
QUICK = """from app import server, workshop
workshop.serve(server.Place({port}, workshop.ANYWHERE), {seats}, wait={wait})"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give the product in workshop mode, with few seats."""
    with serving(tmp_path_factory.mktemp("seats"), "--workshop", f"--seats={SEATS}") as served:
        yield served


def from_outside(room: Served) -> str:
    host = workshop.hosts(workshop.ANYWHERE)[0]
    return f"http://{host}:{urlsplit(room.address).port}"


def test_when_all_seats_are_taken_a_page_says_so_and_leads_to_the_same_lab(page: Page, room: Served) -> None:
    async def take() -> None:
        async with AsyncExitStack() as sessions:
            for _ in range(SEATS - KEPT):
                await sessions.enter_async_context(opened(f"{from_outside(room)}/live/burst"))
            with pytest.raises(HTTPClientError) as error:
                await AsyncHTTPClient().fetch(f"{from_outside(room)}/live/flatten?a=0.5")
            assert (503, "15") == (error.value.code, error.value.response.headers["Retry-After"])
            body = error.value.response.body.decode()
            assert "All seats are taken" in body
            assert 'href="../shared/flatten.html?a=0.5"' in body
            for _ in range(KEPT):  # who presents still gets in
                await sessions.enter_async_context(opened(f"{room.address}/live/burst"))
            with pytest.raises(HTTPClientError):
                await AsyncHTTPClient().fetch(f"{room.address}/live/flatten")
            await AsyncHTTPClient().fetch(f"{room.address}/shared/flatten.html")

    run(take())
    page.goto(f"{room.address}/live/flatten?c=0.3&a=0.5")
    expect(page.get_by_role("heading", name="All seats are taken")).to_be_visible()
    page.get_by_role("link", name="Open the same lab").click()
    page.wait_for_url("**/shared/flatten.html?*a=0.5*")


@pytest.mark.parametrize("wait", [1, pytest.param(seats.WAIT, marks=pytest.mark.exhaustive)])
def test_a_seat_is_free_again_once_a_page_is_closed(tmp_path: Path, wait: int) -> None:
    port = free_port()

    async def come_and_go(address: str) -> None:
        for _ in range(SEATS + 1):
            for _ in range(200):
                try:
                    async with opened(f"{address}/live/flatten"):
                        break
                except HTTPClientError:
                    await asyncio.sleep(0.2)
            else:
                raise AssertionError("no seat became free")

    with started(tmp_path, port, "-c", QUICK.format(port=port, seats=SEATS, wait=wait)) as served:
        run(come_and_go(served.address))
