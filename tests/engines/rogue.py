"""An engine that misbehaves on demand; otherwise our own, with a player of random turns.

    rogue.py FAULT [--at N] [--games K] [--once FILE] [--game G] [--size S] [--seed N] ...

Most faults happen at the N-th `genmove` of the K-th game (each `clear_board` begins a game), and
only while FILE does not exist. The engine then makes FILE. Without these options a fault happens at
the first `genmove` of every game. FAULT is the name of one of the functions below, with dashes. The
table that lists a function tells when its fault happens. The engine writes the result of the
function instead of the response.
"""

import argparse
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

# Run as a script, it is the first on the path that matters.
sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from gtp_engine.commands import registry
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings
from gtp_engine.gtp.dispatch import answer
from gtp_engine.gtp.inbox import TOO_LONG, split_lines
from gtp_engine.gtp.line import CommandLine, parse_line
from gtp_engine.gtp.loop import LINE_TOO_LONG
from gtp_engine.gtp.response import Response
from gtp_engine.rules import find_game

LOG_LINES = 10**6
GIBIBYTE = 2**30
MEBIBYTE = 2**20

AT_START: dict[str, Callable[["Rogue"], None]] = {}
AT_GENMOVE: dict[str, Callable[["Rogue", str], str | bytes]] = {}
AT_QUIT: dict[str, Callable[["Rogue", str], str | bytes]] = {}
ALWAYS: dict[str, Callable[["Rogue", CommandLine | None, str], str | bytes]] = {}


def listed(table: dict[str, Callable]) -> Callable[[Callable], Callable]:
    def put(function: Callable) -> Callable:
        table[function.__name__.replace("_", "-")] = function
        return function

    return put


