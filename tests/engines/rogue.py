"""Our engine with a player of random turns, which misbehaves on demand.

    rogue.py FAULT [--game G] [--size S] [--seed N] ...

FAULT is one of those in faults.py, or one of the lies below, which need an engine that knows the
games. faults.py has the other options, too.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

# Run as a script, it is the first on the path that matters.
sys.path.insert(0, str(Path(__file__).parents[2]))

from faults import ALWAYS, MEBIBYTE, Command, Rogue, listed, run

from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.dispatch import answer
from gtp_engine.gtp.wire.inbox import TOO_LONG, split_lines
from gtp_engine.gtp.wire.line import parse_line
from gtp_engine.gtp.wire.loop import LINE_TOO_LONG
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules import find_game


class Ours:
    """Our engine.

    before -- the state of the session before the last command
    kept   -- memory that it never frees
    """

    def __init__(self, options: dict[str, str]) -> None:
        settings = Settings().change("player", "random").change("seed", options.get("--seed", "1"))
        game = find_game(options.get("--game", "robble"))
        self.session = Session(game, int(options.get("--size", 5)), settings)
        self.before = self.session.state
        self.kept: list[bytes] = []

    def lines(self) -> Iterator[str]:
        """What comes from stdin."""
        return split_lines(0)

    def answer(self, line: str) -> tuple[str, bool]:
        """See faults.Answering."""
        if line.endswith(TOO_LONG):
            command = parse_line(line)
            return str(Response(False, LINE_TOO_LONG, command.id if command else None)), False
        self.before = self.session.state
        reply = answer(registry(), self.session, line)
        return (str(reply.response), reply.quits) if reply else ("", False)


@listed(ALWAYS)
def wordy(rogue: Rogue, command: Command | None, text: str) -> str:
    """A reason is added to the words that clients compare."""
    return text.replace("illegal move", "illegal move: the point is taken")


@listed(ALWAYS)
def gullible(rogue: Rogue, command: Command | None, text: str) -> str:
    """Every turn is accepted, though not all of them are played."""
    return text.replace("?", "=").replace(" illegal move", "")


@listed(ALWAYS)
def half_done(rogue: Rogue, command: Command | None, text: str) -> str:
    """The first part of a word is played, though a later one is illegal."""
    if text.endswith(" illegal move\n\n") and "/" in command.arguments[-1]:
        word = command.arguments[-1].partition("/")[0]
        answer(registry(), rogue.engine.session, f"play {command.arguments[0]} {word}")
    return text


@listed(ALWAYS)
def wrong_score(rogue: Rogue, command: Command | None, text: str) -> str:
    """The loser wins."""
    other = {"B": "W", "W": "B"}
    return re.sub(r"(?<= )[BW](?=\+)", lambda match: other[match[0]], text)


@listed(ALWAYS)
def never_swapped(rogue: Rogue, command: Command | None, text: str) -> str:
    """Swaps are accepted, and taken back in secret."""
    if command is not None and command.arguments[-1:] == ("swap",):
        rogue.engine.session.state = rogue.engine.before
    return text


@listed(ALWAYS)
def drop_words(rogue: Rogue, command: Command | None, text: str) -> str:
    """The last word of a list is missing."""
    lists = ("game-legal_steps", "game-patches")
    if command is None or command.name not in lists or " " not in text:
        return text
    return text.rstrip("\n").rpartition(" ")[0] + "\n\n"


@listed(ALWAYS)
def know_all(rogue: Rogue, command: Command | None, text: str) -> str:
    """It knows every command that it is asked about, and gives a score at any time."""
    text = re.sub(r"^\?([0-9]*) cannot score", r"=\1 0", text)
    return text.replace(" false", " true")


@listed(ALWAYS)
def stubborn(rogue: Rogue, command: Command | None, text: str) -> str:
    """The positions that it is given do not matter to it."""
    if command is not None and command.name == "game-position" and command.arguments:
        rogue.engine.session.state = rogue.engine.before
    return text


@listed(ALWAYS)
def leak(rogue: Rogue, command: Command | None, text: str) -> str:
    """The board of each game costs a MiB, for ever."""
    if command is not None and command.name == "game-select":
        rogue.engine.kept.append(b"x" * MEBIBYTE)
    return text


@listed(ALWAYS)
def play_all(rogue: Rogue, command: Command | None, text: str) -> str:
    """What it is only asked about, it plays; and it forgets its komi with its stones."""
    if command is not None and command.name == "reg_genmove" and "?" not in text:
        turn = text.split()[-1]
        answer(registry(), rogue.engine.session, f"play {command.arguments[0]} {turn}")
    elif command is not None and command.name == "clear_board":
        answer(registry(), rogue.engine.session, "komi 0")
    return text


if __name__ == "__main__":
    run(Ours, sys.argv[1:])
