"""What the judge of puzzles claims: proven results as facts, those of a search as opinions."""

import threading
from functools import partial

import pytest

from gtp_engine.engine.tasks.exercise import endgame_exercises, find_exercise
from gtp_engine.engine.tasks.judging import Status, judge
from gtp_engine.engine.tasks.proof import distinct_turns, read
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.turns import read_turn, write_turn
from gtp_engine.search.backends.kernel import kernel_built

pytestmark = pytest.mark.skipif(not kernel_built(), reason="the solver in Python is slow")


def test_an_interrupted_judge_says_only_what_it_knows():
    endgame = endgame_exercises(find_game("robble"))[-1]
    position, right = read(endgame.goal)
    stop = threading.Event()
    stop.set()
    hurried = partial(judge, endgame, interrupt=stop)
    for turn in distinct_turns(position):  # the puzzle itself tells which of them win
        judgment = hurried([write_turn(position, turn.steps)])
        assert (judgment.status is Status.WRONG) == (turn.position not in right)
        assert "The search thinks" not in judgment.words[-1]


def test_what_only_a_search_says_is_an_opinion():
    """The solver gives up at once; the search has a seed, so its opinions are always the same."""
    endgame = endgame_exercises(find_game("robble"))[-1]
    position, _ = read(endgame.goal)
    patient, hurried = partial(judge, endgame), partial(judge, endgame, seconds=0.0)
    begun = [endgame.solution, *hurried([endgame.solution]).replies]
    for word in begun:
        position = read_turn(position, (), word).position
    last = [[*begun, write_turn(position, turn.steps)] for turn in distinct_turns(position)]
    words = [(patient(line), hurried(line).words[-1]) for line in last]
    facts = [known.status for known, hurriedly in words if "That gives the win" in hurriedly]
    assert set(facts) <= {Status.WRONG}
    assert any("The search thinks that this gives the win" in hurriedly for _, hurriedly in words)


def test_a_puzzle_is_solved_by_its_third_right_turn():
    puzzle = find_exercise("implo.810cc102")
    line = ["B2", "B5/B6", "C5", "B4/B5", "C4"]
    told = [judge(puzzle, line[:length]).status for length in (1, 3, 5)]
    assert told == [Status.OPEN, Status.OPEN, Status.RIGHT]
