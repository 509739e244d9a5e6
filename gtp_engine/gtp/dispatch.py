"""One line in, one response out; touches no stream."""

import threading
from typing import Any, NamedTuple, Protocol

from gtp_engine.gtp.errors import Failure, Quit
from gtp_engine.gtp.line import parse_line
from gtp_engine.gtp.registry import Registry
from gtp_engine.gtp.response import Response
from gtp_engine.log import logger

UNKNOWN_COMMAND = "unknown command"
INTERNAL_ERROR = "internal error"


class Context(Protocol):
    """What commands work on.

    state     -- all that commands change, as one value, so that a failure can put it back
    interrupt -- set when a running command is to end early
    """

    state: Any
    interrupt: threading.Event


class Answer(NamedTuple):
    """The response to a line, and whether the session ends with it."""

    response: Response
    quits: bool = False


def answer(registry: Registry, context: Context, text: str) -> Answer | None:
    """The answer to a line; None for a line without a command.

    A command that fails, foreseen or not, leaves the context's state as it was.
    """
    line = parse_line(text)
    if line is None:
        return None
    command = registry.get(line.name)
    if command is None:
        return Answer(Response(False, UNKNOWN_COMMAND, line.id))
    before = context.state
    try:
        return Answer(Response(True, command.call(context, line.arguments) or "", line.id))
    except Quit:
        return Answer(Response(True, "", line.id), quits=True)
    except Failure as failure:
        context.state = before
        return Answer(Response(False, str(failure), line.id))
    except Exception:
        context.state = before
        logger().exception("the command {} failed unexpectedly", line.name)
        return Answer(Response(False, INTERNAL_ERROR, line.id))
