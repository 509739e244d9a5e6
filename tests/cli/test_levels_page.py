"""The page of levels: its tables come from the counted games, and new matches are counted."""

from contextlib import closing
from pathlib import Path

import pytest

from documents.levels_page import (
    LADDER_PAGE,
    RECORDS,
    RESULTS_PAGE,
    Measured,
    counted,
    page,
    rated,
    ratings_of_levels,
    read_records,
)
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import GameRecord
from gtp_engine.search.levels import LADDER
from support.matches import games_between, match_of

SPECS = Path(__file__).parents[2] / "protocol_specs"


@pytest.mark.parametrize("name", [LADDER_PAGE, RESULTS_PAGE])
def test_the_tables_come_from_the_games(name):
    """If this fails, run: python tests documents.levels_page protocol_specs"""
    text = (SPECS / name).read_text()
    assert text == page(name, text, read_records(SPECS / RECORDS))


def test_the_ratings_come_from_the_games():
    assert [level.rating for level in LADDER] == ratings_of_levels(read_records(SPECS / RECORDS))


def test_higher_levels_have_higher_ratings_than_random_steps():
    ratings = [0, *(level.rating for level in LADDER)]
    assert ratings == sorted(set(ratings))


def test_a_match_is_counted_by_who_had_the_first_turn(tmp_path):
    path = tmp_path / "match.db"
    with closing(Store(path)) as store:
        store.begin(match_of("novice", "random"), {})
        for game in games_between("novice", "random", "11 1= 00"):
            store.add(GameRecord(game, (), ()))
    assert sorted(counted(path)) == [
        Measured("robble 5", "novice", "random", (1, 0, 2), "2026-09-21"),
        Measured("robble 5", "random", "novice", (1, 1, 1), "2026-09-21"),
    ]


def test_random_steps_are_the_zero_of_the_scale():
    games = [
        Measured("robble 5", "a", "random", (5, 0, 15), ""),
        Measured("x 5", "b", "a", (2, 0, 2), ""),
    ]
    found = rated(games)
    assert found["random"].elo.value == 0
    assert 100 < found["a"].elo.value < 200
    assert found["b"].elo.low < found["a"].elo.value < found["b"].elo.high
