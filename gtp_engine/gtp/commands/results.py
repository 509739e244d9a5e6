"""The result of the game."""

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import word
from gtp_engine.gtp.wire.registry import Failure
from gtp_engine.rules.points.points import Points, named

_STATUSES = ("alive", "dead", "seki")


@command("final_score")
def final_score(session: Session) -> str:
    """Report the result of a finished game.

    Reply: `B+` or `W+`, in a game of points with the margin (`B+7`; none after a tie-break); `B+R`
        or `W+R` when the other color resigned, `B+T` or `W+T` when it lost on time; `0` for a draw
    Fails: `cannot score` before the end
    Example:
        > play b resign
        =
        > final_score
        = W+R
    """
    if session.result is None:
        raise Failure("cannot score")
    return session.result


@command("final_status_list", word("STATUS"), malformed="missing status")
def final_status_list(session: Session, status: str) -> str:
    """List pieces by their status in Go; in our games all pieces are `alive`.

    Arguments: `alive`, `dead` or `seki`
    Reply: for `alive` the players' pieces, a line per group of alike ones; else empty
    Fails: `invalid status`; `missing status`
    Example:
        > play b c4
        =
        > final_status_list alive
        = C4
        > final_status_list dead
        =
    """
    if status.lower() not in _STATUSES:
        raise Failure("invalid status")
    if status.lower() != "alive":
        return ""
    pieces: dict[str, Points] = dict.fromkeys("BWbw", 0)
    for piece, points in session.position.layers().items():
        if piece[0] in pieces:
            pieces[piece[0]] |= points
    groups = session.position.groups
    return "\n".join(named(group) for points in pieces.values() for group in groups(points))


@command("game-over")
def game_over(session: Session) -> str:
    """Report whether the game is over.

    Reply: `true` or `false`
    Example:
        > game-over
        = false
    """
    return "false" if session.outcome is None else "true"


@command("game-result")
def game_result(session: Session) -> str:
    """Report the result and its reason.

    Reply: as `final_score`, then the reason in words; `none` before the end
    Example:
        > game-result
        = none
        > play b resign
        =
        > game-result
        = W+R Black resigned
    """
    outcome = session.outcome
    return "none" if outcome is None else f"{session.result} {outcome.reason}"
