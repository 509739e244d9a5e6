"""A connection that freezes without closing, or is cut, as that of a phone between two networks."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from support.waiting import PATIENCE, loop_in_thread


class FreezingProxy:
    """Passes all bytes to a board, until it freezes; then it keeps them.

    The board may end, and another one listen there later.

    address -- of the board's page by this proxy
    """

    def __init__(self, address: str) -> None:
        """Nobody listens yet; `address` is the board's own."""
        self._own = address.split("/")[2]
        self._address = address
        self._flows = asyncio.Event()
        self._flows.set()
        self._writers: set[asyncio.StreamWriter] = set()

    @contextmanager
    def running(self) -> Iterator["FreezingProxy"]:
        """Listen, in a thread."""
        with loop_in_thread("proxy") as self._loop:
            listening = asyncio.start_server(self._serve, "127.0.0.1", 0)
            server = asyncio.run_coroutine_threadsafe(listening, self._loop).result(PATIENCE)
            port = server.sockets[0].getsockname()[1]
            self._here = f"127.0.0.1:{port}"
            self.address = self._address.replace(self._own, self._here)
            try:
                yield self
            finally:
                self._loop.call_soon_threadsafe(server.close)

    def freeze(self) -> None:
        """Pass nothing more."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def thaw(self) -> None:
        """Pass what was kept, and go on."""
        self._loop.call_soon_threadsafe(self._flows.set)

    def cut(self) -> None:
        """Close all connections; what a frozen one has kept is lost."""
        self._loop.call_soon_threadsafe(self._cut)

    def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError), self._open(writer):  # at the end it would be logged
            await self._flows.wait()
            try:
                ours, theirs = await asyncio.open_connection(*self._own.split(":"))
            except ConnectionError:  # the board has ended
                return
            with self._open(theirs):
                await asyncio.gather(self._pump(reader, theirs), self._pump(ours, writer))

    @contextmanager
    def _open(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        self._writers.add(writer)
        try:
            yield
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(2**16):
                await self._flows.wait()
                # The board answers only under its own name.
                writer.write(data.replace(self._here.encode(), self._own.encode()))
                await writer.drain()
        except ConnectionError:
            pass
        writer.close()
