"""Hints in stages, and what a turn gives away: their words are those of the game, and true."""

import json
import re

import pytest

from gtp_engine.engine.consequences import effects, joined, kept, lost, patches_won
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.points.points import bit, named
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.turns import Turn
from support.boards import position
from support.driver import Driver


def at(game: str, picture: str, to_move: str = "b", visits: int = 2000, **fields: str) -> Driver:
    """A driver at the position of a picture, with a search that can be repeated."""
    drive = Driver(game)
    drive(f"game-set visits {visits}")
    for line in ("game-set seed 1", "game-set threads 1", "game-pie off"):
        drive(line)
    shown = write_position(position(game, picture, to_move, **fields))
    drive(f"game-position {shown}".replace(" pie=off", ""))
    return drive


def hinted(drive: Driver) -> dict:
    return json.loads(drive("game-hint"))


def reasons(found: dict) -> list[str]:
    return [each["text"] for each in found["why"]]


SAVED = ("robble", """
    . . . B .
    . B . B B
    . . . . .
    . . . W .
    W . . . W
""", "w")  # fmt: skip


def test_a_hint_names_what_is_in_danger_and_what_would_take_it():
    found = hinted(at(*SAVED))
    (corner,) = re.fullmatch("The stone on (A1|E1) is in danger", found["where"]["text"]).groups()
    assert corner in found["where"]["points"] and 4 < len(found["where"]["points"]) < 15
    assert f"It saves the stone on {corner}" in reasons(found)
    (instead,) = [each for each in found["why"] if "instead" in each["text"]]
    assert re.search(f"Black plays .*; the stone on {corner} leaves the board", instead["text"])
    assert instead["rule"] == "R10" and corner in instead["points"]
    assert found["turn"] == found["line"][0] and len(found["line"]) > 1


def test_a_hint_tells_what_a_turn_takes():
    """The capture is the only turn that wins."""
    found = hinted(at("pilo", "W1 B1 .\nB1 . .\nW1 W1 .", "b"))
    assert found["where"]["text"].endswith("within reach"), found
    assert any(re.match("Orange's stack on .. is removed", text) for text in reasons(found))


# What one turn does, and which pieces a color loses by it.
DONE = {
    "a capture": (
        "pilo",
        "B1 . W1\n. . .\n. . .",
        "b",
        "A3-C3",
        ["Orange's stack on C3 is removed"],
        "C3",
    ),
    "nothing": ("pilo", "B1 . W1\n. . .\n. . .", "b", "A1", [], ""),
    "a move": (
        "robble",
        ". . .\n. W .\n. B .",
        "b",
        "A2",
        ["the stone on B2 moves to C2, the empty square behind it"],
        "",
    ),
    "a stone at the edge": (
        "robble",
        ". . .\nW . .\n. . .",
        "b",
        "B2",
        ["the stone on A2 leaves the board: the edge is behind it"],
        "A2",
    ),
    "a stone that turns": (
        "robble",
        ". . .\n. W B\n. . .",
        "b",
        "A2",
        ["the stone on B2 becomes black: there is a stone behind it, on C2"],
        "B2",
    ),
    "a smothered pawn": (
        "boloa",
        "w W .\n. . .\n. . .",
        "b",
        "sA2",
        ["the pawn on A3 is smothered and becomes a white stone"],
        "",
    ),
    "a pawn that is met": (
        "boloa",
        "w b .\n. . .\n. . .",
        "b",
        "sB3-A3",
        ["the pawn that was on A3 leaves the board"],
        "A3",
    ),
    "an owned patch": (
        "implo",
        ". B .\nB W B\nW B W",
        "b",
        "A3xA2",
        [
            "Black owns patch A3: the biggest group beside it is Black's, 1 against 0",
            "black markers fill A3",
            "of Black's equally big groups beside it Black removes A2",
        ],
        "",
    ),
}


@pytest.mark.parametrize("name", DONE)
def test_the_effects_of_a_turn_are_those_of_the_rules(name):
    game, picture, to_move, word, told, gone = DONE[name]
    before = position(game, picture, to_move, **({"open": "yes"} if game == "implo" else {}))
    steps, after, *_ = read_turn(before, (), word)
    turn = Turn(before, steps, after)
    assert [reason.text for reason in effects(turn)][: len(told) or None] == told
    assert all(reason.rule and reason.points for reason in effects(turn))
    assert named(lost(turn, before.to_move.opponent)) == gone
    assert lost(turn, before.to_move) == 0


def test_a_turn_that_joins_groups_says_so():
    before = position("pilo", "B1 . B2\n. . .\n. . W1")
    steps, after, *_ = read_turn(before, (), "B3")
    group = joined(Turn(before, steps, after))
    assert group.text == "it joins the groups on A3 and C3: 3 together"
    steps, after, *_ = read_turn(before, (), "B1")
    assert joined(Turn(before, steps, after)) is None


