"""Shared by commands that report on a search, in any format."""

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from gtp_engine.engine.forecasts import Forecasts, Overtaken, forecasts
from gtp_engine.engine.position_analysis import observe, report_end
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands.arguments import ILLEGAL_MOVE, word
from gtp_engine.gtp.commands.request import Request, UnreadableRequest, read_request
from gtp_engine.gtp.wire.errors import Failure
from gtp_engine.gtp.wire.registry import Emit, Stream, rest
from gtp_engine.rules.points.color import Color
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.tree import Row, value_for

OPTIONS = rest(word("OPTION"))


class Dialect(NamedTuple):
    """The format of the arguments and reports of some commands.

    switches -- the keys whose value is true or false, in lower case
    write    -- writes a report, without a line end
    """

    switches: frozenset[str]
    write: Callable[[Session, Request, Report, Forecasts], str]


def _request(session: Session, words: tuple[str, ...], dialect: Dialect) -> Request:
    try:
        return read_request(session, words, dialect.switches)
    except UnreadableRequest as error:
        raise Failure(f"syntax: {error}") from None


def _may_be_asked(session: Session, color: Color) -> bool:
    return session.outcome is not None or color is session.position.to_move


def request_to_choose(session: Session, words: tuple[str, ...], dialect: Dialect) -> Request:
    """The request of a command that chooses among all turns. Raises Failure."""
    request = _request(session, words, dialect)
    if not (_may_be_asked(session, request.color) or session.waits(request.color)):
        raise Failure(ILLEGAL_MOVE)
    if request.restricts:
        raise Failure("avoid and allow are for analysis only")
    return request


def analysis(session: Session, words: tuple[str, ...], dialect: Dialect) -> Stream:
    """The stream of a command that analyzes the position. Raises Failure."""
    request = _request(session, words, dialect)
    if not _may_be_asked(session, request.color):
        raise Failure(ILLEGAL_MOVE)
    among = request.steps()
    if session.outcome is None and not among:
        raise Failure("no step is left")

    def stream(emit: Emit) -> None:
        # The next line ends it, and waits only for the one report that must come.
        observer = _observer(session, emit, request, dialect, session.pending.is_set)
        observe(session, among, observer)

    return stream


def _observer(
    session: Session,
    emit: Emit,
    request: Request,
    dialect: Dialect,
    overtaken: Callable[[], bool],
) -> SearchObserver:
    """Sends the reports of one search; after the first, only until they are overtaken."""
    sent = False
    told = forecasts(session, lambda: sent and overtaken())

    def send(report: Report) -> None:
        nonlocal sent
        if sent and overtaken():
            return
        with suppress(Overtaken):
            emit(dialect.write(session, request, report, told))
            sent = True

    return SearchObserver(request.interval, send)


def observer_of_choice(
    session: Session, emit: Emit, request: Request, dialect: Dialect
) -> SearchObserver:
    """The same for the choice of a turn; after the end of the game it reports at once."""
    observer = _observer(session, emit, request, dialect, overtaken=lambda: False)
    if session.outcome is not None:
        report_end(session, observer)
    return observer


def lower_end(color: Color, row: Row) -> float:
    """The lower end of the interval in which a row's value lies, for a color."""
    # After the end any color may ask: a proven value has no interval for either.
    lcb = row.lcb if row.proven is None else value_for(color, row.value)
    return min(max(lcb, 0.0), 1.0)


def points_for(color: Color, points: float) -> float:
    """A difference in points from BLACK's side, from a color's side."""
    return points if color is Color.BLACK else -points


def lead_for(request: Request, report: Report, row: Row, told: Forecasts) -> float | None:
    """The requested color's margin in points after a row's line; None in games without points."""
    lead = told.lead(report.position, row.pv)
    return None if lead is None else points_for(request.color, lead)
