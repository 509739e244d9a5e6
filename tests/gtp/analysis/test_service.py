"""One final line for each position, whatever happens."""

import json
from threading import Event, Thread

import pytest

from gtp_engine.engine.game_review import review
from gtp_engine.engine.session import Session
from gtp_engine.gtp.analysis import service
from gtp_engine.gtp.analysis.request import AnalysisRequest
from gtp_engine.gtp.analysis.service import ReportsInSearch
from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import Color
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report
from support.analyzing import (
    ENDLESS,
    LIVE,
    SMALL,
    Analyst,
    Gate,
    answered,
    during,
    final,
    full_requests,
    one_answer,
)
from support.thorough import first_of
from support.waiting import PATIENCE, TurnedClock

PLACES = [f"{column}{row}" for row in range(1, 6) for column in "abcdefgh"]
SQUARE = {
    "game": "robble",
    "size": 9,
    "moves": [["bw"[at % 2], place] for at, place in enumerate(PLACES)],
}
NINE = [["b", "a1"], ["w", "b3"], ["b", "c1"]]


def test_each_turn_has_one_answer():
    with Analyst(positions=3) as analyst:
        lines = analyst.ask(
            {"id": "a", **SMALL, "moves": NINE, "analyzeTurns": [3, 1, 0, 1]},
            {"id": 7, **SMALL, "moves": NINE},
        )
    assert sorted(map(str, answered(lines))) == ["('a', 0)", "('a', 1)", "('a', 3)", "(7, 3)"]
    assert len(lines) == 4


def test_all_turns_in_order():
    with Analyst(positions=4) as analyst:
        moves = [["b", "a1"], ["w", "b4"], ["b", "c4"], ["w", "d1"], ["b", "e2"]]
        priorities = [{"priorities": [0, 5, 1, 4, 2, 3]}, {}]
        for more, turns in zip(priorities, [[*range(6)], "all"]):
            request = {"game": "robble", "size": 5, "moves": moves, "ordered": True, **more}
            lines = analyst.ask({"id": "a", **request, "analyzeTurns": turns})
            assert answered(lines) == [("a", turn) for turn in range(6)]


def test_higher_priority_goes_first_then_the_earlier():
    with Analyst() as analyst:
        analyst.send({"id": "long", **ENDLESS, **LIVE})
        analyst.until(during)
        analyst.send(
            {"id": "late", **SMALL},
            {"id": "soon", **SMALL, "priority": 3},
            {"id": "later", **SMALL},
            {
                "id": "game",
                **SMALL,
                "moves": [["b", "a1"]],
                "analyzeTurns": [0, 1],
                "priorities": [-1, 9],
            },
            {"id": "t", "action": "terminate", "terminateId": "long"},
        )
        order = answered(analyst.rest())
    assert order == [("long", 0), ("game", 1), ("soon", 0), ("late", 0), ("later", 0), ("game", 0)]


