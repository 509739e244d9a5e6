"""Training samples from self-play games: arrays, in one set for each board size.

The kernel gives the inputs of the net and the places of its outputs, by `Position.features`. A
sample shows the board from the side of the color to move. If colors own edges, the board is turned
for WHITE. The targets of a sample follow the same convention. Batches of samples are in images of
the board under its symmetries.
"""

import math
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gtp_engine.learn.game_in_progress import Stopped
from gtp_engine.learn.game_records import SearchedPosition, SelfplayGame, held_out, positions_of
from gtp_engine.learn.plan import RESULT_PART, Unfit
from gtp_engine.learn.playouts import KnownPlayouts, Playouts
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import read_to_move
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.points.symmetry import Image, Symmetry

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel


INPUT_UNIT, HIGHEST = 1 / 64, 127
"""The unit of the inputs of points, and the most units of an input. See kernel/nn/net.hpp."""

EMPTY_SHARE = 1
"""The number of the board's input that is the share of empty points."""

OWNER_UNIT = 1 / 100
"""The unit of the ownership target."""

# The weight of the real end in the ownership target with playouts. Their ends have the rest.
_END_PART = 0.5


class SampleSet(NamedTuple):
    """Samples of one board size: positions from the side of the color to move, with their targets.

    The arrays are compact, since a training holds hundreds of thousands of samples. Samples are the
    first axis, except for steps and shares, which hold the steps of all samples one after another.

    outputs  -- the number of outputs of each point
    points   -- samples x area x inputs: the inputs of each point, in units of INPUT_UNIT
    whole    -- samples x inputs: the inputs of the whole board
    steps    -- legal steps x 2: the numbers of the two outputs whose sum is the logit of a step; a
                step with one output has, as its second, the number after the board's last output;
                a sample without a full search has none here
    shares   -- the policy target: the probability of each of these steps
    first    -- the index of each sample's first step; the last entry is the end
    values   -- the value target: the chance to win, 0 to 1
    owners   -- samples x area: the ownership target in units of OWNER_UNIT, from 1 for points that
                the color owns at the end of the game to -1 for the opponent's
    results  -- of the games
    chances  -- the chance to win, by the search or the teacher
    played   -- the mean result of playouts; NaN without playouts
    held_out -- whether the sample only measures the net
    searched -- whether a full search gave the targets; otherwise there is no policy target, and
                the teacher gave the chance
    """

    size: int
    outputs: int
    points: NDArray[np.uint8]
    whole: NDArray[np.float32]
    steps: NDArray[np.int16]
    shares: NDArray[np.float16]
    first: NDArray[np.int64]
    values: NDArray[np.float32]
    owners: NDArray[np.int8]
    results: NDArray[np.float32]
    chances: NDArray[np.float32]
    played: NDArray[np.float32]
    held_out: NDArray[np.bool_]
    searched: NDArray[np.bool_]

    @property
    def step_counts(self) -> NDArray[np.int64]:
        """The number of legal steps of each sample."""
        return np.diff(self.first)

    def numbers(self, held_out: bool, searched: bool = False) -> NDArray[np.int64]:
        """The numbers of the samples that measure the net, or of those that train it.

        searched -- whether only those with a full search
        """
        return np.flatnonzero((self.held_out == held_out) & (self.searched | (not searched)))

    @property
    def nbytes(self) -> int:
        """The size of the arrays in bytes."""
        return sum(array.nbytes for array in self if isinstance(array, np.ndarray))


class _Seen(NamedTuple):
    """A position of a game, and the targets that its search or the teacher gives.

    value    -- the chance that BLACK wins
    playouts -- from the position; None without any
    """

    black: bool
    features: "_kernel.Features"
    places: NDArray[np.int16]
    shares: NDArray[np.float32]
    value: float
    searched: bool
    playouts: Playouts | None


class TargetSources(NamedTuple):
    """What gives samples their targets, beside the result of the game and its full searches.

    teacher  -- tells the chances in positions without a full search; None leaves them out, since
                nothing is known of them but the result, which the searched positions of the game
                have, too
    playouts -- tell how random games from the positions end; None for none
    """

    teacher: "_kernel.Net | None" = None
    playouts: KnownPlayouts | None = None


