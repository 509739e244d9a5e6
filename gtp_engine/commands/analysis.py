"""Searches that a client watches, in the words of KataGo and Leela Zero.

All of them take their arguments in this order: a color, by default the color to move; a number,
the interval between two reports in centiseconds; then keys with values, in any order:

- `interval N`: the same number;
- `minmoves N`, `maxmoves N`: how many moves a report shows, at least (with moves that have not
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
report holds, for each move, `info move MOVE visits N ... order N pv MOVE MOVE ...`. Keys stand
before single words, and the line of play is the last. What `rootInfo` and `ownership` ask for
stands once, behind all moves.

The clients of these commands know vertices and nothing else. So a move is a vertex, the next one
to click in order to play the turn (a swap, too: the vertex of Black's piece), or `pass`. Steps that
begin with the same click are one move. It has the numbers of the best of them, but the visits and
the prior of all together. The words of `pv` alternate colors, the first is the move, and the line
ends before the first turn that takes more than one click. Whole turns are told by `game-analyze`.

Values are for the color asked for: in `kata-` commands decimals from 0 to 1, `utility` from -1
to 1; in `lz-` commands integers in ten-thousandths.

In `kata-` commands two more things are said of a move, and of the position in `rootInfo`, where
they are known. `isProven true`: the winrate is exact, 1, 0 or 0.5 for a draw. In games that are won
by points, `scoreLead` and, as the same number, `scoreMean`: by how many points the
color asked for wins, in the mean of up to 200 random games (`game-forecast`) after the expected
turns. It tells who is ahead when nobody thinks any more; it is no prediction of the score under
good play, and a short line, or a slow backend, makes it rough. Where the line ends the game it is
the margin, 0 for a tie.

Order 0 is what `genmove` would play. On White's first turn the swap has all visits of the position.
It is first where it is to be played, else second; where its click begins better steps too, the best
of these has the vertex. Black, whose turn may be swapped, has the most even move first. Other
values reckon without a swap.

The commands that choose a turn answer it click by click, as `genmove` does with the setting
`moves` at `clicks`; whole turns only if `moves` was set to `turns`. `game-genmove_analyze` always
answers whole turns.
"""

from gtp_engine.commands import command
from gtp_engine.commands.arguments import word
from gtp_engine.commands.candidates import Candidate, vertex_candidates
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
from gtp_engine.gtp.registry import Emit, Stream, optional
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import value_for
from gtp_engine.session.session import Session
from gtp_engine.thinking.answering import decide
from gtp_engine.thinking.forecasts import Forecasts


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
    """What is said in addition where it is known: the score, and that the value is proven."""
    score = "" if lead is None else f" scoreMean {lead:z.2f} scoreLead {lead:z.2f}"
    return score if proven is None else f"{score} isProven true"


KATA, LZ = Dialect(KATA_KEYS, _kata), Dialect(frozenset(), _lz)


def _decision(
    session: Session, words: tuple[str, ...], dialect: Dialect, plays: bool = True
) -> Stream:
    """Choose a turn while the client watches, and play it, or leave all as it was."""
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
    return analysis(session, words, KATA)


@command("lz-analyze", OPTIONS, streams=True)
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
    return analysis(session, words, LZ)


@command("kata-genmove_analyze", OPTIONS, streams=True)
def kata_genmove_analyze(session: Session, *words: str) -> Stream:
    """Choose a turn and play it like `genmove`, with reports while it is chosen.

    Arguments: as above, without `avoid` and `allow`
    Effect: as `genmove` with `moves` at `clicks`, to which that setting changes if nobody has set
        it; further input waits, `# interrupt` ends the search early
    Reply: reports of the search for the first step, one at least; then `play WORD`: a vertex,
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
    Reply: reports as for `lz-analyze`, one at least; then `play WORD`
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
    Reply: the word that would stand behind `play`
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
