"""The connections of the server, bounded; a stranger never takes the place of a page.

Every site can make a browser connect to this machine, under as many names as it likes
(`a.localhost`, `b.localhost`). A connection is a stranger until a request on it passes the gate; a
refused request ends it. All connections together leave some of the descriptors of the process to
engines and the journal.
"""

from functools import partial
from typing import Any, cast

from tornado.http1connection import HTTP1ServerConnection
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream

from gtp_engine.base.platforms import most_descriptors
from gtp_engine.board.server.timers import Later, Waiting, later

MOST_STRANGERS = 256  # as many as Chromium opens, so that no site displaces a page that loads
PATIENCE = 5.0
"""Seconds within which a request on a new connection must pass the gate."""

MOST_KNOWN = 64
"""Most connections that have passed the gate; sockets of pages are counted by the room."""

KEPT = 160
"""Descriptors of the process that stay free for the pipes of all engines, and for files."""

_FEWEST = 16  # connections, however few descriptors a process may have

Opened = dict[IOStream, "BoundedServer"]
"""The connections of all servers of a process, each with its server."""


class BoundedServer(HTTPServer):
    """A server with a limited number of connections: for a new one, the oldest is closed.

    Sockets of pages are never closed for a new connection; it is closed itself if they are all.
    """

    def initialize(
        self, *args: Any, opened: Opened | None = None, later: Later = later, **settings: Any
    ) -> None:
        """See HTTPServer.

        opened -- the connections of all servers of the process
        later  -- closes connections of strangers
        """
        super().initialize(*args, **settings)
        self._later = later
        self._strangers: dict[IOStream, Waiting] = {}
        self._known: dict[IOStream, None] = {}
        self._opened: Opened = {} if opened is None else opened
        self._most = max(_FEWEST, most_descriptors() - KEPT)
        self._swept_at = MOST_STRANGERS

    def handle_stream(self, stream: IOStream, address: Any) -> None:
        """Serve a stranger."""
        if len(self._strangers) >= MOST_STRANGERS:
            self._close(next(iter(self._strangers)))
        if not self._has_room():
            stream.close()
            return
        self._opened[stream] = self
        self._strangers[stream] = self._later(PATIENCE, partial(self._close, stream))
        super().handle_stream(stream, address)

    def know(self, stream: IOStream) -> None:
        """Note that a request has passed the gate now."""
        self._forget(stream)
        if len(self._known) >= MOST_KNOWN:
            self._close(next(iter(self._known)))
        self._known[stream] = None

    def cut(self) -> None:
        """Close all connections at once, also the sockets of pages."""
        for stream in [each for each, server in self._opened.items() if server is self]:
            self._close(stream)
            del self._opened[stream]

    def on_close(self, server_conn: object) -> None:
        """Forget a connection that has ended, or has become the socket of a page."""
        self._forget(cast(HTTP1ServerConnection, server_conn).stream)
        super().on_close(server_conn)

    def _has_room(self) -> bool:
        """Whether one more connection may stay, after the oldest that is no socket is closed."""
        if len(self._opened) >= min(self._most, self._swept_at):
            for stream in [each for each in self._opened if each.closed()]:
                del self._opened[stream]
            self._swept_at = max(MOST_STRANGERS, 2 * len(self._opened))
        if len(self._opened) < self._most:
            return True
        oldest = next(iter(self._strangers), None) or next(iter(self._known), None)
        if oldest is not None:
            self._close(oldest)
        return oldest is not None

    def _close(self, stream: IOStream) -> None:
        self._forget(stream)
        stream.close()

    def _forget(self, stream: IOStream) -> None:
        if patience := self._strangers.pop(stream, None):
            patience.cancel()
        self._known.pop(stream, None)
