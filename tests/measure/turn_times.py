"""`python tests measure.turn_times NAME=PROGRAM ...`: how punctual engines are on a busy machine.

Each engine plays with itself, with a time for each turn, while loops of Python compete for the
processors. Several engines, as of two checkouts, take their turns one after the other, so each
meets the same machine. A row tells of the turns of one engine on one board: how late the answer
was, the processor time it got, and how often its threads waited or were interrupted. On a machine
with P processors and L loops, an engine of one thread has a fair share of P / (L + 1) of a turn.

The program measures under a real-time priority if it may, so that it is not late itself.
"""

import argparse
import os
import random
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple

_LONGEST_PAUSE = 0.03  # seconds between two turns, for them to begin at any phase of the scheduler
_CHUNK = 2**16


class Turn(NamedTuple):
    """What a turn took, in seconds; `processor` is that of all threads."""

    wall: float
    processor: float


class Engine:
    """A running engine at the start of a game."""

    def __init__(self, program: str, options: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        command = [*shlex.split(program), *options]
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0)
        # The clock of a process, as clock_getcpuclockid(3) of Linux makes it.
        self._clock = (~self._process.pid << 3) | 2
        self.ask("name")

    def ask(self, line: str) -> str:
        """Send a command; returns the text of its answer."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(f"{line}\n".encode())
        text = b""
        while not text.endswith(b"\n\n"):
            piece = os.read(self._process.stdout.fileno(), _CHUNK)
            if not piece:
                raise EOFError(f"no answer to {line}")
            text += piece
        return text.decode().removeprefix("=").strip()

    def turn(self, color: str) -> Turn:
        """Have it choose a turn."""
        used, began = time.clock_gettime(self._clock), time.monotonic()
        self.ask(f"genmove {color}")
        wall = time.monotonic() - began
        return Turn(wall, time.clock_gettime(self._clock) - used)

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return not self.ask("final_score").startswith("?")

    def quit(self) -> tuple[int, int]:
        """End it; returns how often its threads waited, and how often they were interrupted."""
        self.ask("quit")
        _, _, used = os.wait4(self._process.pid, 0)
        return used.ru_nvcsw, used.ru_nivcsw


class Measured:
    """The turns of one engine on one board."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._turns: list[Turn] = []
        self._firsts: list[Turn] = []
        self._waits = self._interruptions = self._commands = 0

    def __len__(self) -> int:
        return len(self._turns)

    def add(self, turn: Turn, number: int) -> None:
        """Add a turn by its number in the game."""
        (self._turns if number else self._firsts).append(turn)

    def end(self, switches: tuple[int, int], turns: int) -> None:
        """Add what a whole game took, of so many turns."""
        self._waits += switches[0]
        self._interruptions += switches[1]
        self._commands += turns

    def cells(self) -> Iterator[str]:
        """The cells of its row."""
        late = sorted(1000 * (turn.wall - self._seconds) for turn in self._turns)
        yield str(len(late))
        for place in (0.5, 0.95, 1.0):
            yield f"{late[min(int(place * len(late)), len(late) - 1)]:.1f}"
        yield f"{max(1000 * (turn.wall - self._seconds) for turn in self._firsts):.1f}"
        yield f"{1000 * statistics.mean(turn.processor for turn in self._turns):.1f}"
        yield f"{self._waits / self._commands:.1f}"
        yield f"{self._interruptions / self._commands:.1f}"


HEAD = (
    "board", "engine", "turns", "late, median", "95 %", "worst", "first turn, worst",
    "processor", "waits", "interruptions",
)  # fmt: skip


def main() -> int:
    """Measure and print a table; times in milliseconds, the last two columns are per turn."""
    options = _parser().parse_args()
    programs = dict(each.split("=", 1) for each in options.engines)
    with suppress(AttributeError, PermissionError):
        policy = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
        os.sched_setscheduler(0, policy, os.sched_param(1))
    print(_row(HEAD) + "\n" + _row(["---"] * len(HEAD)))
    with _busy(options.loops):
        for board in options.boards.split(","):
            found = {name: Measured(options.seconds) for name in programs}
            while min(map(len, found.values())) < options.turns:
                _play(board, programs, options, found)
            for name, measured in found.items():
                print(_row([board, name, *measured.cells()]), flush=True)
    return 0


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


@contextmanager
def _busy(loops: int) -> Iterator[None]:
    """Processes that never rest."""
    command = [sys.executable, "-c", "while 1: pass"]
    running = [subprocess.Popen(command) for _ in range(loops)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def _play(
    board: str,
    programs: dict[str, str],
    options: argparse.Namespace,
    found: dict[str, Measured],
) -> None:
    """A game of each engine with itself, until one of them is over."""
    game, size = board.split(":")
    given = ["--game", game, "--size", size, "--seconds", str(options.seconds), "--pie", "off"]
    given += shlex.split(options.options)
    engines = {name: Engine(program, given) for name, program in programs.items()}
    number = 0
    while not any(engine.is_over() for engine in engines.values()):
        for name in random.sample(list(engines), len(engines)):
            time.sleep(random.random() * _LONGEST_PAUSE)
            found[name].add(engines[name].turn("bw"[number % 2]), number)
        number += 1
        if min(map(len, found.values())) >= options.turns:
            break
    for name, engine in engines.items():
        found[name].end(engine.quit(), number)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("engines", nargs="+", metavar="NAME=PROGRAM")
    parser.add_argument("--boards", default="implo:8,boloa:9,robble:7,pilo:8", metavar="GAME:N,...")
    parser.add_argument("--seconds", type=float, default=0.15, help="of a turn (default 0.15)")
    parser.add_argument("--turns", type=int, default=200, help="of each engine on each board")
    parser.add_argument("--loops", type=int, default=3, help="that compete (default 3)")
    parser.add_argument(
        "--options",
        default="--threads 1 --timing fixed",
        help="of the engines (default: --threads 1 --timing fixed)",
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
