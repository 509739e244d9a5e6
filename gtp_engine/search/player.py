"""Players: they choose a turn, or the rest of one."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gtp_engine.board.color import BLACK, Color
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAPS, Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.solution import Solution, Solver
from gtp_engine.search.tree import Row, Tree, best, lower_bound, most_even, value_for
from gtp_engine.search.watch import SHOWN_PV, Report, Watch

if TYPE_CHECKING:
    from gtp_engine.search.swap_maps import Worth

# The part of the time for the first step of a turn; further steps begin with its subtree.
_FIRST_STEP_SHARE = 0.95

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
    report -- what was found out about the first steps; None without a search
    """

    steps: tuple[Step, ...]
    value: float = 0.5
    visits: int = 0
    line: tuple[Step, ...] = ()
    proven: float | None = None
    report: Report | None = None

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
    worth  -- of the first turn that may be swapped, if a stored map tells
    """

    forced: tuple[Step, ...]
    position: Position
    swap: Step | None
    others: tuple[Step, ...]
    worth: "Worth | None" = None

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

    def swaps_at(self, value: float, proven: bool = False) -> bool:
        """Whether to swap where the other turns are worth this for BLACK.

        A map knows better than a search, but not than a proof.
        """
        if self.worth is not None and not proven:
            value = self.worth.value
        return self.swap is not None and value_for(self.position.to_move, value) < 0.5

    def swapping(self, visits: int, value: float, proven: float | None) -> Choice:
        """The choice of the swap, where the other turns are worth this: it exchanges the sides."""
        assert self.swap is not None
        swapped = None if proven is None else 1 - proven
        return Choice((self.swap,), 1 - value, visits, (self.swap,), swapped)

    def decided(self, before: Position, watch: Watch | None) -> Choice:
        """The choice where there is nothing to choose, as a watch of that position is told."""
        choice = Choice(self.forced if self.swap is None else (self.swap,))
        if watch is not None:
            watch.end(lambda: Report(before, unvisited(choice.steps[:1]), 0.5, 0))
        return choice


Plant = Callable[[Position, tuple[Step, ...]], Tree]
"""Gives a tree of a position that looks at some of its legal steps. Swaps are never among them."""


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
        return self.root.swaps_at(self.value, proven=True)

    @property
    def decides(self) -> bool:
        """Whether there is nothing to search: the position is not lost, or it can be swapped."""
        return self.swaps or self.value != float(self.root.position.to_move is not BLACK)

    @property
    def choice(self) -> Choice:
        if self.swaps:
            return self.root.swapping(self.positions, self.value, self.value)
        return Choice(self.turn, self.value, self.positions, self.line, self.value)

    def report(self) -> Report:
        """What there is to tell about it."""
        return _told(self.root.position, self.choice)


class TreePlayer:
    """Plays what a search tree finds best, or what a solver has proven."""

    def __init__(
        self,
        plant: Plant,
        rng: random.Random,
        make_solver: MakeSolver | None = None,
        swap_maps: bool = False,
    ) -> None:
        self._plant = plant
        self._rng = rng
        self._make_solver = make_solver
        self._swap_maps = swap_maps

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
        be swapped, therefore opens as close to even as the search can tell. Where a swap map is
        stored, it decides both.

        Near the end a solver is asked first. A lost position is searched all the same, for the
        turn that is hardest to answer.
        """
        root = self._root(position, among)
        if not root.others:
            return root.decided(position, watch)
        deadline = budget.begin()
        ending = self._ending(root, deadline)
        if ending is not None and ending.decides:
            if watch is not None:
                watch.end(ending.report)
            return ending.choice._replace(report=ending.report())
        known = self._from_map(root) if ending is None else None
        if known is not None:
            report = _told(root.position, known)
            if watch is not None:
                watch.end(lambda: report)
            return known._replace(report=report)
        tree = self._search(root, deadline.share(_FIRST_STEP_SHARE), watch)
        proven = tree.proven if ending is None else ending.value
        value = tree.value if proven is None else proven
        report = _report(tree, root)
        if root.swaps_at(value, proven is not None):
            return root.swapping(tree.visits, value, proven)._replace(report=report)
        report = report._replace(proven=proven)
        choice = Choice(root.forced, value, tree.visits, proven=proven, report=report)
        first = report.rows[0]
        line = first.pv if first.visits else (self._rng.choice(root.others),)
        chosen: tuple[Step, ...] = ()
        while True:
            step, *expected = line
            chosen += (step,)
            choice = choice._replace(steps=choice.steps + tree.descend(step))
            if not tree.position.open:
                return choice._replace(line=(*chosen, *expected))
            tree.search(deadline)
            line = self._line(tree, tree.position.legal_steps(), root.may_be_swapped)

    def analyze(
        self, position: Position, among: tuple[Step, ...], budget: Budget, watch: Watch
    ) -> None:
        """Search the position like `choose`, in the same tree, only to have it watched."""
        root = self._root(position, among)
        if root.others:
            self._search(root, budget.begin(), watch)
        else:
            root.decided(position, watch)

    def _root(self, position: Position, among: tuple[Step, ...]) -> Root:
        """The root of a search, with what a stored map says where that matters."""
        root = Root.of(position, among)
        if root.swap is None or not self._swap_maps:
            return root
        from gtp_engine.search.swap_maps import worth_after

        return root._replace(worth=worth_after(root.position))

    def _from_map(self, root: Root) -> Choice | None:
        """What a stored map says to do without a search: to swap, or how to open."""
        worth = root.worth
        if worth is not None and root.swap is not None:
            if not root.swaps_at(worth.value):
                return None
            proven = 1 - worth.value if worth.is_exact else None
            return Choice((root.swap,), 1 - worth.value, worth.visits, (root.swap,), proven)
        if not root.may_be_swapped or not self._swap_maps:
            return None
        from gtp_engine.search.swap_maps import opening_turn

        found = opening_turn(root.position, root.others, self._rng.choice)
        if found is None:
            return None
        turn, worth = found
        # White takes the better color.
        value = 1 - worth.better
        proven = value if worth.is_exact else None
        return Choice(turn.steps, value, worth.visits, turn.steps[:1], proven)

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


def _told(position: Position, choice: Choice) -> Report:
    """What there is to tell about a choice without a search."""
    seen = choice.value_for(position.to_move)
    if choice.proven is None and choice.visits:
        seen = lower_bound(seen, choice.visits)
    value, visits = choice.value, choice.visits
    row = Row(choice.line[0], visits, value, 1.0, seen, choice.proven, choice.line)
    return Report(position, (row,), value, visits, choice.proven)


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
    value, proven = tree.value, tree.proven
    if root.swap is not None:
        # All visits tell what a swap is worth: it takes over the other side.
        swapped = root.swapping(tree.visits, value, proven)
        seen = swapped.value_for(root.position.to_move)
        lcb = lower_bound(seen, tree.visits) if tree.visits else 0.0
        row = Row(root.swap, tree.visits, swapped.value, 0.0, lcb, swapped.proven, swapped.line)
        swaps = root.swaps_at(value, proven is not None)
        rows.insert(0 if swaps else 1, row)
        if swaps:
            value, proven = swapped.value, swapped.proven
    return Report(root.position, tuple(rows), value, tree.visits, proven)
