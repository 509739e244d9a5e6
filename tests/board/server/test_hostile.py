"""Short runs of the scripts that attack a board, play at it, and use it for hours."""

import asyncio

from gtp_engine.board.server.page_messages import KINDS
from gtp_engine.rules import games
from standing.board_fuzz import attack
from standing.board_games import play_games
from standing.board_hours import spend
from support.thorough import thorough


@thorough
def test_no_message_does_harm():
    """tests/standing/board_fuzz.py --messages 1000000 sends more."""
    report = asyncio.run(attack(1500, seed=7))
    assert report.sent >= 1500
    assert report.sockets > 20
    assert len(report.kinds) > len(KINDS) * 0.8
    assert (report.forbidden, report.files, report.stderr) == ("", [], "")


@thorough
def test_every_view_says_what_the_commands_say():
    """tests/standing/board_games.py --games 1000 plays more, on larger boards."""
    views, _ = asyncio.run(play_games(2 * len(games()), seed=3, sizes=(2, 4)))
    assert views > 40


@thorough
def test_turns_and_frames_are_forgotten():
    """tests/standing/board_hours.py stays longer, and tells slopes that are worth more."""
    growth = asyncio.run(spend(80, 1500))
    assert growth.frame < 500
    assert growth.turn < 50_000
    assert growth.size < 120
