"""The board, its clicks and keys, the text below it and its controls, by messages of a server."""

import json

import pytest

from support.driver import Driver
from support.screens import ANIMATED
from support.thorough import first_of
from support.told_page import (
    BEGINNING,
    ENGINE,
    HUMAN,
    MARKS,
    NODES,
    PIECES,
    STACKS,
    WATCHED,
    at_node,
    drive,
)

# The board ---------------------------------------------------------------------------------------

BOARDS = [
    drive("pilo", "B1 W2 . \n # B3 W1 \n . . B1"),
    drive("boloa", "b B . \n . w W \n . . b"),
    drive("robble", "B . W \n W B . \n . . B"),
    drive("implo", ". B . . \n . B W . \n W . . . \n . . . B", "b d4"),
]


@pytest.mark.parametrize("driver", first_of(BOARDS, 2), ids=lambda driver: driver.session.game.name)
def test_each_piece_stands_on_its_point_and_looks_as_its_kind(told, driver):
    view = told.show(driver)
    drawn = told.page.evaluate(PIECES)
    assert [at for at, _ in drawn] == [piece["at"] for piece in view["pieces"]]
    looks = {}
    for piece, (_, symbol) in zip(view["pieces"], drawn, strict=True):
        kind = (piece["shape"], piece["color"], piece.get("height"))
        assert looks.setdefault(kind, symbol) == symbol
    assert len(set(looks.values())) == len(looks)
    heights = [piece["height"] for piece in view["pieces"] if piece.get("height", 1) > 1]
    defined = "all => all.map(one => one.textContent).filter(Boolean)"
    assert sorted(told.page.locator("#board defs > g[id]").evaluate_all(defined)) >= sorted(
        {str(height) for height in heights}
    )


OWNED = "W2 W2 B1 # # \n W2 # W1 # B2 \n # B2 # W1 B2 \n B1 # # # # \n B1 # W2 W1 #"
"""A position of Pilo whose patch C1 D1 begins on a board of 3 by 3, and ends beside it."""


def test_a_larger_board_comes_while_a_piece_still_moves(told):
    """Nothing of the larger one is drawn on the smaller one."""
    told.page.emulate_media(reduced_motion="no-preference")
    told.show(drive("pilo", "B1 . . \n . . . \n . . ."))
    with told.at_once():
        told.show(drive("pilo", "B1 . . \n . W1 . \n . . ."))
        view = told.show(drive("pilo", OWNED))
    assert {each["at"] for each in view["pieces"]} == {at for at, _ in told.page.evaluate(PIECES)}
    told.page.emulate_media(reduced_motion="reduce")


@pytest.mark.parametrize("driver", first_of(BOARDS, 2), ids=lambda driver: driver.session.game.name)
def test_each_point_has_a_button_with_its_name_and_whether_it_can_be_clicked(told, driver):
    view = told.show(driver)
    size = view["game"]["size"]
    script = "all => all.map(one => [one.dataset.vertex, one.ariaLabel, one.tabIndex])"
    points = told.page.locator("#board [data-vertex]").evaluate_all(script)
    rows = [f"{letter}{row}" for row in range(size, 0, -1) for letter in "ABCDEFGHJ"[:size]]
    assert [at for at, _, _ in points] == rows
    assert sorted(index for _, _, index in points) == [-1] * (size * size - 1) + [0]
    pieces = {piece["at"]: piece["text"] for piece in view["pieces"]}
    for at, name, _ in points:
        assert name.split(", ")[0] == at
        assert name.removeprefix(f"{at}, ").startswith(pieces.get(at, "empty"))
    others = view["tools"][1:]  # the first tool is chosen
    chosen = [each for each in view["options"] if each["verb"] not in others]
    assert told.legal() == {at for each in chosen for at in [each["at"], *each["area"]]}


@pytest.mark.parametrize("pointed", [True, False], ids=["pointed", "elsewhere"])
def test_a_piece_that_the_pointer_has_shown_stands_at_once_what_it_causes_is_animated(
    told, pointed
):
    driver = drive("robble", ". . . . \n . . . . \n . . . . \n . . . B", to_move="w")
    told.page.emulate_media(reduced_motion="no-preference")
    told.show(driver)
    if pointed:
        told.point("D2").hover()
        told.page.locator("#board .board-ghost").wait_for()
    told.page.evaluate(ANIMATED)
    driver("play w d2")
    view = told.show(driver)
    assert [event["do"] for event in view["last"]["events"]] == ["place", "remove"]
    told.page.wait_for_function(CAPTURED)
    assert told.page.evaluate("animated") == ["piece"] * (not pointed) + ["piece passing"]
    assert [at for at, _ in told.page.evaluate(PIECES)] == ["D2"]
    told.page.emulate_media(reduced_motion="reduce")


