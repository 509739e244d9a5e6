"""The game as text and as a picture, and its rules."""

from gtp_engine.engine.session import Session
from gtp_engine.engine.status import picture, status
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import choice
from gtp_engine.gtp.wire.registry import optional
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.points.diagram import draw


@command("showboard")
def showboard(session: Session) -> str:
    """Draw the game as text.

    Reply: a title; the board, with the points of the last turn in parentheses; the last turn; a
        legend of the signs; who is to move, what an open turn needs, or the result
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


@command("game-board")
def game_board(session: Session) -> str:
    """Print the board in a form for programs.

    Reply: one line per row, the top row first, with one word per point: `.` for empty, otherwise a
        sign (`showboard` and the page of the game explain them)
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

    Reply: one line per turn: number, color and turn
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

    Reply: a line per key: game, size, pie (the swap still possible), to_move, turns, turn (`open`
        inside a turn, else `complete`), selected (vertices clicked so far), last, over; after the
        end also result and reason
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

    Reply: the lines `In short` from the page of [the game](../../games/)
    """
    return "\n".join(rule_text(session.game).short)


_PLAIN = "plain"


@command("game-svg", optional(choice(_PLAIN, "visits", "winrate", "openings")))
def game_svg(session: Session, kind: str = _PLAIN) -> str:
    """Draw the game as SVG.

    Arguments: `visits` or `winrate` adds a heat map by a search as for `genmove`, in percent: the
        share of the visits, or the chance of the color to move; `openings` adds the values of the
        first turns of a game; `plain` or nothing adds nothing
    Effect: none; `# interrupt` ends a search early
    Reply: an SVG document in ASCII: the board, with the points that the last turn changed; patches
        and legal clicks while a turn is open; owners after the end of the game; a caption
    Fails: `syntax: ...`
    Example:
        > game-svg heat
        ? syntax: game-svg [plain|visits|winrate|openings]
    """
    from gtp_engine.engine.heat import heat_scene
    from gtp_engine.engine.pictures.svg import picture
    from gtp_engine.engine.scenes import scene

    return picture(scene(session) if kind == _PLAIN else heat_scene(session, kind))
