"""The exported pages in a real browser: from the disk, in frames, under a strict policy, with no network."""

import gzip
import random
import re
from collections.abc import Iterator
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar
from urllib.parse import quote

import pytest
import stills
from pages import LAYOUT, READY, LabPage, plain
from playwright.sync_api import Browser, Page, Route

from app import page as parts
from app.export import export
from labs import burst, flatten

LABS = {"flatten": flatten, "burst": burst}
DEFAULTS = {name: lab.State().arguments() for name, lab in LABS.items()}
VARIANTS = [f"{folder}{name}.html" for folder in ("", "shared/") for name in LABS]
PLOT = {"flatten": "speedup", "burst": "histogram"}
OWN_WEIGHT = 25_000  # bytes above BokehJS, gzipped
FRAME = (
    '<link rel="icon" href="data:,">'
    '<iframe class="guess-ahead" title="lab" style="width:100%;height:300px" {attributes}></iframe>'
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the exported labs."""
    made = tmp_path_factory.mktemp("exported")
    export(made)
    return made


class Site(ThreadingHTTPServer):
    """A plain file server with a content-security policy, which remembers what it was asked for."""

    policy = ""
    asked: ClassVar[list[str]] = []

    class Handler(SimpleHTTPRequestHandler):
        """Sends files."""

        def end_headers(self) -> None:
            """Add the policy."""
            self.send_header("Content-Security-Policy", self.server.policy)
            super().end_headers()

        def log_message(self, _: str, *arguments: object) -> None:
            """Remember the request."""
            self.server.asked.append(str(arguments[0]))

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://localhost:{self.server_port}"


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    """Give the exported labs behind a server of plain files."""
    server = Site(("localhost", 0), partial(Site.Handler, directory=folder))
    server.asked.clear()
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def lab(page: Page) -> Iterator[LabPage]:
    """Give a page that must not complain, nor ask anything of a server."""
    lab_page = LabPage(page, "file:")
    yield lab_page
    assert lab_page.complaints == []


def assert_alive(lab: LabPage, path: str) -> None:
    """Drive real keys and a drag: a dead page looks alive to a script that sets values."""
    name, columns = Path(path).stem, LABS[Path(path).stem].columns
    for key, value in (("ArrowLeft", DEFAULTS[name]["acceptance_rate"] - 0.01), ("Home", 0.0)):
        lab.press("acceptance_rate", key)
        lab.settle(acceptance_rate=round(value, 2))
        assert plain(columns(**DEFAULTS[name] | {"acceptance_rate": round(value, 2)})) == lab.columns()
    lab.drag("draft_cost", to=0.6)
    state = LABS[name].State()
    state.take(acceptance_rate=0.0, draft_cost=lab.value("draft_cost"))
    assert state.draft_cost > 0.5
    assert plain(columns(**state.arguments())) == lab.columns()


@pytest.mark.parametrize("path", VARIANTS)
def test_sliders_are_alive_from_the_disk(lab: LabPage, folder: Path, path: str) -> None:
    lab.open((folder / path).as_uri())
    assert_alive(lab, path)


@pytest.mark.parametrize("sandbox", ["", 'sandbox="allow-scripts"'])
@pytest.mark.parametrize("name", LABS)
def test_sliders_are_alive_in_a_frame_from_the_disk(
    lab: LabPage, folder: Path, name: str, sandbox: str
) -> None:
    host = folder / "host.html"
    host.write_text(FRAME.format(attributes=f'{sandbox} src="{name}.html"'))
    lab.open_framed(host.as_uri())
    assert_alive(lab, name)


@pytest.mark.parametrize("name", LABS)
def test_sliders_with_shared_scripts_are_alive_in_a_sandboxed_frame(
    page: Page, folder: Path, site: Site, name: str
) -> None:
    (folder / "host.html").write_text(
        FRAME.format(attributes=f'sandbox="allow-scripts" src="shared/{name}.html"')
    )
    lab = LabPage(page, site.address).open_framed(f"{site.address}/host.html")
    assert_alive(lab, name)
    assert lab.complaints == []


@pytest.mark.parametrize("name", LABS)
def test_sliders_are_alive_in_a_frame_whose_text_the_post_holds(page: Page, folder: Path, name: str) -> None:
    host = folder / "host.html"
    host.write_text(FRAME.format(attributes=f'srcdoc="{escape((folder / f"{name}.html").read_text())}"'))
    assert_alive(LabPage(page, "file:").open_framed(host.as_uri()), name)


@pytest.mark.parametrize(
    ("path", "policy"),
    [(path, "script-src 'self'" if "shared" in path else "script-src 'unsafe-inline'") for path in VARIANTS],
)
def test_sliders_are_alive_under_a_strict_policy(
    page: Page, folder: Path, site: Site, path: str, policy: str
) -> None:
    site.policy = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; {policy}"
    lab = LabPage(page, site.address).open(f"{site.address}/{path}")
    assert_alive(lab, path)
    assert lab.complaints == []
    scripts = re.findall(r'src="(static/[^"]+)"', (folder / path).read_text())
    assert len(scripts) == (3 if path.startswith("shared") else 0)
    assert len(site.asked) == 1 + len(scripts)


@pytest.mark.parametrize("network", ["refused", "hanging"])
@pytest.mark.parametrize("name", LABS)
def test_no_network_is_needed(page: Page, folder: Path, name: str, network: str) -> None:
    asked = []

    def answer(route: Route) -> None:
        if route.request.url.startswith("file:"):
            route.continue_()
            return
        asked.append(route.request.url)
        if network == "refused":
            route.abort()

    page.route("**/*", answer)
    assert_alive(LabPage(page, "file:").open((folder / f"{name}.html").as_uri()), f"{name}.html")
    assert asked == []


@pytest.mark.parametrize("name", LABS)
def test_a_page_names_no_other_address(folder: Path, name: str) -> None:
    text = re.sub(
        r"<script.*?</script>", "<script></script>", (folder / f"{name}.html").read_text(), flags=re.DOTALL
    )
    assert set(re.findall(r'<link[^>]*href="([^"]*)"', text)) == {"data:,"}
    assert re.findall(r'[^-]src="|@import|url\((?!#)', text) == []


@pytest.mark.parametrize("name", LABS)
def test_a_page_weighs_little_besidebokehjs(folder: Path, name: str) -> None:
    bokehjs = sum(
        len(gzip.compress(path.read_bytes(), 9)) for path in (folder / "shared/static").glob("bokeh*")
    )
    own = len(gzip.compress((folder / f"{name}.html").read_bytes(), 9)) - bokehjs
    second = len(gzip.compress((folder / f"shared/{name}.html").read_bytes(), 9))
    assert 0 < own <= OWN_WEIGHT
    assert second <= OWN_WEIGHT


def test_the_same_version_exports_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    export(tmp_path)
    files = [path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 9
    for path in files:
        assert (tmp_path / path).read_bytes() == (folder / path).read_bytes()


@pytest.mark.parametrize("name", LABS)
def test_without_scripts_the_plots_stand_as_pictures(browser: Browser, folder: Path, name: str) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto((folder / f"{name}.html").as_uri())
    assert page.locator("figure svg:visible").count() == 2
    assert page.locator("noscript p").is_visible()
    page.context.close()


def test_no_still_is_stale(browser: Browser, folder: Path) -> None:
    def numbers(svg: str) -> tuple[list[str], list[float]]:
        parts = re.split(r"((?<=[ \"(,])-?\d+(?:\.\d+)?(?=[ \"),]))", svg)
        return parts[::2], [float(number) for number in parts[1::2]]

    for name, svg in stills.draw(browser, folder).items():
        drawn, kept = numbers(svg), numbers(parts.asset(name))
        assert drawn[0] == kept[0], f"{name} is stale: make stills"
        assert kept[1] == pytest.approx(
            drawn[1], abs=8
        )  # pixels: fonts differ in width from machine to machine


def test_the_height_follows_a_lab_and_nobody_else(page: Page, folder: Path) -> None:
    host = folder / "post.html"
    host.write_text(
        FRAME.format(attributes='src="flatten.html"')
        + FRAME.format(attributes='src="about:blank"')
        + parts.asset("listener.html")
    )
    page.set_viewport_size({"width": 1000, "height": 800})
    page.goto(host.as_uri())
    first, second = page.locator("iframe").all()
    page.wait_for_function("document.querySelector('iframe').style.height !== '300px'")
    inside = page.frames[1].evaluate("document.querySelector('main').getBoundingClientRect().height")
    assert first.evaluate("frame => parseFloat(frame.style.height)") == pytest.approx(inside, abs=1)
    assert second.evaluate("frame => frame.style.height") == "300px"
    for height in ("1e9", "-5", "NaN", "'300px; color: red'", "null", "{}"):
        page.frames[1].evaluate(f"parent.postMessage({{type: 'guess-ahead:height', height: {height}}}, '*')")
    page.evaluate("postMessage({type: 'guess-ahead:height', height: 500}, '*')")
    page.wait_for_timeout(100)
    assert first.evaluate("frame => parseFloat(frame.style.height)") == pytest.approx(inside, abs=1)
    page.set_viewport_size({"width": 500, "height": 800})
    page.wait_for_function(f"parseFloat(document.querySelector('iframe').style.height) > {inside} + 100")
    page.set_viewport_size({"width": 1000, "height": 800})
    page.wait_for_function(
        f"Math.abs(parseFloat(document.querySelector('iframe').style.height) - {inside}) <= 1"
    )


@pytest.mark.parametrize("name", LABS)
def test_a_resized_page_stays_right(lab: LabPage, folder: Path, name: str) -> None:
    lab.page.set_viewport_size({"width": 1400, "height": 800})
    lab.open((folder / f"{name}.html").as_uri())
    wide = lab.labels(PLOT[name])
    for width in (1000, 700, 320):
        lab.page.set_viewport_size({"width": width, "height": 800})
        lab.page.wait_for_timeout(100)
        assert lab.page.evaluate("document.documentElement.scrollWidth") == width
    lab.page.set_viewport_size({"width": 1400, "height": 800})
    lab.page.wait_for_timeout(300)
    assert wide == lab.labels(PLOT[name])
    assert plain(LABS[name].columns(**DEFAULTS[name])) == lab.columns()


def test_the_home_page_leads_to_every_lab_from_the_disk(page: Page, folder: Path) -> None:
    for name, lab in LABS.items():
        page.goto((folder / "index.html").as_uri())
        page.get_by_role("link", name=lab.TITLE).click()
        page.wait_for_url(f"**/{name}.html")


def hostile_strings() -> list[str]:
    """Return 10,000 strings that are no number, and no two alike."""
    pieces = [
        "",
        " ",
        "\t",
        "\0",
        "%00",
        "²",
        "٣",
        "é",
        "e5",
        "0x",
        "NaN",
        "Infinity",
        "-",
        "+",
        ".",
        ",",
        "1",
        "9" * 40,
    ]
    pieces += [
        "<script>",
        "javascript:",
        "__proto__",
        "constructor",
        "${1}",
        "'",
        '"',
        "\\",
        "\u202e",
        "\ufeff",
        "😀",
    ]
    odd = random.Random(0)  # noqa: S311 - any strings will do, the same each time
    number = re.compile(r"[+-]?([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})")
    strings: dict[str, None] = {}
    while len(strings) < 10_000:
        text = "".join(odd.choices(pieces, k=odd.randint(0, 12)))
        if not number.fullmatch(text):
            strings[text] = None
    return list(strings)


def test_no_hostile_string_is_taken_for_a_number(lab: LabPage, folder: Path) -> None:
    lab.open((folder / "burst.html").as_uri())
    taken = lab.page.evaluate(
        "(texts) => texts.filter((x) => GuessAhead.parsed(x) !== null)", hostile_strings()
    )
    assert taken == []


@pytest.mark.parametrize("text", hostile_strings()[::500])
def test_a_hostile_address_gets_a_line_and_the_default(lab: LabPage, folder: Path, text: str) -> None:
    lab.open(f"{(folder / 'flatten.html').as_uri()}?a={quote(text)}&c={quote(text)}&theme={quote(text)}")
    assert plain(flatten.columns(**DEFAULTS["flatten"])) == lab.columns()
    assert "not a number" in lab.page.get_by_role("alert").inner_text()


def test_two_versions_side_by_side_do_not_meet(page: Page, folder: Path) -> None:
    other = folder / "other.html"
    other.write_text(
        (folder / "flatten.html").read_text().replace("break-even: guessing", "break even: guessing")
    )
    host = folder / "host.html"
    host.write_text(
        "".join(FRAME.format(attributes=f'src="{name}"') for name in ("flatten.html", "other.html"))
    )
    page.goto(host.as_uri())
    texts = []
    for frame in page.frames[1:]:
        lab = LabPage(page, "file:")
        lab.frame = frame
        frame.wait_for_function(READY)
        assert_alive(lab, "flatten.html")
        texts += [text for text in lab.labels("speedup") if text.startswith("break")]
    assert len(set(texts)) == 2


@pytest.mark.parametrize("query", ["", "a=0.5&c=0.2", "a=0.99&c=0.01", "a=0.1&c=0.5", "c=0"])
@pytest.mark.parametrize("name", LABS)
def test_served_and_exported_pages_are_the_same(
    browser: Browser, server: str, folder: Path, name: str, query: str
) -> None:
    seen = []
    for address in (f"{server}/{name}", (folder / f"{name}.html").as_uri()):
        lab = LabPage(browser.new_page(viewport={"width": 1280, "height": 800}), address)
        lab.open(f"{address}?{query}")
        values = dict(pair.split("=") for pair in query.split("&") if pair)
        keys = {"a": "acceptance_rate", "c": "draft_cost"}
        lab.settle(**{keys[key]: float(value) for key, value in values.items()})
        lab.page.wait_for_timeout(300)
        seen.append((lab.sources(), lab.page.inner_text("main"), lab.page.evaluate(LAYOUT)))
        lab.page.close()
    served, exported = seen
    assert served == exported
