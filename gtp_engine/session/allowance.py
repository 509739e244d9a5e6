"""The budget of a turn, from settings, level and clock."""

import threading

from gtp_engine.clock import Clock
from gtp_engine.rules.game import Position
from gtp_engine.search.backends.choose import in_kernel
from gtp_engine.search.budget import AdaptiveTime, Budget
from gtp_engine.search.levels import Level, level_of, visits_of
from gtp_engine.search.tuning import tuning_of
from gtp_engine.session.settings import (
    ADAPTIVE,
    LONGEST_LEVEL_SECONDS,
    USUAL_LEVEL_SECONDS,
    Settings,
)


def level_in_force(settings: Settings) -> Level | None:
    """The level in force; None if visits or seconds are set instead."""
    return None if settings.visits or settings.seconds else level_of(settings.level)


def allowance(
    settings: Settings,
    position: Position,
    clock: Clock,
    before: float | None,
    interrupt: threading.Event,
) -> Budget:
    """The budget for a turn.

    A set number of visits is always searched in full. If only time limits the search, and timing
    is adaptive, a turn may end early or take longer, but never longer than set seconds. Set seconds
    are for one turn, and unused ones are lost: the search uses them all unless nothing can change
    the turn.

    before -- the chance to win that the color to move had on its last turn, None if unknown
    """
    turns, weight = _turns(position, settings.timing == ADAPTIVE)
    allotment = clock.allotment(turns, weight)
    stretched = clock.stretched(turns) if weight == 1 else allotment
    visits = settings.visits or None
    usual = longest = settings.seconds or None
    level = level_in_force(settings)
    if level is not None:
        native = in_kernel(position.game, settings.backend)
        visits = visits_of(level, position.size, native)
        if visits is not None:
            usual = longest = LONGEST_LEVEL_SECONDS
        elif allotment is None:
            usual, longest = USUAL_LEVEL_SECONDS, LONGEST_LEVEL_SECONDS
    usual = _shorter(usual, allotment)
    longest = _shorter(longest, stretched)
    adaptive = None
    if visits is None and longest is not None and settings.timing == ADAPTIVE:
        lost = settings.seconds and usual == settings.seconds
        adaptive = AdaptiveTime(longest, before, saves=not lost)
    return Budget(visits, usual, interrupt, adaptive)


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


def _shorter(one: float | None, other: float | None) -> float | None:
    """The smaller of two limits; None if both are missing."""
    return min((bound for bound in (one, other) if bound is not None), default=None)
