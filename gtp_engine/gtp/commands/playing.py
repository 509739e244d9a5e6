"""Turns: playing them, taking them back, and the legal ones."""

import time
from collections.abc import Callable

from gtp_engine.engine.choosing import suggest
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import (
    CANNOT_UNDO,
    COLOR,
    INTEGER,
    INVALID_COLOR,
    INVALID_TURN,
    bounded,
    word,
)
from gtp_engine.gtp.commands.live_graphics import decide_drawing
from gtp_engine.gtp.wire.registry import Failure, optional
from gtp_engine.rules.notation.turns import write_turn
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.turns import TooMany, legal_turns

DEFAULT_TURN_LIMIT = 1000
LARGEST_TURN_LIMIT = 20_000
LONGEST_COUNT = 5.0


def counting_stop(
    session: Session, clock: Callable[[], float] = time.monotonic
) -> Callable[[], bool]:
    """The condition that ends a long count: LONGEST_COUNT seconds, or an interrupt."""
    end = clock() + LONGEST_COUNT
    return lambda: session.interrupt.is_set() or clock() >= end


@command("play", COLOR, word("TURN"), malformed=INVALID_TURN)
def play(session: Session, color: Color, turn: str) -> None:
    """Play a turn, a part of a turn, or one click.

    Arguments: the color to move; a [turn](../notation.md#turns) as a word: steps joined by `/`, in
        which forced ones may be left out; a clicked vertex; `resign`; `timeout` if the color has
        run out of time; `pass` after the end
    Effect: plays the whole word, then all forced steps, as one entry of the history
    Fails: `invalid color or coordinate`; `illegal move` (`game-explain` says why)
    Example:
        > play b c4
        =
        > play b d4
        ? illegal move
        > play w i5
        ? invalid color or coordinate
    """
    session.play(color, turn)


@command("genmove", COLOR, malformed=INVALID_COLOR)
def genmove(session: Session, color: Color) -> str:
    """Choose and play a turn, or the rest of an open turn.

    Arguments: the color to move
    Effect: plays the turn as one entry of the history. `# interrupt` ends the search early
    Reply: the turn in one word; `pass` after the end; `resign` if the setting `resign` allows it.
        With `moves` at `clicks`: one click, or `pass` for the color that waits while a turn is open
    Fails: `invalid color`; `illegal move`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > genmove b
        = A3
    """
    return session.commit(decide_drawing(session, color))


@command("undo")
def undo(session: Session) -> None:
    """Take back the last `play`, `genmove`, `game-resolve` or `game-swap`.

    Effect: restores the position before it, and the clock before a `genmove`
    Fails: `cannot undo`
    Example:
        > play b a1
        =
        > undo
        =
    """
    session.undo()


@command("gg-undo", optional(bounded("N", INTEGER, 0, 10**9)), malformed=CANNOT_UNDO)
def gg_undo(session: Session, count: int = 1) -> None:
    """Take back several entries of the history, all of them or none.

    Arguments: their number, 1 by default
    Effect: restores the position before them, and the clocks
    Fails: `cannot undo`
    Example:
        > play b a1
        =
        > gg-undo 2
        ? cannot undo
        > gg-undo 1
        =
    """
    session.undo(count)


@command("game-to_move", also=("gogui-rules_side_to_move",))
def game_to_move(session: Session) -> str:
    """Report the color to move.

    Effect: none; by its other name it may set `moves` to `clicks`, as GoGui's [other
        commands](gogui_rules.md) do
    Reply: `black` or `white`, the same while a turn is open; after the end the color that did not
        play the last turn on the board
    Example:
        > game-to_move
        = black
    """
    return str(session.position.to_move)


@command("game-legal_steps")
def game_legal_steps(session: Session) -> str:
    """List the legal steps.

    Reply: [steps](../steps.md); empty after the end of the game
    Example:
        > boardsize 2
        =
        > game-legal_steps
        = A1 A2 B1 B2
    """
    return " ".join(str(step) for step in session.legal_steps())


@command(
    "game-legal_turns",
    optional(bounded("N", INTEGER, 1, LARGEST_TURN_LIMIT)),
    malformed=f"the limit is an integer from 1 to {LARGEST_TURN_LIMIT}",
)
def game_legal_turns(session: Session, limit: int = DEFAULT_TURN_LIMIT) -> str:
    """List the legal turns: one per first step and distinct resulting position.

    Arguments: the most turns to list, 1 to 20000; 1000 by default
    Effect: none; stops after five seconds, or on `# interrupt`
    Reply: turns; empty after the end of the game
    Fails: `too many turns`; `the limit is an integer from 1 to 20000`
    Example:
        > game-select boloa 2
        =
        > game-legal_turns
        = pA1 sA1 pA2 sA2 pB1 sB1 pB2 sB2
    """
    position, first_steps = session.position, session.legal_steps()
    try:
        found = legal_turns(position, limit, counting_stop(session), first_steps)
    except TooMany:
        raise Failure("too many turns") from None
    return " ".join(write_turn(position, turn.steps) for turn in found)


@command("reg_genmove", COLOR, malformed=INVALID_COLOR)
def reg_genmove(session: Session, color: Color) -> str:
    """Choose a turn without playing it, with a fixed seed.

    Arguments: the color to move
    Reply: as for `genmove`
    Fails: `invalid color`; `illegal move`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > reg_genmove b
        = A3
        > undo
        ? cannot undo
    """
    return suggest(session, color)
