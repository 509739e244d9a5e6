"""Monte Carlo tree search over steps, in Python: the player where there is no kernel.

UCT (Kocsis and Szepesvari, ECML 2006) with uniformly random playouts, and results that are
proven backed up as in MCTS-Solver (Winands et al., CG 2008). Values are for BLACK; they are
turned around only where a node looks at them for the color that is to move there, so the same
color may decide several times in a row.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from gtp_engine.board.color import BLACK
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAPS, Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.player import Choice

EXPLORATION = 0.4
# The clock is looked at after this many steps of a playout: a step takes up to 0.1 ms.
_STEPS_BETWEEN_LOOKS = 16
# The part of the time for the first step of a turn; further steps begin with its subtree.
_FIRST_STEP_SHARE = 0.95


class OutOfTime(Exception):
    """The deadline was reached inside a playout."""


class Node:
    """A position in the tree.

    step     -- the decision that led here; forced steps after it were played at once
    untried  -- legal steps without a child yet, in random order; None before the first look
    total    -- the sum of the values of all visits
    proven   -- the exact value, once it is known
    """

    __slots__ = ("position", "step", "forced", "untried", "children", "visits", "total", "proven")

    def __init__(self, position: Position, step: Step | None = None) -> None:
        self.step = step
        self.forced, self.position = settle(position)
        self.untried: list[Step] | None = None
        self.children: list[Node] = []
        self.visits = 0
        self.total = 0.0
        self.proven: float | None = None
        outcome = self.position.outcome()
        if outcome is not None:
            self.proven = 0.5 if outcome.winner is None else float(outcome.winner is BLACK)

    @property
    def value(self) -> float:
        """The mean of the visits, or the proven value."""
        if self.proven is not None:
            return self.proven
        return self.total / self.visits if self.visits else 0.5

    @property
    def win(self) -> float:
        """The value of a game won by the color to move here."""
        return float(self.position.to_move is BLACK)

    def select(self) -> "Node":
        """The child with the highest upper confidence bound, known losses last."""
        win = self.win
        log_visits = math.log(self.visits)
        best, best_bound = self.children[0], -math.inf
        for child in self.children:
            if child.proven == 1 - win:
                continue
            bound = 1 - abs(win - child.value)
            bound += EXPLORATION * math.sqrt(log_visits / child.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        return best

    def best(self) -> "Node":
        """The child to play: a proven win, else the most visited that is no proven loss."""
        win = self.win

        def rank(child: Node) -> tuple[bool, bool, int, float]:
            closeness = 1 - abs(win - child.value)
            return child.proven == win, child.proven != 1 - win, child.visits, closeness

        return max(self.children, key=rank)

    def most_even(self) -> "Node":
        """The child whose value is closest to even, doubting values of few visits."""
        return min(self.children, key=lambda child: abs(child.value - 0.5) + child.visits**-0.5)

    def prove(self) -> None:
        """Take over what the children prove."""
        win = self.win
        values = [child.proven for child in self.children]
        if win in values:
            self.proven = win
        elif not self.untried and None not in values:
            self.proven = (max if win else min)(value for value in values if value is not None)


class MctsPlayer:
    """The searching player."""

    def __init__(self, rng: random.Random) -> None:
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
        root = Node(replace(position, pie=Pie.OFF) if may_be_swapped else position)
        root.untried = self._shuffled(others)
        self._search(root, deadline.share(_FIRST_STEP_SHARE))
        value, visits = root.value, root.visits
        if swap is not None and abs(root.win - value) > 0.5:
            return Choice((swap,), 1 - value, visits)
        steps = forced
        while True:
            root = self._step_down(root, may_be_swapped)
            assert root.step is not None
            steps += (root.step, *root.forced)
            if not root.position.open:
                return Choice(steps, value, visits)
            self._search(root, deadline)

    def _step_down(self, root: Node, may_be_swapped: bool) -> Node:
        if root.children:
            return root.most_even() if may_be_swapped else root.best()
        untried = root.untried or self._shuffled(root.position.legal_steps())
        return Node(root.position.play_unchecked(untried[0]), untried[0])

    def _search(self, root: Node, deadline: Deadline) -> None:
        """Visit until the budget is spent or the result is proven."""
        while root.proven is None and (deadline.visits is None or root.visits < deadline.visits):
            if deadline.reached():
                return
            try:
                self._visit(root, deadline)
            except OutOfTime:
                return

    def _visit(self, root: Node, deadline: Deadline) -> None:
        path = [root]
        while path[-1].proven is None:
            node = path[-1]
            if node.untried is None:
                node.untried = self._shuffled(node.position.legal_steps())
            if node.untried:
                step = node.untried[-1]
                child = Node(node.position.play_unchecked(step), step)
                path.append(child)
                value = child.proven
                if value is None:
                    value = self._playout(child.position, deadline)
                node.untried.pop()
                node.children.append(child)
                break
            path.append(node.select())
        else:
            value = path[-1].value
        for node in reversed(path):
            node.visits += 1
            node.total += value
            if node.proven is None and node.children:
                node.prove()

    def _playout(self, position: Position, deadline: Deadline) -> float:
        """The value of a game of uniformly random steps. Raises OutOfTime."""
        steps = 0
        while (outcome := position.outcome()) is None:
            steps += 1
            if steps % _STEPS_BETWEEN_LOOKS == 0 and deadline.reached():
                raise OutOfTime
            position = position.play_unchecked(random_step(position, self._rng))
        return 0.5 if outcome.winner is None else float(outcome.winner is BLACK)

    def _shuffled(self, steps: Sequence[Step]) -> list[Step]:
        shuffled = list(steps)
        self._rng.shuffle(shuffled)
        return shuffled


def random_step(position: Position, rng: random.Random) -> Step:
    """A uniformly random legal step, swaps apart, without listing all of them."""
    candidates = position.candidates()
    while True:
        number = int(rng.random() * len(candidates))
        step = candidates[number]
        if position.permits(step):
            return step
        candidates = [other for other in candidates if other is not step]
