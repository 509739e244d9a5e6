"""Messages for a person at a terminal, beside the protocol: on stderr, which clients ignore."""

import sys

from gtp_engine import ENGINE_NAME
from gtp_engine.board.color import Color
from gtp_engine.cli.parser import meant
from gtp_engine.commands import registry
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import what_next
from gtp_engine.gtp.dispatch import UNKNOWN_COMMAND
from gtp_engine.gtp.line import CommandLine
from gtp_engine.gtp.response import Response
from gtp_engine.notation.items import Unreadable


def greet(session: Session) -> None:
    """Print what the program is and how to play."""
    size = session.position.size
    _say(
        f"{ENGINE_NAME} plays {session.game.title} {size}x{size} and speaks GTP: type help to see "
        "how to play, quit to leave."
    )


def comment(session: Session, line: CommandLine, response: Response) -> None:
    """Explain a response: why a line was refused, or what the turn still needs."""
    if response.text == UNKNOWN_COMMAND and not response.success:
        names = [command.name for command in registry()]
        _say(f"no such command{meant(line.name, names)} (help says how to play)")
    elif not response.success and line.name == "play" and len(line.arguments) > 1:
        _explain(session, *line.arguments[:2])
    elif response.success and line.name in ("play", "genmove", "undo") and session.turn_open:
        _say(what_next(session))


def _explain(session: Session, color: str, word: str) -> None:
    try:
        objection = session.explain(Color.parse(color), word)
    except Unreadable:
        title = session.game.title
        _say(f"{word[:40]} is no legal turn of {title} here: game-legal_steps lists the steps")
    except ValueError:
        _say(f"{color[:40]} is not a color; say b or w")
    else:
        if objection is not None:
            _say(str(objection))


def _say(sentence: str) -> None:
    if sys.stderr is not None:
        print(sentence, file=sys.stderr, flush=True)
