"""What the judge of puzzles claims: proven results as facts, those of a search as opinions."""

import threading

import pytest

from gtp_engine.engine.tasks import judging
from gtp_engine.engine.tasks.judging import PuzzleJudge, Status
from gtp_engine.engine.tasks.proof import distinct_turns, read
from gtp_engine.engine.tasks.puzzle import ENDGAME, shipped
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.turns import read_turn, write_turn
from gtp_engine.search.backends.kernel import kernel_built

pytestmark = pytest.mark.skipif(not kernel_built(), reason="the solver in Python is slow")


def test_an_interrupted_judge_says_only_what_it_knows():
    *_, puzzle = (each for each in shipped(find_game("robble")) if each.kind == ENDGAME)
    position, right = read(puzzle)
    stop = threading.Event()
    stop.set()
    hurried = PuzzleJudge(puzzle, interrupt=stop)
    for turn in distinct_turns(position):  # the puzzle itself tells which of them win
        judgment = hurried.judge([write_turn(position, turn.steps)])
        assert (judgment.status is Status.WRONG) == (turn.position not in right)
        assert "The search thinks" not in judgment.words[-1]


def test_what_only_a_search_says_is_an_opinion(monkeypatch):
    """The solver gives up at once; the search has a seed, so its opinions are always the same."""
    *_, puzzle = (each for each in shipped(find_game("robble")) if each.kind == ENDGAME)
    position, _ = read(puzzle)
    patient = PuzzleJudge(puzzle)
    monkeypatch.setattr(judging, "_SOLVER_SECONDS", 0.0)
    hurried = PuzzleJudge(puzzle)
    begun = [puzzle.turns[0], *hurried.judge(puzzle.turns[:1]).replies]
    for word in begun:
        position = read_turn(position, (), word).position
    last = [[*begun, write_turn(position, turn.steps)] for turn in distinct_turns(position)]
    words = [(patient.judge(line), hurried.judge(line).words[-1]) for line in last]
    facts = [known.status for known, hurriedly in words if "That gives the win" in hurriedly]
    assert set(facts) <= {Status.WRONG}
    assert any("The search thinks that this gives the win" in hurriedly for _, hurriedly in words)
