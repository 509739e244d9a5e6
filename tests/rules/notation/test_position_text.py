"""Positions as one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.rules.notation.position_text import (
    UnreadablePosition,
    read_position,
    write_position,
)
from gtp_engine.rules.step import UnplayablePosition
from support.playing import positions
from support.thorough import given_few_or_many


@given_few_or_many(20, 60, positions())
def test_a_position_is_its_text(position):
    text = write_position(position)
    assert text.isascii()
    assert "#" not in text, "the wire would take the rest for a comment"
    assert read_position(text) == position
    assert write_position(read_position(text)) == text


@given(positions(), st.data())
def test_a_damaged_text_is_refused_or_means_what_it_says(position, data):
    """Replace, drop or double one character: never anything but a refusal or an exact text."""
    text = write_position(position)
    at = data.draw(st.integers(0, len(text) - 1))
    put = data.draw(st.sampled_from(["", ".", "B", "9", "/", " ", "=", "\u00e9", text[at] * 2]))
    damaged = text[:at] + put + text[at + 1 :]
    try:
        again = read_position(damaged)
    except (UnreadablePosition, UnplayablePosition):
        return
    assert read_position(write_position(again)) == again


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "expected GAME SIZE"),
        ("chess 3 .../.../... b", "no game chess"),
        ("robble 3 .../.../...", "expected GAME"),
        ("robble 3 .../... b", "2 rows for size 3"),
        ("robble 3 ..../.../... b", "row 3 has 4 points"),
        ("robble 3 .../.q./... b", "not a cell of Robble: q./.."),
        ("robble 3 .../.../... r", "not a color"),
        ("robble 1 . b", "2 to 19 rows"),
        ("robble 20 . b", "1 rows for size 20"),
        ("robble 999999999999 . b", "expected GAME"),
        ("robble 3 .../.../... b pie=maybe", "pieces, sides, off, not maybe"),
        ("robble 3 .../.../... b pie=off pie=off", "twice"),
        ("robble 3 .../.../... " + "b" * 5000, "not a color: b{20}$"),
        ("robble 3 .../.../... b pie=" + "x" * 5000, "off, not x{20}$"),
        ("robble 3 .../.../... b =", "expected GAME"),
        ("robble 3 " + "./" * 50_000 + ". b", "50001 rows for size 3"),
        ("robble 3 " + "." * 100_000 + "/./. b", "the rows are too long"),
        ("robble 3 .../.../... b" + " x=1" * 25_000, "expected GAME"),
    ],
)
def test_an_unreadable_text_says_where(text, reason):
    with pytest.raises(UnreadablePosition, match=reason):
        read_position(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("implo 3 .B./BBb/ww. b", "A3 is unresolved"),
        ("implo 3 .../.../... b open=yes", "begun with a stone"),
        ("implo 3 .../.B./... b open=yes", "needs a patch"),
        ("implo 3 .../.../... b open=no", "open cannot be no"),
        ("boloa 2 wB/bB b", "smothered"),
        ("boloa 3 .../.B./B.. b", "no stone adjacent to both"),
        ("boloa 3 .../.../... b passes=1", "no field passes"),
        ("robble 3 .../.../... b seen=xyz", "seen cannot be xyz"),
        ("robble 3 .../.../... b seen=wvvvv", "not a position of this board"),
        ("pilo 2 B1./.. b passes=1", "cannot have passed"),
        ("pilo 2 B1./.. b passes=3", "passes cannot be 3"),
        ("pilo 3 B4W4./.../... b", "such heights need 16 filled squares, not 2"),
        ("pilo 3 xxx/xxx/xx. b", "such heights need 0 filled squares, not 8"),
        ("boloa 2 B./.. b", "White has made the only turn"),
        ("boloa 3 .../.../... w", "the first turn is Black's"),
        ("implo 4 B.../..../..../.... b", "White has placed the last stone and has no piece"),
        ("implo 4 W.W./..../..../.... b", "0 and 2 stones cannot have been placed in turn"),
        ("implo 4 bbbb/bbbb/..../..B. b", "White has placed the last stone and has no piece"),
        ("robble 3 .../.B./..B b", "White has placed the last stone and has none"),
        ("robble 3 .../.B./..W b pie=pieces", "before White's first turn"),
        ("robble 3 .../.W./... b pie=pieces", "before White's first turn"),
    ],
)
def test_an_impossible_position_is_refused_with_the_reason(text, reason):
    with pytest.raises(UnplayablePosition, match=reason):
        read_position(text)


def test_a_swap_is_still_ahead_after_one_turn():
    assert read_position("robble 3 .../.B./... w pie=pieces").swaps()
    assert read_position("boloa 3 .../.b./... w pie=sides").swaps()


def test_spelling_is_free_where_letters_mean_no_color():
    assert read_position("ROBBLE 3 .../.B./... White") == read_position("robble 3 .../.B./... w")


def test_the_text_of_a_long_game_can_be_read():
    seen = ",".join(f"b{number}" for number in range(1, 6001))
    text = f"robble 4 ..../..../..../B... w pie=off seen={seen}"
    assert write_position(read_position(text)) == text
