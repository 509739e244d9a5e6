"""Commands in progress, the framing of their responses, and the last lines of the conversation."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import count

from gtp_engine.gtp.client.faults import BadProtocol, EngineFault, EngineSilent
from gtp_engine.gtp.wire.response import Response

LONGEST_ANSWER = 2**24
"""Most bytes of a response; a stream may be longer."""

LONGEST_OUTPUT_LINE = 2**20
"""Most bytes of one line of a response."""

_QUOTED = 200  # characters of a line in a sentence

# A timeout is counted down in parts. A part that ends this late does not count, because this
# process did not run: it was stopped, or the system slept.
_PART, _LATE = 0.25, 0.25  # seconds

_WIDTH = 500  # most characters of a remembered line
_HEARD = 20  # most lines of the log that are passed on at a time

# The protocol ignores control characters and treats a tab as a blank.
_BLANKS = bytes.maketrans(b"\t", b" ")
_CONTROL = bytes({*range(32), 127} - set(b"\t\n"))


class Exchange:
    """A command in progress, and its response as far as received.

    answer  -- the response, or an EngineFault
    on_end  -- is called at once when the answer is there
    sent    -- the time of the loop when the command was written
    arrival -- the same when the last byte of the response came
    """

    def __init__(
        self,
        line: str,
        number: int | None,
        timeout: float | None,
        on_report: Callable[[str], None] | None,
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.line, self.number, self.timeout, self.on_report = line, number, timeout, on_report
        self.answer: asyncio.Future[Response] = loop.create_future()
        self.on_end: Callable[[], None] = _nothing
        self.sent = self.arrival = loop.time()
        self.lines: list[str] = []
        self.size = 0

    def fail(self, fault: EngineFault) -> None:
        """End it without a response."""
        if not self.answer.done():
            self.answer.set_exception(fault)
            self.answer.exception()  # possibly nobody is waiting
            self.on_end()


class Conversation:
    """Remembers lines to an engine (`>`), from it (`<`), and of its log (`!`).

    The log cannot displace the rest.

    hear -- receives each line: its sign and its text
    tail -- number of remembered lines, and of those of the log
    """

    def __init__(self, tail: int, hear: Callable[[str, str], None] | None = None) -> None:
        self.hear = hear
        self._tail = tail
        self._order = count()
        self._said: deque[tuple[int, str]] = deque(maxlen=tail)
        self._logged: deque[tuple[int, str]] = deque(maxlen=tail)
        self._unfinished = b""

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines in order, each after its sign and a blank. Long lines are shortened."""
        return tuple(line for _, line in sorted([*self._said, *self._logged]))

    @property
    def last_log_line(self) -> str:
        """The last line of the log, "" if it is empty."""
        return self._logged[-1][1].removeprefix("! ") if self._logged else ""

    def say(self, sign: str, text: str, bare: str | None = None) -> None:
        """Remember a line of GTP, and pass it on, or what it is without its id."""
        self._said.append((next(self._order), f"{sign} {text}"[:_WIDTH]))
        if self.hear is not None:
            self.hear(sign, text if bare is None else bare)

    def log(self, chunk: bytes) -> None:
        """Take a piece of the log; empty at its end."""
        text = self._unfinished + (chunk or b"\n")
        *lines, rest = text.translate(_BLANKS, _CONTROL).rsplit(b"\n", self._tail)
        self._unfinished = rest[:_WIDTH]
        ends = (line.rpartition(b"\n")[2][: 4 * _WIDTH] for line in lines)
        self._keep([end.decode("utf-8", "replace") for end in ends if end])

    def _keep(self, lines: Sequence[str]) -> None:
        for number, line in enumerate(lines, _HEARD - len(lines)):
            shown = f"! {line}"[:_WIDTH]
            self._logged.append((next(self._order), shown))
            if number >= 0 and self.hear is not None:
                self.hear("!", shown[2:])


