"""The faults of an engine."""

from typing import ClassVar


class EngineFault(Exception):
    """A fault of an engine, in one sentence; `kind` is its word in tables.

    brief -- the sentence for people, without the command in progress
    """

    kind: ClassVar[str]

    def __init__(self, sentence: str, brief: str = "") -> None:
        super().__init__(sentence)
        self.brief = brief or sentence


class CannotStart(EngineFault):
    """The command cannot be run, or its process ended before the first response.

    number       -- the system's number of the error (errno), None if the system has started it
    conversation -- the last lines of a process that ended before anybody had it, with its log
    """

    kind = "cannot start"

    def __init__(
        self, sentence: str, number: int | None = None, conversation: tuple[str, ...] = ()
    ) -> None:
        super().__init__(sentence)
        self.number, self.conversation = number, conversation


class EngineDied(EngineFault):
    """The engine exited, was ended, or closed its input or output."""

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
