"""A turn chosen while the other is to move, by messages of a server."""

import pytest

from support.thorough import first_of
from support.told_page import ENGINE, HUMAN, NODES, at_node

SEATS = {"black": ENGINE, "white": HUMAN}
THINKING = {"engine": "A", "color": "black", "seconds": 0}
PLANNED = "#board .marks.plans > *"


def shows(told, number, **fields):
    thinking = THINKING if number in (0, 2) else None
    at_node(told, number, **{"seats": SEATS, "thinking": thinking} | fields)


@pytest.fixture
def waits(told):
    """A page of White while Black thinks, from the first position on."""
    told.nodes()
    shows(told, 0)
    return told


def black_plays(told):
    told.nodes(*NODES[:1])
    shows(told, 1)


def test_a_planned_turn_is_played_when_the_turn_comes(waits):
    waits.point("D4").click()
    assert waits.page.locator(PLANNED).count() == 1
    waits.page.locator("#live", has_text="D4 will be played at your turn").wait_for()
    assert waits.sent("step") == []
    black_plays(waits)
    assert [each["word"] for each in waits.sent("step")] == ["D4"]
    assert waits.page.locator(PLANNED).count() == 0


def test_a_click_takes_it_back_and_another_one_changes_it(waits):
    waits.point("D4").click()
    waits.point("A1").click()
    assert waits.page.locator(PLANNED).count() == 1
    waits.point("A1").click()
    assert waits.page.locator(PLANNED).count() == 0
    black_plays(waits)
    assert waits.sent("step") == []


def test_what_is_not_possible_then_is_told_and_nothing_is_asked(waits):
    waits.point("C2").click()
    black_plays(waits)
    assert waits.text("#note .info") == "C2 was not played: it is not possible now."
    assert waits.sent("step") == waits.sent("why") == []


def test_it_stays_when_an_engine_has_started_and_ends_at_another_table(waits):
    """With each engine that has started the page is greeted again."""
    waits.hello(table="1")
    waits.tell("presence", away={}, awaited=[], claim=120, in_pause=1800, watching=1)
    waits.point("D4").click()
    spectator = waits.page.locator("#players", has_text="1 spectator")
    for table, stays in (("1", 1), ("2", 0)):
        waits.hello(table=table)
        assert waits.page.locator(PLANNED).count() == stays
        assert spectator.count() == stays


def test_it_ends_with_another_game(waits):
    waits.point("D4").click()
    shows(waits, 0, tree=2)
    assert waits.page.locator(PLANNED).count() == 0


@pytest.mark.parametrize(
    "fields",
    first_of([{"paused": True}, {"resting": True}, {"seats": {"black": ENGINE, "white": ENGINE}}]),
)
def test_nothing_is_planned_while_nobody_is_waited_for(waits, fields):
    shows(waits, 0, **{"thinking": None} | fields)
    waits.point("D4").click()
    assert waits.page.locator(PLANNED).count() == 0


def test_nothing_is_planned_in_a_position_that_has_been_left(told):
    told.nodes(*NODES)
    shows(told, 2)
    told.point("B1").click()
    assert told.page.locator(PLANNED).count() == 0
