"""Searches with live reports in our own format: one JSON object per line.

The arguments are those of `kata-analyze`: a color, by default the color to move; the interval
between two reports in centiseconds; then in any order `interval N`, `minmoves N`, `maxmoves N`,
`avoid COLOR WORD,WORD... N`, `allow COLOR WORD,WORD... N` and `ownership true`.

The reply is a stream (protocol.md): `=` alone on its line, then one line per report, an object with
these keys. All values are for the requested color.

| key | value |
| --- | --- |
| `color` | `"black"` or `"white"`: the requested color |
| `visits` | of the position |
| `chance` | to win, 0 to 1; a draw counts half |
| `proven` | the exact result, 1, 0.5 or 0, or `null` if unknown |
| `turns` | an array with an object per first step: the best first, the others by visits |
| `held` | with `ownership true`, an object with a number for each vertex (below) |

| key in `turns` | value |
| --- | --- |
| `turn` | the best turn that begins with this step, in one word for `play` |
| `whole` | `false` if the search has not reached the end of that turn: `play` leaves it open |
| `clicks` | an array: the clicks of the turn, vertices or `pass` |
| `visits`, `chance`, `proven` | of the step |
| `lcb` | the lower end of the 95 % interval of the chance |
| `prior` | the step's prior probability, by the net; without a net all steps have the same |
| `lead` | the color's margin in points (below); `null` in games without points |
| `pv` | an array: the expected turns, beginning with this one |

`held` and `lead` are means over random games (`game-forecast`): `held` is the mean of 1 if the
color holds the vertex at the end and -1 if its opponent does; `lead` is taken after the turns of
`pv`.

`turn` and `clicks` continue an open turn. The swap is a turn like others; its visits are those of
the position. Later versions may add keys: ignore unknown keys.
"""

from typing import Any

from gtp_engine.commands import command
from gtp_engine.commands.arguments import ILLEGAL_MOVE
from gtp_engine.commands.candidates import turn_candidates
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
from gtp_engine.commands.request import OWNERSHIP, Request
from gtp_engine.engine.candidates import Candidate
from gtp_engine.engine.choosing import choose
from gtp_engine.engine.forecasts import Forecasts
from gtp_engine.engine.session import Session
from gtp_engine.gtp.errors import Failure
from gtp_engine.gtp.registry import Emit, Stream
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import value_for

_DECIMALS = 4


def _report(session: Session, request: Request, report: Report, told: Forecasts) -> str:
    color = request.color
    shown = {
        "color": str(color),
        "visits": report.visits,
        "chance": _share(value_for(color, report.value)),
        "proven": None if report.proven is None else value_for(color, report.proven),
        "turns": [
            _turn(request, candidate, lead_for(request, report, candidate.row, told))
            for candidate in turn_candidates(session, request, report)
        ],
    }
    if request.ownership:
        owned = told.owners(report.position).held
        shown["held"] = {str(at): _share(points_for(color, held)) for at, held in owned.items()}
    return _line(shown)


def _turn(request: Request, candidate: Candidate, lead: float | None) -> dict[str, Any]:
    row, color = candidate.row, request.color
    return {
        "turn": candidate.pv[0],
        "whole": candidate.whole,
        "clicks": candidate.clicks,
        "visits": row.visits,
        "chance": _share(value_for(color, row.value)),
        "lcb": _share(lower_end(color, row)),
        "prior": _share(row.prior),
        "proven": None if row.proven is None else value_for(color, row.proven),
        "lead": None if lead is None else round(lead, 2) + 0.0,
        "pv": candidate.pv,
    }


def _share(value: float) -> float:
    return round(value, _DECIMALS) + 0.0  # never -0.0


def _line(value: dict[str, Any]) -> str:
    import json

    return json.dumps(value)


OWN = Dialect(OWNERSHIP, _report)


@command("game-analyze", OPTIONS, streams=True)
def analyze(session: Session, *words: str) -> Stream:
    """Analyze the position until the next line of input, in whole turns.

    Arguments: as above
    Effect: none on the game; the search tree is kept, and `genmove` continues with it
    Reply: one report per interval; without an interval, one report at the end. Any line of input,
        even an empty one, ends the stream, as does the end of input, but never before one report
    Fails: `illegal move` for the color that is not to move; `no step is left`; `syntax: ...`
        with the unreadable part
    Example:
        > game-analyze w
        ? illegal move
        > game-analyze b rootInfo true
        ? syntax: unknown key rootInfo
    """
    return analysis(session, words, OWN)


@command("game-genmove_analyze", OPTIONS, streams=True)
def genmove_analyze(session: Session, *words: str) -> Stream:
    """Choose a whole turn and play it, with reports during the search.

    Arguments: as above, without `avoid` and `allow`
    Effect: as `genmove` with the setting `moves` at `turns`; further input waits, `# interrupt`
        ends the search early
    Reply: reports of the search for the first step, at least one; then an object with the single
        key `play`: the turn, `pass` or `resign`
    Fails: `illegal move` for the color that is not to move; `avoid and allow are for analysis
        only`; `syntax: ...`
    Example:
        > game-genmove_analyze w 50
        ? illegal move
        > game-genmove_analyze b avoid b c4 1
        ? avoid and allow are for analysis only
    """
    request = request_to_choose(session, words, OWN)
    if session.waits(request.color):  # only answers in clicks have a pass for that
        raise Failure(ILLEGAL_MOVE)

    def stream(emit: Emit) -> None:
        reports = observer_of_choice(session, emit, request, OWN)
        emit(_line({"play": session.commit(choose(session, request.color, reports))}))

    return stream
