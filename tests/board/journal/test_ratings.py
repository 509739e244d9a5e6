"""The estimate of a person's strength from games against levels."""

import pytest

from gtp_engine.board.journal.ratings import MOST_POINTS, Finished, estimate, ratings

SCALE = {"1": 0.0, "2": 200.0, "3": 400.0}


def games(level: str, *scores: float) -> list[Finished]:
    return [Finished(100.0 + n, "x", 5, level, score) for n, score in enumerate(scores)]


def test_half_of_the_points_means_as_strong_as_the_opponent():
    assert estimate(games("2", 1, 0, 0.5, 1, 0), SCALE) == pytest.approx(200, abs=1)


def test_three_of_four_points_against_one_level_are_190_elo():
    """The formula of Elo, with the drawn game that is added: 15.5 of 21 points."""
    found = estimate(games("2", *([1] * 15 + [0] * 5)), SCALE)
    assert found == pytest.approx(200 + 179, abs=2)


def test_who_wins_all_games_has_a_rating_too_and_it_grows():
    few, many = (estimate(games("1", *[1] * count), SCALE) for count in (2, 10))
    assert 100 < few < many < 800
    lost = estimate(games("1", 0, 0), SCALE)
    assert lost == pytest.approx(-few, abs=1)


def test_games_against_unknown_levels_count_only_in_the_table():
    played = [*games("9", 1, 0), *games("", 0.5)]
    assert estimate(played, SCALE) is None
    told = ratings(played, SCALE)
    assert told["levels"] == [
        {"level": "9", "games": 2, "score": 1},
        {"level": "", "games": 1, "score": 0.5},
    ]
    assert [point["rating"] for point in told["curve"]] == [None, None, None]


def test_the_curve_goes_up_when_somebody_improves_and_is_bounded():
    played = [*games("1", *[0, 1] * 60), *games("3", *[1, 0] * 60)]
    told = ratings(played, SCALE)
    curve = [point["rating"] for point in told["curve"]]
    assert len(curve) == MOST_POINTS
    assert curve[0] == pytest.approx(400, abs=25)  # the older games are not shown
    early = ratings(played[:MOST_POINTS], SCALE)["curve"]
    assert early[-1]["rating"] == pytest.approx(0, abs=25)


def test_nobody_has_played():
    assert ratings([], SCALE) == {"levels": [], "curve": []}


def test_each_point_of_the_curve_is_the_estimate_after_its_game():
    """Of that game and those before it, as far as they count."""
    games = [Finished(when, "implo", 8, str(1 + when % 3), float(when % 2)) for when in range(30)]
    scale = {"1": 200.0, "2": 600.0, "3": 1000.0}
    curve = ratings(games, scale)["curve"]
    assert [point["when"] for point in curve] == list(range(30))
    for number, point in enumerate(curve, 1):
        assert point["rating"] == estimate(games[max(0, number - 20) : number], scale)
    assert curve[0]["rating"] < curve[1]["rating"], "a loss, then a win"
