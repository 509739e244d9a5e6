"""What an engine can do wrong, whatever it plays: `robble.py` and `rogue.py` do it on demand.

    PROGRAM FAULT [--at N] [--games K] [--once FILE] [--seconds S] ...

Most faults happen at the N-th `genmove` of the K-th game (each `clear_board` begins a game), and
only while FILE does not exist. The engine then makes FILE. Without these options a fault happens at
the first `genmove` of every game. FAULT is the name of one of the functions below, with dashes. The
table that lists a function tells when its fault happens. The engine writes the result of the
function instead of the response.

Only the standard library is used, so that an engine starts at once.
"""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

LOG_LINES = 10**6
MEBIBYTE = 2**20
EATEN = 512 * MEBIBYTE


class Command(NamedTuple):
    """A command as it was sent; `id` is a number or empty."""

    id: str
    name: str
    arguments: tuple[str, ...]


_CONTROL = {code: None for code in (*range(32), 127) if code != ord("\t")}


def parse(line: str) -> Command | None:
    """The command on a line; None for a line without one."""
    words = line.partition("#")[0].translate(_CONTROL).split()
    number = words.pop(0) if words and words[0].isdigit() else ""
    return Command(number, words[0], tuple(words[1:])) if words else None


class Answering(Protocol):
    """The engine behind a rogue."""

    def lines(self) -> Iterator[str]:
        """What comes from stdin."""

    def answer(self, line: str) -> tuple[str, bool]:
        """The response, empty for a line without a command; and whether that was the last line."""


AT_START: dict[str, Callable[["Rogue"], None]] = {}
AT_GENMOVE: dict[str, Callable[["Rogue", str], str | bytes]] = {}
AT_QUIT: dict[str, Callable[["Rogue", str], str | bytes]] = {}
ALWAYS: dict[str, Callable[["Rogue", Command | None, str], str | bytes]] = {}


def listed(table: dict[str, Callable]) -> Callable[[Callable], Callable]:
    """Puts a function into a table, by its name."""

    def put(function: Callable) -> Callable:
        table[function.__name__.replace("_", "-")] = function
        return function

    return put


class Rogue:
    """An engine with a fault, and where it stands.

    options -- the words after FAULT, each `--name value`
    head    -- `=` with the id of the command
    """

    def __init__(self, engine: Answering, fault: str, options: dict[str, str]) -> None:
        assert any(fault in table for table in (AT_START, AT_GENMOVE, AT_QUIT, ALWAYS)), fault
        self.engine = engine
        self.options = options
        self.fault = fault
        self.game = 1
        self.turn = 0
        self.head = "="

    @property
    def seconds(self) -> float:
        """How long a slow turn takes."""
        return float(self.options.get("--seconds", 5.0))

    def run(self) -> None:
        """Answer until the end."""
        signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
        if self.fault in AT_START:
            AT_START[self.fault](self)
        for line in self.engine.lines():
            command = parse(line)
            text, last = self.engine.answer(line)
            say(self.said(command, text))
            if last:
                return

    def said(self, command: Command | None, text: str) -> str | bytes:
        """What is written in place of a response."""
        fault = self.fault
        if fault in ALWAYS:
            return ALWAYS[fault](self, command, text)
        if command is None:
            return text
        self.head = f"={command.id}"
        if command.name == "clear_board":
            self.game, self.turn = self.game + (self.turn > 0), 0
        self.turn += command.name == "genmove"
        if command.name == "genmove" and fault in AT_GENMOVE and self.due():
            return AT_GENMOVE[fault](self, text)
        if command.name == "quit" and fault in AT_QUIT:
            return AT_QUIT[fault](self, text)
        return text

    def due(self) -> bool:
        """Whether the fault happens in this turn."""
        at, games = int(self.options.get("--at", 1)), int(self.options.get("--games", 0))
        if self.turn != at or (games and self.game != games):
            return False
        if "--once" not in self.options:
            return True
        try:
            Path(self.options["--once"]).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def run(make: Callable[[dict[str, str]], Answering], words: list[str]) -> None:
    """The program: an engine made with the options, and its fault; `none` if none is named."""
    fault, *rest = words or ["none"]
    options = dict(zip(rest[::2], rest[1::2], strict=True))
    Rogue(make(options), fault, options).run()


def say(text: str | bytes) -> None:
    """Write at once, in as many parts as the pipe takes."""
    data = text.encode() if isinstance(text, str) else text
    while data:
        data = data[os.write(1, data) :]


def hang() -> None:
    """Do nothing until a signal ends this process, whatever happens to its pipes."""
    while True:
        signal.pause()


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
    hang()


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
    hang()
    return ""


@listed(AT_GENMOVE)
def half_line(rogue: Rogue, text: str) -> str:
    say(f"{rogue.head} C")
    hang()
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
        say(("hard " * 50 + "\n") * 200)


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
    fork()
    return text


