"""Players: they choose a turn, or the rest of a turn."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.backends.protocol import MakeTree
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.choice import LONGEST_LINE, Choice, told, unvisited
from gtp_engine.search.endgames import EndgameSolver
from gtp_engine.search.levels import nearly_as_good
from gtp_engine.search.observer import SHOWN_PV, Report, SearchObserver
from gtp_engine.search.root import Root, SolvedRoot
from gtp_engine.search.solution import DRAWN
from gtp_engine.search.step_features import CAREFUL, Habits, noticed
from gtp_engine.search.time_manager import TimeManager
from gtp_engine.search.tree import (
    Poll,
    Row,
    Tree,
    best,
    in_order,
    lower_bound,
    most_even,
    never_stop,
)


class Player(Protocol):
    """Chooses for the color to move."""

    def choose(
        self,
        position: Position,
        among: tuple[Step, ...],
        budget: Budget,
        observer: SearchObserver | None = None,
    ) -> Choice:
        """Choose the rest of the turn, beginning with one of the given legal steps.

        An observer gets reports of the search for the first step.
        """
        ...


SearchTree = Callable[[Tree, Poll], None]
"""Searches a tree until it decides to stop."""


def _to_the_end(tree: Tree, poll: Poll, deadline: Deadline) -> None:
    tree.search(deadline, poll)


class TreePlayer:
    """Plays the best turn of a search tree, or a turn that a solver has proven.

    habits -- what it overlooks; they change neither an opening that may be swapped nor a swap
    keeps  -- whether to reuse the tree for later positions
    """

    def __init__(
        self,
        trees: MakeTree,
        rng: random.Random,
        endgames: EndgameSolver | None = None,
        swap_maps: bool = False,
        habits: Habits = CAREFUL,
        keeps: bool = False,
    ) -> None:
        self._trees = trees
        self._rng = rng
        self._endgames = endgames
        self._swap_maps = swap_maps
        self._habits = habits
        self.keeps = keeps

    def choose(
        self,
        position: Position,
        among: tuple[Step, ...],
        budget: Budget,
        observer: SearchObserver | None = None,
    ) -> Choice:
        """Choose the rest of the turn.

        White swaps when the other turns are worth less than even. After a swap White stands as
        Black stood before, so one search of the other turns decides. Black therefore opens as close
        to even as the search can tell. A stored swap map replaces the search for both decisions.

        A stored certificate decides a won position without a search. Near the end the player asks a
        solver first. It still searches a lost position, for the turn that is hardest to answer. It
        also searches a drawn position, among the turns that keep the draw.
        """
        root = self._noticed(self._root(position, among))
        if not root.others:
            return root.decided(position, observer)[0]
        if root.swap is not None or root.may_be_swapped:
            # The decision depends on the value, which every visit may change.
            budget = budget._replace(longest=None)
        manager = TimeManager(budget)
        solved = self._solve(root, manager.deadline)
        if solved is None:
            known = self._from_map(root)
        else:
            root, known = self._from_solution(solved, manager.deadline)
        if known is not None:
            report = told(root.position, known)._replace(forced=root.forced)
            if observer is not None:
                observer.end(report)
            return known._replace(report=report)
        return self._from_search(root, manager, None if solved is None else solved.value, observer)

    def analyze(
        self,
        position: Position,
        among: tuple[Step, ...],
        deadline: Deadline,
        observer: SearchObserver | None = None,
        longest_pv: int = SHOWN_PV,
    ) -> Report:
        """Search the position like `choose`, in the same tree, without a solver.

        What a certificate tells is in the reports, whose lines have at most `longest_pv` steps.
        """
        root = self._root(position, among)
        if root.others:
            search = partial(_to_the_end, deadline=deadline)
            return self._search(root, search, observer, longest_pv)[1]
        return root.decided(position, observer)[1]

    def _root(self, position: Position, among: tuple[Step, ...]) -> Root:
        """The root of a search, with what stored swap maps and certificates tell."""
        root = Root.of(position, among)
        if not self._swap_maps:
            return root
        if root.swap is not None:
            from gtp_engine.search.openings.swap_maps import worth_after

            root = root._replace(worth=worth_after(root.position))
        # Who overlooks something does not know a certificate either.
        return root.certified() if self._habits == CAREFUL and not root.may_be_swapped else root

    def _noticed(self, root: Root) -> Root:
        """The root with only the steps that the player considers: all where swaps are decided."""
        if root.may_be_swapped or root.swap is not None:
            return root
        return root._replace(others=self._considered(root.unswapped, root.others))

    def _considered(self, position: Position, steps: tuple[Step, ...]) -> tuple[Step, ...]:
        return noticed(position, steps, self._habits, self._rng)

    def ponder(self, position: Position, deadline: Deadline) -> None:
        """Search a position in which the opponent chooses."""
        root = Root.of(position, position.legal_steps())
        if root.others:
            self._trees(root.unswapped, root.others).search(deadline)

    def _solve(self, root: Root, deadline: Deadline) -> SolvedRoot | None:
        """The solution of a root; None without a certificate if no solver finds it in time."""
        if root.may_be_swapped or not root.offers_all:
            return None
        if root.swap is not None and self._habits.considers is not None:
            return None  # who overlooks steps does not solve; a search decides the swap
        found = root.proof
        if found is None and self._endgames is not None:
            found = self._endgames.solve(root.unswapped, deadline)
        return None if found is None else SolvedRoot.of(root, found)

    def _from_solution(self, solved: SolvedRoot, deadline: Deadline) -> tuple[Root, Choice | None]:
        """The choice from a solution; None if a search must choose.

        A search chooses among steps that keep a draw, and among lost steps.
        """
        if not solved.decides:
            return solved.root, None
        drawing = self._drawing_steps(solved, deadline)
        if len(drawing) > 1:
            return solved.root._replace(others=drawing), None
        return solved.root, solved.choice

    def _drawing_steps(self, solved: SolvedRoot, deadline: Deadline) -> tuple[Step, ...]:
        """The steps at a drawn root that keep the draw, if they are known."""
        if self._endgames is None or solved.swaps or solved.value != DRAWN:
            return ()
        return self._endgames.drawing_steps(solved.root.unswapped, deadline)

    def _from_map(self, root: Root) -> Choice | None:
        """The choice from a stored swap map, without a search: whether to swap, or how to open."""
        worth = root.worth
        if worth is not None and root.swap is not None:
            if not root.swaps_at(worth.value):
                return None
            exact = worth.value if worth.is_exact else None
            return root.swapping(worth.visits, worth.value, exact)
        if not root.may_be_swapped or not self._swap_maps:
            return None
        from gtp_engine.search.openings.swap_maps import opening_turn

        found = opening_turn(root.position, root.others, self._rng.choice)
        if found is None:
            return None
        turn, worth = found
        # White takes the better color.
        value = 1 - worth.better
        proven = value if worth.is_exact else None
        return Choice(turn.steps, value, worth.visits, turn.steps[:1], proven)

    def _from_search(
        self,
        root: Root,
        manager: TimeManager,
        proven: float | None,
        observer: SearchObserver | None,
    ) -> Choice:
        """The choice from a search of the root: a swap, or a turn.

        proven -- the exact value for BLACK; None if unknown
        """
        search = partial(manager.search_first, steps=len(root.others))
        tree, report = self._search(root, search, observer)
        if proven is None:
            proven = tree.proven
        value = tree.value if proven is None else proven
        if root.swaps_at(value, proven is not None):
            return root.swapping(tree.visits, value, proven)._replace(report=report)
        if root.swap is not None and self._habits.considers is not None:
            noticed = self._noticed(root._replace(swap=None))
            return self._from_search(noticed, manager, None, None)
        if not root.may_be_swapped:
            report = report._replace(proven=proven)
        rows = [row for row in report.rows if row.step is not root.swap and row.visits]
        choice = Choice(root.forced, value, tree.visits, proven=proven, report=report)
        return self._whole_turn(choice, rows, tree, root, manager)

    def _whole_turn(
        self, choice: Choice, rows: list[Row], tree: Tree, root: Root, manager: TimeManager
    ) -> Choice:
        """The choice with its whole turn and its line. A search finds each step after the first.

        rows -- the rows of the first step, the best first
        """
        line = self._line(rows, root.others, tree, root)
        chosen: tuple[Step, ...] = ()
        while True:
            step, *expected = line
            chosen += (step,)
            choice = choice._replace(steps=choice.steps + tree.descend(step))
            if not tree.position.open:
                return choice._replace(line=(*chosen, *expected))
            others = tree.position.legal_steps()
            manager.search_further(tree, len(others))
            others = self._considered(tree.position, others)
            rows = [row for row in tree.rows(LONGEST_LINE) if row.step in others]
            line = self._line(_sorted(rows, tree, root), others, tree, root)

    def _search(
        self,
        root: Root,
        search: SearchTree,
        observer: SearchObserver | None,
        longest_pv: int = SHOWN_PV,
    ) -> tuple[Tree, Report]:
        """The searched tree of a root, and the report that the observer has got last."""
        tree = self._trees(root.unswapped, root.others)
        current = partial(_report, tree, root, longest_pv)
        search(tree, never_stop if observer is None else observer.over(current))
        report = current()
        if observer is not None:
            observer.end(report)
        return tree, report

    def _line(
        self, rows: Sequence[Row], among: tuple[Step, ...], tree: Tree, root: Root
    ) -> tuple[Step, ...]:
        """The step of the best row, and the expected steps after it."""
        if not rows:
            return (self._rng.choice(among),)
        if not self._habits.leeway or root.may_be_swapped:
            return rows[0].pv
        alike = nearly_as_good(rows, rows[0], tree.position.to_move, self._habits.leeway)
        return self._rng.choice(alike).pv


def _sorted(rows: list[Row], tree: Tree, root: Root) -> list[Row]:
    """The rows with the one to play first, then by visits."""
    if not rows:
        return rows
    if root.may_be_swapped:
        first = most_even(rows)
    else:
        first = best(rows, tree.position.to_move, tree.trusted_visits)
    return in_order(rows, first)


def _report(tree: Tree, root: Root, longest_pv: int) -> Report:
    """The report of a tree, with the swap if it is legal."""
    rows = _sorted(tree.rows(longest_pv), tree, root) or list(unvisited(root.others))
    value, proven = tree.value, tree.proven
    if root.swap is not None:
        # All visits estimate the swap, because White takes over the other side.
        value = root.known(value, proven is not None)
        swapped = root.swapping(tree.visits, value, proven)
        seen = swapped.value_for(root.position.to_move)
        lcb = lower_bound(seen, tree.visits) if tree.visits else 0.0
        row = Row(root.swap, tree.visits, swapped.value, 0.0, lcb, swapped.proven, swapped.line)
        swaps = root.swaps_at(value, proven is not None)
        rows.insert(0 if swaps else 1, row)
        if swaps:
            value, proven = swapped.value, swapped.proven
    if root.may_be_swapped:
        proven = None  # the tree knows no swap
    if root.proven is not None and root.swap is None:
        value = proven = root.proven
        rows = root.with_win(rows)
    size = tree.nodes, tree.used_bytes
    return Report(root.position, tuple(rows), value, tree.visits, proven, root.forced, *size)
