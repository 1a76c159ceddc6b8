"""One line for each thing that went wrong, so that a log can be read while a class is at it."""

import logging
import traceback
from pathlib import Path
from types import TracebackType

HOUSE = Path(__file__).parents[1]
SESSION = (HOUSE / "labs", HOUSE / "model", HOUSE / "app" / "page.py", HOUSE / "app" / "served.py")
LONGEST = 160
OTHERS = ("panel", "bokeh", "param")  # loggers that bring handlers of their own


def first_time(record: logging.LogRecord) -> bool:
    """Return whether an error is new: what Panel logs and passes on, asyncio logs again."""
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return True
    known = hasattr(error, "logged")
    error.logged = True  # type: ignore[attr-defined]
    return not known


class OneLine(logging.Formatter):
    """A record as one short printable line; with a traceback only where a session's own code was at work.

    What a browser sends is in many records. It may be long, or hold characters that a terminal obeys.
    """

    def __init__(self) -> None:
        """Say when, how bad and what."""
        super().__init__("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        record.message = record.getMessage()
        record.asctime = self.formatTime(record, self.datefmt)
        line = _short(self.formatMessage(record))
        if not record.exc_info or record.exc_info[1] is None:
            return line
        _, error, trace = record.exc_info
        if _is_own(trace):
            return f"{line}\n{''.join(traceback.format_exception(error)).rstrip()}"
        return f"{line} · {_short(f'{type(error).__name__}: {error}')}"


def _short(text: str) -> str:
    """Return a text that may come from anybody as a piece of a line."""
    line = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


def _is_own(trace: TracebackType | None) -> bool:
    """Return whether our own code was at work when it went wrong."""
    files = [Path(frame.filename) for frame in traceback.extract_tb(trace)]
    return any(file.is_relative_to(code) for file in files for code in SESSION)


def write_lines() -> None:
    """Have all that is logged written as one line each."""
    logging.basicConfig()
    for name in (None, *OTHERS):
        for handler in logging.getLogger(name).handlers:
            handler.setFormatter(OneLine())
            handler.addFilter(first_time)
