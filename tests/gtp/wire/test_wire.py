"""The process on its pipes, byte by byte: what no transcript can express.

`gtp-arena check` holds any engine to the wire, ours too, in the first test. The others go where
that check cannot: to what only our engine promises, and to clients that stop reading or leave.
"""

import re
import shlex
import signal
import subprocess
from pathlib import Path

import pytest

from gtp_engine.arena.checking.check import CheckStatus, check
from gtp_engine.arena.checking.check_subject import Options
from gtp_engine.gtp.wire.line import LONGEST_LINE
from support.engine_threads import answers_here, talk_here
from support.thorough import first_of, thorough
from support.waiting import PATIENCE
from support.wire import (
    ENGINE,
    LONG_THINKING,
    MALFORMED,
    MEGABYTE,
    NAME,
    SILENCE,
    UNKNOWN,
    Engine,
    talk,
)

TOO_LONG = b"x" * (LONGEST_LINE + 1)


@pytest.fixture(scope="module")
def commands() -> list[str]:
    """The names of all commands but `quit`."""
    (answer,) = answers_here(b"list_commands\n")
    names = answer.decode()[2:].split()
    return [name for name in names if name != "quit"]


@pytest.mark.parametrize(
    ("only", "least"), first_of([(("process.",), 5), (("responses.", "lines."), 16)])
)
def test_our_engine_passes_the_check_of_the_wire(only, least):
    findings = list(check(shlex.join(ENGINE), Options(PATIENCE, only=only)))
    assert len(findings) >= least
    assert [finding for finding in findings if finding.verdict is not CheckStatus.PASSED] == []


# One line ----------------------------------------------------------------------------------

LINES = {
    # An answer is `=` or `?`, then the text, then an empty line.
    b"name\n": NAME,
    b"clear_board\n": b"=\n\n",
    # checklist 2, 9, 10: the id comes back as a number; up to 2147483647, without zeros in front.
    b"7 clear_board\n": b"=7\n\n",
    b"000 name\n": b"=0 Patchpie\n\n",
    b"0000000002147483647 name\n": b"=2147483647 Patchpie\n\n",
    # checklist 11: it needs no blank behind it; what is no id belongs to the name.
    b"7known_command name\n": b"=7 true\n\n",
    b"1.5 name\n": b"?1 unknown command\n\n",
    b"7 8 name\n": b"?7 unknown command\n\n",
    b"9" * 5000 + b" name\n": UNKNOWN,
    # checklist 3, 4: blanks and tabs.
    b"  7   name  \n": b"=7 Patchpie\n\n",
    b"7\tname\n": b"=7 Patchpie\n\n",
    b" \t 7 \t known_command\t\tname \t\n": b"=7 true\n\n",
    # checklist 5: other control characters do not exist, wherever they are.
    b"7 name\r\n": b"=7 Patchpie\n\n",
    b"name\r\r\n": NAME,
    b"na\rme\n": NAME,
    b"\x00\x00name\x00\n": NAME,
    b"1\x012 name\n": b"=12 Patchpie\n\n",
    b"\x0c\x1bname\n": NAME,
    b"known_command\x0bname\n": UNKNOWN,
    b"known_command \x1f name\n": b"= true\n\n",
    bytes(code for code in (*range(1, 9), *range(11, 32), 127)) + b"name\n": NAME,
    # checklist 6: comments behind a command.
    b"7 name #8 version\n": b"=7 Patchpie\n\n",
    b"known_command name#x\n": b"= true\n\n",
    b"known_command # name\n": b"= false\n\n",
    # checklist 7, 8: lines without a command.
    b"\n\n\n": SILENCE,
    b"\x00\n": SILENCE,
    b"   # name\n": SILENCE,
    b"#\n": SILENCE,
    b"5 #x\n": SILENCE,
    b"5 \t\r\n": SILENCE,
    # checklist 20: bytes that are not ASCII, whether they are UTF-8 or not.
    b"# \xff\n": SILENCE,
    b"na\xffme\n": UNKNOWN,
    b"nam\xc3\xa9\n": UNKNOWN,
    b"\xff\n": UNKNOWN,
    b"\xef\xbb\xbfname\n": UNKNOWN,
    b"name\xc2\xa0x\n": UNKNOWN,
    b"\xc2\xa0name\n": UNKNOWN,
    b"name\xc2\x85\n": UNKNOWN,
    b"\xd9\xa3 name\n": UNKNOWN,
    b"known_command \xff\n": b"= false\n\n",
    b"play b \xff4\n": MALFORMED,
    b"play b c\xd9\xa3\n": MALFORMED,
    b"play blac\xe2\x84\xaa c3\n": MALFORMED,
    b"boardsize \xd9\xa3\n": b"? boardsize not an integer\n\n",
    b"komi \xd9\xa3\n": b"? komi not a float\n\n",
    # checklist 12, 14: what is nearly a command.
    b"=\n": UNKNOWN,
}


