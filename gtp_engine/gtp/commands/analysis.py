"""Searches with live reports, in the formats of KataGo and Leela Zero.

These commands are for clients that know only vertices; [`game-analyze`](game_analysis.md) reports
whole turns. The replies are [streams](../protocol.md#streams). A search keeps its tree, and
`genmove` continues with it.
"""

from gtp_engine.engine.candidates import Candidate
from gtp_engine.engine.choosing import decide
from gtp_engine.engine.forecasts import Forecasts
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.analysis_arguments import KATA_KEYS, Request
from gtp_engine.gtp.commands.arguments import word
from gtp_engine.gtp.commands.live_graphics import decide_drawing
from gtp_engine.gtp.commands.search_reports import (
    OPTIONS,
    Dialect,
    analysis,
    lead_for,
    lower_end,
    observer_of_choice,
    points_for,
    request_to_choose,
    vertex_candidates,
)
from gtp_engine.gtp.wire.registry import Emit, Stream, optional
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import Row, value_for

# What clients divide by, and what they read into 32 bits. A kept proof has searched no position, a
# stored one may have searched more.
_LEAST_VISITS, _MOST_VISITS = 1, 2**31 - 1


def _kata(session: Session, request: Request, report: Report, told: Forecasts) -> str:
    parts = []
    for order, candidate in enumerate(vertex_candidates(session, request, report)):
        row = candidate.row
        value, lcb = value_for(request.color, row.value), lower_end(request.color, row)
        fields = (
            f"edgeVisits {_visits(row)} utility {2 * value - 1:.6f} winrate {value:.6f} "
            f"prior {row.prior:.6f} lcb {lcb:.6f} utilityLcb {2 * lcb - 1:.6f} "
            f"weight {_visits(row)}.0" + _facts(row.proven, lead_for(request, report, row, told))
        )
        parts.append(_info(order, candidate, fields))
    if request.root_info:
        value = value_for(request.color, report.value)
        facts = _facts(report.proven, lead_for(request, report, report.rows[0], told))
        parts.append(
            f"rootInfo visits {_visits(report)} utility {2 * value - 1:.6f} "
            f"winrate {value:.6f}{facts}"
        )
    if request.ownership:
        owned = told.owners(report.position).held.values()
        held = (f"{points_for(request.color, value):z.3f}" for value in owned)
        parts.append(" ".join(["ownership", *held]))
    return " ".join(parts)


def _lz(session: Session, request: Request, report: Report, told: Forecasts) -> str:
    parts = []
    for order, candidate in enumerate(vertex_candidates(session, request, report)):
        row = candidate.row
        shares = value_for(request.color, row.value), row.prior, lower_end(request.color, row)
        numbers = (round(10_000 * share) for share in shares)
        parts.append(_info(order, candidate, "winrate {} prior {} lcb {}".format(*numbers)))
    return " ".join(parts)


def _info(order: int, candidate: Candidate, fields: str) -> str:
    move, visits, pv = candidate.pv[0], _visits(candidate.row), " ".join(candidate.pv)
    return f"info move {move} visits {visits} {fields} order {order} pv {pv}"


def _visits(found: Row | Report) -> int:
    return min(max(found.visits, _LEAST_VISITS), _MOST_VISITS)


def _facts(proven: float | None, lead: float | None) -> str:
    """The optional fields: the score, and whether the value is proven."""
    score = "" if lead is None else f" scoreMean {lead:z.2f} scoreLead {lead:z.2f}"
    return score if proven is None else f"{score} isProven true"


KATA, LZ = Dialect(KATA_KEYS, _kata), Dialect(frozenset(), _lz)


def _decision(
    session: Session, words: tuple[str, ...], dialect: Dialect, plays: bool = True
) -> Stream:
    """Choose a turn with live reports, and play it if `plays`."""
    before = session.state
    session.meet_go_client()
    request = request_to_choose(session, words, dialect)

    def stream(emit: Emit) -> None:
        reports = observer_of_choice(session, emit, request, dialect)
        decision = decide(session, request.color, reports)
        if plays:
            session.commit(decision)
        else:
            session.state = before
        emit(f"play {decision.word}")

    return stream


