"""The page of one's own numbers: pasted, read in the browser, said in words; served and exported alike."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from kept import Lead
from pages import LabPage, plain, until
from playwright.sync_api import Page, expect

from labs import measured
from model.engines.reading import measure

LINE = (
    "SpecDecoding metrics: Mean acceptance length: 2.46, Accepted: 3187 tokens, Drafted: 6567 tokens, "
    "Per-position acceptance rate: 0.703, 0.450, 0.303, Avg Draft acceptance rate: 48.5%"
)
WAYS = pytest.mark.parametrize("way", ["served", "exported"])


def taken(lab: LabPage, text: str) -> bool:
    """Paste a text as from a clipboard; return whether the page puts it into the box itself."""
    return lab.page.locator("#paste").evaluate(
        """(box, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
          return !box.dispatchEvent(event);
        }""",
        text,
    )


def paste(lab: LabPage, text: str) -> None:
    """Put a text in place of what the box holds, as from a clipboard."""
    if not taken(lab, text):
        lab.page.locator("#paste").fill(text)


@WAYS
def test_the_page_begins_with_an_example_and_reads_what_is_pasted(
    lab: LabPage, request: pytest.FixtureRequest, way: str
) -> None:
    lab.open(lab.address(request, "measured", way))
    first = next(iter(measured.EXAMPLES.values()))
    assert plain_columns(first) == lab.columns()
    paste(lab, LINE)
    assert plain_columns(LINE) == lab.columns()
    lab.press("draft_cost", "ArrowRight")
    assert plain_columns(LINE, per_guess=0.11) == lab.columns()


def plain_columns(
    text: str, fixed: float = 1.0, per_guess: float = 0.1
) -> dict[str, dict[str, list[object]]]:
    """Return a paste's columns as they arrive in the browser."""
    columns = plain(measured.columns(measure(text), fixed, per_guess))
    word = lambda x: "NaN" if isinstance(x, float) and x != x else x  # noqa: E731, PLR0124 - NaN alone is not itself
    return {
        source: {name: [word(x) for x in column] for name, column in data.items()}
        for source, data in columns.items()
    }


@pytest.mark.parametrize("example", measured.EXAMPLES)
def test_each_example_is_read_and_advised_on(lead: Lead, example: str) -> None:
    lab = lead("measured")
    lab.page.get_by_role("button", name=example, exact=True).click()
    title = measure(measured.EXAMPLES[example])["title"]
    expect(lab.page.locator("#recognised")).to_contain_text(f"Read as {title}.")
    assert lab.summary().startswith(("Keep k =", "Shorten k from", "Lengthen k from"))


def test_the_printed_rate_is_not_taken_for_alpha(lead: Lead) -> None:
    lab = lead("measured")
    assert ("4.50", "0.811", "43.7") == tuple(
        lab.output(name) for name in ("tokens_per_step", "alpha", "strict_rate")
    )


def test_a_paste_takes_an_examples_place(lead: Lead) -> None:
    lab = lead("measured")
    assert taken(lab, LINE)
    assert LINE == lab.page.locator("#paste").input_value()
    assert plain_columns(LINE) == lab.columns()
    assert not taken(lab, LINE)  # from then on as in any field


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        (measured.EXAMPLES["llama.cpp server"], "--spec-draft-n-max 3 (--draft-max before May 2026)"),
        (LINE, "--speculative-config '{\"num_speculative_tokens\": 3, …}'"),
    ],
)
def test_the_engines_own_setting_is_the_one_of_its_present_version(
    lead: Lead, text: str, setting: str
) -> None:
    lab = lead("measured")
    paste(lab, text)
    assert f"Your engine’s setting: {setting}" == lab.page.inner_text("p:has(#setting)").strip()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "draft acceptance = 0.57576 (171 accepted / 297 generated)",
            "one draft length k, known and the",
        ),
        ("k = 40, acceptance length = 3.5", "The other labs end at k = 32"),
    ],
)
def test_what_is_missing_for_advice_or_a_link_is_said(lead: Lead, text: str, says: str) -> None:
    lab = lead("measured")
    paste(lab, text)
    assert says in lab.page.inner_text("main")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>",
        "\x00\x01\x02\ufffd" * 500,
        "Drafted: nan, Accepted: -3 tokens, Mean acceptance length: inf",
        LINE[: len(LINE) // 3],
        "| a | b |\n|---|---|\n" * 200,
    ],
)
def test_what_cannot_be_read_gets_a_sentence_and_is_never_run(lead: Lead, text: str) -> None:
    lab = lead("measured")
    paste(lab, text)
    assert lab.page.locator("#recognised").inner_text() != ""
    assert lab.page.title() == "Your own server's numbers · Guess Ahead"
    assert lab.page.locator(".paste img, .paste script").count() == 0
    assert "undefined" not in lab.page.inner_text("main")
    assert "NaN" not in lab.page.inner_text("main")


