"""Mistakes that come again after 1, 3, 7 and 21 days. The day is turned by hand."""

import json
from datetime import date, timedelta

import pytest

from gtp_engine.board.table.repetition import MOST, MOST_A_DAY, Repetition
from support.mistakes import mistake


class Days:
    """A repetition whose days a test turns; `notes` are the texts that it kept."""

    def __init__(self) -> None:
        self.day, self.notes = date(2026, 11, 28), []
        self.returning = Repetition(self.notes.append, lambda: self.day)

    def later(self, days: int) -> list[str]:
        """What comes after so many more days."""
        self.day += timedelta(days=days)
        return [each["position"] for each in self.returning.due()]


def test_a_mistake_comes_again_after_1_3_7_and_21_days_and_then_no_more():
    days = Days()
    days.returning.tried(mistake(), True)
    assert days.returning.due() == []
    for wait in (1, 3, 7, 21):
        assert days.later(wait - 1) == []
        assert days.later(1) == ["robble 5 1"]
        days.returning.tried(mistake(), True)
        assert days.returning.due() == []
    days.returning.tried(mistake(), True)  # once more on the last day
    assert days.later(1000) == []
    assert days.notes[-1] == "[]"


@pytest.mark.parametrize("known", [False, True])
def test_what_was_not_found_at_once_comes_tomorrow_from_the_beginning(known):
    days = Days()
    if known:
        days.returning.tried(mistake(), True)
        assert days.later(1) == ["robble 5 1"]
    days.returning.tried(mistake(), False)
    days.returning.tried(mistake(), True)  # the second try of this day
    assert days.later(1) == ["robble 5 1"]
    days.returning.tried(mistake(), True)
    assert days.later(2) == []
    assert days.later(1) == ["robble 5 1"]


def test_the_same_mistake_in_another_list_is_one_and_that_of_the_other_color_another():
    days = Days()
    days.returning.tried(mistake(), True)
    days.returning.tried(mistake() | {"id": "mistakes.7.2", "total": 3}, False)
    days.returning.tried(mistake(color="white"), True)
    assert days.later(1) == ["robble 5 1", "robble 5 1"]
    assert {each["color"] for each in days.returning.due()} == {"black", "white"}


def test_those_of_a_day_are_numbered_and_those_that_wait_longest_come_first():
    days = Days()
    for number in range(MOST_A_DAY + 2):
        days.returning.tried(mistake(number), True)
    days.later(1)
    days.returning.tried(mistake(0), False)
    days.later(1)
    due = days.returning.due()
    assert [each["number"] for each in due] == [*range(1, MOST_A_DAY + 1)]
    assert {each["total"] for each in due} == {MOST_A_DAY}
    assert "robble 5 0" not in [each["position"] for each in due]
    assert all(each["id"].startswith("returning.") for each in due)


def test_what_was_kept_is_read_again():
    days, later = Days(), Days()
    days.returning.tried(mistake(), True)
    later.returning.read(days.notes[-1])
    assert days.later(1) == later.later(1) == ["robble 5 1"]
    assert days.returning.due() == later.returning.due()


def test_no_more_are_kept_than_can_be_read():
    days = Days()
    for number in range(MOST + 2):
        days.returning.tried(mistake(number), True)
    kept = json.loads(days.notes[-1])
    assert [kept[0]["task"]["position"], len(kept)] == ["robble 5 2", MOST]
    Repetition().read(days.notes[-1])


BAD = {"due": "2026-11-29", "corrected": 0, "task": {}}


@pytest.mark.parametrize(
    "text", ["", "[", "{}", "[1]", json.dumps([BAD]), "[" * 10**5, '[{"corrected": 9}]']
)
def test_a_text_that_is_something_else_changes_nothing(text):
    days = Days()
    days.returning.tried(mistake(), True)
    with pytest.raises(ValueError):  # noqa: PT011
        days.returning.read(text)
    assert days.later(1) == ["robble 5 1"]


@pytest.mark.parametrize(("key", "value"), [("due", "soon"), ("corrected", 4), ("corrected", -1)])
def test_a_day_and_a_number_that_cannot_be_are_refused(key, value):
    days = Days()
    days.returning.tried(mistake(), True)
    (kept,) = json.loads(days.notes[-1])
    with pytest.raises(ValueError):  # noqa: PT011
        Repetition().read(json.dumps([kept | {key: value}]))
