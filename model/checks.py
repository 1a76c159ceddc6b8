"""Argument checks: each returns its value, converted, or raises ValueError with argument, value and range."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.floating]
Wholes: TypeAlias = NDArray[np.integer]
Rate: TypeAlias = float | Sequence[float] | Floats  # one for all positions, or one per position
Lengths: TypeAlias = Sequence[int] | Wholes
Times: TypeAlias = Sequence[float] | Floats | Wholes

LISTS = (np.ndarray, list, tuple, range)
LONGEST_DRAFT = 2_000_000  # guesses; sums are carried, and the best draft length is sought, as far as this
LONGEST_BURST = 100_000  # tokens
MOST_BURSTS = 1_000_000
ADDING_UP = 1e-9  # how far chances may add up to something else than 1
LARGEST = 1e100  # of a cost or a weight; keeps products and sums of them finite


def number(name: str, value: object, least: float, most: float) -> float:
    """Return a number within [least, most] as a float; NaN, True and "0.5" are no such numbers."""
    if _is_real(value) and least <= value <= most:
        return float(value)
    raise _refused(name, "a number", value, least, most)


def whole(name: str, value: object, least: int, most: int) -> int:
    """Return a whole number within [least, most] as an int; True and 3.0 are no such numbers."""
    if _is_whole(value) and least <= value <= most:
        return int(value)
    raise _refused(name, "a whole number", value, least, most)


def numbers(name: str, values: object, least: float, most: float) -> Floats:
    """Return a list, tuple or one-dimensional array of at least one number as an array of floats."""
    if not isinstance(values, LISTS) or getattr(values, "ndim", 1) != 1 or len(values) == 0:
        raise _refused(name, "a flat list of numbers", values, least, most)
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
        inside = (least <= values) & (values <= most)
        number(f"{name}[{inside.argmin()}]", values[inside.argmin()], least, most)
        return values.astype(np.float64)
    return np.array([number(f"{name}[{i}]", value, least, most) for i, value in enumerate(values)])


def rates(acceptance_rate: object, name: str = "acceptance_rate") -> Floats:
    """Return the conditional acceptance rates by position; the last one holds for all later positions."""
    if isinstance(acceptance_rate, LISTS):
        return numbers(name, acceptance_rate, 0, 1)
    return np.array([number(name, acceptance_rate, 0, 1)])


def kinds(acceptance_rates: object, weights: object) -> tuple[list[Floats], Floats]:
    """Return the acceptance rates of each kind of burst, and how large a share of the bursts it is."""
    if not isinstance(acceptance_rates, LISTS) or len(acceptance_rates) == 0:
        raise _refused("acceptance_rates", "a list of rates", acceptance_rates, 0, 1)
    each = [rates(kind, f"acceptance_rates[{i}]") for i, kind in enumerate(acceptance_rates)]
    return each, _together("weights", weights, len(each))


def draft_length(value: object) -> int:
    """Return a draft length: a whole number of guesses."""
    return whole("draft_length", value, 0, LONGEST_DRAFT)


def draft_lengths(value: object) -> int | Wholes:
    """Return one draft length as an int, or several as an array, of the same shape if an array was given."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        draft_length(value.min(initial=0))
        draft_length(value.max(initial=0))
        return value
    if isinstance(value, LISTS):
        return np.array([draft_length(item) for item in value], dtype=np.int64)
    return draft_length(value)


def draft_cost(value: object) -> float:
    """Return the cost of one draft pass, in target passes."""
    return number("draft_cost", value, 0, LARGEST)


def utilisation(value: object) -> float:
    """Return the share of the arithmetic that plain decoding uses already."""
    return number("utilisation", value, 0, 1)


def burst_length(value: object) -> int:
    """Return the number of tokens that a burst has to settle."""
    return whole("burst_length", value, 1, LONGEST_BURST)


def bursts(value: object) -> int:
    """Return the number of bursts in a run, or in a sample."""
    return whole("bursts", value, 1, MOST_BURSTS)


def distribution(name: str, values: object, chances: object) -> tuple[Floats, Floats]:
    """Return the values of a distribution, and the chance of each."""
    known = numbers(name, values, -LARGEST, LARGEST)
    return known, _together("chances", chances, len(known))


def rising_distribution(name: str, values: object, chances: object) -> tuple[Floats, Floats]:
    """Return the values of a distribution, which must rise, and the chance of each."""
    known, mass = distribution(name, values, chances)
    if (np.diff(known) <= 0).any():
        raise _refused(name, "rising numbers", values, -LARGEST, LARGEST)
    return known, mass


def _together(name: str, chances: object, count: int) -> Floats:
    """Return chances that must be so many and add up to 1."""
    mass = numbers(name, chances, 0, 1)
    if len(mass) != count or not abs(mass.sum() - 1.0) <= ADDING_UP:
        raise ValueError(f"{name} must be {count} numbers from 0 to 1 that add up to 1, not {chances!r}")
    return mass


def _is_real(value: object) -> TypeGuard[float]:
    return isinstance(value, Real) and not isinstance(value, bool)


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _refused(name: str, kind: str, value: object, least: float, most: float) -> ValueError:
    return ValueError(f"{name} must be {kind} from {least} to {most}, not {value!r}")
