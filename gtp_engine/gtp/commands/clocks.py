"""Time controls and clocks. Times are in seconds."""

from collections.abc import Callable
from typing import NamedTuple

from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import COLOR, INVALID_COLOR, NUMBER, word
from gtp_engine.gtp.wire.registry import Argument, Failure, rest
from gtp_engine.rules.clock import UNLIMITED, Kind, TimeControl, control_of_time_settings
from gtp_engine.rules.points.color import Color

LONGEST_TIME = 2.0**31
UNACCEPTABLE_TIME = "unacceptable time"
_NOT_THREE = "not three numbers"


def _time(text: str) -> float:
    """Seconds: not negative, not absurdly large."""
    value = NUMBER.convert(text)
    if not 0 <= value < LONGEST_TIME:
        raise Failure(UNACCEPTABLE_TIME)
    return float(value)


def _stones(text: str) -> int:
    """A whole number; some clients send it as a float."""
    value = _time(text)
    if value % 1:
        raise ValueError(f"not a whole number: {text[:20]}")
    return int(value)


SECONDS = Argument("SECONDS", _time)
STONES = Argument("STONES", _stones)
# The number of these arguments depends on the kind of time control, so it is checked later.
TIMES = rest(NUMBER._replace(name="SECONDS"))


@command("time_settings", SECONDS, SECONDS, STONES, malformed=_NOT_THREE, counted=True)
def time_settings(session: Session, main: float, period: float, stones: int) -> None:
    """Set the time control to main time and Canadian byo-yomi.

    Arguments: main time and byo-yomi time, also with decimals; a whole number of byo-yomi stones.
        Byo-yomi time 0: main time only. Stones 0 with a byo-yomi time: no limit
    Effect: both clocks start, and limit `genmove`; only level 18 uses the time up
        ([time](../protocol.md#time))
    Fails: `not three numbers`; `unacceptable time` if negative or more than 68 years
    Example:
        > time_settings 300 30 5
        =
    """
    session.set_time_control(control_of_time_settings(main, period, stones))


@command(
    "time_left",
    COLOR._replace(failure=INVALID_COLOR),
    SECONDS,
    STONES,
    malformed="time and stones not two numbers",
)
def time_left(session: Session, color: Color, seconds: float, stones: int) -> None:
    """Set the clock of a color.

    Arguments: the color; the seconds left; the stones or periods left, 0 in main time
    Effect: the next `genmove` of the color uses it, without a time control as absolute time. In a
        byo-yomi period, more seconds than it has count as the whole period. With 0 seconds the
        engine plays at once, unless main time is over and a period follows
    Fails: `invalid color`; `time and stones not two numbers`; `unacceptable time`
    Example:
        > time_left b 60 0
        =
    """
    session.set_time_left(color, seconds, stones)


@command("kgs-time_settings", word("KIND"), TIMES)
def kgs_time_settings(session: Session, kind: str, *numbers: float) -> None:
    """Set the time control, by the kinds of KGS.

    Arguments: `none`; `absolute MAIN`; `byoyomi MAIN PERIOD PERIODS`; or
        `canadian MAIN PERIOD STONES`
    Effect: both clocks start
    Fails: `unknown time settings`; `wrong numbers for KIND`; `syntax: ...`
    Example:
        > kgs-time_settings byoyomi 60 10 3
        =
    """
    if kind not in ("none", "absolute", "byoyomi", "canadian"):
        raise Failure("unknown time settings")
    session.set_time_control(_control(kind, numbers))


@command("kata-time_settings", word("KIND"), TIMES)
def kata_time_settings(session: Session, kind: str, *numbers: float) -> None:
    """Set the time control, by the kinds of KataGo.

    Arguments: as for `kgs-time_settings`; also `fischer MAIN INCREMENT`, and
        `fischer-capped MAIN INCREMENT MOST_KEPT MOST_USED`, where a negative number means no cap
    Effect: both clocks start
    Fails: as `kgs-time_settings`
    Example:
        > kata-time_settings fischer 60 5
        =
    """
    session.set_time_control(_control(kind, numbers))


@command("kata-list_time_settings")
def kata_list_time_settings(session: Session) -> str:
    """List the kinds of time control.

    Reply: the words that `kata-time_settings` accepts
    Example:
        > kata-list_time_settings
        = none absolute canadian byoyomi fischer fischer-capped
    """
    return " ".join(kind.value for kind in Kind)


class _Making(NamedTuple):
    """The number of arguments of a kind of time control, and the function that makes it."""

    arity: int
    control: Callable[..., TimeControl]


def _control(kind: str, numbers: tuple[float, ...]) -> TimeControl:
    """The time control of a kind and its numbers, in the order of KGS and KataGo."""
    making = _MAKINGS.get(kind)
    if making is None:
        raise Failure("unknown time settings")
    caps = numbers[2:] if kind == Kind.FISCHER_CAPPED.value else ()
    times = numbers[: len(numbers) - len(caps)]
    if len(numbers) != making.arity or not all(0 <= time < LONGEST_TIME for time in times):
        raise Failure(f"wrong numbers for {kind}")
    return making.control(*numbers)


def _overtime(kind: Kind) -> Callable[..., TimeControl]:
    def control(main: float, period: float, count: float) -> TimeControl:
        if count % 1:
            raise Failure(f"wrong numbers for {kind.value}")
        return TimeControl(kind, main, period, max(1, int(count)))

    return control


def _capped(main: float, increment: float, kept: float, used: float) -> TimeControl:
    most_kept, most_used = (None if cap < 0 else cap for cap in (kept, used))
    return TimeControl(Kind.FISCHER_CAPPED, main, increment, 0, most_kept, most_used)


_MAKINGS = {
    Kind.NONE.value: _Making(0, lambda: UNLIMITED),
    Kind.ABSOLUTE.value: _Making(1, lambda main: TimeControl(Kind.ABSOLUTE, main)),
    Kind.CANADIAN.value: _Making(3, _overtime(Kind.CANADIAN)),
    Kind.BYOYOMI.value: _Making(3, _overtime(Kind.BYOYOMI)),
    Kind.FISCHER.value: _Making(2, lambda main, more: TimeControl(Kind.FISCHER, main, more)),
    Kind.FISCHER_CAPPED.value: _Making(4, _capped),
}