# Sent between the lines above, to see what is answered to each of them.
MARK, MARK_ANSWER = b"77 known_command\n", b"=77 false\n\n"


@pytest.fixture(scope="module")
def answered() -> dict[bytes, bytes]:
    """What an engine writes for each of the lines."""
    output = talk(b"".join(line + MARK for line in LINES))
    return dict(zip(LINES, output.split(MARK_ANSWER), strict=False))


@pytest.mark.parametrize("line", LINES, ids=lambda line: repr(line[:30]))
def test_a_line_is_answered_by_these_bytes(line, answered):
    assert answered[line] == LINES[line]


# checklist 16, 17: the last line need not end; there need not be a line.
@pytest.mark.parametrize(
    ("text", "answer"),
    first_of(
        [
            (b"1 name\n7 nosuch", b"=1 Patchpie\n\n?7 unknown command\n\n"),
            (b"# name", SILENCE),
            (b"", SILENCE),
            (b"7 name\r", b"=7 Patchpie\n\n"),
            (b"  ", SILENCE),
        ],
        3,
    ),
)
def test_the_input_may_end_anywhere(text, answer):
    assert talk_here(text) == answer


# checklist 19: lines of an answer are separated by single line feeds.
def test_an_answer_of_several_lines_has_no_carriage_returns():
    sent = b"game-select robble 2\r\nplay b a1\r\n7 game-board\r\n"
    assert talk_here(sent) == b"=\n\n=\n\n=7 . .\nB .\n\n"


# Many lines --------------------------------------------------------------------------------


# checklist 15
def test_commands_in_one_write_are_answered_in_order():
    sent = b"1 name\n2 nosuch\n\n# 3 name\n4 clear_board\n5\n6 known_command name"
    assert talk_here(sent) == (b"=1 Patchpie\n\n?2 unknown command\n\n=4\n\n=6 true\n\n")


def test_a_command_may_come_in_pieces():
    with Engine() as engine:
        for code in b"7 known_command na":
            engine.write(bytes([code]))
            engine.until_taken()
        engine.write(b"me\n8 na")
        assert engine.read() == b"=7 true\n\n"
        engine.write(b"me\n")
        assert engine.read() == b"=8 Patchpie\n\n"


def test_ten_thousand_commands_are_answered_in_order():
    commands = b"".join(b"%d known_command name\n" % number for number in range(10_000))
    assert talk_here(commands) == b"".join(b"=%d true\n\n" % number for number in range(10_000))


def test_a_client_may_write_everything_before_it_reads():
    with Engine() as engine:
        engine.write(b"".join(b"%d list_commands\n" % number for number in range(3000)))
        engine.until_full()
        for number in range(3):
            assert engine.read().startswith(b"=%d boardsize\n" % number)


# What every answer keeps to ----------------------------------------------------------------

# Some turns of each game, so that there is something to show.
TURNS = {
    "implo": ["b b3", "w c2", "b a1"],
    "boloa": ["b pb3", "w sc2", "b b3"],
    "robble": ["b b3", "w c3", "b a1"],
    "pilo": ["b b3", "w c3", "b b3-c3"],
}


@pytest.mark.parametrize("game", first_of(TURNS))
def test_every_command_without_arguments_answers_in_clean_lines(game, commands):
    turns = [f"play {turn}" for turn in TURNS[game]]
    lines = [f"game-select {game} 4", "game-set visits 20"]
    for name in commands:
        lines += ["clear_board", *turns, name]
    received = answers_here("\n".join(lines).encode(), "--pie", "off")
    assert len(received) == len(lines)
    for line, answer in zip(lines, received, strict=True):
        assert answer == b"=" or line not in ("clear_board", *turns), line
        assert re.fullmatch(rb"[=?]( [!-~][ -~]*)?(\n[ -~]+)*", answer), line
        assert not re.search(rb" $", answer, re.MULTILINE), line


# checklist 62: whatever arguments come, there is one answer, and no crash.
@pytest.mark.parametrize(
    "word", first_of(["b x", "\udcff", "-1", "x", "999999999999", "/", "b " * 99], 2)
)
def test_every_command_bears_bad_arguments(word, commands):
    writing = {"printsgf", "gomill-savesgf"}  # of files
    lines = [f"{name} {word}" for name in commands if name not in writing]
    received = answers_here(
        "\n".join(["game-set visits 5", *lines]).encode(errors="surrogateescape")
    )
    assert len(received) == 1 + len(lines)
    assert not [answer for answer in received if b"internal" in answer]


