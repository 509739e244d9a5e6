"""The engine that analyses: it follows the game, gives hints, and rests when nobody watches."""

import asyncio
import json

import pytest

from gtp_engine.board.table import analyst
from gtp_engine.board.table.advice import hint_of
from gtp_engine.board.table.messages import CannotDo
from support.engine_threads import Hangs, fault_at, our_engine
from support.seating import OURS, Guest, at_table
from support.starting import plain
from support.waiting import PATIENCE, turned_until, until

DIES_AT_START = [OURS[0], "-S", "-c", "import sys; sys.exit('cannot read the weights')"]


async def frames(guest: Guest, node: int) -> None:
    """Wait for the next frame about a node."""
    seen = len(guest.heard)
    await guest.until(
        lambda: any(
            message["kind"] == "frame" and message["node"] == node for message in guest.heard[seen:]
        )
    )


def sent_to_analyst(guest: Guest) -> list[str]:
    return [
        said["text"]
        for said in guest.kinds("console")
        if (said["engine"], said["direction"]) == ("analyst", ">")
    ]


def test_the_analysis_follows_the_game():
    async def scene(guest: Guest) -> None:
        table = guest.table
        assert not table.engines()[1]["running"]
        await table.analyse(True)
        await frames(guest, 0)
        await guest.plays("C3")
        await frames(guest, 1)
        await table.undo()
        await guest.plays("D3")
        await frames(guest, 2)
        frame = guest.kinds("frame")[-1]
        assert frame["rev"] == table.rev and frame["data"]["color"] == "white"
        assert "held" in frame["data"] and frame["data"]["turns"]
        known = {node["id"]: node["chance"] for node in table.nodes()["set"]}
        assert all(0 <= known[node] <= 1 for node in (0, 1, 2))
        chances = [each["data"]["chance"] for each in guest.kinds("frame") if each["node"] == 2]
        assert known[2] in [round(1 - white, 4) for white in chances], "Black's chance is kept"
        await table.analyse(False)
        assert not guest.state["analysing"]
        assert guest.told() == []

    at_table(scene)


def test_a_frame_of_another_position_is_not_told():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        for word in ("C3", "D3", "E3", "B3"):
            await guest.plays(word)
            seen, node = len(guest.heard), guest.state["node"]
            await frames(guest, node)
            told = [each for each in guest.heard[seen:] if each["kind"] == "frame"]
            assert {each["node"] for each in told} == {node}

    at_table(scene)


def test_it_rests_when_nobody_looks():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        await guest.table.set_visible(False)
        await guest.plays("C3", "D3")
        assert [line for line in sent_to_analyst(guest) if line.startswith("play")] == []
        await guest.table.set_visible(True)
        await frames(guest, guest.state["node"])
        lines = [line for line in sent_to_analyst(guest) if line.startswith("play")]
        assert lines == ["play black C3", "play white D3"]

    at_table(scene)


def test_the_end_of_the_game_is_not_analysed():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        await guest.table.resign("black")
        await guest.table.undo()
        await frames(guest, 0)
        assert guest.told() == []

    at_table(scene)


def test_hints_beside_the_analysis():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        hint = await guest.table.hint(0.2)
        assert hint["kind"] == "hint" and hint["rev"] == guest.table.rev
        assert hint["where"]["points"] and hint["line"][0] == hint["word"] and hint["why"]
        assert len(hint["drawn"]) == len(hint["line"])
        await guest.plays(hint["word"])
        await frames(guest, 1)
        await guest.table.resign("white")
        hint = await guest.table.hint(0.2)
        assert hint["word"] is None and "resigned" in hint["where"]["text"]

    at_table(scene)


def test_what_cannot_be_drawn_is_left_out():
    steps = [{"at": "A1", "to": 3, "more": 1}, {"to": "B1"}, 5, {"at": "B1", "shape": "stone"}]
    told = {"turn": "A1", "where": {"text": "", "points": []}, "drawn": [steps, 7, []]}
    drawn = [[{"at": "A1"}, {"at": "B1", "shape": "stone"}], []]
    assert hint_of(json.dumps(told))["drawn"] == drawn
    assert hint_of(json.dumps(told | {"drawn": None}))["drawn"] == []


WINS_AT_ONCE = "boloa 3 B.W/..W/B.. b"


@pytest.fixture
def patient(monkeypatch):
    """An analyst that solves the position, and whose answer is waited for, on any machine."""
    monkeypatch.setattr(analyst, "DOUBT", PATIENCE)
    monkeypatch.setattr(analyst, "LONGEST_DOUBT", None)