class Exchanges:
    """The commands in progress, in order; the first one expects the output, and in time.

    name     -- of the engine, for sentences about its faults
    answered -- whether any command was answered
    """

    def __init__(
        self,
        name: str,
        conversation: Conversation,
        shown: int,
        on_late: Callable[[EngineFault], None],
    ) -> None:
        """`on_late` receives the fault when a response does not come in time.

        shown -- the number of lines of a response that the conversation keeps
        """
        self.name = name
        self.answered = False
        self._loop = asyncio.get_running_loop()
        self._on_late = on_late
        self._alarm: asyncio.TimerHandle | None = None
        self._due = 0.0  # when it is set off
        self._left = self._since = 0.0
        self._number = 0
        self._conversation, self._shown = conversation, shown
        self._queue: deque[Exchange] = deque()
        self._partial = b""
        self._arrival = 0.0

    @property
    def first(self) -> Exchange | None:
        """The command that is being answered."""
        return self._queue[0] if self._queue else None

    def add(
        self,
        line: str,
        timeout: float | None,
        on_report: Callable[[str], None] | None,
        verbatim: bool,
    ) -> tuple[Exchange, str]:
        """Add a command: see EngineProcess.begin. Returns it, and the line to write."""
        self._number += 1
        number = None if verbatim else self._number
        exchange = Exchange(line, number, timeout, on_report, self._loop)
        self._queue.append(exchange)
        if len(self._queue) == 1:
            self._set_alarm()
        sent = line if verbatim else f"{number} {line}"
        self._conversation.say(">", sent, line)
        return exchange, sent

    def end_stream(self, seconds: float) -> None:
        """If a stream is in progress, it must end within this time."""
        if self._queue and self._queue[0].on_report is not None:
            self._queue[0].timeout = seconds
            self._set_alarm()

    def fail(self, fault: EngineFault) -> None:
        """End all without a response."""
        queue, self._queue = self._queue, deque()
        if self._alarm is not None:
            self._alarm.cancel()
        for exchange in queue:
            exchange.fail(fault)

    def take(self, chunk: bytes) -> bool:
        """Process output; returns whether all commands are answered. Raises BadProtocol."""
        self._arrival = self._loop.time()
        *lines, self._partial = (self._partial + chunk.translate(_BLANKS, _CONTROL)).split(b"\n")
        for line in lines:
            self._take(line.decode("utf-8", "replace"))
        if len(self._partial) > LONGEST_OUTPUT_LINE:
            what = f"a line of more than {LONGEST_OUTPUT_LINE} bytes"
            raise BadProtocol(f"{self.name} sent {what}")
        return not self._queue

    def log_says(self) -> str:
        """The last line of the log, if any: an engine that cannot start says why there."""
        last = self._conversation.last_log_line
        return f"; its log says: {quoted(last)}" if last else ""

    def received(self) -> str:
        """What has come of the first response, shortened."""
        rest = self._partial[: 4 * _QUOTED].decode("utf-8", "replace")
        begun = self._queue[0].lines[:1] if self._queue else []
        return quoted("\n".join([*begun, rest]).lstrip("\n"))

    def _set_alarm(self) -> None:
        """Start the timeout of the first command. An alarm of another command may still be set."""
        if self._queue and (timeout := self._queue[0].timeout) is not None:
            self._left, self._since = timeout, self._loop.time()
            self._count_down()

    def _count_down(self) -> None:
        due = self._since + min(self._left, _PART)
        if self._alarm is not None:
            if self._due <= due:
                return
            self._alarm.cancel()
        # Not `call_at`: the loop of a browser refuses a time that has passed meanwhile.
        seconds = max(0.0, due - self._loop.time())
        self._due, self._alarm = due, self._loop.call_later(seconds, self._counted, due)

    def _counted(self, due: float) -> None:
        """A part of the timeout is over, if we ran all the time."""
        self._alarm = None
        if not self._queue or self._queue[0].timeout is None:
            return
        now = self._loop.time()
        if now < due + _LATE:
            self._left -= now - self._since
        self._since = now
        if self._left > 0:
            self._count_down()
        else:
            self._be_late()

    def _be_late(self) -> None:
        exchange = self._queue[0]
        asked, got = quoted(exchange.line), self.received()
        if got and got[0] not in "=?":
            self._on_late(self._garbage(exchange, got))
            return
        how, brief = f"end its response to `{asked}` in time: `{got}`", ""
        if not got:
            says = "" if self.answered else self.log_says()
            how = f"respond in time to `{asked}`{says}"
            brief = "" if self.answered else f"{self.name} is slow to start{says}"
        self._on_late(EngineSilent(f"{self.name} did not {how}", brief))

    def _take(self, line: str) -> None:
        """Process a line of output. Raises BadProtocol."""
        exchange = self.first
        if exchange is None:
            if line.strip():
                self._conversation.say("<", line)
                raise BadProtocol(f"{self.name} sent an unexpected line: `{quoted(line)}`")
            return
        if not (line or exchange.lines):
            return
        if line and len(exchange.lines) <= self._shown:
            self._conversation.say("<", line if len(exchange.lines) < self._shown else "...")
        if line and not exchange.lines and line[0] not in "=?":
            raise self._garbage(exchange, line)
        if line and exchange.lines and exchange.on_report and exchange.lines[0][0] == "=":
            exchange.on_report(line)
            return
        if not line:
            self._finish(exchange)
            return
        exchange.lines.append(line)
        exchange.size += len(line) + 1
        if exchange.size > LONGEST_ANSWER:
            asked = quoted(exchange.line)
            what = f"a response of more than {LONGEST_ANSWER} bytes"
            raise BadProtocol(f"{self.name} sent {what} to `{asked}`")

    def _finish(self, exchange: Exchange) -> None:
        """Complete a response. Raises BadProtocol."""
        text = "\n".join(exchange.lines)
        try:
            response = Response.parse(text)
        except ValueError:
            raise self._garbage(exchange, text) from None
        if exchange.number is not None and response.id != exchange.number:
            asked = quoted(exchange.line)
            raise BadProtocol(f"{self.name} answered `{asked}` with another id: `{quoted(text)}`")
        self._queue.popleft()
        self._set_alarm()
        self.answered = True
        exchange.arrival = self._arrival
        if not exchange.answer.done():
            exchange.answer.set_result(response)
            exchange.on_end()

    def _garbage(self, exchange: Exchange, text: str) -> BadProtocol:
        asked, got = quoted(exchange.line), quoted(text)
        return BadProtocol(f"{self.name} sent an invalid response to `{asked}`: `{got}`")


def _nothing() -> None:
    """Nobody wants to know at once."""


def quoted(text: str) -> str:
    """The first line of a text, shortened for a sentence."""
    first = text.partition("\n")[0]
    return first if len(first) <= _QUOTED else first[:_QUOTED] + "..."
