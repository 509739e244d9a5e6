"""Monte Carlo tree search over steps, in Python, for games and machines without the kernel.

The search is UCT (Kocsis and Szepesvari, ECML 2006) with uniformly random playouts. It backs up
proven results as MCTS-Solver does (Winands et al., CG 2008). Values are for BLACK. A node converts
them for the color to move there, so one color may decide several times in a row.
"""

import math
import random
from collections.abc import Sequence

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.budget import Deadline
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions, plain, tuned
from gtp_engine.search.tree import LONGEST_PV, Poll, Row, lower_bound, never_stop

# A tree stops growing at this many nodes, some hundred MiB. The search then goes on without growth.
_MOST_NODES = 2**16

# The steps of a playout between two checks of the clock. A step takes up to 0.1 ms.
_STEPS_BETWEEN_LOOKS = 16


class OutOfTime(Exception):
    """A playout reached the deadline."""


class Node:
    """A position in the tree.

    step     -- the decision that led here; forced steps after it were played at once
    untried  -- legal steps without a child yet, in random order; None before the first use
    total    -- the sum of the values of all visits
    proven   -- the exact value; None if unknown
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
            self.proven = outcome.value

    @property
    def value(self) -> float:
        """The mean of the visits, or the proven value."""
        if self.proven is not None:
            return self.proven
        return self.total / self.visits if self.visits else 0.5

    @property
    def win(self) -> float:
        """The value of a game that the color to move here wins."""
        return float(self.position.to_move is BLACK)

    def select(self, exploration: float) -> "Node":
        """The child with the highest upper confidence bound; known losses come last."""
        win = self.win
        log_visits = math.log(self.visits)
        best, best_bound = self.children[0], -math.inf
        for child in self.children:
            if child.proven == 1 - win:
                continue
            bound = 1 - abs(win - child.value)
            bound += exploration * math.sqrt(log_visits / child.visits)
            if bound > best_bound:
                best, best_bound = child, bound
        return best

    def prove(self) -> None:
        """Derive a proven value from the children."""
        win = self.win
        values = [child.proven for child in self.children]
        if win in values:
            self.proven = win
        elif not self.untried and None not in values:
            self.proven = (max if win else min)(value for value in values if value is not None)


class PythonTree:
    """The tree of a position, in Python. Its root searches only the given steps."""

    def __init__(
        self,
        position: Position,
        among: tuple[Step, ...],
        rng: random.Random,
        options: SearchOptions = DEFAULT_OPTIONS,
    ) -> None:
        self._rng = rng
        own = tuned(plain(options), position.game, learned_evaluation=False)
        self._exploration = own.exploration or 0.0
        self._trusted_visits = own.trusted_visits or 0.0
        self._root = Node(position)
        self._grown = 1
        self._root.untried = self._shuffled(among)

    @property
    def position(self) -> Position:
        """See Tree.position."""
        return self._root.position

    @property
    def trusted_visits(self) -> float:
        """See Tree.trusted_visits."""
        return self._trusted_visits

    @property
    def visits(self) -> int:
        """See Tree.visits."""
        return self._root.visits

    @property
    def value(self) -> float:
        """See Tree.value."""
        return self._root.value

    @property
    def proven(self) -> float | None:
        """See Tree.proven."""
        return self._root.proven

    @property
    def nodes(self) -> int:
        """See Tree.nodes."""
        waiting, count = [self._root], 0
        while waiting:
            node = waiting.pop()
            waiting += node.children
            count += 1
        return count

    @property
    def used_bytes(self) -> int:
        """See Tree.used_bytes."""
        return 0

    def rows(self, longest_pv: int = LONGEST_PV) -> list[Row]:
        """See Tree.rows."""
        root = self._root
        steps = len(root.children) + len(root.untried or ())
        return [_row(child, root, 1 / steps, longest_pv) for child in list(root.children)]

    def descend(self, step: Step) -> tuple[Step, ...]:
        """See Tree.descend."""
        root = self._root
        children = (child for child in root.children if child.step == step)
        self._root = next(children, None) or Node(root.position.play_unchecked(step), step)
        return step, *self._root.forced

    def search(self, deadline: Deadline, poll: Poll = never_stop) -> None:
        """See Tree.search."""
        root = self._root
        while root.proven is None and (deadline.visits is None or root.visits < deadline.visits):
            if deadline.reached():
                return
            try:
                self._visit(root, deadline)
            except OutOfTime:
                return
            if poll():
                return

    def _visit(self, root: Node, deadline: Deadline) -> None:
        path, value = [root], 0.5
        while path[-1].proven is None:
            node = path[-1]
            if node.untried is None:
                node.untried = self._shuffled(node.position.legal_steps())
            if self._grown >= _MOST_NODES and not node.children:
                value = self._playout(node.position, deadline)
                break
            if node.untried and self._grown < _MOST_NODES:
                step = node.untried[-1]
                child = Node(node.position.play_unchecked(step), step)
                path.append(child)
                if child.proven is None:
                    value = self._playout(child.position, deadline)
                else:
                    value = child.proven
                node.untried.pop()
                node.children.append(child)
                self._grown += 1
                break
            path.append(node.select(self._exploration))
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
        return outcome.value

    def _shuffled(self, steps: Sequence[Step]) -> list[Step]:
        shuffled = list(steps)
        self._rng.shuffle(shuffled)
        return shuffled


def _row(child: Node, root: Node, prior: float, longest_pv: int) -> Row:
    value, proven = child.value, child.proven
    seen = value if root.win else 1 - value
    lcb = lower_bound(seen, child.visits) if proven is None else seen
    line = [child]
    while line[-1].children and len(line) < longest_pv:
        line.append(max(list(line[-1].children), key=lambda node: node.visits))
    pv = tuple(node.step for node in line if node.step is not None)
    return Row(pv[0], child.visits, value, prior, lcb, proven, pv)


def random_step(position: Position, rng: random.Random) -> Step:
    """A uniformly random legal step, never a swap. The function avoids listing all steps."""
    candidates = position.candidates()
    while True:
        number = int(rng.random() * len(candidates))
        step = candidates[number]
        if position.permits(step):
            return step
        candidates = [other for other in candidates if other is not step]
