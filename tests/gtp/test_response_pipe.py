"""Responses to a client that reads slowly, or not at all."""

import os
import threading

import pytest

from gtp_engine.gtp import response_pipe
from gtp_engine.gtp.response_pipe import ResponsePipe

TEXT = "x" * 10**6


class Looks:
    """Stands for `time`: between two looks the client reads, as often as it is told."""

    def __init__(self, descriptor: int, reads: int) -> None:
        self._descriptor = descriptor
        self._reads = reads
        self.number = 0

    def sleep(self, seconds: float) -> None:
        self.number += 1
        if self._reads:
            self._reads -= 1
            os.read(self._descriptor, 1)


@pytest.mark.parametrize("reads", [0, 100])
def test_only_a_client_that_stops_reading_is_stuck(reads, monkeypatch):
    out, into = os.pipe()
    looks = Looks(out, reads)
    box = ResponsePipe(into)
    writing = threading.Thread(target=box.write, args=(TEXT,))
    writing.start()
    box.wait_until_stuck(0.1)  # the pipe is full, and the writer has counted all of it
    monkeypatch.setattr(response_pipe, "time", looks)
    box.wait_until_stuck(5)
    assert looks.number == reads + 21
    left = len(TEXT) - reads
    while left:
        left -= len(os.read(out, 2**16))
    writing.join()
    for end in (out, into):
        os.close(end)
