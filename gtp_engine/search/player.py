"""Players: they choose a turn, or the rest of one."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, Protocol

from gtp_engine.board.color import BLACK, Color
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAPS, Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Budget
from gtp_engine.search.tree import Tree, best, most_even

# The part of the time for the first step of a turn; further steps begin with its subtree.
_FIRST_STEP_SHARE = 0.95

# How many expected steps a choice comes with.
_LONGEST_LINE = 10


class Choice(NamedTuple):
    """What a player chose.

    steps  -- the steps to play until the turn is over, forced ones included
    value  -- the chance that BLACK wins, 0 to 1; a draw counts half
    visits -- how often the position was visited, 0 without a search
    line   -- the steps that the search expects: those of the turn and some after it, forced
              ones left out
    """

    steps: tuple[Step, ...]
    value: float = 0.5
    visits: int = 0
    line: tuple[Step, ...] = ()

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


Plant = Callable[[Position, tuple[Step, ...]], Tree]
"""Gives a tree of a position that looks at some of its legal steps. Swaps are never among them."""


class TreePlayer:
    """Plays what a search tree finds best."""

    def __init__(self, plant: Plant, rng: random.Random) -> None:
        self._plant = plant
        self._rng = rng

    def choose(self, position: Position, among: tuple[Step, ...], budget: Budget) -> Choice:
        """The rest of the turn.

        White swaps when the other turns are worth less than even: after a swap White stands
        as Black stood before, so one search of the other turns decides. Black, whose turn may
        be swapped, therefore opens as close to even as the search can tell.
        """
        deadline = budget.begin()
        forced, position = settle(position)
        if forced:
            if not position.open:
                return Choice(forced)
            among = position.legal_steps()
        swap = next((step for step in among if step in SWAPS.values()), None)
        others = tuple(step for step in among if step is not swap)
        if swap is not None and not others:
            return Choice((swap,))
        may_be_swapped = position.pie is not Pie.OFF and position.to_move is BLACK
        tree = self._plant(replace(position, pie=Pie.OFF), others)
        tree.search(deadline.share(_FIRST_STEP_SHARE))
        choice = Choice(forced, tree.value, tree.visits)
        if swap is not None and choice.value_for(position.to_move) < 0.5:
            return Choice((swap,), 1 - choice.value, choice.visits, (swap,))
        chosen: tuple[Step, ...] = ()
        while True:
            step, *expected = self._line(tree, others, may_be_swapped)
            chosen += (step,)
            choice = choice._replace(steps=choice.steps + tree.descend(step))
            if not tree.position.open:
                return choice._replace(line=(*chosen, *expected))
            others = tree.position.legal_steps()
            tree.search(deadline)

    def _line(self, tree: Tree, among: tuple[Step, ...], may_be_swapped: bool) -> tuple[Step, ...]:
        """The step to play, and what is expected after it."""
        rows = tree.rows(longest_pv=_LONGEST_LINE)
        if not rows:
            return (self._rng.choice(among),)
        row = most_even(rows) if may_be_swapped else best(rows, tree.position.to_move)
        return row.pv
