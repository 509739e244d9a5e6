"""Players: they choose a turn, or the rest of one."""

import random
from typing import NamedTuple, Protocol

from gtp_engine.board.color import Color
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget


class Choice(NamedTuple):
    """What a player chose.

    steps  -- the steps to play until the turn is over, forced ones included
    value  -- the chance that BLACK wins, 0 to 1; a draw counts half
    visits -- how often the position was visited, 0 without a search
    """

    steps: tuple[Step, ...]
    value: float = 0.5
    visits: int = 0

    def value_for(self, color: Color) -> float:
        """The chance that a color wins."""
        return self.value if color is Color.BLACK else 1 - self.value


class Player(Protocol):
    """Chooses for the color to move."""

    def choose(self, position: Position, among: tuple[Step, ...], budget: Budget) -> Choice:
        """The rest of the turn, beginning with one of the given legal steps."""
        ...


class RandomPlayer:
    """Plays uniformly random steps: the opponent that everybody must beat."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(self, position: Position, among: tuple[Step, ...], budget: Budget) -> Choice:
        steps: tuple[Step, ...] = ()
        while True:
            step = self._rng.choice(among)
            steps += (step,)
            position = position.play_unchecked(step)
            if not position.open:
                return Choice(steps)
            among = position.legal_steps()