CAPTURED = "animated.includes('piece passing') && !document.querySelector('#board .passing')"


@pytest.mark.parametrize("previewed", [True, False], ids=["previewed", "clicked before"])
def test_a_piece_that_a_preview_has_shown_stands_at_once(told, previewed):
    driver = drive("implo", ". . . \n . B . \n . . W", to_move="b")
    told.page.emulate_media(reduced_motion="no-preference")
    before = told.show(driver)
    told.point("C3").hover()
    told.page.locator("#board .board-ghost").wait_for()
    if previewed:
        told.page.wait_for_function("sent.some(({ kind }) => kind === 'preview')")
        later = json.loads(driver("game-preview b c3"))["view"]
        told.tell("preview", rev=before["rev"], word="C3", view=later)
        told.page.locator("#board .ghosts .ghost").wait_for()
    told.page.evaluate(ANIMATED)
    driver("play b c3")
    view = told.show(driver)
    events = [(event["do"], event["at"]) for event in view["last"]["events"]]
    assert events == [("place", "C3"), ("place", "C2"), ("remove", "C1")]
    told.page.wait_for_function(CAPTURED)
    assert told.page.evaluate("animated") == ["piece"] * (not previewed) + ["piece passing"]
    assert [at for at, _ in told.page.evaluate(PIECES)] == ["B2", "C3", "C2"]
    told.page.emulate_media(reduced_motion="reduce")


PATCHES = ". . .\nB W .\nB W ."
"""A position of Implo in which White's turn to C2 leaves patches to resolve."""


def test_pieces_of_a_later_view_replace_those_of_an_earlier_one(told):
    driver = drive("pilo", "B1 W1 . \n . . . \n . . .")
    told.show(driver)
    driver("play b a3-b3")
    view = told.show(driver)
    assert [at for at, _ in told.page.evaluate(PIECES)] == [each["at"] for each in view["pieces"]]
    told.show(Driver("pilo", 3))
    assert told.page.evaluate(PIECES) == []


