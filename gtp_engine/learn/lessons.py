"""Records of self-play as arrays to learn from, one set for each size of the board.

What a net sees and where its outputs are comes from the kernel, by `Position.features`: the color
to move is always the own one, and where colors own edges the board is turned for WHITE. A lesson
says what is to be learned in the same way.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gtp_engine.board.color import BLACK
from gtp_engine.learn.selfplay import SearchedPosition, SelfplayGame, read_record
from gtp_engine.notation.position_text import read_to_move, write_position
from gtp_engine.rules import find_game
from gtp_engine.rules.step import Pie

# The part of the result of the game in what the value is to be; the rest is what the search said.
RESULT_PART = 0.6

_NUMBER = re.compile(rb'"number":([0-9]{1,18})\b')

# Of so many games one is set apart, to see how good the net is at what it has not learned.
_APART = 25


class Lesson(NamedTuple):
    """A position, as the color to move sees it.

    points  -- area x inputs
    whole   -- what the net sees of the whole board
    steps   -- legal steps x 2: the outputs that add up to the wish for a step, by number; the
               number behind the last output of the board where there is only one
    shares  -- for each of these steps the share of visits that it should have
    value   -- the chance to win
    owners  -- area: 1 for points that are own at the end of the game, -1 for the opponent's
    apart   -- whether it is not to be learned from
    """

    points: NDArray[np.float16]
    whole: NDArray[np.float32]
    steps: NDArray[np.int32]
    shares: NDArray[np.float32]
    value: float
    owners: NDArray[np.int8]
    apart: bool

    @property
    def nbytes(self) -> int:
        """The memory of its arrays."""
        return sum(array.nbytes for array in self if isinstance(array, np.ndarray))


class Lessons(NamedTuple):
    """All lessons of a size: as above, with a first axis of lessons.

    outputs       -- of each point
    steps, shares -- those of all lessons one after the other
    first         -- where the steps of a lesson begin, and at last their end
    """

    size: int
    outputs: int
    points: NDArray[np.float16]
    whole: NDArray[np.float32]
    steps: NDArray[np.int32]
    shares: NDArray[np.float32]
    first: NDArray[np.int64]
    values: NDArray[np.float32]
    owners: NDArray[np.int8]
    apart: NDArray[np.bool_]


def records(path: Path) -> Iterator[SelfplayGame]:
    """The games of a file, the highest numbers first. What is no whole record is left out."""
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


def lessons_of(kernel: ModuleType, record: SelfplayGame) -> Iterator[Lesson]:
    """The lessons of a game, in the order of its turns.

    Raises ValueError for a record that is of no game.
    """
    game = find_game(record.game)
    position = kernel.Position(write_position(game.start(record.size, Pie.OFF)))
    found: list[tuple[SearchedPosition, Any, bool]] = []
    looks = {look.after: look for look in record.looks}
    for number, step in enumerate(record.steps):
        if number in looks:
            found.append(
                (looks[number], position.features(), read_to_move(position.text()) is BLACK)
            )
        position.play(step)
    held = np.array(position.forecast(1, 1).held, np.int8).reshape(record.size, record.size)
    owners = held[::-1].T  # by column and row, as the net sees points
    outputs = kernel.shape(record.game)[2]
    for look, seen, black in found:
        shares = _shares(look, seen.steps, black, record.sharpening)
        if shares is None:
            continue
        turned = owners if black else -(owners.T if game.color_mirror.transposed else owners)
        searched = look.value if look.proven is None else look.proven
        value = RESULT_PART * record.result + (1 - RESULT_PART) * searched
        yield Lesson(
            np.frombuffer(seen.points, np.float32).reshape(record.size**2, -1).astype(np.float16),
            np.frombuffer(seen.globals, np.float32),
            _places(seen.steps, record.size**2, outputs),
            shares,
            value if black else 1 - value,
            turned.reshape(-1),
            record.number % _APART == _APART - 1,
        )


def _shares(
    look: SearchedPosition, steps: list[tuple[int, int, int, int]], black: bool, sharpening: float
) -> NDArray[np.float32] | None:
    """What each step should get; None where the search says nothing about that."""
    won = look.proven == float(black)
    visits = {look.best: 1} if won else dict(look.visits)
    weights = np.array([visits.get(step, 0) for step, *_ in steps], np.float64) ** sharpening
    total = weights.sum()
    return (weights / total).astype(np.float32) if total and len(steps) > 1 else None


def _places(steps: list[tuple[int, int, int, int]], area: int, outputs: int) -> NDArray[np.int32]:
    """The outputs for each step; see Lesson."""
    _, kind, first, second = np.array(steps, np.int32).T
    other = np.where(second < 0, area * outputs, second * outputs + outputs // 2 + kind)
    return np.stack([first * outputs + kind, other], axis=1).astype(np.int32)


def gather(kernel: ModuleType, games: Iterable[SelfplayGame], most_bytes: int) -> list[Lessons]:
    """The lessons of the first of some games, until they take so much memory; by size."""
    found: dict[int, list[Lesson]] = {}
    taken = 0
    for record in games:
        for lesson in lessons_of(kernel, record):
            found.setdefault(record.size, []).append(lesson)
            taken += lesson.nbytes
        outputs = kernel.shape(record.game)[2]
        if taken >= most_bytes:
            break
    return [_together(size, outputs, found.pop(size)) for size in sorted(found)]


def _together(size: int, outputs: int, lessons: list[Lesson]) -> Lessons:
    counts = [len(lesson.steps) for lesson in lessons]
    return Lessons(
        size,
        outputs,
        np.stack([lesson.points for lesson in lessons]),
        np.stack([lesson.whole for lesson in lessons]),
        np.concatenate([lesson.steps for lesson in lessons]),
        np.concatenate([lesson.shares for lesson in lessons]),
        np.cumsum([0, *counts]),
        np.array([lesson.value for lesson in lessons], np.float32),
        np.stack([lesson.owners for lesson in lessons]),
        np.array([lesson.apart for lesson in lessons]),
    )
