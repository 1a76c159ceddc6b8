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

from app import page
from labs.state import State

REST = 60  # milliseconds without a move
PIECE = 0.012  # seconds of work, before others have their turn


class Below:
    """The sections that are open, and the work that fills them."""

    def __init__(self, lab: ModuleType, lab_state: State, sources: dict[str, ColumnDataSource]) -> None:
        """Take the lab's own state, whose numbers the sections share, and the sources that they fill."""
        self.module: ModuleType = lab.BELOW
        self.lab_state, self.state = lab_state, self.module.State()
        self.sources = sources
        self.widgets = {key: page.widget(p) for key, p in self.state.controls().items()}
        self.opened = page.opened(self.module)
        self.roots = self.widgets | {"opened": self.opened}
        self.work: Iterator[None] = iter(())
        self.waiting: Any = None  # Bokeh's callback, while there is one
        for key, widget in self.roots.items():
            if key in {"opened", *self.module.SETTING}:
                widget.param.watch(self.ask, "value")

    def ask(self, *_: object) -> None:
        """Begin anew once nothing has moved for a while."""
        self.state.take(**{key: widget.value for key, widget in self.widgets.items()})
        document = pn.state.curdoc
        if self.waiting is not None:
            document.remove_timeout_callback(self.waiting)
        self.work = self._fill()
        self._wait(document, REST)

    def _wait(self, document: Document, milliseconds: int) -> None:
        self.waiting = document.add_timeout_callback(lambda: self._step(document), milliseconds)

    def _step(self, document: Document) -> None:
        """Do some pieces, and see to it that the next follow once others have had their turn."""
        self.waiting = None
        started = perf_counter()
        for _ in self.work:
            if perf_counter() - started > PIECE:
                self._wait(document, 1)
                return

    def _fill(self) -> Iterator[None]:
        """Yield after each piece, while the open sections fill their sources; a closed one holds nothing."""
        values = self.lab_state.arguments() | self.state.arguments()
        setting = [values[name] for name in self.module.SETTING]
        for name, section in self.module.SECTIONS.items():
            found = section(*setting) if name in self.opened.value else [page.nothing(self.module, name)]
            for data in found:
                with pn.io.hold():
                    for source, columns in (data or {}).items():
                        self.sources[source].data = page.lists(columns)
                yield
