"""Games of match files for the explorer of the board."""

from contextlib import closing

import pytest

from gtp_engine.arena.storage.store import Store, StoreFailed
from gtp_engine.arena.values import GameRecord, TurnRecord
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.cli import past_matches
from gtp_engine.cli.past_matches import MatchGames, check_matches
from gtp_engine.engine.explored_games import ExploredGames
from gtp_engine.rules import find_game
from gtp_engine.rules.points.color import Color
from support.matches import game_of, new_match


@pytest.fixture
def path(tmp_path):
    return new_match(tmp_path / "match.db")


def add(path, number, *words):
    """A game is played in the match."""
    colors = [Color.WHITE, Color.BLACK]
    turns = [TurnRecord("BA"[n % 2], colors[n % 2], word, 0.5) for n, word in enumerate(words)]
    with closing(Store(path)) as store:
        store.add(GameRecord(game_of("A", "B", number, 0, "A", opening=("A1",)), tuple(turns)))


def counted(source):
    """All games that the source still has, and what was played first in them."""
    explored = ExploredGames()
    while games := source.more(2):
        for game in games:
            explored.add(game)
    first = explored.played(find_game("robble").start(5))
    return explored.games, [(each.turn, each.black, each.games) for each in first]


def test_the_games_of_a_match_are_read_as_they_are_played(path):
    source = MatchGames(path)
    assert source.more(5) == []
    for number in range(3):
        add(path, number, "B2", "C3")
    assert counted(source) == (3, [("A1", 3, 3)])
    add(path, 3, "B3")
    assert counted(source) == (1, [("A1", 1, 1)])
    assert source.more(5) == []
    source.restart()
    assert counted(source)[0] == 4
    source.close()


def test_only_the_newest_games_are_read(path, monkeypatch):
    monkeypatch.setattr(past_matches, "MOST_GAMES", 2)
    for number in range(5):
        add(path, number, "B2")
    source = MatchGames(path)
    assert counted(source)[0] == 2
    source.close()


def test_a_game_that_cannot_be_played_is_passed_over(path):
    with closing(Store(path)) as store:
        store.add(GameRecord(game_of("A", "B", 0, 0, "A", opening=("Z9",)), ()))
    add(path, 1, "B2")
    source = MatchGames(path)
    assert counted(source)[0] == 1
    source.close()


def test_what_is_no_match_is_refused_at_once(tmp_path, path):
    check_matches([path])
    other = tmp_path / "other.db"
    with pytest.raises(StoreFailed, match="does not exist"):
        check_matches([path, other])
    with pytest.raises(CannotDo, match=r"does not exist\."):
        MatchGames(other).more(1)
    other.write_text("no database, but long enough to be looked at as if it were one")
    with pytest.raises(StoreFailed, match="is not a file of this program"):
        check_matches([other])