def test_megabytes_of_log_are_read_and_the_box_keeps_their_beginning(lead: Lead) -> None:
    lab = lead("measured")
    paste(lab, f"{LINE}\r\n" * 20_000)
    drafts = measure(LINE)["drafts"] or 0
    shown = lab.page.locator("output[name=drafts]")
    expect(shown).to_have_text(f"{int(20_000 * drafts):,}")
    box = lab.page.locator("#paste")
    assert len(box.input_value()) < 21_000
    box.press("Control+Home")
    lab.page.keyboard.insert_text(f"{LINE}\n")  # the rest still counts
    expect(shown).to_have_text(f"{int(20_001 * drafts):,}")


def test_a_log_file_can_be_opened(lead: Lead, tmp_path: Path) -> None:
    (tmp_path / "server.log").write_text(LINE)
    lab = lead("measured")
    lab.page.locator("#file").set_input_files(tmp_path / "server.log")
    expect(lab.page.locator("output[name=tokens_per_step]")).to_have_text("2.46")


@WAYS
def test_the_other_labs_open_with_these_numbers(
    lab: LabPage, request: pytest.FixtureRequest, way: str
) -> None:
    lab.open(lab.address(request, "measured", way)).page.get_by_role("link", name="One burst").click()
    until(lab.frame, "document.documentElement.dataset.ready !== undefined")
    assert (0.81, 8, 0.1) == tuple(
        lab.value(name) for name in ("acceptance_rate", "draft_length", "draft_cost")
    )
    rates = measured.measured_rates(measure(measured.EXAMPLES["vLLM log"]))
    carried = [float(rate) for rate in str(lab.value("position_rates")).split("_")]
    assert [round(rate, 4) for rate in rates] == carried


@pytest.mark.parametrize(
    ("text", "carried"),
    [
        (measured.EXAMPLES["llama.cpp server"], "&q=0.7879_0.7051_0.6909"),
        ("0.99999, 0.99999, 0.00001", "&q=0.9999_1_0.0001"),
        (", ".join(f"{0.95**j:.6f}" for j in range(1, 33)), "&q=" + "_".join(["0.95"] * 32)),
        (measured.EXAMPLES["numbers"], ""),
        (measured.EXAMPLES["SGLang"], ""),
    ],
)
def test_links_carry_rates_by_position_where_they_are_known(lead: Lead, text: str, carried: str) -> None:
    lab = lead("measured")
    paste(lab, text)
    for link in lab.page.locator("#links a").all():
        _, _, actual = (link.get_attribute("href") or "").partition("c=0.10")
        assert carried == actual


def test_nothing_that_is_pasted_leaves_the_page(lab: LabPage, server: str) -> None:
    lab.open(f"{server}/measured")
    asked: list[str] = []
    lab.page.on("request", lambda request: asked.append(request.url))
    lab.page.on("websocket", lambda socket: asked.append(socket.url))
    paste(lab, LINE)
    lab.press("draft_cost", "ArrowRight")
    lab.page.wait_for_timeout(500)
    assert [] == asked
    assert "Accepted" not in lab.page.url


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_what_was_pasted(page: Page, folder: Path, theme: str) -> None:
    lab = LabPage(page).open((folder / "measured.html").as_uri())
    page.emulate_media(color_scheme=theme)  # type: ignore[arg-type] - one of these
    page.get_by_text("work out the cost").click()
    assert [] == [found["id"] for found in Axe().run(page).response["violations"]]
    small = page.locator(":is(button, summary, input, select, textarea):visible").evaluate_all(
        "(all) => all.filter((e) => e.getBoundingClientRect().height < 24).map((e) => e.outerHTML)"
    )
    assert [] == small
    assert lab.complaints == []
