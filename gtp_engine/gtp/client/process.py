"""An engine from its start to its end, in an event loop: several commands may be in progress."""

import asyncio
import signal
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from enum import Enum
from functools import partial
from pathlib import Path

from gtp_engine.gtp.client.child import Child, Hooks, Launch, Running
from gtp_engine.gtp.client.exchanges import Conversation, Exchange, Exchanges, quoted
from gtp_engine.gtp.client.faults import CannotStart, EngineDied, EngineFault, EngineSilent
from gtp_engine.gtp.wire.response import Response

PLAIN_TIMEOUT = 5.0
"""Seconds for commands that need no search."""

PAGE_TIMEOUT = 30.0
"""Seconds for a command that writes a page."""

QUITTING = 3.0
"""Seconds for an engine that was asked to quit."""

TAIL = 200
"""Number of remembered lines of a conversation, and of the log."""

OnLine = Callable[["EngineProcess", str, str], None]
"""Receives each line: the engine, `>` for sent, `<` for received, `!` for its log, and the text."""

_CRASHES = ("SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGSEGV")
_UNSENT = 2**22  # most unsent bytes for an engine that does not read
_TERMINATION = 1.0  # seconds for an engine to end on SIGTERM
_LAST_WORDS = 3.0  # seconds for an engine that closed its input or output to exit


class EngineState(Enum):
    """The life of an engine.

    STARTING -- the system starts its process; commands wait in its input
    READY    -- it runs, and no response is expected
    BUSY     -- a response is expected
    STOPPING -- it accepts no more commands, and is being ended
    DEAD     -- nothing is left of it
    """

    STARTING = "starting"
    READY = "ready"
    BUSY = "busy"
    STOPPING = "stopping"
    DEAD = "dead"