# The end -----------------------------------------------------------------------------------


# checklist 26
@pytest.mark.parametrize("rest", first_of([b"2 name\n", b"genmove b\nquit\n", b"", b"2 nosuch"], 2))
def test_quit_is_answered_and_nothing_after_it(rest):
    assert talk_here(b"1 quit\n" + rest) == b"=1\n\n"


def test_a_command_before_quit_is_finished_first():
    chosen, gone = answers_here(b"game-set visits 20\ngenmove b\nquit\n")[1:]
    assert re.fullmatch(rb"= [A-H][1-8]", chosen)
    assert gone == b"="


SIGNALS = [signal.SIGTERM, signal.SIGINT]


def test_ctrl_c_ends_an_idle_engine():
    with Engine() as engine:
        assert engine.ask(b"name") == NAME
        engine.process.send_signal(signal.SIGINT)
        engine.ends_well()


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_ends_a_thinking_engine(number):
    with Engine(*LONG_THINKING) as engine:
        engine.think()
        engine.process.send_signal(number)
        engine.ends_well()
        assert engine.rest_of_output() == b""


@pytest.mark.parametrize("number", first_of(SIGNALS))
def test_a_signal_ends_an_engine_that_nobody_reads(number):
    with Engine() as engine:
        engine.write(b"list_commands\n" * 3000)
        engine.until_full()
        engine.process.send_signal(number)
        engine.ends_well()


def test_an_engine_whose_reader_left_ends():
    with Engine() as engine:
        assert engine.ask(b"name") == NAME
        engine.process.stdout.close()
        engine.ends_well()


def test_an_engine_whose_reader_left_while_it_was_writing_ends():
    with Engine() as engine:
        engine.write(b"list_commands\n" * 3000)
        engine.until_full()
        engine.process.stdout.close()
        engine.ends_well()


def test_a_thinking_engine_whose_reader_left_ends():
    with Engine(*LONG_THINKING) as engine:
        engine.think()
        engine.process.stdout.close()
        engine.ends_well()


def test_an_engine_whose_reader_leaves_with_quit_ends():
    with Engine() as engine:
        assert engine.ask(b"name") == NAME
        engine.write(b"quit\n")
        engine.process.stdout.close()
        engine.ends_well()


