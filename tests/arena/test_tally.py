"""Counts of games by engines, pairs, colors, boards, openings and faults."""

import pytest

from gtp_engine.arena.stats.tally import LISTED_GAMES, Course, Moment, Tally
from gtp_engine.arena.values import Board, Fault
from gtp_engine.base.statistics.statistics import Counts
from support.matches import START, game_of, games_between, match_of, random_games

IMPLO = Board("implo", 6, "pieces")


def tally_of(games) -> Tally:
    tally = Tally()
    for number, game in enumerate(games, 1):
        tally.add(game, number)
    return tally


@pytest.fixture
def tally():
    return tally_of(games_between("A", "B", "11 10 1= 0= 00 == 01 1"))


def test_a_test_ends_once():
    """Games that were in progress when it ended bring the ratio back, and change nothing."""
    test = match_of("A", "B", sprt={"elo0": 0, "elo1": 100}).pair_test()
    tally = Tally(test)
    for game in games_between("A", "B", "11 " * 20 + "00 " * 10):
        tally.add(game)
    assert tally.decision is not None
    assert tally.decision.accepted == "H1"
    assert tally.decision.counts.numbers[:4] == (0, 0, 0, 0)
    assert tally.decision.llr >= test.sprt.bounds.upper
    assert test.sprt.accepted(tally.pairs("A", "B")) is None


def test_games_and_pairs(tally):
    """Eight pairs; of the last one the second game is missing."""
    meeting = tally.meetings["A", "B"]
    assert tally.games == 15
    assert meeting.games == Counts((5, 4, 6))
    assert meeting.paired == Counts((1, 1, 3, 1, 1))
    assert len(meeting.unfinished) == 1
    assert tally.complete_pairs == 7


def test_colors(tally):
    """A has the first game of each pair as BLACK."""
    black, white = tally.halves_of("A")
    assert (black, white) == (Counts((3, 1, 4)), Counts((2, 3, 2)))
    assert tally.halves_of("B") == (white.reversed(), black.reversed())
    assert tally.games_of("B") == Counts((6, 4, 5))
    assert tally.by_first_turn() == {("A", "B"): black, ("B", "A"): white.reversed()}


def test_the_second_engine_sees_the_reverse(tally):
    assert tally.pairs("B", "A") == tally.pairs("A", "B").reversed() == Counts((1, 1, 3, 1, 1))
    assert tally.games_between("B", "A") == Counts((6, 4, 5))
    assert (tally.games_between("A", "X").units, tally.pairs("A", "X").units) == (0, 0)


def test_the_second_engine_sees_the_reverse_of_results_that_are_not_even():
    tally = tally_of(games_between("A", "B", "11 11 1= =0 1"))
    assert tally.pairs("A", "B") == Counts((0, 1, 0, 1, 2))
    assert tally.pairs("B", "A") == Counts((2, 1, 0, 1, 0))
    assert tally.games_between("A", "B") == Counts((1, 2, 6))
    assert tally.games_between("B", "A") == Counts((6, 2, 1))


def test_strength_is_of_pairs_once_there_is_one():
    assert tally_of(games_between("A", "B", "1")).meetings["A", "B"].counts == Counts((0, 0, 1))
    meeting = tally_of(games_between("A", "B", "10 1")).meetings["A", "B"]
    assert meeting.counts == Counts((0, 0, 1, 0, 0))


def test_a_pair_is_complete_in_any_order():
    games = list(games_between("A", "B", "1= 00"))
    backwards = tally_of(reversed(games)).meetings["A", "B"]
    assert backwards.paired == Counts((1, 0, 0, 1, 0))
    assert not backwards.unfinished


def test_equal_numbers_on_two_boards_are_two_pairs():
    games = [*games_between("A", "B", "1"), *games_between("A", "B", "1", board=IMPLO)]
    tally = tally_of(games)
    assert len(tally.meetings["A", "B"].unfinished) == 2
    assert {board.name for board in tally.boards} == {"robble 5", "implo 6"}
    assert tally.on_board[IMPLO, "A", "B"].games == Counts((0, 0, 1))


def test_boards_and_swaps():
    """A swap is the second player's; with two given turns or no pie rule there is none."""
    tally = tally_of(
        [
            game_of("A", "B", 0, 0, "B", swapped=True, length=20),
            game_of("A", "B", 0, 1, "B", swapped=True, length=30),
            game_of("A", "B", 1, 0, None, length=30),
            game_of("A", "B", 2, 0, "A", opening=("A1", "B2"), length=31),
            game_of("A", "B", 2, 1, "A", opening=("A1", "swap"), swapped=True, length=31),
            game_of("A", "B", 3, 0, "A", opening=("A1",), length=29),
            game_of("A", "B", 4, 0, "A", opening=("A1", "B2"), fault=Fault.CRASH, length=3),
        ]
    )
    (games,) = tally.boards.values()
    assert games.first == [2, 1, 4]
    assert (games.swapped, games.unswapped, games.swap_rate) == ([1, 0, 1], 2, 0.5)
    assert games.lengths == {20: 1, 29: 1, 30: 2, 31: 2}


def test_without_a_pie_rule_there_is_no_swap_rate():
    board = Board("robble", 5, "off")
    (games,) = tally_of(games_between("A", "B", "10", board=board)).boards.values()
    assert games.swap_rate is None


def test_openings_as_black_sees_them():
    first = games_between("A", "B", "11 0", opening=("A1", "C3"))
    second = games_between("A", "B", "1=", opening=())
    (board,) = tally_of(games_between("A", "B", "1")).boards
    assert tally_of([*first, *second]).openings == {
        (board, ("A1", "C3")): [2, 0, 1],
        (board, ()): [0, 1, 1],
    }


def test_faults_are_the_losers():
    tally = tally_of(
        [
            game_of("A", "B", 0, 0, "A", fault=Fault.CRASH),
            game_of("A", "B", 0, 1, "A", fault=Fault.CRASH),
            game_of("A", "B", 1, 0, "B", fault=Fault.TIME),
            game_of("A", "B", 1, 1, "B"),
        ]
    )
    assert tally.faults == {("B", Fault.CRASH): 2, ("A", Fault.TIME): 1}
    assert [game.number for game in tally.faulty] == [1, 2, 3]


def test_when_it_was_played():
    tally = tally_of([game_of("A", "B", 0, 0, "A", started=START + t) for t in (60, 0, 30)])
    assert (tally.started, tally.ended, tally.seconds) == (START, START + 65, 15)
    assert (Tally().started, Tally().ended) == (None, None)


def test_a_long_match_needs_little_memory():
    """Only the last games are kept, and of the course no more than can be drawn."""
    match = match_of("A", "B", games=6000)
    tally = tally_of(random_games(match, {"A": 30, "B": 0}))
    assert tally.games == 6000
    assert [game.number for game in tally.recent] == list(range(6001 - LISTED_GAMES, 6001))
    moments = tally.courses["A", "B"].moments
    assert 200 < len(moments) <= 513
    assert moments[-1] == Moment(6000, tuple(tally.meetings["A", "B"].pairs))


def test_a_course_keeps_evenly_spaced_moments():
    course = Course()
    assert course.moments == []
    for games in range(2, 2202, 2):
        course.add(Moment(games, (0, 0, games // 2, 0, 0)))
    games = [moment.games for moment in course.moments]
    assert games[-1] == 2200
    assert {later - earlier for earlier, later in zip(games[:-1], games[1:-1])} == {8}
