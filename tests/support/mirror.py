"""Compares the kernel's rules with those in Python: both must give every result alike."""

import struct

from gtp_engine.rules import games
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import Outcome, Step
from gtp_engine.search.backends.kernel import (
    kernel_built,
    kernel_for,
    kernel_games,
    numbered_step,
    step_number,
)

WINNERS = [None, Color.BLACK, Color.WHITE, None]
UNDECIDED = 0


def in_kernel(position: Position):
    """The position in the kernel."""
    return kernel_for(position.game.name).Position(write_position(position))


def unless_refused(position: Position):
    """The position in the kernel; None if it refuses it, for the reason that the rules give."""
    try:
        return in_kernel(position)
    except ValueError as refusal:
        said = str(refusal)
    assert said == position.flaw(), write_position(position)
    return None


def steps_in_kernel(position: Position, there) -> tuple[Step, ...]:
    return tuple(numbered_step(position.game, number) for number in there.legal_steps())


def assert_same(position: Position, there, outcome: Outcome | None, steps: tuple[Step, ...]):
    """A position, its outcome and its legal steps, in the same order."""
    assert there.open == position.open
    assert_same_outcome(position, there, outcome)
    assert steps_in_kernel(position, there) == steps, write_position(position)


def assert_same_outcome(position: Position, there, outcome: Outcome | None):
    number, margin = there.outcome()
    assert (number == UNDECIDED) == (outcome is None), write_position(position)
    if outcome is not None:
        assert WINNERS[number] is outcome.winner, write_position(position)
        assert margin == (-1 if outcome.margin is None else outcome.margin)


def in_header(game: Game) -> bool:
    """Whether the kernel has a game."""
    return kernel_built(game.name)


def games_in_kernel() -> list[str]:
    """The names of the games that the kernel has; where none was built, of all games."""
    return kernel_games() or [game.name for game in games()]


def hold_against_kernel(monkeypatch) -> None:
    """From now on whatever the rules in Python answer is compared with the kernel's answer."""
    legal_steps, play_unchecked = Position.legal_steps, Position.play_unchecked

    def compared_steps(self):
        steps = legal_steps(self)
        if in_header(self.game) and (there := unless_refused(self)):
            assert steps_in_kernel(self, there) == steps, write_position(self)
        return steps

    def compared_play(self, step):
        after = play_unchecked(self, step)
        if in_header(self.game) and (there := unless_refused(self)):
            there.play(step_number(self.game, step))
            assert there.text() == write_position(after)
            assert there.open == after.open
        return after

    monkeypatch.setattr(Position, "legal_steps", compared_steps)
    monkeypatch.setattr(Position, "play_unchecked", compared_play)
    for kind in Position.__subclasses__():
        monkeypatch.setattr(kind, "outcome", compared_outcome(kind.outcome))


def compared_outcome(original):
    compared = set()  # many steps are asked of a position, and each first asks for its outcome

    def outcome(self):
        found = original(self)
        if (self, found) in compared or not in_header(self.game):
            return found
        compared.add((self, found))
        # Set-ups are asked for their outcome before they are refused.
        if there := unless_refused(self):
            assert_same_outcome(self, there, found)
        return found

    return outcome


def numbers(packed: bytes) -> list[float]:
    """The inputs or outputs of a net, which the kernel gives as 32-bit floats."""
    return list(struct.unpack(f"<{len(packed) // 4}f", packed))
