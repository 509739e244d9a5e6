"""A chosen turn is played when it is committed, and not before."""

import pytest
from conftest import Driver

from gtp_engine.engine.answering import decide
from gtp_engine.engine.choosing import choose


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


def test_passes_after_the_end_are_chosen_for_ever_but_not_kept():
    drive = Driver("robble", 3)
    drive("play b resign")
    session = drive.session
    for _ in range(200):
        assert session.commit(choose(session, session.position.to_move)) == "pass"
    assert len(session.history()) == 101
