"""Searches with live reports, in the formats of KataGo and Leela Zero.

All these commands take the same arguments: first a color, by default the color to move; then a
number, the interval between two reports in centiseconds; then keys with values, in any order:

- `interval N`: the same interval;
- `minmoves N`, `maxmoves N`: least number of moves in a report (including moves without visits),
  and greatest number, 20 by default;
- `avoid COLOR WORD,WORD... N`, `allow COLOR WORD,WORD... N`: exclude these first steps, or search
  no others. `avoid` may be repeated; `allow` may occur once. A word is a step token, or a vertex
  for all steps that are clicked there. N must be above 0 but has no effect: the restriction holds
  only for the first step;
- in `kata-` commands `rootInfo true`, and `ownership true` for a number from -1 to 1 per point, by
  row from the top: the mean over random games (`game-forecast`) of 1 if the requested color holds
  the point at the end and -1 if its opponent does. `ownershipStdev`, `movesOwnership`,
  `movesOwnershipStdev`, `pvVisits`, `pvEdgeVisits` and `noResultValue` are accepted without effect.

The reply is a stream (protocol.md): `=` alone on its line, then one line per report. A report
contains `info move MOVE visits N ... order N pv MOVE MOVE ...` for each move. Each key precedes one
word, except `pv`, which is last and precedes the principal variation. The output of `rootInfo` and
`ownership` follows once, after all moves.

The clients of these commands know only vertices. So a move is a vertex, the next one to click in
order to play the turn, or `pass`; a swap is the vertex of Black's piece. Steps that begin with the
same click are one move: it has the values of the best of them, and the sum of their visits and
priors. The words of `pv` alternate between the colors, starting with the move. `pv` ends before the
first turn that needs more than one click. `game-analyze` reports whole turns.

Values are for the requested color. They are decimals from 0 to 1 in `kata-` commands, with
`utility` from -1 to 1; in `lz-` commands they are integers in units of 1/10000.

`kata-` commands report two more values of a move, and of the position in `rootInfo`, if known.
`isProven true` means that the winrate is exact: 1, 0, or 0.5 for a draw. In games that are won by
points, `scoreLead` and the equal `scoreMean` are the requested color's margin in points: the mean
of up to 200 random games (`game-forecast`) after the principal variation. It shows who is ahead if
both play at random; it does not predict the score under good play. A short variation or a slow
backend makes it less accurate. If the variation ends the game, it is the exact margin, 0 for a tie.

Order 0 is the move that `genmove` would play. On White's first turn, the swap has all visits of the
position. It has order 0 if it is the best, otherwise order 1; if better steps begin with its click,
the vertex has the values of the best of these. For Black's first turn, which may be swapped, the
most even move has order 0. All other values ignore the swap.

The commands that choose a turn return it click by click, as `genmove` does with the setting `moves`
at `clicks`; they return whole turns only if `moves` was set to `turns`. `game-genmove_analyze`
always returns whole turns.
"""

from gtp_engine.commands import command
from gtp_engine.commands.arguments import word
from gtp_engine.commands.candidates import vertex_candidates
from gtp_engine.commands.live_graphics import decide_drawing
from gtp_engine.commands.observed import (
    OPTIONS,
    Dialect,
    analysis,
    lead_for,
    lower_end,
    observer_of_choice,
    points_for,
    request_to_choose,
)
from gtp_engine.commands.request import KATA_KEYS, Request
from gtp_engine.engine.answering import decide
from gtp_engine.engine.candidates import Candidate
from gtp_engine.engine.forecasts import Forecasts
from gtp_engine.engine.session import Session
from gtp_engine.gtp.registry import Emit, Stream, optional
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import value_for