def test_the_last_turn_is_marked(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    told.show(driver)
    assert told.page.evaluate(MARKS, "last") == ["C2"]
    driver("play w e4")
    told.show(driver)
    assert told.page.evaluate(MARKS, "last") == ["E4"]
    several = drive("implo", PATCHES, "w c2/c1", to_move="w")
    told.show(several)
    assert told.page.evaluate(MARKS, "last") == ["C2"], "where the first step of the turn is"


NUMBERS = """() => [...document.querySelectorAll("#board .mark.turn")].map((mark) => {
    const { x, y } = new DOMPoint(0, 0).matrixTransform(mark.getScreenCTM());
    const over = document.elementsFromPoint(x, y).find((one) => one.dataset?.vertex);
    return `${over?.dataset.vertex} ${mark.textContent}`;
}).sort()"""


def test_move_numbers_stand_on_the_pieces_and_are_told_where_they_are_wanted(told):
    driver = drive("pilo", "B1 . . \n . . . \n . . .", "b a1", "w a2", "b a3-a2", pie="off")
    told.show(driver)
    assert told.page.evaluate(NUMBERS) == []
    assert "turn" not in told.point("A1").get_attribute("aria-label")
    told.button("Settings", "#tools").click()
    switch = told.page.locator("#settings").get_by_role("switch", name="Move numbers")
    switch.check()
    told.button("Done", "#settings").click()
    # The stack that stood there at the start has moved to A2; the block that it left is new.
    assert told.page.evaluate(NUMBERS) == ["A1 1", "A3 3"]
    assert told.point("A1").get_attribute("aria-label").startswith("A1, blue stack, turn 1")
    assert told.page.evaluate(PIECES) != []
    driver("undo")
    told.show(driver)
    assert told.page.evaluate(NUMBERS) == ["A1 1", "A2 2"]
    told.button("Settings", "#tools").click()
    switch.uncheck()
    assert told.page.evaluate(NUMBERS) == []


def test_without_motion_a_turn_is_outlined_for_a_moment_when_it_comes_and_when_it_is_replayed(told):
    driver = Driver("robble", 5)
    told.show(driver)
    told.page.evaluate(WATCHED)
    driver("play b c2")
    told.show(driver)
    told.page.wait_for_function("outlined.length > 0")
    told.button("Show the last turn again").click()
    told.page.wait_for_function("outlined.length > 1")
    assert told.page.evaluate("() => outlined") == ["C2", "C2"]
    told.page.wait_for_function("!document.querySelector('#board .marks.pulse > *')")


def test_what_people_marked_is_on_the_shown_node_alone(told):
    driver = Driver("robble", 5)
    driver("play b c2")
    marks = [
        {"kind": "circle", "at": "B2"},
        {"kind": "triangle", "at": "D4"},
        {"kind": "label", "at": "E1", "text": "x"},
        {"kind": "arrow", "at": "A1", "to": "A3"},
    ]
    told.nodes((1, 0, "black", "C2"), n1={"marks": marks})
    told.show(driver, node=1)
    for kind, at in {"circle": "B2", "triangle": "D4", "label": "E1", "pointer": "A2"}.items():
        assert told.page.evaluate(MARKS, kind) == [at]
    assert told.text("#board .mark.label") == "x"
    begins = told.page.locator("#board .mark.pointer path").first.evaluate(BEGINNING)
    assert begins == "A1", "an arrow leads from its first point to its second"
    told.show(driver, node=0)
    assert told.page.locator("#board .marks.notes > *").count() == 0


def test_marks_are_drawn_with_the_right_button(told):
    told.show(Driver("robble", 5))
    told.point("B2").click(button="right")
    assert told.sent("marks") == [{"node": 0, "marks": [{"kind": "circle", "at": "B2"}]}]
    assert told.page.evaluate(MARKS, "circle") == ["B2"]
    told.point("B2").click(button="right")
    assert told.sent("marks")[-1] == {"node": 0, "marks": []}
    assert told.sent("try") == told.sent("step") == []


def test_arrows_are_drawn_by_keys_from_their_beginning(told):
    told.show(Driver("robble", 5))
    told.point("C3").focus()
    for key in ("m", "Enter", "ArrowRight", "ArrowUp", "Enter"):
        told.page.keyboard.press(key)
    arrow = {"kind": "arrow", "at": "C3", "to": "D4"}
    assert told.sent("marks") == [{"node": 0, "marks": [arrow]}]
    told.page.keyboard.press("m")
    told.page.keyboard.press("Enter")
    assert [each["word"] for each in told.sent("step")] == ["D4"]


# Clicks, keys, and the focus ---------------------------------------------------------------------


def test_a_step_of_two_clicks_is_sent_when_it_is_whole(told):
    view = told.show(drive("pilo", STACKS))
    told.point("A3").click()
    assert told.sent("step") == []
    assert "selected" in told.point("A3").get_attribute("aria-label")
    assert told.legal() >= {"B3"}
    told.point("B3").click()
    assert told.sent("step") == [{"rev": view["rev"], "word": "A3-B3"}]


def test_a_selection_is_raised_and_ends_with_escape(told):
    told.show(drive("pilo", STACKS))
    before = told.page.evaluate(PIECES)
    legal = told.legal()
    told.point("A3").click()
    assert told.page.locator('#board .pieces > use[transform*="scale"]').count() == 1
    told.point("A3").press("Escape")
    assert sorted(told.page.evaluate(PIECES)) == sorted(before)
    assert told.page.locator('#board .pieces > use[transform*="scale"]').count() == 0
    assert told.legal() == legal
    assert "selected" not in told.point("A3").get_attribute("aria-label")


def test_keys_move_the_focus_and_play(told):
    told.show(Driver("robble", 5))
    told.point("C3").focus()
    for key, vertex in (
        ("ArrowUp", "C4"),
        ("ArrowRight", "D4"),
        ("ArrowDown", "D3"),
        ("ArrowLeft", "C3"),
        ("Home", "A3"),
        ("End", "E3"),
        ("Control+Home", "A5"),
        ("Control+End", "E1"),
        ("ArrowRight", "E1"),
    ):
        told.page.keyboard.press(key)
        assert told.focused() == vertex, key
    stops = "all => all.filter(one => one.tabIndex === 0).map(one => one.dataset.vertex)"
    assert told.page.locator("#board [data-vertex]").evaluate_all(stops) == ["E1"]
    for _ in range(3):
        told.page.keyboard.down("Enter")  # held, it repeats
    told.page.keyboard.up("Enter")
    assert [each["word"] for each in told.sent("step")] == ["E1"]


def test_a_board_that_waits_for_others_takes_no_click(told):
    driver = Driver("robble", 5)
    told.show(driver, seats={"black": ENGINE, "white": HUMAN})
    assert told.legal() == set()
    told.point("C3").click()
    assert told.sent("step") == []
    driver("play b a1")
    told.show(driver, seats={"black": ENGINE, "white": HUMAN})
    assert "C3" in told.legal()
    told.page.evaluate("() => { socket.readyState = 3; socket.onclose({}); }")
    assert told.legal() == set()
    told.page.wait_for_function("document.querySelectorAll('#board .legal').length")  # connected
    assert "C3" in told.legal()


def test_the_kind_of_piece_is_chosen_by_button_and_by_letter(told):
    told.show(drive("boloa", ". . . \n . . . \n . . ."))
    tools = told.page.get_by_role("group", name="What a click places").locator("button")
    names = tools.evaluate_all("all => all.map(one => one.textContent)")
    assert names == ["Stone", "Pawn"]
    pressed = "all => all.map(one => one.ariaPressed)"
    assert tools.evaluate_all(pressed) == ["true", "false"]
    tools.nth(1).click()
    assert tools.evaluate_all(pressed) == ["false", "true"]
    told.point("A1").click()
    told.point("A1").press("s")
    assert tools.evaluate_all(pressed) == ["true", "false"]
    told.point("B2").click()
    assert [each["word"] for each in told.sent("step")] == ["pA1", "sB2"]
    told.show(Driver("robble", 5))
    assert not told.page.get_by_role("group", name="What a click places").is_visible()


def test_a_refusal_says_why_offers_what_goes_and_leaves_with_the_next_press(told):
    view = told.show(drive("robble", "B . . \n . . . \n . . ."))
    told.point("A3").click()
    assert told.sent("why") == [{"rev": view["rev"], "word": "A3"}]
    offer = {"step": "swap", "text": "the stone becomes yours"}
    refusal = {"word": "A3", "text": "A3 is not empty", "rule": "R3", "points": ["A3", "B2"]}
    told.tell("refused", rev=view["rev"], **refusal, instead=[offer])
    assert told.text("#note .refused p") == "A3 is not empty. R3"
    assert told.page.locator("#note .refused .rule").get_attribute("data-rule") == "R3"
    assert told.page.evaluate(MARKS, "refused") == ["A3", "B2"]
    told.button("The stone becomes yours").click()
    assert told.sent("step") == [{"rev": view["rev"], "word": "swap"}]
    told.point("B2").hover()
    told.page.mouse.down()
    assert told.page.locator("#note .refused").count() == 0
    assert told.page.evaluate(MARKS, "refused") == []


def test_a_refusal_leaves_with_the_next_position(told):
    driver = Driver("robble", 5)
    view = told.show(driver)
    told.tell("refused", rev=view["rev"], word="A9", text="A9 is off the board", rule=None)
    assert told.text("#note .refused") == "A9 is off the board."
    driver("play b a1")
    told.show(driver)
    assert told.page.locator("#note .refused").count() == 0


# The text below the board, and its buttons -------------------------------------------------------


def test_who_is_to_move_and_what_is_wanted(told):
    driver = drive("implo", ". B . \n W . . \n . . .", to_move="w")
    view = told.show(driver)
    title = view["game"]["colors"]["white"]["title"]
    line = told.text("#turn-line")
    assert line == f"{title} turn {view['turn']['number']} {view['turn']['wants']}"
    card = "all => all.filter(one => one.matches('.to-move')).map(one => one.dataset.color)"
    assert told.page.locator("#players .player").evaluate_all(card) == ["white"]


def test_an_open_turn_shows_its_steps_and_can_be_taken_back_by_steps(told):
    driver = drive("implo", ". B . . \n . B W . \n W . . . \n . . . B")
    view = told.show(driver, can_undo=True)
    assert not told.button("Step").is_visible()
    first = next(each for each in view["options"] if "step" in each)
    while not view["turn"]["open"]:
        driver(f"play {view['turn']['to_move']} {first['step']}")
        view = told.show(driver, can_undo=True)
        first = next(each for each in view["options"] if "step" in each)
    assert told.text("#turn-line .steps") == f"{' / '.join(view['turn']['steps'])} /"
    assert told.button("Whole turn").is_visible()
    told.button("Step").click()
    assert told.sent("undo") == [{}]


def test_a_forced_pass_is_one_button_that_takes_the_focus(told):
    told.show(drive("pilo", "B1 . \n . ."))
    told.point("A2").focus()
    view = told.show(drive("pilo", "# # \n W1 #"))
    (button,) = view["buttons"]
    assert button["forced"]
    shown = told.button(button["title"], "#status .actions")
    assert "primary" in shown.get_attribute("class")
    assert told.page.evaluate("() => document.activeElement.textContent") == button["title"]
    shown.click()
    assert told.sent("step") == [{"rev": view["rev"], "word": button["step"]}]


@pytest.mark.parametrize(("winner", "loser"), first_of([("black", "white"), ("white", "black")]))
def test_an_end_tells_the_winner_and_what_decided(told, winner, loser):
    one, other = winner[0], loser[0]
    driver = drive("boloa", f"{one.upper()} . {other} \n {one.upper()} . . \n . . .", to_move=one)
    if winner == "white":
        driver = drive("boloa", f"W W . \n . . . \n {other} . .", to_move="w")
    view = told.show(driver)
    assert view["outcome"] is None
    driver(f"play {one} {'sA1' if winner == 'black' else 'sC3'}")
    view = told.show(driver)
    assert view["outcome"]["winner"] == winner
    titles = {color: each["title"] for color, each in view["game"]["colors"].items()}
    assert told.text("#turn-line strong") == f"{titles[winner]} wins"
    assert view["outcome"]["text"] in told.text("#turn-line .wants")
    assert told.page.locator("#turn-line .rule").inner_text() == view["outcome"]["rule"]
    won = "all => all.filter(one => one.matches('.won')).map(one => one.dataset.color)"
    assert told.page.locator("#players .player").evaluate_all(won) == [winner]
    assert told.page.locator("#players .to-move").count() == 0
    assert told.legal() == set()
    decided = (
        "all => all.filter(one => /decided/.test(one.ariaLabel)).map(one => one.dataset.vertex)"
    )
    found = told.page.locator("#board [data-vertex]").evaluate_all(decided)
    assert sorted(found) == sorted(view["outcome"]["points"])
    assert told.page.locator("#board .decisive > *").count() > 0


def test_an_engine_that_thinks_can_be_told_to_play(told):
    thinking = {"engine": "A", "color": "black", "seconds": 3}
    told.show(Driver("robble", 5), seats={"black": ENGINE, "white": HUMAN}, thinking=thinking)
    assert told.text("#turn-line .clock").startswith("A is thinking, ")
    assert told.page.locator("#players .thinks").get_attribute("data-color") == "black"
    told.button("Play now").click()
    assert told.sent("interrupt") == [{}]
    told.show(Driver("robble", 5), seats={"black": ENGINE, "white": HUMAN}, resting=True)
    assert told.page.locator("#turn-line .clock").count() == 0
    assert told.page.locator("#players .thinks").count() == 0
    told.button("Let the engine play").click()
    assert told.sent("pause") == [{"on": False}]


def damaged(told):
    told.tell("told", level="error", text="The file is damaged")
    assert told.text("#note .error") == "The file is damaged"


def test_notes_of_the_server_leave_with_the_position_or_when_closed(told):
    driver = Driver("robble", 5)
    told.show(driver)
    told.tell("told", level="info", text="Saved")
    damaged(told)
    assert told.text("#note .info") == "Saved"
    told.tell("state", **told.state)
    assert told.text("#note .error") == "The file is damaged"
    driver("play b a1")
    told.show(driver)
    assert told.page.locator("#note .info, #note .error").count() == 0
    damaged(told)
    told.button("Close", "#note").click()
    assert told.page.locator("#note .error").count() == 0
    damaged(told)
    told.tell("told", level="info", text="Opened")
    assert told.page.locator("#note .error").count() == 0


def test_the_notes_of_a_table_stay_there(told):
    told.hello(table="1")
    told.show(Driver("robble", 5), reviewing=True)
    told.tell("told", level="info", text="Saved")
    damaged(told)
    told.tell("review", done=0, total=1, over=False)
    assert told.text("#note .reviewing").startswith("Review: turn 0 of 1")
    told.hello(table="1")
    told.tell("state", **told.state)
    assert told.page.locator("#note .reviewing").count() == 1
    told.hello(table="2")
    told.show(Driver("robble", 5))
    assert told.page.locator("#note :is(.info, .error, .reviewing)").count() == 0


def test_a_review_that_has_begun_shows_it_at_every_turn(told):
    told.nodes(*NODES)
    at_node(told, 3, reviewing=True)
    note = told.page.locator("#note .reviewing")
    assert note.inner_text().startswith("Review: the engine begins")
    assert told.button("Stop", "#note").count() == 0, "there is nothing to stop yet"
    told.tell("review", done=0, total=3, over=False)
    told.button("Stop", "#note").wait_for()
    for done in (1, 3):  # after the last turn its page is made
        told.tell("review", done=done, total=3, over=False)
        at_node(told, 1, reviewing=True)
        assert note.inner_text().startswith(f"Review: turn {done} of 3")
    at_node(told, 1)
    assert note.count() == 0, "the engine has failed"


def test_the_offer_of_a_review_shows_that_it_works(told):
    ended = Driver("robble", 5)
    ended("play b resign")
    told.show(ended)
    assert told.button("Review", "#status").is_enabled()
    told.show(ended, reviewing=True)
    assert told.button("Reviewing\u2026", "#status").is_disabled()
    told.show(ended, reviewing=False, reviewed=True)
    assert told.button("Review", "#status").is_enabled()


def test_a_hint_that_was_asked_for_is_announced_until_it_comes_or_fails(told):
    view = told.show(Driver("robble", 5))
    looks = told.page.locator(".reviewing", has_text="The engine looks for a hint.")
    hint = told.button("Hint", "#status")
    hint.click()
    looks.wait_for()
    told.page.locator("#live", has_text="The engine looks for a hint.").wait_for()
    failed = "No hint. The analysis engine is slow to start. You can ask again."
    told.tell("told", level="error", text=failed)
    assert looks.count() == 0 and told.text("#note .error p") == failed
    hint.click()
    looks.wait_for()
    assert told.page.locator("#note .error").count() == 0
    hint.click()
    assert told.sent("hint") == [{}, {}], "one is on its way"
    where = {"text": "Look at the left.", "points": ["A1"]}
    told.tell("hint", rev=view["rev"], word="A1", where=where, why=[], line=[], drawn=[])
    told.page.locator(".hint", has_text="Look at the left.").wait_for()
    assert looks.count() == 0
    told.show(Driver("robble", 5))
    told.button("Hint", "#status").click()
    looks.wait_for()
    told.show(Driver("robble", 5))
    assert looks.count() == 0, "the position has changed"


def test_a_hint_that_the_connection_has_swallowed_can_be_asked_for_again(told):
    told.show(Driver("robble", 5))
    looks = told.page.locator(".reviewing", has_text="The engine looks for a hint.")
    told.button("Hint", "#status").click()
    looks.wait_for()
    told.page.evaluate("socket.onclose({})")
    looks.wait_for(state="detached")
    told.greeted_again()
    told.tell("state", **told.state)
    told.button("Hint", "#status").click()
    looks.wait_for()
    assert told.sent("hint") == [{}, {}]


def test_who_has_which_color_after_a_swap_is_told_with_its_position_alone(told):
    driver = Driver("robble", 5)
    told.show(driver, swap_note="White has taken the stone.")
    assert told.text("#note") == "White has taken the stone."
    told.show(driver)
    assert told.text("#note") == ""


def test_an_engine_that_has_failed_can_be_started_again(told):
    running = {"name": "A", "title": "A", "running": True, "down": False, "fault": None}
    fallen = running | {"running": False, "down": True, "fault": "A has ended"}
    lacking = running | {"name": "B", "title": "B", "missing": ["B cannot review."]}
    told.show(Driver("robble", 5), engines=[fallen, lacking])
    assert told.text("#note .error p") == "A has ended."
    assert "B cannot review." in told.text("#note")
    told.button("Restart A").click()
    assert told.sent("restart") == [{"engine": "A"}]
    told.show(Driver("robble", 5), engines=[running, lacking])
    assert told.page.locator("#note .error").count() == 0


def test_the_effects_of_the_last_turn_are_told_and_stay_opened(told):
    driver = drive("pilo", STACKS, "b a3-b3")
    view = told.show(driver)
    effects = view["last"]["why"]
    assert effects
    told.page.locator("#note details.last summary").click()
    rows = told.page.locator("#note details.last li")
    assert [" ".join(text.split()) for text in rows.all_inner_texts()] == [
        " ".join(filter(None, [f"{each['text']}.", each["rule"]])) for each in effects
    ]
    told.show(driver)
    assert told.page.locator("#note details.last").get_attribute("open") is not None


# Controls ----------------------------------------------------------------------------------------


def enabled(told) -> list[str]:
    script = """all => all.filter(one => !one.disabled && one.offsetParent)
        .map(one => one.ariaLabel ?? one.textContent)"""
    return told.page.locator("#status .controls button").evaluate_all(script)


def test_controls_that_lead_nowhere_are_off(told):
    first, back = "To the start", "One turn back"
    last, forward = "To the end", "One turn forward"
    told.nodes(*NODES)
    at_node(told, 0)
    assert [each for each in enabled(told) if each in (first, back, forward, last)] == [
        forward,
        last,
    ]
    assert "Take back" not in enabled(told) and "Show the last turn again" not in enabled(told)
    at_node(told, 2)
    others = {"Take back", "Hint", "Show the last turn again", "Resign"}
    assert {first, back, forward, last} | others <= set(enabled(told))
    at_node(told, 3)
    assert [each for each in enabled(told) if each in (first, back, forward, last)] == [first, back]
    told.page.evaluate("() => { socket.readyState = 3; socket.onclose({}); }")
    assert not {"Take back", "Hint", "Resign"} & set(enabled(told))


def test_controls_lead_along_the_line(told):
    told.nodes(*NODES)
    at_node(told, 2)
    for name in ("To the start", "One turn back", "One turn forward", "To the end"):
        told.button(name).click()
    assert [each["node"] for each in told.sent("goto")] == [0, 1, 3, 3]
    told.button("Take back").click()
    assert told.sent("undo") == [{}]
    told.button("Hint").click()
    assert told.sent("hint") == [{}]


def test_forward_offers_the_variations_and_then_goes_where_one_came_from(told):
    told.nodes(*NODES)
    at_node(told, 4)
    at_node(told, 1)
    told.button("One turn forward").click()
    assert told.sent("goto") == []
    signs = "all => all.map(one => one.textContent)"
    assert told.page.locator("#board .marks.plans .label").evaluate_all(signs) == ["A", "B"]
    assert told.page.locator("#branches button").all_inner_texts() == ["A D4", "B E5"]
    told.button("One turn forward").click()
    assert told.sent("goto") == [{"node": 4}]


def test_a_variation_of_several_steps_stands_where_it_begins(told):
    told.nodes((1, 0, "white", "C2/C1"), (2, 0, "white", "swap"), (3, 0, "white", "A3"))
    told.show(drive("implo", PATCHES, to_move="w"), node=0)
    told.button("One turn forward").click()
    assert told.page.evaluate(MARKS, "label") == ["A3", "C2"]


BRANCHES = [(1, 0, "black", "C2"), (2, 0, "black", "D4")]


def test_a_variation_is_chosen_on_the_board_or_below_it(told):
    told.nodes(*BRANCHES)
    for choose in (told.point("D4").click, told.button("A C2").click):
        at_node(told, 0)
        told.button("One turn forward").click()
        choose()
        assert not told.page.locator("#branches").is_visible()
    assert [each["node"] for each in told.sent("goto")] == [2, 1]
    assert told.sent("step") == []


def test_the_choice_of_a_variation_is_left_by_escape_and_with_the_position(told):
    told.nodes(*BRANCHES)
    at_node(told, 0)
    told.button("One turn forward").click()
    told.point("C3").focus()
    told.page.keyboard.press("Escape")
    assert not told.page.locator("#branches").is_visible()
    told.point("D4").click()
    assert told.sent("step") and told.sent("goto") == []
    told.button("One turn forward").click()
    at_node(told, 1)
    assert not told.page.locator("#branches").is_visible()
    assert told.page.locator("#board .marks.plans > *").count() == 0


def test_keys_take_back_and_play_again_but_not_while_something_is_typed(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.point("C3").focus()
    for key in ("Control+z", "Control+Shift+Z", "Control+y", "PageUp", "PageDown"):
        told.page.keyboard.press(key)
    assert told.sent("undo") == [{}]
    assert told.sent("redo") == [{}, {}]
    assert [each["node"] for each in told.sent("goto")] == [1, 3]
    told.page.get_by_placeholder("Type a turn").press("Control+z")
    assert told.sent("undo") == [{}]


def test_keys_leave_a_game_alone_that_is_not_shown(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.page.evaluate("location.hash = '#games'")
    told.page.locator("#board").wait_for(state="hidden")
    for key in ("Control+z", "Control+y"):
        told.page.keyboard.press(key)
    assert told.sent("undo") == told.sent("redo") == []


def test_resigning_is_confirmed_first(told):
    told.nodes(*NODES)
    at_node(told, 2)
    told.button("Resign").click()
    assert "Black loses" in told.text("dialog.ask") or "loses the game" in told.text("dialog.ask")
    told.button("Play on", "dialog.ask").click()
    told.page.locator("dialog.ask").wait_for(state="detached")
    assert told.sent("resign") == []
    told.button("Resign").click()
    told.page.keyboard.press("Escape")
    assert told.sent("resign") == []
    told.button("Resign").click()
    told.button("Resign", "dialog.ask").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'resign')")
    assert told.sent("resign") == [{"color": "black"}]


def test_a_resignation_is_told_once(told):
    ended = Driver("robble", 5)
    ended("play b resign")
    told.show(ended)
    told.page.locator("#status .strip.ended").wait_for()
    assert told.page.locator("#status").inner_text().count("Black resigned") == 1


def test_the_one_color_of_the_person_resigns_also_while_the_other_is_to_move(told):
    told.nodes(*NODES)
    at_node(told, 1, seats={"black": HUMAN, "white": ENGINE})
    told.button("Resign").click()
    told.button("Resign", "dialog.ask").click()
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'resign')")
    assert told.sent("resign") == [{"color": "black"}]


# Stands in for the sound of the browser: keeps what it is told, and each tone.
SOUND = """() => {
    window.heard = [];
    window.tones = [];
    const value = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    window.AudioContext = class {
        currentTime = 0;
        async suspend() { heard.push("suspend"); }
        async resume() { heard.push("resume"); }
        createGain() { return { gain: value, connect: () => {} }; }
        createOscillator() {
            const tone = { frequency: {}, connect: (next) => next, stop() {} };
            tones.push(tone);
            return tone.start = () => heard.push("tone"), tone;
        }
    };
}"""


def test_a_tone_says_that_it_is_ones_turn_and_the_sound_rests_in_silence(told):
    told.page.evaluate(SOUND)
    seats = {"black": HUMAN, "white": ENGINE}
    told.show(drive("robble", ". . . \n . . . \n . . ."), seats=seats)
    told.page.mouse.click(720, 2)
    assert told.page.evaluate("heard") == ["suspend"]
    told.show(drive("robble", ". . . \n . . . \n . . .", "b b2"), seats=seats)
    assert told.page.evaluate("heard") == ["suspend"]
    told.show(drive("robble", ". . . \n . W B \n . . ."), seats=seats)
    told.page.wait_for_function("heard.length > 3")
    assert told.page.evaluate("heard") == ["suspend", "resume", "tone", "tone"]
    told.page.evaluate("tones[1].onended()")
    assert told.page.evaluate("heard").pop() == "suspend"


def test_pieces_and_the_last_seconds_of_ones_clock_are_heard(told):
    told.page.evaluate(SOUND)
    told.nodes(*NODES)
    at_node(told, 1)
    told.page.mouse.click(720, 2)
    at_node(told, 2)
    told.page.wait_for_function("tones.length === 1")
    at_node(told, 1)
    assert told.page.evaluate("tones.length") == 1, "what is taken back is not heard"
    seats = {"black": HUMAN, "white": ENGINE}
    clock = {"main": 60, "increment": 0, "black": 1.2, "white": 1.2, "running": "black"}
    told.show(Driver("robble", 5), seats=seats, clock=clock)
    told.page.wait_for_function("tones.some(({frequency}) => frequency.value === 988)")
    told.show(Driver("robble", 5), clock=None)


TIMED = {"main": 60, "increment": 0, "black": 51.05, "white": 60.0, "running": "black"}


def looked_back(told, view):
    told.tell("looked", node=1, view=view)
    told.tell("looked", node=0, view=view)


def changed_a_setting(told, view):
    told.button("Settings").first.click()
    told.page.get_by_role("switch", name="Move numbers").click()


@pytest.mark.parametrize("told_again", [looked_back, changed_a_setting])
def test_what_counts_goes_on_when_an_old_position_is_told_again(told, told_again):
    """A clock, its last seconds, and the time that an engine has been thinking."""
    told.page.evaluate(SOUND)
    told.page.mouse.click(720, 2)
    told.page.evaluate("performance.now = () => window.moment ?? 0")
    seats, thinking = {"black": HUMAN, "white": ENGINE}, {"engine": "A", "seconds": 3}
    view = told.show(Driver("robble", 5), seats=seats, clock=TIMED, thinking=thinking)
    told.page.evaluate("window.moment = 41000")
    told_again(told, view)
    assert told.text('#players [data-color="black"] .time') == "0:10"
    assert told.text("#turn-line .clock") == "A is thinking, 44 s"
    told.page.wait_for_function("tones.some(({frequency}) => frequency.value === 988)")