NO_SOURCES = TargetSources()


def samples_of(
    kernel: ModuleType, record: SelfplayGame, sources: TargetSources = NO_SOURCES
) -> SampleSet | None:
    """The samples of a game, in the order of its turns; None if it has none.

    The value targets do not include playouts yet; see `gather`. A position with one legal step is
    no sample. Raises ValueError if the game is unknown or has an illegal step.
    """
    outputs, size = kernel.shape(record.game)[2], record.size
    playouts = sources.playouts.of(record) if sources.playouts is not None else None
    found: list[_Seen] = []
    for number, (position, look) in enumerate(positions_of(kernel, record)):
        if (look is not None or sources.teacher is not None) and not position.outcome()[0]:
            seen = _seen(position, look, record.sharpening, (size**2, outputs), sources.teacher)
            if seen is not None:
                played = playouts.at(position, number) if playouts is not None else None
                found.append(seen._replace(playouts=played))
    if playouts is not None:
        playouts.keep()
    if not found:
        return None

    def by_mover(chances: Iterable[float]) -> NDArray[np.float32]:
        turned = [each if seen.black else 1 - each for each, seen in zip(chances, found)]
        return np.array(turned, np.float32)

    end = np.array(position.forecast(1, 1).held)
    count = 0 if sources.playouts is None else sources.playouts.count
    results = by_mover([record.result] * len(found))
    chances = by_mover(seen.value for seen in found)
    points = np.stack([np.frombuffer(seen.features.points, np.float32) for seen in found])
    return SampleSet(
        size,
        outputs,
        _in_units(points).reshape(len(found), size**2, -1),
        np.stack([np.frombuffer(seen.features.globals, np.float32) for seen in found]),
        np.concatenate([seen.places for seen in found]),
        np.concatenate([seen.shares for seen in found]).astype(np.float16),
        np.cumsum([0, *(len(seen.places) for seen in found)]),
        RESULT_PART * results + (1 - RESULT_PART) * chances,
        np.stack([_owners(seen, end, count, record) for seen in found]),
        results,
        chances,
        by_mover(_mean_result(seen.playouts, count) for seen in found),
        np.full(len(found), held_out(record)),
        np.array([seen.searched for seen in found]),
    )


def _seen(
    position: "_kernel.Position",
    look: SearchedPosition | None,
    sharpening: float,
    shape: tuple[int, int],
    teacher: "_kernel.Net | None",
) -> _Seen | None:
    """A position with its targets, without playouts; None if nobody gives them.

    shape -- the points of the board, and the outputs of each
    """
    features = position.features()
    if len(features.steps) < 2:
        return None
    black = read_to_move(position.text()) is BLACK
    if look is not None:
        shares = _shares(look, features.steps, black, sharpening)
        if shares is not None:
            places = _places(features.steps, *shape)
            value = look.value if look.proven is None else look.proven
            return _Seen(black, features, places, shares, value, True, None)
    if teacher is None:
        return None
    places, shares = np.empty((0, 2), np.int16), np.empty(0, np.float32)
    return _Seen(black, features, places, shares, position.evaluate(teacher), False, None)


def _mean_result(playouts: Playouts | None, count: int) -> float:
    """BLACK's mean result; NaN without playouts."""
    return math.nan if playouts is None else (playouts.black_wins + playouts.draws / 2) / count


def _owners(
    seen: _Seen, end: NDArray[np.int64], count: int, record: SelfplayGame
) -> NDArray[np.int8]:
    """The ownership target of a position, for each point by column and row, the net's order.

    end -- the owners at the end of the game, by row from the top
    """
    held = end.astype(np.float64)
    if seen.playouts is not None:
        held = _END_PART * held + (1 - _END_PART) * seen.playouts.held / count
    own = held.reshape(record.size, record.size)[::-1].T
    if not seen.black:
        own = -moved(own, find_game(record.game).color_mirror)
    return np.round(own.reshape(-1) / OWNER_UNIT).astype(np.int8)


