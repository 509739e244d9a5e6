"""Konane, sentence by sentence of texts/konane.md."""

import json

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.step import UnplayablePosition
from gtp_engine.rules.turns import perft
from support.boards import after, objection, picture, position, same, set_up, steps
from support.driver import Driver
from support.examples import KONANE, examples_there


@pytest.fixture(autouse=True)
def game():
    with examples_there():
        yield find_game(KONANE)


def test_k1_two_players(game):
    assert game.color_names == ("Black", "White")


@pytest.mark.parametrize(
    ("size", "board"),
    [
        (3, "B W B \n W B W \n B W B"),
        (4, "W B W B \n B W B W \n W B W B \n B W B W"),
    ],
)
def test_k2_a_full_board(game, size, board):
    assert picture(game.start(size)) == same(board)


def test_k3_black_begins(game):
    start = game.start(5)
    assert (start.to_move, after(start, "a1").to_move) == (BLACK, WHITE)


@pytest.mark.parametrize(
    ("size", "first"),
    [
        (2, {"A1", "B2"}),
        (4, {"A1", "B2", "C3", "D4"}),
        (5, {"A1", "A5", "C3", "E1", "E5"}),
        (6, {"A1", "C3", "D4", "F6"}),
    ],
)
def test_k4_a_corner_or_the_middle(game, size, first):
    start = game.start(size)
    assert steps(start) == first
    assert objection(start, "b1").rule == "K6"
    assert objection(start, "b1").text == "Black has no stone on B1"
    assert objection(start, "a1-a2").text == "Black has to remove a stone"


def test_k4_no_other_square(game):
    assert objection(game.start(5), "b4").rule == "K4"


def test_k5_beside_the_empty_square(game):
    second = after(game.start(6), "c3")
    assert steps(second) == {"B3", "C2", "C4", "D3"}
    assert steps(after(game.start(6), "a1")) == {"A2", "B1"}
    assert objection(second, "b1").rule == "K5"
    assert objection(second, "b3-d3").rule == "K5"


def test_k6_a_jump_over_a_neighbor():
    board = "W . W B \n B W B W \n . B W B \n B W B W"
    black = position(KONANE, board)
    assert steps(black) == {"B2-B4", "D4-B4"}
    assert objection(black, "b2-d2").text == "there are no jumps from B2 to D2"
    assert objection(black, "a2-a4").text == "Black has no stone on A2"
    assert objection(black, "a1").text == "Black has to jump with a stone"
    jumped = after(black, "d4-b4")
    assert picture(jumped) == same("W B . . \n B W B W \n . B W B \n B W B W")


def test_k6_a_jump_stays_on_the_board_and_takes_no_own_stone():
    at = position(KONANE, ". W B \n . . . \n B . B")
    assert steps(at) == {"C3-A3"}


def test_k7_jumps_in_one_direction():
    """The player chooses how far, and the direction stays."""
    at = position(KONANE, ". . . . . \n . . . . . \n . . . W . \n . . . . . \n B W . W .")
    assert steps(at) == {"A1-C1", "A1-E1"}
    assert picture(after(at, "a1-e1")) == same(
        ". . . . . \n . . . . . \n . . . W . \n . . . . . \n . . . . B"
    )
    assert after(at, "a1-c1").to_move is WHITE
    drive = Driver(KONANE, 5)
    drive("game-position konane 5 ...../...../...W./...../BW.W. b")
    drive("play b a1-e1")
    assert drive("gogui-rules_captured_count") == "2 0"


def test_k7_a_gap_ends_the_jumps():
    at = position(KONANE, ". . . . . \n . . . . . \n . . . . . \n . . . . . \n B W . . W")
    assert steps(at) == {"A1-C1"}


@pytest.mark.parametrize(("to_move", "winner"), [("b", WHITE), ("w", BLACK)])
def test_k8_who_cannot_jump_loses(to_move, winner):
    end = position(KONANE, "B . . \n . . . \n . . W", to_move).outcome()
    assert (end.rule, end.winner) == ("K8", winner)


def test_a_jump_moves_the_same_piece(game):
    drive = Driver(KONANE, 5)
    drive("game-position konane 5 ...../...../...W./...../BW.W. b")
    (before,) = (each for each in json.loads(drive("game-view"))["pieces"] if each["at"] == "A1")
    drive("play b a1-c1")
    (now,) = (each for each in json.loads(drive("game-view"))["pieces"] if each["at"] == "C1")
    assert now["id"] == before["id"]


@pytest.mark.parametrize(
    ("board", "to_move", "why"),
    [
        ("B B . \n . . . \n . . W", "b", "squares of one color"),
        ("B . . \n . . . \n . W .", "w", None),
        ("B . . \n . . . \n . . .", "b", "White has jumped and has no stone"),
    ],
)
def test_set_ups_that_no_game_reaches_are_refused(board, to_move, why):
    if why is None:
        assert set_up(KONANE, board, to_move)
        return
    with pytest.raises(UnplayablePosition, match=why):
        set_up(KONANE, board, to_move)


@pytest.mark.parametrize(
    ("size", "counts"),
    [(2, [2, 4, 0]), (4, [4, 12, 16, 52, 120]), (5, [5, 12, 20, 88, 328])],
)
def test_perft(game, size, counts):
    """Agreed with an independent implementation."""
    assert [perft(game.start(size), depth + 1) for depth in range(len(counts))] == counts


def test_the_text_has_all_sentences(game):
    assert len(rule_text(game).short) == 5
    assert [each.rule for each in rule_text(game).sentences] == [f"K{n}" for n in range(1, 9)]
