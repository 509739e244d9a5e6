"""The arguments of an analysis, in the common syntax of KataGo and Leela Zero."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gtp_engine.base.numbers import finite, whole
from gtp_engine.engine.session import Session
from gtp_engine.gtp.wire.registry import Failure
from gtp_engine.rules.notation.turns import Unreadable, first_steps
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import Step
from gtp_engine.search.choice import unvisited
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import Row

T = TypeVar("T")

# Some clients parse all reports again for each new one.
USUAL_MOST_MOVES = 20
SHORTEST_INTERVAL = 0.01

OWNERSHIP = frozenset({"ownership"})
KATA_KEYS = OWNERSHIP | {
    "rootinfo",
    "ownershipstdev",
    "movesownership",
    "movesownershipstdev",
    "pvvisits",
    "pvedgevisits",
    "noresultvalue",
}
"""The keys of KataGo whose value is true or false; most of them have no effect here."""


class UnreadableRequest(Failure):
    """The arguments are invalid; the text says which."""

    def __init__(self, wanted: str) -> None:
        super().__init__(f"syntax: {wanted}")


@dataclass
class Request:
    """The request for an analysis.

    interval  -- seconds between reports, None for one report at the end
    asked     -- the switches that are on
    avoided   -- first steps to exclude
    allowed   -- the only first steps to search, None for all
    """

    color: Color
    legal: tuple[Step, ...]
    interval: float | None = None
    min_moves: int = 0
    max_moves: int = USUAL_MOST_MOVES
    asked: set[str] = field(default_factory=set)
    avoided: set[Step] = field(default_factory=set)
    allowed: set[Step] | None = None

    @property
    def restricts(self) -> bool:
        """Whether some first steps are excluded."""
        return bool(self.avoided) or self.allowed is not None

    def steps(self) -> tuple[Step, ...]:
        """The first steps to search."""
        allowed = self.legal if self.allowed is None else self.allowed
        return tuple(step for step in self.legal if step in allowed and step not in self.avoided)

    @property
    def root_info(self) -> bool:
        """Whether reports include the position's own values."""
        return "rootinfo" in self.asked

    @property
    def ownership(self) -> bool:
        """Whether reports include who holds each point at the end."""
        return "ownership" in self.asked

    def unmet(self, report: Report, forced: bool) -> tuple[Row, ...]:
        """Rows of first steps that are missing in a report.

        forced -- whether a forced step led to the report's position; then no step was restricted
        """
        met = {row.step for row in report.rows}
        steps = report.position.legal_steps() if forced else self.steps()
        return unvisited(tuple(step for step in steps if step not in met))

    def cut(self, found: list[T], visited: int) -> list[T]:
        """The rows to show among those possible; the first `visited` of them have visits."""
        shown = found[: max(visited, self.min_moves)]
        return shown[: max(1, self.min_moves, self.max_moves)]


def read_request(
    session: Session, words: tuple[str, ...], switches: frozenset[str] = frozenset()
) -> Request:
    """Parse the arguments of a command.

    `switches` are further keys, in lower case, whose values are true or false. Raises
    UnreadableRequest.
    """
    left = list(words)
    request = Request(session.position.to_move, session.legal_steps())
    if left and (color := _color(session, left[0])) is not None:
        request.color = color
        left.pop(0)
    if left and left[0][0].isdigit():
        request.interval = _interval("the interval", left.pop(0))
    while left:
        key = left.pop(0)
        lowered = key.lower()
        if lowered in ("avoid", "allow"):
            _restrict(session, request, lowered, left)
        elif lowered == "interval":
            request.interval = _interval(key, _value(left))
        elif lowered == "minmoves":
            request.min_moves = _count(key, _value(left))
        elif lowered == "maxmoves":
            request.max_moves = _count(key, _value(left))
        elif lowered in switches:
            on = _truth(key, _value(left))
            request.asked = request.asked | {lowered} if on else request.asked - {lowered}
        else:
            raise UnreadableRequest(f"unknown key {key}")
    return request


def _value(left: list[str]) -> str:
    return left.pop(0) if left else ""


def _color(session: Session, text: str) -> Color | None:
    try:
        return session.game.parse_color(text)
    except ValueError:
        return None


def _converted(convert: Callable[[str], Any], text: str, wanted: str) -> Any:
    try:
        return convert(text)
    except ValueError:
        raise UnreadableRequest(wanted) from None


def _interval(key: str, text: str) -> float:
    """Seconds from a text in centiseconds."""
    wanted = f"{key} needs a number"
    seconds = _converted(finite, text, wanted) / 100
    if not 0 <= seconds < 2**31:
        raise UnreadableRequest(wanted)
    return max(SHORTEST_INTERVAL, float(seconds))


def _count(key: str, text: str) -> int:
    wanted = f"{key} needs a number"
    count: int = _converted(whole, text, wanted)
    if count < 0:
        raise UnreadableRequest(wanted)
    return count


def _truth(key: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise UnreadableRequest(f"{key} is true or false")
    return text.lower() == "true"


def _restrict(session: Session, request: Request, key: str, left: list[str]) -> None:
    """Read a color, comma-separated words and a depth; only the first turn is restricted."""
    color, words = _color(session, _value(left)), _value(left)
    if color is None or not words or not _count(key, _value(left)):
        raise UnreadableRequest(f"{key} needs a color, steps and a depth above 0")
    if key == "allow" and request.restricts or key == "avoid" and request.allowed is not None:
        raise UnreadableRequest("allow stands once, and without avoid")
    named = {step for word in words.split(",") for step in _named(session, request, word)}
    if color is not session.position.to_move:
        return
    if key == "avoid":
        request.avoided |= named
    else:
        request.allowed = named


def _named(session: Session, request: Request, word: str) -> list[Step]:
    """The legal steps that a word names."""
    try:
        named = first_steps(session.position, session.frame.clicks, word)
    except Unreadable as error:
        raise UnreadableRequest(f"{word} is no step") from error
    return [step for step in named if step in request.legal]