@listed(AT_GENMOVE)
def fork_and_die(rogue: Rogue, text: str) -> str:
    """A child that holds the pipes, so that they do not end with the engine."""
    fork()
    os._exit(7)


def fork() -> None:
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        hang()
    print(f"rogue: child {child}", file=sys.stderr, flush=True)


@listed(AT_GENMOVE)
def eat_memory(rogue: Rogue, text: str) -> str:
    """In a child, the way an engine with workers would."""
    if os.fork() == 0:
        eaten = [b"x" * MEBIBYTE for _ in range(EATEN // MEBIBYTE)]
        hang()
        del eaten
    hang()
    return ""


@listed(AT_GENMOVE)
def illegal_turn(rogue: Rogue, text: str) -> str:
    """A point far off any of our boards."""
    return f"{rogue.head} Z25\n\n"


@listed(AT_GENMOVE)
def slow(rogue: Rogue, text: str) -> str:
    time.sleep(rogue.seconds)
    return text


@listed(AT_GENMOVE)
def stop_arena(rogue: Rogue, text: str) -> str:
    """Stop who started this engine, think meanwhile, and let it go on before the answer."""
    os.kill(arena(), signal.SIGSTOP)
    while any(state(thread) != "T" for thread in Path(f"/proc/{arena()}/task").iterdir()):
        time.sleep(0.001)  # on a busy machine its threads stop one after the other
    time.sleep(rogue.seconds)
    os.kill(arena(), signal.SIGCONT)
    return text


@listed(AT_GENMOVE)
def press_ctrl_z(rogue: Rogue, text: str) -> str:
    """Stop the arena like Ctrl-Z; this engine must be stopped, too, before it has thought."""
    os.kill(arena(), signal.SIGTSTP)
    time.sleep(rogue.seconds)
    return text


def arena() -> int:
    """The process that started our guard."""
    return int(stat(Path("/proc", str(os.getppid())))[1])


def state(folder: Path) -> str:
    """What a process or a thread does, by its folder in /proc: T if it is stopped."""
    return stat(folder)[0]


def stat(folder: Path) -> list[str]:
    """What its file `stat` tells after the name."""
    return (folder / "stat").read_text().rpartition(")")[2].split()


@listed(AT_GENMOVE)
def stop_reading(rogue: Rogue, text: str) -> str:
    say(text)
    hang()
    return ""


@listed(AT_GENMOVE)
def close_input(rogue: Rogue, text: str) -> str:
    os.close(0)
    say(text)
    hang()
    return ""


@listed(AT_GENMOVE)
def close_output(rogue: Rogue, text: str) -> str:
    os.close(1)
    hang()
    return ""


@listed(AT_QUIT)
def ignore_quit(rogue: Rogue, text: str) -> str:
    """Neither `quit` nor the end of input nor SIGTERM end it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()
    return ""


@listed(ALWAYS)
def no_ids(rogue: Rogue, command: Command | None, text: str) -> str:
    return re.sub(r"^([=?])[0-9]+", r"\1", text)


@listed(ALWAYS)
def answer_comments(rogue: Rogue, command: Command | None, text: str) -> str:
    return text or "=\n\n"


@listed(ALWAYS)
def timeless(rogue: Rogue, command: Command | None, text: str) -> str:
    """It has no command for clocks; with --seconds each turn takes so long."""
    clocks = "time_settings", "time_left"
    if command is None or command.name not in ("list_commands", "genmove", *clocks):
        return text
    if command.name in clocks:
        return f"?{command.id} unknown command\n\n"
    if command.name == "genmove":
        time.sleep(float(rogue.options.get("--seconds", 0)))
        return text
    return "\n".join(line for line in text.split("\n") if line not in clocks)


@listed(ALWAYS)
def blind(rogue: Rogue, command: Command | None, text: str) -> str:
    """It has no command that shows the board."""
    listing = command is not None and command.name == "list_commands"
    return text.replace("showboard\n", "") if listing else text


@listed(ALWAYS)
def blind_slip(rogue: Rogue, command: Command | None, text: str) -> str:
    """The same, and the stone of a refused `play` stays on the board of Robble."""
    if command is not None and command.name == "play" and text.startswith("?"):
        color, word, *_ = (*command.arguments, "", "")
        if square := rogue.engine.square(word):
            rogue.engine.stones[square] = color[:1].lower() or "b"
    return blind(rogue, command, text)


@listed(ALWAYS)
def tabs(rogue: Rogue, command: Command | None, text: str) -> str:
    return text.replace(" ", "\t")


@listed(ALWAYS)
def empty_lines(rogue: Rogue, command: Command | None, text: str) -> str:
    """Two lines of a response have an empty one between them."""
    return text.replace("\n", "\n\n", 1) if text.count("\n") > 2 else text
