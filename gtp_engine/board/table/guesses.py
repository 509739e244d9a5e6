"""The turns of a reviewed game as exercises: to guess what was played there."""

from gtp_engine.board.table.analyst import Analyst
from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.mistakes import before, reviewed_turns, seen, whole_turn
from gtp_engine.board.table.seat import BLACK
from gtp_engine.board.table.shown_game import BoardGame
from gtp_engine.board.table.variations import GameNode, turns
from gtp_engine.rules.records.record import RESIGN

GUESSES = "guesses"
"""The set of these exercises."""


class Guesses:
    """Lists the turns of the shown line, and judges other ones, by reviews."""

    def __init__(self, game: BoardGame, analyst: Analyst) -> None:
        self._game, self._analyst = game, analyst

    async def listed(self, of: str) -> list[Message]:
        """The turns of a color, or of `both`, in their order, if the last review has judged them.

        They have the form of the exercises that a board engine lists, without an `id`. `player` is
        the game's name for the mover, `after` the position after the turn, `chance` the mover's
        then, and `visits` those of the review. Raises CannotDo.
        """
        async with self._game.lock:
            reviewed = reviewed_turns(self._game, of)
            listed = [await self._exercise(node) for node in reviewed if node.word != RESIGN]
        found = [each for each in listed if each["chance"] is not None]
        places = enumerate(found, 1)
        return [each | {"number": number, "total": len(found)} for number, each in places]

    async def chance(self, visits: int | None) -> float | None:
        """Review the shown line: the chance of the color that played last. Raises CannotDo."""
        await self._analyst.review(visits)
        return _chance(self._game.node)

    async def _exercise(self, node: GameNode) -> Message:
        game = self._game
        word, last = whole_turn(node)
        player = game.title(node.color)
        earlier = turns(node.path()[:-1])
        told = [f"{game.title(color)} played {turn}." for color, turn in earlier[-1:]]
        told.append(f"What did {player} play here?")
        return (await before(game, node)) | {
            "player": player,
            "title": f"Turn {node.number}",
            "text": " ".join(told),
            "solution": [word],
            "after": (await seen(game, last))["position"],
            "chance": _chance(last),
            "visits": self._analyst.visits,
        }


def _chance(node: GameNode) -> float | None:
    """The chance to win of the color that played a node."""
    if node.chance is None:
        return None
    return node.chance if node.color == BLACK else 1 - node.chance
