"""The solver in the kernel."""

import threading
import time
from collections.abc import Iterator
from threading import Event
from typing import TYPE_CHECKING

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.search.backends.kernel_steps import numbered_step
from gtp_engine.search.budget import Budget, Deadline
from gtp_engine.search.solution import Census, CheckedWords, ContradictoryTable, Solution
from gtp_engine.search.threads import threads_for

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

# Seconds between checks of interrupt and signals while the kernel searches.
SECONDS_BETWEEN_LOOKS = 0.001

# The same while another thread has the solver.
_SECONDS_BETWEEN_TRIES = 0.01

_CONTRADICTED = "the table of proofs contradicts itself: begin without it"

_UNSOLVED = Solution(None, (), 0, 0, 0, 0.0)


def until_next_look(deadline: Deadline) -> float:
    """Seconds to wait for the kernel, until the next check or the end of the time."""
    left = deadline.seconds_left()
    return SECONDS_BETWEEN_LOOKS if left is None else min(left, SECONDS_BETWEEN_LOOKS)


class KernelSolver:
    """Solves positions of one game and size in the kernel, one at a time.

    Players share the table of a board, so several threads may ask. Who waits keeps to its own
    budget; what the others find meanwhile helps it.
    """

    def __init__(self, solver: "_kernel.Solver", threads: int | None = None) -> None:
        """See SearchOptions for the threads."""
        self._solver = solver
        self._threads = threads
        self._busy = threading.Lock()
        self.complete = False

    def solve(self, position: Position, budget: Budget) -> Solution:
        """See Solver.solve."""
        deadline = budget.begin()
        while not self._busy.acquire(timeout=_SECONDS_BETWEEN_TRIES):
            if deadline.reached():
                return _UNSOLVED
        try:
            return self._solve(position, deadline)
        finally:
            self._busy.release()

    def saved_parts(self) -> Iterator[bytes]:
        """See Prover.saved_parts."""
        with self._busy:
            part, following = self._solver.saved_part(0)
            yield part
            while following:
                part, following = self._solver.saved_part(following)
                yield part

    def restore(self, entries: bytes) -> None:
        """See Prover.restore."""
        with self._busy:
            self._solver.restore_part(entries)

    def certify(self, position: Position, budget: Budget) -> bytes | None:
        """See Prover.certify."""
        with self._busy:
            began = self._run(position, budget.begin(), certify=True)
            if began and self._solver.solved().contradicted:
                raise ContradictoryTable(_CONTRADICTED)
            return self._solver.certificate() if began else None

    def check(
        self, position: Position, winner: Color, words: bytes, interrupt: Event
    ) -> CheckedWords:
        """See Prover.check."""
        with self._busy:
            self._solver.turn_to(write_position(position))
            self._solver.check(words, winner is BLACK)
            while not self._solver.wait(SECONDS_BETWEEN_LOOKS):
                if interrupt.is_set():
                    self._solver.stop()
            return CheckedWords(*self._solver.checked())

    def _run(self, position: Position, deadline: Deadline, certify: bool) -> bool:
        """Run the solver; False if its thread has not noticed the end of the last request yet."""
        if not self._solver.wait(until_next_look(deadline)):
            return False
        self._solver.turn_to(write_position(position))
        threads = threads_for(deadline, self._threads)
        self._solver.start(deadline.visits, deadline.seconds_left(), certify, threads)
        while not self._solver.wait(until_next_look(deadline)):
            if deadline.reached():
                self._solver.stop()
                self._solver.wait(SECONDS_BETWEEN_LOOKS)  # no longer: it may lack a processor
                break
        return True

    def _solve(self, position: Position, deadline: Deadline) -> Solution:
        began = time.monotonic()
        if not self._run(position, deadline, certify=False):
            return _UNSOLVED
        found = self._solver.solved()
        if found.contradicted:
            raise ContradictoryTable(_CONTRADICTED)
        line = tuple(numbered_step(position.game, number) for number in found.line)
        census = None if found.census is None else Census(*found.census)
        self.complete = self.complete or census is not None
        return Solution(
            found.value,
            line,
            found.positions,
            found.hits,
            found.used_bytes,
            time.monotonic() - began,
            census,
        )
