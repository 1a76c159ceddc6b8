"""The labs as files: pages whose sliders work with no server and no network.

`<lab>.html` has all that it needs inside. `shared/<lab>.html` is for a site with several labs, or one whose
policy lets no script stand in a page: its scripts lie in `shared/static/`, named by a digest of their text.
"""

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from types import ModuleType

from bokeh.document import Document
from bokeh.models import Model
from bokeh.util.paths import bokehjs_path

from app import page, parts, teacher
from labs import measured
from model.engines import formats

BOKEHJS = ("bokeh.min.js", "bokeh-widgets.min.js")


def export(folder: Path) -> None:
    """Write the home page, each lab's page in both variants, and the page on embedding into the folder."""
    shared = _shared_scripts()
    pages = {
        "index.html": page.home(suffix=".html"),
        "embed.html": page.embed(),
        "teacher.html": teacher.sheet(),
    }
    for lab in page.PAGES:
        name = f"{page.name(lab)}.html"
        pages[name] = single(lab, suffix=".html")
        pages[f"shared/{name}"] = _page(lab, [{"src": f"static/{script}"} for script in shared], ".html")
    pages |= {f"shared/static/{name}": text for name, text in shared.items()}
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


@cache
def single(lab: ModuleType, suffix: str) -> str:
    """Return a page with all that it needs inside; the suffix is what other pages' addresses end with."""
    return _page(lab, [{"text": text} for text in (*bokehjs().values(), _script(lab))], suffix)


def bokehjs() -> dict[str, str]:
    """Return the two files of BokehJS that a page needs, by name."""
    folder = Path(bokehjs_path()) / "js"
    return {name: (folder / name).read_text(encoding="utf-8") for name in BOKEHJS}


def _script(*labs: ModuleType) -> str:
    """Return the labs' scripts: the twin of model and columns, and what every page has."""
    twin = dict.fromkeys(f"twin/{part}" for lab in labs for part in lab.TWIN)
    own = [f"page/{part}" for part in ("recompute", *(["paste"] if measured in labs else []), "page")]
    table = [f"GuessAhead.engines = {{ formats: {json.dumps(formats.TABLE)} }};"] if measured in labs else []
    return "\n".join((page.script("page/numbers"), *table, page.script(*twin, *page.around(*labs), *own)))


def _shared_scripts() -> dict[str, str]:
    """Return the scripts of all labs, named by a digest of their text, so that they may be kept for ever."""
    scripts = bokehjs() | {"guess-ahead.js": _script(*page.PAGES)}
    return {f"{name.removesuffix('.js')}.{_digest(text)}.js": text for name, text in scripts.items()}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _page(lab: ModuleType, scripts: list[dict[str, str]], suffix: str) -> str:
    """Return a lab's page: the served page's template, over a base that brings Bokeh's document as data."""
    roots = _roots(lab)
    elements = {name: f"root-{name}" for name in roots}
    variables = page.variables(lab) | {
        "base": page.template("exported"),
        "document": _document(roots, elements),
        "roots": elements,
        "scripts": scripts,
        "suffix": suffix,
    }
    return page.template(page.name(lab)).render(variables)


def _roots(lab: ModuleType) -> dict[str, Model]:
    """Return the models that the page embeds, by name: sliders and figures, as the served page has them."""
    sources = parts.sources(lab, lab.State())
    for source in sources.values():  # the page's own engine fills them
        source.data = {column: [] for column in source.data}
    roots: dict[str, Model] = parts.figures(lab, sources) | parts.controls(lab.State)
    if module := page.below(lab):
        roots |= parts.controls(module.State) | {"opened": parts.opened(module)}
    return roots


def _document(roots: dict[str, Model], elements: dict[str, str]) -> str:
    """Return Bokeh's document and where its roots go, as JSON that is the same for the same lab."""
    document = Document()
    for root in roots.values():
        document.add_root(root)
    item = {
        "docid": "lab",
        "roots": {root.id: elements[name] for name, root in roots.items()},
        "root_ids": [root.id for root in roots.values()],
    }
    content = document.to_json(deferred=False)
    content["defs"] = []  # of Panel's own models, none of which a page has
    text = json.dumps({"docs": {"lab": content}, "items": [item]})
    return _renumbered(text).replace("</", "<\\/")


def _renumbered(text: str) -> str:
    """Return the text with models numbered as they appear: Bokeh's ids go on from export to export."""
    numbers = {name: f"m{i}" for i, name in enumerate(re.findall(r'"id": "(p\d+)"', text))}
    return re.sub(r'"(p\d+)"', lambda found: f'"{numbers.get(found[1], found[1])}"', text)