def test_terminate_before_a_search_answers_at_once():
    with Analyst() as analyst:
        analyst.send({"id": "long", **ENDLESS, **LIVE})
        analyst.until(during)
        analyst.send({"id": "a", **SMALL, "moves": NINE, "analyzeTurns": "all"})
        analyst.send({"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 9]})
        nothing = {"id": "a", "turnNumber": 1, "isDuringSearch": False, "noResults": True}
        assert analyst.until(lambda line: line["id"] == "a") == nothing
        echo = {"id": "t", "action": "terminate", "terminateId": "a", "turnNumbers": [1, 9]}
        assert analyst.until(lambda line: line["id"] == "t") == {**echo, "terminated": 1}
        analyst.send({"id": "end", "action": "terminate_all"})
        assert analyst.until(lambda line: line["id"] == "end")["terminated"] == 4
        assert {*answered(analyst.rest())} <= {("long", 0)}


def test_terminate_during_a_search_answers_with_what_it_has():
    with Analyst() as analyst:
        analyst.send({"id": "long", **ENDLESS, **LIVE})
        visits = analyst.until(during)["rootInfo"]["visits"]
        analyst.send({"id": "t", "action": "terminate_all", "turnNumbers": [0]})
        lines = analyst.rest()
    (last,) = filter(final, lines)
    assert last["id"] == "long" and last["rootInfo"]["visits"] >= visits > 0
    assert [line for line in lines if "turnNumber" in line][-1] is last


def test_terminate_after_a_search_changes_nothing():
    with Analyst() as analyst:
        assert len(analyst.ask({"id": "a", **SMALL})) == 1
        echo = {"id": "t", "action": "terminate", "terminateId": "a", "mine": [1]}
        assert analyst.ask(echo) == [{**echo, "terminated": 0}]


@pytest.mark.parametrize("most", first_of([1000, 10_000]))
def test_waiting_positions_end_at_once_and_no_more_are_taken(most):
    last = most // 40 - 1
    with Analyst(most_waiting=most) as analyst:
        analyst.send({"id": "long", **ENDLESS, **LIVE})
        analyst.until(during)
        for number in range(last + 1):
            analyst.send({"id": number, **SQUARE, "analyzeTurns": [*range(40)]})
        analyst.send({"id": "all", "action": "terminate_all"})
        lines = analyst.rest()
    refused = [line for line in lines if "error" in line]
    assert [(line["id"], line["code"]) for line in refused] == [(last, "too-many")]
    ended = answered(lines)
    assert len(ended) == len(set(ended)) == last * 40 + 1


def test_reports_come_during_a_search_and_the_result_after_them():
    with Analyst() as analyst:
        analyst.send({"id": "a", **ENDLESS, "maxVisits": 10**9, **LIVE})
        first, second = analyst.until(during), analyst.until(during)
        assert second["rootInfo"]["visits"] >= first["rootInfo"]["visits"] > 0
        analyst.send({"id": "t", "action": "terminate_all"})
        assert final(analyst.rest()[-1]) or "terminated" in analyst.rest()[-1]


def test_a_first_report_alone_comes_once():
    with Analyst() as analyst:
        analyst.send({"id": "a", **ENDLESS, "firstReportDuringSearchAfter": 0.001, "maxMoves": 1})
        analyst.until(during)
        analyst.send({"id": "t", "action": "terminate_all"})
        lines = analyst.rest()
    assert len(answered(lines)) == 1 and not any(map(during, lines))


@pytest.mark.parametrize(
    "first, every, told",
    [(None, None, []), (3.0, None, [3]), (None, 2.0, [2, 4, 6, 8]), (1.0, 3.0, [1, 4, 7])],
)
def test_reports_come_when_they_are_due(first, every, told):
    """A look at the search each second."""
    clock, found = TurnedClock(0.0), []
    asked = AnalysisRequest(first_report=first, interval=every)
    reports = ReportsInSearch(asked, lambda report: found.append(clock.now), clock)
    look = reports.over(lambda: Report(None, (), 0.5, visits=10))
    for _ in range(9):
        assert not look()
        clock.turn(1.0)
    assert found == told


def test_a_report_that_finds_no_visits_is_late():
    clock, found, visits = TurnedClock(0.0), [], iter([0, 0, 5])
    reports = ReportsInSearch(AnalysisRequest(first_report=1.0), found.append, clock)
    look = reports.over(lambda: Report(None, (), 0.5, visits=next(visits)))
    clock.turn(1.0)
    for _ in range(4):
        look()
    assert [report.visits for report in found] == [5]


def test_an_id_may_be_used_again_when_its_request_is_finished():
    with Analyst() as analyst:
        analyst.send({"id": "a", **ENDLESS, **LIVE})
        analyst.until(during)
        analyst.send({"id": "a", **SMALL})
        error = analyst.until(lambda line: "error" in line)
        assert (error["code"], error["field"], error["id"]) == ("bad-field", "id", "a")
        analyst.send({"id": "t", "action": "terminate", "terminateId": "a"})
        analyst.until(final)
        analyst.send({"id": "a", **SMALL})
        assert answered(analyst.rest()) == [("a", 0)]


def test_a_fault_of_a_search_costs_only_its_position(monkeypatch):
    assess = service.assess

    def faulty(position, *arguments):
        if position.to_move:
            raise RuntimeError("broken")
        return assess(position, *arguments)

    monkeypatch.setattr(service, "assess", faulty)
    with Analyst() as analyst:
        lines = analyst.ask({"id": "a", **SMALL, "moves": NINE, "analyzeTurns": "all"})
    errors = [line for line in lines if "error" in line]
    assert [(each["code"], each["turnNumber"]) for each in errors] == [
        ("internal", 1),
        ("internal", 3),
    ]
    assert len(answered(lines)) == 4
    assert [line["turnNumber"] for line in lines if "noResults" in line] == [1, 3]


def test_a_fault_of_reading_costs_only_its_line(monkeypatch):
    with Analyst() as analyst:
        with monkeypatch.context() as patch:
            patch.setattr(service.GameReader, "read", lambda self, request: 1 / 0)
            (line,) = analyst.ask({"id": "a", **SMALL})
        assert (line["code"], line["id"]) == ("internal", "a")
        assert answered(analyst.ask({"id": "a", **SMALL})) == [("a", 0)]


def test_answers_depend_on_the_request_alone():
    """Not on the threads, and not on the order."""
    found, requests = [], [*full_requests()]
    for positions in (1, 2, 4):
        requests.reverse()
        with Analyst(positions, visits=60) as analyst:
            analyst.send(*requests)
            analyst.service.finish()
            lines = []
            while not analyst.lines.empty():
                lines.append(analyst.lines.get())
            found.append(sorted(lines))
    assert len(found[0]) == 20
    assert found[0] == found[1] == found[2]


def test_a_position_is_answered_alike_in_any_request():
    whole, *parts = ("all", [2], [4, 1])
    request = next(full_requests())
    with Analyst() as analyst:
        lines = {
            line["turnNumber"]: line for line in analyst.ask({**request, "analyzeTurns": whole})
        }
        for turns in parts:
            for line in analyst.ask({**request, "analyzeTurns": turns}):
                assert line == lines[line["turnNumber"]]


def test_reading_goes_on_while_nobody_reads(monkeypatch):
    """Searches wait then, so memory is bounded; all answers come in the end."""
    monkeypatch.setattr(service, "FOR_ANSWERS", 10_000)
    gate = Gate()
    with Analyst(positions=2, read=gate) as analyst:
        analyst.send({"id": "a" * 1000, **SQUARE, "analyzeTurns": "all"}, {"id": "last", **SMALL})
        assert analyst.until_held(2) < 20_000
        analyst.send({"id": "t", "action": "terminate", "terminateId": "last"}, b"?")
        gate.open()
        lines = analyst.rest()
    assert len(answered(lines)) == 42
    assert [line["code"] for line in lines if "error" in line] == ["bad-json"]
    assert [line["terminated"] for line in lines if "action" in line] == [1]


def test_reading_waits_when_nobody_reads_its_own_replies(monkeypatch):
    monkeypatch.setattr(service, "FOR_INPUT", 10_000)
    gate, sent = Gate(), Event()
    with Analyst(read=gate) as analyst:
        sender = Thread(target=lambda: (analyst.send(*[b"?"] * 1000), sent.set()))
        sender.start()
        assert 10_000 < analyst.until_held(1) < 11_000
        assert not sent.is_set()
        gate.open()
        sender.join(PATIENCE)
        assert len(analyst.rest()) == 1000


def test_reports_are_dropped_while_nobody_reads():
    gate = Gate()
    with Analyst(read=gate) as analyst:
        analyst.send({"id": "a", **ENDLESS, "reportDuringSearchEvery": 0.001})
        assert gate.reached.wait(PATIENCE)
        blob = b'{"id":"' + b"x" * 10**6 + b'"}'
        analyst.send(blob, blob)
        gate.open()
        assert analyst.until(during)


@pytest.fixture
def budgets(monkeypatch) -> list[Budget]:
    """What searches may take; they are searched as ever."""
    given, assess = [], service.assess

    def noted(position, setup, *more):
        given.append(setup.budget)
        return assess(position, setup, *more)

    monkeypatch.setattr(service, "assess", noted)
    return given


@pytest.mark.parametrize("visits, seconds", [(None, 0.05), (20, None), (10**9, 0.05)])
def test_the_first_limit_ends_a_search(visits, seconds, budgets):
    limits = {"maxVisits": visits, "maxTime": seconds}
    given = {key: value for key, value in limits.items() if value is not None}
    line = one_answer(game="robble", size=9, **given)
    assert line["rootInfo"]["visits"] >= (visits if seconds is None else 1)
    assert [(budget.visits, budget.seconds) for budget in budgets] == [(visits, seconds)]


def test_the_time_may_stand_among_the_settings(budgets):
    """Without a limit of visits, as where the field has it."""
    one_answer(game="robble", size=9, overrideSettings={"maxTime": "0.05"})
    assert [(budget.visits, budget.seconds) for budget in budgets] == [(None, 0.05)]


@pytest.mark.parametrize(("field", "visits"), [({}, 7), ({"maxVisits": 9}, 9)])
def test_the_visits_may_stand_among_the_settings(field, visits, budgets):
    one_answer(**SMALL, **field, overrideSettings={"maxVisits": 7})
    assert [(budget.visits, budget.seconds) for budget in budgets] == [(visits, None)]


def test_nobody_reads_the_lines_after_a_failure():
    def fail():
        raise BrokenPipeError

    with Analyst(read=fail) as analyst:
        analyst.send({"id": "a", **SMALL}, {"id": "b", **SMALL})
        analyst.service.finish()
        assert len(analyst.failed) == 1


def test_clients_may_divide_by_visits(monkeypatch):
    """Also where a search had nothing to do."""
    assess = service.assess

    def unsearched(*given):
        found = assess(*given)
        rows = tuple(row._replace(visits=0) for row in found.rows)
        return found._replace(rows=rows, visits=0)

    monkeypatch.setattr(service, "assess", unsearched)
    line = one_answer(**SMALL)
    assert {move["visits"] for move in line["moveInfos"]} == {1} == {line["rootInfo"]["visits"]}


def test_what_waits_is_answered_when_the_rest_is_abandoned():
    with Analyst() as analyst:
        analyst.send({"id": "long", **ENDLESS, **LIVE})
        analyst.until(during)
        analyst.send({"id": "a", **SMALL, "moves": NINE, "analyzeTurns": "all"})
        analyst.service.abandon()
        lines = analyst.rest()
    assert len(answered(lines)) == 5
    assert all("noResults" in line for line in lines if line["id"] == "a")


def test_a_resignation_is_judged():
    moves = [["b", "a1"], ["w", "resign"]]
    line = one_answer(**SMALL, moves=moves, includePlayed=True)
    assert line["rootInfo"]["winrate"] == line["rootInfo"]["proven"] == 1.0
    assert (line["played"]["move"], line["played"]["player"]) == ("resign", "W")
    assert line["played"]["loss"] == 1 - line["played"]["winrateBefore"]


def test_what_was_played_is_judged_like_a_review():
    session = Session(find_game("implo"), 3)
    for color, word in NINE:
        session.play(Color.parse(color), word)
    found = [*review(session, Budget(20))]
    request = {"id": "a", **SMALL, "moves": NINE, "analyzeTurns": [1, 2, 3], "ordered": True}
    with Analyst() as analyst:
        lines = analyst.ask({**request, "maxVisits": 20, "includePlayed": True})
    for told, turn in zip([line["played"] for line in lines], found, strict=True):
        assert (told["move"], told["bestMove"], told["why"]) == (turn.word, turn.best, [*turn.why])
        assert told["loss"] == pytest.approx(turn.loss, abs=1e-5)


def test_lines_are_ascii_with_sorted_keys():
    with Analyst() as analyst:
        analyst.send({"id": "é\ud800", **SMALL})
        analyst.service.finish()
        line = analyst.lines.get()
    assert line.isascii() and line.endswith(b"\n")
    found = json.loads(line)
    assert found["id"] == "é\ud800"
    assert (
        list(found)
        == sorted(found)
        == ["id", "isDuringSearch", "moveInfos", "rootInfo", "turnNumber"]
    )
    assert list(found["rootInfo"]) == sorted(found["rootInfo"])