@pytest.mark.parametrize("closed", first_of([">&-", "<&- >&- 2>&-", "<&-", "<&- >&-"], 2))
def test_an_engine_without_its_streams_ends(closed):
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *ENGINE]
    done = subprocess.run(
        shell, input=b"name\n", capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_an_engine_whose_log_nobody_reads_answers():
    """The log has more than the pipe holds."""
    with Engine("--verbose") as engine:
        engine.write(b"play b z9\n" * 5000)
        for _ in range(5000):
            assert engine.read() == MALFORMED
        assert engine.ask(b"quit") == b"=\n\n"
        assert engine.process.wait(PATIENCE) == 0


@thorough  # it takes ten seconds
def test_an_engine_ends_with_its_input_though_nobody_reads():
    with Engine() as engine:
        engine.write(b"list_commands\n" * 3000)
        engine.until_full()
        engine.process.stdin.close()
        assert engine.process.wait(PATIENCE) == 2
        assert engine.rest_of_log().startswith(b"ERROR: answers are lost: ")


def test_an_engine_without_stderr_works():
    shell = ["sh", "-c", 'exec "$@" 2>&-', "sh", *ENGINE]
    sent = b"play b z9\n7 name\n"
    done = subprocess.run(shell, input=sent, capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (0, MALFORMED + b"=7 Patchpie\n\n")


# Long lines --------------------------------------------------------------------------------

LONG = {
    b"7 name " + TOO_LONG + b"\n": b"?7 line too long\n\n",
    TOO_LONG + b" # comment\n": b"? line too long\n\n",
    TOO_LONG + b"\r\n": b"? line too long\n\n",
    b"# " + TOO_LONG + b"\n": SILENCE,
    b"7 name # " + TOO_LONG + b"\n": b"=7 Patchpie\n\n",
    b'7 known_command "#' + TOO_LONG + b'"\n': b"?7 line too long\n\n",
    b'7 name "a # ' + TOO_LONG + b"\n": b"?7 line too long\n\n",
    b'7 name "a#b"' + TOO_LONG + b"\n": b"=7 Patchpie\n\n",
    b'7 name "a#b" #' + TOO_LONG + b"\n": b"=7 Patchpie\n\n",
    b'7 name # "#' + TOO_LONG + b"\n": b"=7 Patchpie\n\n",
    b"known_command ".ljust(LONGEST_LINE, b"x") + b"\n": b"= false\n\n",
    b"known_command ".ljust(LONGEST_LINE + 1, b"x") + b"\n": b"? line too long\n\n",
}


def test_a_long_line_has_one_answer():
    """What follows it is answered as ever."""
    following, after = b"8 name\n8 nosuch\n", b"=8 Patchpie\n\n?8 unknown command\n\n"
    with Engine() as engine:
        for line, answer in LONG.items():
            engine.write(line + following)
            expected = answer + after
            told = b"".join(engine.read() for _ in range(expected.count(b"\n\n")))
            assert told == expected, line[:20]


@pytest.mark.parametrize(
    ("line", "answer"),
    [(b"7 name " + TOO_LONG, b"?7 line too long\n\n"), (b"# " + TOO_LONG, SILENCE)],
    ids=["command", "comment"],
)
def test_a_long_line_at_the_end_has_one_answer(line, answer):
    assert talk_here(line) == answer


def test_a_huge_line_takes_no_memory():
    with Engine() as engine:
        engine.write(b"7 name ")
        for _ in range(50):
            engine.write(MEGABYTE)
        engine.write(b"\n8 name\n")
        assert engine.read() == b"?7 line too long\n\n"
        assert engine.read() == b"=8 Patchpie\n\n"
        status = Path(f"/proc/{engine.process.pid}/status")
        if status.exists():
            peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text())
            assert int(peak[1]) < 100_000


# Time --------------------------------------------------------------------------------------


def legal(engine: Engine) -> list[bytes]:
    return engine.ask(b"game-legal_turns").strip(b"=\n ").split()


def test_an_interrupt_ends_a_search_with_a_legal_turn():
    with Engine(*LONG_THINKING) as engine:
        turns = legal(engine)
        engine.think()
        engine.write(b"# interrupt\n")
        chosen = engine.read()
        assert chosen[2:-2] in turns
        assert engine.ask(b"game-history") == b"= 1 black " + chosen[2:]


def test_an_interrupt_ends_an_explanation_with_what_was_found():
    with Engine(*LONG_THINKING) as engine:
        engine.ask(b"game-explain 0.01")  # loads all that a search needs
        engine.write(b"game-explain 600\n")
        engine.until_works()
        engine.write(b"# interrupt\n")
        assert re.match(rb"= play \S+\n\w+ wins [0-9.]+%, \d+ visits, ", engine.read())
        assert engine.ask(b"game-history") == b"=\n\n"


# A client knows only what it has sent, not what the engine has come to.
def test_an_interrupt_means_the_last_command_sent():
    with Engine(*LONG_THINKING) as engine:
        turns = legal(engine)
        for before in (0, 1, 50):
            engine.write(b"clear_board\n" + b"name\n" * before + b"7 genmove b\n# interrupt\n")
            assert engine.read() == b"=\n\n"
            for _ in range(before):
                assert engine.read() == NAME
            assert engine.read()[3:-2] in turns


def test_an_interrupt_without_a_command_does_nothing():
    with Engine("--game", "robble", "--pie", "off", "--visits", "3000") as engine:
        assert engine.ask(b"name") == NAME
        engine.write(b"# interrupt\n")
        assert engine.ask(b"genmove b").startswith(b"= ")
        assert b" 3000 visits" in engine.ask(b"gomill-explain_last_move")


# checklist 53: no time left, or hardly any, is obeyed; checklist 31: time control survives a
# new game.
def test_the_clock_bounds_a_search():
    with Engine(*LONG_THINKING) as engine:
        for before in (
            ["time_left b 0 0"],
            ["time_settings 1 0 0", "time_left b 0 0"],
            ["time_settings 1 0 0", "boardsize 5", "clear_board"],
            ["time_settings 0 1 1", "clear_board"],
            ["kata-time_settings fischer-capped 0 1 1 -1", "clear_board"],
        ):
            for line in ("boardsize 19", "kata-time_settings none", *before):
                assert engine.ask(line.encode()) == b"=\n\n"
            assert engine.ask(b"genmove b").startswith(b"= ")


# checklist 49: no chance in reg_genmove.
def test_a_suggestion_is_always_the_same():
    sent = b"game-select implo 5\ngame-set visits 50\nplay b c3\nreg_genmove w\nreg_genmove w\n"
    first, second = answers_here(sent), answers_here(sent)
    assert first == second
    chosen, again = first[-2:]
    assert chosen == again
