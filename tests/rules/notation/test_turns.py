"""Words for turns, parts of turns and clicks."""

import random

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import (
    LONGEST_WORD,
    Unreadable,
    canonical_clicks,
    clicks_that_say,
    read_turn,
    write_line,
    write_turn,
)
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import IllegalStep
from gtp_engine.rules.turns import chosen_steps, legal_turns, settle
from support.boards import after, objection, position
from support.playing import positions, random_game
from support.thorough import given_few_or_many


def whole_turn(position: Position, rng) -> tuple[tuple, Position]:
    """The steps of a random turn from a position, and what follows."""
    steps = []
    for before, step in random_game(position, rng):
        steps.append(step)
        if not (after_it := before.play(step)).open:
            return tuple(steps), after_it
    raise AssertionError("the game was over")


@given_few_or_many(20, 60, positions())
def test_a_written_turn_reads_as_itself(start):
    if start.outcome() is not None:
        return
    steps, end = whole_turn(start, random.Random(1))
    word = write_turn(start, steps)
    assert " " not in word
    for spelling in (word, word.lower(), word.upper()):
        reading = read_turn(start, (), spelling)
        assert reading.position == end
        assert reading.word == write_turn(start, reading.steps) == word


@given_few_or_many(20, 60, positions())
def test_a_turn_may_be_said_step_by_step_with_forced_steps_or_without(start):
    if start.outcome() is not None:
        return
    steps, end = whole_turn(start, random.Random(2))
    reading = read_turn(start, (), "/".join(map(str, steps)))
    assert (reading.position, reading.word) == (end, write_turn(start, steps))


@given_few_or_many(20, 60, positions(largest=5))
def test_every_legal_step_can_be_clicked(start):
    for step in start.legal_steps()[:20]:
        clicks = canonical_clicks(start, step)
        if not clicks:
            assert str(step) == "pass"
            continue
        at, half = start, ()
        for number, vertex in enumerate(clicks, 1):
            _, at, half, _ = read_turn(at, half, str(vertex))
            assert bool(half) == (number < len(clicks))
        assert at == settle(start.play(step))[1]


@given_few_or_many(20, 60, positions(largest=5))
def test_every_legal_turn_reads_as_itself(start):
    for turn in legal_turns(start, 10_000)[:60]:
        word = write_turn(start, turn.steps)
        reading = read_turn(start, (), word)
        assert (reading.position, reading.word) == (turn.position, word)


def test_forced_steps_go_without_saying():
    """The first turn on 2x2: a patch of three, then one of the emptied point, all forced."""
    start = find_game("implo").start(2)
    reading = read_turn(start, (), "A1")
    assert [str(step) for step in reading.steps] == ["A1", "A2", "A1"]
    assert write_turn(start, reading.steps) == "A1"
    assert read_turn(start, (), "A1/A2/A1") == read_turn(start, (), "A1/A1") == reading


NONSENSE = [
    "", "/", "C4/", "/C4", "I5", "A0", "A20", "Z9", "44", "C", "C4 D4", "C4-", "xC4",
    "C4//D4", "p", "s", "swapp", "swap-pieces-", "C4xx", "\u0663", "A\u0661", "C4.", "-C4",
    "??",
]  # fmt: skip


def test_nonsense_is_unreadable_in_every_game(game):
    for word in NONSENSE:
        with pytest.raises(Unreadable):
            pytest.fail(f"{word!r} is read as {read_turn(game.start(8), (), word)}")


def test_a_vertex_off_the_board_is_unreadable(game):
    with pytest.raises(Unreadable, match="J1 is not on the board"):
        read_turn(game.start(8), (), "J1")


def test_a_huge_word_is_unreadable(game):
    with pytest.raises(Unreadable, match="longer"):
        read_turn(game.start(8), (), "A1/" * LONGEST_WORD)


def test_a_word_is_played_whole_or_not_at_all():
    start = find_game("robble").start(5)
    with pytest.raises(IllegalStep, match="R7: the turn is over at D4"):
        read_turn(start, (), "C3/D4")


def test_leading_zeros_of_a_row_are_read():
    start = find_game("robble").start(5)
    assert read_turn(start, (), "c03").position == after(start, "C3")


class TestClicks:
    def test_a_capture_is_two_clicks(self):
        before = position("pilo", "B1 . W1\n. . .\n. . .")
        _, same, clicks, _ = read_turn(before, (), "a3")
        assert (same, clicks) == (before, (Vertex.parse("A3"),))
        assert read_turn(before, clicks, "c3").position == after(before, "A3-C3")

    def test_a_half_clicked_selection_goes_on_or_fails(self):
        before = position("pilo", "B1 . W1\n. . .\n. . .")
        selected = (Vertex.parse("A3"),)
        assert read_turn(before, selected, "A3-C3").position == after(before, "A3-C3")
        for word in ("A3", "B2", "A1", "C3-A3", "pass"):
            with pytest.raises(IllegalStep):
                read_turn(before, selected, word)

    def test_a_pawn_is_clicked_with_any_neighbor(self):
        before = position("boloa", ". . .\n. . .\n. . .")
        for neighbor in ("A2", "B1"):
            assert after(before, "A1", neighbor) == after(before, "pA1")
        assert after(before, "A1", "A1") == after(before, "sA1")

    def test_a_swap_is_a_click_on_the_piece(self):
        for game in ("implo", "robble", "pilo"):
            first = position(game, ". . .\n. . .\n. . .", pie="pieces").play(
                position(game, ". . .\n. . .\n. . .").legal_steps()[0]
            )
            assert first.to_move is WHITE
            assert after(first, "A1").to_move is BLACK

    def test_in_boloa_it_is_two(self):
        first = after(position("boloa", ". . .\n. . .\n. . .", pie="pieces"), "pB1")
        assert after(first, "B1", "B1") == after(first, "swap")
        assert after(first, "B1", "A1") == after(first, "sB1-A1")

    def test_a_useless_click_is_refused(self):
        before = position("pilo", "B2 . W1\n. . .\n. . #")
        assert objection(before, "A3").rule == "P11"


def test_a_line_is_words_of_turns_without_forced_steps():
    """The steps of a turn stand together; what goes without saying is not said."""
    start = position("implo", ". . .\n. B .\n. . .", "w", pie="pieces")
    words = ["swap", "A1", "B1", "A2", "C2/C1"]
    steps, at = [], start
    for word in words:
        reading = read_turn(at, (), word)
        steps += chosen_steps(at, reading.steps)
        at = reading.position
    assert write_line(start, steps) == list(words)
    assert write_line(start, ()) == []


def test_a_line_inside_a_turn_begins_with_the_forced_step():
    """Whether the line has it or leaves it out: the search tells forced steps or skips them."""
    start = position("implo", "B . .\n. W .\n. . .")
    placed = start.play(read_turn(start, (), "A1").steps[0])
    (forced,), settled = settle(placed)
    reply = settled.legal_steps()[0]
    assert write_line(placed, [forced, reply]) == [str(forced), str(reply)]
    assert write_line(placed, [reply]) == [str(forced), str(reply)]
    assert write_line(placed, []) == [str(forced)]


def test_clicks_that_were_made_are_left_out_of_the_first_step_only():
    start = position("implo", ". . . . .\nW b W b b\n. . . . .\n. . . . .\n. . . . .")
    first, placed, *_ = read_turn(start, (), "D5")
    others, _ = whole_turn(placed, random.Random(1))
    clicks = [*clicks_that_say(start, first + others)]
    assert len(clicks) > 2
    assert [*clicks_that_say(start, first + others, 1)] == clicks[1:]
