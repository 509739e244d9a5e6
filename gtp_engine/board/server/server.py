"""The server of the board: what it serves, and the addresses at which it listens."""

import asyncio
import secrets
from collections import ChainMap
from collections.abc import Sequence

from gtp_engine.board.server.connections import Opened
from gtp_engine.board.server.gate import HOST, LOOPBACK_NAMES, Pass, is_local
from gtp_engine.board.server.listener import (
    Listener,
    Routes,
    bracketed,
    family_of,
    own_address,
)
from gtp_engine.board.server.static import LookFile, PageFile, page_files
from gtp_engine.board.server.timers import Later, later

LOOPBACK = "127.0.0.1"
ANY_ADDRESS = ("", "0.0.0.0", "::")


class BoardServer:
    """Listens on an address; everything it serves requires a secret token in the path.

    port      -- of this address
    token     -- the host's
    guests    -- what the holders of other tokens may do
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
        found = own_address(family_of(host)) if host in ANY_ADDRESS else host
        own = [bracketed(found)] if found else []
        self.token = token or secrets.token_urlsafe(32)
        self.guests: dict[str, Pass] = {}
        passes = ChainMap(self.guests, {self.token: Pass(HOST)})
        self._main = Listener(host, port, passes, [*LOOPBACK_NAMES, *own], names)
        self._listeners = [self._main]
        self.port = self._main.port
        self._name = LOOPBACK if host in ANY_ADDRESS else own[0]
        self.reachable = [f"http://{name}:{self.port}/" for name in own if not is_local(name)]
        self._later = later
        self._routes: Routes | None = None
        self._opened: Opened = {}

    @property
    def address(self) -> str:
        """The address of the page, including the token."""
        return f"http://{self._name}:{self.port}/{self.token}/"

    def start(self, routes: Routes = ()) -> None:
        """Start to respond.

        routes -- further routes beside the page's files: patterns for the path after the token,
                  with their handlers
        """
        own = [(f"/[^/]+/{pattern}", handler, given) for pattern, handler, given in routes]
        files: Routes = [(r"/[^/]+/look\.json", LookFile, {}), (r"/[^/]+/([^/]*)", PageFile, {})]
        self._routes = [*own, *files]
        asyncio.get_running_loop().run_in_executor(None, page_files)  # for the first browser
        for each in self._listeners:
            each.start(self._routes, self._opened, self._later)

    def listen_also(self, host: str) -> Listener:
        """Respond to guests, and to nobody else, at a further address. Raises OSError.

        The port is the same, so that whoever lets it through a firewall need not do so again.
        """
        listener = Listener(host, self.port, self.guests, [bracketed(host)])
        self._listeners.append(listener)
        if self._routes is not None:
            listener.start(self._routes, self._opened, self._later)
        return listener

    def leave(self, listener: Listener) -> None:
        """Close a further address, and all connections there."""
        self._listeners.remove(listener)
        listener.cut()

    async def stop(self) -> None:
        """Stop listening, and close all connections."""
        for each in self._listeners:
            await each.end()
