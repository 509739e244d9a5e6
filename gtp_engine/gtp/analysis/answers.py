"""The lines about a position: protocol_specs/clients/analysis-engine.md says what the keys mean."""

import json
from typing import Any, NamedTuple

from gtp_engine.engine import reasons as why
from gtp_engine.engine.candidates import turn_candidate
from gtp_engine.engine.game_review import judged
from gtp_engine.gtp.analysis.games import AskedPosition
from gtp_engine.gtp.analysis.request import AnalysisRequest
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import PASS_WORD, steps_clicked, words_clicked
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.diagram import by_row
from gtp_engine.rules.points.vertex import NAMES
from gtp_engine.rules.step import Outcome, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report
from gtp_engine.search.random_games import forecast, lead_after, number_of_games
from gtp_engine.search.tree import Row, value_for

JsonObject = dict[str, Any]

# Random games for the ownership of a position, and for a lead or the ownership after a turn, on a
# board of 64 points.
_GAMES, _GAMES_FOR_A_TURN = 2000, 200

_DECIMALS, _DECIMALS_OF_POINTS = 6, 2


def line_of(told: JsonObject) -> bytes:
    """An object as a line. The keys are sorted, as KataGo's; some clients depend on that."""
    return json.dumps(told, sort_keys=True, separators=(",", ":")).encode() + b"\n"


class Answers(NamedTuple):
    """Writes the answers to a request.

    perspective -- the color whose values are told; None for the one to move
    setup       -- of the searches, and but for the budget of the random games
    """

    request: AnalysisRequest
    perspective: Color | None
    setup: SearchSetup

    def nothing(self, number: int) -> JsonObject:
        """The answer about a position that was not searched."""
        return self._head(number) | {"noResults": True}

    def answer(
        self,
        asked: AskedPosition,
        found: Report,
        before: Report | None = None,
        during: bool = False,
    ) -> JsonObject:
        """The answer about a position; `during` its search it has no sentences.

        before -- the result for the position before, where the turn is to be judged
        """
        view = _View(self.perspective, asked.position.to_move)
        rows = self._rows(asked, found, view)
        told = self._head(asked.number, during)
        told |= {"moveInfos": rows, "rootInfo": self._root(asked, found, view, rows)}
        if self.request.ownership:
            told["ownership"] = self._ownership(found.position, _GAMES, view)
        if self.request.policy:
            told["policy"] = _policy(asked, found)
        if self.request.why and not during:
            told["why"] = self._why(asked, found)
        if self.request.played and not during:
            told["played"] = self._played(asked, found, before)
        return told

    def _head(self, number: int, during: bool = False) -> JsonObject:
        return {"id": self.request.id, "isDuringSearch": during, "turnNumber": number}

    def _rows(self, asked: AskedPosition, report: Report, view: "_View") -> list[JsonObject]:
        rows = report.rows[: self.request.most_moves or None]
        return [self._row(asked, report, row, view) | {"order": at} for at, row in enumerate(rows)]

    def _row(self, asked: AskedPosition, report: Report, row: Row, view: "_View") -> JsonObject:
        turn = turn_candidate(asked.position, asked.clicks, report, row)
        told = {
            "move": turn.pv[0],
            "whole": turn.whole,
            "clicks": turn.clicks,
            "visits": max(row.visits, 1),  # clients divide by them; a kept proof searched nothing
            "prior": round(row.prior, _DECIMALS),
            "lcb": view.bound(row),
            "pv": turn.pv[: self.request.pv_length + 1],
            **view.value(row.value, row.proven),
            **view.points(self._lead(report.position, row.pv)),
        }
        if self.request.moves_ownership:
            after = settle(report.position.play_unchecked(row.step))[1]
            told["ownership"] = self._ownership(after, _GAMES_FOR_A_TURN, view)
        return told

    def _root(
        self, asked: AskedPosition, found: Report, view: "_View", rows: list[JsonObject]
    ) -> JsonObject:
        position = asked.position
        told = {
            "currentPlayer": position.to_move.sign,
            "open": asked.open,
            "outcome": None if asked.outcome is None else _outcome(asked.outcome),
            "position": write_position(position),
            "visits": max(found.visits, 1) if found.rows else 0,
            "bestMove": rows[0]["move"] if rows else None,
            **view.value(found.worth, found.proven),
        }
        if rows:
            points = {key: rows[0][key] for key in _POINTS}
        else:
            points = view.points(self._lead(position, ()))
        return told | points

    def _ownership(self, position: Position, games: int, view: "_View") -> list[float]:
        held = forecast(position, self._random(position, games)).held
        return [round(view.sign * each, _DECIMALS) + 0.0 for each in held.values()]

    def _why(self, asked: AskedPosition, report: Report) -> list[str]:
        if asked.outcome is not None:
            return [str(asked.outcome.objection())]
        if not report.rows:
            return []
        line = report.rows[0].pv
        sentences = why.about(asked.position, report)
        if why.end_of(report.position, line) is None:
            lead = self._lead(report.position, line)
            sentences += [] if lead is None else [why.ahead(report.position, lead)]
        return sentences

    def _played(
        self, asked: AskedPosition, after: Report, before: Report | None
    ) -> JsonObject | None:
        """The turn before a position, as a review judges it; None where there is none to judge."""
        turn = asked.turn
        if turn is None or before is None or not before.rows or asked.open:
            return None
        known = {asked.position: after, turn.start: before}  # a resignation changes no position
        (found,) = judged([turn], known.get)
        value = _View(self.perspective, found.color).value(found.chance, found.proven)
        return {
            "move": found.word,
            "player": found.color.sign,
            "loss": _rounded(found.loss),
            "bestMove": found.best,
            "pv": found.best_line[: self.request.pv_length + 1],
            "winrateBefore": value["winrate"],
            "provenBefore": value["proven"],
            "visitsBefore": found.visits,
            "why": found.why,
        }

    def _lead(self, position: Position, line: tuple[Step, ...]) -> float | None:
        """BLACK's lead after a line of play; None in games without points."""
        if not position.game.scored:
            return None
        return lead_after(position, line, self._random(position, _GAMES_FOR_A_TURN))

    def _random(self, position: Position, usual: int) -> SearchSetup:
        """The setup of random games; their number depends on the board alone."""
        games = number_of_games(position, usual, self.setup.backend)
        return self.setup._replace(budget=Budget(games))


