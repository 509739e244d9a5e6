"""The mistakes of a reviewed game as exercises: to find a better turn there."""

from collections import deque
from collections.abc import Callable

from gtp_engine.board.table.analyst import Analyst
from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.repetition import Repetition
from gtp_engine.board.table.seat import COLORS
from gtp_engine.board.table.shown_game import BoardGame, view_of
from gtp_engine.board.table.variations import GameNode

MISTAKES = "mistakes"
"""The set of these exercises."""

BOTH = "both"

_MOST = 10
_MOST_LISTS = 8  # as many as a host may have pages


class Gathered:
    """The mistakes that pages have asked for, at any table: the lists of the last requests.

    They are done at other tables than that of their game, and each page goes on with its own list.

    returning -- what was tried comes again after days
    """

    def __init__(self, returning: Repetition | None = None) -> None:
        """Nobody has asked yet."""
        self.returning = returning or Repetition()
        self._lists: deque[list[Message]] = deque(maxlen=_MOST_LISTS)
        self._made = 0

    @property
    def all(self) -> list[Message]:
        """The exercises of all lists."""
        return [task for tasks in self._lists for task in tasks]

    def keep(self, found: list[Message]) -> list[Message]:
        """Keep a list; returns it with an `id` for each, which no other list has."""
        self._made += 1
        tasks = [each | {"id": f"{MISTAKES}.{self._made}.{each['number']}"} for each in found]
        self._lists.append(tasks)
        return tasks


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
        colors = COLORS if of == BOTH else (of,)
        async with self._game.lock:
            line = [*self._game.node.path(), *self._game.node.line()]
            found = [node for node in line if node.begins and node.best and node.color in colors]
            found = list(filter(self._is_mistake, found))
            worst = sorted(found, key=_loss, reverse=True)[:_MOST]
            return [
                await self._exercise(node, number, len(worst))
                for number, node in enumerate(worst, 1)
            ]

    async def judged(self, visits: int | None) -> tuple[bool, tuple[str, ...]]:
        """Review the shown line. Returns whether its last turn is good, and sentences about it.

        Raises CannotDo.
        """
        await self._analyst.review(visits)
        node = self._game.node
        if node.loss is None:
            return False, ("The analysis engine could not judge this turn.",)
        if self._is_mistake(node):  # the reasons would name the best turn
            return False, (f"This turn loses {_percent(node)} of the chance to win.",)
        why = (f"{text[:1].upper()}{text[1:]}." for text in node.why)
        return True, (*why, "This is a good turn.")

    async def _exercise(self, node: GameNode, number: int, total: int) -> Message:
        game = self._game
        assert node.parent is not None  # it is a turn
        view = view_of((await game.ask_at(game.start, node.parent, "game-view"))[0])
        name = game.title(node.color)
        return {
            "number": number,
            "total": total,
            "game": game.start.game,
            "size": game.start.size,
            "position": view["position"],
            "color": node.color,
            "title": f"Turn {node.number} of your game",
            "text": f"{name} played {_turn(node)} here, which lost {_percent(node)} of the chance "
            "to win. Find a better turn.",
            "hint": "",
            "solution": [node.best],
            "visits": self._analyst.visits,
        }


def _loss(node: GameNode) -> float:
    return node.loss or 0.0


def _percent(node: GameNode) -> str:
    return f"{100 * _loss(node):.0f} %"


def _turn(node: GameNode) -> str:
    """The words of the turn that begins with a node, on the shown line."""
    words = [node.word]
    while node.open and (line := node.line()[:1]):
        (node,) = line
        words.append(node.word)
    return "/".join(words)
