"""Whole turns, derived from steps: forced steps, lines of play, distinct turns, perft."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, bit, union
from gtp_engine.rules.step import SWAPS, Step

_ALL = 10**9

ShouldStop = Callable[[], bool]
"""Polled regularly; True ends the computation."""


class TooMany(Exception):
    """There are more turns than requested, or the computation was stopped."""


class Turn(NamedTuple):
    """Steps of a color, forced ones included, until its turn is over or the steps are cut off.

    start    -- the position before them
    position -- the position after them; it is open if they are cut off
    """

    start: Position
    steps: tuple[Step, ...]
    position: Position

    @property
    def color(self) -> Color:
        """The color that plays it."""
        return self.start.to_move

    @property
    def whole(self) -> bool:
        """Whether the turn is over after it."""
        return not self.position.open

    @property
    def swaps(self) -> bool:
        """Whether it is a swap."""
        return self.steps[0] in SWAPS.values()

    @property
    def points(self) -> Points:
        """The points that its steps name."""
        return union(bit(vertex) for step in self.steps for vertex in step.vertices)


def random_turn(
    position: Position, choice: Callable[[Sequence[Step]], Step], swaps: bool = True
) -> Turn:
    """A whole turn of random legal steps.

    choice -- chooses one of some steps, as `random.choice` does
    swaps  -- whether it may be a swap
    """
    start, steps = position, list[Step]()
    while not steps or position.open:
        legal = position.legal_steps()
        if not swaps:
            legal = tuple(step for step in legal if step not in SWAPS.values())
        steps.append(choice(legal))
        position = position.play_unchecked(steps[-1])
    return Turn(start, tuple(steps), position)


def walk(position: Position, steps: Iterable[Step]) -> Iterator[tuple[Position, Step]]:
    """Some steps, each with the position before it. The last step is not played."""
    before: Step | None = None
    for step in steps:
        if before is not None:
            position = position.play_unchecked(before)
        yield position, step
        before = step


def played(position: Position, steps: Iterable[Step]) -> Position:
    """The position after some steps, forced ones included."""
    for step in steps:
        position = position.play_unchecked(step)
    return position


def walk_line(position: Position, line: Sequence[Step]) -> list[tuple[Position, Step]]:
    """The steps of a line of play, each with the position before it. The last step is not played.

    Only the first step may be a forced one.
    """
    before = [position] if line else []
    for step in line[:-1]:
        _, position = settle(position.play_unchecked(step))
        before.append(position)
    return list(zip(before, line))


def turns_of(position: Position, line: Iterable[Step]) -> Iterator[Turn]:
    """The turns of a line of play without its forced steps; the last one may be cut off."""
    start = position
    steps, position = settle(position)
    if steps and not position.open:  # the rest of a turn, all of it forced
        yield Turn(start, steps, position)
        start, steps = position, ()
    for step in line:
        forced, position = settle(position.play_unchecked(step))
        steps += (step, *forced)
        if not position.open:
            yield Turn(start, steps, position)
            start, steps = position, ()
    if steps:
        yield Turn(start, steps, position)


def turn_ends(position: Position, line: Iterable[Step]) -> tuple[int, ...]:
    """After how many steps of a line, and the forced ones that follow, each turn is over."""
    ends = []
    for made, step in enumerate(line, 1):
        _, position = settle(position.play_unchecked(step))
        if not position.open:
            ends.append(made)
    return tuple(ends)


def forced_step(position: Position) -> Step | None:
    """The only legal step inside an open turn; None if there are several."""
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
    """The steps played from a position without the forced ones, which may be left out.

    The first step is always included.
    """
    yield from steps[:1]
    if len(steps) > 1:
        yield from free_steps(position.play_unchecked(steps[0]), steps[1:])


def free_steps(position: Position, steps: Iterable[Step]) -> Iterator[Step]:
    """The steps played from a position without any forced step."""
    for before, step in walk(position, steps):
        if step != forced_step(before):
            yield step


def legal_turns(
    position: Position,
    limit: int,
    stop: ShouldStop = lambda: False,
    first_steps: Iterable[Step] | None = None,
) -> list[Turn]:
    """One turn per distinct resulting position, and at the beginning of a turn per first step.

    Not every order of steps: a turn that resolves patches can have millions of orders that lead to
    a handful of boards. The turns begin with one of `first_steps`, or with any legal step. Raises
    TooMany above `limit` turns, or when stopped.
    """
    turns: list[Turn] = []
    met: set[Position] = set()
    for first in position.legal_steps() if first_steps is None else first_steps:
        if not position.open:
            met = set()
        waiting = [Turn(position, (first,), position.play_unchecked(first))]
        while waiting:
            turn = waiting.pop()
            if turn.position in met:
                continue
            met.add(turn.position)
            if not turn.position.open:
                turns.append(turn)
            if len(turns) > limit or stop():
                raise TooMany
            if not turn.position.open:
                continue
            for step in reversed(turn.position.legal_steps()):
                reached = turn.position.play_unchecked(step)
                waiting.append(Turn(position, (*turn.steps, step), reached))
    return turns


def perft(position: Position, depth: int, stop: ShouldStop = lambda: False) -> int:
    """The number of sequences of `depth` legal steps from a position.

    Sequences that end early, with the game, do not count. Raises TooMany when stopped.
    """
    if depth == 0:
        return 1
    if stop():
        raise TooMany
    steps = position.legal_steps()
    if depth == 1:
        return len(steps)
    return sum(perft(position.play_unchecked(step), depth - 1, stop) for step in steps)


def perft_turns(position: Position, depth: int, stop: ShouldStop = lambda: False) -> int:
    """Like `perft`, for whole turns: one per first step and distinct resulting position."""
    if depth == 0:
        return 1
    turns = legal_turns(position, _ALL, stop)
    if depth == 1:
        return len(turns)
    return sum(perft_turns(turn.position, depth - 1, stop) for turn in turns)
