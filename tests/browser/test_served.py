"""The served pages in a real browser: figures, controls, addresses, layout."""

from types import ModuleType
from typing import Any

import pytest
from kept import Lead
from pages import DEFAULTS, LABS, LAYOUT, LabPage, plain, shown

from labs import burst, flatten


def test_flatten_shows_the_posts_figures_at_its_defaults(lead: Lead) -> None:
    lab = lead("flatten", "served")
    expected = {
        "ceiling": "5.00",
        "best_draft_length": "6",
        "speedup": "2.47",
        "tokens_per_step": "3.95",
        "ceiling_share": "79",
        "draft_length_95": "13",
        "speedup_95": "2.08",
        "pays": "yes",
    }
    assert expected == {name: lab.output(name) for name in expected}
    assert "best k = 6: 2.47×, 3.95 tokens per step" in lab.labels("speedup")
    assert "ceiling 1/(1−a) = 5.00" in lab.labels("tokens")


def test_burst_shows_the_posts_figures_at_its_defaults(lead: Lead) -> None:
    lab = lead("burst", "served")
    expected = {"p50": "12.0", "p99": "20.0", "p99_over_p50": "1.67", "speedup_p50": "3.33"}
    assert expected == {name: lab.output(name) for name in expected}
    assert ["p50 12.0", "p99 20.0", "plain decoding 40"] == lab.labels("histogram")


def test_at_200_tokens_the_lucky_sample_stands_beside_the_exact_median(lead: Lead) -> None:
    lab = lead("burst", "served", "n=200").settle(burst_length=200)
    assert ("58.0", "60.0") == (lab.output("p50"), lab.output("exact_p50"))


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("acceptance_rate", "ArrowRight", 0.81),
        ("acceptance_rate", "ArrowLeft", 0.79),
        ("acceptance_rate", "Home", 0.0),
        ("acceptance_rate", "End", 0.99),
        ("draft_cost", "Home", 0.0),
        ("draft_cost", "End", 1.0),
    ],
)
def test_flatten_recomputes_from_the_model_at_each_key(lead: Lead, name: str, key: str, value: float) -> None:
    lab = lead("flatten", "served")
    lab.press(name, key)
    lab.settle(**{name: value})
    assert plain(flatten.columns(**DEFAULTS["flatten"] | {name: value})) == lab.columns()


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("acceptance_rate", "Home", 0.0),
        ("acceptance_rate", "End", 1.0),
        ("draft_length", "Home", 1),
        ("draft_length", "End", 32),
        ("draft_cost", "Home", 0.0),
        ("draft_cost", "End", 1.0),
        ("burst_length", "Home", 1),
        ("burst_length", "End", 400),
    ],
)
def test_burst_recomputes_from_the_model_at_each_key(lead: Lead, name: str, key: str, value: float) -> None:
    lab = lead("burst", "served")
    lab.press(name, key)
    lab.settle(**{name: value})
    assert plain(burst.columns(**DEFAULTS["burst"] | {name: value})) == lab.columns()


@pytest.mark.parametrize(
    ("module", "name", "share"), [(flatten, "acceptance_rate", 0.31), (burst, "burst_length", 0.93)]
)
def test_a_fast_drag_never_leaves_the_page_behind_the_slider(
    lead: Lead, module: ModuleType, name: str, share: float
) -> None:
    lab = lead(module.__name__.removeprefix("labs."), "served")
    lab.drag(name, to=1.0, moves=60)
    lab.drag(name, to=share, moves=60)
    state = module.State()
    state.take(**{name: lab.value(name)})
    assert state.arguments()[name] != DEFAULTS[module.__name__.removeprefix("labs.")][name]
    lab.settle(**{name: state.arguments()[name]})
    assert plain(module.columns(**state.arguments())) == lab.columns()


