"""The messages of a table to its viewers: JSON objects with a `kind`."""

from collections.abc import Callable
from typing import Any

Message = dict[str, Any]
"""A JSON object. Its key `kind` is the kind of message; `Table` lists the kinds."""

Listener = Callable[[Message], None]
"""Receives each message, in order; it must not wait."""

INFO, ERROR = "info", "error"


class CannotDo(Exception):
    """A request cannot be fulfilled; the text says why, in a sentence for people.

    engine -- the name of the engine that has failed, if that is why
    """

    def __init__(self, text: str, engine: str | None = None) -> None:
        super().__init__(text)
        self.engine = engine


GUEST_PLAYS = "A seat here is for a guest. To do this, close the invitation in Invite a friend."
"""Why a game with a guest is not replaced or disturbed."""

NO_HELP = "The engine gives no help while a guest plays."
"""Why there is no analysis, hint or review, and no game of the past."""


def told(level: str, text: str, engine: str | None = None) -> Message:
    """A sentence for people; `level` is INFO or ERROR.

    engine -- the name of the engine that has failed: when it runs again, the sentence is outdated
    """
    message = {"kind": "told", "level": level, "text": text}
    return message if engine is None else message | {"engine": engine}
