"""Responses to the client."""

import os
import time

from gtp_engine.platforms import unread

_PIECE = 2**12  # bytes of one write
_BETWEEN = 0.25  # seconds between two looks at the client


class ResponsePipe:
    """The file descriptor that the client reads."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._writes = False
        self._written = 0

    def write(self, text: str) -> None:
        """Write a text; waits while the client does not read. Raises OSError."""
        left = memoryview(text.encode())
        self._writes = True
        while left:
            size = os.write(self._descriptor, left[:_PIECE])
            self._written += size
            left = left[size:]
        self._writes = False

    def wait_until_stuck(self, seconds: float) -> None:
        """Wait until a write waits for a client that has not read a byte for so long.

        Where the system does not tell what was read, until no piece was written for so long.
        """
        before: object = None
        waited = 0.0  # without the time in which this process was stopped
        while waited < seconds:
            now = self._written, unread(self._descriptor)
            waited = waited + _BETWEEN if self._writes and now == before else 0.0
            before = now
            time.sleep(_BETWEEN)
