"""An engine in its own process, for one command at a time."""

import signal
import time
from collections.abc import Collection, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import ClassVar, NamedTuple, Self

from gtp_engine.extras import how_to_install
from gtp_engine.gtp.child import Child
from gtp_engine.gtp.pipes import Pipes
from gtp_engine.gtp.response import Response
from gtp_engine.gtp.usage import Use
from gtp_engine.gtp.wirelog import WireLog
from gtp_engine.platforms import KILL

LONGEST_ANSWER = 2**24  # bytes from one command to the end of its response
LONGEST_OUTPUT_LINE = 2**20  # bytes of one line of a response

_SLICE = 0.2  # seconds between two checks of an engine's health
_LAST_WORDS = 0.5  # seconds for an engine that closed its input or output to exit
_TERMINATION = 1.0  # most seconds for an engine to end on SIGTERM
_QUOTED = 60  # most characters of a quoted line
_FOREVER = float("inf")
_SIGNS = (b"", b"=", b"?")


class EngineFault(Exception):
    """A fault of an engine, in one sentence; `kind` is its word in tables."""

    kind: ClassVar[str]


class CannotStart(EngineFault):
    """The command cannot be run, or its process ended before the first response."""

    kind = "cannot start"


class EngineDied(EngineFault):
    """The engine exited, was killed, or closed its input or output."""

    kind = "crash"


class EngineSilent(EngineFault):
    """No complete response before the timeout."""

    kind = "stall"


class BadProtocol(EngineFault):
    """The output is not a response, has the wrong id, or has no end."""

    kind = "bad protocol"


class OutOfMemory(EngineFault):
    """The engine and its child processes exceed their memory limit."""

    kind = "memory"


class TimedResponse(NamedTuple):
    """A response.

    seconds -- from writing the command to the arrival of the last byte
    arrival -- `time.monotonic` at that arrival
    """

    response: Response
    seconds: float
    arrival: float


