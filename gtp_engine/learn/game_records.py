"""Records of games for learning: a game's steps, its result, and what full searches found."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.notation.position_text import write_position
from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel


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
