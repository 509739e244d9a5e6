"""The search in Python: the backend that needs no compiler, and its tree."""

import math
import random
import time
from collections.abc import Sequence

from gtp_engine.base.logarithm import logarithm
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.diagram import by_row
from gtp_engine.rules.step import SWAP_SIDES, Step
from gtp_engine.rules.turns import perft, settle
from gtp_engine.search.backends.protocol import Ends, MakeTree, PlayedGames, PlayRandom
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions, plain, tuned
from gtp_engine.search.solution import BEST, DEPTH_FIRST, Solution, Solver
from gtp_engine.search.tree import LONGEST_PV, Poll, Row, lower_bound, never_stop
from gtp_engine.search.weights import Weights

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
        log_visits = logarithm(self.visits)
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
    ends = tuple(made for made, node in enumerate(line, 1) if not node.position.open)
    return Row(pv[0], child.visits, value, prior, lcb, proven, pv, ends)


def random_step(position: Position, rng: random.Random) -> Step:
    """A uniformly random legal step, never a swap. The function avoids listing all steps."""
    candidates = position.candidates()
    while True:
        number = int(rng.random() * len(candidates))
        step = candidates[number]
        if position.permits(step):
            return step
        candidates = [other for other in candidates if other is not step]


# The most positions in memory. They take some hundred MiB.
_MOST_POSITIONS = 2**19

# The solver gives up on longer lines, before Python's stack overflows.
_DEEPEST = 300


class GaveUp(Exception):
    """The budget is used up."""


class PythonSolver:
    """Solves positions of any game and size."""

    complete = False

    def __init__(self) -> None:
        self._values: dict[Position, float] = {}
        self._searched = self._hits = 0

    def solve(self, position: Position, budget: Budget) -> Solution:
        """See Solver.solve."""
        began = time.perf_counter()
        self._searched = self._hits = 0
        deadline = budget.begin()
        value, line = None, list[Step]()
        try:
            value = self._value(position, deadline)
            while True:
                _, position = settle(position)
                step = self._best_step(position, deadline)
                if step is None:
                    break
                line.append(step)
                position = position.play_unchecked(step)
        except GaveUp:
            pass
        seconds = time.perf_counter() - began
        return Solution(value, tuple(line), self._searched, self._hits, 0, seconds)

    def _best_step(self, position: Position, deadline: Deadline) -> Step | None:
        """A step that keeps the value; None at the end of the game."""
        if position.outcome() is not None:
            return None
        value = self._value(position, deadline)
        for step in position.legal_steps():
            if self._after(position, step, deadline) == value:
                return step
        raise AssertionError("no step has the value of its position")

    def _value(self, position: Position, deadline: Deadline, depth: int = 0) -> float:
        if position in self._values:
            self._hits += 1
            return self._values[position]
        outcome = position.outcome()
        if outcome is not None:
            return outcome.value
        self._count(deadline, depth)
        best = float(position.to_move is not BLACK)
        win = 1 - best
        for step in position.legal_steps():
            value = self._after(position, step, deadline, depth)
            best = max(best, value) if position.to_move is BLACK else min(best, value)
            if best == win:
                break
        if len(self._values) < _MOST_POSITIONS:
            self._values[position] = best
        return best

    def _after(self, position: Position, step: Step, deadline: Deadline, depth: int = 0) -> float:
        """The value after a step, for the player who is BLACK before the step."""
        value = self._value(position.play_unchecked(step), deadline, depth + 1)
        return 1 - value if step == SWAP_SIDES else value

    def _count(self, deadline: Deadline, depth: int) -> None:
        if depth > _DEEPEST or deadline.visits is not None and self._searched >= deadline.visits:
            raise GaveUp
        if self._searched % 64 == 0 and deadline.reached():
            raise GaveUp
        self._searched += 1


class PythonBackend:
    """See protocol.Backend."""

    name = "python"
    keeps_trees = False
    isas = None

    def weights(self, options: SearchOptions) -> Weights | None:
        """None, because the Python search has no learned evaluation."""
        return None

    def trees(self, options: SearchOptions, rng: random.Random, keep: bool) -> MakeTree:
        """See Backend.trees."""
        return lambda position, among: PythonTree(position, among, rng, options)

    def solver(self, position: Position, options: SearchOptions, method: str) -> Solver:
        """See Backend.solver."""
        if method not in (BEST, DEPTH_FIRST):
            raise ValueError("no such way to solve this")
        return PythonSolver()

    def random_games(self, position: Position, rng: random.Random) -> PlayRandom:
        """See Backend.random_games."""
        return lambda most: _one_game(position, rng)

    def timed_games(
        self, position: Position, seconds: float, seed: int, step_by_step: bool
    ) -> PlayedGames:
        """See Backend.timed_games."""
        rng = random.Random(seed)
        games = plies = black_wins = draws = 0
        start, began = position, time.perf_counter()
        while not games or time.perf_counter() - began < seconds:
            position = start
            while (outcome := position.outcome()) is None:
                chosen = rng.choice(position.legal_steps()) if step_by_step else None
                position = position.play_unchecked(chosen or random_step(position, rng))
                plies += 1
            games += 1
            black_wins += outcome.winner is BLACK
            draws += outcome.winner is None
        return PlayedGames(games, plies, black_wins, draws, time.perf_counter() - began)

    def perft(self, position: Position, depth: int) -> int:
        """See Backend.perft."""
        return perft(position, depth)


def _one_game(position: Position, rng: random.Random) -> Ends:
    while (outcome := position.outcome()) is None:
        position = position.play_unchecked(random_step(position, rng))
    black, white = position.held()
    held = [(black >> vertex & 1) - (white >> vertex & 1) for vertex in by_row(position.size)]
    return Ends(1, outcome.value, held)