def test_only_stones_that_are_in_the_joined_group_are_named():
    """The stone on A5 leaves the board, that on B4 goes to C4."""
    before = position("robble", """
        B B W B W
        . W B B B
        . B . W W
        . W . B B
        B . . W B
    """)  # fmt: skip
    steps, after, *_ = read_turn(before, (), "A4")
    group = joined(Turn(before, steps, after))
    _, _, names = group.text.partition("it joins the groups on ")
    named_points = [Vertex.parse(name) for name in names.partition(":")[0].split(" and ")]
    assert len(named_points) > 1
    assert all(after.layers()["B"] & group.points & bit(point) for point in named_points)


REMOVED = ("boloa", """
    b . w b .
    w B b . B
    b W w W W
    B B w B W
    W B W W W
""", "w")  # fmt: skip


def test_a_piece_that_its_own_turn_removes_is_not_saved():
    """The pawn under the stone goes to A4, where White's other pawn leaves the board."""
    found = hinted(at(*REMOVED, visits=150))
    assert found["turn"] == "sA3-A4"
    assert "The pawn that was on A4 leaves the board" in reasons(found)
    assert not [text for text in reasons(found) if "saves" in text]


FOLLOWED = {
    "it moves": ("pilo", "B1 . W1\n. . .\n. . .", ["A3-C3"], "A3", True),
    "it moves and is taken": ("pilo", "B1 . W1\n. . .\n. . W2", ["A3-C3", "C1-C3"], "A3", False),
    "it stays": ("robble", ". . .\n. W .\n. B .", ["A2"], "B1", True),
    "it becomes the opponent's": ("robble", ". . .\n. W B\n. . .", ["A2"], "B2", False),
    "it leaves the board": ("robble", ". . .\nW . .\n. . .", ["B2"], "A2", False),
}


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_piece_is_followed_through_turns(name):
    game, picture, words, at, there = FOLLOWED[name]
    before = position(game, picture)
    turns = []
    for word in words:
        steps, after, *_ = read_turn(before, (), word)
        turns.append(Turn(before, steps, after))
        before = after
    start, piece = turns[0].start, bit(Vertex.parse(at))
    color = next(
        start.game.look.color(word) for word, points in start.layers().items() if points & piece
    )
    assert named(kept(turns, piece, color)) == (at if there else "")


def test_an_area_that_is_won_is_told():
    before = position("pilo", "# . # .\n. # # .\n# # # W1\n. . . .")
    steps, after, *_ = read_turn(before, (), "A3")
    (won,) = patches_won(Turn(before, steps, after))
    assert (won.text, won.rule) == ("the point A3 becomes Blue's", "P20")


def test_the_swap_is_a_hint_of_its_own():
    drive = Driver("implo", 5)
    drive("game-set visits 500")
    drive("play b c3")
    found = hinted(drive)
    assert found["turn"] == "swap" and found["line"][0] == "swap"
    assert found["where"]["text"] == "Decide first whether to swap"
    assert "C3" in found["where"]["points"]
    assert reasons(found)[0].startswith("White swaps: Black's first turn ")


def test_what_is_forced_has_its_rule():
    found = hinted(at("pilo", "B1 B2 #\n# # W2\nW3 # #", "w", passes="1"))
    assert found["turn"] == "pass" and found["where"]["points"] == []
    assert reasons(found)[0] == "P16: Orange has nothing to play on the board, and must pass"


def test_after_the_end_a_hint_tells_the_result(drive):
    drive("play b resign")
    found = hinted(drive)
    assert found["turn"] is None and found["line"] == found["why"] == []
    assert found["where"] == {"points": [], "text": "The game is over: Black resigned"}


def test_hints_of_every_game_are_turns_and_change_nothing(any_game):
    """A game needs nothing for its hints: whole games are played by them."""
    drive = Driver(any_game.name, max(3, min(4, any_game.default_size)))
    for line in ("game-set visits 30", "game-set seed 1"):
        drive(line)
    for _ in range(8):
        before = drive("game-view")
        found = hinted(drive)
        assert drive("game-view") == before
        if found["turn"] is None:
            break
        assert found["where"]["text"][0].isupper() and reasons(found) == list(
            dict.fromkeys(reasons(found))
        )
        assert not [text for text in reasons(found) if text.endswith(".") or not text.isascii()]
        color = json.loads(before)["turn"]["to_move"]
        cost = json.loads(drive(f"game-warning {color} {found['turn']}"))
        assert 0 <= cost["loss"] <= 1 and cost["line"][0] == found["turn"]
        drive(f"play {color} {found['turn']}")


LOSES_AT_ONCE = ("boloa", "B . W\n. . W\nB . .", "w")


def test_a_warning_tells_the_loss_and_the_refutation():
    drive = at(*LOSES_AT_ONCE, visits=200)
    cost = json.loads(drive("game-warning w sc1"))
    assert (cost["loss"], cost["best"]) == (1.0, "sA2")
    assert cost["line"][:2] == ["sC1", "sA2"]
    assert cost["why"][0]["text"].startswith("Black plays sA2")
    assert json.loads(drive("game-warning w sa2"))["loss"] == 0


def test_a_warning_refuses_what_play_refuses():
    drive = at(*LOSES_AT_ONCE)
    assert drive.fails("game-warning b sa2") == "illegal move"
    assert drive.fails("game-warning w sa1") == "illegal move"
    assert drive.fails("game-warning w z9") == "invalid color or coordinate"