def test_all_numbers_are_shown_rounded_half_up(lead: Lead) -> None:
    for a in (0.0, 0.5, 0.62, 0.95):
        lab = lead("flatten", "served", f"a={a}&c=0.13").settle(acceptance_rate=a, draft_cost=0.13)
        readout = flatten.columns(a, 0.13)["readout"]
        for name, digits in {"ceiling": 2, "speedup": 2, "tokens_per_step": 2, "speedup_95": 2}.items():
            assert shown(readout[name][0], digits) == lab.output(name)
        assert shown(readout["ceiling_share"][0] * 100, 0) == lab.output("ceiling_share")


def test_where_nothing_pays_the_page_says_why(lead: Lead) -> None:
    lab = lead("flatten", "served", "a=0.1&c=0.5").settle(acceptance_rate=0.1, draft_cost=0.5)
    assert "a 0.10 ≤ c 0.50" in lab.summary()
    assert "no draft length" in lab.summary()
    assert ("no", "0") == (lab.output("pays"), lab.output("best_draft_length"))


def test_a_best_draft_length_beyond_the_plot_is_named(lead: Lead) -> None:
    lab = lead("flatten", "served", "a=0.99&c=0.01").settle(acceptance_rate=0.99, draft_cost=0.01)
    assert "best k = 113 → 32.02×, 68.20 tokens per step" in lab.labels("speedup")
    assert "beyond the plot" in lab.summary()


def test_a_free_draft_has_no_best_length(lead: Lead) -> None:
    lab = lead("flatten", "served", "c=0").settle(draft_cost=0)
    assert ("∞", "5.00") == (lab.output("best_draft_length"), lab.output("speedup"))


def test_another_seed_is_drawn_and_the_first_comes_back(lead: Lead) -> None:
    lab = lead("burst", "served")
    first = lab.columns()
    lab.page.get_by_role("button", name="draw again").click()
    lab.settle(seed=1)
    assert plain(burst.columns(**DEFAULTS["burst"] | {"seed": 1})) == lab.columns()
    lab.page.get_by_role("button", name="back to seed 0").click()
    lab.settle(seed=0)
    assert first == lab.columns()


@pytest.mark.parametrize(("choice", "quantile"), [("typical, at p50", 0.5), ("unlucky, at p99", 0.99)])
def test_the_burst_drawn_can_be_chosen(lead: Lead, choice: str, quantile: float) -> None:
    lab = lead("burst", "served")
    lab.page.get_by_label(choice).check()
    expected = plain(burst.columns(**DEFAULTS["burst"] | {"drawn": choice}))
    lab.settle(burst=expected["readout"]["burst"][0])
    assert expected == lab.columns()
    assert lab.output("p50" if quantile == 0.5 else "p99") == shown(expected["readout"]["burst_time"][0], 1)


def test_typing_a_number_moves_its_slider(lead: Lead) -> None:
    lab = lead("burst", "served")
    field = lab.page.get_by_role("spinbutton", name="burst length n")
    field.fill("123")
    field.press("Enter")
    lab.settle(burst_length=123)
    assert lab.value("burst_length") == 123
    field.fill("")
    field.press("Enter")
    assert field.input_value() == "123"
    assert "not a number" in lab.page.get_by_role("alert").inner_text()


def test_a_slider_says_its_name_and_exact_value(lead: Lead) -> None:
    lab = lead("flatten", "served")
    lab.press("acceptance_rate", "ArrowLeft", "ArrowLeft", "ArrowLeft")
    lab.settle(acceptance_rate=0.77)
    handle = lab.page.get_by_role("slider", name="acceptance rate a (α)")
    said = {name: handle.get_attribute(f"aria-value{name}") for name in ("min", "max", "now", "text")}
    assert said == {"min": "0", "max": "0.99", "now": "0.77", "text": "0.77"}


