"""The messages for a person at a terminal, beside the protocol."""

import os
import pty
import subprocess
import sys

from support.driver import Driver
from support.waiting import PATIENCE

ENGINE = [sys.executable, "-P", "-m", "gtp_engine", "--game", "boloa", "--size", "5"]


def told(*lines: str) -> list[str]:
    """What stderr says when the lines are typed at a terminal."""
    ours, theirs = pty.openpty()
    os.write(ours, "\n".join([*lines, "quit", ""]).encode())
    done = subprocess.run(ENGINE, stdin=theirs, capture_output=True, text=True, timeout=PATIENCE)
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0
    assert done.stdout.count("\n\n") == len(lines) + 1
    return done.stderr.splitlines()


def test_a_line_is_commented():
    comments = {
        "shwoboard": "no such command; did you mean showboard? (help says how to play)",
        "xyzzy": "no such command (help says how to play)",
        "play w c3": "B8: Black is to move",
        "play b zz": "zz is not a step of Boloa (game-legal_steps lists the steps)",
        "play b z9": "Z9 is not on the board: columns A to E, rows 1 to 5 (game-legal_steps lists "
        "the steps)",
        "play red c3": "red is not a color; say b or w",
        "play b c3": "To move: Black, C3 is selected, to choose: pC3 or sC3",
    }
    assert told(*comments) == [
        "Patchpie plays Boloa 5x5 and speaks GTP: type help to see how to play, quit to leave.",
        *comments.values(),
    ]


def test_what_is_complete_needs_no_comment():
    assert len(told("play b sc3", "showboard", "undo")) == 1


def test_what_help_proposes_works():
    drive = Driver("pilo", 6)
    first, *lines = drive("help").splitlines()
    assert first.startswith("Patchpie, Pilo 6x6.")
    for line in lines:
        command = line[2:].split("  ")[0]
        if not any(word.isupper() and len(word) > 2 for word in command.split()):
            drive("clear_board")
            assert drive.send("play b a1" if command == "undo" else command).success, command
    assert drive("help play") == drive("game-help play")
