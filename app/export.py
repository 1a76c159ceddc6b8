"""The labs as files: pages whose sliders work with no server and no network."""

import json
import re
from pathlib import Path
from types import ModuleType

from bokeh.document import Document
from bokeh.models import ImportedStyleSheet, Model, UIElement
from bokeh.util.paths import bokehjs_path

from app import page


def export(folder: Path) -> None:
    """Write the home page and each lab's page into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(page.home(suffix=".html"), encoding="utf-8")
    for lab in page.LABS:
        (folder / f"{page.name(lab)}.html").write_text(single(lab), encoding="utf-8")


def single(lab: ModuleType) -> str:
    """Return a lab's page with all that it needs inside."""
    return _render(lab, [{"text": text} for text in (*bokeh_scripts(), _script(lab))])


def bokeh_scripts() -> list[str]:
    """Return the two files of BokehJS that a page needs."""
    folder = Path(bokehjs_path()) / "js"
    return [(folder / name).read_text(encoding="utf-8") for name in ("bokeh.min.js", "bokeh-widgets.min.js")]


def _script(lab: ModuleType) -> str:
    """Return the scripts of a lab: the twin of its model and columns, the engine, and the served page's own."""
    name = page.name(lab)
    twin = ("numbers", "steps", "bursts", "finish_times", f"{name}_columns")
    return page.script(*twin, "labels", name, "engine", "page")


def _render(lab: ModuleType, scripts: list[dict[str, str]]) -> str:
    roots = _roots(lab)
    elements = {name: f"root-{name}" for name in roots}
    variables = page.variables(lab) | {
        "base": page.template("exported"),
        "document": _document(roots, elements),
        "roots": elements,
        "scripts": scripts,
    }
    return page.template(page.name(lab)).render(variables)


def _roots(lab: ModuleType) -> dict[str, Model]:
    """Return the models that the page embeds, by name: sliders and figures, as the served page has them."""
    state = lab.State()
    widgets: dict[str, Model] = {
        name: page.widget(parameter).get_root() for name, parameter in state.controls().items()
    }
    sources = page.sources(lab, state)
    for source in sources.values():  # the page's own engine fills them
        source.data = {column: [] for column in source.data}
    roots = widgets | lab.figures(sources)
    for name, root in roots.items():
        root.name = name
        for element in root.select({"type": UIElement}):  # Panel's own sheets lie on a server
            element.stylesheets = [s for s in element.stylesheets if not isinstance(s, ImportedStyleSheet)]
    return roots


def _document(roots: dict[str, Model], elements: dict[str, str]) -> str:
    """Return Bokeh's document and where its roots go, as JSON that is the same for the same lab."""
    document = Document()
    for root in roots.values():
        if root.document is not None:
            root.document.remove_root(root)
        document.add_root(root)
    items = {
        "docid": "lab",
        "roots": {root.id: elements[name] for name, root in roots.items()},
        "root_ids": [root.id for root in roots.values()],
    }
    text = json.dumps({"docs": {"lab": document.to_json(deferred=False)}, "items": [items]})
    return _renumbered(text, {model.id for model in document.models}).replace("</", "<\\/")


def _renumbered(text: str, ids: set[str]) -> str:
    """Return the text with models numbered as they appear: Bokeh's ids go on from export to export."""
    numbers = {
        bokeh: f'"m{i}"'
        for i, bokeh in enumerate(dict.fromkeys(re.findall(r'"(p\d+)"', text)))
        if bokeh in ids
    }
    return re.sub(r'"(p\d+)"', lambda found: numbers.get(found[1], found[0]), text)
