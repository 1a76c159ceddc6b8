"""The JavaScript twin, called in the exported pages, and comparisons with it."""

import json
import math
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import pytest
from pages import LABS
from playwright.sync_api import Page

from model import bursts, chains, finish_times, mixtures, steps, tails

MODEL = [
    steps,
    bursts,
    finish_times,
    mixtures,
    chains,
    tails,
]  # checks has no twin: the sliders keep what they give in range
HUNDREDTHS = [i / 100 for i in range(101)]
SEEDS = [0, 1, 9999, 2**32 - 1]

# Each call's result; a typed array travels as a list, what JSON cannot hold as a word, and so does a refusal.
CALLS = """([path, text]) => {
  const twin = path.split(".").reduce((owner, name) => owner[name], GuessAhead);
  const plain = (_, x) => (ArrayBuffer.isView(x) ? Array.from(x)
    : typeof x === "number" && !Number.isFinite(x) ? String(x) : x);
  const result = (given) => {
    try {
      const found = twin(...given);
      return typeof found?.next === "function" ? [...found] : found;
    } catch (error) {
      if (error instanceof RangeError) return "refused";
      throw error;
    }
  };
  return JSON.stringify(JSON.parse(text).map(result), plain);
}"""
DRAWS = """([seed, bursts, blocks]) => {
  let bytes = "";
  for (const block of new GuessAhead.bursts.Draws(seed, bursts).blocks()) {
    const all = new Uint8Array(block.buffer);
    for (let i = 0; i < all.length; i += 4096) bytes += String.fromCharCode(...all.subarray(i, i + 4096));
    if ((blocks -= 1) === 0) return btoa(bytes);
  }
}"""
SIGNATURES = """(path) => Object.entries(path.split(".").reduce((owner, name) => owner[name], GuessAhead))
  .filter(([, value]) => typeof value === "function" && !String(value).startsWith("class"))
  .map(([name, value]) => [name, /\\(([^)]*)\\)/.exec(value)[1].replaceAll(" ", "")])"""


class Twin:
    """The twin in the page of each lab."""

    def __init__(self, pages: dict[str, Page]) -> None:
        """Take each lab's page, open."""
        self.pages = pages

    def results(self, path: str, calls: Iterable[Iterable[Any]], lab: str = "burst") -> list[Any]:
        """Call the function at that path under GuessAhead with each of the arguments, all in one go."""
        arguments = json.dumps([list(given) for given in calls])
        return json.loads(self.pages[lab].evaluate(CALLS, [path, arguments]))

    def signatures(self, path: str, lab: str) -> dict[str, str]:
        """Return the parameters of each function at that path, as written but for spaces."""
        return dict(self.pages[lab].evaluate(SIGNATURES, path))


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever a model function returns
    """Return a result of Python's as it arrives from the page."""
    match value:
        case np.ndarray() | np.generic():
            return plain(value.tolist())
        case dict():
            return {name: plain(item) for name, item in value.items()}
        case list() | tuple() | Iterator():
            return [plain(item) for item in value]
        case math.inf:
            return "Infinity"
        case _:
            return value


def expected(function: Callable[..., Any], given: Iterable[Any]) -> Any:  # noqa: ANN401 - as above
    try:
        return plain(function(*given))
    except ValueError:
        return "refused"


def assert_same(twin: Twin, function: Callable[..., Any], calls: list[tuple[Any, ...]]) -> None:
    """Compare a model function with its twin, to the last bit, at each of the arguments."""
    path = f"{function.__module__.removeprefix('model.')}.{function.__name__}"
    for given, actual in zip(calls, twin.results(path, calls), strict=True):
        assert expected(function, given) == actual, f"{path}{given}"


def assert_same_columns(twin: Twin, lab: str, calls: list[tuple[Any, ...]]) -> None:
    """Compare a lab's columns with their twin: sources and columns in the same order, the same numbers."""
    for given, actual in zip(calls, twin.results(f"columns.{lab}", calls, lab), strict=True):
        columns = plain(LABS[lab].columns(*given))
        assert columns == actual, f"{lab}{given}"
        assert order(columns) == order(actual)


def order(columns: dict[str, dict[str, Any]]) -> list[tuple[str, list[str]]]:
    return [(source, list(names)) for source, names in columns.items()]


def some_or_all(some: int, whole: int) -> pytest.MarkDecorator:
    """Return what runs a test with a count of some, and in ``make test-all`` of the whole."""
    return pytest.mark.parametrize("count", [some, pytest.param(whole, marks=pytest.mark.exhaustive)])


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - for samples, not for secrets
