"""Games of a match as records."""

from matches import game_of

from gtp_engine.arena.records import PlayedTurn
from gtp_engine.board.color import BLACK, WHITE
from gtp_engine.cli.arena_games import sgf_of

SAID = "Black wins 50.0%, 100 visits, C3 B2; 1.8 points of winning chance better than D4"


def test_what_an_engine_said_is_taken_apart():
    turns = (
        PlayedTurn("A", BLACK, "C3", 0.25, 0.5, 100, SAID),
        PlayedTurn("B", WHITE, "B2", 1.5),
    )
    text = sgf_of(game_of("A", "B", 3, 1, "A"), turns)
    assert "LINE[C3 B2]" in text
    assert "WHY[1.8 points of winning chance better than D4]" in text
    assert f"C[{SAID}]" in text