def moved(board: NDArray[Any], image: Image) -> NDArray[Any]:
    """The image of a board, an array of columns of points."""
    board = board.T if image.transposed else board
    board = board[::-1] if image.columns_reversed else board
    return board[:, ::-1] if image.rows_reversed else board


def _in_units(points: NDArray[np.float32]) -> NDArray[np.uint8]:
    """The inputs as whole numbers of units. The net rounds them in the same way."""
    return np.clip(np.round(points / INPUT_UNIT), 0, HIGHEST).astype(np.uint8)


def _shares(
    look: SearchedPosition, steps: list["_kernel.PolicyStep"], black: bool, sharpening: float
) -> NDArray[np.float32] | None:
    """The policy target; None if the search gives none."""
    won = look.proven == float(black)
    visits = {look.best: 1} if won else dict(look.visits)
    weights = np.array([visits.get(step, 0) for step, *_ in steps], np.float64) ** sharpening
    total = weights.sum()
    return (weights / total).astype(np.float32) if total else None


def _places(steps: list["_kernel.PolicyStep"], area: int, outputs: int) -> NDArray[np.int16]:
    """The output numbers of each step; see SampleSet."""
    _, kind, first, second = np.array(steps, np.int32).T
    other = np.where(second < 0, area * outputs, second * outputs + outputs // 2 + kind)
    return np.stack([first * outputs + kind, other], axis=1).astype(np.int16)


def gather(
    kernel: ModuleType,
    games: Iterable[SelfplayGame],
    most_bytes: int,
    sources: TargetSources = NO_SOURCES,
    stopped: Stopped = lambda: False,
) -> list[SampleSet]:
    """The samples of the first games that fill `most_bytes`, in one set for each size.

    stopped -- ends the work; the result is then empty

    Raises Unfit if a game cannot be replayed.
    """
    found: dict[int, list[SampleSet]] = {}
    taken = 0
    for record in games:
        if stopped():
            return []
        try:
            samples = samples_of(kernel, record, sources)
        except (ValueError, TypeError) as problem:
            said = str(problem).partition("\n")[0]
            raise Unfit(f"game {record.number} cannot be replayed: {said}") from None
        if samples is not None:
            found.setdefault(record.size, []).append(samples)
            taken += samples.nbytes
        if taken >= most_bytes:
            break
    sets = [_together(found.pop(size)) for size in sorted(found)]
    return _with_playouts(sets) if sets and sources.playouts is not None else sets


def _with_playouts(sets: list[SampleSet]) -> list[SampleSet]:
    """The sets with the value targets that playouts give."""
    empty = np.concatenate([each.whole[:, EMPTY_SHARE] for each in sets])
    columns = zip(*((each.results, each.chances, each.played) for each in sets))
    results, chances, played = (np.concatenate(column) for column in columns)
    searched = np.concatenate([each.searched for each in sets])
    values = np.empty_like(results)
    for some in (searched, ~searched):
        values[some] = value_targets(results[some], chances[some], played[some], empty[some])
    ends = np.cumsum([len(each.values) for each in sets])
    return [each._replace(values=part) for each, part in zip(sets, np.split(values, ends[:-1]))]


def _together(parts: list[SampleSet]) -> SampleSet:
    """One set of the samples of many sets of a size.

    The function empties the list, and frees each array of the parts after it is copied.
    """
    size, outputs = parts[0].size, parts[0].outputs
    counts = np.concatenate([part.step_counts for part in parts])
    columns = [list(column) for column in zip(*(part[2:] for part in parts))]
    parts.clear()
    joined = []
    for column in columns:
        joined.append(np.concatenate(column))
        column.clear()
    whole = SampleSet(size, outputs, *joined)
    return whole._replace(first=np.concatenate([[0], np.cumsum(counts)]))


# Batches -------------------------------------------------------------------------------------


class Batch(NamedTuple):
    """Samples of a set in an image of the board, with the same targets.

    points -- samples x size x size x inputs
    steps  -- samples x steps x 2, padded to a multiple of the points of the board, so that few
              shapes are compiled; samples without a full search have only padding
    legal  -- samples x steps: True for a step, False for padding
    """

    points: NDArray[np.float32]
    whole: NDArray[np.float32]
    steps: NDArray[np.int32]
    shares: NDArray[np.float32]
    legal: NDArray[np.bool_]
    values: NDArray[np.float32]
    owners: NDArray[np.float32]


def images_of_places(size: int, symmetry: Symmetry) -> list[NDArray[np.intp]]:
    """The images of a board, the identity first. Each maps a place to the source of its content."""
    places = np.arange(size * size).reshape(size, size)
    return [moved(places, image).ravel() for image in symmetry]


def make_batch(samples: SampleSet, chosen: NDArray[np.int64], image: NDArray[np.intp]) -> Batch:
    """The samples with the numbers `chosen`, in an image of the board."""
    size, area, outputs = samples.size, samples.size**2, samples.outputs
    first, end = samples.first[chosen], samples.first[chosen + 1]
    slots = np.arange(-(-samples.step_counts.max() // area) * area)
    legal = slots < (end - first)[:, None]
    found = np.where(legal, first[:, None] + slots, 0)
    comes_to = np.empty(area + 1, np.int32)
    comes_to[image], comes_to[area] = np.arange(area), area
    steps = samples.steps[found]
    points = samples.points[chosen][:, image].astype(np.float32) * np.float32(INPUT_UNIT)
    return Batch(
        points.reshape(len(chosen), size, size, -1),
        samples.whole[chosen],
        comes_to[steps // outputs] * outputs + steps % outputs,
        samples.shares[found].astype(np.float32) * legal,
        legal,
        samples.values[chosen],
        samples.owners[chosen][:, image].astype(np.float32) * np.float32(OWNER_UNIT),
    )


Floats = NDArray[np.float32]

# The weight of the game's result in the target. The prediction has the rest.
_RESULT_PART_WITH_PLAYOUTS = 0.3

# A chance counts as at least this, and at most 1 minus this.
_LEAST_CHANCE = 0.02

# The regression begins with equal weights of both logits. With few samples it stays near them: they
# count as much as this number of even results.
_START, _PRIOR_SAMPLES, _ROUNDS = (0.5, 0.5, 0.0, 0.0), 20.0, 12


def value_targets(results: Floats, chances: Floats, played: Floats, empty: Floats) -> Floats:
    """The targets of samples that were played out; all arrays are seen from the color to move.

    The result of one game says little about a position in its middle. Random games (playouts) from
    it, together with the value of a search, predict the result better than either of them alone.
    How well each predicts depends on the game and on how full the board is, so a logistic
    regression finds out, on the games themselves.

    results -- of the games: 1, 0.5 or 0
    chances -- the chance to win, by a search or by a net; 0 and 1 are exact and stay so
    played  -- the mean result of playouts from the position
    empty   -- the share of empty points
    """
    logits = np.stack([_logit(chances), _logit(played)], axis=1)
    inputs = np.concatenate([logits, logits * empty[:, None]], axis=1)
    predicted = _chance(inputs @ _regression(inputs, results))
    part = _RESULT_PART_WITH_PLAYOUTS
    targets = part * results + (1 - part) * predicted
    exact = (chances == 0) | (chances == 1)
    return np.where(exact, chances, targets).astype(np.float32)


def _regression(inputs: NDArray[np.float64], results: Floats) -> NDArray[np.float64]:
    """The weights of a logistic regression, by Newton's method."""
    start = np.array(_START)
    weights, pull = start.copy(), np.eye(len(start)) * _PRIOR_SAMPLES / 4
    for _ in range(_ROUNDS):
        predicted = _chance(inputs @ weights)
        spread = predicted * (1 - predicted)
        slope = inputs.T @ (predicted - results) + pull @ (weights - start)
        curve = (inputs * spread[:, None]).T @ inputs + pull
        weights -= np.linalg.solve(curve, slope)
    return weights


def _logit(chances: Floats) -> NDArray[np.float64]:
    clipped = np.clip(chances.astype(np.float64), _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    return np.log(clipped / (1 - clipped))


def _chance(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-logits))
