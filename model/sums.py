"""Sums in one written order, so that Python and the JavaScript twin agree to the last bit."""

from collections.abc import Iterable


def total(values: Iterable[float | None]) -> float:
    """Return the sum in the order given, None counting as nothing.

    Python's own ``sum`` corrects its rounding, which the twin does not. The empty sum is 0.

    >>> total([0.1, 0.2, 0.3, None])
    0.6000000000000001
    """
    together = 0.0
    for value in values:
        together += value or 0.0
    return together
