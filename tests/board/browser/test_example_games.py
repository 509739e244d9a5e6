"""The example games on the board: the page knows no game, so it shows new ones, too."""

import random

import pytest

from board.browser.test_games import ENDED
from gtp_engine.rules import find_game
from support import screens
from support.examples import NAMES, examples_there
from support.thorough import thorough


@pytest.fixture(autouse=True)
def _there():
    with examples_there():
        yield


@thorough
@pytest.mark.parametrize("game", NAMES)
def test_two_people_play_a_new_game_by_clicks(screen, game):
    screen.begin(game, 4, pie="pieces" if find_game(game).has_pie else "")
    assert screens.play_out(screen, random.Random(5), screen.click) > 3
    screen.until(ENDED)
