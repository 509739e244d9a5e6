"""`gtp-board` in the test's process: all of it but its signals and its first line.

See engine_threads for its engines. It has no journal unless the options name one.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, contextmanager

from gtp_engine.board.server.socket import route
from gtp_engine.cli.board import _parser, named_engines, opened_board
from support.waiting import PATIENCE, loop_in_thread


@asynccontextmanager
async def board_inside(*options: str) -> AsyncIterator[str]:
    """A board with options of `gtp-board`, in the running loop; its address."""
    words = [*options] + ([] if "--journal" in options else ["--journal", "none"])
    parsed = _parser("gtp-board").parse_args(words)
    async with opened_board(parsed, named_engines(parsed.engine)) as (server, lobby):
        server.start([route(lobby)])
        yield server.address


class Boards(ExitStack):
    """A thread in which boards are served, until the end of a `with` block."""

    def __enter__(self) -> "Boards":
        super().__enter__()
        self._loop = self.enter_context(loop_in_thread("boards"))
        return self

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
