"""Whose turn it is: the sessions of one process update one after the other, and read messages in between.

A message comes in pieces, each of which takes the server's loop two rounds. Were an update done for the
first move that is read, moves would pile up unread behind it, where one update would do for all of a
slider's moves. So a server that several sessions keep busy reads on for a while before each round of updates.
"""

from collections import deque
from collections.abc import Callable

from bokeh.document import Document
from tornado.ioloop import IOLoop

READING = 0.05  # seconds

_waiting: deque[tuple[Document, Callable[[], None]]] = deque()
_under_way = False  # a round of updates, or the reading before it
_last: tuple[int, float] = 0, 0.0  # whose update was the last, and when


def wait(document: Document, update: Callable[[], None]) -> None:
    """Have a document updated once all that waited before have had their turn."""
    global _under_way  # noqa: PLW0603 - one loop, one thread
    _waiting.append((document, update))
    if _under_way:
        return
    _under_way = True
    whose, when = _last
    loop = IOLoop.current()
    busy = whose != id(document) and loop.time() - when < READING
    loop.call_later(READING if busy else 0, _round)


def _round() -> None:
    """Give a turn to all that wait now; who asks meanwhile waits for the next round."""
    global _under_way  # noqa: PLW0603 - as above
    _under_way = bool(_waiting)
    if _waiting:
        _turn(len(_waiting))


def _turn(left: int) -> None:
    global _last  # noqa: PLW0603 - as above
    document, update = _waiting.popleft()
    loop = IOLoop.current()
    _last = id(document), loop.time()
    if left > 1:
        loop.add_callback(_turn, left - 1)
    else:
        loop.call_later(READING if _waiting else 0, _round)
    if document.session_context is not None:  # or its page was closed meanwhile
        document.add_next_tick_callback(update)
