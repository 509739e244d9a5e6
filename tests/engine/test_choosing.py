"""A chosen turn is played when it is committed, and not before."""

from types import SimpleNamespace

import pytest

from gtp_engine.engine import choosing
from gtp_engine.engine.choosing import choose, decide
from gtp_engine.rules.points.color import BLACK
from gtp_engine.search.choice import Choice
from support.driver import Driver
from support.waiting import TurnedClock


@pytest.mark.parametrize("moves", ["turns", "clicks"])
def test_nothing_changes_before_a_decision_is_committed(moves):
    drive = Driver("boloa", 4)
    for line in ("visits 5", "seed 1", f"moves {moves}"):
        drive(f"game-set {line}")
    session = drive.session
    before, color = session.state, session.position.to_move
    decision = decide(session, color)
    assert session.state is before
    assert decision.word == decide(session, color).word
    assert session.commit(decision) == decision.word
    assert session.turn_open == (moves == "clicks")
    assert [play.thought for play in session.history()] == [decision.thought]


def test_a_click_of_a_plan_takes_no_time_of_the_clock():
    drive = Driver("boloa", 4)
    for line in ("game-set visits 5", "game-set moves clicks", "time_settings 100 0 0"):
        drive(line)
    session = drive.session
    color = session.position.to_move
    session.commit(decide(session, color))
    left = session.state.clocks[color].left
    assert left < 100
    session.commit(decide(session, color))
    assert not session.turn_open
    assert session.state.clocks[color].left == left


def test_a_choice_that_is_taken_back_gives_its_time_back():
    """But not that of a time control that has ended meanwhile."""
    drive = Driver("robble", 5)
    for line in ("game-set visits 5", "kata-time_settings fischer 100 5"):
        drive(line)
    session = drive.session
    before = session.state.clocks
    for color in ("b", "w", "b"):
        drive(f"genmove {color}")
    assert session.state.clocks != before
    drive("undo")
    after_two = session.state.clocks
    drive("genmove b")
    drive("genmove w")
    drive("gg-undo 2")
    assert session.state.clocks == after_two
    drive("gg-undo 2")
    assert session.state.clocks == before
    drive("genmove b")
    drive("time_settings 30 0 0")
    drive("undo")
    assert session.state.clocks[BLACK].left == 30


def test_passes_after_the_end_are_chosen_for_ever_but_not_kept():
    drive = Driver("robble", 3)
    drive("play b resign")
    session = drive.session
    for _ in range(200):
        assert session.commit(choose(session, session.position.to_move)) == "pass"
    assert len(session.history()) == 101


def test_a_turn_begins_when_its_line_arrives(monkeypatch):
    """The search gets what is left of the time, and the clock pays for all of it."""
    drive = Driver("robble", 5)
    for line in ("game-set seconds 100", "game-set timing fixed", "game-pie off"):
        drive(line)
    budgets = []

    def chosen(position, steps, budget, observer):
        budgets.append(budget)
        return Choice(steps[:1], 0.5, 1, steps[:1])

    monkeypatch.setattr(choosing, "player_of", lambda *_: SimpleNamespace(choose=chosen))
    session = drive.session
    session.clock = clock = TurnedClock()
    for passed, left in ((None, 100), (30, 70), (90, 50)):
        session.asked = passed and clock.now - passed
        decision = decide(session, session.position.to_move)
        assert budgets[-1].seconds == left
        assert decision.seconds == (passed or 0)


def test_an_answer_does_not_wait_for_words(monkeypatch):
    """What a search found is told when it is asked for, and once."""
    drive = Driver("implo", 4)
    drive("game-set visits 20")
    told = []
    monkeypatch.setattr(choosing, "reasons", lambda report: told.append(report) or ["so"])
    drive("genmove b")
    assert told == []
    for _ in range(2):
        assert "so" in drive("gomill-explain_last_move")
    assert len(told) == 1
