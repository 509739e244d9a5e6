"""Responses that are sent while a command runs, byte by byte."""

import os
import re
import signal

import pytest

from gtp_engine.gtp.wire.inbox import Inbox
from support.thorough import first_of
from support.waiting import PATIENCE
from support.wire import NAME, Engine, talk

INFO = re.compile(rb"info move \S+ visits \d+ .* pv \S+")
ANALYSES = [b"kata-analyze 1", b"lz-analyze 1", b"kata-analyze b interval 1"]
GAMES = [b"implo", b"boloa", b"robble", b"pilo"]
KERNEL_OR_NOT = ["auto", "python"]


def stream(engine: Engine, command: bytes) -> None:
    """Send an analysis, and wait until it has begun with a bare `=` and an info line."""
    engine.write(command + b"\n")
    assert engine.read_line() == b"=\n"
    assert INFO.match(engine.read_line())


def rest(engine: Engine) -> None:
    """Read on to the empty line that ends the stream; all before it are info lines."""
    while (line := engine.read_line()) != b"\n":
        assert INFO.match(line)


@pytest.mark.parametrize("backend", KERNEL_OR_NOT)
def test_the_next_line_ends_a_stream_and_is_answered_after_it(backend):
    with Engine("--backend", backend) as engine:
        for game in GAMES:
            assert engine.ask(b"game-select %s 5" % game) == b"=\n\n"
            for analysis in ANALYSES:
                stream(engine, analysis)
                engine.write(b"name\n")
                rest(engine)
                assert engine.read() == NAME


def test_any_line_ends_a_stream_and_only_commands_are_answered():
    with Engine("--size", "5") as engine:
        for line in (b"\n", b"# comment\n", b"# interrupt\n", b"   \n", b"7\n"):
            stream(engine, b"kata-analyze 5")
            engine.write(line)
            rest(engine)
            assert engine.ask(b"name") == NAME, line


def test_an_id_stands_alone_on_the_first_line():
    with Engine("--size", "5") as engine:
        engine.write(b"12 kata-analyze 5\n")
        assert engine.read_line() == b"=12\n"
        engine.write(b"13 name\n")
        rest(engine)
        assert engine.read() == b"=13 Patchpie\n\n"


def test_the_end_of_input_ends_a_stream_after_an_info_line():
    head, info, end = talk(b"kata-analyze 5\n", "--size", "5").partition(b"info move ")
    assert head == b"=\n"
    assert info
    assert end.endswith(b"\n\n")


def test_commands_in_one_write_are_answered_in_order():
    """Each analysis still gives an info line, however soon the next command came."""
    text = b"1 kata-analyze 5\n2 name\n3 lz-analyze 5\n4 name\n"
    answers = talk(text, "--size", "5").split(b"\n\n")[:-1]
    assert [answer.partition(b"\n")[0] for answer in answers] == [
        b"=1", b"=2 Patchpie", b"=3", b"=4 Patchpie",
    ]  # fmt: skip
    assert all(INFO.match(answers[number].partition(b"\n")[2]) for number in (0, 2))


def test_ten_thousand_lines_while_a_stream_runs():
    with Engine("--size", "5") as engine:
        stream(engine, b"kata-analyze 1")
        engine.write(b"name\n" * 10_000)
        rest(engine)
        for _ in range(10_000):
            assert engine.read() == NAME


def test_a_turn_chosen_under_eyes_ends_with_the_turn_and_is_played():
    """Further input waits for it."""
    with Engine("--game", "robble", "--size", "5", "--visits", "3000") as engine:
        engine.write(b"kata-genmove_analyze b 1\ngame-history\n")
        assert engine.read_line() == b"=\n"
        lines = []
        while (line := engine.read_line()) != b"\n":
            lines.append(line)
        *infos, last = lines
        assert infos
        assert all(INFO.match(info) for info in infos)
        assert re.fullmatch(rb"play [A-E][1-5]\n", last)
        assert engine.read() == b"= 1 black " + last[5:-1] + b"\n\n"


@pytest.mark.parametrize("number", first_of([signal.SIGTERM, signal.SIGINT]))
def test_a_signal_ends_a_stream_and_the_engine(number):
    with Engine("--size", "5") as engine:
        stream(engine, b"kata-analyze 5")
        engine.process.send_signal(number)
        engine.ends_well()


def test_an_engine_whose_reader_leaves_a_stream_ends():
    with Engine("--size", "5") as engine:
        stream(engine, b"kata-analyze 1")
        engine.process.stdout.close()
        assert engine.process.wait(PATIENCE) == 0


def test_a_client_that_reads_nothing_holds_a_stream_up_and_loses_nothing():
    """The pipe is full; what was sent meanwhile is answered as soon as the client reads."""
    with Engine("--game", "boloa", "--size", "9") as engine:
        stream(engine, b"kata-analyze 1")
        engine.until_full()
        engine.write(b"name\n")
        rest(engine)
        assert engine.read() == NAME


def test_an_analysis_that_cannot_begin_is_an_ordinary_failure():
    wrong = (b"b interval", b"x", b"minmoves x", b"rootInfo maybe", b"speed 3", b"w 5")
    with Engine("--size", "5") as engine:
        for arguments in wrong:
            assert engine.ask(b"kata-analyze " + arguments).startswith(b"? "), arguments
            assert engine.ask(b"name") == NAME


def test_a_client_of_a_server_plays_a_game():
    """What CGOS's client sends: the turn is in the last line of the stream."""
    setup = (
        b"list_commands", b"boardsize 4", b"komi 6.5", b"time_settings 60 0 0", b"clear_board",
    )  # fmt: skip
    with (
        Engine("--game", "pilo", "--visits", "50") as black,
        Engine("--game", "pilo", "--visits", "20") as white,
    ):
        for engine in (black, white):
            for command in setup:
                assert engine.ask(command).startswith(b"=")
        passes = 0
        for number in range(100):
            engine, other = (black, white) if number % 2 == 0 else (white, black)
            color = b"bw"[number % 2 : number % 2 + 1]
            assert engine.ask(b"time_left %s 50 0" % color) == b"=\n\n"
            answer = engine.ask(b"kata-genmove_analyze %s ownership true" % color)
            move = answer.strip().split(b"\n")[-1].removeprefix(b"play ")
            assert other.ask(b"play %s %s" % (color, move)) == b"=\n\n"
            passes = passes + 1 if move == b"pass" else 0
            if passes == 2:
                break
        assert black.ask(b"final_score") == white.ask(b"final_score") != b"? cannot score\n\n"
        assert black.ask(b"quit") == b"=\n\n"


@pytest.mark.parametrize(
    ("text", "interrupted"),
    [
        (b"a\nb\n# interrupt\nc\n", [False, True, False]),
        (b"a\n# interrupt\nb\nc\n", [True, False, False]),
        (b"a\nb\nc\n# interrupt\n", [False, False, True]),
        (b"a\n# interrupt\nb\nc\n# interrupt\nd\n", [True, False, True, False]),
        (b"a\n# interrupt\n# interrupt\nb\n# interrupt\n", [True, True]),
        (b"# interrupt\na\n\n# note\n# interrupt\nb\n", [True, False]),
        (b"a\nb\n", [False, False]),
    ],
)
def test_an_interrupt_is_for_the_last_command_before_it_and_for_no_other(text, interrupted):
    """Also when all lines are there before the first command is taken."""
    out, into = os.pipe()
    os.write(into, text)
    os.close(into)
    inbox = Inbox(out)
    inbox.read()
    assert [inbox.interrupt.is_set() for _ in inbox] == interrupted
    os.close(out)
