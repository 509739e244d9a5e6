"""`gtp-board` in threads of the test's process: all of it but its signals and its first line."""

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from gtp_engine.cli.board import _parser, named_engines, opened_board
from gtp_engine.web.socket import route
from support.engines_inside import engines_inside
from support.waiting import PATIENCE


class Boards:
    """A thread in which boards are served."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True, name="boards").start()

    @contextmanager
    def serving(self, *options: str) -> Iterator[str]:
        """A board with options of `gtp-board`; its address. Without a journal unless one is named.

        Our engine runs inside, other engines are processes.
        """
        words = [*options] + ([] if "--journal" in options else ["--journal", "none"])
        address: Future[str] = Future()
        ended = asyncio.Event()
        served = asyncio.run_coroutine_threadsafe(_serve(words, address, ended), self._loop)
        try:
            yield address.result(PATIENCE)
        finally:
            self._loop.call_soon_threadsafe(ended.set)
            served.result(PATIENCE)

    def close(self) -> None:
        """End the thread; no board is left."""
        self._loop.call_soon_threadsafe(self._loop.stop)


async def _serve(words: list[str], address: "Future[str]", ended: asyncio.Event) -> None:
    options = _parser("gtp-board").parse_args(words)
    try:
        async with opened_board(options, named_engines(options.engine)) as (server, lobby):
            server.start([route(lobby, server.gate)])
            address.set_result(server.address)
            await ended.wait()
    except Exception as error:
        if address.done():
            raise
        address.set_exception(error)


@contextmanager
def boards() -> Iterator[Boards]:
    """A thread for boards; our engine runs inside while the block does."""
    with engines_inside():
        thread = Boards()
        try:
            yield thread
        finally:
            thread.close()
