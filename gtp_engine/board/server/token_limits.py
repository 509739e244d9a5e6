"""What the sockets that have come by one token share: bounds that a new socket does not renew."""

import asyncio
import time
from collections.abc import Callable
from typing import Protocol
from weakref import WeakKeyDictionary

from gtp_engine.board.server.gate import Pass
from gtp_engine.board.server.page_messages import RATE_OF_HELLO

MOST_WAITING = 16
"""Most sockets of a token that are at no table: before hello, or until they have ended."""


class Allowance:
    """A token bucket: it refills steadily up to a limit, and messages take from it.

    rate  -- tokens added per second
    burst -- most tokens
    clock -- the time in seconds
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left, self._seen = burst, clock()

    def take(self, amount: float = 1.0) -> bool:
        """Take tokens; False, without taking any, if there are too few."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._seen) * self._rate)
        self._seen = now
        if self._left < amount:
            return False
        self._left -= amount
        return True


class Socket(Protocol):
    """A socket that may be cut."""

    def cut(self) -> None:
        """Close the connection at once."""
        ...


class Holder:
    """Who has come by one token.

    hellos -- what is left of their hellos: each makes the server tell the whole game
    saving -- held while one of them is given a record
    """

    def __init__(self, admits: Pass) -> None:
        """Nobody has come yet."""
        self.hellos = Allowance(*RATE_OF_HELLO[admits.role])
        self.saving = asyncio.Lock()
        self._waiting: dict[Socket, None] = {}

    def wait(self, socket: Socket) -> None:
        """Count a socket that is at no table; if there are too many, the oldest is cut."""
        self._waiting[socket] = None
        if len(self._waiting) > MOST_WAITING:
            oldest = next(iter(self._waiting))
            self.forget(oldest)
            oldest.cut()

    def forget(self, socket: Socket) -> None:
        """Count a socket no longer: it is at a table, or its connection is closed."""
        self._waiting.pop(socket, None)


class Holders:
    """The holders of all tokens."""

    def __init__(self) -> None:
        self._of: WeakKeyDictionary[Pass, Holder] = WeakKeyDictionary()

    def of(self, admits: Pass) -> Holder:
        """The holder of the token that admits so."""
        return self._of.setdefault(admits, Holder(admits))