def _kata(session: Session, request: Request, report: Report, told: Forecasts) -> str:
    parts = []
    for order, candidate in enumerate(vertex_candidates(session, request, report)):
        row = candidate.row
        value, lcb = value_for(request.color, row.value), lower_end(request.color, row)
        fields = (
            f"edgeVisits {row.visits} utility {2 * value - 1:.6f} winrate {value:.6f} "
            f"prior {row.prior:.6f} lcb {lcb:.6f} utilityLcb {2 * lcb - 1:.6f} "
            f"weight {row.visits}.0" + _facts(row.proven, lead_for(request, report, row, told))
        )
        parts.append(_info(order, candidate, fields))
    if request.root_info:
        value = value_for(request.color, report.value)
        facts = _facts(report.proven, lead_for(request, report, report.rows[0], told))
        parts.append(
            f"rootInfo visits {report.visits} utility {2 * value - 1:.6f} "
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
    move, visits, pv = candidate.pv[0], candidate.row.visits, " ".join(candidate.pv)
    return f"info move {move} visits {visits} {fields} order {order} pv {pv}"


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

    Arguments: as above
    Effect: none on the game; the search tree is kept, and `genmove` continues with it
    Reply: one report per interval; without an interval, one report at the end. Any line of input,
        even an empty one, ends the stream, as does the end of input, but never before one report
    Fails: `illegal move` for the color that is not to move; `no step is left`; `syntax: ...`
        with the unreadable part
    Example:
        > kata-analyze w 50
        ? illegal move
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

    Arguments: as above
    Effect: none on the game; the search tree is kept, and `genmove` continues with it
    Reply: as for `kata-analyze`, in units of 1/10000
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
    session.knows_clicks = True
    return analysis(session, words, LZ)


@command("kata-genmove_analyze", OPTIONS, streams=True)
def kata_genmove_analyze(session: Session, *words: str) -> Stream:
    """Choose a turn and play it like `genmove`, with reports during the search.

    Arguments: as above, without `avoid` and `allow`
    Effect: as `genmove` with `moves` at `clicks`; sets `moves` to `clicks` unless it was set
        before. Further input waits; `# interrupt` ends the search early
    Reply: reports of the search for the first step, at least one; then `play WORD`: a vertex,
        `pass` or `resign`; a turn if the setting `moves` was set to `turns`
    Fails: `illegal move` for the color that is not to move; `avoid and allow are for analysis
        only`; `syntax: ...`
    Example:
        > kata-genmove_analyze w 50
        ? illegal move
        > kata-genmove_analyze b avoid b c4 1
        ? avoid and allow are for analysis only
    """
    return _decision(session, words, KATA)


@command("lz-genmove_analyze", OPTIONS, streams=True)
def lz_genmove_analyze(session: Session, *words: str) -> Stream:
    """Like `kata-genmove_analyze`, with the fields of Leela Zero.

    Arguments: as above, without `avoid` and `allow`
    Effect: as `kata-genmove_analyze`
    Reply: reports as for `lz-analyze`, at least one; then `play WORD`
    Fails: as `kata-genmove_analyze`
    Example:
        > play b resign
        =
        > lz-genmove_analyze w 50
        =
        info move pass visits 0 winrate 10000 prior 10000 lcb 10000 order 0 pv pass
        play pass
    """
    return _decision(session, words, LZ)


@command("kata-search_analyze", OPTIONS, streams=True)
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
    return _decision(session, words, KATA, plays=False)


@command("kata-search", optional(word("COLOR")))
def kata_search(session: Session, color: str = "") -> str:
    """Choose a turn like `kata-genmove_analyze`, without reports and without playing it.

    Arguments: a color, by default the color to move
    Effect: none on the game
    Reply: the word that `kata-genmove_analyze` returns after `play`
    Fails: `illegal move` for the color that is not to move; `syntax: ...`
    Example:
        > kata-search w
        ? illegal move
        > kata-search green
        ? syntax: unknown key green
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
    """Discard the search tree.

    Arguments: none
    Effect: the next search begins with an empty tree
    Reply: empty
    Fails: never
    Example:
        > clear_cache
        =
    """
    session.forget()