def test_a_person_is_asked_before_a_mistake(patient):
    async def scene(guest: Guest) -> None:
        table = guest.table
        await table.set_position(WINS_AT_ONCE)
        before = table.rev
        sure = await table.attempt(table.rev, "sC1", 0.2)
        assert (sure["kind"], sure["rev"], sure["word"]) == ("sure", table.rev, "sC1")
        assert 0.2 <= sure["loss"] <= 1 and sure["line"][:2] == ["sC1", "sA2"] and sure["why"]
        assert table.rev == before and guest.line() == []
        assert await table.attempt(table.rev - 1, "sC1", 0.2) == guest.state
        assert (await table.attempt(table.rev, "sB9", 0.2))["kind"] == "refused"
        assert await table.attempt(table.rev, "sA2", 0.2) is None
        assert guest.line() == ["sA2"]

    at_table(scene, "boloa", 3)


def test_after_a_doubt_a_turn_is_played_only_by_who_may_still_play_it(patient):
    def check() -> None:
        raise CannotDo("It is not your turn.")

    async def scene(guest: Guest) -> None:
        await guest.table.set_position(WINS_AT_ONCE)
        with pytest.raises(CannotDo, match="not your turn"):
            await guest.table.attempt(guest.table.rev, "sA2", 0.2, check)
        assert guest.line() == []

    at_table(scene, "boloa", 3)


def test_a_doubt_leaves_the_analysis_as_it_was(patient):
    async def scene(guest: Guest) -> None:
        table = guest.table
        await table.set_position(WINS_AT_ONCE)
        await table.analyse(True)
        await frames(guest, guest.state["node"])
        assert (await table.attempt(table.rev, "sC1", 0.2))["kind"] == "sure"
        await table.step(table.rev, "sC1")
        await frames(guest, guest.state["node"])
        assert guest.state["analysing"] and guest.told() == []

    at_table(scene, "boloa", 3)


def test_a_turn_is_played_when_the_answer_takes_too_long(monkeypatch):
    monkeypatch.setattr(analyst, "LONGEST_DOUBT", 0.0)
    monkeypatch.setattr(analyst, "DOUBT", 0.1)

    async def scene(guest: Guest) -> None:
        assert await guest.table.attempt(guest.table.rev, "C3", 0.0) is None
        assert guest.line() == ["C3"]
        assert (await guest.table.hint(0.1))["word"]

    at_table(scene)


@pytest.mark.parametrize("engine", [plain(), DIES_AT_START])
def test_without_an_analyst_that_can_warn_a_turn_is_played(engine):
    async def scene(guest: Guest) -> None:
        assert await guest.table.attempt(guest.table.rev, "C3", 0.0) is None
        assert guest.line() == ["C3"]

    at_table(scene, analyst=engine)


REVIEWER = """
import json, sys
KNOWN = "list_commands play clear_board game-select game-analyze game-review quit".split()
for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    if not number.isdigit():
        continue
    print(f"={number}", end=" ")
    if command == "list_commands":
        print("\\n".join(KNOWN))
    elif command.startswith("game-review"):
        print()
        turns = [{"number": 1, "chance": 0.5, "after": 0.25, "loss": 0.25, "best": "D3"},
                 {"number": 2, "chance": 0.25, "after": 1.0, "loss": 0.75, "best": "A1",
                  "why": ["That loses.", 7]},
                 {"number": 9, "chance": 7}, "no object", {"number": "x"}]
        print("\\n".join(json.dumps(turn) for turn in turns) if "3" in command else "garbage")
    else:
        print()
    print(flush=True)
"""


def test_a_review_marks_the_turns(tmp_path):
    script = tmp_path / "reviewer.py"
    script.write_text(REVIEWER)

    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3")
        await guest.table.goto(1)
        await guest.table.review(3)
        start, first, second = guest.table.nodes()["set"]
        assert (start["chance"], start["loss"]) == (0.5, None)
        assert (first["chance"], first["loss"], first["best"]) == (0.25, 0.25, "D3")
        assert (second["chance"], second["loss"], second["why"]) == (1.0, 0.75, ["That loses."])
        steps = guest.kinds("review")
        assert steps[0] == {"kind": "review", "done": 0, "total": 2, "over": False}
        assert steps[-1]["over"] and not guest.state["reviewing"]
        await guest.table.review()  # garbage is passed over
        assert guest.table.nodes()["set"] == [start, first, second]
        for visits in (0, 10**10):
            with pytest.raises(CannotDo, match="visits per turn"):
                await guest.table.review(visits)

    at_table(scene, analyst=[OURS[0], str(script)])


