"""Commands for gomill and similar match runners."""

import re

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.commands import command
from gtp_engine.commands.arguments import word
from gtp_engine.commands.records import print_record
from gtp_engine.commands.regression import cputime
from gtp_engine.engine.explanation import about_last_turn
from gtp_engine.engine.history import SEPARATOR
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import settings
from gtp_engine.gtp.registry import Argument, Result, rest

_INVALID = "invalid arguments"

# Properties that identify the game, which a controller must not override.
_OURS = re.compile("A[BEW]|[BCW]|CA|FF|GAME|GM|KM|PIE|PL|POS|RU|SZ|TURN")


def _property(text: str) -> tuple[str, str]:
    r"""A name and a value from `NAME=VALUE`, where `\_` is a blank and `\\` a backslash."""
    name, separator, value = text.partition("=")
    name = name.upper()
    if not separator or not re.fullmatch("[A-Z]{1,8}", name) or _OURS.fullmatch(name):
        raise ValueError("not a property")
    return name, re.sub(r"\\([_\\])", lambda found: found[1].replace("_", " "), value)


@command("gomill-describe_engine")
def describe_engine(session: Session) -> str:
    """Describe the engine and its settings.

    Arguments: none
    Effect: none
    Reply: name and version; game and size; one line per setting, including the seed
    Fails: never
    """
    lines = [
        f"{ENGINE_NAME} {__version__}",
        f"game {session.game.name}",
        f"size {session.position.size}",
    ]
    lines += [f"{each.name} {session.settings.shown(each.name)}" for each in settings()]
    return "\n".join(lines)


@command("gomill-explain_last_move")
def explain_last_move(session: Session) -> str:
    """Report what the engine thought when it chose its last turn in this game.

    Arguments: none
    Effect: none
    Reply: the chance to win, the visits, and the expected turns separated by blanks; then, after
        semicolons, the remarks of `game-explain`: what is proven, why the turn was forced, its
        advantage over the second best, and in a game of points who is ahead. Empty if the engine
        has not searched for a turn in this game
    Fails: never
    Example:
        > game-set player random
        =
        > genmove x
        ? invalid color
        > gomill-explain_last_move
        =
    """
    return SEPARATOR.join(about_last_turn(session))


@command(
    "gomill-savesgf",
    word("FILE"),
    rest(Argument("NAME=VALUE", _property)),
    malformed=_INVALID,
    files=True,
)
def savesgf(session: Session, path: str, *properties: tuple[str, str]) -> str:
    r"""Write the game to a file, in the form for viewers of Go records.

    Arguments: the file, `-` to print the record; properties for the root, such as `EV=League`, in
        which `\_` stands for a blank and `\\` for a backslash
    Effect: writes or replaces the file; `loadsgf` restores the game from it
    Reply: empty
    Fails: `invalid arguments`, also for properties that identify the game; `cannot write
        file`
    Example:
        > gomill-savesgf no-such-folder/game.sgf PB=Patchpie
        ? cannot write file
        > gomill-savesgf game.sgf SZ=9
        ? invalid arguments
        > gomill-savesgf
        ? invalid arguments
    """
    return print_record(session, path, "display", dict(properties))


@command("gomill-cpu_time")
def cpu_time(session: Session) -> Result:
    """Report the processor time used by the engine, as `cputime` does.

    Arguments: none
    Effect: none
    Reply: seconds with three decimals
    Fails: never
    """
    return cputime(session)
