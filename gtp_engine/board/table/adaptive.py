"""A level that follows a person's results: stronger after a win, weaker after a loss.

A staircase (Levitt, 1971): it settles at the level that the person beats in half of the games.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.seat import ADAPTIVE, COLORS, Seat, opponent
from gtp_engine.board.table.shown_game import BoardGame
from gtp_engine.board.table.variations import GameTree

_OFFER = {
    "level": ADAPTIVE,
    "name": "Adaptive",
    "text": "It gets stronger after you win, and weaker after you lose.",
}

# Until the first loss a win counts more, so that a strong person gets there soon.
_FIRST_STEPS = 2


class Adaptive(NamedTuple):
    """Where the staircase stands.

    level    -- the number of the level for the next game
    climbing -- whether the person has won every game so far
    """

    level: int
    climbing: bool = True

    def after(self, score: float, levels: Sequence[int]) -> "Adaptive":
        """The state after a game.

        score  -- the person's: 1, 0.5 or 0
        levels -- the numbers of all levels, the weakest first
        """
        if score == 0.5:
            return self
        climbing = self.climbing and score == 1
        step = (_FIRST_STEPS if climbing else 1) * (1 if score == 1 else -1)
        return Adaptive(min(max(self.level + step, levels[0]), levels[-1]), climbing)


class SharedLevel:
    """Where the staircase of the person stands: one for all tables of a board."""

    def __init__(self) -> None:
        """No levels are known."""
        self._now: Adaptive | None = None
        self._listeners: list[Callable[[], None]] = []

    @property
    def now(self) -> Adaptive | None:
        """The state; None while no levels are known."""
        return self._now

    @now.setter
    def now(self, state: Adaptive | None) -> None:
        self._now = state
        for listener in list(self._listeners):
            listener()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a function after each change. Returns one that ends this."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end


class AdaptiveLevel:
    """The level of the seats of a table that adapt.

    A game is played to its end at the level that there was at its first turn here, although a game
    at another table may end meanwhile.
    """

    def __init__(
        self, game: BoardGame, tell: Callable[[str, bool], None], shared_level: SharedLevel
    ) -> None:
        """There are no levels before `offered`."""
        self.shared_level = shared_level
        self._game, self._tell = game, tell
        self._names: dict[int, str] = {}
        self._counted: GameTree | None = None
        self._begun: tuple[GameTree, int] | None = None

    @property
    def state(self) -> Adaptive | None:
        """Where the staircase stands; whoever keeps it may set it."""
        return self.shared_level.now

    @state.setter
    def state(self, state: Adaptive | None) -> None:
        self.shared_level.now = state

    @property
    def level(self) -> int | None:
        """The number of the level now; None while no levels are known."""
        tree = self._game.tree
        if self._begun is not None and self._begun[0] is tree is not self._counted:
            return self._begun[1]
        return None if self.state is None else self.state.level

    def offered(self, catalog: Message) -> Message:
        """Learn the levels of an engine's catalog, and begin with that of a newcomer.

        Returns the catalog with the adaptive level before the others.
        """
        listed = catalog.get("levels")
        if not isinstance(listed, list):
            return catalog
        self._names = {
            number: name
            for entry in listed
            if isinstance(entry, dict)
            and type(number := entry.get("level")) is int
            and isinstance(name := entry.get("name"), str)
        }
        if not self._names:
            return catalog
        first = catalog.get("newcomer_level")
        if type(first) is not int or first not in self._names:
            first = min(self._names)
        if self.state is None or self.state.level not in self._names:
            self.state = Adaptive(first)
        return catalog | {"levels": [_OFFER, *listed]}

    def knows(self, level: int) -> bool:
        """Whether there is a level of this number."""
        return level in self._names

    def number_of(self, seat: Seat) -> int | None:
        """The level of an engine's seat as a number; None to leave the engine's own."""
        return seat.level if isinstance(seat.level, int) else self.level if seat.level else None

    def resume(self, tree: GameTree) -> None:
        """Learn of a game that is shown again: if it has ended before, it counted then."""
        if any(node.over for node in tree):
            self._counted = tree

    def follow(self, seats: Mapping[str, Seat]) -> None:
        """React to a change of the shown position: a game that has just ended counts, once.

        Games of guests do not, nor do records, or games from another start than the usual one: they
        may be easier for one side.
        """
        level, tree = self.level, self._game.tree
        if level is not None and self._game.played:
            self._begun = tree, level
        if self.state is None or self._game.start.position or not self._ended:
            return
        people = [color for color in COLORS if seats[color].is_human and not seats[color].guest]
        if len(people) != 1 or seats[opponent(people[0])].level != ADAPTIVE:
            return
        self._counted = tree
        winner = (self._game.view.get("outcome") or {}).get("winner")
        score = 0.5 if winner is None else float(winner == people[0])
        self.state = self.state.after(score, sorted(self._names))
        level = self.state.level
        name = self._names.get(level, str(level))
        engine = seats[opponent(people[0])].engine
        self._tell(f"{engine} plays the next game at the level {name}.", False)

    @property
    def _ended(self) -> bool:
        """Whether a game that was not counted has just been played to an end that is new."""
        game = self._game
        new = game.played and game.node is game.added
        ended = game.node.over and game.node is game.tree.end and not game.tree.opened
        return new and ended and game.tree is not self._counted
