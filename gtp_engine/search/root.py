"""The decision that a search starts from, and what is known of it without a search."""

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import SWAPS, Pie, Step
from gtp_engine.rules.turns import settle, turns_of
from gtp_engine.search.choice import LONGEST_LINE, Choice, unvisited
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.solution import Solution
from gtp_engine.search.tree import Row, value_for

if TYPE_CHECKING:
    from gtp_engine.search.openings.swap_maps import Worth


class Root(NamedTuple):
    """The root of a search: the position after forced steps, and the choices there.

    swap   -- the legal swap, or None
    others -- the other legal steps; with none the turn is decided
    worth  -- the value of the first turn that may be swapped, if a stored map has it
    proof  -- what a certificate tells of the position without the pie rule, and its winning turn
    """

    forced: tuple[Step, ...]
    position: Position
    swap: Step | None
    others: tuple[Step, ...]
    worth: "Worth | None" = None
    proof: Solution | None = None

    @classmethod
    def of(cls, position: Position, among: tuple[Step, ...]) -> "Root":
        """The root of a search that begins with one of some legal steps."""
        forced, position = settle(position)
        if forced:
            among = position.legal_steps() if position.open else ()
        swap = next((step for step in among if step in SWAPS.values()), None)
        return cls(forced, position, swap, tuple(step for step in among if step is not swap))

    @property
    def unswapped(self) -> Position:
        """The position without the pie rule: the one to search."""
        return replace(self.position, pie=Pie.OFF)

    @property
    def offers_all(self) -> bool:
        """Whether all legal steps but the swap may be chosen."""
        return len(self.others) == len(self.unswapped.legal_steps())

    @property
    def may_be_swapped(self) -> bool:
        """Whether the turn that begins here may be answered by a swap."""
        return self.position.pie is not Pie.OFF and self.position.to_move is BLACK

    def known(self, value: float, proven: bool) -> float:
        """The value of the other turns for BLACK, given the value from a search.

        The value in a map takes precedence over a search, but not over a proof. It is of all turns,
        so it says nothing of some.
        """
        if self.worth is None or proven or not self.offers_all:
            return value
        return self.worth.value

    def swaps_at(self, value: float, proven: bool = False) -> bool:
        """Whether to swap if the other turns have this value for BLACK."""
        if self.swap is None:
            return False
        value, mover = self.known(value, proven), self.position.to_move
        swapped = self.swapping(0, value, value if proven else None).value
        return value_for(mover, value) < value_for(mover, swapped)

    def swapping(self, visits: int, value: float, proven: float | None) -> Choice:
        """The choice of the swap if the other turns have this value: it exchanges the sides.

        Where only some of them may be chosen, the value in a map is used: the opponent will have
        them all.
        """
        assert self.swap is not None
        if proven != float(self.position.to_move is BLACK) and not self.offers_all:
            # Some turns prove nothing of all, unless they win.
            exact = self.worth is not None and self.worth.is_exact
            value = value if self.worth is None else self.worth.value
            proven = value if exact else None
        swapped = None if proven is None else 1 - proven
        return Choice((self.swap,), 1 - value, visits, (self.swap,), swapped)

    def certified(self) -> "Root":
        """The root with its proof, if a certificate has it and all steps may be chosen."""
        from gtp_engine.search.certificates import certified

        proof = certified(self.unswapped) if self.others else None
        return self if proof is None or not self.offers_all else self._replace(proof=proof)

    @property
    def proven(self) -> float | None:
        """The value for BLACK without the pie rule, if a certificate has it."""
        return None if self.proof is None else self.proof.value

    def with_win(self, rows: list[Row]) -> list[Row]:
        """The rows of a search with the step that wins by the proof first, if there is one.

        The proof counts as a visit where the search made none.
        """
        if self.proven is None or self.proof is None or not self.proof.line:
            return rows
        value, line = self.proven, self.proof.line
        visits = sum(row.visits for row in rows if row.step == line[0])
        prior = sum(row.prior for row in rows if row.step == line[0])
        win = Row(line[0], max(1, visits), value, prior, 1.0, value, line)
        return [win, *(row for row in rows if row.step != line[0])]

    def decided(self, before: Position, observer: SearchObserver | None) -> tuple[Choice, Report]:
        """The choice if there is only one, and the report on it, which an observer gets."""
        steps = self.forced if self.swap is None else (self.swap,)
        report = Report(before, unvisited(steps[:1]), 0.5, 0)
        if observer is not None:
            observer.end(report)
        return Choice(steps), report


class SolvedRoot(NamedTuple):
    """A solved root, without its swap.

    value -- for BLACK
    line  -- best play from the root on
    turn  -- the steps of the line that complete the turn, including forced ones
    """

    root: Root
    value: float
    line: tuple[Step, ...]
    turn: tuple[Step, ...]
    positions: int

    @classmethod
    def of(cls, root: Root, found: Solution) -> "SolvedRoot | None":
        """The root with its solution; None if it is not solved, or not to the end of the turn.

        A certificate tells of no turn in a lost position.
        """
        if not found.line and found.value == float(root.position.to_move is not BLACK):
            return cls(root, found.value, (), (), 1)
        first = next(turns_of(root.position, found.line), None)
        if found.value is None or first is None or not first.whole:
            return None
        steps = root.forced + first.steps
        positions = max(1, found.positions)  # a known position counts as one
        return cls(root, found.value, found.line[:LONGEST_LINE], steps, positions)

    @property
    def swaps(self) -> bool:
        """Whether the swap is the best choice."""
        return self.root.swaps_at(self.value, proven=True)

    @property
    def decides(self) -> bool:
        """Whether a search is unnecessary: the position is not lost, or it can be swapped."""
        return self.swaps or self.value != float(self.root.position.to_move is not BLACK)

    @property
    def choice(self) -> Choice:
        """The choice: the swap, or the turn."""
        if self.swaps:
            return self.root.swapping(self.positions, self.value, self.value)
        return Choice(self.turn, self.value, self.positions, self.line, self.value)