class Rogue:
    """The engine, and where it stands.

    head   -- `=` with the id of the command
    before -- the state of the session before the command
    kept   -- memory that it never frees
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        settings = Settings().change("player", "random").change("seed", str(options.seed))
        self.session = Session(find_game(options.game), options.size, settings)
        self.before = self.session.state
        self.kept: list[bytes] = []
        self.game = 1
        self.turn = 0
        self.head = "="

    def run(self) -> None:
        fault = self.options.fault
        if fault in AT_START:
            AT_START[fault](self)
        for line in split_lines(0):
            command = parse_line(line)
            if line.endswith(TOO_LONG):
                say(str(Response(False, LINE_TOO_LONG, command.id)))
                continue
            self.before = self.session.state
            reply = answer(registry(), self.session, line)
            say(self.said(command, str(reply.response) if reply else ""))
            if reply and reply.quits:
                return

    def said(self, command: CommandLine | None, text: str) -> str | bytes:
        """What is written in place of a response."""
        fault = self.options.fault
        if fault in ALWAYS:
            return ALWAYS[fault](self, command, text)
        if command is None:
            return text
        self.head = f"={'' if command.id is None else command.id}"
        if command.name == "clear_board":
            self.game, self.turn = self.game + (self.turn > 0), 0
        self.turn += command.name == "genmove"
        if command.name == "genmove" and fault in AT_GENMOVE and self.due():
            return AT_GENMOVE[fault](self, text)
        if command.name == "quit" and fault in AT_QUIT:
            return AT_QUIT[fault](self, text)
        return text

    def due(self) -> bool:
        options = self.options
        if self.turn != options.at or (options.games and self.game != options.games):
            return False
        if options.once is None:
            return True
        try:
            options.once.touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def say(text: str | bytes) -> None:
    data = text.encode() if isinstance(text, str) else text
    while data:
        data = data[os.write(1, data) :]


def sleep_forever() -> None:
    while True:
        time.sleep(1000)


@listed(AT_START)
def none(rogue: Rogue) -> None:
    """No fault at all."""


@listed(AT_START)
def crash_at_start(rogue: Rogue) -> None:
    print("rogue: cannot read the weights", file=sys.stderr)
    sys.exit(3)


@listed(AT_START)
def hang_at_start(rogue: Rogue) -> None:
    print("rogue: compiling for ever", file=sys.stderr, flush=True)
    sleep_forever()


@listed(AT_START)
def banner(rogue: Rogue) -> None:
    """A word of welcome that no command asked for."""
    say("Welcome to Rogue 1.0\n")


@listed(AT_GENMOVE)
def die(rogue: Rogue, text: str) -> str:
    print("rogue: segmentation fault or so", file=sys.stderr)
    os._exit(7)


@listed(AT_GENMOVE)
def die_mid_word(rogue: Rogue, text: str) -> str:
    say(f"{rogue.head} C")
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


@listed(AT_GENMOVE)
def garbage(rogue: Rogue, text: str) -> bytes:
    """Text that is no response, with bytes that are no UTF-8."""
    return b"thinking \xff\xfe\x00 hard\n\n"


@listed(AT_GENMOVE)
def silent(rogue: Rogue, text: str) -> str:
    sleep_forever()
    return ""


@listed(AT_GENMOVE)
def half_line(rogue: Rogue, text: str) -> str:
    say(f"{rogue.head} C")
    sleep_forever()
    return ""


@listed(AT_GENMOVE)
def answer_twice(rogue: Rogue, text: str) -> str:
    return text + text


@listed(AT_GENMOVE)
def wrong_id(rogue: Rogue, text: str) -> str:
    return text.replace(rogue.head, "=4711", 1)


@listed(AT_GENMOVE)
def endless_lines(rogue: Rogue, text: str) -> str:
    say(f"{rogue.head} thinking\n")
    while True:
        say("hard\n" * 10_000)


@listed(AT_GENMOVE)
def endless_line(rogue: Rogue, text: str) -> str:
    say(f"{rogue.head} thinking ")
    while True:
        say("hard " * 10_000)


@listed(AT_GENMOVE)
def flood_stderr(rogue: Rogue, text: str) -> str:
    """A million lines of log, and then the answer."""
    for start in range(0, LOG_LINES, 10_000):
        os.write(2, b"".join(b"line %d of my log\n" % n for n in range(start, start + 10_000)))
    return text


@listed(AT_GENMOVE)
def fork_child(rogue: Rogue, text: str) -> str:
    """A child that holds the pipes; the engine plays on."""
    fork(rogue)
    return text


@listed(AT_GENMOVE)
def fork_and_die(rogue: Rogue, text: str) -> str:
    """A child that holds the pipes, so that they do not end with the engine."""
    fork(rogue)
    os._exit(7)


def fork(rogue: Rogue) -> None:
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sleep_forever()
    print(f"rogue: child {child}", file=sys.stderr, flush=True)


@listed(AT_GENMOVE)
def eat_memory(rogue: Rogue, text: str) -> str:
    """At most a GiB, in a child, the way an engine with workers would."""
    if os.fork() == 0:
        eaten = []
        while len(eaten) * 16 * MEBIBYTE < GIBIBYTE:
            eaten.append(b"x" * (16 * MEBIBYTE))
            time.sleep(0.005)
        sleep_forever()
    sleep_forever()
    return ""


@listed(AT_GENMOVE)
def illegal_turn(rogue: Rogue, text: str) -> str:
    """A point far off any of our boards."""
    return f"{rogue.head} Z25\n\n"


@listed(AT_GENMOVE)
def slow(rogue: Rogue, text: str) -> str:
    time.sleep(rogue.options.seconds)
    return text


@listed(AT_GENMOVE)
def stop_arena(rogue: Rogue, text: str) -> str:
    """Stop who started this engine, think meanwhile, and let it go on before the answer."""
    os.kill(arena(), signal.SIGSTOP)
    time.sleep(rogue.options.seconds)
    os.kill(arena(), signal.SIGCONT)
    return text


@listed(AT_GENMOVE)
def press_ctrl_z(rogue: Rogue, text: str) -> str:
    """Stop the arena like Ctrl-Z; this engine must be stopped, too, before it has thought."""
    os.kill(arena(), signal.SIGTSTP)
    time.sleep(rogue.options.seconds)
    return text


def arena() -> int:
    """The process that started our guard."""
    guard = Path(f"/proc/{os.getppid()}/stat").read_text()
    return int(guard.rpartition(")")[2].split()[1])


@listed(AT_GENMOVE)
def stop_reading(rogue: Rogue, text: str) -> str:
    say(text)
    sleep_forever()
    return ""


@listed(AT_GENMOVE)
def close_input(rogue: Rogue, text: str) -> str:
    os.close(0)
    say(text)
    sleep_forever()
    return ""


@listed(AT_GENMOVE)
def close_output(rogue: Rogue, text: str) -> str:
    os.close(1)
    sleep_forever()
    return ""


@listed(AT_QUIT)
def ignore_quit(rogue: Rogue, text: str) -> str:
    """Neither `quit` nor the end of input nor SIGTERM end it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sleep_forever()
    return ""


