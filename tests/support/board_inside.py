"""`gtp-board` in the test's process: all of it but its signals and its first line.

See engine_threads for its engines. It has no journal unless the options name one.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager, contextmanager

from gtp_engine.board.server.socket import route
from gtp_engine.cli.board import _parser, named_engines, opened_board
from support.waiting import PATIENCE


@asynccontextmanager
async def board_inside(*options: str) -> AsyncIterator[str]:
    """A board with options of `gtp-board`, in the running loop; its address."""
    words = [*options] + ([] if "--journal" in options else ["--journal", "none"])
    parsed = _parser("gtp-board").parse_args(words)
    async with opened_board(parsed, named_engines(parsed.engine)) as (server, lobby):
        server.start([route(lobby)])
        yield server.address


class Boards:
    """A thread in which boards are served, until the end of a `with` block."""

    def __enter__(self) -> "Boards":
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="boards")
        self._thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    @contextmanager
    def serving(self, *options: str) -> Iterator[str]:
        """The same in this thread."""
        address: Future[str] = Future()
        ended = asyncio.Event()
        served = asyncio.run_coroutine_threadsafe(_serve(options, address, ended), self._loop)
        try:
            yield address.result(PATIENCE)
        finally:
            self._loop.call_soon_threadsafe(ended.set)
            served.result(PATIENCE)


async def _serve(options: tuple[str, ...], address: "Future[str]", ended: asyncio.Event) -> None:
    try:
        async with board_inside(*options) as here:
            address.set_result(here)
            await ended.wait()
    except Exception as error:
        if address.done():
            raise
        address.set_exception(error)
