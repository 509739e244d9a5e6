"""The plan of a training."""

import pytest

from gtp_engine.learn.plan import Plan, usual_sizes
from gtp_engine.learn.selfplay import draw_size
from gtp_engine.rules import find_game


def test_a_training_plays_on_all_sizes_that_are_recommended(game):
    lowest, highest = game.recommended or (max(5, game.default_size - 2), game.default_size + 2)
    assert usual_sizes(game.name, game.default_size) == tuple(range(lowest, highest + 1))


def test_a_size_that_is_not_recommended_stands_alone(game):
    assert usual_sizes(game.name, 3) == (3,)
    if game.recommended is None:
        assert usual_sizes(game.name, 19) == (17, 18, 19)
    else:
        assert usual_sizes(game.name, 19) == (19,)


@pytest.mark.parametrize(
    "sizes, mix",
    [
        ((8,), {8: 1.0}),
        ((6, 8, 10), {6: 0.25, 8: 0.5, 10: 0.25}),
        (None, {6: 0.125, 7: 0.125, 8: 0.5, 9: 0.125, 10: 0.125}),
    ],
)
def test_half_of_the_games_are_on_the_asked_size(sizes, mix):
    assert find_game("implo").recommended == (6, 10)
    assert dict(Plan("implo", 8, sizes).boards) == mix


def test_the_seed_draws_the_size():
    mix = Plan("implo", 8, (6, 8, 10)).boards
    drawn = [draw_size(mix, f"1 2 {number}") for number in range(400)]
    assert drawn == [draw_size(mix, f"1 2 {number}") for number in range(400)]
    assert [160 < drawn.count(8) < 240, 60 < drawn.count(6) < 140, len(set(drawn))] == [
        True
    ] * 2 + [3]
