"""Pieces with numbers that stay the same from turn to turn, so that front ends can track them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gtp_engine.rules.events import BoardEvent, Change, Deed
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.points.vertex import Vertex

# The order of the changes within a phase.
_ORDER = {Deed.REMOVE: 0, Deed.BECOME: 1, Deed.MOVE: 2, Deed.PLACE: 3}


class Placement(NamedTuple):
    """The numbers of the pieces on the board.

    numbers -- the number of the piece on each occupied point
    newest  -- the highest number in this game so far
    """

    numbers: dict[Vertex, int]
    newest: int


class Occurrence(NamedTuple):
    """A change of a piece, the number of that piece, and the event with that change."""

    event: BoardEvent
    change: Change
    number: int


def first_placement(position: Position) -> Placement:
    """The numbers of the pieces at the start of a game: 1, 2, and so on, lowest vertex first."""
    numbers = {vertex: count for count, vertex in enumerate(vertices(position.occupied()), 1)}
    return Placement(numbers, len(numbers))


def follow(
    placement: Placement, events: Sequence[BoardEvent]
) -> tuple[Placement, list[Occurrence]]:
    """The placement after the events of a step, and the changes of each piece.

    New pieces of the same phase get numbers by vertex, lowest first.
    """
    numbers, newest = dict(placement.numbers), placement.newest
    moments: list[Occurrence] = []
    for due in _phases(events):
        moved: dict[Vertex, int] = {}
        for event, change in due:
            at, goal = change.at, change.to
            if change.deed is Deed.PLACE:
                numbers |= moved
                newest += 1
                number = numbers[at] = newest
            elif change.deed is Deed.BECOME:
                number = numbers[at]
            else:
                number = numbers.pop(at)
                if goal is not None:
                    moved[goal] = number
            moments.append(Occurrence(event, change, number))
        numbers |= moved
    return Placement(numbers, newest), moments


def _phases(events: Sequence[BoardEvent]) -> Iterator[list[tuple[BoardEvent, Change]]]:
    """The changes of each phase, in order."""
    for phase in sorted({event.phase for event in events}):
        due = [(event, each) for event in events if event.phase == phase for each in event.changes]
        yield sorted(due, key=lambda one: (_ORDER[one[1].deed], one[1].at))
