"""What opens below a served lab: computed only while open, once the sliders rest, piece by piece.

A piece leaves the server free for others, and the next move of a slider ends the work where it stands.
"""

from collections.abc import Iterator
from time import perf_counter
from types import ModuleType
from typing import Any

import panel as pn
from bokeh.document import Document
from bokeh.models import ColumnDataSource

from app import parts
from labs.state import State

REST = 60  # milliseconds without a move
DRAGGED = 200  # the same, while moves follow each other: those of a drag may come late
PIECE = 0.012  # seconds of work, before others have their turn


class Below:
    """The sections that are open, and the work that fills them."""

    def __init__(
        self, lab: ModuleType, lab_state: State, sources: dict[str, ColumnDataSource], document: Document
    ) -> None:
        """Take the lab's own state, whose numbers the sections share, and the sources that they fill."""
        self.module: ModuleType = lab.BELOW
        self.lab_state, self.state = lab_state, self.module.State()
        self.sources, self.document = sources, document
        self.controls = parts.controls(self.module.State)
        self.opened = parts.opened(self.module)
        self.roots = [*self.controls.values(), self.opened]
        self.filled: set[str] = set()  # sections that hold rows
        self.work: Iterator[None] = iter(())
        self.waiting: Any = None  # Bokeh's callback, while there is one
        self.asked = 0.0  # when, in seconds
        for control in self.roots:
            if control.name in {"opened", *self.module.SETTING}:
                parts.listen(control, self.ask)

    def ask(self) -> None:
        """Begin anew once nothing has moved for a while, if anything is open or still filled."""
        self.state.take(**parts.chosen(self.controls))
        if self.waiting is not None:
            self.document.remove_timeout_callback(self.waiting)
            self.waiting = None
        dragged = perf_counter() - self.asked < DRAGGED / 1000
        self.asked = perf_counter()
        if self.opened.active or self.filled:
            self.work = self._fill()
            self._wait(DRAGGED if dragged else REST)

    def _wait(self, milliseconds: int) -> None:
        self.waiting = self.document.add_timeout_callback(self._step, milliseconds)

    def _step(self) -> None:
        """Do some pieces, and see to it that the next follow once others have had their turn."""
        self.waiting = None
        started = perf_counter()
        for _ in self.work:
            if perf_counter() - started > PIECE:
                self._wait(1)
                return

    def _fill(self) -> Iterator[None]:
        """Yield after each piece, while the open sections fill their sources; a closed one holds nothing."""
        values = self.lab_state.arguments() | self.state.arguments()
        setting = [values[name] for name in self.module.SETTING]
        for i, (name, section) in enumerate(self.module.SECTIONS.items()):
            if i in self.opened.active:
                self.filled.add(name)
                found = section(*setting)
            elif name in self.filled:
                self.filled.remove(name)
                found = [parts.nothing(self.module, name)]
            else:
                continue
            for data in found:
                with pn.io.hold(self.document):
                    for source, columns in (data or {}).items():
                        self.sources[source].data = parts.lists(columns)
                yield
