"""Thinking during the opponent's turn: when and for how long, without delaying anyone."""

import re
import signal

import pytest

from gtp_engine.engine.choosing import Pondering, player_of
from gtp_engine.gtp.wire.dispatch import rest
from gtp_engine.search.backends.kernel import kernel_built
from support.driver import Driver
from support.thorough import first_of
from support.wire import NAME, Engine, talk

kernel_only = pytest.mark.skipif(not kernel_built(), reason="Python keeps no tree")


class Recorder:
    """Stands for the player's search: takes down what it is asked to search, and for how long."""

    def __init__(self, monkeypatch) -> None:
        self.asked: list[tuple] = []
        monkeypatch.setattr(
            "gtp_engine.search.player.TreePlayer.ponder",
            lambda player, position, deadline: self.asked.append((position, deadline)),
        )


@pytest.fixture
def ponders(monkeypatch) -> Recorder:
    return Recorder(monkeypatch)


def opponents_turn(*lines: str) -> tuple[Driver, Pondering]:
    """After a turn of ours, in a session that waits for a line.

    REPLY in a line stands for a legal step.
    """
    drive = Driver("robble", 5)
    drive.session.pending.clear()
    for line in ("game-set visits 20", "game-set ponder on", "game-pie off", *lines):
        drive(line.replace("REPLY", str(drive.session.legal_steps()[0])))
    return drive, Pondering(drive.session)


@kernel_only
def test_after_our_turn_the_position_is_searched(ponders):
    drive, pondering = opponents_turn("genmove b")
    pondering.go_on()
    [(position, deadline)] = ponders.asked
    assert position == drive.session.position
    assert deadline.visits == 20
    assert deadline.interrupt is drive.session.pending
    assert 500 < deadline.seconds_left() <= 600


@pytest.mark.parametrize(
    "lines",
    [
        (),
        ("play b c3",),
        ("genmove b", "play w REPLY"),
        ("genmove b", "undo"),
        ("genmove b", "clear_board"),
        ("genmove b", "play w resign"),
        ("genmove b", "game-set ponder off"),
        ("genmove b", "game-set seed 1"),
        ("genmove b", "game-set backend python"),
        ("game-set player random", "genmove b"),
        # Between two clicks of ours.
        ("game-set visits 50", "game-position implo 3 .B./BBb/ww. b open=yes",
         "game-set moves clicks", "genmove b"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_at_other_times_nothing_is_searched(ponders, lines):
    drive, pondering = opponents_turn(*lines)
    pondering.go_on()
    assert ponders.asked == []


@kernel_only
def test_nothing_is_searched_while_a_line_waits(ponders):
    drive, pondering = opponents_turn("genmove b")
    drive.session.pending.set()
    pondering.go_on()
    assert ponders.asked == []


@kernel_only
def test_the_bound_is_for_a_position_not_for_a_line(ponders):
    """Asking for the name again and again does not make it search for ever."""
    drive, pondering = opponents_turn("genmove b")
    for _ in range(3):
        pondering.go_on()
        drive("name")
    first, *others = (deadline for _, deadline in ponders.asked)
    assert others == [first, first]
    drive(f"play w {drive.session.legal_steps()[0]}")
    drive("genmove b")
    pondering.go_on()
    assert ponders.asked[-1][1].end > first.end


@kernel_only
def test_what_was_pondered_on_is_the_start_of_the_next_search():
    """An opponent that the engine has read for a while finds it with visits in hand."""
    drive, pondering = opponents_turn("game-set visits 3000", "genmove b")
    pondering.go_on()
    expected = player_of(drive.session, None)._trees(
        drive.session.position, drive.session.position.legal_steps()
    )
    reply = max(expected.rows(1), key=lambda row: row.visits)
    drive(f"play w {reply.step}")
    drive.session.interrupt.set()  # no time for visits of its own
    drive("genmove b")
    thought = drive.session.frame.play.thought
    assert thought.visits > 100


def test_a_defect_is_logged_and_nobody_hears_of_it(logged):
    rest(lambda: 1 / 0)
    assert "ZeroDivisionError" in logged[0]


# The process -------------------------------------------------------------------------------

PONDERING = ("--game", "robble", "--size", "19", "--seconds", "0.1", "--ponder", "on")


def ponder(engine: Engine) -> None:
    """Have it begin to ponder, and see that it does."""
    assert engine.ask(b"genmove b").startswith(b"= ")
    engine.until_works()


@kernel_only
def test_a_line_is_answered_at_once_and_pondering_goes_on():
    with Engine(*PONDERING) as engine:
        ponder(engine)
        for line in (b"name", b"# nothing\nname", b"# interrupt\nname", b"\nname"):
            engine.write(line + b"\n")
            assert engine.read() == NAME
        assert engine.ask(b"game-history").startswith(b"= 1 black ")
        engine.until_works()


@kernel_only
def test_what_ends_the_game_ends_pondering():
    with Engine(*PONDERING) as engine:
        ponder(engine)
        engine.ask(b"play w resign")
        engine.until_rests()
        assert engine.ask(b"genmove b") == b"= pass\n\n"
        engine.until_rests()


@kernel_only
def test_a_line_without_a_command_ends_it_too():
    with Engine(*PONDERING) as engine:
        ponder(engine)
        for line in (b"\n", b"# nothing\n", b"7\n"):
            engine.write(line)
            engine.until_rests()
            assert engine.ask(b"name") == NAME
            engine.until_works()


@kernel_only
@pytest.mark.parametrize("number", first_of([signal.SIGTERM, signal.SIGINT]))
def test_a_signal_ends_a_pondering_engine(number):
    with Engine(*PONDERING) as engine:
        ponder(engine)
        engine.process.send_signal(number)
        engine.ends_well()


@kernel_only
@pytest.mark.parametrize("end", ["quit", "input", "output"])
def test_a_client_that_leaves_ends_a_pondering_engine(end):
    with Engine(*PONDERING) as engine:
        ponder(engine)
        if end == "quit":
            assert engine.ask(b"quit") == b"=\n\n"
        elif end == "input":
            engine.process.stdin.close()
        else:
            engine.process.stdout.close()
        engine.ends_well()


def test_a_script_on_a_pipe_does_not_wait_for_it():
    output = talk(b"genmove b\ngenmove w\ngame-history\n", *PONDERING)
    assert re.search(rb"= 1 black \S+\n2 white \S+\n\n$", output)
