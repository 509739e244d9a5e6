"""Amazons, sentence by sentence of texts/amazons.md."""

import json

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.step import UnplayablePosition
from gtp_engine.rules.turns import legal_turns, perft
from support.boards import after, objection, picture, position, same, set_up, steps
from support.driver import Driver
from support.examples import AMAZONS, examples_there


@pytest.fixture(autouse=True)
def game():
    with examples_there():
        yield find_game(AMAZONS)


def test_z1_the_smallest_board_has_three_rows(game):
    assert game.sizes == (3, 19)
    with pytest.raises(UnplayablePosition, match="Amazons is played on sizes 3 to 19"):
        game.start(2)
    drive = Driver(AMAZONS, 4)
    assert drive.fails("boardsize 2") == "unacceptable size"
    catalog = json.loads(drive("game-catalog"))["games"]
    assert [each["sizes"] for each in catalog if each["name"] == AMAZONS] == [[3, 19]]


@pytest.mark.parametrize(
    ("size", "board"),
    [
        (3, "W . W \n . . . \n B . B"),
        (4, ". W W . \n W . . W \n B . . B \n . B B ."),
        (
            7,
            ". . W . W . . \n . . . . . . . \n W . . . . . W \n . . . . . . . \n "
            "B . . . . . B \n . . . . . . . \n . . B . B . .",
        ),
    ],
)
def test_z2_the_first_amazons(game, size, board):
    assert picture(game.start(size)) == same(board)


def test_z2_the_usual_board(game):
    """Four of the squares that every book shows: A4, D1, G1 and J4 of ten rows."""
    assert set(map(str, game.start(10).legal_steps())) >= {"A4-A5", "D1-D2", "G1-G2", "K4-K5"}


def test_z3_black_begins_and_a_turn_has_two_steps(game):
    start = game.start(4)
    moved = after(start, "b1-b2")
    assert (start.to_move, moved.to_move, moved.open) == (BLACK, BLACK, True)
    assert after(moved, "b1").to_move is WHITE


def test_z4_an_amazon_goes_like_a_queen():
    at = position(AMAZONS, "W . . W \n . x . . \n . . . . \n B . . B")
    assert {step for step in steps(at) if step.startswith("A1")} == {
        *("A1-A2", "A1-A3", "A1-B1", "A1-C1", "A1-B2", "A1-C3")
    }
    for word in ("a1-b3", "a1-a4", "a1-d1", "b1-b2", "a4-b4"):
        assert objection(at, word).rule == "Z4"
    assert objection(at, "b1").text == "Black has to move an amazon"


def test_z5_then_it_shoots():
    at = after(position(AMAZONS, "W . . W \n . x . . \n . . . . \n B . . B"), "a1-c3")
    assert steps(at) == {"A1", "B2", "B4", "C1", "C2", "C4", "D2", "D3"}
    assert objection(at, "a3").rule == "Z5"
    assert objection(at, "d1-d2").text == "Black has to shoot an arrow"
    shot = after(at, "b2")
    assert picture(shot) == same("W . . W \n . x B . \n . x . . \n . . . B")


def test_z6_it_can_always_shoot(game, rng):
    for _ in range(10):
        at = game.start(4)
        while at.outcome() is None:
            assert at.legal_steps()
            at = at.play(rng.choice(at.legal_steps()))
    at = position(AMAZONS, "W . W \n x x x \n B . B")
    first = at.legal_steps()[0]
    assert (str(first), steps(at.play(first))) == ("A1-B1", {"A1"})


def test_z7_arrows_stay(game, rng):
    at, arrows = game.start(5), 0
    while at.outcome() is None:
        at = at.play(rng.choice(at.legal_steps()))
        assert at.arrows & arrows == arrows
        arrows = at.arrows


@pytest.mark.parametrize(("to_move", "winner"), [("b", WHITE), ("w", None)])
def test_z8_who_cannot_move_loses(to_move, winner):
    end = position(AMAZONS, "W . W \n x x x \n B x B", to_move).outcome()
    assert (end and (end.rule, end.winner)) == (winner and ("Z8", winner))


def test_a_turn_is_one_word(game):
    drive = Driver(AMAZONS, 4)
    drive("play b b1-b2/b1")
    assert drive("game-board").splitlines() == [". W W .", "W . . W", "B B . B", ". x B ."]
    drive("play w c4-c3")
    assert drive("gogui-rules_side_to_move") == "white"
    drive("play w c4")
    assert drive("gogui-rules_side_to_move") == "black"


def test_the_amazon_that_shoots_is_the_same_piece_in_another_shape(game):
    drive = Driver(AMAZONS, 4)

    def piece(at: str) -> tuple[int, str]:
        (found,) = (each for each in json.loads(drive("game-view"))["pieces"] if each["at"] == at)
        return found["id"], found["shape"]

    number, shape = piece("B1")
    drive("play b b1-b2")
    assert piece("B2") == (number, "pawn") != (number, shape)
    drive("play b b1")
    assert piece("B2") == (number, shape)


def test_an_image_in_which_the_start_is_another_board_is_no_symmetry(game):
    """All eight images of a position have the same value, but only two are the start."""
    assert [step for step in steps(game.start(4)) if step.startswith("A2")]
    assert len(game.symmetry) == 2


@pytest.mark.parametrize(
    ("board", "to_move", "why"),
    [
        ("W . W \n . . . \n B . .", "b", "each color has 2 amazons"),
        ("W . W \n . . . \n b . b", "b", "only one amazon"),
        ("W . W \n . . . \n b . B", "w", "only one amazon"),
        ("W . W \n x x . \n b x B", "b", "can shoot where it came from"),
    ],
)
def test_set_ups_that_no_game_reaches_are_refused(board, to_move, why):
    with pytest.raises(UnplayablePosition, match=why):
        set_up(AMAZONS, board, to_move)


@pytest.mark.parametrize(
    ("size", "counts"),
    [(3, [6, 30, 144, 458]), (4, [16, 88, 1090]), (5, [28, 260]), (10, [80, 2176])],
)
def test_perft(game, size, counts):
    """Agreed with an independent implementation; 2176 is the known number of first turns."""
    assert [perft(game.start(size), depth + 1) for depth in range(len(counts))] == counts


def test_turns_are_moves_with_shots(game):
    assert len(legal_turns(game.start(4), 100)) == 88


def test_the_text_has_all_sentences(game):
    assert len(rule_text(game).short) == 5
    assert [each.rule for each in rule_text(game).sentences] == [f"Z{n}" for n in range(1, 9)]
