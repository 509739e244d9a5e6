"""Searches that a client watches, in the words of KataGo and Leela Zero.

All of them take their arguments in this order: a color, by default the color to move; a number,
the interval between two reports in centiseconds; then keys with values, in any order:

- `interval N`: the same number;
- `minmoves N`, `maxmoves N`: how many steps a report shows, at least (with steps that have not
  been visited yet) and at most, 20 if left out;
- `avoid COLOR WORD,WORD... N`, `allow COLOR WORD,WORD... N`: leave these first steps out, or
  look at no others; `avoid` any number of times, or `allow` once. A word is a step token, or a
  vertex for all steps that are clicked there. N, above 0, is only read: deeper in the tree
  everything is allowed;
- in `kata-` commands `rootInfo true`, and `ownership true` for a number from -1 to 1 for each
  point, by row from the top: the mean over random games (`game-forecast`) of 1 where the color
  asked for holds it at the end, -1 where its opponent does; and `ownershipStdev`,
  `movesOwnership`, `movesOwnershipStdev`, `pvVisits`, `pvEdgeVisits`, `noResultValue`, for which
  nothing is printed.

The reply is a stream (protocol.md): `=` alone on its line, then reports of one line each. A
report holds, for each step, `info move STEP visits N ... order N pv TURN TURN ...`. Keys stand
before single words, and the line of play, of whole turns, is the last. What `rootInfo` and
`ownership` ask for stands once, behind all steps. `move` is one step: in
Implo a turn may need further ones. The first word of `pv` is the turn that begins with it, as far
as it has been searched, and can be handed to `play`. The words of `pv` alternate colors.

Values are for the color asked for: in `kata-` commands decimals from 0 to 1, `utility` from -1
to 1; in `lz-` commands integers in ten-thousandths.

In `kata-` commands two more things are said of a step, and of the position in `rootInfo`, where
they are known. `isProven true`: the winrate is exact, 1, 0 or 0.5 for a draw. In games that are won
by points, which is Pilo, `scoreLead` and, as the same number, `scoreMean`: by how many points the
color asked for wins, in the mean of up to 200 random games (`game-forecast`) after the line of
`pv`. It tells who is ahead when nobody thinks any more; it is no prediction of the score under
good play, and a short line, or a slow backend, makes it rough. Where the line ends the game it is
the margin, 0 for a tie.

Order 0 is what `genmove` would play. On
White's first turn `swap` is first or second, with all visits of the position; Black, whose
turn may be swapped, has the most even step first. Other values reckon without a swap.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from gtp_engine.board.color import Color
from gtp_engine.commands import command
from gtp_engine.commands.arguments import ILLEGAL_MOVE, word
from gtp_engine.gtp.errors import Failure
from gtp_engine.gtp.registry import Emit, Stream, optional, rest
from gtp_engine.notation.turns import write_line
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget
from gtp_engine.search.forecast import Forecast
from gtp_engine.search.tree import Row, value_for
from gtp_engine.search.watch import Report, Watch
from gtp_engine.session.analysis import analyze, report_end
from gtp_engine.session.request import Request, UnreadableRequest, read_request
from gtp_engine.session.session import Session
from gtp_engine.session.studies import lead, ownership

OPTIONS = rest(word("OPTION"))

# For each row of a report, and so many of them are kept for the next one.
_FOR_A_LEAD = Budget(200, 0.005)
_MOST_LEADS = 200

Fields = Callable[[Row, float, float], str]
"""Writes the numbers of a row, given its value and its lower bound for the color asked for."""


def _kata(row: Row, value: float, lcb: float) -> str:
    return (
        f"edgeVisits {row.visits} utility {2 * value - 1:.6f} winrate {value:.6f} "
        f"prior {row.prior:.6f} lcb {lcb:.6f} utilityLcb {2 * lcb - 1:.6f} weight {row.visits}.0"
    )


def _facts(proven: float | None, lead: float | None) -> str:
    """What is said in addition where it is known: the score, and that the value is proven."""
    score = "" if lead is None else f" scoreMean {lead:z.2f} scoreLead {lead:z.2f}"
    return score if proven is None else f"{score} isProven true"


def _lz(row: Row, value: float, lcb: float) -> str:
    parts = (round(10_000 * part) for part in (value, row.prior, lcb))
    return "winrate {} prior {} lcb {}".format(*parts)


class Forecasts(NamedTuple):
    """What random games tell in a report.

    owners -- who holds each point at the end, from a position
    lead   -- how many points BLACK is ahead after a line of play, None where none are counted
    """

    owners: Callable[[Position], Forecast]
    lead: Callable[[Position, tuple[Step, ...]], float | None]


def _info(report: Report, request: Request, write: Fields, forecasts: Forecasts) -> str:
    """The line of a report."""
    parts, sign = [], 1 if request.color is Color.BLACK else -1
    extended = write is _kata

    def facts(proven: float | None, row: Row) -> str:
        lead = forecasts.lead(report.position, row.pv) if extended else None
        return _facts(proven, None if lead is None else sign * lead) if extended else ""

    for order, row in enumerate(request.shown(report)):
        value = value_for(request.color, row.value)
        # After the end any color may ask: what is proven has no interval, whoever looks.
        lcb = row.lcb if row.proven is None else value
        fields = write(row, value, min(max(lcb, 0.0), 1.0)) + facts(row.proven, row)
        pv = " ".join(write_line(report.position, row.pv))
        parts.append(f"info move {row.step} visits {row.visits} {fields} order {order} pv {pv}")
    if request.root_info:
        value = value_for(request.color, report.value)
        utility = 2 * value - 1
        root = f"rootInfo visits {report.visits} utility {utility:.6f} winrate {value:.6f}"
        parts.append(root + facts(report.proven, report.rows[0]))
    if request.ownership:
        held = forecasts.owners(report.position).held.values()
        parts.append(" ".join(["ownership", *(f"{sign * value:z.3f}" for value in held)]))
    return " ".join(parts)


def _watch(session: Session, emit: Emit, request: Request, fields: Fields) -> Watch:
    # Once for all reports of a search.
    owners = lru_cache(1)(partial(ownership, session))
    leads = lru_cache(_MOST_LEADS)(partial(lead, session, budget=_FOR_A_LEAD))
    forecasts = Forecasts(owners, leads)
    return Watch(request.interval, lambda report: emit(_info(report, request, fields, forecasts)))


def _request(session: Session, words: tuple[str, ...], extended: bool) -> Request:
    """The request of a command. Raises Failure, also for the color that is not to move."""
    try:
        request = read_request(session, words, extended)
    except UnreadableRequest as error:
        raise Failure(f"syntax: {error}") from None
    if session.outcome is None and request.color is not session.position.to_move:
        raise Failure(ILLEGAL_MOVE)
    return request


def _analysis(session: Session, words: tuple[str, ...], fields: Fields) -> Stream:
    request = _request(session, words, extended=fields is _kata)
    among = request.steps()
    if session.outcome is None and not among:
        raise Failure("no step is left")
    return lambda emit: analyze(session, among, _watch(session, emit, request, fields))


Decide = Callable[[Session, Color, Watch], str]


def _decision(session: Session, words: tuple[str, ...], fields: Fields, decide: Decide) -> Stream:
    request = _request(session, words, extended=fields is _kata)
    if request.restricts:
        raise Failure("avoid and allow are for analysis only")

    def stream(emit: Emit) -> None:
        watch = _watch(session, emit, request, fields)
        if session.outcome is not None:
            report_end(session, watch)
        emit(f"play {decide(session, request.color, watch)}")

    return stream


@command("kata-analyze", OPTIONS)
def kata_analyze(session: Session, *words: str) -> Stream:
    """Analyze the position until the next line of input, with the fields of KataGo.

    Arguments: as above
    Effect: none on the game; what is searched is kept, and `genmove` goes on with it
    Reply: a report each interval; without one, a single report at the end. Ends on any line of
        input, also an empty one, and at the end of input, but never before one report
    Fails: `illegal move` for the color that is not to move; `no step is left`; `syntax: ...`,
        with what could not be read
    Example:
        > kata-analyze w 50
        ? illegal move
        > kata-analyze b 50 maxmoves
        ? syntax: maxmoves needs a number
        > kata-analyze b 50 allow b c4,d4 1 rootInfo yes
        ? syntax: rootInfo is true or false
    """
    return _analysis(session, words, _kata)


@command("lz-analyze", OPTIONS)
def lz_analyze(session: Session, *words: str) -> Stream:
    """Analyze the position until the next line of input, with the fields of Leela Zero.

    Arguments: as above
    Effect: none on the game; what is searched is kept, and `genmove` goes on with it
    Reply: as for `kata-analyze`, but with ten-thousandths
    Fails: as `kata-analyze`
    Example:
        > play b resign
        =
        > lz-analyze b 50
        =
        info move pass visits 0 winrate 0 prior 10000 lcb 0 order 0 pv pass
        > lz-analyze b 50 rootInfo true
        ? syntax: unknown key rootInfo
    """
    return _analysis(session, words, _lz)


@command("kata-genmove_analyze", OPTIONS)
def kata_genmove_analyze(session: Session, *words: str) -> Stream:
    """Choose a turn and play it like `genmove`, with reports while it is chosen.

    Arguments: as above, without `avoid` and `allow`
    Effect: as `genmove`; further input waits, `# interrupt` ends the search early
    Reply: reports of the search for the first step, one at least; then `play TURN`
    Fails: `illegal move` for the color that is not to move; `avoid and allow are for analysis
        only`; `syntax: ...`
    Example:
        > kata-genmove_analyze w 50
        ? illegal move
        > kata-genmove_analyze b avoid b c4 1
        ? avoid and allow are for analysis only
    """
    return _decision(session, words, _kata, Session.genmove)


@command("lz-genmove_analyze", OPTIONS)
def lz_genmove_analyze(session: Session, *words: str) -> Stream:
    """Like `kata-genmove_analyze`, with the fields of Leela Zero.

    Arguments: as above, without `avoid` and `allow`
    Effect: as `genmove`
    Reply: reports as for `lz-analyze`, one at least; then `play TURN`
    Fails: as `kata-genmove_analyze`
    Example:
        > play b resign
        =
        > lz-genmove_analyze w 50
        =
        info move pass visits 0 winrate 10000 prior 10000 lcb 10000 order 0 pv pass
        play pass
    """
    return _decision(session, words, _lz, Session.genmove)


@command("kata-search_analyze", OPTIONS)
def kata_search_analyze(session: Session, *words: str) -> Stream:
    """Choose a turn like `kata-genmove_analyze`, without playing it.

    Arguments: as above, without `avoid` and `allow`
    Effect: none on the game
    Reply: as for `kata-genmove_analyze`
    Fails: as `kata-genmove_analyze`
    Example:
        > kata-search_analyze w
        ? illegal move
    """
    return _decision(session, words, _kata, Session.consider)


@command("kata-search", optional(word("COLOR")))
def kata_search(session: Session, color: str = "") -> str:
    """Choose a turn like `genmove`, without playing it.

    Arguments: a color, by default the color to move
    Effect: none on the game
    Reply: the turn
    Fails: `illegal move` for the color that is not to move; `syntax: ...`
    Example:
        > kata-search w
        ? illegal move
        > kata-search green
        ? syntax: unknown key green
    """
    request = _request(session, (color,) if color else (), extended=True)
    return session.consider(request.color)


@command("stop")
def stop(session: Session) -> None:
    """Do nothing: like any line, it has ended an analysis before it is answered.

    Arguments: none
    Effect: none
    Reply: empty
    Fails: never
    Example:
        > stop
        =
    """


@command("clear_cache")
def clear_cache(session: Session) -> None:
    """Forget what has been searched.

    Arguments: none
    Effect: the next search begins with an empty tree
    Reply: empty
    Fails: never
    Example:
        > clear_cache
        =
    """
    session.forget()
