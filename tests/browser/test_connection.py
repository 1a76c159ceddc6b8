"""Bad wifi: a page that is cut off says so, and comes back as it was."""

from pathlib import Path

import pytest
from conftest import serving
from pages import LabPage, until
from playwright.sync_api import Browser, Page, Route, expect

LATE = ".loading"


def hurry(page: Page) -> None:
    """Let the page's animations run twenty times as fast, of which its five seconds of patience are one."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": 20})


def test_a_live_lab_that_loses_its_server_says_so_and_comes_back_as_it_was(
    browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page()
    with serving(tmp_path) as served:
        lab = LabPage(page).open(f"{served.address}/flatten?a=0.6")
        lab.settle(acceptance_rate=0.6)
        lab.press("draft_cost", "ArrowRight", "ArrowRight")
        lab.settle(draft_cost=0.12)
    expect(page.get_by_role("alert").filter(has_text="connection to the server was lost")).to_be_visible()
    lab.press("acceptance_rate", "ArrowRight")  # moved while nobody answers
    port = int(served.address.rpartition(":")[2])
    with serving(tmp_path, port=port):
        expect(page.locator(".banner[role=alert]")).to_have_count(0, timeout=20_000)
        until(page, "document.documentElement.dataset.ready !== undefined")
        lab.settle(acceptance_rate=0.61, draft_cost=0.12)
        assert (0.61, 0.12) == (lab.value("acceptance_rate"), lab.value("draft_cost"))
        page.close()


@pytest.mark.parametrize("how", ["failed", "hanging"])
@pytest.mark.parametrize("way", ["served", "shared"])
def test_a_page_whose_scripts_do_not_come_says_how_to_try_again(
    browser: Browser, server: str, folder: Path, way: str, how: str
) -> None:
    page = browser.new_page()
    hurry(page)
    asked: list[Route] = []
    back = False

    def cut(route: Route) -> None:
        asked.append(route)
        if back:
            route.continue_()
        elif how == "failed":
            route.abort()

    page.route("**/*.js*", cut)
    address = f"{server}/flatten" if way == "served" else (folder / "shared/flatten.html").as_uri()
    page.goto(address, wait_until="commit")
    expect(page.get_by_role("heading", name="Watch it flatten")).to_be_visible()
    expect(page.locator(LATE)).to_be_visible(timeout=10_000)
    assert asked
    back = True  # what hangs goes on hanging: let through, it would load the page before the click
    page.get_by_role("link", name="try again").click(no_wait_after=True)
    expect(page.locator("html")).to_have_attribute("data-ready", "")
    expect(page.locator(LATE)).to_be_hidden()
    page.context.close()


def test_a_page_that_is_cut_in_the_middle_says_so(page: Page, folder: Path, tmp_path: Path) -> None:
    text = (folder / "flatten.html").read_bytes()
    (tmp_path / "cut.html").write_bytes(text[: len(text) // 2])
    page.goto((tmp_path / "cut.html").as_uri(), wait_until="commit")
    expect(page.locator(LATE)).to_be_visible(timeout=10_000)


def test_a_page_that_loads_in_time_never_speaks_of_it(lab: LabPage, folder: Path) -> None:
    lab.open((folder / "flatten.html").as_uri())
    assert lab.page.locator(LATE).is_hidden()
