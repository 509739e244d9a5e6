"""Training samples from self-play games: arrays, in one set for each board size.

The kernel gives the inputs of the net and the places of its outputs, by `Position.features`. A
sample shows the board from the side of the color to move. If colors own edges, the board is turned
for WHITE. The targets of a sample follow the same convention.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gtp_engine.board.color import BLACK
from gtp_engine.learn.game_records import (
    SearchedPosition,
    SelfplayGame,
    positions_of,
    read_record,
)
from gtp_engine.notation.position_text import read_to_move
from gtp_engine.rules import find_game

# The weight of the game's result in the value target. The value of the search has the rest.
RESULT_PART = 0.6

_NUMBER = re.compile(rb'"number":([0-9]{1,18})\b')

# One game in this many is held out: its samples measure the net and do not train it.
_HELD_OUT_ONE_IN = 25


class Sample(NamedTuple):
    """A position from the side of the color to move, with its targets.

    points   -- area x inputs: the inputs of each point
    whole    -- the inputs of the whole board
    steps    -- legal steps x 2: the numbers of the two outputs whose sum is the logit of a step; a
                step with one output has, as its second, the number after the board's last output
    shares   -- the policy target: the share of visits of each of these steps
    value    -- the value target: the chance to win, 0 to 1
    owners   -- area: 1 for points that the color owns at the end of the game, -1 for the opponent's
    held_out -- whether the sample only measures the net
    """

    points: NDArray[np.float16]
    whole: NDArray[np.float32]
    steps: NDArray[np.int32]
    shares: NDArray[np.float32]
    value: float
    owners: NDArray[np.int8]
    held_out: bool

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(array.nbytes for array in self if isinstance(array, np.ndarray))


class SampleSet(NamedTuple):
    """All samples of one board size: the arrays of Sample, with samples as the first axis.

    outputs       -- the number of outputs of each point
    steps, shares -- those of all samples, concatenated
    first         -- the index of each sample's first step; the last entry is the end
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
    held_out: NDArray[np.bool_]


def records(path: Path) -> Iterator[SelfplayGame]:
    """The games of a file, the highest numbers first. The function skips incomplete records."""
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


def samples_of(kernel: ModuleType, record: SelfplayGame) -> Iterator[Sample]:
    """The samples of a game, in the order of its turns.

    Raises ValueError if the game is unknown.
    """
    game = find_game(record.game)
    found: list[tuple[SearchedPosition, Any, bool]] = []
    for position, look in positions_of(kernel, record):
        if look is not None:
            found.append((look, position.features(), read_to_move(position.text()) is BLACK))
    held = np.array(position.forecast(1, 1).held, np.int8).reshape(record.size, record.size)
    owners = held[::-1].T  # by column and row, the net's order of points
    outputs = kernel.shape(record.game)[2]
    for look, seen, black in found:
        shares = _shares(look, seen.steps, black, record.sharpening)
        if shares is None:
            continue
        turned = owners if black else -(owners.T if game.color_mirror.transposed else owners)
        searched = look.value if look.proven is None else look.proven
        value = RESULT_PART * record.result + (1 - RESULT_PART) * searched
        yield Sample(
            np.frombuffer(seen.points, np.float32).reshape(record.size**2, -1).astype(np.float16),
            np.frombuffer(seen.globals, np.float32),
            _places(seen.steps, record.size**2, outputs),
            shares,
            value if black else 1 - value,
            turned.reshape(-1),
            record.number % _HELD_OUT_ONE_IN == _HELD_OUT_ONE_IN - 1,
        )


def _shares(
    look: SearchedPosition, steps: list[tuple[int, int, int, int]], black: bool, sharpening: float
) -> NDArray[np.float32] | None:
    """The policy target; None if the search gives none."""
    won = look.proven == float(black)
    visits = {look.best: 1} if won else dict(look.visits)
    weights = np.array([visits.get(step, 0) for step, *_ in steps], np.float64) ** sharpening
    total = weights.sum()
    return (weights / total).astype(np.float32) if total and len(steps) > 1 else None


def _places(steps: list[tuple[int, int, int, int]], area: int, outputs: int) -> NDArray[np.int32]:
    """The output numbers of each step; see Sample."""
    _, kind, first, second = np.array(steps, np.int32).T
    other = np.where(second < 0, area * outputs, second * outputs + outputs // 2 + kind)
    return np.stack([first * outputs + kind, other], axis=1).astype(np.int32)


def gather(kernel: ModuleType, games: Iterable[SelfplayGame], most_bytes: int) -> list[SampleSet]:
    """The samples of the first games that fill `most_bytes`, in one set for each size."""
    found: dict[int, list[Sample]] = {}
    taken = 0
    for record in games:
        for sample in samples_of(kernel, record):
            found.setdefault(record.size, []).append(sample)
            taken += sample.nbytes
        outputs = kernel.shape(record.game)[2]
        if taken >= most_bytes:
            break
    return [_together(size, outputs, found.pop(size)) for size in sorted(found)]


def _together(size: int, outputs: int, samples: list[Sample]) -> SampleSet:
    counts = [len(sample.steps) for sample in samples]
    return SampleSet(
        size,
        outputs,
        np.stack([sample.points for sample in samples]),
        np.stack([sample.whole for sample in samples]),
        np.concatenate([sample.steps for sample in samples]),
        np.concatenate([sample.shares for sample in samples]),
        np.cumsum([0, *counts]),
        np.array([sample.value for sample in samples], np.float32),
        np.stack([sample.owners for sample in samples]),
        np.array([sample.held_out for sample in samples]),
    )
