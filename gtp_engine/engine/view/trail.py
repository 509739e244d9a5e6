"""A view's facts about each state of a game, beside its position, computed once per state."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

from gtp_engine.engine.history import Frame
from gtp_engine.engine.session import Session
from gtp_engine.engine.view.tracked_pieces import Placement, first_placement, follow
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.turns import walk


class Stage(NamedTuple):
    """A view's facts about a frame of the history.

    frame  -- that frame
    pieces -- the numbers of the pieces on its board, lowest vertex first
    newest -- the highest number of a piece so far
    number -- number of the last turn that has begun, from 1; 0 at the start
    begin  -- the number of the frame before that turn
    """

    frame: Frame
    pieces: tuple[int, ...]
    newest: int
    number: int
    begin: int

    @property
    def placement(self) -> Placement:
        """The numbers of the pieces on the board."""
        points = vertices(self.frame.position.occupied())
        return Placement(dict(zip(points, self.pieces)), self.newest)


class Trail:
    """The stages of all frames of a history, from the start.

    Known frames are reused, so that a new turn costs only its own time. The memory grows with the
    number of frames.
    """

    def __init__(self) -> None:
        self._stages: list[Stage] = []

    def at(self, frame: Frame) -> Stage:
        """The stage of a frame. Facts about later frames are dropped."""
        missing = []
        known: Frame | None = frame
        while known is not None and not self._knows(known):
            missing.append(known)
            known = known.previous
        del self._stages[0 if known is None else known.number + 1 :]
        for each in reversed(missing):
            self._stages.append(self._next(each) if self._stages else _start(each))
        return self._stages[-1]

    def turns_of(self, pieces: Iterable[int]) -> dict[int, int | None]:
        """The number of the turn in which each piece appeared; None if it was there at the start.

        pieces -- their numbers, of the stage that `at` gave last
        """
        newest = [stage.newest for stage in self._stages]
        stages = ((piece, self._stages[bisect_left(newest, piece)]) for piece in pieces)
        return {piece: stage.number or None for piece, stage in stages}

    def last_turn(self, frame: Frame) -> tuple[Stage, list[Frame]]:
        """The stage before the last turn, and the frames of that turn."""
        stage = self.at(frame)
        stages = self._stages[stage.begin + 1 :]
        return self._stages[stage.begin], [each.frame for each in stages if not _idle(each.frame)]

    def _knows(self, frame: Frame) -> bool:
        number = frame.number
        return number < len(self._stages) and self._stages[number].frame is frame

    def _next(self, frame: Frame) -> Stage:
        before = self._stages[-1]
        if _idle(frame):
            return before._replace(frame=frame)
        placement = before.placement
        steps = () if frame.play is None else frame.play.steps
        for position, step in walk(before.frame.position, steps):
            placement, _ = follow(placement, position.events(step))
        if before.number and before.frame.open and not frame.lost_by:
            return _stage(frame, placement, before.number, before.begin)
        return _stage(frame, placement, before.number + 1, before.frame.number)


def trail(session: Session) -> Trail:
    """The trail of a session."""
    return session.kept("trail", None, Trail)


def _idle(frame: Frame) -> bool:
    """Whether its play is a pass without effect, which belongs to no turn."""
    return bool(frame.idle) or frame.waited


def _start(frame: Frame) -> Stage:
    """The stage of the start."""
    return _stage(frame, first_placement(frame.position), 0, 0)


def _stage(frame: Frame, placement: Placement, number: int, begin: int) -> Stage:
    points = vertices(frame.position.occupied())
    pieces = tuple(placement.numbers[vertex] for vertex in points)
    return Stage(frame, pieces, placement.newest, number, begin)
