"""Games of the past: which turns were played from a position, how often, and who won.

The engine counts the games shown to it by `game-explore_add`, until it ends or gets `clear_cache`.
The game on its board is another matter. A position is known however it was reached, and in any
image that the game counts as equal. Only the first 40 turns of a game count, and at most 100,000
different turns.
"""

from typing import TYPE_CHECKING

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.records import CONTENT
from gtp_engine.gtp.wire.registry import JsonResult

if TYPE_CHECKING:
    from gtp_engine.engine.explored_games import ExploredGames


@command("game-explore_add", CONTENT)
def game_explore_add(session: Session, content: bytes) -> None:
    """Count a finished game.

    Arguments: its record, in base64, in one word; the main line counts
    Effect: `game-explore` tells of it; the game on the board stays
    Fails: with the reason, and the place in the file; `the record is not base64`; `syntax: ...`
    Example:
        > game-explore_add KDtHQU1FW3JvYmJsZV1TWlszXVJFW0IrXURUWzIwMjYtMTEtMjZdO0JbQjJdO1dbQTFdKQ==
        =
        > game-explore_add KDtHQU1FW3JvYmJsZV1TWlszXTtCW0IyXVdbQTFdKQ==
        ? line 1, column 20: more than one turn in a node
    """
    _explored(session).add(content)


@command("game-explore")
def game_explore(session: Session) -> JsonResult:
    """List the turns that were played from this position in the counted games.

    Reply: a JSON object: `games`, the number of counted games of any kind and size; and `turns`, at
        most 24, the most frequent first, none inside a turn. Each has `turn`, a word for `play`;
        `games`, how many have it; `black`, `white` and `draws`, how they ended; and `last`, the day
        of the newest, or "". Turns that lead to the same position are one
    Example:
        > game-explore_add KDtHQU1FW3JvYmJsZV1TWlszXVJFW0IrXURUWzIwMjYtMTEtMjZdO0JbQjJdO1dbQTFdKQ==
        =
        > game-select robble 3
        =
        > play b b2
        =
        > game-explore
        = {"games":1,"turns":[{"turn":"A1","games":1,"black":1,"white":0,"draws":0,"last":"2026-11-26"}]}
    """  # noqa: E501
    from gtp_engine.engine.explored_games import MOST_LISTED

    explored = _explored(session)
    turns = explored.played(session.position)[:MOST_LISTED]
    return {"games": explored.games, "turns": [turn._asdict() for turn in turns]}


def _explored(session: Session) -> "ExploredGames":
    from gtp_engine.engine.explored_games import ExploredGames

    return session.kept("explored games", None, ExploredGames)
