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
from gtp_engine.search.levels import nearly_as_good
from gtp_engine.search.patience import Grown, Pace
from gtp_engine.search.solution import Solution, Solver
from gtp_engine.search.tree import (
    Look,
    Row,
    Tree,
    best,
    look_away,
    lower_bound,
    most_even,
    value_for,
)
from gtp_engine.search.watch import SHOWN_PV, Report, Watch

# With so many empty points or fewer a solver may succeed, and is asked first: for a part of the
# time, and for as many positions as there are visits.
_MOST_EMPTY = 10
_SOLVER_SHARE = 0.2
_MOST_POSITIONS = 10**6

# How many expected steps a choice comes with.
_LONGEST_LINE = 10


class Choice(NamedTuple):
    """What a player chose.

    steps  -- the steps to play until the turn is over, forced ones included
    value  -- the chance that BLACK wins, 0 to 1; a draw counts half
    visits -- how often the position was visited, 0 without a search
    line   -- the steps that the search expects: those of the turn and some after it, forced
              ones left out
    proven -- the exact value, if it is known: what is played keeps it
    """

    steps: tuple[Step, ...]
    value: float = 0.5
    visits: int = 0
    line: tuple[Step, ...] = ()
    proven: float | None = None

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


SearchTree = Callable[[Tree, Look], None]
"""Searches a tree for as long as it thinks fit."""


def _to_the_end(tree: Tree, look: Look, deadline: Deadline) -> None:
    tree.search(deadline, look)


MakeSolver = Callable[[Position], Solver]
"""Gives a solver for a position."""


class Ending(NamedTuple):
    """A root, without its swap, that was solved.

    value -- for BLACK
    line  -- of best play, from the root on
    turn  -- the steps of the line that are the rest of the turn, forced ones included
    """

    root: Root
    value: float
    line: tuple[Step, ...]
    turn: tuple[Step, ...]
    positions: int

    @classmethod
    def of(cls, root: Root, found: Solution) -> "Ending | None":
        """The ending at a root; None where that was not solved, or only half of the turn."""
        turn, position = root.forced, root.position
        for step in found.line:
            forced, position = settle(position.play_unchecked(step))
            turn += (step, *forced)
            if not position.open:
                assert found.value is not None
                return cls(root, found.value, found.line[:_LONGEST_LINE], turn, found.positions)
        return None

    @property
    def swaps(self) -> bool:
        return self.root.swaps_at(self.value)

    @property
    def decides(self) -> bool:
        """Whether there is nothing to search: the position is not lost, or it can be swapped."""
        return self.swaps or self.value != float(self.root.position.to_move is not BLACK)

    @property
    def choice(self) -> Choice:
        if self.swaps:
            assert self.root.swap is not None
            value = 1 - self.value
            return Choice((self.root.swap,), value, self.positions, (self.root.swap,), value)
        return Choice(self.turn, self.value, self.positions, self.line, self.value)

    def report(self) -> Report:
        """What there is to tell about it."""
        choice = self.choice
        seen = choice.value_for(self.root.position.to_move)
        row = Row(choice.line[0], choice.visits, choice.value, 1.0, seen, choice.value, choice.line)
        return Report(self.root.position, (row,), choice.value, choice.visits)


