"""What steps do to the pieces, told as events: by default what comparing the boards tells."""

import random

import pytest
from boards import position
from playing import random_game

from gtp_engine.board.points import named
from gtp_engine.rules import find_game
from gtp_engine.rules.events import BoardEvent, Deed, words_by_point
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAP_PIECES, SWAP_SIDES, Pie


def replayed(before: Position, events: list[BoardEvent]) -> dict:
    """The words by point that the events make of a board; they must fit it."""
    words = dict(words_by_point(before))
    for phase in sorted({event.phase for event in events}):
        changes = [each for event in events if event.phase == phase for each in event.changes]
        for each in changes:
            if each.deed is Deed.REMOVE:
                del words[each.at]
        for each in changes:
            if each.deed is Deed.BECOME:
                assert words[each.at] != each.word
                words[each.at] = each.word
        moves = [each for each in changes if each.deed is Deed.MOVE]
        for each, word in [(each, words.pop(each.at)) for each in moves]:
            assert each.to not in words
            words[each.to] = word
        for each in changes:
            if each.deed is Deed.PLACE:
                assert each.at not in words
                words[each.at] = each.word
    return words


def told(events: list[BoardEvent]) -> list[str]:
    """Events as text."""
    return [
        " ".join(
            [f"{event.phase} {event.rule}:"]
            + [
                " ".join(filter(None, (each.deed.value, str(each.at), str(each.to or each.word))))
                for each in event.changes
            ]
        )
        for event in events
    ]


def test_events_turn_a_board_into_the_one_after(game):
    rng = random.Random(17)
    for size in (3, 5):
        for pie in Pie:
            for before, step in random_game(game.start(size, pie), rng):
                events = before.events(step)
                after = before.play_unchecked(step)
                assert replayed(before, events) == words_by_point(after), (before, step)
                assert all(event.text and event.rule for event in events)


@pytest.mark.parametrize("name", ["boloa"])
def test_a_swap_mirrors_where_colors_own_edges(name):
    before = position(
        name,
        """
        . . .
        . . .
        . b .
        """,
        "w",
        pie="pieces",
    )
    events = before.events(SWAP_PIECES)
    assert told(events) == ["1 B17: move B1 A2", "2 B17: become A2 w"]
    assert named(events[0].points) == "A2 B1"


def test_a_swap_of_sides_moves_nothing():
    start = find_game("robble").start(3, Pie.SIDES)
    before = start.play_unchecked(start.legal_steps()[0])
    assert told(before.events(SWAP_SIDES)) == ["1 R17:"]