@command("kata-analyze", OPTIONS, streams=True)
def kata_analyze(session: Session, *words: str) -> Stream:
    """Analyze the position until the next line of input, with the fields of KataGo.

    Arguments: a color, by default the color to move; the interval between two reports in
        centiseconds; then, in any order:
        - `interval N`: the same interval
        - `minmoves N`, `maxmoves N`: least number of moves in a report, also of moves without
          visits, which are told with 1, and greatest number, 20 by default
        - `avoid COLOR WORD,WORD... N`, which may be repeated, or `allow COLOR WORD,WORD... N`,
          once: exclude these first steps, or search no others. A word is a step, or a vertex for
          all steps that are clicked there. N must be above 0 and has no effect
        - `rootInfo true`: the values of the position, after all moves
        - `ownership true`: after all moves, for each point by row from the top, the mean over
          random games (`game-forecast`) of 1 if the requested color holds it at the end and -1 if
          its opponent does
        - `ownershipStdev`, `movesOwnership`, `movesOwnershipStdev`, `pvVisits`, `pvEdgeVisits`,
          `noResultValue`, with `true` or `false`: no effect
    Reply: one report per interval, or one at the end without an interval:
        `info move MOVE visits N ... order N pv MOVE MOVE ...` for each move. Values are for the
        requested color
        - `move`: the vertex to click next, or `pass`; for a swap the vertex of Black's piece. Steps
          that begin with the same click are one move, with the values of the best of them, and the
          sum of their visits and priors
        - `winrate`, `lcb`, `prior`: 0 to 1; `utility`: -1 to 1
        - `isProven true`: the winrate is exact: 1, 0, or 0.5 for a draw
        - `scoreLead` and the equal `scoreMean`, in games that are won by points: the margin of the
          color, the mean of up to 200 random games after `pv`. It shows who is ahead if both play
          at random, and does not predict the score. A short `pv` or a slow backend makes it less
          accurate. If `pv` ends the game, it is exact, 0 for a tie
        - `order`: 0 for the move that `genmove` would play. On White's first turn the swap has all
          visits of the position, and order 0 if it is the best, otherwise 1; if better steps begin
          with its click, the vertex has the values of the best of these. For Black's first turn,
          which may be swapped, the most even move has order 0. All other values ignore the swap
        - `pv`: the principal variation from this move on, the colors in turn. It ends before the
          first turn that needs more than one click
    Fails: `illegal move`; `no step is left`; `syntax: ...` with the unreadable part
    Example:
        > kata-analyze b 50 maxmoves
        ? syntax: maxmoves needs a number
        > kata-analyze b 50 allow b c4,d4 1 rootInfo yes
        ? syntax: rootInfo is true or false
    """
    session.knows_clicks = True
    return analysis(session, words, KATA)


@command("lz-analyze", OPTIONS, streams=True)
def lz_analyze(session: Session, *words: str) -> Stream:
    """Analyze the position until the next line of input, with the fields of Leela Zero.

    Arguments: as for `kata-analyze`, up to `avoid` and `allow`
    Reply: as for `kata-analyze`, in whole ten-thousandths, without `utility`, `isProven` and scores
    Fails: as `kata-analyze`
    Example:
        > play b resign
        =
        > lz-analyze b 50
        =
        info move pass visits 1 winrate 0 prior 10000 lcb 0 order 0 pv pass
    """
    session.knows_clicks = True
    return analysis(session, words, LZ)


@command("kata-genmove_analyze", OPTIONS, streams=True)
def kata_genmove_analyze(session: Session, *words: str) -> Stream:
    """Choose a turn and play it like `genmove`, with reports during the search.

    Arguments: as for `kata-analyze`, without `avoid` and `allow`
    Effect: as `genmove` with `moves` at `clicks`, which it sets unless it was set before
    Reply: reports of the search for the first step; then `play WORD`: a vertex, `pass` or `resign`,
        or a turn if `moves` was set to `turns`
    Fails: `illegal move`; `avoid and allow are for analysis only`; `syntax: ...`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > game-set visits 8
        =
        > kata-genmove_analyze b
        =
        info move A3 visits 1 edgeVisits 1 utility 1.000000 winrate 1.000000 prior 1.000000 lcb 1.000000 utilityLcb 1.000000 weight 1.0 isProven true order 0 pv A3
        play A3
    """  # noqa: E501
    return _decision(session, words, KATA)


@command("lz-genmove_analyze", OPTIONS, streams=True)
def lz_genmove_analyze(session: Session, *words: str) -> Stream:
    """Like `kata-genmove_analyze`, with the fields of Leela Zero.

    Arguments: as for `lz-analyze`, without `avoid` and `allow`
    Effect: as `kata-genmove_analyze`
    Reply: reports as for `lz-analyze`; then `play WORD`
    Fails: as `kata-genmove_analyze`
    Example:
        > play b resign
        =
        > lz-genmove_analyze w 50
        =
        info move pass visits 1 winrate 10000 prior 10000 lcb 10000 order 0 pv pass
        play pass
    """
    return _decision(session, words, LZ)


@command("kata-search_analyze", OPTIONS, streams=True)
def kata_search_analyze(session: Session, *words: str) -> Stream:
    """Choose a turn like `kata-genmove_analyze`, without playing it.

    Arguments: as for `kata-genmove_analyze`
    Reply: as for `kata-genmove_analyze`
    Fails: as `kata-genmove_analyze`
    Example:
        > kata-search_analyze w
        ? illegal move
    """
    return _decision(session, words, KATA, plays=False)


@command("kata-search", optional(word("COLOR")))
def kata_search(session: Session, color: str = "") -> str:
    """Choose a turn like `kata-genmove_analyze`, without reports and without playing it.

    Arguments: a color, by default the color to move
    Reply: the word that `kata-genmove_analyze` returns after `play`
    Fails: `illegal move`; `syntax: ...`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > kata-search b
        = A3
    """
    before = session.state
    session.meet_go_client()
    request = request_to_choose(session, (color,) if color else (), KATA)
    decision = decide_drawing(session, request.color)
    session.state = before
    return decision.word


@command("stop")
def stop(session: Session) -> None:
    """Do nothing. Like any line, it ends a running analysis before it is executed.

    Example:
        > stop
        =
    """


@command("clear_cache")
def clear_cache(session: Session) -> None:
    """Discard the search tree.

    Effect: the next search begins with an empty tree
    Example:
        > clear_cache
        =
    """
    session.forget()
