"""Playing and taking back turns, and showing the game."""

from collections.abc import Callable

from gtp_engine.board.color import Color
from gtp_engine.board.diagram import draw
from gtp_engine.commands import command
from gtp_engine.commands.arguments import (
    COLOR,
    ILLEGAL_MOVE,
    INTEGER,
    INVALID_COLOR,
    INVALID_COLOR_OR_COORDINATE,
    word,
)
from gtp_engine.commands.live_graphics import decide_drawing
from gtp_engine.engine.session import CannotUndo, Session
from gtp_engine.engine.status import picture, status
from gtp_engine.gtp.errors import Failure
from gtp_engine.gtp.registry import optional
from gtp_engine.log import note
from gtp_engine.notation.items import Unreadable
from gtp_engine.notation.rule_text import rule_text
from gtp_engine.notation.turns import write_turn
from gtp_engine.rules.step import IllegalStep
from gtp_engine.rules.turns import TooMany, legal_turns
from gtp_engine.search.budget import Budget

DEFAULT_TURN_LIMIT = 1000
LARGEST_TURN_LIMIT = 20_000
LONGEST_COUNT = 5.0
CANNOT_UNDO = "cannot undo"


def counting_stop(session: Session) -> Callable[[], bool]:
    """The condition that ends a long count: a time limit, or an interrupt."""
    return Budget(seconds=LONGEST_COUNT, interrupt=session.interrupt).begin().reached


def play_word(session: Session, color: Color, text: str) -> None:
    """Play a word, or fail with the standard text."""
    try:
        session.play(color, text)
    except Unreadable as error:
        note("play {} {}: {}", color, text, error)
        raise Failure(INVALID_COLOR_OR_COORDINATE) from None
    except IllegalStep as error:
        note("play {} {}: {}", color, text, error)
        raise Failure(ILLEGAL_MOVE) from None


@command("play", COLOR, word("TURN"), malformed=INVALID_COLOR_OR_COORDINATE)
def play(session: Session, color: Color, turn: str) -> None:
    """Play a turn, a part of a turn, or one click.

    Arguments: the color to move, and a word (notation.md): step tokens joined by `/`, in which
        forced steps may be left out; a clicked vertex; `resign`; `pass` after the end
    Effect: plays the whole word, and then all forced steps; adds one entry to the history
    Reply: empty
    Fails: `invalid color or coordinate`; `illegal move` (`game-explain` explains why)
    Example:
        > play b c4
        =
        > play b d4
        ? illegal move
        > play w i5
        ? invalid color or coordinate
    """
    play_word(session, color, turn)


@command("genmove", COLOR, malformed=INVALID_COLOR)
def genmove(session: Session, color: Color) -> str:
    """Choose and play a turn, or the rest of an open turn.

    Arguments: the color to move
    Effect: the turn is played; adds one entry to the history. `# interrupt` ends the search early
    Reply: the turn in one word; `pass` after the end; `resign` if the setting `resign` allows it.
        With `moves` set to `clicks`: one click; and `pass` for the color that waits while a turn
        is open
    Fails: `invalid color`; `illegal move` for the color that is not to move
    Example:
        > genmove w
        ? illegal move
        > genmove x
        ? invalid color
    """
    try:
        return session.commit(decide_drawing(session, color))
    except IllegalStep as error:
        note("genmove {}: {}", color, error)
        raise Failure(ILLEGAL_MOVE) from None


@command("undo")
def undo(session: Session) -> None:
    """Take back the last `play`, `genmove`, `game-resolve` or `game-swap`.

    Arguments: none
    Effect: restores the position before it
    Reply: empty
    Fails: `cannot undo`
    Example:
        > undo
        ? cannot undo
        > play b a1
        =
        > undo
        =
    """
    gg_undo(session, 1)


@command("gg-undo", optional(INTEGER), malformed=CANNOT_UNDO)
def gg_undo(session: Session, count: int = 1) -> None:
    """Take back several entries of the history, all of them or none.

    Arguments: the number of entries, 1 by default
    Effect: restores the position before them
    Reply: empty
    Fails: `cannot undo`
    Example:
        > play b a1
        =
        > gg-undo 2
        ? cannot undo
        > gg-undo 1
        =
    """
    if count < 0:
        raise Failure(CANNOT_UNDO)
    try:
        session.undo(count)
    except CannotUndo:
        raise Failure(CANNOT_UNDO) from None


@command("showboard")
def showboard(session: Session) -> str:
    """Draw the game as text.

    Arguments: none
    Effect: none
    Reply: a title; the board, with the points of the last turn in parentheses; the last turn; a
        legend of the signs; who is to move, what an open turn needs, or the result
    Fails: never
    Example:
        > game-select robble 3
        =
        > play b b2
        =
        > showboard
        = Robble 3x3
            A   B   C
         3  .   .   .  3
         2  .  (B)  .  2
         1  .   .   .  1
            A   B   C
        Turn 1: Black B2
        Pieces: B Black stone, W White stone
        To move: White, 8 steps possible, or swap
    """
    return picture(session)


