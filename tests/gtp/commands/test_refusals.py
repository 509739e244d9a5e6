"""Only what a client's words bring about is refused; a fault of ours is told as one."""

import pytest

from gtp_engine.engine.refusals import refusing
from gtp_engine.engine.tasks import lessons
from gtp_engine.rules.notation.position_text import UnreadablePosition
from gtp_engine.rules.notation.turns import Unreadable
from gtp_engine.rules.step import IllegalStep, Saying, UnplayablePosition
from support.driver import Driver

REJECTED = {
    IllegalStep(Saying("no such step", "I1")): "illegal move",
    Unreadable("no such word"): "invalid color or coordinate",
    UnreadablePosition("no such row"): "invalid position: no such row",
    UnplayablePosition("no such board"): "invalid position: no such board",
}


@pytest.mark.parametrize("error", REJECTED, ids=lambda error: type(error).__name__)
def test_what_the_rules_reject_is_refused_where_a_client_s_words_are_read(error, monkeypatch):
    def read(session, color):
        with refusing():
            raise error

    drive = Driver()
    monkeypatch.setattr("gtp_engine.gtp.commands.playing.decide_drawing", read)
    assert drive.fails("genmove b") == REJECTED[error]


@pytest.mark.parametrize("error", REJECTED, ids=lambda error: type(error).__name__)
def test_the_same_from_a_fault_of_ours_is_an_internal_error(error, monkeypatch, logged):
    def fault(session, color):
        raise error

    drive = Driver()
    monkeypatch.setattr("gtp_engine.gtp.commands.playing.decide_drawing", fault)
    assert drive.fails("genmove b") == "internal error"
    assert "internal error in the command genmove" in "".join(logged)


def test_a_step_of_the_engine_that_the_rules_forbid_is_an_internal_error(monkeypatch):
    """Whoever plays C4 twice has not been told so by the client."""
    drive = Driver()
    drive("play b c4")
    again = drive.session.position.play  # raises IllegalStep
    step = drive.session.history()[0].steps[0]
    monkeypatch.setattr("gtp_engine.engine.choosing.player_of", lambda *_: again(step))
    assert drive.fails("genmove w") == "internal error"
    assert drive.fails("play w c4") == "illegal move"


@pytest.mark.parametrize("turn", ["nonsense", "z9"])
def test_a_turn_that_ships_and_is_none_is_an_internal_error(turn, monkeypatch):
    """It stands under a rule in short, and no client has sent it."""
    found = lessons.lessons_of(Driver().session.game)
    wrong = found.pictures[0]._replace(turn=turn, illegal=False)
    monkeypatch.setattr(lessons, "lessons_of", lambda game: found._replace(pictures=(wrong,)))
    assert Driver().fails("game-summary") == "internal error"
