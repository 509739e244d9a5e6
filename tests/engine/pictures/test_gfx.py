"""Pictures in GoGui's language, from boards that the reader sees."""

import pytest

from gtp_engine.engine.pictures.gfx import balance, gfx, stones
from gtp_engine.engine.pictures.scene import Scene, plain
from gtp_engine.rules.notation.position_text import read_position


@pytest.mark.parametrize(
    "position, board, marks",
    [
        (
            "implo 4 Bb../.w../..W./.... b",
            ["X . . .", ". . . .", ". . O .", ". . . ."],
            ["BLACK B4", "WHITE B3"],
        ),
        ("boloa 3 Bb./.w./..W b", ["X X .", ". O .", ". . O"], ["TRIANGLE B3", "TRIANGLE B2"]),
        ("robble 3 B../.../..W b", ["X . .", ". . .", ". . O"], []),
        (
            "pilo 3 B2x./.../..W1 b",
            ["X . .", ". . .", ". . O"],
            ["COLOR black B3", "LABEL A3 2"],
        ),
    ],
)
def test_pieces(position, board, marks):
    there = read_position(position)
    assert stones(there).split("\n") == board
    assert gfx(plain(there)).split("\n") == (marks or [""])


def test_patches_show_their_owners_only_while_they_are_to_be_resolved():
    assert "LABEL C1 W" in gfx(plain(read_position("implo 3 .B./BBb/ww. b open=yes"))).split("\n")
    assert "LABEL" not in gfx(plain(read_position("pilo 3 B1../.../..W1 b")))


def test_what_is_selected_stands_out_from_what_may_be_clicked():
    shown = Scene(
        read_position("robble 3 .../.../... b"),
        last=1,
        changed=7,
        selected=2,
        targets=4,
        decisive=3,
        labels={"swap?": 4},
        caption=("title", "words"),
    )
    assert gfx(shown).split("\n") == [
        "CIRCLE A1",
        "MARK A2",
        "COLOR #00c000 A3",
        "COLOR yellow A2",
        "SQUARE A1 A2",
        "LABEL A3 swap?",
        "TEXT words",
    ]


def test_chances_go_from_orange_over_white_to_blue():
    assert [balance(value) for value in (0, 0.5, 1)] == ["#f08a1d", "#ffffff", "#3b7dd8"]
