"""Hex, sentence by sentence."""

import json

import pytest

from gtp_engine.engine.pictures.svg import Brush, center, surface
from gtp_engine.rules import find_game
from gtp_engine.rules.notation.rule_text import sentence
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.search.budget import Budget
from gtp_engine.search.openings.swap_maps import first_turns
from gtp_engine.search.solver import solve
from support.boards import after, objection, position
from support.driver import Driver
from support.examples import HEX, examples_there


@pytest.fixture(autouse=True)
def game():
    with examples_there():
        yield find_game(HEX)


def test_h1_points_have_six_neighbors_on_the_wire_and_in_pictures(game):
    """On 2x2 the one diagonal that joins neighbors is from A2 to B1."""
    view = json.loads(Driver(HEX, 3)("game-view"))
    assert view["game"]["neighbors"] == [[0, 1], [1, 0], [0, -1], [-1, 0], [-1, 1], [1, -1]]
    a2, b1 = (center(Vertex.parse(name), 2) for name in ("A2", "B1"))
    assert "M{} {}L{} {}".format(*a2, *b1) in "".join(surface(Brush("wood"), game.start(2)))


def test_h2_colors_own_edges(game):
    view = json.loads(Driver(HEX, 3)("game-view"))
    assert view["game"]["edges"]["top"] == "black"
    across = position(HEX, "B . . \n B . . \n B . .", "w")
    assert across.outcome().winner is BLACK
    assert position(HEX, ". . . \n B B B \n . . .", "w").outcome() is None


def test_h3_black_begins(game):
    assert game.start(3).to_move is BLACK


def test_h4_a_turn_is_a_stone_on_an_empty_point(game):
    before = after(game.start(3), "b2", "a1")
    assert objection(before, "b2").rule == "H4"
    assert before.to_move is BLACK and len(before.legal_steps()) == 7


@pytest.mark.parametrize(
    ("board", "winner"),
    [
        (". B . \n W B W \n . . B", BLACK),
        (". B . \n W B W \n B . .", None),
        (". . B \n W B W \n B . .", None),
        (". B . \n . B . \n . W B", BLACK),
        ("W . B \n . W B \n B . W", WHITE),
    ],
)
def test_h5_a_chain_between_the_edges_wins(board, winner):
    """Neighbors are also the upper left and the lower right of a point."""
    end = position(HEX, board, "w").outcome()
    assert (end and end.winner) == winner


def test_h6_the_swap_mirrors_the_stone(game):
    first = after(game.start(3, game.start(3).pie.PIECES), "b1")
    assert {str(step) for step in first.swaps()} == {"swap"}
    assert after(first, "swap").layers() == position(HEX, ". . . \n W . . \n . . .").layers()


def test_without_a_text_the_summary_says_the_rules(game):
    drive = Driver(HEX, 3)
    assert drive("game-rules").startswith("Connect your two edges")
    assert json.loads(drive("game-rule_sentences")) == []
    assert sentence(game, "H1") == ""


def test_first_turns_are_alike_where_they_are_worth_the_same(game):
    """On 3x3 five first turns stand for all nine."""
    found = first_turns(game, 3)
    assert [opening.images for opening in found] == [2, 2, 2, 2, 1]
    for opening in found:
        values = {solve(turn.position, Budget(visits=10**6)).value for turn in opening.alike}
        assert len(values) == 1
