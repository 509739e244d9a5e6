"""How other machines reach the board: from the start, or by an address that the host opens."""

from collections.abc import Callable

from gtp_engine.board.server.listener import Listener, bracketed, own_address
from gtp_engine.board.server.server import BoardServer
from gtp_engine.board.table.messages import CannotDo


class Network:
    """The way to the board for guests from other machines."""

    def __init__(self, server: BoardServer, find: Callable[[], str | None] | None = None) -> None:
        """Leave the server as it is.

        find -- the address of this machine in its network, or None; see `own_address`

        `keep` is called after each change with what `open_again` takes from a later board.
        """
        self._server, self._find = server, find or own_address
        self._listener: Listener | None = None
        self._host = ""
        self.keep: Callable[[str], None] = lambda address: None

    @property
    def opened(self) -> bool:
        """Whether the host has opened it, and can close it."""
        return self._listener is not None

    @property
    def address(self) -> str | None:
        """The server's address for other machines, without a token; None without one."""
        if self.opened:
            return self._address(self._host)
        return next(iter(self._server.reachable), None)

    def open(self) -> None:
        """Listen in the network, too. Raises CannotDo, with a sentence."""
        if self.address is not None:
            return
        host = self._find()
        if host is None:
            raise CannotDo("This computer is in no network. Connect it to one, then try again.")
        try:
            self._listener = self._server.listen_also(host)
        except OSError as error:
            raise CannotDo(
                f"The board cannot listen on {host}, port {self._server.port}: "
                f"{error.strerror or error}."
            ) from None
        self._host = host
        self.keep(self._address(host))

    def open_again(self, address: str) -> None:
        """Open as it was for an earlier board. Raises CannotDo, with a sentence.

        Links that this board has given lead to its address, which may be another network's now.
        """
        host = self._find()
        if self.address is None and (host is None or self._address(host) != address):
            raise CannotDo(f"The board was open to a network at {address}; it is not there now.")
        self.open()

    def close(self) -> None:
        """Close what was opened, and all connections there. Raises CannotDo, with a sentence."""
        if self._server.reachable:
            raise CannotDo("The board was started for the network, and stays open until it ends.")
        if self._listener is not None:
            self._server.leave(self._listener)
            self._listener = None
            self.keep("")

    def leave_former(self) -> bool:
        """Close what was opened if this machine has another address now. Returns whether it has."""
        moved = self.opened and self._find() != self._host
        if moved:
            self.close()
        return moved

    def _address(self, host: str) -> str:
        return f"http://{bracketed(host)}:{self._server.port}/"