def test_the_address_presets_the_sliders_and_follows_them(lab: LabPage, server: str) -> None:
    lab.open(f"{server}/burst?a=0.75&k=4&c=0.05&n=100&seed=7")
    expected = {
        "acceptance_rate": 0.75,
        "draft_length": 4,
        "draft_cost": 0.05,
        "burst_length": 100,
        "seed": 7,
    }
    lab.settle(**expected)
    assert expected == {name: lab.value(name) for name in expected}
    lab.press("draft_length", "ArrowRight")
    lab.page.wait_for_url("**/burst?a=0.75&k=5&c=0.05&n=100&seed=7*")


@pytest.mark.parametrize(
    ("query", "value", "says"),
    [
        ("a=7", 0.99, "outside"),
        ("a=-1", 0.0, "outside"),
        ("a=nan", 0.8, "not a number"),
        ("a=inf", 0.8, "not a number"),
        ("a=", 0.8, "not a number"),
        ("a=%C2%B2", 0.8, "not a number"),
        ("a=0x1", 0.8, "not a number"),
        ("a=True", 0.8, "not a number"),
        ("a=1e999", 0.8, "not a number"),
        ("a=<script>alert(1)</script>", 0.8, "not a number"),
        (f"a={'9' * 5000}", 0.8, "not a number"),
        ("a=0.123456", 0.12, ""),
    ],
)
def test_a_bad_preset_gets_a_line_and_a_right_picture(
    lead: Lead, query: str, value: float, says: str
) -> None:
    lab = lead("flatten", "served", query).settle(acceptance_rate=value)
    assert plain(flatten.columns(value, 0.1)) == lab.columns()
    notice = lab.page.locator(".notice")
    assert says in notice.inner_text()
    assert notice.is_visible() is bool(says)


@pytest.mark.parametrize(
    "state",
    [
        {"burst_length": 1},
        {"burst_length": 3, "draft_length": 32},
        {"acceptance_rate": 0.0},
        {"acceptance_rate": 1.0},
        {"draft_cost": 0.0},
        {"acceptance_rate": 0.1, "draft_cost": 0.9},
    ],
)
def test_the_edges_of_the_burst_lab_give_a_right_picture(lead: Lead, state: dict[str, Any]) -> None:
    keys = {"acceptance_rate": "a", "draft_length": "k", "draft_cost": "c", "burst_length": "n"}
    query = "&".join(f"{keys[name]}={value}" for name, value in state.items())
    lab = lead("burst", "served", query).settle(**state)
    assert plain(burst.columns(**DEFAULTS["burst"] | state)) == lab.columns()
    assert "NaN" not in lab.page.inner_text("main")


@pytest.mark.parametrize(
    ("name", "width"), [(name, width) for name in ("flatten", "burst", "peaks") for width in (1280, 390)]
)
def test_no_move_of_a_slider_shifts_the_layout(lab: LabPage, server: str, name: str, width: int) -> None:
    lab.page.set_viewport_size({"width": width, "height": 800})
    lab.open(f"{server}/{name}")
    still = lab.page.evaluate(LAYOUT)
    for slider in {"acceptance_rate", "draft_cost"} & set(DEFAULTS[name]):
        for key, value in (
            ("Home", 0),
            ("End", lab.page.evaluate("(n) => Bokeh.documents[0].get_model_by_name(n).end", slider)),
        ):
            lab.press(slider, key)
            lab.settle(**{slider: value})
            assert still == lab.page.evaluate(LAYOUT)
    assert lab.page.evaluate("document.documentElement.scrollWidth") == width


def test_sliders_and_plots_share_a_laptop_screen(lead: Lead) -> None:
    for name in DEFAULTS:
        lab = lead(name, "served").resize(1280, 800)
        plots = lab.page.locator("main > .figures .why").all()
        assert max(below.bounding_box()["y"] for below in plots) <= 800


def test_the_home_page_links_the_labs(lab: LabPage, server: str) -> None:
    for name, module in LABS.items():
        lab.page.goto(server)
        lab.page.get_by_role("link", name=module.TITLE).click()
        lab.page.wait_for_url(f"{server}/{name}")
