"""What a reader sets in a lab: numbers on the grid of their sliders, and choices."""

import math
import re
from typing import Any

import param

_RATE = r"(?:0(?:\.[0-9]{1,4})?|1(?:\.0{1,4})?)"
MOST_RATES = 32  # by position
LISTED = rf"{_RATE}(?:_{_RATE}){{0,{MOST_RATES - 1}}}"  # as an address has them, "0.78_0.814_0.835"
RATES = rf"\A(?:{LISTED})?\Z"
RATES_LABEL = "acceptance by position, in place of a"


class State(param.Parameterized):
    """A lab's parameters, which in their order are the arguments of its columns."""

    @classmethod
    def controls(cls) -> dict[str, param.Parameter]:
        """Return the parameters that a reader sets, in their order on the page."""
        return {name: parameter for name, parameter in cls.param.objects().items() if name != "name"}

    def take(self, **values: Any) -> None:  # noqa: ANN401 - whatever a browser sends
        """Take these values, numbers snapped to their sliders' grids; what does not fit stays as it was."""
        for name, value in values.items():
            if _fits(self.param[name], value):
                setattr(self, name, snapped(self.param[name], value))

    def arguments(self) -> dict[str, Any]:
        """Return the values by name."""
        return {name: getattr(self, name) for name in self.controls()}

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return the values that a lab starts with, by name."""
        return {name: parameter.default for name, parameter in cls.controls().items()}


def snapped(parameter: param.Parameter, value: Any) -> Any:  # noqa: ANN401 - numbers and choices
    """Return a number as a whole number over its slider's steps per unit, in bounds; a choice as it is.

    Half of the positions of a slider with steps of 0.01 are not the double of that decimal
    (0.7499999999999999), and 0.75 is meant.
    """
    if not isinstance(parameter, param.Number):
        return value
    low, high = parameter.bounds
    per_unit = round(1 / (parameter.step or 1))
    whole = round(min(high, max(low, value)) * per_unit)
    return whole if per_unit == 1 else whole / per_unit


def rate(acceptance_rate: float, position_rates: str) -> float | tuple[float, ...]:
    """Return the conditional rates by position that a text lists, or the one acceptance rate if it is empty.

    Raises ValueError where the text is no such list.
    """
    if re.match(RATES, position_rates) is None:
        raise ValueError(
            f"position_rates must be up to {MOST_RATES} decimals from 0 to 1 joined by _, "
            f"not {position_rates!r}"
        )
    return tuple(map(float, position_rates.split("_"))) if position_rates else acceptance_rate


def _fits(parameter: param.Parameter, value: Any) -> bool:  # noqa: ANN401 - whatever a browser sends
    """Return whether a browser's value can be taken: a choice, a list of rates, or a number that is one."""
    if isinstance(parameter, param.Selector):
        return value in parameter.objects
    if isinstance(parameter, param.String):
        return isinstance(value, str) and re.match(parameter.regex, value) is not None
    return isinstance(value, int) or (isinstance(value, float) and not math.isnan(value))
