"""Try this: every sentence's figures, and buttons that lead where they say, in both ways of running."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from kept import Lead
from pages import DEFAULTS, LABS, plain, shown

from labs import burst, flatten, peaks
from labs.trials import Trial
from model.steps import break_even_utilisation, ceiling, speedup, tokens_per_step


def readout(lab: str, **values: Any) -> dict[str, Any]:  # noqa: ANN401 - a lab's state
    columns = LABS[lab].columns(**DEFAULTS[lab] | values)
    return {name: value for name, [value] in columns["readout"].items()}


def lengths(**values: float) -> list[str]:
    best = peaks.columns(**DEFAULTS["peaks"] | values)["peaks"]["best_draft_length"]
    return [str(k) for k in best]


def at_half() -> list[str]:
    few, many = (tokens_per_step(0.5, k) for k in (4, 32))
    return ["4", shown(few), shown(ceiling(0.5)), str(32 - 4), shown(many - few)]


def at_95() -> list[str]:
    assert tokens_per_step(0.95, 32) > tokens_per_step(0.95, 20) + 3
    return ["20", shown(ceiling(0.95)), str(readout("flatten", acceptance_rate=0.95)["best_draft_length"])]


def at_the_best() -> list[str]:
    now = readout("flatten")
    return [
        str(now["best_draft_length"]),
        shown(now["tokens_per_step"]),
        shown(now["ceiling"]),
        "95",
        str(now["draft_length_95"]),
        shown(now["speedup_95"]),
        shown(now["speedup"]),
    ]


def sunk() -> list[str]:
    assert flatten.columns(0.8, 0.85)["curve"]["speedup"].max() < 1
    return ["80", "100", "0.85"]


def just_paying() -> list[str]:
    now = readout("flatten", acceptance_rate=0.11)
    return ["11", "100", "0.10", str(now["best_draft_length"]), shown(now["speedup"])]


def published() -> list[str]:
    return [
        "2",
        "3",
        "0.70",
        "0.85",
        *(shown(readout("flatten", acceptance_rate=a)["speedup"]) for a in (0.85, 0.7)),
        "0.70",
    ]


def quantiles(n: int) -> list[str]:
    now = readout("burst", burst_length=n)
    return [shown(now["p99_over_p50"]), shown(now["p99"], 1), shown(now["p50"], 1)]


def unlucky() -> list[str]:
    now = readout("burst", drawn="unlucky, at p99")
    assert now["burst_time"] == now["p99"]
    return [shown(now["p99"], 1), shown(now["p99_over_p50"])]


def one_token() -> list[str]:
    now = readout("burst")
    assert round(1 - now["acceptance_rate"], 9) == 1 / 10 == round(now["one_token_share"], 2)
    return ["10", str(now["draft_length"])]


def loaded() -> list[str]:
    assert ["0", "0", "0", "0", "0", "1"] == lengths(utilisation=0.9)  # a tie at 0.90: no gain, no loss
    return ["0.95", shown(break_even_utilisation(0.95, 0.1), 3)]


def on_a_busy_server() -> list[str]:
    kept, single = (speedup(0.8, k, 0.1, 0.5) for k in (8, 1))
    return ["8", "0.80", shown(kept), shown(single)]


def ten_times() -> list[str]:
    now = readout("peaks", draft_cost=0.01)
    return [shown(now["top_speedup"]), "0.95", str(now["top_draft_length"]), "0.01", "10"]


def peaks_now() -> list[str]:
    assert sum(3 <= int(k) <= 8 for k in lengths()) == 3
    assert "20" not in lengths()
    return [*lengths(), "3", "8", "20"]


def soaring() -> list[str]:
    now = readout("peaks", draft_cost=0.02)
    return ["0.95", shown(now["top_speedup"]), str(now["top_draft_length"])]


FIGURES: dict[str, Callable[[], list[str]]] = {
    "a down to 0.5": at_half,
    "a up to 0.95": at_95,
    "short of the ceiling": at_the_best,
    "c above a": sunk,
    "c just below a": just_paying,
    "published 2 to 3×": published,
    "the typical burst": lambda: [
        shown(readout("burst", drawn="typical, at p50")["burst_time"], 1),
        "40",
        shown(readout("burst")["speedup_p50"]),
    ],
    "one in a hundred": unlucky,
    "n up to 100": lambda: ["99", quantiles(100)[0], "50", *quantiles(100)[1:]],
    "n up to 400": lambda: [
        "99",
        quantiles(400)[0],
        "50",
        shown(readout("burst", burst_length=400)["speedup_p50"]),
    ],
    "n down to 10": lambda: ["99", quantiles(10)[0], "50", *quantiles(10)[1:]],
    "a lucky sample": lambda: [
        shown(readout("burst", burst_length=200)[name], 1) for name in ("p50", "exact_p50")
    ],
    "one-token steps": one_token,
    "c at 0.10": peaks_now,
    "c up to 0.50": lambda: ["0.85", shown(speedup(0.85, 2, 0.5)), "0.50"],
    "c down to 0.02": soaring,
    "k = 8 on a busy server": on_a_busy_server,
    "ten times and more": ten_times,
    "under heavy load": loaded,
}
FREE = {"flatten": ["0.8", "5.00"], "peaks": ["0.50", shown(ceiling(0.5)), "0.95", shown(ceiling(0.95))]}
TRIALS = [(name, trial) for name, lab in LABS.items() for trial in lab.TRIALS]


@pytest.mark.parametrize(("name", "trial"), TRIALS, ids=lambda value: getattr(value, "label", value))
def test_a_sentences_figures_are_the_models(name: str, trial: Trial) -> None:
    figures = FREE[name] if trial.label == "a free draft" else FIGURES[trial.label]()
    in_words = trial.look.replace("p99", "p 99").replace("p50", "p 50")
    assert figures == re.findall(r"\d+(?:\.\d+)?", in_words)


@pytest.mark.parametrize("way", ["served", "exported"])
@pytest.mark.parametrize("name", LABS)
def test_a_button_leads_where_it_says(lead: Lead, name: str, way: str) -> None:
    lab = lead(name, way)
    lab.page.emulate_media(reduced_motion="reduce")
    for trial in [*LABS[name].TRIALS, Trial("reset", {}, "")]:
        lab.page.get_by_role("button", name=trial.label, exact=True).click()
        expected = plain(LABS[name].columns(**DEFAULTS[name] | trial.values))
        lab.settle(**{key: value for key, [value] in expected["readout"].items()})
        assert expected == lab.columns()
        assert (trial.look and f"{trial.label}: {trial.look}") == lab.page.locator(".look").inner_text()


WATCH = """(name) => {
  const model = Bokeh.documents[0].get_model_by_name(name);
  const seen = [];
  window.seen = seen; // those who watched before go on with their own
  model.properties.value.change.connect(() => seen.push(model.value));
}"""


def test_sliders_glide_there_and_a_hand_stops_them(lead: Lead) -> None:
    lab = lead("flatten")
    lab.page.evaluate(WATCH, "acceptance_rate")
    lab.page.get_by_role("button", name="a down to 0.5").click()
    lab.settle(acceptance_rate=0.5)
    seen = lab.page.evaluate("seen")
    assert sorted(seen, reverse=True) == seen
    assert len(seen) > 3
    lab.page.get_by_role("button", name="a up to 0.95").evaluate(
        """(button) => {
          button.click();
          document.querySelector(".control").dispatchEvent(new Event("pointerdown"));
        }"""
    )
    lab.page.wait_for_timeout(600)
    assert lab.value("acceptance_rate") < 0.95
    assert lab.page.locator(".look").is_hidden()


def test_a_key_elsewhere_lets_a_glide_arrive(lead: Lead) -> None:
    lab = lead("flatten")
    lab.page.get_by_role("button", name="a down to 0.5").focus()
    lab.page.keyboard.press("Enter")
    lab.page.keyboard.press("Tab")
    lab.settle(acceptance_rate=0.5)
    assert lab.page.locator(".look").is_visible()


def test_a_sentence_is_gone_once_a_slider_has_moved_on(lead: Lead) -> None:
    lab = lead("flatten")
    lab.page.emulate_media(reduced_motion="reduce")
    lab.page.get_by_role("button", name="a down to 0.5").click()
    assert lab.page.locator(".look").is_visible()
    lab.press("acceptance_rate", "ArrowLeft")
    assert lab.page.locator(".look").is_hidden()


def test_who_wants_no_motion_gets_none(lead: Lead) -> None:
    lab = lead("flatten")
    lab.page.emulate_media(reduced_motion="reduce")
    lab.page.evaluate(WATCH, "acceptance_rate")
    lab.page.get_by_role("button", name="a down to 0.5").click()
    assert [0.5] == lab.page.evaluate("seen")
    assert plain(flatten.columns(0.5, 0.1)) == lab.columns()


def test_a_trial_sets_the_burst_drawn(lead: Lead) -> None:
    lab = lead("burst")
    lab.page.get_by_role("button", name="one in a hundred").click()
    expected = plain(burst.columns(**DEFAULTS["burst"] | {"drawn": "unlucky, at p99"}))
    lab.settle(burst=expected["readout"]["burst"][0])
    assert expected == lab.columns()
