"""Responses to a client that reads slowly, or not at all."""

import os
import threading

import pytest

from gtp_engine.base.platforms import unread
from gtp_engine.gtp.wire.loop import ResponsePipe
from support.waiting import wait_until
from support.wire import is_full

TEXT = "x" * 10**6


class Looks:
    """Stands for `time.sleep`: between two looks the client reads, as often as it is told."""

    def __init__(self, descriptor: int, reads: int) -> None:
        self._descriptor = descriptor
        self._reads = reads
        self.number = 0

    def __call__(self, seconds: float) -> None:
        self.number += 1
        if self._reads:
            self._reads -= 1
            os.read(self._descriptor, 1)


@pytest.mark.parametrize("reads", [0, 100])
def test_only_a_client_that_stops_reading_is_stuck(reads):
    out, into = os.pipe()
    looks = Looks(out, reads)
    box = ResponsePipe(into)
    writing = threading.Thread(target=box.write, args=(TEXT,), daemon=True)
    writing.start()
    # The writer waits, and has counted all that it wrote.
    wait_until(lambda: is_full(out) and box.written == unread(into))
    box.wait_until_stuck(5, looks)
    assert looks.number == reads + 21
    left = len(TEXT) - reads
    while left:
        left -= len(os.read(out, 2**16))
    writing.join()
    for end in (out, into):
        os.close(end)
