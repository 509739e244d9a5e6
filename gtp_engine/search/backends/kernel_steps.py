"""Steps as numbers of the kernel."""

from functools import lru_cache

from gtp_engine.rules.game import Game
from gtp_engine.rules.points.vertex import VERTICES
from gtp_engine.rules.step import SWAP_PIECES, SWAP_SIDES, Step

_SWAP_NUMBERS = {SWAP_PIECES: 14 << 18, SWAP_SIDES: 15 << 18}
_SWAPS_BY_NUMBER = {number: swap for swap, number in _SWAP_NUMBERS.items()}


def step_number(game: Game, step: Step) -> int:
    """The number of a step in the kernel."""
    if step in _SWAP_NUMBERS:
        return _SWAP_NUMBERS[step]
    first, second, *_ = (*step.vertices, 0, 0)
    return game.kinds.index(step.kind) << 18 | first << 9 | second


@lru_cache(maxsize=2**15)
def numbered_step(game: Game, number: int) -> Step:
    """The step with this kernel number; cached, because lines of play repeat few steps."""
    if number in _SWAPS_BY_NUMBER:
        return _SWAPS_BY_NUMBER[number]
    kind = game.kinds[number >> 18]
    vertices = VERTICES[number >> 9 & 511], VERTICES[number & 511]
    return Step(kind, vertices[: kind.template.count("{}")])
