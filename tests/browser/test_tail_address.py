"""The address and the sections that open on demand: opened by it, named in it, and back and forward."""

from pathlib import Path

import pytest
from kept import Lead
from pages import DEFAULTS, LabPage, until


@pytest.mark.parametrize(
    ("query", "opened", "says"),
    [
        ("open=run.run.sample", "run.sample", ""),
        ("open=bogus.run", "run", "open: names what is no section of this page."),
        ("open=", "", "open: names what is no section of this page."),
        ("open=run&open=sample", "", "open: given more than once, so it is the default."),
        ("run=0", "run", "bursts in a run N: 0 lies outside 1 to 10000, taken as 1."),
        ("d=nan", "", "decay per position d: not a number, so it is 1.00."),
    ],
)
def test_an_address_opens_sections_and_says_what_it_does_not_mean(
    lead: Lead, query: str, opened: str, says: str
) -> None:
    lab = lead("burst", query=query)
    open_now = lab.page.locator("[data-section][open]").evaluate_all(
        "(all) => all.map((e) => e.dataset.section)"
    )
    assert opened == ".".join(open_now)
    assert says == lab.page.locator(".notice span").inner_text()


@pytest.mark.parametrize(
    ("name", "section", "slider"),
    [
        ("burst", "[data-section=seconds]", "pass_time"),
        ("peaks", ".idle", "utilisation"),
        ("burst", "[data-section=run]", "run_length"),
    ],
)
def test_back_and_forward_lead_through_sections_and_return(
    lab: LabPage, folder: Path, name: str, section: str, slider: str
) -> None:
    lab.open((folder / f"{name}.html").as_uri())
    seen = [lab.page.url]

    def settled() -> None:
        until(lab.page, "(before) => location.href !== before", seen[-1])
        seen.append(lab.page.url)

    lab.press(next(iter(DEFAULTS[name])), "ArrowLeft")
    settled()
    lab.page.locator(f"{section} > summary").click()
    settled()
    lab.press(slider, "ArrowRight")
    settled()
    back, forward = (
        [(way, url) for url in urls] for way, urls in (("back", seen[-2::-1]), ("forward", seen[1:]))
    )
    for way, url in [*back, *forward]:
        lab.page.evaluate("(way) => history[way]()", way)
        lab.page.wait_for_timeout(600)  # longer than the address waits for a slider to rest
        assert url == lab.page.url
