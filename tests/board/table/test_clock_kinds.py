"""The kinds of clocks: their words, and their forms in messages."""

import pytest

from gtp_engine.board.table.clock_kinds import KINDS, Timing


@pytest.mark.parametrize(
    "message, words",
    [
        ({"main": 300, "increment": 5}, "5 min + 5 s"),
        ({"main": 90, "increment": 0}, "1.5 min"),
        ({"main": 3600, "delay": 30}, "1 h, 30 s of each turn free"),
        ({"turn": 20}, "20 s for each turn"),
        ({"turn": 86400}, "1 day for each turn"),
        ({"turn": 3 * 86400}, "3 days for each turn"),
    ],
)
def test_a_clock_of_a_message_has_words(message, words):
    timing = Timing.read(message)
    assert timing.shown() == message
    assert timing.words == words


@pytest.mark.parametrize(
    "kind, quick, slow", [("increment", 62, 40), ("delay", 60, 40), ("turn", 10, 10)]
)
def test_what_a_turn_leaves(kind, quick, slow):
    """Of 60 seconds it has used 8, or 30."""
    timing = Timing(100, 10, kind)
    assert (timing.after(60, 52), timing.after(60, 30)) == (quick, slow)


def test_every_kind_is_tried():
    assert KINDS.keys() == {"increment", "delay", "turn"}