@command("game-to_move")
def game_to_move(session: Session) -> str:
    """Report the color to move.

    Arguments: none
    Effect: none
    Reply: `black` or `white`; after the end the color that did not play the last move on the board
    Fails: never
    Example:
        > game-to_move
        = black
    """
    return str(session.position.to_move)


@command("game-legal_steps")
def game_legal_steps(session: Session) -> str:
    """List the legal steps.

    Arguments: none
    Effect: none
    Reply: step tokens separated by blanks; empty after the end of the game
    Fails: never
    Example:
        > boardsize 2
        =
        > game-legal_steps
        = A1 A2 B1 B2
    """
    return " ".join(str(step) for step in session.legal_steps())


@command(
    "game-legal_turns",
    optional(INTEGER),
    malformed=f"the limit is an integer from 1 to {LARGEST_TURN_LIMIT}",
)
def game_legal_turns(session: Session, limit: int = DEFAULT_TURN_LIMIT) -> str:
    """List the legal turns: one per first step and distinct resulting position.

    Arguments: the largest number of turns to list, 1 to 20000; 1000 by default
    Effect: none; stops after five seconds, or on `# interrupt`
    Reply: turn tokens separated by blanks; empty after the end of the game
    Fails: `too many turns`; `the limit is an integer from 1 to 20000`
    Example:
        > game-select boloa 2
        =
        > game-legal_turns
        = pA1 sA1 pA2 sA2 pB1 sB1 pB2 sB2
        > game-legal_turns 3
        ? too many turns
    """
    if not 1 <= limit <= LARGEST_TURN_LIMIT:
        raise Failure(f"the limit is an integer from 1 to {LARGEST_TURN_LIMIT}")
    position, first_steps = session.position, session.legal_steps()
    try:
        found = legal_turns(position, limit, counting_stop(session), first_steps)
    except TooMany:
        raise Failure("too many turns") from None
    return " ".join(write_turn(position, turn.steps) for turn in found)


@command("game-board")
def game_board(session: Session) -> str:
    """Print the board in a form for programs.

    Arguments: none
    Effect: none
    Reply: one line per row, the top row first; one word per point: `.` for empty, otherwise a sign
        that `showboard` and the game's specification explain
    Fails: never
    Example:
        > game-select pilo 3
        =
        > play b b2
        =
        > play w c2
        =
        > play b b2-c2
        =
        > game-board
        = . . .
        . # B2
        . . .
    """
    return draw(session.position.size, session.position.layers())


@command("game-history")
def game_history(session: Session) -> str:
    """List the turns so far.

    Arguments: none
    Effect: none
    Reply: one line per turn: its number, the color and the turn token
    Fails: never
    Example:
        > play b c4
        =
        > play w swap
        =
        > game-history
        = 1 black C4
        2 white swap
    """
    turns = enumerate(session.turns(), 1)
    return "\n".join(f"{number} {turn.color} {turn.word}" for number, turn in turns)


@command("game-status")
def game_status(session: Session) -> str:
    """Report the state of the game.

    Arguments: none
    Effect: none
    Reply: lines with a key and a value: game, size, pie (the swap still possible), to_move, turns,
        turn (`open` inside a turn, else `complete`), selected (vertices clicked so far),
        last, over; after the end also result and reason
    Fails: never
    Example:
        > game-status
        = game implo
        size 8
        pie pieces
        to_move black
        turns 0
        turn complete
        selected none
        last none
        over no
    """
    return "\n".join(f"{key} {value}" for key, value in status(session).items())


@command("game-rules")
def game_rules(session: Session) -> str:
    """Print a summary of the rules.

    Arguments: none
    Effect: none
    Reply: some lines of text
    Fails: never
    Example:
        > game-select robble
        =
        > game-rules
        = Black and White put stones on empty squares, one a turn. Black begins.
        A new stone acts on each stone adjacent to it, of either color. Diagonals do not count.
        If the square behind that stone, as seen from the new one, is empty, it moves there.
        If the edge of the board is behind it, it is removed.
        If another stone is behind it, it changes color.
        All this happens at once, and nothing else follows from it.
        The game ends when the board is full.
        Then groups of equal size and opposite color cancel in pairs.
        The biggest group left over wins. If none is left, whoever made the last move loses.
        A position that appears for the third time with the same player to move is a draw.
        On the first turn White may change sides with Black instead.
    """
    return "\n".join(rule_text(session.game).short)
