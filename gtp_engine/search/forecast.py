"""What random games from a position come to: who wins, and who holds each point at the end."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.board.color import BLACK, Color
from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.position_text import write_position
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAP_SIDES, Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.backend import PYTHON, kernel
from gtp_engine.search.mcts import random_step
from gtp_engine.search.study import Effort

# Between two looks at the clock.
_GAMES_AT_ONCE = 64


class Forecast(NamedTuple):
    """Means over random games.

    value -- the share of BLACK's wins, 0 to 1; a draw counts half
    held  -- for each vertex of the board, by row from the top, the mean over the games: 1 where
             BLACK holds it at the end, -1 where WHITE does, 0 where nobody does
    """

    games: int
    value: float
    held: dict[Vertex, float]

    def points(self, color: Color) -> float:
        """How many points more than its opponent a color holds."""
        lead = sum(self.held.values())
        return lead if color is BLACK else -lead


def lead_after(position: Position, line: tuple[Step, ...], effort: Effort) -> float | None:
    """By how many points BLACK wins, in the mean of random games after a line of play.

    The line has no forced steps; who is BLACK before it counts. None in games without points.
    """
    if not position.game.scored:
        return None
    sign = 1
    for step in line:
        _, position = settle(position)
        if position.outcome() is not None:
            break
        position = position.play_unchecked(step)
        sign = -sign if step == SWAP_SIDES else sign
    return sign * forecast(position, effort).points(BLACK)


Sums = tuple[int, float, list[int]]
"""Games, the sum of their values, and the sum of what `Forecast.held` is the mean of."""


def forecast(position: Position, effort: Effort) -> Forecast:
    """Play uniformly random games without a swap, at least one.

    The effort's visits bound how many.
    """
    play = _player(replace(position, pie=Pie.OFF), effort)
    deadline, wanted = effort.budget.begin(), effort.budget.visits
    games, value, held = play(1)
    while not deadline.reached() and (wanted is None or games < wanted):
        left = _GAMES_AT_ONCE if wanted is None else wanted - games
        more, more_value, more_held = play(min(left, _GAMES_AT_ONCE))
        games, value = games + more, value + more_value
        held = [before + gained for before, gained in zip(held, more_held)]
    means = (total / games for total in held)
    return Forecast(games, value / games, dict(zip(_by_row(position.size), means)))


def _player(position: Position, effort: Effort) -> Callable[[int], Sums]:
    """What plays up to so many games, one at least."""
    rng = random.Random(effort.seed)
    module = None if effort.backend == PYTHON else kernel()
    if module is None:
        return lambda most: _game_in_python(position, rng)
    in_kernel = module.Position(write_position(position))

    def play(most: int) -> Sums:
        sums = in_kernel.forecast(most, rng.getrandbits(64))
        return most, sums.black_wins + sums.draws / 2, sums.held

    return play


def _game_in_python(position: Position, rng: random.Random) -> Sums:
    while (outcome := position.outcome()) is None:
        position = position.play_unchecked(random_step(position, rng))
    black, white = position.held()
    vertices = _by_row(position.size)
    signs = [(black >> vertex & 1) - (white >> vertex & 1) for vertex in vertices]
    return 1, outcome.value, signs


def _by_row(size: int) -> list[Vertex]:
    """The vertices of a board in the order of the position text: by row, from the top."""
    return [Vertex.at(column, row) for row in range(size - 1, -1, -1) for column in range(size)]
