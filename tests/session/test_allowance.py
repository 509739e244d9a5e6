"""What a turn may cost by the clock."""

import threading

import pytest

from gtp_engine.board.clock import Kind, TimeControl
from gtp_engine.notation.position_text import read_position
from gtp_engine.session.allowance import allowance
from gtp_engine.session.settings import ADAPTIVE, FIXED, Settings

EMPTY = "......./......./......./......./......./......./......."
TWO_FIFTHS = "......./......./......./......./.BWBWBW/WBWBWBW/BWBWBWB"
TWO_THIRDS = "......./......./BWBWBWB/WBWBWBW/BWBWBWB/WBWBWBW/BWBWBWB"


def seconds(game: str, rows: str, timing: str) -> float:
    """For the next turn, with 100 seconds left."""
    position = read_position(f"{game} 7 {rows} b pie=off")
    clock = TimeControl(Kind.ABSOLUTE, main=100.0).start()
    settings = Settings(level=10, timing=timing)
    found = allowance(settings, position, clock, None, threading.Event()).seconds
    assert found is not None
    return found


@pytest.mark.parametrize("rows", [TWO_FIFTHS, TWO_THIRDS])
@pytest.mark.parametrize("game", ["implo", "robble"])
def test_a_turn_of_the_later_game_has_its_share(game, rows):
    assert seconds(game, rows, ADAPTIVE) == seconds(game, rows, FIXED)


def test_the_opening_of_robble_takes_little_time():
    """Who has the better of it is open there for long, and nothing that is searched says more."""
    assert seconds("robble", EMPTY, ADAPTIVE) < seconds("robble", EMPTY, FIXED) / 4
    assert seconds("robble", TWO_FIFTHS, ADAPTIVE) > 4 * seconds("robble", EMPTY, ADAPTIVE)


@pytest.mark.parametrize("game", ["boloa", "implo", "pilo"])
def test_the_opening_of_other_games_is_as_important_as_the_rest(game):
    assert seconds(game, EMPTY, ADAPTIVE) == seconds(game, EMPTY, FIXED)


def test_no_turn_of_a_game_takes_more_than_a_tenth():
    assert seconds("robble", TWO_THIRDS, ADAPTIVE) < 10
