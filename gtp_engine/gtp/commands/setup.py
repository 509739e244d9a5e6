"""The game, its size and rules, positions and settings."""

from gtp_engine.base.option import Option
from gtp_engine.engine.refusals import refusing
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import setting_of, settings
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import GAME, INTEGER, NUMBER, VALUE, word
from gtp_engine.gtp.wire.registry import Failure, optional, rest
from gtp_engine.rules import games
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.setups import handicapped
from gtp_engine.rules.step import UnplayablePosition
from gtp_engine.search.data_file import UnusableFile

UNACCEPTABLE_SIZE = "unacceptable size"
NOT_A_SIZE = "boardsize not an integer"


def _begin(session: Session, game: Game, size: int | None) -> None:
    try:
        session.new_game(game, size)
    except ValueError:
        raise Failure(UNACCEPTABLE_SIZE) from None


@command(
    "boardsize",
    INTEGER,
    optional(INTEGER),
    also=("rectangular_boardsize",),
    malformed=NOT_A_SIZE,
    counted=True,
)
def boardsize(session: Session, width: int, height: int | None = None) -> None:
    """Start a new game on a board of the given size.

    Arguments: the size, 2 to 19; once, or twice as width and height
    Effect: the start of the same game, without history; settings, komi and time control stay
    Fails: `unacceptable size`; `boardsize not an integer`, also for more than two
    Example:
        > boardsize 6
        =
    """
    if height not in (None, width):
        raise Failure(UNACCEPTABLE_SIZE)
    _begin(session, session.game, width)


@command("clear_board")
def clear_board(session: Session) -> None:
    """Start a new game.

    Effect: as `boardsize`, with the same size
    Example:
        > clear_board
        =
    """
    session.new_game()


@command("game-handicap", GAME, INTEGER, INTEGER)
def game_handicap(session: Session, game: Game, size: int, extra: int) -> str:
    """Show the start of a game in which Black has had extra turns.

    Arguments: a game, a size, and the number of extra turns (`game-catalog` tells the most)
    Reply: the position, for `game-position`: Black has one piece more than extra turns, and White
        is to move, without a swap
    Fails: `unknown game`; `syntax: ...`; a sentence, for a game without handicap, a size or a
        number
    Example:
        > game-handicap implo 5 1
        = implo 5 ...../...B./...../.B.../..... w pie=off
        > game-handicap robble 7 1
        ? Robble has no handicap
    """
    try:
        return write_position(handicapped(game, size, extra))
    except UnplayablePosition as error:
        raise Failure(str(error)) from None


@command("komi", NUMBER, malformed="komi not a float")
def komi(session: Session, value: float) -> None:
    """Accept a komi; it has no effect, because our games have none.

    Arguments: a finite number
    Effect: `get_komi` returns it
    Fails: `komi not a float`
    Example:
        > komi 6.5
        =
    """
    session.set_komi(value)


@command("get_komi")
def get_komi(session: Session) -> str:
    """Report the komi that was set.

    Reply: a number
    Example:
        > get_komi
        = 0.0
    """
    return repr(session.state.komi)


@command("game-list")
def game_list(session: Session) -> str:
    """List the games.

    Reply: one line per game: name, default size, and the sizes recommended by the designer, if any
    """
    return "\n".join(_line(game) for game in games())


def _line(game: Game) -> str:
    line = f"{game.name} default {game.default_size}"
    if game.recommended is None:
        return line
    return f"{line} recommended {game.recommended[0]}..{game.recommended[1]}"


@command("game-select", GAME._replace(name="NAME"), optional(INTEGER))
def game_select(session: Session, game: Game, size: int | None = None) -> None:
    """Start a new game of the given kind.

    Arguments: a name from `game-list`; a size, by default the game's
    Effect: the start of that game; what `boardsize` keeps stays
    Fails: `unknown game`; `unacceptable size`; `syntax: ...`
    Example:
        > game-select robble 5
        =
        > game-select chess
        ? unknown game
        > game-select pilo 1
        ? unacceptable size
    """
    _begin(session, game, size)


@command("game-position", rest(word("TEXT")))
def game_position(session: Session, *words: str) -> str:
    """Report the position as one line, or set it.

    Arguments: nothing, or a [position text](../notation.md#position-text), also of another game
    Effect: sets up the position without history
    Reply: the position text, without arguments
    Fails: `invalid position: ...` with the reason
    Example:
        > game-position robble 3 B../.W./... b
        =
        > game-position
        = robble 3 B../.W./... b pie=off
        > game-position robble 3 B../.W. b
        ? invalid position: 2 rows for size 3
    """
    if not words:
        return write_position(session.position)
    with refusing():
        session.set_position(read_position(" ".join(words)))
    return ""


@command("game-set", word("KEY"), VALUE, files=True)
def game_set(session: Session, key: str, value: str) -> str:
    """Change a setting.

    Arguments: a key from `game-settings`, and its new value, which may stand in quotes
    Effect: the setting holds until it is changed again; for `pie` see `game-pie`
    Fails: `unknown setting`; `invalid value for KEY: TYPE`; for a file that is unusable or is for
        another game, the reason; `syntax: ...`
    Example:
        > game-set visits 200
        =
        > game-set level beginner
        =
        > game-set visits many
        ? invalid value for visits: integer 0..1000000000
        > game-set colour red
        ? unknown setting
    """
    return change_setting(session, key, value)


def change_setting(session: Session, key: str, value: str) -> str:
    """Change a setting, or fail with a text that names its valid values."""
    setting = _setting(key)
    try:
        session.change_setting(setting.name, value)
    except UnusableFile as error:
        raise Failure(str(error)) from None
    except ValueError:
        raise Failure(f"invalid value for {key}: {setting.values.name}") from None
    return ""


def _setting(key: str) -> Option:
    """Raises Failure."""
    try:
        return setting_of(key)
    except KeyError:
        raise Failure("unknown setting") from None


@command("game-settings", optional(word("KEY")))
def game_settings(session: Session, key: str | None = None) -> str:
    """List all settings, or report one.

    Arguments: nothing, or the key of a setting
    Reply: one line per setting: key, value, type in brackets, meaning
    Fails: `unknown setting`; `syntax: ...`
    Example:
        > game-settings threads
        = threads auto [integer 1..256 or auto] search threads of the kernel
    """
    return "\n".join(
        f"{each.name} {session.settings.shown(each.name)} [{each.values.name}] {each.meaning}"
        for each in (settings() if key is None else [_setting(key)])
    )
