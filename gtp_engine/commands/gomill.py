"""Commands for gomill and similar match runners."""

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.commands import command
from gtp_engine.commands.regression import cputime
from gtp_engine.engine.explanation import about_last_turn
from gtp_engine.engine.history import SEPARATOR
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import settings
from gtp_engine.gtp.registry import Result


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


@command("gomill-cpu_time")
def cpu_time(session: Session) -> Result:
    """Report the processor time used by the engine, as `cputime` does.

    Arguments: none
    Effect: none
    Reply: seconds with three decimals
    Fails: never
    """
    return cputime(session)
