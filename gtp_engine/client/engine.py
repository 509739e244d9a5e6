"""An engine in a process of its own, for a client in asyncio: many commands may be under way."""

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
"""Seconds for commands that only look or play."""

LOG_LINES = 200
"""How many lines of an engine's log are kept."""

OnLine = Callable[["ClientEngine", str, str], None]
"""Hears each line: the engine, `>` to it, `<` from it or `!` of its log, and the text."""

_CHUNK = 2**16
_LOG_WIDTH = 500  # characters of a line of the log
_UNSENT = 2**22  # bytes that may wait for an engine that does not read
_QUITTING = 3.0  # seconds for an engine that was asked to quit
_TERMINATION = 1.0  # seconds for an engine to end on SIGTERM
_LAST_WORDS = 0.5  # seconds for an engine that closed its output to exit
_HEARD = 200  # lines of one answer that the console is told
_HEARD_LOG = 20  # lines of the log at a time that the console is told
_MOST_LINES = 100_000  # of one answer
_BREATH = 500  # lines after which others have their turn
_LOOK = 0.2  # seconds between two looks at whether a process is there
_STEP = 0.01  # the same of a process that is about to end
_QUOTED = 200  # characters of a line in an error


class _Exchange:
    """A command under way, and what has come of its answer.

    timeout   -- seconds from when it is the first in the queue, or None for ever
    on_report -- hears the lines of a stream, which are then not kept
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
        """There will be no answer."""
        if not self.answer.done():
            self.answer.set_exception(fault)
            self.answer.exception()  # nobody need be waiting


class ClientEngine:
    """A running engine. Commands are written at once, and answered in their order.

    After a fault it is good for nothing: what is under way and every further command fails with
    that fault, and the process is ended.

    command  -- a command line, or its words
    name     -- how people call it
    on_line  -- hears all that is said
    on_fault -- hears the fault once, whoever waits for an answer then
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
        """Whether it can be asked."""
        return self._process is not None and self.fault is None

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
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
        """Write a command now; the future has its answer, or raises EngineFault.

        timeout   -- seconds that the engine may take for it once all before it is answered
        on_report -- makes it a stream: hears each line of the answer behind the first at once
        """
        if "\n" in line or "\r" in line:
            raise ValueError(f"more than one line: {line!r}")
        self._number += 1
        exchange = _Exchange(self._number, line, timeout, on_report)
        if self.fault is not None or self._process is None:
            exchange.fail(self.fault or EngineDied(f"{self.name} does not run"))
            return exchange.answer
        self._queue.append(exchange)
        self._write(f"{exchange.number} {line}")
        self._hear(">", line)
        if len(self._queue) == 1:
            self._set_alarm()
        return exchange.answer

    async def ask(self, line: str, timeout: float | None = PLAIN_TIMEOUT) -> Response:
        """Send a command and wait for its answer. Raises EngineFault."""
        return await self.send(line, timeout)

    def stop(self) -> None:
        """End a stream: any line does. It must end before the plain timeout."""
        self._write("")
        if self._queue and self._queue[0].on_report is not None:
            self._queue[0].timeout = PLAIN_TIMEOUT
            self._set_alarm()

    def interrupt(self) -> None:
        """Let the search that runs answer now. Engines that do not know that take no notice."""
        self._write("# interrupt")
        self._hear(">", "# interrupt")

    def kill(self) -> None:
        """End the engine at once, and all that it started."""
        self._fail(EngineDied(f"{self.name} was ended"), silent=True)
        self._signal(KILL)

    async def close(self) -> None:
        """End the engine and all that it started; never raises."""
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
            self._fail(EngineSilent(f"{self.name} does not read what it is sent"))

    def _hear(self, direction: str, text: str) -> None:
        self._on_line(self, direction, text)

    def _set_alarm(self) -> None:
        """Wait for the first in the queue, from now on."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if self._queue and (seconds := self._queue[0].timeout) is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(seconds, self._be_late, self._queue[0])

    def _be_late(self, exchange: _Exchange) -> None:
        if self._queue and self._queue[0] is exchange:
            line = _cut(exchange.line)
            self._fail(EngineSilent(f"{self.name} does not answer: no answer in time to `{line}`"))

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
        """See the end of a process whose output stays open: a child of it may hold the pipe."""
        while process.returncode is None:
            await asyncio.sleep(_LOOK)
        await asyncio.sleep(_LOOK)  # for what it has written
        if self.fault is None:
            self._fail(await self._death(process))

    def _take(self, raw: bytes) -> None:
        """A line of output. Raises BadProtocol."""
        text = raw.decode("utf-8", "replace").translate(_CLEAN).rstrip(" ")
        exchange = self._queue[0] if self._queue else None
        if text and (exchange is None or len(exchange.lines) < _HEARD):
            self._hear("<", text)
        if exchange is None or not (exchange.lines or text):
            if text:
                raise BadProtocol(f"{self.name} said what nobody had asked for: `{_cut(text)}`")
            return
        if text and not exchange.lines and text[0] not in "=?":
            raise self._garbage(exchange, text)
        exchange.size += len(text) + 1
        if exchange.lines and text and exchange.on_report and exchange.lines[0][0] == "=":
            exchange.on_report(text)
            return
        if exchange.size > LONGEST_ANSWER or len(exchange.lines) > _MOST_LINES:
            raise BadProtocol(f"{self.name} sends an answer without an end")
        if text:
            exchange.lines.append(text)
            return
        self._finish(exchange)

    def _finish(self, exchange: _Exchange) -> None:
        """The answer is whole. Raises BadProtocol where it is another one's."""
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
        return BadProtocol(f"{self.name} gave no answer to `{asked}`, but `{got}`")

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
        """What happened to an engine whose output has ended."""
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
        log = f"; it said: {_cut(self.log[-1])}" if self.log else ""
        if self._answered or status is None:
            return EngineDied(f"{self.name} {how}{log}")
        return CannotStart(f"{self.name} {how} before its first answer{log}")

    def _fail(self, fault: EngineFault, silent: bool = False, wait: float = 0.0) -> None:
        """Give up the engine; whoever waits hears of it, and `on_fault` if not `silent`."""
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
        """See to it that the process is gone, and all of its group."""
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
    """Wait for the end of a process, at most so long. Its pipes may outlive it."""
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
    """The first line of a text, or what fits into a sentence of it."""
    first = text.partition("\n")[0]
    return first if len(first) <= _QUOTED else first[:_QUOTED] + "..."
