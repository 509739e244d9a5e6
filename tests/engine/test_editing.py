"""Boards made piece by piece become the positions that they are."""

import json

from gtp_engine.engine.session import Session
from gtp_engine.engine.view.editing import cells, edited, palette
from gtp_engine.engine.view.view import view
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Pie
from support.driver import Driver
from support.playing import random_game


def seen(session: Session) -> dict[str, tuple]:
    """What a view shows on each point."""
    pieces = view(session)["pieces"]
    return {each["at"]: (each["shape"], each["color"], each["height"]) for each in pieces}


def test_a_board_of_pieces_is_its_position(any_game, rng):
    """At every position of a game: the palette has each piece, and its words give the position."""
    session = Session(any_game, 4)
    tools = palette(any_game)
    for position, _ in random_game(any_game.start(4, Pie.PIECES), rng):
        session.set_position(position)
        words = cells(session)
        shown = {
            at: [
                (tool["shape"], tool["color"], height)
                for tool in tools
                for height, each in enumerate(tool["words"], 1)
                if each == word
            ]
            for at, word in words.items()
        }
        assert shown == {at: [piece] for at, piece in seen(session).items()}
        drive = Driver()
        drive.session.set_position(position)
        board = " ".join(f"{at}={word}" for at, word in words.items())
        told = json.loads(drive(f"game-edit {position.to_move.letter} {board}"))
        assert told == {"position": write_position(position), "flaw": None}


def test_another_board_forgets_what_the_position_remembered(any_game, rng):
    """What is answered can be set up, and has the cells and the color that were asked for."""
    session = Session(any_game, 4)
    found = 0
    for position, _ in random_game(any_game.start(4), rng):
        session.set_position(position)
        board = {Vertex.parse(at): word for at, word in cells(session).items()}
        session.set_position(any_game.start(4))
        told = edited(session, position.to_move, board)
        assert (told["position"] is None) != (told["flaw"] is None)
        if told["position"] is not None:
            found += 1
            made = read_position(told["position"])
            assert (made.layers(), made.to_move) == (position.layers(), position.to_move)
    assert found > 3
