"""The path through each game, by messages of a server: what is done, and where it leads next."""

import json

import pytest

from support.driver import Driver
from support.thorough import first_of
from support.told_page import ENGINE, HUMAN

PLAYED = {
    "id": 7,
    "game": "robble",
    "size": 5,
    "level": "1",
    "score": 1.0,
    "reviewed": False,
    "here": False,
}
STEPS = """all => all.map((one) => (one.ariaLabel ?? one.textContent) + (one.disabled ? " off" : "")
    + (one.ariaCurrent === "step" ? " next" : ""))"""


def lessons_of(game: str) -> int:
    (found,) = (
        each for each in json.loads(Driver()("game-catalog"))["games"] if each["name"] == game
    )
    return found["lessons"]


@pytest.fixture
def start(told):
    """The start page; gives the steps of Robble."""
    told.hello(start=True)
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#start'")
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'paths')")
    path = told.page.locator("#start .card", has_text="Robble").locator(".path button")
    yield path
    told.hello()


def test_the_path_of_a_beginner_begins_with_the_lessons(told, start):
    assert start.evaluate_all(STEPS) == [
        "Lessons next",
        "First game",
        "Review off",
        "Puzzle",
        "Next game off",
    ]
    start.nth(1).click()
    (game,) = told.sent("new")
    assert (game["game"], game["size"], game["pie"], game["clock"]) == ("robble", 5, "off", None)
    assert game["white"]["level"] == 1 and game["black"] == HUMAN
    assert told.sent("enter") == [], "nothing was begun at this table"


def test_what_is_done_is_ticked_and_the_next_step_is_marked(told, start):
    solved = {f"robble.{number}.1": 1 for number in range(lessons_of("robble"))}
    told.hello(start=True, progress={"lessons": solved, "puzzles": {"pilo.x": 1}})
    told.tell("paths", list=[PLAYED])
    assert start.evaluate_all(STEPS) == [
        "Lessons, done",
        "First game, done",
        "Review next",
        "Puzzle",
        "7\u2009\u00d7\u20097, level 1",
    ]
    told.tell("paths", list=[PLAYED | {"reviewed": True}])
    assert start.evaluate_all(STEPS)[2:4] == ["Review, done", "Puzzle next"]
    start.nth(3).click()
    assert told.page.evaluate("location.hash") == "#puzzles/robble"


def test_the_review_of_a_kept_game_begins_when_that_is_shown(told, start):
    told.tell("paths", list=[PLAYED])
    start.nth(2).click()
    assert told.sent("keep_open") == [{"number": 7}]
    assert told.sent("review") == []
    told.show(Driver("robble", 5))
    assert told.sent("review") == [], "that is still the game from before"
    told.show(Driver("robble", 5), tree=2)
    assert told.sent("review") == [{"visits": None}]


def test_the_turns_of_a_kept_game_are_guessed_after_its_review(told):
    ended = {"name": "", "winner": "white", "result": "W+R", "turns": 9, "changed": 0}
    people = {"black": "Ann", "white": "Ben", "human": "", "opened": False, "picture": None}
    game = PLAYED | people | ended
    told.hello(lasts=True)
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#games'")
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'kept')")
    listed = [game, game | {"id": 8, "winner": "", "result": ""}]
    known = {"from": 0, "total": 2, "games": ["robble"], "ratings": {"levels": [], "curve": []}}
    told.tell("kept", list=listed, **known)
    told.page.locator(".kept-game", has_text="White won, Black resigned").wait_for()
    guess = told.page.get_by_role("button", name="Guess the turns: ")
    assert guess.count() == 1, "a game that is not over has none"
    guess.click()
    assert told.sent("keep_open") == [{"number": 7}]
    told.show(Driver("robble", 5), tree=2)
    dialog = told.page.locator("dialog.ask")
    dialog.get_by_role("button", name="White").click()
    dialog.wait_for(state="detached")
    assert (told.sent("review"), told.sent("guesses")) == ([{"visits": None}], [])
    told.tell("review", done=9, total=9, over=True)
    assert told.sent("guesses") == [{"of": "white"}]


@pytest.mark.parametrize(
    "losses, seats, said",
    first_of(
        [
            ({2: 0.9, 3: 0.2, 4: 0.2}, {"white": ENGINE}, "3 mistakes, 1 of them yours, marked"),
            ({2: 0.9, 3: 0.2}, {}, "2 mistakes, marked with ? or ?? in the list"),
            ({2: 0.2}, {"black": ENGINE}, "1 mistake, 1 of them yours, marked"),
            ({}, {"white": ENGINE}, "no mistakes."),
        ],
        2,
    ),
)
def test_a_finished_review_counts_the_mistakes_and_says_whose_they_are(told, losses, seats, said):
    people = {"black": HUMAN, "white": HUMAN}
    told.show(Driver("robble", 5))
    line = [
        (1, 0, "black", "C2"),
        (2, 1, "white", "D4"),
        (3, 2, "black", "A1"),
        (4, 3, "white", "E5"),
    ]
    told.nodes(*line, **{f"n{number}": {"loss": loss} for number, loss in losses.items()})
    told.show(Driver("robble", 5), node=4, seats=people | seats)
    told.tell("review", done=4, total=4, over=True)
    assert told.text("#note .info").startswith(f"Review finished: {said}")


def test_a_game_that_cannot_be_shown_is_not_reviewed_and_what_is_told_again_keeps_the_focus(
    told, start
):
    told.tell("paths", list=[PLAYED])
    start.nth(3).focus()
    told.tell("paths", list=[PLAYED | {"id": 8}])
    assert told.page.evaluate("document.activeElement.textContent") == "Puzzle"
    start.nth(2).click()
    assert told.sent("keep_open") == [{"number": 8}]
    told.tell("told", level="error", text="That game was deleted.")
    told.show(Driver("robble", 5), tree=2)
    assert told.sent("review") == []


def test_after_a_game_the_next_step_is_offered(told):
    ended = Driver("robble", 5)
    ended("play b resign")
    seats = {"black": ENGINE, "white": HUMAN}
    solved = {f"robble.{number}.1": 1 for number in range(lessons_of("robble"))}
    told.hello(progress={"lessons": solved})
    told.show(ended, seats=seats)
    assert told.sent("paths") == [{}]
    told.tell("paths", list=[PLAYED | {"here": True}])
    assert told.page.locator("#status .actions .primary").all_inner_texts() == ["Review"]
    told.tell("paths", list=[PLAYED | {"here": True, "reviewed": True}])
    assert told.page.locator("#status .actions .primary").all_inner_texts() == ["Next: Puzzle"]
    told.hello(progress={"puzzles": {"robble.x": 1}})
    told.tell("paths", list=[PLAYED | {"reviewed": True}])
    told.button("Next: 7\u2009\u00d7\u20097, level 1").click()
    (game,) = told.sent("new")
    assert (game["size"], game["pie"], game["white"]["level"]) == (7, "pieces", 1)
    told.show(ended, seats={"black": HUMAN, "white": HUMAN})
    assert told.page.locator("#status .actions .primary").all_inner_texts() == ["Rematch"]
