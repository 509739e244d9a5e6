"""The budget of a turn, from settings, level, clock and the turns before."""

import threading
from typing import NamedTuple

from gtp_engine.engine.settings import (
    ADAPTIVE,
    LONGEST_LEVEL_SECONDS,
    USUAL_LEVEL_SECONDS,
    Settings,
)
from gtp_engine.rules.clock import Clock
from gtp_engine.rules.game import Position
from gtp_engine.search.backends.choose import in_kernel
from gtp_engine.search.budget import Budget
from gtp_engine.search.levels import Level, level_of, positions_of, visits_of
from gtp_engine.search.options import tuning_of

# With set seconds: the longest turn as a factor of them, the shares of the saved seconds that a
# turn gets, and the most of them that it may take. A clock gives one share, because it must last
# for a long game. Here each later turn has its set seconds in any case.
_LONGEST_TURN = 2.0
_SAVED_SHARES = 4.0
_MOST_OF_SAVED = 0.5

# With more than so many times the set seconds saved, no turn saves more: later turns would not use
# it.
_ENOUGH_SAVED = 2.0


class OwnPast(NamedTuple):
    """What earlier turns of the color to move tell about the time of the next one.

    before -- the chance to win that it had on its last turn, None if unknown
    saved  -- the seconds that its turns left of the setting `seconds`
    """

    before: float | None = None
    saved: float = 0.0


def level_in_force(settings: Settings) -> Level | None:
    """The level in force; None if visits or seconds are set instead."""
    return None if settings.visits or settings.seconds else level_of(settings.level)


def turn_budget(
    settings: Settings,
    position: Position,
    clock: Clock,
    past: OwnPast,
    interrupt: threading.Event,
) -> Budget:
    """The budget for a turn.

    A set number of visits is always searched in full. If only time limits the search, and timing
    is adaptive, a turn may end early or take longer. Set seconds are then for the mean turn: turns
    of the opening and decided ones leave some, and later turns take them.
    """
    adapts = settings.timing == ADAPTIVE
    turns, weight = _turns(position, adapts)
    allotment = clock.allotment(turns, weight)
    stretched = clock.stretched(turns) if weight == 1 else allotment
    visits = settings.visits or None
    positions = None
    usual = longest = settings.seconds or None
    if settings.seconds and adapts and visits is None:
        usual, longest = _with_saved(settings.seconds, past.saved, turns, weight)
    level = level_in_force(settings)
    if level is not None:
        native = in_kernel(position.game, settings.backend)
        visits = visits_of(level, position.size, native)
        positions = positions_of(level, position.game, position.size, native)
        if visits is not None:
            usual = longest = LONGEST_LEVEL_SECONDS
        elif allotment is None:
            usual, longest = USUAL_LEVEL_SECONDS, LONGEST_LEVEL_SECONDS
    usual = _shorter(usual, allotment)
    longest = _shorter(longest, stretched)
    budget = Budget(visits, usual, interrupt, positions)
    if not adapts or visits is not None:
        return budget
    saves = not settings.seconds or past.saved <= _ENOUGH_SAVED * settings.seconds
    return budget._replace(longest=longest, before=past.before, saves=saves)


def _turns(position: Position, adapts: bool) -> tuple[float, float]:
    """The number of turns that a color still has to play, and the weight of the next one.

    The game's tuning sets the number and the weight for the opening.

    adapts -- whether turns may weigh less than 1
    """
    tuning = tuning_of(position.game)
    length, opening = tuning.length, tuning.early
    empty = position.size**2 - position.occupied().bit_count()
    late = min(empty, int(opening.until * position.size**2)) if adapts else empty
    early = empty - late
    turns = length.least + (late + early * opening.share) * length.per_point
    return turns, opening.share if early else 1.0


def _with_saved(seconds: float, saved: float, turns: float, weight: float) -> tuple[float, float]:
    """The usual and the longest time of a turn with set seconds.

    saved         -- what earlier turns left
    turns, weight -- see _turns
    """
    if weight < 1:
        return weight * seconds, weight * seconds
    longest = min(seconds + _MOST_OF_SAVED * saved, _LONGEST_TURN * seconds)
    return min(seconds + _SAVED_SHARES * saved / turns, longest), longest


def _shorter(one: float | None, other: float | None) -> float | None:
    """The smaller of two limits; None if both are missing."""
    return min((bound for bound in (one, other) if bound is not None), default=None)
