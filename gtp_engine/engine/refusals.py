"""What a client is refused, told apart from faults of ours.

The rules raise the same exceptions whoever calls them. Those of this module say that the words of a
client were at fault: only code that reads such words raises them. `gtp.commands` has the texts.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from gtp_engine.rules.notation.position_text import UnreadablePosition
from gtp_engine.rules.notation.turns import Unreadable
from gtp_engine.rules.step import IllegalStep, UnplayablePosition


class Refusal(Exception):
    """What a client asked for cannot be done, and nothing has changed."""


class UnreadableTurn(Refusal, Unreadable):
    """A client's word is no turn, or names a vertex off the board."""


class IllegalTurn(Refusal, IllegalStep):
    """The rules forbid what a client wants to play."""


class InvalidPosition(Refusal, ValueError):
    """A position of a client cannot be read, or cannot occur."""


class CannotUndo(Refusal):
    """There are fewer plays to take back."""


@contextmanager
def refusing() -> Iterator[None]:
    """Refuse what the rules reject in this block: a client's words, and nothing of ours."""
    try:
        yield
    except IllegalStep as error:
        raise IllegalTurn(error.objection) from error
    except Unreadable as error:
        raise UnreadableTurn(*error.args) from error
    except (UnreadablePosition, UnplayablePosition) as error:
        raise InvalidPosition(*error.args) from error
