"""The host and the kernel as JavaScript has them: the only module that imports Pyodide.

The objects of JavaScript are in `site/`: the hosts in gtp-worker.js, board-worker.js and gtp.mjs,
the kernel in kernel.mjs. Where they return promises, Python is suspended until these are kept.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import Any

from pyodide.ffi import JsException, create_proxy, run_sync, to_js
from pyodide.webloop import WebLoop

_AT_ONCE = 0.005  # seconds of callbacks between two looks at what else JavaScript has to do


class JavaScriptKernel:
    """The kernel; see core.Calls.

    given     -- the object of JavaScript; its members have the same names
    memory_mb -- the most memory of a search tree or a table
    """

    def __init__(self, given: Any) -> None:
        self._given, self._kernel = given, given.kernel
        self.suspends = bool(given.suspends)
        self.memory_mb = int(given.memory_mb)

    def call(self, request: bytes) -> bytes:
        """See Calls."""
        try:
            return bytes(self._kernel.call(to_js(request)).to_bytes())
        except JsException as error:
            raise ValueError(error.message) from None

    def solve(self, request: bytes) -> None:
        """See Calls."""
        try:
            self._kept(self._kernel.solve(to_js(request)))
        except JsException as error:
            raise ValueError(error.message) from None

    def _kept(self, promise: Any) -> None:
        if self.suspends:
            run_sync(promise)


class JavaScriptHost(JavaScriptKernel):
    """A client in JavaScript; see host.Host."""

    def __init__(self, given: Any) -> None:
        """See JavaScriptKernel."""
        super().__init__(given)
        self.waits, self.has_files = bool(given.waits), bool(given.has_files)
        self.say: Callable[[str], None] = given.say

    def rest(self, seconds: float) -> None:
        """See Host."""
        self._kept(self._given.rest(seconds))

    def heard(self) -> bytes | None:
        """See Host."""
        piece = self._given.heard()
        return None if piece is None else bytes(piece.to_bytes())


class JavaScriptStacks(JavaScriptKernel):
    """The stacks of a worker; see inner_engine.Stacks."""

    def start(self, work: Callable[[], None]) -> None:
        """See Stacks."""
        self._given.start(create_proxy(work))

    def rest(self, until: "asyncio.Future[None] | None") -> None:
        """See Stacks."""
        self._kept(self._given.pause() if until is None else until)

    def call_back(self) -> None:
        """See Stacks."""
        self._given.call_back()


class Loop(WebLoop):  # type: ignore[misc]
    """Pyodide's event loop; callbacks that are due soon share one call of JavaScript.

    Such a call takes longer than most callbacks, and an answer for the page takes a chain of eight.
    None of them may suspend its stack: those behind it would wait.
    """

    def __init__(self) -> None:
        super().__init__()
        self._due: deque[asyncio.Handle] = deque()
        self._called = False

    def call_soon(
        self, callback: Callable[..., Any], *given: Any, context: Context | None = None
    ) -> asyncio.Handle:
        """See asyncio.loop.call_soon."""
        handle = asyncio.Handle(callback, given, self, context)
        self._due.append(handle)
        self._call()
        return handle

    def _call(self) -> None:
        if self._due and not self._called:
            self._called = True
            super().call_soon(self._run_due)

    def _run_due(self) -> None:
        end = self.time() + _AT_ONCE
        try:
            while self._due and self.time() < end:
                handle = self._due.popleft()
                if not handle.cancelled():
                    handle._run()
        finally:
            self._called = False
            self._call()


def use_own_loop() -> None:
    """Have all that begins from now on run in a Loop."""
    asyncio._set_running_loop(Loop())
