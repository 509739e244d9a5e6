"""The puzzles and endgames that come with the games: their number, their ids, their claims."""

from collections import Counter

import pytest

from documents.reference import documented_games
from gtp_engine.engine.tasks.identity import identity
from gtp_engine.engine.tasks.proof import check, read
from gtp_engine.engine.tasks.puzzle import ENDGAME, PROVEN, shipped
from gtp_engine.rules import games
from gtp_engine.search.backends.kernel import kernel_built
from support.shipped_data import shipped_data

GAMES = documented_games()
FEWEST_PUZZLES, FEWEST_ENDGAMES = 60, 12


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_game_has_many_puzzles_of_several_grades_and_sizes(game):
    puzzles = [each for each in shipped(game) if each.kind != ENDGAME]
    assert len(puzzles) >= FEWEST_PUZZLES
    assert len(shipped(game)) - len(puzzles) >= FEWEST_ENDGAMES
    assert sum(each.kind == PROVEN for each in puzzles) >= len(puzzles) / 2
    grades = Counter(each.grade for each in puzzles)
    assert all(grades[grade] >= 5 for grade in (1, 2, 3))
    assert len({each.position.split()[1] for each in puzzles}) > 1


@shipped_data("puzzles")
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_positions_and_turns_are_legal_and_no_two_are_alike(game):
    found = [read(each)[0] for each in shipped(game)]
    assert all(position.game is game for position in found)
    assert [identity(position) for position in found] == [each.id for each in shipped(game)]
    assert len({each.id for each in shipped(game)}) == len(found)


def test_games_without_a_file_have_none():
    assert all(shipped(game) == () for game in games() if game not in GAMES)


@shipped_data("puzzles")
@pytest.mark.skipif(not kernel_built(), reason="the solver in Python is slow")
@pytest.mark.parametrize(
    "puzzle", [each for game in GAMES for each in shipped(game)], ids=lambda puzzle: puzzle.id
)
def test_what_is_claimed_of_a_puzzle_is_proven_again(puzzle):
    check(puzzle)