class EngineProcess:
    """An engine. Commands are written at once, and answered in order.

    It starts at once. A fault is final: all commands in progress and all later ones fail with it,
    and the process is ended with everything that it has started. An engine cannot block us or
    exhaust our memory. Use it in the thread of its event loop; BlockingEngine is for other threads.

    Each change of `state` has one place: `_on_start` (READY or BUSY), `begin` (BUSY), `_on_output`
    (READY), `fail` (STOPPING) and `_end` (DEAD).

    name   -- its name for people
    fault  -- why it accepts no more commands, None while it does
    record -- receives all bytes on its pipes after the sign of the pipe
    """

    def __init__(
        self,
        command: Launch,
        name: str = "the engine",
        *,
        on_line: OnLine | None = None,
        on_fault: Callable[["EngineProcess", EngineFault], None] = lambda engine, fault: None,
        tail: int = TAIL,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        show_log: bool = False,
        processors: Collection[int] = (),
    ) -> None:
        """Start an engine; never raises.

        command     -- a command line, or its words, in which a relative path is relative to our
                       folder; or a function that starts the engine, which alone knows its options
        on_line     -- receives every line sent and received
        on_fault    -- receives the fault, once
        tail        -- number of remembered lines of the conversation, and of the log
        folder      -- its working folder
        environment -- additional variables
        show_log    -- send its stderr to ours instead of remembering it
        processors  -- the only processors for it and its children; any if none are given
        """
        self._loop = asyncio.get_running_loop()
        self.name, self.command = name, command
        self.state = EngineState.STARTING
        self.fault: EngineFault | None = None
        self.record: Callable[[str, bytes], None] = lambda sign, data: None
        self._on_fault = on_fault
        self._conversation = Conversation(tail, partial(on_line, self) if on_line else None)
        shown = TAIL if tail == TAIL else tail // 2
        self._exchanges = Exchanges(name, self._conversation, shown, self.fail)
        self._started: asyncio.Future[None] = self._loop.create_future()
        self._ending: asyncio.Task[None] | None = None
        self.child: Running | None = None
        hooks = Hooks(
            self._on_start,
            self._on_output,
            self._on_log,
            lambda: self._on_closed("input"),
            self._on_exit,
        )
        try:
            self.child = (
                command(hooks)
                if callable(command)
                else Child(
                    command,
                    hooks,
                    folder=folder,
                    environment=environment,
                    show_log=show_log,
                    processors=processors,
                )
            )
        except (OSError, ValueError) as error:
            self._loop.call_soon(self._on_start, error)

    @property
    def running(self) -> bool:
        """Whether it accepts commands."""
        return self.fault is None

    @property
    def conversation(self) -> tuple[str, ...]:
        """The last lines to the engine (`> `), from it (`< `) and of its log (`! `), in order.

        The log cannot displace the rest. Long lines and responses are shortened.
        """
        return self._conversation.lines

    async def start(self) -> int:
        """Wait until its process runs; returns the number of the process. Raises EngineFault."""
        await asyncio.shield(self._started)
        if self.fault is not None:
            raise self.fault
        assert self.child is not None
        assert self.child.pid is not None
        return self.child.pid

    def begin(
        self,
        line: str,
        timeout: float | None = PLAIN_TIMEOUT,
        on_report: Callable[[str], None] | None = None,
        *,
        verbatim: bool = False,
    ) -> Exchange:
        """Write a command now.

        timeout   -- seconds for the engine, starting when all earlier commands are answered; None
                     for ever
        on_report -- makes it a stream: receives each line after the first at once
        verbatim  -- send the line unchanged, and do not check the id of the response
        """
        if "\n" in line or "\r" in line:
            raise ValueError(f"more than one line: {line!r}")
        if self.fault is not None:
            exchange = Exchange(line, None, timeout, on_report, self._loop)
            exchange.fail(self.fault)
            return exchange
        exchange, sent = self._exchanges.add(line, timeout, on_report, verbatim)
        if self.state is EngineState.READY:
            self.state = EngineState.BUSY
        self._write(sent)
        return exchange

    def send(
        self,
        line: str,
        timeout: float | None = PLAIN_TIMEOUT,
        on_report: Callable[[str], None] | None = None,
    ) -> asyncio.Future[Response]:
        """Write a command now (see `begin`); the future has its response, or an EngineFault."""
        return self.begin(line, timeout, on_report).answer

    async def ask(self, line: str, timeout: float | None = PLAIN_TIMEOUT) -> Response:
        """Send a command and wait for its response. Raises EngineFault."""
        return await self.send(line, timeout)

    def tell(self, line: str) -> None:
        """Write a line now, such as a comment, which has no response."""
        if self.fault is None:
            self._conversation.say(">", line)
            self._write(line)

    def _write(self, line: str) -> None:
        if self.child is None or self.fault is not None:
            return
        data = line.encode("utf-8", "surrogateescape") + b"\n"
        self.record(">", data)
        if self.child.input.write(data) > _UNSENT:
            self.fail(EngineSilent(f"{self.name} does not read its input"))

    def stop(self) -> None:
        """End a stream: any line does. It must end within the usual timeout."""
        self._write("")
        self._exchanges.end_stream(PLAIN_TIMEOUT)

    def interrupt(self) -> None:
        """Let the running search answer now. Engines without that feature ignore it."""
        self.tell("# interrupt")

    def kill(self) -> None:
        """End the engine and everything it started, at once; this is no fault to report."""
        self.fail(EngineDied(f"{self.name} was killed"), silent=True)
        if self.child is not None:
            self.child.kill()

    async def close(self, patience: float = QUITTING) -> None:
        """End the engine and everything it started; never raises, and leaves nothing behind.

        Unless there was a fault, the engine is asked to quit within `patience` seconds. Then it
        gets SIGTERM, and finally everything is killed.
        """
        self.tell("quit")
        self.fail(EngineDied(f"{self.name} was closed"), silent=True, patience=patience)
        if self._ending is not None:
            await asyncio.shield(self._ending)

    def fail(self, fault: EngineFault, *, silent: bool = False, patience: float = 0.0) -> None:
        """Give up the engine, unless that has happened.

        Waiting callers get the fault, and so does `on_fault` unless `silent`.

        patience -- seconds for the process to end by itself
        """
        if self.fault is not None:
            return
        self.fault, self.state = fault, EngineState.STOPPING
        self._exchanges.fail(fault)
        if not self._started.done():
            self._started.set_result(None)
        self._ending = self._loop.create_task(self._end(patience))
        if not silent:
            self._on_fault(self, fault)

    async def _end(self, patience: float) -> None:
        """Make sure that nothing is left."""
        child = self.child
        if child is not None:
            child.input.close()
            if patience:
                await asyncio.wait([child.gone], timeout=patience)
            if not child.gone.done():
                child.terminate()
                await asyncio.wait(
                    [child.gone], timeout=min(patience or _TERMINATION, _TERMINATION)
                )
            await child.end()
        self.state = EngineState.DEAD

    # What the process does.

    def _on_start(self, error: OSError | ValueError | None) -> None:
        if self.fault is not None:
            return
        if error is None:
            self.state = EngineState.BUSY if self._exchanges.first else EngineState.READY
            self._started.set_result(None)
            return
        number = error.errno if isinstance(error, OSError) else None
        reason = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
        self.fail(CannotStart(f"{self.name} cannot be started: {reason}", number))

    def _on_log(self, chunk: bytes) -> None:
        self.record("!", chunk)
        self._conversation.log(chunk)

    def _on_output(self, chunk: bytes) -> None:
        if not chunk:
            self._on_closed("output")
            return
        self.record("<", chunk)
        if self.fault is not None:
            return
        try:
            if self._exchanges.take(chunk) and self.state is EngineState.BUSY:
                self.state = EngineState.READY
        except EngineFault as fault:
            self.fail(fault)

    def _on_closed(self, pipe: str) -> None:
        """It closed its input or output: it is about to exit, or useless."""
        if self.fault is None:
            how = f"closed its {pipe}"
            self._loop.call_later(_LAST_WORDS, lambda: self.fail(self._death(how, exited=False)))

    def _on_exit(self) -> None:
        status = None if self.child is None else self.child.status
        if status is None:
            how = "has vanished"
        else:
            how = f"exited with status {status}" if status >= 0 else _ended_by(-status)
        if self.fault is None:
            self.fail(self._death(how, exited=True))

    def _death(self, how: str, exited: bool) -> EngineFault:
        """The fault of an engine that exited, or closed a pipe."""
        at, log = "", self._exchanges.log_says()
        brief = f"{self.name} {how}{log}"
        if (first := self._exchanges.first) is not None:
            asked, got = quoted(first.line), self._exchanges.received()
            if got:
                return EngineDied(
                    f"{self.name} {how} within its response to `{asked}`: `{got}`", brief
                )
            at = f" at `{asked}`"
        if exited and not self._exchanges.answered:
            return CannotStart(f"{self.name} {how} before its first response{log}")
        return EngineDied(f"{self.name} {how}{at}{log}", brief)


def _ended_by(number: int) -> str:
    """What a signal did, in words: some come from an error of the program itself."""
    name = f"signal {number}"
    with suppress(ValueError):
        name = signal.Signals(number).name
    who = "the system or another program"
    return f"crashed ({name})" if name in _CRASHES else f"was ended by {who} ({name})"
