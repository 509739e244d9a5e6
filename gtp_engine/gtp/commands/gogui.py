"""Commands of GoGui, beside [the rules](gogui_rules.md) and [the analysis](gogui_analysis.md)."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from gtp_engine import ENGINE_NAME
from gtp_engine.engine.refusals import refusing
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import (
    COLOR,
    INVALID_COLOR,
    INVALID_TURN,
    word,
)
from gtp_engine.gtp.wire.registry import Failure, rest
from gtp_engine.rules.content import Content
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import bit
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Pie, UnplayablePosition

T = TypeVar("T")


@command("gogui-interrupt")
def gogui_interrupt(session: Session) -> None:
    """Announce that the line `# interrupt` ends a search early.

    Example:
        > gogui-interrupt
        =
    """


@command("gogui-version", rest(word("VERSION")))
def gogui_version(session: Session, *version: str) -> None:
    """Accept GoGui's version.

    Arguments: any
    Example:
        > gogui-version 1.6.0
        =
    """


@command("gogui-title")
def gogui_title(session: Session) -> str:
    """Report a title for the window.

    Reply: engine, game and size
    Example:
        > gogui-title
        = Patchpie: Implo 8x8
    """
    size = session.position.size
    return f"{ENGINE_NAME}: {session.game.title} {size}x{size}"


@command("gogui-play_sequence", rest(word("COLOR TURN")), malformed=INVALID_TURN)
def gogui_play_sequence(session: Session, *words: str) -> None:
    """Play several turns, parts of turns or clicks, all of them or none.

    Arguments: a color and a word for each, as for `play`
    Effect: as several `play`
    Fails: `invalid color or coordinate`; `illegal move`
    Example:
        > gogui-play_sequence b c4 w d5 b e6
        =
    """
    for color, turn in _pairs(session, words, str):
        session.play(color, turn)


@command("gogui-setup", rest(word("COLOR VERTEX")), malformed=INVALID_TURN)
def gogui_setup(session: Session, *words: str) -> None:
    """Put stones on the board: pieces of the kind that the game places.

    Arguments: a color and a vertex for each; a piece replaces the one on its vertex
    Effect: sets up the position without history and swap; the color to move stays if that is
        possible. Without arguments none
    Fails: `invalid color or coordinate`; `invalid position: ...` with the reason
    Example:
        > game-select robble 3
        =
        > gogui-setup b a1 w b2
        =
        > game-board
        = . . .
        . W .
        B . .
    """
    if not words:
        return
    position = session.position
    layers = position.layers()
    for color, vertex in _pairs(session, words, Vertex.parse):
        point = bit(vertex)
        if not position.board & point:
            raise Failure(INVALID_TURN)
        plain = session.game.look.plain[color]
        layers = {piece: points & ~point for piece, points in layers.items()}
        layers[plain] = layers.get(plain, 0) | point
    standing = {piece: points for piece, points in layers.items() if points}
    content = position.content._replace(layers=standing, pie=Pie.OFF, fields={})
    with refusing():
        session.set_position(_set_up(session.game, content))


def _set_up(game: Game, content: Content) -> Position:
    """The position, with the other color to move if only that is possible."""
    try:
        return game.set_up(content)
    except UnplayablePosition:
        with suppress(UnplayablePosition):
            return game.set_up(content._replace(to_move=content.to_move.opponent))
        raise


@command("gogui-setup_player", COLOR, malformed=INVALID_COLOR)
def gogui_setup_player(session: Session, color: Color) -> None:
    """Set the color to move.

    Arguments: the color
    Effect: sets up the position without history and swap
    Fails: `invalid color`; `invalid position: ...` with the reason
    Example:
        > gogui-setup b c4
        =
        > gogui-setup_player w
        =
        > game-to_move
        = white
    """
    content = session.position.content._replace(to_move=color, pie=Pie.OFF)
    with refusing():
        session.set_position(session.game.set_up(content))


def _pairs(
    session: Session, words: tuple[str, ...], convert: Callable[[str], T]
) -> list[tuple[Color, T]]:
    """Pairs of a color and what the word after it means."""
    try:
        colors = map(session.game.parse_color, words[::2])
        return list(zip(colors, map(convert, words[1::2]), strict=True))
    except ValueError:
        raise Failure(INVALID_TURN) from None
