"""The controller's side of the wire: sends commands to an engine and reads its responses."""

from typing import Protocol

from gtp_engine.gtp.blocking import BlockingEngine
from gtp_engine.gtp.dispatch import Context, answer
from gtp_engine.gtp.line import parse_line
from gtp_engine.gtp.registry import Registry
from gtp_engine.gtp.response import Response


class Channel(Protocol):
    """A connection to an engine."""

    def send(self, line: str) -> Response | None:
        """Send a line; its response, or None for a line without a command.

        Raises EngineFault.
        """
        ...


class InProcess:
    """An engine called directly."""

    def __init__(self, registry: Registry, context: Context) -> None:
        self._registry = registry
        self._context = context

    def send(self, line: str) -> Response | None:
        """The response to a line; None for a line without a command."""
        reply = answer(self._registry, self._context, line)
        return reply and Response.parse(str(reply.response))


class Piped:
    """An engine in a process; the lines may contain ids.

    timeout -- seconds to wait for a response
    """

    def __init__(self, engine: BlockingEngine, timeout: float) -> None:
        self._engine = engine
        self._timeout = timeout

    def send(self, line: str) -> Response | None:
        """The response to a line; None for a line without a command. Raises EngineFault."""
        if parse_line(line) is None:
            self._engine.tell(line)
            return None
        return self._engine.ask_verbatim(line, self._timeout).response
