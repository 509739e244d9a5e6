"""Whole turns, derived from steps: forced steps, distinct turns, perft."""

from collections.abc import Iterator
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step

# How many positions inside turns may be looked at for each turn that is asked for.
_EFFORT = 20


class TooMany(Exception):
    """There are more turns, or more positions to count, than were asked for."""


class Turn(NamedTuple):
    """All steps of a color until the turn is over, and the position that follows."""

    steps: tuple[Step, ...]
    position: Position


def forced_step(position: Position) -> Step | None:
    """The one legal step inside an open turn, where there is just one."""
    if not position.open:
        return None
    steps = position.legal_steps()
    return steps[0] if len(steps) == 1 else None


def settle(position: Position) -> tuple[tuple[Step, ...], Position]:
    """The forced steps of the open turn, and the position after them."""
    steps: tuple[Step, ...] = ()
    while step := forced_step(position):
        steps += (step,)
        position = position.play_unchecked(step)
    return steps, position


def chosen_steps(position: Position, steps: tuple[Step, ...]) -> Iterator[Step]:
    """The steps played from a position without the forced ones, which go without saying.

    The first step is always among them.
    """
    for number, step in enumerate(steps):
        if number == 0 or step != forced_step(position):
            yield step
        position = position.play_unchecked(step)


def legal_turns(position: Position, limit: int) -> list[Turn]:
    """One turn for each first step and each distinct position it can lead to.

    Never every order of steps: one placement in Implo can have millions of them that lead to
    a handful of boards. Raises TooMany above `limit` turns, or when finding them takes some
    times as many positions.
    """
    turns: list[Turn] = []
    looked_at = 0
    met: set[Position] = set()
    for first in position.legal_steps():
        if not position.open:
            met = set()
        waiting = [Turn((first,), position.play_unchecked(first))]
        while waiting:
            turn = waiting.pop()
            if turn.position in met:
                continue
            met.add(turn.position)
            looked_at += 1
            if looked_at > limit * _EFFORT:
                raise TooMany
            if not turn.position.open:
                turns.append(turn)
                if len(turns) > limit:
                    raise TooMany
                continue
            for step in reversed(turn.position.legal_steps()):
                after = turn.position.play_unchecked(step)
                waiting.append(Turn((*turn.steps, step), after))
    return turns


def perft(position: Position, depth: int, limit: int) -> int:
    """The number of sequences of `depth` steps, or fewer where the game ends, from a position.

    Sequences that end early are not counted. Raises TooMany after playing `limit` steps.
    """
    played = 0

    def count(position: Position, depth: int) -> int:
        nonlocal played
        if depth == 0:
            return 1
        steps = position.legal_steps()
        if depth == 1:
            return len(steps)
        played += len(steps)
        if played > limit:
            raise TooMany
        return sum(count(position.play_unchecked(step), depth - 1) for step in steps)

    return count(position, depth)


def perft_turns(position: Position, depth: int, limit: int) -> int:
    """Like `perft`, for whole turns: one for each first step and distinct following position."""
    played = 0

    def count(position: Position, depth: int) -> int:
        nonlocal played
        if depth == 0:
            return 1
        turns = legal_turns(position, limit)
        played += len(turns)
        if played > limit:
            raise TooMany
        if depth == 1:
            return len(turns)
        return sum(count(turn.position, depth - 1) for turn in turns)

    return count(position, depth)
