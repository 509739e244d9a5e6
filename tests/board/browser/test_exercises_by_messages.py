"""Exercises and ends of games by messages of a server: what the page shows and offers then."""

import re

from playwright.sync_api import expect

from support.driver import Driver
from support.told_page import ENGINE, HUMAN, NODES, at_node

LESSONS = [{"id": "robble.place.1", "lesson": 1, "title": "Put a stone"}]
START = '#learn [aria-label="Start: Robble"]'


def begin(told, collection: str = "lessons", name: str = "robble.place.1", **fields) -> None:
    """Begin an exercise, as a server does that was asked for it."""
    told.hello(table="exercise")
    told.show(Driver("robble", 5))
    exercise(told, collection, name, **fields)
    told.page.locator("#exercise .task").wait_for()


def exercise(told, collection: str = "lessons", name: str = "robble.place.1", **fields) -> None:
    known = {"set": collection, "id": name, "game": "robble", "title": "Put a stone"}
    task = {"text": "Put a stone.", "hint": "", "number": 1, "total": 1, "color": "black"}
    verdict = {"status": "open", "refused": False, "words": [], "rules": []}
    told.tell("exercise", **known | task | verdict | fields)


def lesson(told) -> None:
    told.hello(table="1")
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#learn/robble'")
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'exercises')")
    told.tell("exercises", set="lessons", game="robble", list=LESSONS)
    assert told.sent("exercise") == [{"set": "lessons", "id": "robble.place.1"}]
    begin(told)


def mistake(told) -> None:
    told.hello(table="1")
    told.show(Driver("robble", 5), reviewed=True)
    told.page.evaluate("location.hash = '#board'")
    ended = Driver("robble", 2)
    for word in ("b a1", "w b2", "b a2", "w b1"):
        ended(f"play {word}")
    told.show(ended, reviewed=True)
    told.button("Learn from your mistakes").click()
    told.tell("exercises", set="mistakes", game="robble", list=[{"id": "mistakes.1"}])
    begin(told, "mistakes", "mistakes.1")


def guess(told, color: str) -> None:
    """Ask for the turns of a color in a reviewed game that is on the board."""
    told.hello(table="1")
    told.show(Driver("robble", 5), reviewed=True, seats={"black": HUMAN, "white": ENGINE})
    told.page.evaluate("location.hash = '#board'")
    told.button("Guess the turns", "#graph").click()
    dialog = told.page.locator("dialog.ask")
    titles = {"white": "White: A, First evening", "black": "Black: You"}
    assert dialog.locator("button").all_inner_texts() == list(titles.values())
    dialog.get_by_role("button", name=titles[color]).click()
    dialog.wait_for(state="detached")
    assert told.sent("guesses") == [{"of": color}]


def on_its_way(told) -> bool:
    """Whether the page says that it opens something, and lets nobody use what it replaces."""
    shown = "['page', 'nav'].map((id) => document.getElementById(id).inert)"
    said = "[...document.querySelectorAll('#veil:not([hidden])')].map((one) => one.textContent)"
    found = told.page.evaluate(f"[{shown}, {said}]")
    assert found in ([[True, False], ["Opening\u2026"]], [[False, False], []])
    return found[0][0]


def play(told) -> None:
    tried = Driver("robble", 5)
    tried("play b c3")
    told.show(tried)


