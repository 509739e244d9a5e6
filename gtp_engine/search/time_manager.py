"""Time management: how long a turn is searched, and when a search ends early.

A search ends early when the step to play cannot change any more, and goes on where the position is
hard. Later turns get the time that is saved: see engine/turn_budget.py.
After Baier and Winands, "Time Management for Monte Carlo Tree Search" (IEEE TCIAIG 8, 2016),
whose STOP, UNST, CLOSE and BEHIND these are.
"""

import math
import time
from collections.abc import Callable, Sequence

from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.search.budget import Budget
from gtp_engine.search.tree import Poll, Row, Tree, best, never_stop, value_for

MonotonicClock = Callable[[], float]
"""A clock: seconds since any time."""

# The part of the time for the first step of a turn; further steps begin with its subtree.
FIRST_STEP_SHARE = 0.95

# The rate of visits may rise a little.
_MORE_VISITS = 1.1

# A position is hard for three reasons: a step with at least this share of the visits of the step to
# play has a better value; another step has this share of its visits; the chance to win has fallen
# by this much. Each reason adds half of the time.
_KNOWN = 0.1
_CLOSE = 0.8
_DROP = 0.05
_MORE_TIME = 0.5

# Checks per time budget, the shortest interval in seconds, and the part of the budget before the
# first check, because the rate of visits is unknown at first.
_CHECKS = 20
_SHORTEST_BETWEEN = 0.01
_FIRST_CHECK = 0.1


def settled(rows: Sequence[Row], first: Row, steps: int, to_move: Color, coming: float) -> bool:
    """Whether no other step can get as many visits as the step to play, in so many more.

    Then the step to play hardly ever changes. A proof settles it, too.

    first -- the row of the step to play
    steps -- the number of steps, with unvisited ones
    """
    win = float(to_move is BLACK)
    lost = [row for row in rows if row.proven == 1 - win]
    if first.proven == win or steps - len(lost) <= 1:
        return True
    others = (row.visits for row in rows if row is not first and row not in lost)
    return first.visits - max(others, default=0) > coming


def reasons(rows: Sequence[Row], first: Row, to_move: Color, before: float | None) -> int:
    """The number of reasons why a position is hard, 0 to 3.

    first  -- the row of the step to play
    before -- the chance to win that the color to move had on its last turn, None for unknown
    """
    chance = value_for(to_move, first.value)
    lost = float(to_move is not BLACK)
    others = [row for row in rows if row is not first and row.proven != lost]
    unstable = any(
        value_for(to_move, row.value) > chance and row.visits >= _KNOWN * first.visits
        for row in others
    )
    close = any(row.visits >= _CLOSE * first.visits for row in others)
    behind = before is not None and chance < before - _DROP
    return unstable + close + behind


class StopCondition:
    """Stops a search when its time is up, or when its step cannot change any more.

    steps  -- how many there are to choose from
    budget -- with `seconds` and `longest`
    """

    def __init__(self, tree: Tree, steps: int, budget: Budget, now: MonotonicClock) -> None:
        assert budget.seconds is not None and budget.longest is not None
        self._tree = tree
        self._steps = steps
        self._seconds, self._longest = budget.seconds, budget.longest
        self._budget = budget
        self._now = now
        self._began = now()
        self._visits = tree.visits
        self._between = max(_SHORTEST_BETWEEN, self._seconds / _CHECKS)
        self._due = min(max(self._between, _FIRST_CHECK * self._seconds), self._seconds)

    def __call__(self) -> bool:
        """Whether the search should end now; checks the tree only at intervals."""
        passed = self._now() - self._began
        if passed < self._due:
            return False
        self._due = passed + self._between
        if passed < self._seconds:
            self._due = min(self._due, self._seconds)
        return self._after(passed)

    def _after(self, passed: float) -> bool:
        visits = self._tree.visits - self._visits
        rows = self._tree.rows(longest_pv=1) if visits else []
        if not rows:
            return passed >= self._seconds
        to_move = self._tree.position.to_move
        first = best(rows, to_move, self._tree.trusted_visits)
        more = 1 + _MORE_TIME * reasons(rows, first, to_move, self._budget.before)
        left = min(more * self._seconds, self._longest) - passed
        if left <= 0:  # as at once without seconds, where a coarse clock has not gone on
            return True
        coming = _MORE_VISITS * visits / passed * left if self._budget.saves else math.inf
        return settled(rows, first, self._steps, to_move, coming)


class TimeManager:
    """Divides the time of a turn, which begins now, among its steps.

    If the budget has no `longest`, or no seconds, it spends all: nearly all on the first step.

    deadline -- of the turn
    """

    def __init__(self, budget: Budget, now: MonotonicClock = time.monotonic) -> None:
        self.deadline = budget.begin()
        self._budget = budget
        self._now = now
        self._began = now()
        self._seconds_in_all = 0.0

    def search_first(self, tree: Tree, poll: Poll, steps: int) -> None:
        """Search for the first step of a turn, among `steps` steps."""
        seconds, longest = self._budget.seconds, self._budget.longest
        if seconds is None or longest is None:
            tree.search(self.deadline.share(FIRST_STEP_SHARE), poll)
            return
        passed = self._now() - self._began
        seconds = FIRST_STEP_SHARE * max(0.0, seconds - passed)
        longest = FIRST_STEP_SHARE * max(0.0, longest - passed)
        budget = self._budget._replace(seconds=seconds, longest=longest)
        self._search(tree, steps, budget, poll)

    def search_further(self, tree: Tree, steps: int) -> None:
        """Search for a further step, among `steps` steps, in the remaining time of the turn.

        With `longest`, that is in proportion to the time that the first step took.
        """
        longest = self._budget.longest
        if self._budget.seconds is None or longest is None:
            tree.search(self.deadline)
            return
        passed = self._now() - self._began
        if not self._seconds_in_all:
            self._seconds_in_all = min(passed / FIRST_STEP_SHARE, longest)
        left = max(0.0, self._seconds_in_all - passed)
        budget = self._budget._replace(seconds=left, longest=left, before=None)
        self._search(tree, steps, budget, never_stop)

    def _search(self, tree: Tree, steps: int, budget: Budget, poll: Poll) -> None:
        stop = StopCondition(tree, steps, budget, self._now)
        deadline = budget._replace(seconds=budget.longest, positions=None).begin()
        tree.search(deadline, lambda: poll() or stop())