class TreePlayer:
    """Plays what a search tree finds best, or what a solver has proven.

    leeway -- see levels.Level
    keeps  -- whether what was searched of a position helps with those that follow
    """

    def __init__(
        self,
        plant: Plant,
        rng: random.Random,
        make_solver: MakeSolver | None = None,
        leeway: float = 0.0,
        keeps: bool = False,
    ) -> None:
        self._plant = plant
        self._rng = rng
        self._make_solver = make_solver
        self._leeway = leeway
        self.keeps = keeps

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

        Near the end a solver is asked first. A lost position is searched all the same, for the
        turn that is hardest to answer.
        """
        root = Root.of(position, among)
        if not root.others:
            steps = root.forced if root.swap is None else (root.swap,)
            if watch is not None:
                watch.end(lambda: Report(position, unvisited(steps[:1]), 0.5, 0))
            return Choice(steps)
        if root.swap is not None or root.may_be_swapped:
            # What counts then is a value, and that may change with the last visit.
            budget = budget._replace(patience=None)
        pace = Pace(budget)
        ending = self._ending(root, pace.deadline)
        if ending is not None and ending.decides:
            if watch is not None:
                watch.end(ending.report)
            return ending.choice
        tree = self._search(root, partial(pace.search_first, steps=len(root.others)), watch)
        proven = tree.proven if ending is None else ending.value
        value = tree.value if proven is None else proven
        choice = Choice(root.forced, value, tree.visits, proven=proven)
        if root.swap is not None and root.swaps_at(value):
            swapped = None if proven is None else 1 - proven
            return Choice((root.swap,), 1 - value, choice.visits, (root.swap,), swapped)
        others = root.others
        chosen: tuple[Step, ...] = ()
        while True:
            step, *expected = self._line(tree, others, root.may_be_swapped)
            chosen += (step,)
            choice = choice._replace(steps=choice.steps + tree.descend(step))
            if not tree.position.open:
                return choice._replace(line=(*chosen, *expected))
            others = tree.position.legal_steps()
            pace.search_further(tree, len(others))

    def analyze(
        self, position: Position, among: tuple[Step, ...], budget: Budget, watch: Watch
    ) -> None:
        """Search the position like `choose`, in the same tree, only to have it watched."""
        root = Root.of(position, among)
        if root.others:
            self._search(root, partial(_to_the_end, deadline=budget.begin()), watch)
            return
        steps = root.forced[:1] if root.swap is None else (root.swap,)
        watch.end(lambda: Report(position, unvisited(steps), 0.5, 0))

    def ponder(self, position: Position, deadline: Deadline) -> None:
        """Search a position in which the opponent chooses, while that adds to the tree."""
        root = Root.of(position, position.legal_steps())
        if root.others:
            tree = self._plant(replace(root.position, pie=Pie.OFF), root.others)
            tree.search(deadline, Grown(tree))

    def _ending(self, root: Root, deadline: Deadline) -> Ending | None:
        """The solution of a root near the end, if a small part of the budget finds it."""
        position = replace(root.position, pie=Pie.OFF)
        empty = position.size**2 - position.occupied().bit_count()
        if self._make_solver is None or root.may_be_swapped or empty > _MOST_EMPTY:
            return None
        if len(root.others) < len(position.legal_steps()):
            return None
        share = deadline.share(_SOLVER_SHARE)
        positions = _MOST_POSITIONS if deadline.visits is None else deadline.visits
        budget = Budget(positions, share.seconds_left(), deadline.interrupt)
        return Ending.of(root, self._make_solver(position).solve(position, budget))

    def _search(self, root: Root, search: SearchTree, watch: Watch | None) -> Tree:
        tree = self._plant(replace(root.position, pie=Pie.OFF), root.others)
        if watch is None:
            search(tree, look_away)
        else:
            current = partial(_report, tree, root)
            search(tree, watch.over(current))
            watch.end(current)
        return tree

    def _line(self, tree: Tree, among: tuple[Step, ...], may_be_swapped: bool) -> tuple[Step, ...]:
        """The step to play, and what is expected after it."""
        rows = tree.rows(longest_pv=_LONGEST_LINE)
        if not rows:
            return (self._rng.choice(among),)
        first = _first(rows, tree, may_be_swapped)
        if self._leeway and not may_be_swapped:
            alike = nearly_as_good(rows, first, tree.position.to_move, self._leeway)
            first = self._rng.choice(alike)
        return first.pv


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
        seen = value_for(root.position.to_move, swapped)
        proven = None if tree.proven is None else swapped
        lcb = lower_bound(seen, tree.visits) if tree.visits else 0.0
        row = Row(root.swap, tree.visits, swapped, 0.0, lcb, proven, (root.swap,))
        swaps = root.swaps_at(value)
        rows.insert(0 if swaps else 1, row)
        value = swapped if swaps else value
    return Report(root.position, tuple(rows), value, tree.visits)
