"""Random turns by our own rules, for the checked engine to follow."""

import random

from gtp_engine.notation.turns import write_turn
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step

LONGEST_GAME = 2000  # turns


def random_turn(position: Position, rng: random.Random) -> tuple[tuple[Step, ...], Position]:
    """The steps of a random legal turn, and the position after it."""
    steps: tuple[Step, ...] = ()
    while True:
        step = rng.choice(position.legal_steps())
        steps, position = (*steps, step), position.play_unchecked(step)
        if not position.open:
            return steps, position


def play_line(position: Position, steps: tuple[Step, ...]) -> str:
    """The command that plays steps, in the specified notation."""
    return f"play {position.to_move.letter} {write_turn(position, steps)}"


def first_word(position: Position) -> str:
    """The first legal step of a position, as a word."""
    return str(position.legal_steps()[0])
