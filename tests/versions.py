"""Whatever pyproject.toml allows has to work: the lowest of the runtime packages, and the newest.

`versions.py lowest` makes an environment of its own on the oldest Python at hand, `versions.py newest` on the
newest. Each compares its export with today's, and runs the tests of the model and of a few pages there. All
but the runtime packages is pinned as ever.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RUNTIME = {line.name: line for line in map(Requirement, PROJECT["dependencies"])}
TESTS = (
    *("README.md", "model", "tests/model", "tests/engines", "tests/labs", "tests/app/test_insides.py"),
    "tests/browser/test_served.py::test_flatten_shows_the_posts_figures_at_its_defaults",
    "tests/browser/test_export.py::test_sliders_are_alive_from_the_disk",
)
VERSION = "import platform; print(platform.python_version().rstrip('+'))"  # + on one built from its sources
# Where Bokeh's version stands in a page.
DOCUMENT = rb'(\{"docs": \{"lab": \{"version": )"[^"]*"'


def said(*command: object) -> str:
    """Run a command that has to succeed, and return what it says."""
    done = subprocess.run([*map(str, command)], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def pythons() -> list[Path]:
    """Return the Pythons that are allowed, of this one, the path's and pyenv's, the oldest first."""
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    folders = [*map(Path, os.get_exec_path()), *pyenv.glob("versions/*/bin")]
    files = [file for folder in folders for file in folder.glob("python3.*") if file.name[8:].isdigit()]
    found = {}
    for python in (*files, Path(sys.executable)):
        probe = [python, "-c", f"import ensurepip; {VERSION}"]  # a Python may lack what makes environments
        version = subprocess.run(probe, capture_output=True, text=True, check=False).stdout.strip()
        if version and version in SpecifierSet(PROJECT["requires-python"], prereleases=False):
            found[Version(version)] = python
    return [found[version] for version in sorted(found)]


def lowest(requirement: Requirement) -> str:
    """Return what to install for the lowest version that a requirement allows."""
    [version] = [bound.version for bound in requirement.specifier if bound.operator == ">="]
    return f"{requirement.name}=={version}"


def environment(which: str) -> Path:
    """Return the Python of a new environment with the lowest or the newest of the runtime packages."""
    place = ROOT / ".venv" / which
    said(pythons()[0 if which == "lowest" else -1], "-m", "venv", "--clear", place)
    python, constraints = place / "bin/python", place / "constraints.txt"
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    others = [pin for pin in pins if pin.partition("==")[0] not in RUNTIME]
    constraints.write_text("\n".join(others), encoding="utf-8")
    wanted = map(lowest if which == "lowest" else str, RUNTIME.values())
    said(
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--constraint",
        constraints,
        *wanted,
        "--editable",
        ".[dev]",
    )
    frozen = said(python, "-m", "pip", "freeze").splitlines()
    installed = [package for package in frozen if package.partition("==")[0] in RUNTIME]
    print(f"{which}: Python {said(python, '-c', VERSION)}", *installed, flush=True)
    return python


def exported(python: Path) -> dict[str, bytes]:
    """Return the files of an export, with BokehJS's texts, their digests and Bokeh's version left out."""
    with TemporaryDirectory() as folder:
        said(python, "-m", "app", "export", folder)
        files = {str(path.relative_to(folder)): path.read_bytes() for path in Path(folder).rglob("*.*")}
    for path, text in [found for found in files.items() if "/bokeh" in found[0]]:
        name = Path(path).name
        plain = re.sub(r"\.\w{12}\.js$", ".js", name)
        files = {
            other.replace(name, plain): content.replace(text, b"").replace(name.encode(), plain.encode())
            for other, content in files.items()
        }
    return {path: re.sub(DOCUMENT, rb"\1", text) for path, text in files.items()}


def main(which: str) -> None:
    """Make the environment, compare its export with that of the Python at work, and run tests there."""
    python = environment(which)
    today, there = exported(Path(sys.executable)), exported(python)
    if differing := sorted(path for path in today | there if today.get(path) != there.get(path)):
        sys.exit(f"{which}: other bytes than today's in {', '.join(differing)}")
    print(f"{which}: {len(there)} exported files are today's, byte for byte, but for BokehJS", flush=True)
    sys.exit(subprocess.run([python, "-m", "pytest", *TESTS], cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main(sys.argv[1])
