"""The main loop of an engine: lines from stdin, responses to stdout.

The life of a line:

1. A thread reads stdin (inbox.py). It drops lines without a command, sets `interrupt` at
   `# interrupt`, and sets `pending` when any line follows the running command.
2. `serve` takes the next line. `parse_line` (line.py) finds its id, its name and its arguments.
3. `answer` (dispatch.py) looks the name up in the registry. The command converts the arguments
   (registry.py, commands/arguments.py); what it cannot convert is answered with the command's text.
4. The command's function (commands/) calls the session (engine/session.py). `genmove` decides on an
   answer (engine/answering.py), chooses a turn (engine/choosing.py) within a budget
   (engine/turn_budget.py), and the player (search/player.py) asks solvers and searches a tree of
   the kernel or in Python (search/backends/). Then the session commits the turn to its history.
5. A text is the response, an object is written as JSON, and a stream sends its lines itself.
   `Failure`, and what the engine refuses (engine/refusals.py), is answered with `?`; any other
   exception is logged and answered `? internal error`. All restore the session's state.
6. The response (response.py) goes to stdout, which only this loop writes.
7. While no line waits, the engine ponders (`idle`).
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

from gtp_engine.base import stderr
from gtp_engine.base.log import logger
from gtp_engine.base.platforms import set_blocking, unread, wait_until_closed
from gtp_engine.gtp.wire.dispatch import Answer, Context, answer, rest
from gtp_engine.gtp.wire.inbox import TOO_LONG, CommandLines, Inbox
from gtp_engine.gtp.wire.line import CommandLine, parse_line
from gtp_engine.gtp.wire.registry import Emit, Registry
from gtp_engine.gtp.wire.response import Response

LINE_TOO_LONG = "line too long"

# Seconds that an answer waits for a client that has closed stdin and reads nothing.
_PATIENCE = 10.0

# Bytes of one write, and seconds between two looks at the client.
_PIECE = 2**12
_BETWEEN = 0.25

# The exit status if a response cannot be written; see protocol_specs/clients/protocol.md.
_LOST = 2


def serve(
    registry: Registry,
    engine: Context,
    idle: Callable[[], None] = lambda: None,
    answered: Callable[[CommandLine, Response], None] = lambda line, response: None,
) -> None:
    """Answer the commands from stdin on stdout until `quit` or the end of input.

    When a command is answered and no further line has arrived, `idle` is called; it must return
    once `pending` is set. `answered` receives each command and its response.

    The loop also ends quietly when the client closes our stdout, and at once on SIGTERM and SIGINT,
    even in the middle of a command. If the client has closed stdin and no longer reads stdout, it
    ends with exit status 2.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _leave())
    for stream in (sys.stdin, sys.stdout):
        set_blocking(stream.fileno(), True)
    inbox, pipe = Inbox(sys.stdin.fileno()), ResponsePipe(sys.stdout.fileno())
    for watch in (_leave_when_closed, partial(_leave_when_unread, pipe)):
        threading.Thread(target=watch, name="leave", daemon=True).start()
    inbox.start()
    converse(registry, engine, inbox, partial(_write, pipe), idle, answered)


def converse(
    registry: Registry,
    engine: Context,
    inbox: CommandLines,
    write: Emit,
    idle: Callable[[], None] = lambda: None,
    answered: Callable[[CommandLine, Response], None] = lambda line, response: None,
) -> bool:
    """Answer commands until `quit` or the end of input; see `serve`. True for `quit`."""
    engine.interrupt, engine.pending = inbox.interrupt, inbox.pending
    free = 0.0  # since when no command runs
    for line in inbox:
        engine.asked = max(inbox.arrived, free)
        reply = _reply(registry, engine, line, write)
        if reply is not None:
            write("\n" if reply.streamed else str(reply.response))
            free = time.monotonic()
            if reply.quits:
                return True
            if (command := parse_line(line)) is not None:
                rest(partial(answered, command, reply.response))
            if not inbox.pending.is_set():
                rest(idle)
    return False


def _reply(registry: Registry, engine: Context, line: str, write: Emit) -> Answer | None:
    if not line.endswith(TOO_LONG):
        return answer(registry, engine, line, write)
    start = parse_line(line)
    return Answer(Response(False, LINE_TOO_LONG, start.id if start else None))


class ResponsePipe:
    """The file descriptor that the client reads.

    written -- how many bytes the pipe has taken
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._writes = False
        self.written = 0

    def write(self, text: str) -> None:
        """Write a text; waits while the client does not read. Raises OSError."""
        left = memoryview(text.encode())
        self._writes = True
        while left:
            size = os.write(self._descriptor, left[:_PIECE])
            self.written += size
            left = left[size:]
        self._writes = False

    def wait_until_stuck(
        self, seconds: float, sleep: Callable[[float], object] = time.sleep
    ) -> None:
        """Wait until a write waits for a client that has not read a byte for so long.

        Where the system does not tell what was read, until no piece was written for so long.
        """
        before: object = None
        waited = 0.0  # without the time in which this process was stopped
        while waited < seconds:
            now = self.written, unread(self._descriptor)
            waited = waited + _BETWEEN if self._writes and now == before else 0.0
            before = now
            sleep(_BETWEEN)


def _write(pipe: ResponsePipe, text: str) -> None:
    try:
        pipe.write(text)
    except BrokenPipeError:
        _leave()
    except OSError as error:
        logger().error("cannot write to stdout: {}", error)
        _leave(_LOST)


def _leave_when_closed() -> None:
    if wait_until_closed(sys.stdout.fileno()):
        _leave()


def _leave_when_unread(pipe: ResponsePipe) -> None:
    if wait_until_closed(sys.stdin.fileno()):
        pipe.wait_until_stuck(_PATIENCE)
        logger().error("answers are lost: the client has closed stdin and does not read stdout")
        _leave(_LOST)


def _leave(status: int = 0) -> None:
    """End the process at once: all answers were flushed, and nothing else needs cleaning up."""
    stderr.flush()
    os._exit(status)
