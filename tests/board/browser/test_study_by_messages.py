"""Study by messages of a server: marks, the editor, hints, comments; each stays in its game."""

import json

import pytest

from support.driver import Driver
from support.told_page import HUMAN, NODES, at_node

GUEST = {"kind": "human", "guest": "white"}
MARK = "#study button:has-text('Mark'):not(:has-text('Clear'))"


def mark(told) -> None:
    """Draw with every pointer."""
    told.button("Study", "#tabs").click()
    told.page.locator(MARK).click()
    assert told.page.locator(MARK).get_attribute("aria-pressed") == "true"


def test_who_sets_up_pieces_draws_no_longer(told):
    told.show(Driver("robble", 5))
    mark(told)
    told.button("Set up pieces").click()
    told.tell("pieces", **json.loads(Driver("robble", 5)("game-pieces")))
    assert told.page.locator(MARK).get_attribute("aria-pressed") == "false"
    told.point("C3").click()
    told.page.wait_for_function("sent.some(({kind, draft}) => kind === 'edit' && draft === 2)")
    assert list(told.sent("edit")[-1]["cells"]) == ["C3"]


def test_in_a_lesson_a_click_plays_though_one_has_drawn_before(told):
    told.hello(table="1")
    told.show(Driver("robble", 5))
    mark(told)
    told.page.evaluate("location.hash = '#learn/robble'")
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'exercises')")
    lesson = {"id": "robble.place.1", "lesson": 1, "title": "Put a stone"}
    told.tell("exercises", set="lessons", game="robble", list=[lesson])
    told.hello(table="exercise")
    told.show(Driver("robble", 5))
    task = {"title": "Put a stone", "text": "Put it.", "hint": "", "number": 1, "total": 1}
    verdict = {"status": "open", "refused": False, "words": [], "rules": []}
    asked = {"set": "lessons", "id": "robble.place.1", "game": "robble", "color": "black"}
    told.tell("exercise", **asked | task | verdict)
    told.point("C3").click()
    assert [each["word"] for each in told.sent("step")] == ["C3"]
    assert told.sent("marks") == []


def test_while_a_guest_plays_nothing_is_asked_that_the_server_refuses(told):
    told.show(Driver("robble", 5))
    told.button("Study", "#tabs").click()
    asked = [told.sent(kind) for kind in ("openings", "explore")]
    assert asked == [[{}], [{}]]
    told.show(Driver("robble", 5), seats={"black": HUMAN, "white": GUEST})
    assert [told.sent(kind) for kind in ("openings", "explore")] == asked
    told.show(Driver("robble", 5), seats={"black": HUMAN, "white": GUEST}, over=True)
    assert [len(told.sent(kind)) for kind in ("openings", "explore")] == [2, 2]


@pytest.mark.parametrize("lost", [False, True], ids=["another table", "the same one again"])
def test_what_is_known_of_a_position_is_asked_again_at_each_arrival(told, lost):
    """Positions of two tables may have the same number."""
    told.hello(table="1")
    told.show(Driver("robble", 5))
    told.button("Study", "#tabs").click()
    told.tell("state", **told.state)
    assert [len(told.sent(kind)) for kind in ("openings", "explore")] == [1, 1]
    if lost:
        told.page.evaluate("socket.onclose({})")
        told.greeted_again()
    else:
        told.hello(table="2")
    told.tell("state", **told.state)
    assert [len(told.sent(kind)) for kind in ("openings", "explore")] == [2, 2]


def test_a_hint_stays_at_its_table(told):
    told.hello(table="1")
    view = told.show(Driver("robble", 5))
    told.button("Hint", "#status").click()
    where = {"text": "Look at the edge", "points": ["A1"]}
    told.tell("hint", rev=view["rev"], where=where, word="B2", why=[], line=["B2"], drawn=[])
    assert told.page.locator(".hint").count() == 1
    told.hello(table="1")
    assert told.page.locator(".hint").count() == 1, "an engine has started"
    told.hello(table="2")
    told.tell("state", **told.state)
    assert told.page.locator(".hint").count() == 0
    told.button("Hint", "#status").click()
    assert len(told.sent("hint")) == 2


PEN = "[aria-label='Comment on this position']"


def typing(told):
    """The field of the comment, in which somebody has typed beside node 2 at table 1."""
    told.hello(table="1")
    told.nodes(*NODES)
    at_node(told, 2)
    told.page.locator('#turn-list [aria-current="true"]').wait_for()
    pen = told.page.locator(PEN)
    pen.fill("why not E5")
    return pen


@pytest.mark.parametrize("table, tree", [("1", 2), ("2", 1)], ids=["game", "table"])
def test_a_comment_stays_in_the_game_in_which_it_was_typed(told, table, tree):
    """The nodes of all games are numbered alike."""
    pen = typing(told)
    with told.at_once():
        told.hello(table=table)
        told.nodes(*NODES, n2={"comment": "of the record"})
        at_node(told, 2, tree=tree)
    told.page.wait_for_function(f"document.querySelector(\"{PEN}\").value === 'of the record'")
    pen.blur()
    at_node(told, 3, tree=tree)
    told.page.wait_for_function(f"document.querySelector(\"{PEN}\").value === ''")
    assert told.sent("comment") == []


def test_the_comment_of_a_record_is_not_erased_when_that_is_opened(told):
    """The start of the board before it, which has no comment, has the same number."""
    told.show(Driver("robble", 5))
    told.page.locator(f"#turns {PEN}").wait_for()
    with told.at_once():
        told.nodes(*NODES, n0={"comment": "Played in 1990"}, n4={"comment": "a mistake"})
        at_node(told, 4, tree=2)
    told.page.wait_for_function(f"document.querySelector(\"{PEN}\").value === 'a mistake'")
    assert told.sent("comment") == []


def test_what_is_being_typed_is_there_after_the_connection_was_lost(told):
    typing(told)
    told.page.evaluate("socket.onclose({})")
    told.page.wait_for_function("sent.filter(({ kind }) => kind === 'hello').length === 2")
    with told.at_once():
        told.hello(table="1")
        told.nodes(*NODES)
        told.tell("state", **told.state)
    at_node(told, 3)
    told.page.wait_for_function("window.sent.some(({kind}) => kind === 'comment')")
    assert told.sent("comment") == [{"node": 2, "text": "why not E5"}]