class EngineProcess:
    """A running engine; use it in a `with` statement, and in one thread except for `kill`.

    An engine cannot block us or exhaust our memory: all its pipes are read together, with a
    deadline. A fault is final: every further `ask` raises the same fault.

    folder      -- its working folder; a relative path in the command is relative to ours
    environment -- additional variables
    memory      -- memory limit in MiB, for it and its child processes together; needs psutil
    tail        -- number of remembered lines of the conversation, and of the log
    show_log    -- send its stderr to ours instead of remembering it
    processors  -- the only processors for it and its children; any if none are given
    log         -- beginning of the path of a file that records GTP and stderr: `-PID.log` is added
    """

    def __init__(
        self,
        command: str,
        *,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        memory: int | None = None,
        tail: int = 50,
        show_log: bool = False,
        processors: Collection[int] = (),
        log: Path | None = None,
    ) -> None:
        """Start the engine. Raises CannotStart, or OSError if the log cannot be written."""
        if memory is not None and find_spec("psutil") is None:
            raise CannotStart(f"a limit of memory needs psutil: {how_to_install('arena')}")
        try:
            self._child = Child(command, folder, environment, show_log, processors)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CannotStart(f"cannot start `{command}`: {reason}") from None
        self.pid = self._child.pid
        try:
            wire_log = WireLog(Path(f"{log}-{self.pid}.log")) if log else None
        except OSError:
            self._child.end()
            raise
        self._pipes = Pipes(self._child, LONGEST_ANSWER + 1, tail, log=wire_log)
        self._memory = memory
        self._fault: EngineFault | None = None
        self._number = 0
        self._answered = False
        self._searched = 0  # received bytes known to contain no end of a response
        self._next_look = 0.0
        self._closed = False
        self._measuring = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._child.status() is None

    @property
    def conversation(self) -> tuple[str, ...]:
        """The last lines to the engine (`> `), from it (`< `) and of its log (`! `), in order.

        The log and long responses cannot displace the rest. Long lines are shortened.
        """
        return self._pipes.conversation

    def ask(self, line: str, timeout: float | None) -> TimedResponse:
        """Send a command with a new id, and wait for the response.

        timeout -- seconds to wait, or None for ever

        Raises EngineFault.
        """
        self._number += 1
        return self._exchange(f"{self._number} {line}", self._number, timeout)

    def ask_measured(self, line: str, timeout: float | None) -> tuple[TimedResponse, Use | None]:
        """`ask`, with the engine's use of the processors meanwhile, if the system reports it."""
        before = self._child.usage()
        self._measuring = True
        try:
            answer = self.ask(line, timeout)
        finally:
            self._measuring = False
        return answer, self._child.usage().since(before)

    def ask_verbatim(self, line: str, timeout: float | None) -> TimedResponse:
        """Send a line unchanged, which must contain a command, and wait for the response.

        The id of the response is not checked. Raises EngineFault.
        """
        return self._exchange(line, None, timeout)

    def tell(self, line: str) -> None:
        """Send a line without a response: a comment, or `# interrupt`."""
        self._pipes.send(line)

    def drain(self) -> None:
        """Read available output without waiting, such as the log of an idle engine."""
        self._pipes.pump(0.0)

    def kill(self) -> None:
        """End the engine at once; an `ask` waiting in another thread then fails."""
        self._child.signal(KILL)

    def close(self, timeout: float = 2.0) -> None:
        """End the engine and everything it started; never raises, and leaves nothing behind.

        Unless there was a fault, the engine is asked to quit within `timeout` seconds. Then it gets
        SIGTERM, and finally its whole process group gets SIGKILL.
        """
        if self._closed:
            return
        self._closed = True
        self._child.meet_family()
        if self._fault is None:
            self._fault = EngineDied("the engine was closed")
            self._pipes.send("quit")
        else:
            self._child.signal(signal.SIGTERM)
            timeout = min(timeout, _TERMINATION)
        try:
            self._pipes.stop_writing()
            if self._pipes.wait_for_exit(timeout) is None:
                self._child.signal(signal.SIGTERM)
                self._pipes.wait_for_exit(min(timeout, _TERMINATION))
        finally:
            self._pipes.close()
            self._child.end()

    def _exchange(self, line: str, number: int | None, timeout: float | None) -> TimedResponse:
        if self._fault:
            raise self._fault
        if "\n" in line:
            raise ValueError(f"more than one line: {line!r}")
        pipes = self._pipes
        try:
            self._refuse_leftovers()
            start = time.monotonic()
            pipes.send(line)
            self._wait_for_answer(line, start + (_FOREVER if timeout is None else timeout))
            response = self._response(number)
        except EngineFault as fault:
            pipes.take(len(pipes.received))
            self._fault = fault
            raise
        self._answered = True
        return TimedResponse(response, pipes.arrival - start, pipes.arrival)

    def _refuse_leftovers(self) -> None:
        """Raise BadProtocol for output that arrived before the next command was sent."""
        pipes = self._pipes
        self._look_if_due()
        pipes.pump(0.0)
        if pipes.received.strip(b"\n"):
            raise BadProtocol(f"an unexpected response: {_quote(pipes.received)}")
        pipes.received.clear()
        pipes.amount = self._searched = 0

    def _wait_for_answer(self, line: str, deadline: float) -> None:
        pipes = self._pipes
        late = False
        while not self._complete():
            if pipes.output_ended:
                raise self._death(line)
            if late:
                raise self._silence(line)
            if pipes.input_closed:
                pipes.wait_for_exit(_LAST_WORDS)
                pipes.output_ended = True
                continue
            self._look_if_due()
            left = deadline - time.monotonic()
            late = left <= 0
            pipes.pump(max(0.0, min(left, _SLICE)))

    def _complete(self) -> bool:
        """Whether a complete response has arrived. Raises BadProtocol if none can follow."""
        pipes = self._pipes
        received = pipes.received
        if received[:1] == b"\n":
            del received[: len(received) - len(received.lstrip(b"\n"))]
            self._searched = 0
        self._searched = received.find(b"\n\n", max(0, self._searched - 1))
        if self._searched >= 0:
            return True
        self._searched = len(received)
        if received[:1] not in _SIGNS and b"\n" in received:
            raise BadProtocol(f"not a response: {_quote(received)}")
        if pipes.amount > LONGEST_ANSWER:
            raise BadProtocol(f"a response of more than {LONGEST_ANSWER} bytes")
        last = len(received) - LONGEST_OUTPUT_LINE
        if last > 0 and received.find(b"\n", last) < 0:
            raise BadProtocol(f"a line of more than {LONGEST_OUTPUT_LINE} bytes")
        return False

    def _response(self, number: int | None) -> Response:
        """The response that has arrived completely."""
        text = self._pipes.take(self._searched)
        try:
            response = Response.parse(text)
        except ValueError:
            raise BadProtocol(f"not a response: {_cut(text)}") from None
        if number is not None and response.id != number:
            raise BadProtocol(f"the response to {number} has another id: {_cut(text)}")
        return response

    def _look_if_due(self) -> None:
        """Check the use of memory and the process itself from time to time.

        The output may stay open after the process has ended, because a child may hold the pipe.
        Raises OutOfMemory.
        """
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + _SLICE
        if self._memory is not None and (used := self._child.memory()) > self._memory:
            raise OutOfMemory(f"the engine uses {used} MiB; its limit is {self._memory} MiB")
        if self._measuring:
            self._child.usage()  # sees processes that may end before the response
        if not self.alive:
            self._pipes.read_rest()

    def _death(self, line: str) -> EngineFault:
        pipes = self._pipes
        waited = pipes.input_closed
        status = self._child.status() if waited else pipes.wait_for_exit(_LAST_WORDS)
        if status is None:
            how = "closed its input" if pipes.input_closed else "closed its output"
        else:
            how = f"exited with status {status}" if status >= 0 else _killed(-status)
        if pipes.received:
            return EngineDied(f"the engine {how} within an answer: {_quote(pipes.received)}")
        if self._answered or status is None:
            return EngineDied(f"the engine {how} at: {_cut(line)}")
        log = _after_colon(pipes.last_log_line)
        return CannotStart(f"the engine {how} before its first answer{log}")

    def _silence(self, line: str) -> EngineFault:
        received = self._pipes.received
        if not received:
            log = "" if self._answered else self._pipes.last_log_line
            return EngineSilent(f"no answer in time to: {_cut(line)}{_after_colon(log)}")
        if received[:1] not in _SIGNS:
            return BadProtocol(f"not a response: {_quote(received)}")
        return EngineSilent(f"no end of an answer in time: {_quote(received)}")


def _killed(number: int) -> str:
    try:
        return f"was killed by {signal.Signals(number).name}"
    except ValueError:
        return f"was killed by signal {number}"


def _after_colon(log: str) -> str:
    """The last line of a log, if any: an engine that cannot start says why there."""
    return f": {log}" if log else ""


def _quote(received: bytearray) -> str:
    return _cut(received[: 4 * _QUOTED].decode("utf-8", "replace").strip("\n"))


def _cut(text: str) -> str:
    """The first line of a text, shortened for a sentence."""
    first = text.partition("\n")[0]
    return first if len(first) <= _QUOTED else first[:_QUOTED] + "..."
