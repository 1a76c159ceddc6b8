"""What pages are sent with: policies that they pass, and nobody's frame around what is not to be framed."""

from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from conftest import Served, serving
from kept import Lead
from pages import LABS, LabPage
from playwright.sync_api import Page

from app import security

FILES = ["", "embed.html", "teacher", *(f"{way}{name}.html" for name in LABS for way in ("", "shared/"))]
OTHERS = ["", "live/", "embed.html", "teacher", "no-such-page"]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Give the product in workshop mode."""
    with serving(tmp_path_factory.mktemp("security"), "--workshop") as served:
        yield served


def headers(address: str) -> dict[str, str]:
    try:
        with urlopen(address, timeout=20) as answer:  # noqa: S310 - a server started here
            return dict(answer.headers)
    except HTTPError as error:
        with error:
            return dict(error.headers)


def rules(address: str) -> dict[str, list[str]]:
    """Return the content-security policy of a page: what it allows, by kind."""
    policy = headers(address)["Content-Security-Policy"]
    return {kind: allowed for kind, *allowed in (rule.split() for rule in policy.split(";"))}


@pytest.mark.parametrize("path", [*FILES, *(f"live/{name}" for name in LABS), "live/", "no-such-page"])
def test_every_answer_says_what_it_may_load_and_who_it_came_from(room: Served, path: str) -> None:
    sent = headers(f"{room.address}/{path}")
    assert ("nosniff", "no-referrer") == (sent["X-Content-Type-Options"], sent["Referrer-Policy"])
    assert "Server" not in sent
    allowed = rules(f"{room.address}/{path}")
    assert ["'none'"] == allowed["default-src"]
    assert not {"'unsafe-inline'", "'unsafe-eval'", "*", "data:", "blob:"} & set(allowed["script-src"])


@pytest.mark.parametrize("path", [*FILES, *(f"live/{name}" for name in LABS), "live/"])
def test_every_page_passes_its_own_policy(lab: LabPage, room: Served, path: str) -> None:
    if path.removesuffix(".html").rpartition("/")[2] in LABS:
        lab.open(f"{room.address}/{path}").press("draft_cost", "ArrowRight")
        lab.page.get_by_role("button", name="CSV").first.wait_for()
        with lab.page.expect_download():
            lab.page.locator("[data-take=png]").first.click()
    else:
        lab._origin = room.address  # noqa: SLF001 - what it may ask
        lab.page.goto(f"{room.address}/{path}")
        lab.page.wait_for_load_state("networkidle")


def test_a_served_lab_passes_its_policy_too(lead: Lead, server: str) -> None:
    assert "'unsafe-inline'" not in rules(f"{server}/flatten")["script-src"]
    lab = lead("flatten", "served")
    lab.press("draft_cost", "ArrowRight")
    lab.settle(draft_cost=0.11)


def test_a_script_that_somebody_slips_in_does_not_run(page: Page, room: Served) -> None:
    page.goto(f"{room.address}/shared/flatten.html")
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.slipped = 1\">')"
    )
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), { text: 'slipped = 1' }))"
    )
    page.wait_for_timeout(300)
    assert page.evaluate("window.slipped") is None


@pytest.mark.parametrize("name", LABS)
def test_a_lab_may_be_framed_anywhere(room: Served, name: str) -> None:
    for path in (f"{name}.html", f"shared/{name}.html", f"live/{name}"):
        assert "frame-ancestors" not in rules(f"{room.address}/{path}")


@pytest.mark.parametrize("path", OTHERS)
def test_no_other_page_may_be_framed(room: Served, path: str) -> None:
    assert ["'none'"] == rules(f"{room.address}/{path}")["frame-ancestors"]


def test_only_scripts_that_run_count_and_each_by_its_digest() -> None:
    html = '<script src="a.js"></script><script type="application/json">{}</script><script>alert(1)</script>'
    digest = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"
    assert f"script-src 'self' {digest}; frame" in security.policy(html, framed=False)
    assert security.policy("<p>", framed=True).endswith("script-src 'none'")
