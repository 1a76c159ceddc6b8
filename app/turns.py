"""Whose turn it is: the sessions of one process update one after the other, and read messages in between.

A message comes in pieces, each of which takes the server's loop two rounds. Were updates done back to back,
moves would pile up unread behind them, where one update would do for all of a slider's moves.
"""

from collections import deque
from collections.abc import Callable

from bokeh.document import Document
from tornado.ioloop import IOLoop

READING = 0.001  # seconds from the beginning of an update: a few rounds of the loop follow it

_waiting: deque[tuple[Document, Callable[[], None]]] = deque()
_under_way = False


def wait(document: Document, update: Callable[[], None]) -> None:
    """Have a document updated once all that waited before have had their turn."""
    global _under_way  # noqa: PLW0603 - one loop, one thread
    _waiting.append((document, update))
    if not _under_way:
        _under_way = True
        IOLoop.current().add_callback(_turn)


def _turn() -> None:
    """Give a turn to who waits longest."""
    global _under_way  # noqa: PLW0603 - as above
    _under_way = bool(_waiting)
    if not _waiting:
        return
    document, update = _waiting.popleft()
    IOLoop.current().call_later(READING, _turn)
    if document.session_context is not None:  # or its page was closed meanwhile
        document.add_next_tick_callback(update)
