"""What a step does at once, and what catches the eye: for naive players and low levels.

Only the contract of a game is used, so a new game has all of it.
"""

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

from gtp_engine.base.logarithm import logarithm
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.points import DIAGONAL, ORTHOGONAL, Points, around, point_set
from gtp_engine.rules.step import SWAP_SIDES, Step
from gtp_engine.rules.turns import settle

WON = 10_000
"""The standing of the winner of a finished game, more than any number of points."""

# What draws the eye, in units of the softmax: each standard deviation of gain, all of the gain at
# most, and the neighborhood of the last turn. A win is noticed with a chance.
_PER_DEVIATION = 0.7
_MOST_GAIN = 1.8
_NEAR = 1.0
_NOTICES_A_WIN = 0.75

# The most steps that a person glances at; this bounds the time on large boards.
_MOST_SEEN = 200


class Habits(NamedTuple):
    """How a player falls short of the best turn that it could find.

    leeway    -- the largest loss of a step compared to the best one, as a chance to win, 0 to 1:
                 the player picks any such step at random
    considers -- how many steps it compares on average, those that catch its eye; None for all
    recent    -- the points of the last turn, which draw its eye
    """

    leeway: float = 0.0
    considers: float | None = None
    recent: Points = 0


CAREFUL = Habits()
"""The habits of a player at full strength."""


def standing(position: Position, color: Color) -> int:
    """A color's lead now: in points that it holds, and in the size of its biggest group."""
    outcome = position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return 0
        return WON if outcome.winner is color else -WON
    pieces = [0, 0]
    for word, points in position.layers().items():
        owner = position.game.look.color(word)
        if owner is not None:
            pieces[owner] |= points
    black, white = (
        held.bit_count() + max((group.bit_count() for group in position.groups(own)), default=0)
        for held, own in zip(position.held(), pieces)
    )
    return black - white if color is BLACK else white - black


def after(position: Position, step: Step) -> tuple[Position, Color]:
    """The position after a legal step and forced ones, and the color of its player there."""
    _, reached = settle(position.play_unchecked(step))
    mover = position.to_move
    return reached, mover.opponent if step == SWAP_SIDES else mover


def noticed(
    position: Position, steps: Sequence[Step], habits: Habits, rng: random.Random
) -> tuple[Step, ...]:
    """The steps that a player with some habits considers, drawn by what catches its eye.

    Steps that gain more at once are likelier, and those beside the last turn: a softmax over the
    gain in standard deviations, drawn without replacement.
    """
    if habits.considers is None:
        return tuple(steps)
    whole, part = divmod(habits.considers, 1)
    number = int(whole) + (rng.random() < part)
    if len(steps) <= number:
        return tuple(steps)
    seen = steps if len(steps) <= _MOST_SEEN else rng.sample(steps, _MOST_SEEN)
    # The largest of values with noise of Gumbel's distribution: a draw from their softmax.
    drawn = {
        step: appeal - logarithm(-logarithm(rng.uniform(1e-9, 1 - 1e-9)))
        for step, appeal in zip(seen, _appeals(position, seen, habits.recent, rng))
    }
    return tuple(sorted(drawn, key=drawn.__getitem__, reverse=True)[:number])


def _appeals(
    position: Position, steps: Sequence[Step], recent: Points, rng: random.Random
) -> list[float]:
    """How much each step draws the eye."""
    gains = [standing(*after(position, step)) for step in steps]
    usual = [gain for gain in gains if abs(gain) < WON] or [0]
    mean = sum(usual) / len(usual)
    spread = math.sqrt(sum((gain - mean) ** 2 for gain in usual) / len(usual)) or 1.0
    near = recent | around(recent, (*ORTHOGONAL, *DIAGONAL))
    appeals = []
    for step, gain in zip(steps, gains):
        appeal = max(-_MOST_GAIN, min(_MOST_GAIN, _PER_DEVIATION * (gain - mean) / spread))
        if gain == WON:
            appeal = math.inf if rng.random() < _NOTICES_A_WIN else 0.0
        appeals.append(appeal + _NEAR * bool(near & point_set(step.vertices)))
    return appeals
