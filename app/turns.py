"""Whose turn it is: the sessions of one process update one after the other, and read messages in between.

A message comes in pieces, each of which takes the server's loop two rounds. Were all updates that wait done
in one round, moves would pile up unread behind them, where one update would do for all of a slider's moves.
"""

from collections import deque
from collections.abc import Callable

from bokeh.document import Document
from tornado.ioloop import IOLoop

_waiting: deque[tuple[Document, Callable[[], None]]] = deque()


def wait(document: Document, update: Callable[[], None]) -> None:
    """Have a document updated once all that waited before have had their turn."""
    _waiting.append((document, update))
    if len(_waiting) == 1:
        IOLoop.current().add_callback(_next)


def _next() -> None:
    document, update = _waiting.popleft()
    if _waiting:
        IOLoop.current().add_callback(_next)
    if document.session_context is not None:  # or its page was closed meanwhile
        document.add_next_tick_callback(update)
