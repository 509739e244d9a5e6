"""The server of the board: listens, checks requests at the gate, and routes them."""

import asyncio
import logging
import secrets
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

from tornado.http1connection import HTTP1Connection
from tornado.httputil import HTTPServerRequest
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application, RequestHandler

from gtp_engine.board.server.connections import BoundedServer
from gtp_engine.board.server.gate import (
    HOST,
    LOOPBACK_NAMES,
    Gate,
    Headers,
    Pass,
    is_local,
    origins_of,
)
from gtp_engine.board.server.socket import SETTINGS
from gtp_engine.board.server.static import LookFile, PageFile, Refusing, page_files
from gtp_engine.board.server.timers import Later, later

LOOPBACK = "127.0.0.1"
ANY_ADDRESS = ("", "0.0.0.0", "::")

_LARGEST_HEADERS = 2**14  # bytes
_LARGEST_BODY = 2**12  # bytes; no request that we serve has a body
_IDLE = 60.0  # seconds after which a known connection without a request is closed

_Routes = Sequence[tuple[str, type[RequestHandler], dict[str, Any]]]


class GuardedApplication(Application):
    """Routes only requests that pass the gate.

    passed -- receives the connection of each of them
    """

    def __init__(self, gate: Gate, routes: _Routes, **settings: Any) -> None:
        super().__init__(list(routes), default_handler_class=Refusing, **settings)
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


class BoardServer:
    """Listens on an address; everything it serves requires a secret token in the path.

    token     -- the host's
    reachable -- the addresses of the server for other machines, without a token; none if only this
                 machine can connect
    """

    def __init__(
        self,
        host: str = LOOPBACK,
        port: int = 0,
        names: Sequence[str] = (),
        token: str | None = None,
        later: Later = later,
    ) -> None:
        """Bind the port; 0 means any free port. Raises OSError.

        names -- further host names of the server
        token -- of an earlier run; None for a new one
        later -- closes connections whose first request does not come
        """
        self._sockets = bind_sockets(port, host, family=_family(host))
        self.port: int = self._sockets[0].getsockname()[1]
        own = _own_addresses(_family(host)) if host in ANY_ADDRESS else [_bracketed(host)]
        self._name = LOOPBACK if host in ANY_ADDRESS else own[0]
        self.reachable = [f"http://{name}:{self.port}/" for name in own if not is_local(name)]
        self.token = token or secrets.token_urlsafe(32)
        origins = origins_of([*LOOPBACK_NAMES, *own], self.port, names)
        self.gate = Gate({self.token: Pass(HOST)}, origins)
        self._later = later
        self._server: BoundedServer | None = None

    @property
    def address(self) -> str:
        """The address of the page, including the token."""
        return f"http://{self._name}:{self.port}/{self.token}/"

    def start(self, routes: _Routes = ()) -> None:
        """Start to respond.

        routes -- further routes beside the page's files: patterns for the path after the token,
                  with their handlers
        """
        logging.getLogger("tornado").addHandler(logging.NullHandler())
        logging.getLogger("tornado").propagate = False
        own = [(f"/[^/]+/{pattern}", handler, given) for pattern, handler, given in routes]
        files: _Routes = [(r"/[^/]+/look\.json", LookFile, {}), (r"/[^/]+/([^/]*)", PageFile, {})]
        application = GuardedApplication(self.gate, [*own, *files], **SETTINGS)
        self._server = BoundedServer(
            application,
            later=self._later,
            max_header_size=_LARGEST_HEADERS,
            max_body_size=_LARGEST_BODY,
            idle_connection_timeout=_IDLE,
            body_timeout=_IDLE,
        )
        application.passed = self._server.know
        asyncio.get_running_loop().run_in_executor(None, page_files)  # for the first browser
        self._server.add_sockets(self._sockets)

    async def stop(self) -> None:
        """Stop listening, and close all connections."""
        if self._server is None:
            for each in self._sockets:
                each.close()
            return
        self._server.stop()
        with suppress(OSError):
            await self._server.close_all_connections()


def _headers(request: HTTPServerRequest) -> Headers:
    values = request.headers.get_list
    return Headers(
        *(values(name) for name in ("Host", "Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode"))
    )


def _family(host: str) -> socket.AddressFamily:
    """IPv4 unless the address is IPv6, so that there is a single port."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _own_addresses(family: socket.AddressFamily) -> list[str]:
    """The address of this machine in its network, if it is in one; no packet is sent."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        # Addresses for documentation (RFC 5737, RFC 3849).
        probe.connect(("2001:db8::1" if family is socket.AF_INET6 else "192.0.2.1", 9))
        return [_bracketed(str(probe.getsockname()[0]))]
    return []


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
