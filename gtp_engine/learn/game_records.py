"""Records of games for learning, and their files.

A record has a game's steps, its result, and what full searches found.
"""

import json
import re
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.base.files import append_line, replacing
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.step import Pie

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

# One game in this many is held out: its samples measure the net and do not train it.
_HELD_OUT_ONE_IN = 25

_NUMBER = re.compile(rb'"number":([0-9]{1,18})\b')


class SearchedPosition(NamedTuple):
    """The result of a full search.

    after  -- the number of steps before the position
    value  -- the chance that BLACK wins
    proven -- the exact value; None if unknown
    visits -- the visits of each visited step
    best   -- the step to play
    """

    after: int
    value: float
    proven: float | None
    visits: list[tuple[int, int]]
    best: int


class SelfplayGame(NamedTuple):
    """A game; steps are numbers of the kernel.

    number     -- the number of the game in its generation
    result     -- 1 for a win of BLACK, 0 for a win of WHITE, 0.5 for a draw
    sharpening -- the power of visits in the policy target; see SelfplaySearch
    looks      -- the full searches
    """

    game: str
    size: int
    number: int
    steps: list[int]
    result: float
    sharpening: float
    looks: list[SearchedPosition]

    def line(self) -> str:
        """The record as a line of JSON, without a line feed."""
        return json.dumps(self._asdict(), separators=(",", ":"))


def read_record(line: bytes) -> SelfplayGame | None:
    """Read the record of a line; returns None for anything else."""
    try:
        fields = json.loads(line)
        looks = [SearchedPosition(*look) for look in fields.pop("looks")]
        return SelfplayGame(**fields, looks=looks)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def games_in(path: Path, game: str) -> Iterator[SelfplayGame]:
    """The complete records of a game in any file, in the order of its lines. Raises OSError."""
    with path.open("rb") as file:
        for line in file:
            record = read_record(line)
            if record is not None and record.game == game:
                yield record


def records(path: Path) -> Iterator[SelfplayGame]:
    """The games of a file, the highest numbers first. The function skips damaged lines."""
    places, end = [], 0
    with path.open("rb") as file:
        for line in file:
            if (found := _NUMBER.search(line)) is not None:
                places.append((int(found[1]), end))
            end += len(line)
        for _, begin in sorted(places, reverse=True):
            file.seek(begin)
            record = read_record(file.readline())
            if record is not None:
                yield record


class GamesFile:
    """The file of a generation's games, one on each line. Each is on the disk before the next.

    wanted  -- the wanted number of games; None for no limit
    damaged -- the number of lines that hold no game
    """

    def __init__(self, path: Path, wanted: int | None) -> None:
        """Open the file. An incomplete last line, which an interrupted write leaves, is cut off.

        Raises OSError.
        """
        self._path = path
        self.wanted = wanted
        self._known: set[int] = set()
        self.damaged = 0
        self._next = 0
        self._again: deque[int] = deque()
        if path.exists():
            _cut_off_part(path)
            found = Counter(_numbers(path))
            self.damaged = found.pop(None, 0)
            self._known = {number for number in found if number is not None}

    @staticmethod
    def counted(path: Path) -> int:
        """The number of games in a file that another process may write; 0 if there is none."""
        return len({*_numbers(path)} - {None}) if path.exists() else 0

    @property
    def count(self) -> int:
        """The number of games in the file."""
        return len(self._known)

    def set_damaged_aside(self, most: int | None = None) -> None:
        """Move the damaged lines to a file of the same name with `.damaged` behind it.

        most -- how many at most, None for all: each that stays asks for another game
        """
        left = self.damaged if most is None else min(most, self.damaged)
        if not left:
            return
        self.damaged -= left
        aside = self._path.with_name(f"{self._path.name}.damaged")
        earlier = aside.read_bytes() if aside.exists() else b""
        # The file of the damaged lines is complete first, so that no line is lost.
        with (
            self._path.open("rb") as file,
            replacing(self._path) as whole,
            replacing(aside) as damaged,
        ):
            damaged.write(earlier)
            for line in file:
                moves = left > 0 and read_record(line) is None
                left -= moves
                (damaged if moves else whole).write(line)

    @property
    def complete(self) -> bool:
        """Whether the file has all wanted games."""
        return self.wanted is not None and self.count >= self.wanted

    @property
    def left(self) -> int | None:
        """The most games that can still be taken; None for no limit."""
        if self.wanted is None:
            return None
        return max(0, self.wanted - self._next) + len(self._again)

    def take(self) -> int | None:
        """The number of the next game to play; None if there are enough games."""
        if self._again:
            return self._again.popleft()
        while self._next in self._known:
            self._next += 1
        if self.wanted is not None and self._next >= self.wanted:
            return None
        self._next += 1
        return self._next - 1

    def give_back(self, *numbers: int) -> None:
        """Let others take the numbers of games that came to nothing."""
        self._again.extend(numbers)

    def add(self, record: SelfplayGame) -> None:
        """Append a game. Raises OSError."""
        if record.number not in self._known:
            append_line(self._path, record.line())
            self._known.add(record.number)


def held_out(record: SelfplayGame) -> bool:
    """Whether the samples of a game only measure nets."""
    return record.number % _HELD_OUT_ONE_IN == _HELD_OUT_ONE_IN - 1


def join_games(game: str, sources: Sequence[Path], target: Path) -> tuple[int, int]:
    """Write the games of some files into one, numbered anew. Raises OSError.

    The numbers follow the order of the files. A fit prefers the highest ones. What was held out, if
    anything, stays so, and nothing else is: a net that goes on has learned from the others. Returns
    the number of games, and of lines that hold no game.
    """
    kept = any(held_out(record) for source in sources for record in games_in(source, game))
    with replacing(target) as file:
        count = damaged = following = 0
        for source in sources:
            for record in games_in(source, game):
                gap = (record.number - following) % _HELD_OUT_ONE_IN if kept else 0
                number = following + gap
                file.write(record._replace(number=number).line().encode() + b"\n")
                count, following = count + 1, number + 1
            damaged += sum(number is None for number in _numbers(source))
    return count, damaged


def _numbers(path: Path) -> Iterator[int | None]:
    """The numbers of the games in a file; None for a damaged line."""
    with path.open("rb") as file:
        for line in file:
            record = read_record(line)
            yield None if record is None else record.number


def _cut_off_part(path: Path) -> None:
    """Remove an incomplete last line, which an interrupted write leaves."""
    with path.open("rb+") as file:
        whole = 0
        for line in file:
            whole += len(line) if line.endswith(b"\n") else 0
        file.truncate(whole)


def first_position(kernel: ModuleType, game: str, size: int) -> "_kernel.Position":
    """The position in which a game for learning begins: the pie rule is off."""
    start = find_game(game).start(size, Pie.OFF)
    position: _kernel.Position = kernel.Position(write_position(start))
    return position


def positions_of(
    kernel: ModuleType, record: SelfplayGame
) -> Iterator[tuple["_kernel.Position", SearchedPosition | None]]:
    """All positions of a game from the first to the last, each with its full search, if any.

    Each position is valid until the next one is yielded. Raises ValueError if a step is illegal.
    """
    position = first_position(kernel, record.game, record.size)
    looks = {look.after: look for look in record.looks}
    for number, step in enumerate(record.steps):
        yield position, looks.get(number)
        position.play(step)
    yield position, None