def test_mistakes_that_come_again_wait_on_the_screen_of_the_puzzles(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#puzzles'")
    told.page.wait_for_function("window.sent.some(({set}) => set === 'returning')")
    waiting = told.page.locator("#puzzles .returning button")
    told.tell("exercises", set="returning", game="robble", list=[])
    assert not waiting.is_visible()
    again = [{"id": "returning.1"}, {"id": "returning.2"}]
    told.tell("exercises", set="returning", game="robble", list=again)
    assert waiting.inner_text() == "Repair 2 of your mistakes again"
    waiting.click()
    assert told.sent("exercise") == [{"set": "returning", "id": "returning.1"}]
    begin(told, "returning", "returning.1")
    exercise(told, set="returning", id="returning.1", status="right", words=["Good."])
    told.button("Next").click()
    assert told.sent("exercise")[-1] == {"set": "returning", "id": "returning.2"}


def test_the_turns_of_a_player_are_guessed_from_the_first_to_the_last(told):
    guess(told, "white")
    told.tell("exercises", set="guesses", game="robble", list=[{"id": "guesses.1.1"}])
    assert told.sent("exercise") == [{"set": "guesses", "id": "guesses.1.1"}]
    begin(told, "guesses", "guesses.1.1", total=2)
    words = ["Black's chance to win: 52 % after A1.", "You have found 1 of 1 so far.", "Yes."]
    exercise(told, "guesses", "guesses.1.1", total=2, status="right", words=words)
    shown = told.page.locator("#exercise .verdict li")
    assert shown.all_inner_texts() == words[:2]
    told.button("Next").click()
    assert told.sent("exercise")[-1] == {"set": "guesses", "id": "guesses.1.2"}
    exercise(told, "guesses", "guesses.1.2", number=2, total=2, status="over", words=words)
    told.button("Back to the game", "#exercise").last.click()
    assert told.sent("exercise")[-1] == {"set": "guesses", "id": None}


def test_a_game_without_turns_to_guess_says_so(told):
    guess(told, "black")
    told.tell("exercises", set="guesses", game="robble", list=[])
    told.page.locator("#note", has_text="The review has no turn to guess.").wait_for()
    assert told.sent("exercise") == []


def test_who_leaves_the_question_guesses_nothing(told):
    told.hello(table="1")
    told.show(Driver("robble", 5), reviewed=True)
    told.page.evaluate("location.hash = '#board'")
    told.button("Guess the turns", "#graph").click()
    told.page.keyboard.press("Escape")
    told.page.locator("dialog.ask").wait_for(state="detached")
    assert (told.sent("guesses"), told.sent("review")) == ([], [])


def test_from_a_try_one_plays_on_against_the_engine_or_analyzes(told):
    tried = Driver("robble", 5)
    tried("play b c3")
    for name, other in (("Play on", ENGINE | {"level": None}), ("Analyze", HUMAN)):
        mistake(told)
        position = told.show(tried)["position"]
        assert not told.button(name, "#exercise").is_visible(), "the try is not judged yet"
        exercise(told, "mistakes", "mistakes.1", status="wrong", words=["No."])
        told.button(name, "#exercise").click()
        assert told.sent("exercise")[-1] == {"set": "mistakes", "id": None}
        assert told.sent("enter")[-1] == {"table": None}, "the game at the board stays"
        assert told.sent("position")[-1] == {"text": position}
        assert told.sent("seats")[-1] == {"black": HUMAN, "white": other}
    assert told.sent("analyse") == [{"on": True}]


def test_nobody_plays_on_from_a_lesson(told):
    lesson(told)
    exercise(told, status="wrong", words=["No."])
    told.button("Try again", "#exercise").wait_for()
    assert told.button("Play on", "#exercise").count() == 0


def test_judging_is_shown_until_the_verdict(told):
    lesson(told)
    judging = told.page.locator("#exercise .judging")
    line, refusal = told.page.locator("#turn-line"), told.page.locator("#exercise .refused")
    exercise(told, refused=True, words=["A1 is not empty."])
    assert not judging.is_visible()
    assert line.is_visible() and refusal.is_visible()
    assert "turn" not in told.text("#turn-line"), "the position of an exercise is no beginning"
    play(told)
    assert judging.is_visible()
    assert not line.is_visible() and not refusal.is_visible(), "they are about what was before"
    exercise(told, status="wrong", words=["No."])
    assert not judging.is_visible()


def test_the_solution_and_the_way_out_wait_for_no_review(told):
    mistake(told)
    told.button("Show me").click()
    assert (told.sent("interrupt"), told.sent("show")) == ([], [{}])
    play(told)
    told.button("Show me").click()
    assert told.sent("interrupt") == [{}]
    assert told.sent("show") == [{}, {}]
    told.page.evaluate("location.hash = '#games'")
    told.page.wait_for_function("window.sent.some(({kind, id}) => kind === 'exercise' && !id)")
    assert told.sent("interrupt") == [{}, {}]
    assert told.sent("exercise")[-1] == {"set": "mistakes", "id": None}


def test_a_lesson_that_has_ended_elsewhere_leads_back_to_the_lessons(told):
    lesson(told)
    told.tell("exercise", set="lessons", id=None)
    told.page.locator("#exercise .task").wait_for(state="detached")
    assert told.page.evaluate("location.hash") == "#learn"


def test_the_last_lesson_leads_to_a_game(told):
    lesson(told)
    play(told)
    exercise(told, status="right", words=["Good."])
    told.button("Play Robble now").click()
    first = {"game": "robble", "size": 5, "pie": "off", "clock": None}
    seats = {"black": HUMAN, "white": ENGINE | {"level": 1}}
    assert told.sent("new") == [first | seats]
    assert told.sent("enter")[-1] == {"table": None}, "the game at the board stays"


def test_a_long_verdict_is_folded_and_the_text_of_rules_always(told):
    lesson(told)
    rules = [{"rule": "R2", "text": "Each turn puts a stone."}]
    exercise(told, status="right", words=["A stone.", "Good."], rules=rules)
    told.page.locator("#exercise .verdict li", has_text="A stone.").wait_for()
    assert not told.page.locator("#exercise dd").is_visible()
    told.page.locator("#exercise summary", has_text="The rule").click()
    assert told.page.locator("#exercise dd").is_visible()
    exercise(told, status="wrong", words=["A stone. " * 20, "Go on."])
    assert not told.page.locator("#exercise .verdict li").is_visible()


def test_a_lesson_on_its_way_hides_the_list_that_leads_to_it(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#learn/robble'")
    assert on_its_way(told)
    told.tell("exercises", set="lessons", game="robble", list=LESSONS)
    start = told.page.locator(START)
    assert on_its_way(told) and not start.is_visible()
    begin(told)
    assert not on_its_way(told)
    told.page.evaluate("location.hash = '#learn'")
    start.wait_for()
    assert not on_its_way(told), "no lesson is asked for"


def test_a_lesson_that_does_not_come_leaves_the_list(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#learn'")
    told.tell("exercises", set="lessons", game="robble", list=LESSONS)
    start = told.page.locator(START)
    start.click()
    assert on_its_way(told) and not start.is_visible()
    told.tell("told", level="error", text="There is none.")
    start.click()
    assert on_its_way(told)
    told.page.get_by_role("link", name="Start", exact=True).click()
    told.page.wait_for_function("document.body.dataset.screen === 'start'")
    assert not on_its_way(told)


def test_who_has_gone_elsewhere_is_led_to_no_lesson_and_no_puzzle(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    for address in ("#learn/robble", "#puzzles/robble.1"):
        told.page.evaluate("(address) => (location.hash = address)", address)
        told.page.evaluate("location.hash = '#board'")
        told.page.wait_for_function("document.body.dataset.screen === 'board'")
    told.tell("exercises", set="lessons", game="robble", list=LESSONS)
    told.tell("exercises", set="puzzles", game="robble", list=[{"id": "robble.1", "grade": 1}])
    assert told.sent("exercise") == [] and not on_its_way(told)


def test_a_puzzle_on_its_way_hides_the_others(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#puzzles/robble.2'")
    assert on_its_way(told)
    both = [{"id": f"robble.{number}", "number": number, "grade": 1} for number in (1, 2)]
    told.tell("exercises", set="puzzles", game="robble", list=both)
    assert told.sent("exercise") == [{"set": "puzzles", "id": "robble.2"}]
    assert on_its_way(told) and not told.button("Next puzzle").is_visible()
    begin(told, "puzzles", "robble.2")
    assert not on_its_way(told)
    told.page.evaluate("location.hash = '#puzzles/robble'")
    assert told.button("Next puzzle").is_visible()


def test_mistakes_on_their_way_leave_the_game_to_nobody(told):
    ended = Driver("robble", 5)
    ended("play b resign")
    told.show(ended, reviewed=True)
    told.button("Learn from your mistakes", "#status").click()
    assert on_its_way(told)
    told.tell("exercises", set="mistakes", game="robble", list=[])
    assert not on_its_way(told)


def ended_game(told, *judged: int) -> None:
    """A game of three turns that is over; of these turns a review tells what was better."""
    told.nodes(*NODES[:3], **{f"n{number}": {"best": "B3", "loss": 0.1} for number in judged})
    at_node(told, 3, reviewed=False)
    outcome = {"winner": "white", "title": "White won", "text": "Black resigned", "margin": None}
    view = told.state["view"] | {"outcome": outcome | {"rule": None}}
    told.tell("state", **told.state | {"view": view})


def test_a_kept_game_of_which_all_turns_were_reviewed_needs_no_other_review(told):
    ended_game(told, 1, 2, 3)
    assert not told.button("Save review", "#graph").is_visible(), "its page is not kept"
    told.button("Learn from your mistakes", "#graph").click()
    assert told.sent("mistakes") == [{"of": "both"}] and told.sent("review") == []


def test_a_game_of_which_a_turn_was_not_reviewed_is_reviewed_first(told):
    ended_game(told, 1, 3)
    assert not told.button("Learn from your mistakes", "#graph").is_visible()
    told.button("Learn from your mistakes", "#status").click()
    assert told.sent("review") == [{"visits": None}] and told.sent("mistakes") == []


def test_the_board_that_a_first_game_replaces_takes_no_click(told):
    lesson(told)
    play(told)
    exercise(told, status="right", words=["Good."])
    told.button("Play Robble now").click()
    assert told.sent("enter")[-1] == {"table": None}
    for table, size, number in (("1", 5, 7), ("2", 5, 1)):
        told.hello(table=table)
        told.show(Driver("robble", size), tree=number)
        assert on_its_way(told), f"table {table} has not got the game yet"
    told.show(Driver("robble", 5), tree=2)
    assert not on_its_way(told) and told.focused(), "the board has the keyboard"
    told.point("C3").click()
    assert told.sent("step")


def test_an_address_that_names_no_lesson_says_so(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    fault = told.page.locator("#learn .error")
    told.page.evaluate("location.hash = '#learn/chess'")
    assert fault.inner_text() == "There is no lesson chess."
    told.page.evaluate("location.hash = '#learn/robble.place.9'")
    told.tell("exercises", set="lessons", game="robble", list=LESSONS)
    fault.get_by_text("There is no lesson robble.place.9.").wait_for()
    assert told.sent("exercise") == []
    told.page.evaluate("location.hash = '#learn'")
    fault.wait_for(state="detached")


def test_an_address_that_names_no_puzzle_says_so(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    fault = told.page.locator("#puzzles .error")
    told.page.evaluate("location.hash = '#puzzles/chess'")
    assert fault.inner_text() == "There is no puzzle chess."
    told.page.evaluate("location.hash = '#puzzles/robble.99'")
    fault.wait_for(state="hidden")
    told.tell("exercises", set="puzzles", game="robble", list=[])
    assert not fault.is_visible(), "it may be an endgame"
    told.tell("exercises", set="endgames", game="robble", list=[])
    assert fault.inner_text() == "There is no puzzle robble.99."
    assert told.sent("exercise") == []
    told.page.evaluate("location.hash = '#puzzles/robble'")
    fault.wait_for(state="hidden")


def test_words_of_the_trade_explain_themselves_at_the_place(told):
    told.show(Driver("robble", 5))
    told.button("Record", "#tabs").click()
    viewers = told.button("Save for Go viewers", "#files")
    expect(viewers).to_have_accessible_description(re.compile("set-up stones, for programs"))
    told.button("New game", "#tools").click()
    pie = told.page.get_by_role("combobox", name="Pie rule", exact=True)
    expect(pie).to_have_accessible_description(re.compile("the pieces change color"))
    for value, words in (("sides", "exchange colors"), ("off", "strong first turn")):
        pie.select_option(value)
        assert words in told.text("#pie-about")


def test_the_puzzle_of_the_day_has_its_date_and_a_next_one(told):
    solved = {"2026-11-26": 1, "2026-11-27": 1}
    told.hello(table="1", progress={"daily": solved, "puzzles": {"robble.1": 1}})
    view = told.show(Driver("robble", 5))
    told.page.evaluate("location.hash = '#puzzles'")
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'daily')")
    list_ = [{"id": f"robble.{n}", "number": n, "grade": 1} for n in (1, 2)]
    puzzle = {"id": "robble.1", "game": "robble", "size": 5, "grade": 1, "text": "Win."}
    told.tell("exercises", set="puzzles", game="robble", list=list_)
    told.tell("daily", date="2026-11-28", puzzle=puzzle | {"view": view})
    assert told.text(".daily .date") == "Saturday, November 28"
    assert told.text(".daily .streak") == "Streak: 2 days. Solve it to go on."
    assert not told.button("Another puzzle").is_visible()
    told.button("Solve it").click()
    begin(told, "puzzles", "robble.1", status="right", words=["Good."])
    assert told.sent("progress")[-1] == {"set": "daily", "id": "2026-11-28", "stars": 1}
    told.page.evaluate("location.hash = '#puzzles/robble'")
    assert not told.button("Solve it").is_visible()
    assert told.text(".daily .streak") == "Streak: 3 days."
    told.button("Another puzzle").click()
    assert told.sent("exercise")[-1] == {"set": "puzzles", "id": "robble.2"}


def test_the_end_of_a_game_is_told_to_the_person(told):
    ended = Driver("pilo", 4)
    for play in ("b resign",):
        ended(f"play {play}")
    for seats, words in (
        ({"black": ENGINE, "white": HUMAN}, "You won"),
        ({"black": HUMAN, "white": ENGINE}, "You lost"),
        ({"black": HUMAN, "white": HUMAN}, "Orange wins"),
    ):
        told.show(ended, seats=seats)
        assert told.text("#status .ended strong") == words
        assert told.text("#turn-line strong") == words
    told.show(Driver("pilo", 4))
    assert told.page.locator("#status .ended").count() == 0


def test_no_browser_scrolls_to_what_an_address_names(told):
    told.show(Driver("robble", 5))
    told.page.set_viewport_size({"width": 390, "height": 500})
    told.page.evaluate("location.hash = '#learn'")
    told.page.evaluate("location.hash = '#board'")
    assert told.page.evaluate("scrollY") == 0
    told.page.set_viewport_size({"width": 1440, "height": 800})
