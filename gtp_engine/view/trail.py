"""What the view knows of each moment of a game beside its position, computed once for each."""

from typing import NamedTuple

from gtp_engine.board.points import vertices
from gtp_engine.session.history import Frame
from gtp_engine.session.session import Session
from gtp_engine.view.pieces import Placement, first_placement, follow


class Stage(NamedTuple):
    """What the view knows of a frame of the history.

    frame  -- that frame
    pieces -- the numbers of the pieces on its board, from the lowest vertex on
    newest -- the highest number that a piece has had so far
    number -- of the last turn that has begun, from 1; 0 at the start
    begin  -- the number of the frame before that turn
    """

    frame: Frame
    pieces: tuple[int, ...]
    newest: int
    number: int
    begin: int

    @property
    def placement(self) -> Placement:
        """Which piece stands where."""
        points = vertices(self.frame.position.occupied())
        return Placement(dict(zip(points, self.pieces)), self.newest)


class Trail:
    """The stages of all frames of a history, from the start on.

    A frame that was reached before is known again, so that a turn costs no more than itself. It
    takes as much memory as the history has frames.
    """

    def __init__(self) -> None:
        self._stages: list[Stage] = []

    def at(self, frame: Frame) -> Stage:
        """The stage of a frame. What is known of frames that come after it is forgotten."""
        missing = []
        known: Frame | None = frame
        while known is not None and not self._knows(known):
            missing.append(known)
            known = known.previous
        del self._stages[0 if known is None else known.number + 1 :]
        for each in reversed(missing):
            self._stages.append(self._next(each) if self._stages else _start(each))
        return self._stages[-1]

    def last_turn(self, frame: Frame) -> tuple[Stage, list[Frame]]:
        """The stage before the last turn that has begun, and the frames of the turn since then."""
        stage = self.at(frame)
        stages = self._stages[stage.begin + 1 :]
        return self._stages[stage.begin], [each.frame for each in stages if not each.frame.idle]

    def _knows(self, frame: Frame) -> bool:
        number = frame.number
        return number < len(self._stages) and self._stages[number].frame is frame

    def _next(self, frame: Frame) -> Stage:
        before = self._stages[-1]
        if frame.idle:
            return before._replace(frame=frame)
        position, placement = before.frame.position, before.placement
        steps = () if frame.play is None else frame.play.steps
        for step in steps:
            placement, _ = follow(placement, position.events(step))
            position = position.play_unchecked(step)
        if before.number and is_open(before.frame) and frame.resigned is None:
            return _stage(frame, placement, before.number, before.begin)
        return _stage(frame, placement, before.number + 1, before.frame.number)


def trail(session: Session) -> Trail:
    """The trail that a session keeps."""
    return session.kept("trail", None, Trail)


def is_open(frame: Frame) -> bool:
    """Whether the color to move is inside a turn, or has half clicked a selection."""
    return frame.position.open or bool(frame.clicks)


def _start(frame: Frame) -> Stage:
    """The stage of the start."""
    return _stage(frame, first_placement(frame.position), 0, 0)


def _stage(frame: Frame, placement: Placement, number: int, begin: int) -> Stage:
    points = vertices(frame.position.occupied())
    pieces = tuple(placement.numbers[vertex] for vertex in points)
    return Stage(frame, pieces, placement.newest, number, begin)
