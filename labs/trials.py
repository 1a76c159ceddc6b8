"""Try this: an experiment, one that the two posts describe or one that the labs add."""

from typing import Any, NamedTuple


class Trial(NamedTuple):
    """An experiment: the settings that differ from a lab's defaults, and what to look for there."""

    label: str
    values: dict[str, Any]
    look: str
