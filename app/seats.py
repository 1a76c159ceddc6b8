"""Live sessions are seats: each takes time and memory of the machine, so there are only so many.

These are Panel's own request handlers, but who comes when all seats are taken is told so at once. Sessions
embedded into other pages by a script (`autoload.js`) are not offered.
"""

from bokeh.server.urls import per_app_patterns
from bokeh.server.views.metadata_handler import MetadataHandler
from bokeh.util.token import get_session_id
from panel.io.server import DocHandler, WSHandler

from app import page

SEATS = "seats"  # the setting that says how many there are; without it nobody is counted
KEPT = 2  # of them for the machine's own browsers: a class cannot shut out who presents
WAIT = 15  # seconds until a page that was closed has left its seat
TRY_AGAIN_LATER = 1013  # of RFC 6455's registry of close codes
AT_HOME = ("127.0.0.1", "::1")


def full(handler: DocHandler | WSHandler) -> bool:
    """Return whether there is no seat for who asks."""
    seats: int | None = handler.application.settings.get(SEATS)
    if seats is None:
        return False
    kept = 0 if handler.request.remote_ip in AT_HOME else KEPT
    taken: int = sum(len(list(lab.sessions)) for lab in handler.application.applications.values())
    return taken >= seats - kept


class LabHandler(DocHandler):
    """A live lab's page, or the page that says that all seats are taken."""

    async def get(self, *arguments: str, **named: str) -> None:
        """Send the page."""
        if not full(self):
            await super().get(*arguments, **named)
            return
        self.set_status(503)
        self.set_header("Retry-After", WAIT)
        self.set_header("Cache-Control", "no-store")
        lab = self.request.path.rstrip("/").rpartition("/")[2]
        self.finish(page.full(lab, self.request.query, self.application.settings[SEATS]))


class SocketHandler(WSHandler):
    """The connection of a live lab's page. One that comes back late may find its seat taken."""

    async def _async_open(self, token: str) -> None:
        seated = {session.id for session in self.application_context.sessions}
        if full(self) and get_session_id(token) not in seated:
            self.close(TRY_AGAIN_LATER, "all seats are taken")
            return
        self.set_nodelay(True)  # or each piece of a message waits until the last one was received
        await super()._async_open(token)


def take_part() -> None:
    """Have a server that is made from here on use these handlers: Bokeh and Panel know no other way."""
    per_app_patterns[:] = [(r"/ws", SocketHandler), (r"/metadata", MetadataHandler), (r"/?", LabHandler)]
