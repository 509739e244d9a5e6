"""Players: they choose a turn, or the rest of one."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple, Protocol

from gtp_engine.board.color import BLACK, Color
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAPS, Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.tree import Row, Tree, best, lower_bound, most_even, value_for
from gtp_engine.search.watch import SHOWN_PV, Report, Watch

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
        return value_for(color, self.value)


class Player(Protocol):
    """Chooses for the color to move."""

    def choose(
        self,
        position: Position,
        among: tuple[Step, ...],
        budget: Budget,
        watch: Watch | None = None,
    ) -> Choice:
        """The rest of the turn, beginning with one of the given legal steps.

        A watch is told of the search for the first step.
        """
        ...


class RandomPlayer:
    """Plays uniformly random steps: the opponent that everybody must beat."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(
        self,
        position: Position,
        among: tuple[Step, ...],
        budget: Budget,
        watch: Watch | None = None,
    ) -> Choice:
        if watch is not None:
            begun = position
            watch.end(lambda: Report(begun, unvisited(among), 0.5, 0))
        steps: tuple[Step, ...] = ()
        while True:
            step = self._rng.choice(among)
            steps += (step,)
            position = position.play_unchecked(step)
            if not position.open:
                return Choice(steps)
            among = position.legal_steps()


def unvisited(among: tuple[Step, ...]) -> tuple[Row, ...]:
    """Rows of steps about which nothing is known."""
    return tuple(Row(step, 0, 0.5, 1 / len(among), 0.0, None, (step,)) for step in among)


class Root(NamedTuple):
    """What there is to search: the position after forced steps, and where to go from there.

    swap   -- the swap that is legal there, or None
    others -- the other legal steps; without any the turn is decided
    """

    forced: tuple[Step, ...]
    position: Position
    swap: Step | None
    others: tuple[Step, ...]

    @classmethod
    def of(cls, position: Position, among: tuple[Step, ...]) -> "Root":
        """The root of a search that begins with one of some legal steps."""
        forced, position = settle(position)
        if forced:
            among = position.legal_steps() if position.open else ()
        swap = next((step for step in among if step in SWAPS.values()), None)
        return cls(forced, position, swap, tuple(step for step in among if step is not swap))

    @property
    def may_be_swapped(self) -> bool:
        """Whether the turn that begins here may be answered by a swap."""
        return self.position.pie is not Pie.OFF and self.position.to_move is BLACK

    def swaps_at(self, value: float) -> bool:
        """Whether to swap where the other turns are worth this for BLACK."""
        return self.swap is not None and value_for(self.position.to_move, value) < 0.5


Plant = Callable[[Position, tuple[Step, ...]], Tree]
"""Gives a tree of a position that looks at some of its legal steps. Swaps are never among them."""


class TreePlayer:
    """Plays what a search tree finds best."""

    def __init__(self, plant: Plant, rng: random.Random) -> None:
        self._plant = plant
        self._rng = rng

    def choose(
        self,
        position: Position,
        among: tuple[Step, ...],
        budget: Budget,
        watch: Watch | None = None,
    ) -> Choice:
        """The rest of the turn.

        White swaps when the other turns are worth less than even: after a swap White stands
        as Black stood before, so one search of the other turns decides. Black, whose turn may
        be swapped, therefore opens as close to even as the search can tell.
        """
        root = Root.of(position, among)
        if not root.others:
            steps = root.forced if root.swap is None else (root.swap,)
            if watch is not None:
                watch.end(lambda: Report(position, unvisited(steps[:1]), 0.5, 0))
            return Choice(steps)
        deadline = budget.begin()
        tree = self._search(root, deadline.share(_FIRST_STEP_SHARE), watch)
        choice = Choice(root.forced, tree.value, tree.visits)
        if root.swap is not None and root.swaps_at(choice.value):
            return Choice((root.swap,), 1 - choice.value, choice.visits, (root.swap,))
        others = root.others
        chosen: tuple[Step, ...] = ()
        while True:
            step, *expected = self._line(tree, others, root.may_be_swapped)
            chosen += (step,)
            choice = choice._replace(steps=choice.steps + tree.descend(step))
            if not tree.position.open:
                return choice._replace(line=(*chosen, *expected))
            others = tree.position.legal_steps()
            tree.search(deadline)

    def analyze(
        self, position: Position, among: tuple[Step, ...], budget: Budget, watch: Watch
    ) -> None:
        """Search the position like `choose`, in the same tree, only to have it watched."""
        root = Root.of(position, among)
        if root.others:
            self._search(root, budget.begin(), watch)
            return
        steps = root.forced[:1] if root.swap is None else (root.swap,)
        watch.end(lambda: Report(position, unvisited(steps), 0.5, 0))

    def _search(self, root: Root, deadline: Deadline, watch: Watch | None) -> Tree:
        tree = self._plant(replace(root.position, pie=Pie.OFF), root.others)
        if watch is None:
            tree.search(deadline)
        else:
            current = partial(_report, tree, root)
            tree.search(deadline, watch.over(current))
            watch.end(current)
        return tree

    def _line(self, tree: Tree, among: tuple[Step, ...], may_be_swapped: bool) -> tuple[Step, ...]:
        """The step to play, and what is expected after it."""
        rows = tree.rows(longest_pv=_LONGEST_LINE)
        return _first(rows, tree, may_be_swapped).pv if rows else (self._rng.choice(among),)


def _first(rows: Sequence[Row], tree: Tree, may_be_swapped: bool) -> Row:
    """The row to play."""
    return most_even(rows) if may_be_swapped else best(rows, tree.position.to_move)


def _report(tree: Tree, root: Root) -> Report:
    """What a tree has found, with the swap where there is one."""
    rows = tree.rows(SHOWN_PV)
    if rows:
        first = _first(rows, tree, root.may_be_swapped)
        rows.sort(key=lambda row: (row is first, row.visits), reverse=True)
    else:
        rows = list(unvisited(root.others))
    value = tree.value
    if root.swap is not None:
        # All visits tell what a swap is worth: it takes over the other side.
        swapped = 1 - value
        seen = swapped if root.position.to_move is BLACK else value
        proven = None if tree.proven is None else swapped
        lcb = lower_bound(seen, tree.visits) if tree.visits else 0.0
        row = Row(root.swap, tree.visits, swapped, 0.0, lcb, proven, (root.swap,))
        swaps = root.swaps_at(value)
        rows.insert(0 if swaps else 1, row)
        value = swapped if swaps else value
    return Report(root.position, tuple(rows), value, tree.visits)
