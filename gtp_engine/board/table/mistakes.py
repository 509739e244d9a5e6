"""The mistakes of a reviewed game as exercises: to find a better turn there."""

from collections.abc import Callable

from gtp_engine.board.table.analyst import Analyst
from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.seat import COLORS
from gtp_engine.board.table.shown_game import BoardGame, view_of
from gtp_engine.board.table.variations import GameNode

MISTAKES = "mistakes"
"""The set of these exercises."""

BOTH = "both"

_MOST = 10


class Mistakes:
    """Lists the mistakes of the shown line, and judges a better turn, by reviews."""

    def __init__(self, game: BoardGame, analyst: Analyst, catalog: Callable[[], Message]) -> None:
        """`catalog` gives the board engine's catalog, which tells what a mistake is."""
        self._game, self._analyst, self._catalog = game, analyst, catalog

    def _is_mistake(self, node: GameNode) -> bool:
        return _loss(node) > 0 and _loss(node) >= self._catalog().get("mistake", 0)

    async def listed(self, of: str) -> list[Message]:
        """The turns of a color, or of `both`, that lost most in the last review, the worst first.

        They have the form of the exercises that a board engine lists, without an `id`, and the
        `visits` of that review. None without a review. Raises CannotDo.
        """
        async with self._game.lock:
            found = list(filter(self._is_mistake, reviewed_turns(self._game, of)))
            worst = sorted(found, key=_loss, reverse=True)[:_MOST]
            return [
                await self._exercise(node, number, len(worst))
                for number, node in enumerate(worst, 1)
            ]

    async def judged(self, visits: int | None) -> tuple[bool | None, tuple[str, ...]]:
        """Review the shown line. Returns whether its last turn is good, and sentences about it.

        Of a mistake they tell how the opponent answers it. None if nobody can say whether it is
        good. Raises CannotDo.
        """
        await self._analyst.review(visits)
        node = self._game.node
        if node.loss is None:
            return None, ("The analysis engine could not judge this turn.",)
        if self._is_mistake(node):  # the reasons of the review would name the best turn
            answer = await self._analyst.answer_to(node)
            return False, (*answer, f"This turn loses {_percent(node)} of the chance to win.")
        why = (f"{text[:1].upper()}{text[1:]}." for text in node.why)
        return True, (*why, "This is a good turn.")

    async def _exercise(self, node: GameNode, number: int, total: int) -> Message:
        name, word = self._game.title(node.color), whole_turn(node)[0]
        lost = f"lost {_percent(node)} of the chance to win"
        return (await before(self._game, node)) | {
            "number": number,
            "total": total,
            "title": f"Turn {node.number} of your game",
            "text": f"{name} played {word} here, which {lost}. Find a better turn.",
            "solution": [node.best],
            "visits": self._analyst.visits,
        }


def reviewed_turns(game: BoardGame, of: str) -> list[GameNode]:
    """The first nodes of the reviewed turns of a color, or of `both`, in the shown line."""
    colors = COLORS if of == BOTH else (of,)
    line = [*game.node.path(), *game.node.line()]
    return [node for node in line if node.begins and node.best and node.color in colors]


async def before(game: BoardGame, node: GameNode) -> Message:
    """The fields of an exercise before a turn: the position, who plays there, and no hint.

    Raises CannotDo.
    """
    assert node.parent is not None  # it is a turn
    return {
        "game": game.start.game,
        "size": game.start.size,
        "position": (await seen(game, node.parent))["position"],
        "color": node.color,
        "hint": "",
    }


async def seen(game: BoardGame, node: GameNode) -> Message:
    """The view after a node. Raises CannotDo."""
    return view_of((await game.ask_at(game.start, node, "game-view"))[0])


def whole_turn(node: GameNode) -> tuple[str, GameNode]:
    """The words of the turn that begins with a node, on the shown line, and its last node."""
    words = [node.word]
    while node.open and (line := node.line()[:1]):
        (node,) = line
        words.append(node.word)
    return "/".join(words), node


def _loss(node: GameNode) -> float:
    return node.loss or 0.0


def _percent(node: GameNode) -> str:
    return f"{100 * _loss(node):.0f} %"
