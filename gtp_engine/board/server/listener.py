"""An address at which the server listens: the gate checks each request there, then it is routed."""

import logging
import socket
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPServerRequest
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from gtp_engine.board.server.connections import BoundedServer, Opened
from gtp_engine.board.server.gate import Gate, Headers, Pass, is_local, origins_of
from gtp_engine.board.server.page_messages import LARGEST_GAME
from gtp_engine.board.server.static import Refusing
from gtp_engine.board.server.timers import Later

_LARGEST_HEADERS = 2**14  # bytes
_LARGEST_BODY = 2**12  # bytes; no request that we serve has a body
_IDLE = 60.0  # seconds after which a known connection without a request is closed
_PING = 20.0  # seconds between two pings of a socket

Routes = Sequence[tuple[str, type[RequestHandler], dict[str, Any]]]


class GuardedApplication(Application):
    """Routes only requests that pass the gate.

    passed -- receives the connection of each of them
    """

    def __init__(self, gate: Gate, routes: Routes, **settings: Any) -> None:
        super().__init__(list(routes), default_handler_class=Refusing, gate=gate, **settings)
        self.gate = gate
        self.passed: Callable[[IOStream], None] = lambda stream: None
        self.settings["default_handler_args"] = {"status": 404, "reason": "Not found."}
        self.settings["log_function"] = lambda handler: None

    def find_handler(self, request: HTTPServerRequest, **kwargs: Any) -> Any:
        """The handler of a request, or one that refuses it."""
        refused = self.gate.refusal(request.method or "", request.path, _headers(request))
        if refused is not None:
            return self.get_handler_delegate(request, Refusing, refused._asdict())
        self.passed(cast(HTTP1Connection, request.connection).stream)
        return super().find_handler(request, **kwargs)


class Listener:
    """Listens at an address.

    port -- the one that is bound
    gate -- what a request must pass
    """

    def __init__(
        self,
        host: str,
        port: int,
        passes: Mapping[str, Pass],
        names: Iterable[str],
        others: Iterable[str] = (),
    ) -> None:
        """Bind the port; 0 means any free port. Raises OSError.

        passes -- see Gate
        names  -- host names of the server, and `others`: see origins_of
        """
        self._sockets = bind_sockets(port, host, family=family_of(host))
        self.port: int = self._sockets[0].getsockname()[1]
        self.gate = Gate(passes, origins_of(names, self.port, others))
        self._server: BoundedServer | None = None

    def start(self, routes: Routes, opened: Opened, later: Later) -> None:
        """Answer what passes the gate.

        opened -- the connections of all listeners of the server
        later  -- closes connections whose first request does not come
        """
        logging.getLogger("tornado").addHandler(logging.NullHandler())
        logging.getLogger("tornado").propagate = False
        application = GuardedApplication(
            self.gate,
            routes,
            websocket_max_message_size=LARGEST_GAME,
            websocket_ping_interval=_PING,
            websocket_ping_timeout=_PING,
        )
        self._server = BoundedServer(
            application,
            later=later,
            opened=opened,
            max_header_size=_LARGEST_HEADERS,
            max_body_size=_LARGEST_BODY,
            idle_connection_timeout=_IDLE,
            body_timeout=_IDLE,
        )
        application.passed = self._server.know
        self._server.add_sockets(self._sockets)

    def stop(self) -> None:
        """Accept no more connections."""
        if self._server is not None:
            self._server.stop()
            return
        for each in self._sockets:
            each.close()

    def cut(self) -> None:
        """Stop, and close all connections at once, also the sockets of pages."""
        self.stop()
        if self._server is not None:
            self._server.cut()

    async def end(self) -> None:
        """Stop, and close all connections but the sockets of pages."""
        self.stop()
        if self._server is not None:
            with suppress(OSError):
                await self._server.close_all_connections()


def family_of(host: str) -> socket.AddressFamily:
    """IPv4 unless the address is IPv6, so that there is a single port."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def bracketed(host: str) -> str:
    """An address as it stands in a URL."""
    return f"[{host}]" if ":" in host else host


def own_address(*families: socket.AddressFamily) -> str | None:
    """The address of this machine in its network, of the first family that has one.

    No packet is sent.
    """
    for family in families or (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            # Addresses for documentation (RFC 5737, RFC 3849).
            probe.connect(("2001:db8::1" if family is socket.AF_INET6 else "192.0.2.1", 9))
            found = str(probe.getsockname()[0])
            if not is_local(bracketed(found)):
                return found
    return None


def _headers(request: HTTPServerRequest) -> Headers:
    values = request.headers.get_list
    return Headers(
        *(values(name) for name in ("Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"))
    )
