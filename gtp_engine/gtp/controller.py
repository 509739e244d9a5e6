"""The other side of the wire: sends commands to an engine and reads its answers."""

import shlex
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from gtp_engine.gtp.dispatch import Context, answer
from gtp_engine.gtp.registry import Registry
from gtp_engine.gtp.response import Response


class EngineDied(Exception):
    """The engine ended its output, or wrote what is no response."""


class Channel(Protocol):
    """A way to an engine."""

    def send(self, line: str) -> Response | None:
        """Send a line; its response, or None for a line without a command.

        Raises EngineDied.
        """
        ...


class InProcess:
    """An engine called directly."""

    def __init__(self, registry: Registry, context: Context) -> None:
        self._registry = registry
        self._context = context

    def send(self, line: str) -> Response | None:
        reply = answer(self._registry, self._context, line)
        return reply and Response.parse(str(reply.response))


class Subprocess:
    """An engine in a process of its own; use it in a `with` statement.

    has_command -- tells which lines get a response
    patience    -- seconds to wait for a response; then the engine is killed
    """

    def __init__(
        self,
        command: str,
        folder: Path,
        has_command: Callable[[str], bool],
        patience: float,
    ) -> None:
        """Start the engine in a folder. Raises OSError where it cannot be started."""
        self._has_command = has_command
        self._patience = patience
        self._process = subprocess.Popen(
            command_words(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            text=True,
            errors="replace",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Ask the engine to quit, and end it where it does not."""
        try:
            self._process.communicate("quit\n", timeout=3)
        except (subprocess.TimeoutExpired, OSError):
            self._process.kill()
            self._process.wait()

    def send(self, line: str) -> Response | None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise EngineDied(f"the engine is gone at: {line}") from None
        if not self._has_command(line):
            return None
        watch = threading.Timer(self._patience, self._process.kill)
        watch.start()
        try:
            return self._receive(line)
        finally:
            watch.cancel()

    def _receive(self, line: str) -> Response:
        assert self._process.stdout is not None
        text = ""
        for received in self._process.stdout:
            if not text and not received.strip("\r\n"):
                continue
            text += received
            if not received.strip("\r\n"):
                try:
                    return Response.parse(text)
                except ValueError as error:
                    raise EngineDied(str(error)) from None
        raise EngineDied(f"the engine ended, or was silent too long, at: {line}")


def command_words(command: str) -> list[str]:
    """A command line cut into words; a relative path to the program made absolute.

    The engine may be started in another folder than the one where the path was written.
    Raises ValueError for an unfinished quotation.
    """
    words = shlex.split(command)
    if words and "/" in words[0]:
        words[0] = str(Path(words[0]).absolute())
    return words
