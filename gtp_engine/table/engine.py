"""An engine in a process of its own, for asyncio clients: several commands may be in progress."""

import asyncio
import signal
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from gtp_engine.gtp.process import (
    LONGEST_ANSWER,
    LONGEST_OUTPUT_LINE,
    BadProtocol,
    CannotStart,
    EngineDied,
    EngineFault,
    EngineSilent,
)
from gtp_engine.gtp.response import Response
from gtp_engine.platforms import KILL, own_group, signal_group, split_command

PLAIN_TIMEOUT = 5.0
"""Seconds for commands that need no search."""

LOG_LINES = 200
"""The number of stored lines of an engine's log."""

OnLine = Callable[["ClientEngine", str, str], None]
"""Receives each line: the engine, `>` for sent, `<` for received, `!` for its log, and the text."""

_CHUNK = 2**16
_LOG_WIDTH = 500  # characters of a line of the log
_UNSENT = 2**22  # most unsent bytes for an engine that does not read
_QUITTING = 3.0  # seconds for an engine that was asked to quit
_TERMINATION = 1.0  # seconds for an engine to end on SIGTERM
_LAST_WORDS = 0.5  # seconds for an engine that closed its output to exit
_HEARD = 200  # most lines of a response shown in the console
_HEARD_LOG = 20  # most lines of the log shown in the console at a time
_MOST_LINES = 100_000  # of one response
_BREATH = 500  # lines after which other tasks may run
_LOOK = 0.2  # seconds between two checks that a process is running
_STEP = 0.01  # the same for a process that is about to end
_QUOTED = 200  # characters of a line in an error


class _Exchange:
    """A command in progress, and the response received so far.

    timeout   -- seconds from the time it is first in the queue, or None for no limit
    on_report -- receives the lines of a stream, which are then not stored
    """

    def __init__(
        self,
        number: int,
        line: str,
        timeout: float | None,
        on_report: Callable[[str], None] | None,
    ) -> None:
        self.number, self.line, self.timeout, self.on_report = number, line, timeout, on_report
        self.lines: list[str] = []
        self.size = 0
        self.answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()

    def fail(self, fault: EngineFault) -> None:
        """End it without a response."""
        if not self.answer.done():
            self.answer.set_exception(fault)
            self.answer.exception()  # possibly nobody is waiting