@listed(ALWAYS)
def no_ids(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    return re.sub(r"^([=?])[0-9]+", r"\1", text)


@listed(ALWAYS)
def answer_comments(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    return text or "=\n\n"


@listed(ALWAYS)
def tabs(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    return text.replace(" ", "\t")


@listed(ALWAYS)
def empty_lines(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """Two lines of a response have an empty one between them."""
    return text.replace("\n", "\n\n", 1) if text.count("\n") > 2 else text


@listed(ALWAYS)
def wordy(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """A reason is added to the words that clients compare."""
    return text.replace("illegal move", "illegal move: the point is taken")


@listed(ALWAYS)
def gullible(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """Every turn is accepted, though not all of them are played."""
    return text.replace("?", "=").replace(" illegal move", "")


@listed(ALWAYS)
def half_done(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """The first part of a word is played, though a later one is illegal."""
    if text.endswith(" illegal move\n\n") and "/" in command.arguments[-1]:
        word = command.arguments[-1].partition("/")[0]
        answer(registry(), rogue.session, f"play {command.arguments[0]} {word}")
    return text


@listed(ALWAYS)
def wrong_score(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """The loser wins."""
    other = {"B": "W", "W": "B"}
    return re.sub(r"(?<= )[BW](?=\+)", lambda match: other[match[0]], text)


@listed(ALWAYS)
def never_swapped(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """Swaps are accepted, and taken back in secret."""
    if command is not None and command.arguments[-1:] == ("swap",):
        rogue.session.state = rogue.before
    return text


@listed(ALWAYS)
def drop_words(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """The last word of a list is missing."""
    lists = ("game-legal_steps", "game-patches")
    if command is None or command.name not in lists or " " not in text:
        return text
    return text.rstrip("\n").rpartition(" ")[0] + "\n\n"


@listed(ALWAYS)
def know_all(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """It knows every command that it is asked about, and gives a score at any time."""
    text = re.sub(r"^\?([0-9]*) cannot score", r"=\1 0", text)
    return text.replace(" false", " true")


@listed(ALWAYS)
def stubborn(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """The positions that it is given do not matter to it."""
    if command is not None and command.name == "game-position" and command.arguments:
        rogue.session.state = rogue.before
    return text


@listed(ALWAYS)
def leak(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """The board of each game costs a MiB, for ever."""
    if command is not None and command.name == "game-select":
        rogue.kept.append(b"x" * MEBIBYTE)
    return text


@listed(ALWAYS)
def play_all(rogue: Rogue, command: CommandLine | None, text: str) -> str:
    """What it is only asked about, it plays; and it forgets its komi with its stones."""
    if command is not None and command.name == "reg_genmove" and "?" not in text:
        turn = text.split()[-1]
        answer(registry(), rogue.session, f"play {command.arguments[0]} {turn}")
    elif command is not None and command.name == "clear_board":
        answer(registry(), rogue.session, "komi 0")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("fault", choices=[*AT_START, *AT_GENMOVE, *AT_QUIT, *ALWAYS])
    parser.add_argument("--at", type=int, default=1, help="which genmove of a game")
    parser.add_argument("--games", type=int, default=0, help="which game; 0 for every game")
    parser.add_argument("--once", type=Path, help="a file that says that it happened")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long a slow turn takes")
    parser.add_argument("--game", default="robble")
    parser.add_argument("--size", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
    Rogue(parser.parse_args()).run()


if __name__ == "__main__":
    main()
