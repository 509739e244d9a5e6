"""Shared by commands that report on a search, in any format: the stream, and the candidates."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from gtp_engine.engine.candidates import Candidate, turn_candidate
from gtp_engine.engine.forecasts import Forecasts, Overtaken, forecasts
from gtp_engine.engine.position_analysis import observe, report_end
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands.analysis_arguments import Request, read_request
from gtp_engine.gtp.commands.arguments import ILLEGAL_MOVE, word
from gtp_engine.gtp.wire.registry import Emit, Failure, Stream, rest
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import PASS_WORD, words_clicked
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import SWAPS
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.tree import Row, best, value_for

OPTIONS = rest(word("OPTION"))


class Dialect(NamedTuple):
    """The format of the arguments and reports of some commands.

    switches -- the keys whose value is true or false, in lower case
    write    -- writes a report, without a line end
    """

    switches: frozenset[str]
    write: Callable[[Session, Request, Report, Forecasts], str]


def _may_be_asked(session: Session, color: Color) -> bool:
    return session.outcome is not None or color is session.position.to_move


def request_to_choose(session: Session, words: tuple[str, ...], dialect: Dialect) -> Request:
    """The request of a command that chooses among all turns. Raises Failure."""
    request = read_request(session, words, dialect.switches)
    if not (_may_be_asked(session, request.color) or session.waits(request.color)):
        raise Failure(ILLEGAL_MOVE)
    if request.restricts:
        raise Failure("avoid and allow are for analysis only")
    return request


def analysis(session: Session, words: tuple[str, ...], dialect: Dialect) -> Stream:
    """The stream of a command that analyzes the position. Raises Failure."""
    request = read_request(session, words, dialect.switches)
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


def turn_candidates(session: Session, request: Request, report: Report) -> list[Candidate]:
    """One candidate per first step, with lines of whole turns."""
    rows = request.cut([*report.rows, *_unmet(session, request, report)], len(report.rows))
    return [_turn_candidate(session, report, row) for row in rows]


def vertex_candidates(session: Session, request: Request, report: Report) -> list[Candidate]:
    """One candidate per vertex that may be clicked next, for clients that know only vertices.

    It has the statistics of the best step that begins with the click, but the visits and priors of
    all such steps. A swap has the visits of the whole position. A line ends before the first turn
    that needs more than one click.
    """
    found = _by_click(session, report, report.rows)
    met = {candidate.pv[0] for candidate in found}
    unmet = _by_click(session, report, _unmet(session, request, report))
    more = [candidate for candidate in unmet if candidate.pv[0] not in met]
    return request.cut([*found, *more], len(found))


def _unmet(session: Session, request: Request, report: Report) -> tuple[Row, ...]:
    """Rows of unvisited steps, if the client requests them."""
    if len(report.rows) >= request.min_moves:
        return ()
    return request.unmet(report, forced=bool(report.forced))


def _turn_candidate(session: Session, report: Report, row: Row) -> Candidate:
    if session.outcome is not None:
        return Candidate(row, (PASS_WORD,), (PASS_WORD,), whole=True)
    return turn_candidate(session.position, session.frame.clicks, report, row)


def _by_click(session: Session, report: Report, rows: Iterable[Row]) -> list[Candidate]:
    """The candidates of some rows: that of the first row first, the others by visits."""
    position, made = session.position, session.frame.clicks
    forced = report.forced
    groups: dict[str, list[Row]] = {}
    for row in rows:
        click = next(words_clicked(position, made, (*forced, row.step)))
        groups.setdefault(click, []).append(row)
    candidates = []
    for number, (click, group) in enumerate(groups.items()):
        row = _together(group, report.position, chosen=number == 0)
        words = report.words(row)
        whole = not forced and words[0] == click
        pv = _before_the_first_long_turn(words) if whole else (click,)
        candidates.append(Candidate(row, pv, (click,), whole))
    return candidates[:1] + sorted(candidates[1:], key=lambda each: -each.row.visits)


def _together(group: Sequence[Row], position: Position, chosen: bool) -> Row:
    """One row for steps that begin with one click; `chosen` if the first step is the best one."""
    steps = [row for row in group if row.step not in SWAPS.values()]
    swap_alone = not steps or (chosen and group[0] is not steps[0])
    if swap_alone:
        return group[0]
    row = steps[0] if chosen else best(steps, position.to_move)
    visits, prior = sum(row.visits for row in steps), sum(row.prior for row in steps)
    return row._replace(visits=visits, prior=prior)


def _before_the_first_long_turn(words: list[str]) -> tuple[str, ...]:
    """The words before the first one that is neither a vertex nor a pass."""
    long = (number for number, word in enumerate(words) if not _is_one_click(word))
    return tuple(words[: next(long, None)])


def _is_one_click(word: str) -> bool:
    try:
        Vertex.parse(word)
    except ValueError:
        return word == PASS_WORD
    return True
