"""What a reader sets in a lab: numbers on the grid of their sliders, and choices."""

from typing import Any

import param


class State(param.Parameterized):
    """A lab's parameters, which in their order are the arguments of its columns."""

    @classmethod
    def controls(cls) -> dict[str, param.Parameter]:
        """Return the parameters that a reader sets, in their order on the page."""
        return {name: parameter for name, parameter in cls.param.objects().items() if name != "name"}

    def take(self, **values: Any) -> None:  # noqa: ANN401 - numbers and choices
        """Take these values, each number snapped to its slider's grid."""
        self.param.update({name: snapped(self.param[name], value) for name, value in values.items()})

    def arguments(self) -> dict[str, Any]:
        """Return the values by name."""
        return {name: getattr(self, name) for name in self.controls()}


def snapped(parameter: param.Parameter, value: Any) -> Any:  # noqa: ANN401 - numbers and choices
    """Return a number as a whole number over its slider's steps per unit, in bounds; a choice as it is.

    Half of the positions of a slider with steps of 0.01 are not the double of that decimal
    (0.7499999999999999), and 0.75 is meant.
    """
    if not isinstance(parameter, param.Number):
        return value
    low, high = parameter.bounds
    per_unit = round(1 / (parameter.step or 1))
    whole = round(value * per_unit)
    return min(high, max(low, whole if per_unit == 1 else whole / per_unit))