class ClientEngine:
    """A running engine. Commands are written at once, and answered in order.

    A fault is final: all commands in progress and all later ones fail with it, and the process is
    ended.

    command  -- a command line, or its words
    name     -- its name for people
    on_line  -- receives every line sent and received
    on_fault -- receives the fault, once
    log      -- the last lines of its stderr
    """

    def __init__(
        self,
        command: str | Sequence[str],
        name: str,
        on_line: OnLine = lambda engine, direction, text: None,
        on_fault: Callable[["ClientEngine", EngineFault], None] = lambda engine, fault: None,
    ) -> None:
        self.command, self.name = command, name
        self.log: deque[str] = deque(maxlen=LOG_LINES)
        self.fault: EngineFault | None = None
        self._on_line, self._on_fault = on_line, on_fault
        self._queue: deque[_Exchange] = deque()
        self._process: Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._ending: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._number = 0
        self._answered = False

    @property
    def running(self) -> bool:
        """Whether it accepts commands."""
        return self._process is not None and self.fault is None

    @property
    def busy(self) -> bool:
        """Whether a response is expected."""
        return bool(self._queue)

    async def start(self) -> int:
        """Start the process; returns its number. Raises CannotStart."""
        try:
            words = split_command(self.command) if isinstance(self.command, str) else self.command
            if not words:
                raise ValueError("the command is empty")
            self._process = await asyncio.create_subprocess_exec(
                *words,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                limit=LONGEST_OUTPUT_LINE,
                **own_group(),
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            self.fault = CannotStart(f"{self.name} cannot be started: {reason}")
            raise self.fault from None
        self._tasks = [
            asyncio.create_task(self._read_answers(self._process)),
            asyncio.create_task(self._read_log(self._process)),
            asyncio.create_task(self._watch(self._process)),
        ]
        return self._process.pid

    def send(
        self,
        line: str,
        timeout: float | None = PLAIN_TIMEOUT,
        on_report: Callable[[str], None] | None = None,
    ) -> asyncio.Future[Response]:
        """Write a command now; the future returns its response, or raises EngineFault.

        timeout   -- seconds for the engine, starting when all earlier commands are answered
        on_report -- makes it a stream: receives each line after the first at once
        """
        if "\n" in line or "\r" in line:
            raise ValueError(f"more than one line: {line!r}")
        self._number += 1
        exchange = _Exchange(self._number, line, timeout, on_report)
        if self.fault is not None or self._process is None:
            exchange.fail(self.fault or EngineDied(f"{self.name} is not running"))
            return exchange.answer
        self._queue.append(exchange)
        self._write(f"{exchange.number} {line}")
        self._hear(">", line)
        if len(self._queue) == 1:
            self._set_alarm()
        return exchange.answer

    async def ask(self, line: str, timeout: float | None = PLAIN_TIMEOUT) -> Response:
        """Send a command and wait for its response. Raises EngineFault."""
        return await self.send(line, timeout)

    def stop(self) -> None:
        """End a stream: any line does. It must end within the usual timeout."""
        self._write("")
        if self._queue and self._queue[0].on_report is not None:
            self._queue[0].timeout = PLAIN_TIMEOUT
            self._set_alarm()

    def interrupt(self) -> None:
        """Let the running search answer now. Engines without that feature ignore it."""
        self._write("# interrupt")
        self._hear(">", "# interrupt")

    def kill(self) -> None:
        """End the engine and everything it started, at once."""
        self._fail(EngineDied(f"{self.name} was ended"), silent=True)
        self._signal(KILL)

    async def close(self) -> None:
        """End the engine and everything it started; never raises."""
        asked = self.fault is None and self._process is not None
        if asked:
            self._write("quit")
        self._fail(EngineDied(f"{self.name} was closed"), silent=True, wait=_QUITTING)
        if self._ending is not None:
            await asyncio.shield(self._ending)

    def _write(self, line: str) -> None:
        pipe = self._process.stdin if self._process is not None else None
        if pipe is None or self.fault is not None or pipe.is_closing():
            return
        pipe.write(line.encode("utf-8", "surrogateescape") + b"\n")
        if pipe.transport.get_write_buffer_size() > _UNSENT:
            self._fail(EngineSilent(f"{self.name} does not read its input"))

    def _hear(self, direction: str, text: str) -> None:
        self._on_line(self, direction, text)

    def _set_alarm(self) -> None:
        """Start the timeout of the first command in the queue."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._queue and (seconds := self._queue[0].timeout) is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(seconds, self._be_late, self._queue[0])

    def _be_late(self, exchange: _Exchange) -> None:
        if self._queue and self._queue[0] is exchange:
            line = _cut(exchange.line)
            self._fail(EngineSilent(f"{self.name} did not respond in time to `{line}`"))

    async def _read_answers(self, process: Process) -> None:
        assert process.stdout is not None
        try:
            count = 0
            while line := await process.stdout.readline():
                self._take(line)
                count += 1
                if not count % _BREATH:
                    await asyncio.sleep(0)
        except ValueError:
            self._fail(BadProtocol(f"{self.name} sent a line of more than {LONGEST_OUTPUT_LINE}"))
        except EngineFault as fault:
            self._fail(fault)
        except OSError:
            pass
        if self.fault is None:
            self._fail(await self._death(process))

    async def _watch(self, process: Process) -> None:
        """Detect the end of a process whose output stays open because a child holds the pipe."""
        while process.returncode is None:
            await asyncio.sleep(_LOOK)
        await asyncio.sleep(_LOOK)  # to read its last output
        if self.fault is None:
            self._fail(await self._death(process))

    def _take(self, raw: bytes) -> None:
        """Process a line of output. Raises BadProtocol."""
        text = raw.decode("utf-8", "replace").translate(_CLEAN).rstrip(" ")
        exchange = self._queue[0] if self._queue else None
        if text and (exchange is None or len(exchange.lines) < _HEARD):
            self._hear("<", text)
        if exchange is None or not (exchange.lines or text):
            if text:
                raise BadProtocol(f"{self.name} sent an unexpected line: `{_cut(text)}`")
            return
        if text and not exchange.lines and text[0] not in "=?":
            raise self._garbage(exchange, text)
        exchange.size += len(text) + 1
        if exchange.lines and text and exchange.on_report and exchange.lines[0][0] == "=":
            exchange.on_report(text)
            return
        if exchange.size > LONGEST_ANSWER or len(exchange.lines) > _MOST_LINES:
            raise BadProtocol(f"{self.name} sends a response without an end")
        if text:
            exchange.lines.append(text)
            return
        self._finish(exchange)

    def _finish(self, exchange: _Exchange) -> None:
        """Complete a response. Raises BadProtocol if it has the wrong id."""
        text = "\n".join(exchange.lines)
        try:
            response = Response.parse(text)
        except ValueError:
            raise self._garbage(exchange, text) from None
        if response.id != exchange.number:
            raise self._garbage(exchange, text)
        self._queue.popleft()
        self._answered = True
        self._set_alarm()
        if not exchange.answer.done():
            exchange.answer.set_result(response)

    def _garbage(self, exchange: _Exchange, text: str) -> BadProtocol:
        asked, got = _cut(exchange.line), _cut(text)
        return BadProtocol(f"{self.name} sent an invalid response to `{asked}`: `{got}`")

    async def _read_log(self, process: Process) -> None:
        assert process.stderr is not None
        rest = b""
        with suppress(OSError):
            while chunk := await process.stderr.read(_CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                rest = rest[: 4 * _LOG_WIDTH]
                self._keep_log(lines[-LOG_LINES:])
        self._keep_log([rest])

    def _keep_log(self, lines: list[bytes]) -> None:
        for number, line in enumerate(lines, _HEARD_LOG - len(lines)):
            text = line[: 4 * _LOG_WIDTH].decode("utf-8", "replace").translate(_CLEAN)
            if text.strip():
                self.log.append(text[:_LOG_WIDTH])
                if number >= 0:
                    self._hear("!", text[:_LOG_WIDTH])

    async def _death(self, process: Process) -> EngineFault:
        """The fault of an engine whose output has ended."""
        await _exit_of(process, _LAST_WORDS)
        status = process.returncode
        if status is None:
            how = "closed its output"
        elif status >= 0:
            how = f"exited with status {status}"
        else:
            how = f"was killed by {_signal_name(-status)}"
        if self._queue:
            how += f" at `{_cut(self._queue[0].line)}`"
        log = f"; its log says: {_cut(self.log[-1])}" if self.log else ""
        if self._answered or status is None:
            return EngineDied(f"{self.name} {how}{log}")
        return CannotStart(f"{self.name} {how} before its first response{log}")

    def _fail(self, fault: EngineFault, silent: bool = False, wait: float = 0.0) -> None:
        """Give up the engine; waiting callers get the fault, as does `on_fault` unless `silent`."""
        if self.fault is not None:
            return
        self.fault = fault
        if self._alarm is not None:
            self._alarm.cancel()
        queue, self._queue = list(self._queue), deque()
        for exchange in queue:
            exchange.fail(fault)
        if self._process is not None:
            self._ending = asyncio.create_task(self._end(self._process, wait))
        if not silent:
            self._on_fault(self, fault)

    async def _end(self, process: Process, wait: float) -> None:
        """Make sure that the process and its group are gone."""
        with suppress(OSError, RuntimeError):
            if process.stdin is not None:
                process.stdin.close()
        if wait:
            await _exit_of(process, wait)
        if process.returncode is None:
            self._signal(signal.SIGTERM)
            await _exit_of(process, _TERMINATION)
        self._signal(KILL)
        await _exit_of(process, _TERMINATION)
        current = asyncio.current_task()
        for task in self._tasks:
            if task is not current:
                task.cancel()
        transport = getattr(process, "_transport", None)
        if transport is not None:  # closes the pipes, which a forked child may hold open
            transport.close()

    def _signal(self, number: int) -> None:
        process = self._process
        if process is None:
            return
        with suppress(OSError):  # also ProcessLookupError: it is gone
            signal_group(process.pid, number)


_CLEAN = dict.fromkeys((*range(32), 127)) | {ord("\t"): " "}


async def _exit_of(process: Process, seconds: float) -> None:
    """Wait for the end of a process, with a time limit. Its pipes may stay open longer."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while process.returncode is None and loop.time() < end:
        await asyncio.sleep(_STEP)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _cut(text: str) -> str:
    """The first line of a text, shortened for a sentence."""
    first = text.partition("\n")[0]
    return first if len(first) <= _QUOTED else first[:_QUOTED] + "..."
