"""GoGui's commands for a program that knows the rules: the board, and the legal clicks.

The first of them sets `moves` to `clicks`, unless a `genmove` preceded it or `moves` was set. One
more, `gogui-rules_side_to_move`, is [`game-to_move`](playing.md#game-to_move) by another name.
"""

from gtp_engine.engine.pictures.gfx import gfx, stones
from gtp_engine.engine.scenes import scene
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import legal_clicks, may_pass, taken
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.wire.registry import Failure
from gtp_engine.rules.notation.turns import PASS_WORD
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.points import vertices


@command("gogui-rules_game_id")
def gogui_rules_game_id(session: Session) -> str:
    """Report the name of the game.

    Effect: may set `moves` to `clicks`
    Reply: the game's name
    Example:
        > gogui-rules_game_id
        = Implo
    """
    return session.game.title


@command("gogui-rules_board_size")
def gogui_rules_board_size(session: Session) -> str:
    """Report the size.

    Effect: may set `moves` to `clicks`
    Reply: an integer
    Example:
        > gogui-rules_board_size
        = 8
    """
    return str(session.position.size)


@command("gogui-rules_board")
def gogui_rules_board(session: Session) -> str:
    """Print the board in GoGui's form.

    Effect: may set `moves` to `clicks`
    Reply: one line per row, the top row first: `X` for a black stone, `O` for a white one, else
        `.`; `gogui-rules_board_gfx` draws everything else
    Example:
        > game-position implo 3 B.b/W../..w b
        =
        > gogui-rules_board
        = X . .
        O . .
        . . .
    """
    return stones(session.position)


@command("gogui-rules_board_gfx")
def gogui_rules_board_gfx(session: Session) -> str:
    """Draw everything that stones cannot show, in GoGui's language of marks.

    Effect: may set `moves` to `clicks`
    Reply: GoGui's marks; the text says what is to be decided
        - dark or light point: a marker; triangle: a pawn; number: the height of a stack; black
          point: a block
        - circles: the last turn; crosses: its other changes; squares: what decided the game
        - yellow: clicked points; green: legal clicks inside a turn; letter on a patch: its owner
        - `swap?`: a possible swap; `swap`: a played one
        - `p`, `s`, `swap`: how the token of a step begins, where several points mean the same for
          the next click
    Example:
        > game-select pilo 3
        =
        > play b b2
        =
        > play w c2
        =
        > play b b2
        =
        > gogui-rules_board_gfx
        = CIRCLE B2
        COLOR #00c000 C2
        COLOR yellow B2
        TEXT To move: Blue, B2 is selected, to choose: B2-C2
    """
    return gfx(scene(session))


@command("gogui-rules_legal_moves")
def gogui_rules_legal_moves(session: Session) -> str:
    """List the legal clicks.

    Effect: may set `moves` to `clicks`
    Reply: the vertices that `play` accepts for the color to move, and `pass` if legal; empty after
        the end of the game
    Example:
        > game-select boloa 2
        =
        > play b a1
        =
        > gogui-rules_legal_moves
        = A1 A2 B1 B2
    """
    words = [str(vertex) for vertex in vertices(legal_clicks(session))]
    return " ".join(words + [PASS_WORD] * may_pass(session))


@command("gogui-rules_captured_count")
def gogui_rules_captured_count(session: Session) -> str:
    """Count the pieces that were removed from the board.

    Effect: may set `moves` to `clicks`
    Reply: the number of White's, then of Black's; every disk of a stack counts
    Example:
        > game-select robble 3
        =
        > play b a1
        =
        > play w a2
        =
        > gogui-rules_captured_count
        = 0 1
    """
    counts = taken(session)
    return f"{counts[WHITE]} {counts[BLACK]}"


@command("gogui-rules_final_result")
def gogui_rules_final_result(session: Session) -> str:
    """Report the result in words.

    Effect: may set `moves` to `clicks`
    Reply: who wins, the result as in `final_score`, and the reason
    Fails: `cannot score`
    Example:
        > play b resign
        =
        > gogui-rules_final_result
        = White wins (W+R): Black resigned
    """
    outcome = session.outcome
    if outcome is None:
        raise Failure("cannot score")
    winner = "Nobody" if outcome.winner is None else session.game.color_names[outcome.winner]
    return f"{winner} wins ({session.result}): {outcome.reason}"
