"""Walks of steps, of lines of play and of their turns."""

import json
import random

from gtp_engine.rules.game import Position
from gtp_engine.rules.implo import PLACE_AT
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import SEPARATOR, word_of, write_line
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.turns import (
    Turn,
    free_steps,
    played,
    random_turn,
    settle,
    turns_of,
    walk,
    walk_line,
)
from support.boards import position
from support.driver import Driver


def random_turns(game, seed: int, most: int = 12) -> list[Turn]:
    """The first turns of a random game."""
    rng, at, turns = random.Random(seed), game.start(4), []
    while at.outcome() is None and len(turns) < most:
        turns.append(random_turn(at, rng.choice))
        at = turns[-1].position
    return turns


def line_of(turns: list[Turn]) -> list:
    """The steps of turns without the forced ones, as a search tells them."""
    return [step for turn in turns for step in free_steps(turn.start, turn.steps)]


def test_the_turns_of_a_line_are_those_that_were_played(game):
    for seed in range(3):
        turns = random_turns(game, seed)
        start, line = turns[0].start, line_of(turns)
        assert list(turns_of(start, line)) == turns
        assert all(turn.whole for turn in turns)
        assert [word_of(turn) for turn in turns] == write_line(start, line)
        assert list(turns_of(start, [])) == []


ONE_WHITE = "B . .\n. W .\n. . ."


def placed(word: str) -> Position:
    """A position inside a turn."""
    start = position("implo", ONE_WHITE)
    (step,) = (step for step in start.legal_steps() if str(step) == word)
    return start.play_unchecked(step)


def test_the_last_turn_of_a_line_may_be_cut_off():
    start, after = position("implo", ONE_WHITE), placed("B1")
    first, _ = after.legal_steps()
    (cut,) = turns_of(start, [PLACE_AT[Vertex.parse("B1")]])
    assert (cut.position, cut.whole, word_of(cut)) == (after, False, "B1")
    (whole,) = turns_of(start, [PLACE_AT[Vertex.parse("B1")], first])
    assert whole.whole and word_of(whole) == f"B1{SEPARATOR}{first}"


def test_the_forced_rest_of_a_turn_is_a_turn():
    """The line of a search begins after it."""
    start = placed("A1")
    forced, settled = settle(start)
    assert forced and not settled.open
    reply = settled.legal_steps()[0]
    assert list(turns_of(start, []))[0] == Turn(start, forced, settled)
    rest, answer = turns_of(start, [reply])
    assert (rest.steps, rest.color, rest.whole) == (forced, start.to_move, True)
    assert (answer.start, answer.steps[:1]) == (settled, (reply,))


def test_a_hint_inside_a_turn_is_its_forced_rest():
    drive = Driver("implo", 3)
    drive("game-set visits 50")
    drive(f"game-position {write_position(placed('A1'))}")
    hint = json.loads(drive("game-hint"))
    assert hint["turn"] == hint["line"][0] == "A2"
    drive(f"play b {hint['turn']}")
    drive(f"play w {hint['line'][1]}")


def test_a_walk_gives_each_step_the_position_before_it(game):
    turns = random_turns(game, 5)
    start, steps = turns[0].start, [step for turn in turns for step in turn.steps]
    at = start
    for before, step in walk(start, steps):
        assert before == at
        at = at.play_unchecked(step)
    assert at == played(start, steps) == turns[-1].position
    free = line_of(turns)
    assert [step for _, step in walk_line(start, free)] == free
    assert walk_line(start, []) == []
    assert all(step in before.legal_steps() for before, step in walk_line(start, free))
