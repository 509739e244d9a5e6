"""The search tree in the kernel."""

import time
from typing import TYPE_CHECKING

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.step import Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.backends.kernel_solver import SECONDS_BETWEEN_LOOKS, until_next_look
from gtp_engine.search.backends.kernel_steps import numbered_step, step_number
from gtp_engine.search.budget import Deadline
from gtp_engine.search.threads import threads_for
from gtp_engine.search.tree import LONGEST_PV, Poll, Row, never_stop

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

# An interrupted search may take this many more seconds for its first visit. Any answer is better
# than none.
_FIRST_VISIT = 0.01


class KernelTree:
    """The tree of a position, in the kernel.

    A search ends when its time is up, though its threads may not have noticed: on a busy machine
    they wait for a processor. What needs a tree at rest waits for them.
    """

    def __init__(
        self,
        search: "_kernel.Search",
        position: Position,
        threads: int | None = None,
        trusted_visits: float = 1.0,
    ) -> None:
        self._search = search
        self._position = position
        self._threads = threads
        self._trusted_visits = trusted_visits
        self._descended: list[Step] = []  # before the root of the kernel has followed

    @property
    def position(self) -> Position:
        """See Tree.position."""
        return self._position

    @property
    def trusted_visits(self) -> float:
        """See Tree.trusted_visits."""
        return self._trusted_visits

    @property
    def visits(self) -> int:
        """See Tree.visits."""
        return self._followed().visits

    @property
    def value(self) -> float:
        """See Tree.value."""
        return self._followed().value

    @property
    def proven(self) -> float | None:
        """See Tree.proven."""
        return self._followed().proven

    @property
    def nodes(self) -> int:
        """See Tree.nodes."""
        return self._followed().nodes

    @property
    def used_bytes(self) -> int:
        """See Tree.used_bytes."""
        return self._followed().used_bytes

    def search(self, deadline: Deadline, poll: Poll = never_stop) -> None:
        """Search. The main thread returns to Python at intervals to handle signals."""
        search = self._followed()
        search.set_threads(threads_for(deadline, self._threads))
        search.start(deadline.visits, deadline.seconds_left())
        grace = time.monotonic() + _FIRST_VISIT
        while not search.wait(until_next_look(deadline)):
            if deadline.interrupted():
                ends = search.visits > 0 or time.monotonic() > grace
            else:
                ends = deadline.reached() or poll()
            if ends:
                search.stop()
                search.wait(SECONDS_BETWEEN_LOOKS)
                break
        if not search.visits and deadline.visits is None and not deadline.interrupted():
            # The time was up before the first visit.
            search.start(1, None)
            while not search.wait(SECONDS_BETWEEN_LOOKS):
                pass

    def rows(self, longest_pv: int = LONGEST_PV) -> list[Row]:
        """See Tree.rows."""

        def steps(numbers: list[int]) -> tuple[Step, ...]:
            return tuple(numbered_step(self._position.game, number) for number in numbers)

        return [
            Row(pv[0], row.visits, row.value, row.prior, row.lcb, row.proven, pv)
            for row in self._followed().rows(longest_pv)
            for pv in [steps(row.pv)]
        ]

    def descend(self, step: Step) -> tuple[Step, ...]:
        """See Tree.descend."""
        self._descended.append(step)
        forced, self._position = settle(self._position.play_unchecked(step))
        return step, *forced

    def follow(self, position: Position) -> bool:
        """Make `position` the root; returns False if the tree does not hold it."""
        if not self._followed().follow(write_position(position)):
            return False
        self._position = position
        return True

    def _followed(self) -> "_kernel.Search":
        """The search in the kernel, with the root where the tree has descended to."""
        while self._descended:
            self._search.advance(step_number(self._position.game, self._descended.pop(0)))
        return self._search
