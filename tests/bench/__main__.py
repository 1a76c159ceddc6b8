"""The speed of the model and of the pages, as ratios taken in one run (one section: ARGS=model)."""

import argparse
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the live sessions are the tests'

import bench_columns
import bench_exported
import bench_model
import bench_paste
import bench_room
import bench_sections
import bench_served
import bench_tails

SECTIONS = {
    "model": bench_model.report,
    "columns": bench_columns.report,
    "tails": bench_tails.report,
    "sections": bench_sections.report,
    "pastes": bench_paste.report,
    "served": bench_served.report,
    "room": bench_room.report,
    "exported": bench_exported.report,
}


def main() -> None:
    """Print the sections asked for, all if none are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"any of: {', '.join(SECTIONS)}")
    sections = parser.parse_args().sections or list(SECTIONS)
    if unknown := set(sections) - set(SECTIONS):
        parser.error(f"no such section: {', '.join(sorted(unknown))}")
    print(machine())
    for section in sections:
        SECTIONS[section]()


def machine() -> str:
    """Return what the figures belong to; a load above the number of cores makes all of them larger."""
    packages = ", ".join(f"{name} {version(name.lower())}" for name in ("NumPy", "Bokeh", "Panel"))
    return (
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {platform.machine()}; "
        f"Python {platform.python_version()}, {packages}; medians of measurements that took turns"
    )


if __name__ == "__main__":
    main()
