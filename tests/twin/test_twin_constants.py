"""Constants that Python and the scripts share: written once, in Python, and given to the scripts."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pages import ASSETS

from app import page
from model.engines import counts

SCRIPTS = sorted(ASSETS.rglob("*.js"))
WRITTEN = re.compile(r"^ *(?:const|let) \[?([A-Z][A-Z0-9_, ]*)\]? = [-\d\[{\"]", re.MULTILINE)
DATA = (int, float, str, list, frozenset, tuple)


def counterparts(path: Path) -> set[str]:
    """Return the Python modules that a script stands beside, says that it mirrors, or asks for constants."""
    place, text = path.relative_to(ASSETS).with_suffix("").as_posix(), path.read_text()
    beside = re.sub(r"^twin/|/index$", "", place).replace("page/views/tail", "labs/burst/tail")
    mirrored = re.findall(r"(?:twin of|mirrors) ((?:model|labs)/[\w/]+)\.py", text)
    names = {
        name.replace("page/views", "labs").replace("/__init__", "").replace("/", ".")
        for name in (beside, *mirrored)
    }
    return {name for name in names if name.startswith(("model.", "labs."))} | {
        module for _, module in page.CONSTANTS.findall(text)
    }


def constants(module: str) -> set[str]:
    """Return a module's constants, those among them that it has of another."""
    of = vars(import_module(module))
    return {name for name, value in of.items() if name.isupper() and is_data(value)}


def is_data(value: Any) -> bool:  # noqa: ANN401 - whatever a module holds
    """Return whether a value is one that JSON can hold, or a set."""
    return all(map(is_data, value.values())) if isinstance(value, dict) else isinstance(value, DATA)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ASSETS).as_posix())
def test_no_script_writes_a_constant_that_its_counterpart_in_python_has(path: Path) -> None:
    known = {name for module in counterparts(path) for name in constants(module)}
    written = {name for names in WRITTEN.findall(path.read_text()) for name in re.findall(r"\w+", names)}
    assert set() == written & known


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.relative_to(ASSETS).as_posix())
def test_every_constant_that_a_script_asks_of_python_is_given(path: Path) -> None:
    assert "python[" not in page.script(path.relative_to(ASSETS).with_suffix("").as_posix())


def test_a_script_is_given_pythons_value_to_the_last_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    given = "PERCENT_OFF = {};"
    assert given.format("0.0051") in page.script("twin/model/engines/counts")
    monkeypatch.setattr(counts, "PERCENT_OFF", 0.1 + 0.2)
    assert given.format("0.30000000000000004") in page.script("twin/model/engines/counts")
