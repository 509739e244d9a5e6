"""Responses to the client."""

import os
import time
from collections.abc import Callable

from gtp_engine.base.platforms import unread

_PIECE = 2**12  # bytes of one write
_BETWEEN = 0.25  # seconds between two looks at the client


class ResponsePipe:
    """The file descriptor that the client reads.

    written -- how many bytes the pipe has taken
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._writes = False
        self.written = 0

    def write(self, text: str) -> None:
        """Write a text; waits while the client does not read. Raises OSError."""
        left = memoryview(text.encode())
        self._writes = True
        while left:
            size = os.write(self._descriptor, left[:_PIECE])
            self.written += size
            left = left[size:]
        self._writes = False

    def wait_until_stuck(
        self, seconds: float, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        """Wait until a write waits for a client that has not read a byte for so long.

        Where the system does not tell what was read, until no piece was written for so long.
        """
        before: object = None
        waited = 0.0  # without the time in which this process was stopped
        while waited < seconds:
            now = self.written, unread(self._descriptor)
            waited = waited + _BETWEEN if self._writes and now == before else 0.0
            before = now
            sleep(_BETWEEN)