def test_a_review_by_our_engine():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3", "A1", "B1")
        await guest.table.analyse(True)
        await frames(guest, 4)
        await guest.table.review(50)
        await frames(guest, 4)  # it goes on behind the review
        start, *turns = guest.table.nodes()["set"]
        assert start["loss"] is None
        for turn in turns:
            assert 0 <= turn["loss"] <= 1 and 0 <= turn["chance"] <= 1
            assert turn["best"] and turn["why"]
        assert [step["done"] for step in guest.kinds("review")] == [0, 1, 2, 3, 4, 4]

    at_table(scene)


def test_a_review_is_saved_as_a_page():
    async def scene(guest: Guest) -> None:
        with pytest.raises(CannotDo, match="not been reviewed"):
            await guest.table.save_record("review")
        await guest.plays("C3", "D3")
        assert not guest.state["reviewed"]
        await guest.table.review(50)
        assert guest.state["reviewed"]
        record = await guest.table.save_record("review")
        assert (record["name"], record["type"]) == ("review-implo-5.html", "text/html")
        assert record["text"].startswith("<!DOCTYPE html>")
        assert record["text"].endswith("</html>")

    at_table(scene)


def test_a_review_is_interrupted():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3", "A1", "B1")
        review = asyncio.create_task(guest.table.review(10**9))
        await guest.until(lambda: guest.kinds("review"))
        with pytest.raises(CannotDo, match="review is running"):
            await guest.table.hint()
        await guest.table.interrupt()
        await review
        assert guest.kinds("review")[-1]["over"] and not guest.state["reviewing"]
        assert (await guest.table.hint(0.1))["word"]

    at_table(scene)


def test_another_game_ends_a_review():
    async def scene(guest: Guest) -> None:
        await guest.plays("C3", "D3")
        review = asyncio.create_task(guest.table.review(10**9))
        await guest.until(lambda: guest.kinds("review"))
        await guest.new("implo", 5)
        await guest.plays("A1", "B1")
        await review
        assert {node["loss"] for node in guest.table.nodes()["set"]} == {None}

    at_table(scene)


def test_nothing_to_review():
    async def scene(guest: Guest) -> None:
        with pytest.raises(CannotDo, match="nothing to review"):
            await guest.table.review()

    at_table(scene)


def test_an_analyst_that_dies_comes_back():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await frames(guest, 0)
        await guest.table.restart("analyst")
        await frames(guest, 0)
        await guest.table.console("analyst", "quit")
        await guest.hears("The analysis engine exited")
        await frames(guest, 0)
        await guest.plays("C3")
        await frames(guest, 1)

    at_table(scene)


def test_an_analyst_that_is_slow_to_start_can_be_asked_again():
    """People read no command; the console names it."""

    async def scene(guest: Guest) -> None:
        asked = asyncio.create_task(guest.table.hint(0.1))
        await until(hangs.begun.is_set)
        await turned_until(asked.done)
        slow = "The analysis engine is slow to start."
        with pytest.raises(CannotDo) as caught:
            await asked
        assert str(caught.value) == f"No hint. {slow} You can ask again."
        assert guest.told() == [f"{slow} It starts again when it is needed."]
        logged = [said["text"] for said in guest.kinds("console") if said["direction"] == "!"]
        assert "The analysis engine did not respond in time to `list_commands`" in logged
        assert (await guest.table.hint(0.1))["word"]

    hangs = Hangs()
    at_table(scene, analyst=our_engine(manner=fault_at("list_commands", hangs)))


def test_an_analyst_that_cannot_is_named():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await guest.hears("The analysis engine cannot analyse")
        await guest.until(lambda: not guest.state["analysing"])
        with pytest.raises(CannotDo):
            await guest.table.hint()
        await guest.plays("C3")

    at_table(scene, analyst=plain())


def test_an_analyst_that_stays_down_switches_the_analysis_off():
    async def scene(guest: Guest) -> None:
        await guest.table.analyse(True)
        await guest.hears("cannot read the weights")
        await guest.until(lambda: not guest.state["analysing"])
        with pytest.raises(CannotDo, match="The analysis engine is down"):
            await guest.table.hint()

    at_table(scene, analyst=DIES_AT_START)
