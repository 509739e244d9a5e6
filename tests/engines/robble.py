"""A small engine that plays random turns of Robble, and misbehaves on demand.

    robble.py [FAULT] [--seed N] ...

It is no engine of ours and uses the standard library alone, so it starts in a tenth of the time.
faults.py has the faults and the other options; without a FAULT it does nothing wrong.
"""

import random
import sys
from collections.abc import Iterator

from faults import Command, parse, run

COLORS = {"b": "b", "black": "b", "w": "w", "white": "w"}
OTHER = {"b": "w", "w": "b"}
COLUMNS = "ABCDEFGHJKLMNOPQRST"
SWAPS = {"swap": "pieces", "swap-sides": "sides"}

Square = tuple[int, int]


class Refused(Exception):
    """A command fails; the text is the response."""


class Robble:
    """The engine.

    stones -- the colors on the squares: (column, row) from 0
    past   -- the stones and the color to move before each turn
    """

    def __init__(self, options: dict[str, str]) -> None:
        self.dice = random.Random(options.get("--seed", "1"))
        self.size, self.pie = 5, "pieces"
        self.clear_board()

    def lines(self) -> Iterator[str]:
        """What comes from stdin."""
        return (line.decode("latin-1") for line in iter(sys.stdin.buffer.readline, b""))

    def answer(self, line: str) -> tuple[str, bool]:
        """See faults.Answering."""
        command = parse(line)
        if command is None:
            return "", False
        try:
            sign, text = "=", self.obey(command)
        except Refused as error:
            sign, text = "?", str(error)
        return f"{sign}{command.id} {text}".rstrip() + "\n\n", command.name == "quit"

    def obey(self, command: Command) -> str:
        """The text of a response."""
        if command.name not in COMMANDS:
            raise Refused("unknown command")
        try:
            return COMMANDS[command.name](self, *command.arguments)
        except TypeError:
            raise Refused("syntax error") from None

    def clear_board(self) -> str:
        self.stones: dict[Square, str] = {}
        self.to_move = "b"
        self.past: list[tuple[dict[Square, str], str]] = []
        return ""

    def boardsize(self, size: str) -> str:
        if not size.isdigit() or not 2 <= int(size) <= len(COLUMNS):
            raise Refused("unacceptable size")
        self.size = int(size)
        return self.clear_board()

    def choose_pie(self, pie: str) -> str:
        if pie not in (*SWAPS.values(), "off"):
            raise Refused("unknown form of the pie rule")
        self.pie = pie
        return ""

    def set(self, name: str, value: str) -> str:
        if name != "seed":
            raise Refused("unknown setting")
        self.dice.seed(value)
        return ""

    def play(self, color: str = "", word: str = "") -> str:
        color, word = COLORS.get(color.lower(), ""), word.lower()
        square = self.square(word)
        if not color or not (square or word in SWAPS):
            raise Refused("invalid color or coordinate")
        if color != self.to_move or square in self.stones or not (square or self.swaps(word)):
            raise Refused("illegal move")
        self.past.append((dict(self.stones), self.to_move))
        if square:
            self.put(square)
        elif word == "swap":
            self.stones = {square: OTHER[owner] for square, owner in self.stones.items()}
            self.to_move = OTHER[color]
        return ""

    def put(self, square: Square) -> None:
        """A stone pushes its neighbors; what has a stone behind it changes its color."""
        before = dict(self.stones)
        self.stones[square] = self.to_move
        for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            near = square[0] + right, square[1] + up
            behind = near[0] + right, near[1] + up
            if near in before and behind in before:
                self.stones[near] = OTHER[before[near]]
            elif near in before:
                del self.stones[near]
                if all(0 <= place < self.size for place in behind):
                    self.stones[behind] = before[near]
        self.to_move = OTHER[self.to_move]

    def square(self, word: str) -> Square | None:
        """The square that a word names; None for other words."""
        column, row = COLUMNS.find(word[:1].upper()) if word else -1, word[1:]
        if not 0 <= column < self.size or not row.isdigit() or not 1 <= int(row) <= self.size:
            return None
        return column, int(row) - 1

    def genmove(self, color: str = "") -> str:
        if color.lower() not in COLORS:
            raise Refused("invalid color")
        if COLORS[color.lower()] != self.to_move:
            raise Refused("illegal move")
        every = [(column, row) for column in range(self.size) for row in range(self.size)]
        free = [square for square in every if square not in self.stones]
        if not free:
            return "pass"
        words = [f"{COLUMNS[column]}{row + 1}" for column, row in free]
        words += [word for word in SWAPS if self.swaps(word)]
        word = self.dice.choice(words)
        self.play(color, word)
        return word

    def swaps(self, word: str) -> bool:
        """Whether a word is the swap that the color to move may use."""
        return SWAPS.get(word) == self.pie and (self.to_move, len(self.past)) == ("w", 1)

    def time_left(self, color: str = "", *left: str) -> str:
        if color.lower() not in COLORS:
            raise Refused("invalid color")
        return of_numbers("time and stones not two numbers", *left, count=2)

    def undo(self) -> str:
        if not self.past:
            raise Refused("cannot undo")
        self.stones, self.to_move = self.past.pop()
        return ""

    def showboard(self) -> str:
        rows = (
            "".join(self.stones.get((column, row), ".") for column in range(self.size))
            for row in reversed(range(self.size))
        )
        return "\n".join([f"{self.to_move} to move", *rows])


def of_numbers(refusal: str, *words: str, count: int = 1) -> str:
    """Accept so many numbers, and nothing else."""
    try:
        if len([float(word) for word in words]) != count:
            raise ValueError
    except ValueError:
        raise Refused(refusal) from None
    return ""


def known(engine: Robble, name: str = "") -> str:
    return str(name in COMMANDS).lower()


COMMANDS = {
    "protocol_version": lambda engine: "2",
    "name": lambda engine: "Small Robble",
    "version": lambda engine: "1",
    "known_command": known,
    "list_commands": lambda engine: "\n".join(COMMANDS),
    "quit": lambda engine: "",
    "boardsize": Robble.boardsize,
    "clear_board": Robble.clear_board,
    "komi": lambda engine, komi: of_numbers("komi not a float", komi),
    "play": Robble.play,
    "genmove": Robble.genmove,
    "undo": Robble.undo,
    "showboard": Robble.showboard,
    "time_settings": lambda engine, *times: of_numbers("not three numbers", *times, count=3),
    "time_left": Robble.time_left,
    "game-pie": Robble.choose_pie,
    "game-set": Robble.set,
}

if __name__ == "__main__":
    run(Robble, sys.argv[1:])
