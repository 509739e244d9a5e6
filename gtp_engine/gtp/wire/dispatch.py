"""One line in, one response out, at once or line by line; accesses no file."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from gtp_engine.base.log import logger, note
from gtp_engine.gtp.wire.line import CommandLine, parse_line, readable
from gtp_engine.gtp.wire.registry import Emit, Failure, JsonResult, Quit, Registry, Stream
from gtp_engine.gtp.wire.response import Response, plain

UNKNOWN_COMMAND = "unknown command"
INTERNAL_ERROR = "internal error"
NEEDS_QUOTES = 'a file name with # needs quotes: "FILE"'

# Most characters of a refused line in the log: a record may be megabytes.
_LONGEST_NOTE = 100


class Context(Protocol):
    """The object that commands work on.

    state     -- everything that commands change, as one value, so that a failure can restore it
    interrupt -- set to end a running command early
    pending   -- set when more input follows the running command, or the input has ended
    asked     -- when the running command's time began, on the monotonic clock; None if unknown
    """

    state: Any
    interrupt: threading.Event
    pending: threading.Event
    asked: float | None


class Answer(NamedTuple):
    """The response to a line.

    quits    -- whether it ends the session
    streamed -- whether all of it except the final empty line was sent already
    """

    response: Response
    quits: bool = False
    streamed: bool = False


def answer(
    registry: Registry, context: Context, text: str, emit: Emit | None = None
) -> Answer | None:
    """The answer to a line; None for a line without a command.

    A stream is sent to `emit` line by line; without `emit` it is collected like any other answer. A
    command that fails, expected or not, leaves the context's state unchanged.
    """
    line = parse_line(text)
    if line is None:
        return None
    command = registry.get(line.name)
    if command is None:
        return Answer(Response(False, UNKNOWN_COMMAND, line.id))
    before = context.state
    try:
        if line.cut and command.files:
            raise Failure(NEEDS_QUOTES)
        words = line.arguments if command.files else tuple(map(readable, line.arguments))
        registry.hear(context, line.name)
        result = command.call(context, words)
        if callable(result):
            return _streamed(result, line, context, emit)
        return Answer(Response(True, _written(result), line.id))
    except Quit:
        return Answer(Response(True, "", line.id), quits=True)
    except Exception as error:
        context.state = before
        return Answer(Response(False, _failure(registry, line, error), line.id))


def _written(result: str | JsonResult | None) -> str:
    if result is None:
        return ""
    if isinstance(result, str):
        return result
    import json

    return json.dumps(result, separators=(",", ":"))


def _failure(registry: Registry, line: CommandLine, error: Exception) -> str:
    """The text of a failure. What is neither a Failure nor declared as a refusal is our fault."""
    if isinstance(error, Failure):
        return str(error)
    text = registry.refusal(error)
    if text is None:
        logger().exception("internal error in the command {}", line.name)
        return INTERNAL_ERROR
    words = " ".join([line.name, *line.arguments])[:_LONGEST_NOTE]
    note("{}: {}", readable(words), error)
    return text


def rest(idle: Callable[[], None]) -> None:
    """Run the work between two commands; its errors are only logged."""
    try:
        idle()
    except Exception:
        logger().exception("internal error between two commands")


def _streamed(stream: Stream, line: CommandLine, context: Context, emit: Emit | None) -> Answer:
    """Run a stream to its end. It has begun with `=`, so an error can only end it."""
    before = context.state
    lines: list[str] = []

    def send(text: str) -> None:
        if emit is None:
            lines.append(text)
        elif body := plain(text):
            emit(f"{body}\n")

    if emit is not None:
        emit(f"{Response(True, id=line.id).head}\n")
    try:
        stream(send)
    except Exception:
        context.state = before
        logger().exception("internal error in the stream of {}", line.name)
    return Answer(Response(True, "\n" + "\n".join(lines), line.id), streamed=emit is not None)
