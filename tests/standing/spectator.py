"""A spectator without a browser: notes when the board said what."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from typing import Any

from support.pages import Visitor
from support.waiting import loop_in_thread

AGAIN = 0.05
"""Seconds before it tries again to enter."""


class Spectator:
    """Watches in a thread, by its own invitation, and enters again whenever the board has ended.

    heard -- the messages `nodes` and `state`, each with the time of `time.monotonic`
    """

    def __init__(self, address: str) -> None:
        """Nobody watches yet."""
        self.heard: SimpleQueue[tuple[float, dict[str, Any]]] = SimpleQueue()
        self._address = address

    @contextmanager
    def watching(self) -> Iterator["Spectator"]:
        """Watch during the block."""
        with loop_in_thread("spectator") as loop:
            asyncio.run_coroutine_threadsafe(self._watch(), loop)
            yield self

    async def _watch(self) -> None:
        while True:
            with suppress(OSError):
                page = await Visitor.enter(self._address)
                while (text := await page.socket.read_message()) is not None:
                    now, message = time.monotonic(), json.loads(text)
                    if message["kind"] in ("nodes", "state"):
                        self.heard.put((now, message))
            await asyncio.sleep(AGAIN)
