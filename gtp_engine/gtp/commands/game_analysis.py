"""Searches with live reports in our own format: one JSON object per line.

The replies are [streams](../protocol.md#streams). A search keeps its tree, and `genmove` continues
with it.
"""

from typing import Any

from gtp_engine.engine.candidates import Candidate
from gtp_engine.engine.choosing import choose
from gtp_engine.engine.forecasts import Forecasts
from gtp_engine.engine.session import Session
from gtp_engine.engine.view.facts import Json, drawn
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.analysis_arguments import OWNERSHIP, Request
from gtp_engine.gtp.commands.arguments import ILLEGAL_MOVE
from gtp_engine.gtp.commands.search_reports import (
    OPTIONS,
    Dialect,
    analysis,
    lead_for,
    lower_end,
    observer_of_choice,
    points_for,
    request_to_choose,
    turn_candidates,
)
from gtp_engine.gtp.wire.registry import Emit, Failure, Stream
from gtp_engine.rules.notation.turns import PASS_WORD
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
            | {"drawn": _drawn(session, candidate)}
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


def _drawn(session: Session, candidate: Candidate) -> list[list[Json]]:
    """How to draw the expected turns; a swap is drawn where it is clicked."""
    found = drawn(session.game, candidate.pv, begun=session.position.open)
    first = candidate.clicks[:1]
    if not found[0] and first != (PASS_WORD,):
        found[0] = [{"at": click} for click in first]
    return found


def _share(value: float) -> float:
    return round(value, _DECIMALS) + 0.0  # never -0.0


def _line(value: dict[str, Any]) -> str:
    import json

    return json.dumps(value)


OWN = Dialect(OWNERSHIP, _report)


@command("game-analyze", OPTIONS, streams=True)
def analyze(session: Session, *words: str) -> Stream:
    """Analyze the position until the next line of input, in whole turns.

    Arguments: as for `kata-analyze`: a color, an interval, `interval`, `minmoves`, `maxmoves`,
        `avoid`, `allow` and `ownership`
    Reply: one report per interval, or one at the end without an interval: an object with values for
        the requested color
        - `color`: `"black"` or `"white"`, the requested color
        - `visits`: of the position
        - `chance`: to win, 0 to 1; a draw counts half
        - `proven`: the exact result, 1, 0.5 or 0; else `null`
        - `held`, with `ownership true`: for each vertex the mean over random games
          (`game-forecast`) of 1 if the color holds it at the end and -1 if its opponent does
        - `turns`: an object per first step, the best first, the others by visits
        - `turns.turn`: the best turn that begins with this step, a word for `play`; it continues an
          open turn. The swap is a turn like others, with the visits of the position
        - `turns.whole`: `false` if the search has not reached the end of that turn, and `play`
          leaves it open
        - `turns.clicks`: its clicks, vertices or `pass`
        - `turns.visits`, `turns.chance`, `turns.proven`: of the step
        - `turns.lcb`: the lower end of the 95 % interval of the chance
        - `turns.prior`: by the net; without a net all steps have the same
        - `turns.lead`: the color's margin in points, the mean over random games after `pv`; `null`
          in games without points
        - `turns.pv`: the expected turns, this one first
        - `turns.drawn`: for each of them the steps that a front end draws. A step has `at`, its
          first vertex; `to`, the second one, if it names two; and the `shape` of the piece that it
          places on `at`, if it places one, as in a [view](../view.md)
    Fails: `illegal move`; `no step is left`; `syntax: ...` with the unreadable part
    Example:
        > game-analyze b rootInfo true
        ? syntax: unknown key rootInfo
    """
    return analysis(session, words, OWN)


@command("game-genmove_analyze", OPTIONS, streams=True)
def genmove_analyze(session: Session, *words: str) -> Stream:
    """Choose a whole turn and play it, with reports during the search.

    Arguments: as for `game-analyze`, without `avoid` and `allow`
    Effect: as `genmove` with `moves` at `turns`
    Reply: reports of the search for the first step; then an object with the single key `play`: the
        turn, `pass` or `resign`
    Fails: `illegal move`; `avoid and allow are for analysis only`; `syntax: ...`
    Example:
        > game-position robble 3 .WB/BWB/WBW b
        =
        > game-set visits 8
        =
        > game-genmove_analyze b
        =
        {"color": "black", "visits": 1, "chance": 1.0, "proven": 1.0, "turns": [{"turn": "A3", "whole": true, "clicks": ["A3"], "visits": 1, "chance": 1.0, "lcb": 1.0, "prior": 1.0, "proven": 1.0, "lead": null, "pv": ["A3"], "drawn": [[{"at": "A3", "shape": "stone"}]]}]}
        {"play": "A3"}
    """  # noqa: E501
    request = request_to_choose(session, words, OWN)
    if session.waits(request.color):  # only answers in clicks have a pass for that
        raise Failure(ILLEGAL_MOVE)

    def stream(emit: Emit) -> None:
        reports = observer_of_choice(session, emit, request, OWN)
        emit(_line({"play": session.commit(choose(session, request.color, reports))}))

    return stream