_POINTS = ("scoreLead", "scoreMean", "scoreStdev")


class _View:
    """Values as a color sees them: that of the request, or the one to move."""

    def __init__(self, perspective: Color | None, mover: Color) -> None:
        self._color = mover if perspective is None else perspective
        self._mover = mover
        self.sign = 1 if self._color is BLACK else -1

    def value(self, value: float, proven: float | None) -> JsonObject:
        winrate = value_for(self._color, value)
        return {
            "winrate": _rounded(winrate),
            "utility": _rounded(2 * winrate - 1),
            "proven": None if proven is None else value_for(self._color, proven),
        }

    def bound(self, row: Row) -> float:
        """The end of a row's interval that is worse for the color to move."""
        lcb = min(max(row.lcb, 0.0), 1.0)
        return _rounded(lcb if self._color is self._mover else 1 - lcb)

    def points(self, lead: float | None) -> JsonObject:
        """A lead of BLACK; 0 in games without points."""
        told = round(self.sign * (lead or 0.0), _DECIMALS_OF_POINTS) + 0.0
        return dict(zip(_POINTS, (told, told, 0.0)))


def _rounded(value: float) -> float:
    return round(value, _DECIMALS) + 0.0  # never -0.0


def _outcome(outcome: Outcome) -> JsonObject:
    winner = None if outcome.winner is None else outcome.winner.sign
    told = {"reason": outcome.reason, "rule": outcome.reason_rule}
    return {"result": str(outcome), "winner": winner, **told}


def _policy(asked: AskedPosition, report: Report) -> list[float]:
    """The priors of the first steps by the vertex to click next, by rows from the top; a pass last.

    -1 where nothing is legal.
    """
    size = asked.position.size
    priors: dict[str, float] = {}
    if report.rows:
        forced = report.forced
        clicks = () if forced else asked.clicks
        found = {row.step: row.prior for row in report.rows}
        for step in steps_clicked(report.position, clicks):
            word = next(words_clicked(report.position, clicks, (step,)))
            priors[word] = priors.get(word, 0.0) + found.get(step, 0.0)
    places = [*(NAMES[vertex] for vertex in by_row(size)), PASS_WORD]
    return [_rounded(priors[place]) if place in priors else -1.0 for place in places]
