"""Breakthrough, sentence by sentence of texts/breakthrough.md."""

import json

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.notation.rule_text import rule_text, sentence
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.step import UnplayablePosition
from gtp_engine.rules.turns import perft
from support.boards import after, objection, picture, position, same, set_up, steps
from support.driver import Driver
from support.examples import BREAKTHROUGH, examples_there


@pytest.fixture(autouse=True)
def game():
    with examples_there():
        yield find_game(BREAKTHROUGH)


def test_t1_two_players(game):
    assert game.color_names == ("Black", "White")


@pytest.mark.parametrize(
    ("size", "board"),
    [
        (3, "W W W \n . . . \n B B B"),
        (4, "W W W W \n W W W W \n B B B B \n B B B B"),
        (5, "W W W W W \n W W W W W \n . . . . . \n B B B B B \n B B B B B"),
    ],
)
def test_t2_the_first_pieces(game, size, board):
    assert picture(game.start(size)) == same(board)


def test_t3_a_turn_moves_one_piece(game):
    first = after(game.start(5), "b2-b3")
    assert first.to_move is WHITE and not first.open


def test_t4_one_row_forward_to_an_empty_square():
    at = position(BREAKTHROUGH, ". . . . \n . W . . \n . B . B \n . . . .")
    assert steps(at) == {"B2-A3", "B2-C3", "D2-C3", "D2-D3"}
    for word in ("b2-b1", "b2-b4", "b2-d3", "a2-a3", "b3-b2"):
        assert objection(at, word).rule == "T4"
    white = position(BREAKTHROUGH, ". . . . \n . W . . \n . B . B \n . . . .", "w")
    assert steps(white) == {"B3-A2", "B3-C2"}


def test_t4_a_diagonal_square_with_an_own_piece():
    at = position(BREAKTHROUGH, ". . W \n . B . \n B . .")
    assert objection(at, "a1-b2").rule == "T4"


def test_t5_captures_are_diagonal():
    at = position(BREAKTHROUGH, ". . . . \n W W W . \n . B . . \n . . . .")
    assert steps(at) == {"B2-A3", "B2-C3"}
    assert objection(at, "b2-b3").rule == "T5"
    assert picture(after(at, "b2-c3")) == same(". . . . \n W W B . \n . . . . \n . . . .")


def test_t5_a_captured_piece_leaves_and_the_other_moves(game):
    """The same piece stands on the new square: a front end sees it go there."""
    drive = Driver(BREAKTHROUGH, 4)
    drive("game-position breakthrough 4 ..../W.../.B../.... b")
    before = json.loads(drive("game-view"))["pieces"]
    drive("play b b2-a3")
    (left,) = json.loads(drive("game-view"))["pieces"]
    assert (left["at"], left["color"]) == ("A3", "black")
    assert left["id"] in [each["id"] for each in before if each["color"] == "black"]
    assert drive("gogui-rules_captured_count") == "1 0"


def test_t6_there_is_always_a_move(game, rng):
    for _ in range(30):
        at = game.start(rng.choice((3, 4, 5)))
        while at.outcome() is None:
            assert at.legal_steps()
            at = at.play(rng.choice(at.legal_steps()))
    drive = Driver(BREAKTHROUGH, 4)
    assert drive.fails("play b pass") == "illegal move"


@pytest.mark.parametrize(
    ("board", "to_move", "rule", "winner"),
    [
        ("B . . \n . W . \n . . .", "w", "T7", BLACK),
        (". . . \n B . . \n . W .", "b", "T7", WHITE),
        (". . . \n B . . \n . . .", "w", "T8", BLACK),
    ],
)
def test_t7_and_t8_the_end(board, to_move, rule, winner):
    end = position(BREAKTHROUGH, board, to_move).outcome()
    assert (end.rule, end.winner) == (rule, winner)
    assert set_up(BREAKTHROUGH, board, to_move).legal_steps() == ()


@pytest.mark.parametrize(
    ("board", "to_move"),
    [
        ("B . . \n . W . \n . . .", "b"),
        ("W W W \n W . . \n B B B", "b"),
        (". . . \n . . . \n . . .", "b"),
    ],
)
def test_set_ups_that_no_game_reaches_are_refused(board, to_move):
    with pytest.raises(UnplayablePosition):
        set_up(BREAKTHROUGH, board, to_move)


@pytest.mark.parametrize(
    ("size", "counts"), [(3, [7, 42, 174]), (5, [13, 156, 1924]), (8, [22, 484, 11132])]
)
def test_perft(game, size, counts):
    """Agreed with an independent implementation."""
    assert [perft(game.start(size), depth) for depth in (1, 2, 3)] == counts


def test_the_text_has_all_sentences(game):
    assert len(rule_text(game).short) == 5
    assert [each.rule for each in rule_text(game).sentences] == [f"T{n}" for n in range(1, 9)]
    assert sentence(game, "T7").startswith("A player whose piece reaches")
    drive = Driver(BREAKTHROUGH)
    assert len(json.loads(drive("game-rule_sentences"))) == 8
