"""A game at the terminal: lines in, sentences and boards out."""

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from gtp_engine.cli.engine import main
from gtp_engine.cli.play_input import completions
from gtp_engine.cli.play_words import hint_told
from gtp_engine.rules.notation.rule_text import rule_text
from support.engine_threads import engines_in_threads
from support.processes import children_of, is_gone, state_of
from support.starting import engine_command, rogue_command
from support.statuses import status_of
from support.waiting import PATIENCE, wait_until

PLAY = [sys.executable, "-P", "-m", "gtp_engine", "play"]
LONG = engine_command("--seconds", "1000", "--timing", "fixed")


@pytest.fixture(autouse=True)
def own_interrupt():
    """The program takes Ctrl-C for itself."""
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def typed(monkeypatch, capsys):
    """Types some lines, whose end is the end of input; gives what is said.

    Engines of ours run in threads.
    """

    def say(lines: str, *options: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        with engines_in_threads():
            status = status_of(main, ["play", *options])
        said = capsys.readouterr()
        assert (status, said.err) == (0, "")
        return said.out

    return say


def refused(capsys, *options: str) -> str:
    """What is said of options that are wrong."""
    with engines_in_threads():
        assert status_of(main, ["play", *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_the_rules_in_short_and_in_numbers(documented, typed):
    game = documented
    told = " ".join(typed("rules\n", "--game", game.name, "--size", "4").split())
    short = rule_text(game).short
    assert short
    assert all(text in told for text in short)
    assert f"{game.citations.turns}. " in told


def test_two_people_at_one_board(typed):
    lines = "C3\nC3\nwhy A1\nA1\nA1\nundo\nhlep\nhlep me\nresign\n"
    told = typed(lines, "--game", "implo", "--size", "3", "--color", "both")
    assert (
        told
        == """\
Implo. You play both colors. Type a turn, or help.

Implo 3x3
    A   B   C
 3  .   .   .  3
 2  .   .   .  2
 1  .   .   .  1
    A   B   C
Pieces: B Black stone, W White stone, b Black marker, w White marker
Black is to move. Place a stone.
1. Black plays C3.
   Black puts a stone on C3. (I16)

Implo 3x3
    A   B   C
 3  .   .  (B) 3
 2  .   .   .  2
 1  .   .   .  1
    A   B   C
Turn 1: Black C3
Pieces: B Black stone, W White stone, b Black marker, w White marker
White is to move. Place a stone.
   swap: The black stone on C3 becomes White's, then Black is to move.
C3 holds a piece. To swap, type swap.
A1 is legal.
2. White plays A1.
   White puts a stone on A1. (I16)

Implo 3x3
    A   B   C
 3  .   .   B  3
 2  .   .   .  2
 1 (W)  .   .  1
    A   B   C
Turn 2: White A1
Pieces: B Black stone, W White stone, b Black marker, w White marker
Black is to move. Place a stone.
A1 is not empty. (I16)

Implo 3x3
    A   B   C
 3  .   .  (B) 3
 2  .   .   .  2
 1  .   .   .  1
    A   B   C
Turn 1: Black C3
Pieces: B Black stone, W White stone, b Black marker, w White marker
White is to move. Place a stone.
   swap: The black stone on C3 becomes White's, then Black is to move.
No command or turn hlep; did you mean help? (help lists them).
No command hlep; did you mean help? (help lists them).
2. White resigned.

Implo 3x3
    A   B   C
 3  .   .   B  3
 2  .   .   .  2
 1  .   .   .  1
    A   B   C
Turn 2: White resign
Pieces: B Black stone, W White stone, b Black marker, w White marker
The game is over. Black wins. White resigned.
"""
    )


def test_words_for_everything(typed):
    lines = "B2\nboard\nturns\nswap\nA1\nundo\n"
    told = typed(lines, "--game", "robble", "--size", "2", "--color", "both", "--spoken")
    assert told.startswith(
        "Robble. You play both colors. Type a turn, or help.\n"
        "Robble, 2 by 2.\n"
        "The board is empty.\n"
    )
    assert "Black stone: B2.\n" in told
    # What is another board than was told last is told as a whole.
    assert told.count("White stone: B2.\n") == 2
    assert "  A  " not in told
    assert "   A1: A stone on A1." in told


def test_a_point_that_means_several_steps_is_asked_about(typed):
    told = typed("B2\npB2\n", "--game", "boloa", "--size", "3", "--color", "both")
    asked, _, played = told.partition("1. Black plays pB2.\n")
    assert asked.endswith(
        "B2 is only a point: say what to play there. (B8)\n"
        "   Instead pB2: A pawn on B2.\n"
        "   Instead sB2: A stone on the empty point B2.\n"
    )
    assert "White is to move." in played


def test_what_was_asked_about_leaves_nothing_to_undo(typed):
    lines = "B2\npB2\nundo\nundo\n"
    told = typed(lines, "--game", "boloa", "--size", "3", "--color", "both")
    _, _, after = told.partition("1. Black plays pB2.\n")
    assert after.count("Black is to move. Place a pawn or place a stone.\n") == 1
    assert after.endswith("This is the start of the game.\n")


def test_an_example_of_a_turn_is_legal(typed):
    for game in ("boloa", "pilo"):
        here = "--game", game, "--size", "3", "--color", "both"
        told = typed("help\nwhy\n", *here)
        (shown,) = re.findall(r"Type a turn such as (\S+), or", told)
        (asked,) = re.findall(r"Ask about one turn: why (\S+)\.", told)
        assert f"{shown} is legal." in typed(
            f"why {asked}\n", "--game", game, "--size", "3", "--color", "both"
        )


def test_a_hint_tells_a_turn_and_why():
    assert hint_told({"word": "D4", "lines": ["and why"]}) == ["Play D4.", "   and why"]
    assert hint_told({"word": None, "lines": ["no hint"]}) == ["   no hint"]


def test_a_handicap_of_the_first_game(typed, capsys):
    told = typed("", "--game", "pilo", "--size", "5", "--color", "both", "--handicap", "2")
    assert told.count("B1") >= 3 and "Orange is to move." in told
    complaint = refused(capsys, "--game", "boloa", "--handicap", "1")
    assert complaint == "gtp-engine play: Boloa has no handicap.\n"


def test_an_adaptive_engine_begins_low_and_follows_the_results(typed):
    told = typed(
        "level first month\nlevel adaptive\nresign\nnew\n", "--game", "implo", "--size", "4"
    )
    assert told.startswith("Implo. You play Black, Patchpie (adaptive level, now First game) plays")
    assert "Patchpie (level 6, First month) plays White." in told
    assert "Patchpie plays the next game at the level First game." in told
    named = typed("", "--game", "implo", "--size", "4", "--level", "first-week")
    assert "Patchpie (level 5, First week)" in named


def test_a_whole_game_ends_with_the_result_and_its_rule(typed):
    told = typed("", "--game", "boloa", "--size", "3", "--level", "1", "--color", "none")
    last = told.strip().splitlines()[-1]
    assert last.startswith("The game is over. ") and last.endswith("(B16)")
    assert told.count(" plays ") > 4


def test_an_engine_answers_and_a_file_keeps_the_game(tmp_path, typed):
    path = tmp_path / "my game.sgf"
    lines = (
        f"C3\nsave {path}\nnew\nopen {path}\nboard\nlevel first day\nopen nothing\nsave /\nhint\n"
    )
    told = typed(lines, "--game", "implo", "--size", "5", "--level", "1")
    assert "You play Black, Patchpie (level 1, First game) plays White." in told
    assert "2. White plays " in told or "2. White swaps." in told
    assert f"The game is saved in {path}." in told
    assert "Patchpie (level 4, First day)" in told
    assert "nothing does not exist" in told
    assert "The file cannot be written: " in told
    assert "\nPlay " in told
    assert path.read_text().startswith("(;FF[4]")


def test_what_is_not_understood_loses_nothing(typed):
    lines = (
        "A1 B1\ncolor green\nlevel 99\nnew chess\nsave\nswap\nwhy\nredo\nturns 1\n\n\x00\x1b[A\n"
    )
    told = typed(lines, "--game", "boloa", "--size", "2", "--color", "both")
    for sentence in (
        "No command A1 (help lists them).",
        "Your color can be black, white, both or none, not green.",
        "The levels are adaptive, 1 first-game, ",
        "The games are boloa, ",
        "Name a file.",
        "A swap is not possible now.",
        "Ask about one turn: why ",
        "There is no turn to play again here.",
        "   pA1: A pawn on A1.",
        "No command or turn [A (help lists them).",
    ):
        assert sentence in told


def test_an_engine_that_fails_is_told_and_restarted(tmp_path, typed):
    once = str(tmp_path / "once")
    engine = rogue_command("illegal-turn", "--once", once)
    told = typed(
        "C3\nrestart\n", "--game", "robble", "--size", "5", "--engine", engine, "--level", "3"
    )
    assert "Engine plays an illegal turn for White: to `genmove white` it answered `= Z25`." in told
    assert "Engine is to move, but paused: type go to let it play." in told
    assert "2. White " in told


@pytest.mark.parametrize(
    "options, words",
    [
        (("--game", "chess"), "There is no game 'chess' here"),
        (("--color", "green"), "not green"),
        (("--size", "x"), "expected integer 1..1000, got: x"),
        (("--game", "implo", "--size", "99"), "The size of the board must be from 2 to 19"),
    ],
)
def test_wrong_options(options, words, capsys):
    assert words in refused(capsys, *options)


def test_completion():
    words = ["sA1", "sA2", "pA1", "swap", "swap", "save"]
    assert completions("S", words) == ["sA1", "sA2", "swap", "save"]
    assert completions("sa", words) == ["sA1", "sA2", "save"]
    assert completions("C4/pa", words) == ["C4/pA1"]
    assert completions("x", words) == []


class Terminal:
    """The program at a terminal of its own."""

    def __init__(self, *options: str) -> None:
        self.ours, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "dumb"}
        self.process = subprocess.Popen(
            [*PLAY, *options],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            preexec_fn=lambda: _take_terminal(theirs),
        )
        os.close(theirs)
        self.text = ""

    def write(self, text: str) -> None:
        os.write(self.ours, text.encode())

    def until(self, words: str) -> None:
        """Wait for some words behind those that were found last."""
        end = time.monotonic() + PATIENCE
        while words not in self.text:
            left = max(0.0, end - time.monotonic())
            assert select.select([self.ours], [], [], left)[0], self.text
            self.text += os.read(self.ours, 2**16).decode()
        self.text = self.text.partition(words)[2]

    def end(self) -> int:
        """The exit status, once what it still says is read."""
        with suppress(OSError):  # the terminal has ended
            while select.select([self.ours], [], [], PATIENCE)[0] and os.read(self.ours, 2**16):
                pass
        os.close(self.ours)
        return self.process.wait(PATIENCE)


def _take_terminal(descriptor: int) -> None:
    """Make a terminal that of this process, so that Ctrl-C typed there reaches it.

    A suite that a script runs in the background ignores Ctrl-C, and its processes would, too.
    """
    import fcntl
    import termios

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.setsid()
    fcntl.ioctl(descriptor, termios.TIOCSCTTY, 0)


def test_a_tab_completes_and_the_end_of_input_leaves():
    pytest.importorskip("readline")
    terminal = Terminal("--game", "boloa", "--size", "2", "--color", "both")
    terminal.until("\n> ")
    terminal.write("tur\t\n")
    terminal.until("turns")
    terminal.until("pA1: A pawn on A1.")
    terminal.until("> ")
    terminal.write("p\t\t")
    for word in ("pA1", "pA2", "pB1", "pB2"):
        terminal.until(word)
    terminal.write("b2\n")
    terminal.until("1. Black plays pB2.")
    terminal.until("> ")
    terminal.write("\x04")
    assert terminal.end() == 0


def thinking(tmp_path: Path) -> Terminal:
    """A game in which an engine thinks for long, as soon as its own words come."""
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]GAME[implo]SZ[6]PIE[off];B[C3];W[D4];B[A1])")
    terminal = Terminal("--game", "implo", "--engine", LONG)
    terminal.until("\n> ")
    terminal.write(f"open {path}\n")
    terminal.until("paused: type go to let it play.")
    terminal.until("> ")
    terminal.write("go\n")
    terminal.until("Engine is thinking")
    return terminal


def test_an_interrupt_lets_the_engine_play_and_a_second_one_leaves(tmp_path):
    terminal = thinking(tmp_path)
    terminal.write("\x03")
    terminal.until("It answers now")
    terminal.until("4. White ")
    terminal.until("> ")
    # Readline overlooks a Ctrl-C between its prompt and its wait for keys.
    wait_until(lambda: state_of(terminal.process.pid) == "S", "a program that waits for keys")
    terminal.write("\x03")
    assert terminal.end() == 0


def test_no_program_of_ours_is_left_behind(tmp_path):
    """Also when we are killed: an engine that thinks hears the end of its input."""
    terminal = thinking(tmp_path)
    children = children_of(terminal.process.pid)
    assert len(children) == 2
    terminal.process.kill()
    terminal.end()
    wait_until(lambda: all(map(is_gone, children)), "programs that end")
