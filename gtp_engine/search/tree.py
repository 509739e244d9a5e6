"""The interface of a search tree, in the kernel or in Python."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Deadline

LONGEST_PV = 30


Poll = Callable[[], bool]
"""Polled regularly during a search, by the calling thread; True ends the search."""


def never_stop() -> bool:
    """Let the search go on."""
    return False


class Row(NamedTuple):
    """The statistics of a step at the root.

    value  -- for BLACK, 0 to 1
    prior  -- the prior probability of the step
    lcb    -- the lower end of the value's 95 % interval, as the color to move sees it
    proven -- the exact value, once it is known
    pv     -- the step and the expected ones after it; forced steps are left out
    ends   -- after how many steps of `pv` each turn is over, where the search tells it
    """

    step: Step
    visits: int
    value: float
    prior: float
    lcb: float
    proven: float | None
    pv: tuple[Step, ...]
    ends: tuple[int, ...] | None = None


class SearchedStep(Protocol):
    """What `best` reads of a row: a Row, or a row of the kernel."""

    @property
    def visits(self) -> int:
        """See Row."""
        ...

    @property
    def lcb(self) -> float:
        """See Row."""
        ...

    @property
    def proven(self) -> float | None:
        """See Row."""
        ...


_Searched = TypeVar("_Searched", bound=SearchedStep)


class Tree(Protocol):
    """The search tree of one position: the root, where forced steps have been played."""

    @property
    def position(self) -> Position:
        """The root."""
        ...

    @property
    def trusted_visits(self) -> float:
        """The share of the most visits that a row needs to be trusted: see the search option."""
        ...

    @property
    def visits(self) -> int:
        """The visits of the root."""
        ...

    @property
    def value(self) -> float:
        """The mean of the visits, or the proven value."""
        ...

    @property
    def proven(self) -> float | None:
        """The exact value for BLACK, once it is known."""
        ...

    @property
    def nodes(self) -> int:
        """The nodes in memory."""
        ...

    @property
    def used_bytes(self) -> int:
        """The memory they use, 0 if unknown."""
        ...

    def search(self, deadline: Deadline, poll: Poll = never_stop) -> None:
        """Visit until the deadline is reached, the result is proven, or `poll` answers True."""
        ...

    def rows(self, longest_pv: int = LONGEST_PV) -> list[Row]:
        """The visited steps at the root; also while another thread searches."""
        ...

    def descend(self, step: Step) -> tuple[Step, ...]:
        """Make the position after a step the root; returns the step and the forced ones after."""
        ...


def best(rows: Sequence[_Searched], to_move: Color, trusted: float = 1.0) -> _Searched:
    """The row to play: a proven win, else the trusted row with the highest lower bound.

    Proven losses come last, the most visited one first.

    trusted -- see Tree.trusted_visits
    """
    win = float(to_move is BLACK)
    open_rows = [row for row in rows if row.proven != 1 - win] or rows
    enough = trusted * max(row.visits for row in open_rows)

    def rank(row: _Searched) -> tuple[bool, bool, float, int]:
        return row.proven == win, row.visits >= enough, row.lcb, row.visits

    return max(open_rows, key=rank)


def in_order(rows: Sequence[Row], first: Row) -> list[Row]:
    """The rows by visits, except that `first` comes first."""
    return sorted(rows, key=lambda row: (row is first, row.visits), reverse=True)


def most_even(rows: Sequence[Row]) -> Row:
    """The row whose value is closest to even, with less trust in values of few visits."""
    return min(rows, key=lambda row: abs(row.value - 0.5) + 1 / math.sqrt(row.visits))


def value_for(color: Color, value: float) -> float:
    """The chance that a color wins, from that of BLACK; and back."""
    return value if color is BLACK else 1 - value


def lower_bound(value: float, visits: int) -> float:
    """The lower end of a proportion's 95 % interval (Wilson, 1927)."""
    z = 1.96
    center = value + z * z / (2 * visits)
    spread = z * math.sqrt(value * (1 - value) / visits + z * z / (4 * visits * visits))
    return (center - spread) / (1 + z * z / visits)
