"""Forecasts by random games: who wins, and who holds each point at the end."""

import random
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.diagram import by_row
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import PASS, SWAP_SIDES, Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.backends.choose import backend_for, in_kernel

# Games between two checks of the clock.
_GAMES_AT_ONCE = 64

# How many times as long a random game takes in Python as in the kernel, in round numbers.
_SLOWER_IN_PYTHON = 100

_USUAL_POINTS = 64


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
        """A color's lead in points."""
        lead = sum(self.held.values())
        return lead if color is BLACK else -lead


def lead_after(position: Position, line: tuple[Step, ...], setup: SearchSetup) -> float | None:
    """BLACK's mean lead in points, over random games after a line of play.

    The line has no forced steps, and may go on after the end of the game: what comes there is not
    played, so this is not a walk by `turns_of`. BLACK is the color before the line. None in games
    without points.
    """
    if not position.game.scored:
        return None
    sign = 1
    for step in line:
        _, position = settle(position)
        if position.outcome() is not None:
            break
        if step == PASS and position.objection(step) is not None:
            continue  # the answer of a color that waits, which changes nothing
        position = position.play_unchecked(step)
        sign = -sign if step == SWAP_SIDES else sign
    return sign * forecast(position, setup).points(BLACK)


def number_of_games(position: Position, usual: int, backend: str) -> int:
    """How many random games take about as long as a `usual` number on a board of 64 points.

    They depend on the board and the backend alone, unlike those that fit into a time.
    """
    slower = 1 if in_kernel(position.game, backend) else _SLOWER_IN_PYTHON
    return max(1, usual * _USUAL_POINTS // (slower * max(position.size**2, _USUAL_POINTS)))


def forecast(position: Position, setup: SearchSetup) -> Forecast:
    """Play uniformly random games without a swap, at least one.

    The budget's visits limit their number.
    """
    backend = backend_for(position.game, setup.backend)
    play = backend.random_games(replace(position, pie=Pie.OFF), random.Random(setup.seed))
    deadline, wanted = setup.budget.begin(), setup.budget.visits
    games, value, held = play(1)
    while not deadline.reached() and (wanted is None or games < wanted):
        left = _GAMES_AT_ONCE if wanted is None else wanted - games
        more, more_value, more_held = play(min(left, _GAMES_AT_ONCE))
        games, value = games + more, value + more_value
        held = [before + gained for before, gained in zip(held, more_held)]
    means = (total / games for total in held)
    return Forecast(games, value / games, dict(zip(by_row(position.size), means)))
