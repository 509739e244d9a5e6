"""A table in its own thread, for a caller that waits at a prompt."""

import asyncio
import queue
import threading
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from gtp_engine.board.table.messages import INFO, CannotDo, Message, told
from gtp_engine.board.table.table import Table
from gtp_engine.gtp.client.child import Launch

_Result = TypeVar("_Result")

_LOOK = 0.5  # seconds: waits that Ctrl-C cannot interrupt are split into pieces of this length
_CLOSING = 10.0


class TableThread:
    """A table whose coroutines run in another thread; Ctrl-C interrupts a caller that waits.

    table -- the table; pass its coroutines to `call`
    """

    def __init__(self, engines: Mapping[str, Launch], board: Launch | None = None) -> None:
        """Make the table; nothing is started."""
        self._loop = asyncio.new_event_loop()
        self._news: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._loop.run_forever, name="table", daemon=True)
        self._thread.start()
        self.table = self.call(self._made(engines, board))

    async def _made(self, engines: Mapping[str, Launch], board: Launch | None) -> Table:
        table = Table(engines, board=board)
        table.listen(self._hear)
        return table

    def call(self, coroutine: Coroutine[Any, Any, _Result]) -> _Result:
        """The result of a coroutine. Raises what it raises, and KeyboardInterrupt."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        while True:
            try:
                return future.result(_LOOK)
            except TimeoutError:
                if future.done():  # raised by the coroutine itself
                    raise

    def interrupt(self, again: bool) -> None:
        """Let the thinking engine answer now, or pause it if `again`. Never blocks."""
        coroutine = self._let_rest() if again else self._let_answer()
        asyncio.run_coroutine_threadsafe(coroutine, self._loop)

    def look(self) -> tuple[Message, list[Message]]:
        """The state, and the messages `state` and `told` since the last call.

        Everything that happens after this call arrives as a message.
        """
        return self.call(self._look())

    async def _look(self) -> tuple[Message, list[Message]]:
        found = []
        with suppress(queue.Empty):
            while True:
                found.append(self._news.get_nowait())
        state = self.table.state()  # its message may not have arrived yet
        return state, [*found, state]

    def wait(self) -> Message:
        """The next message. Raises KeyboardInterrupt."""
        while True:
            with suppress(queue.Empty):
                return self._news.get(timeout=_LOOK)

    def close(self) -> None:
        """End all engines and the thread."""
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self.table.close(), self._loop).result(_CLOSING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSING)

    def _hear(self, message: Message) -> None:
        if message["kind"] in ("state", "told"):
            self._news.put(message)

    async def _let_answer(self) -> None:
        with suppress(CannotDo):  # it has just answered
            await self.table.interrupt()
            self._news.put(told(INFO, "It answers now. Ctrl-C again pauses it."))

    async def _let_rest(self) -> None:
        await self.table.pause(True)
