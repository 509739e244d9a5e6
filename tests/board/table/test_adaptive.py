"""A level that follows a person's results."""

import pytest

from gtp_engine.board.table.adaptive import Adaptive
from gtp_engine.board.table.seat import ADAPTIVE, PERSON, Seat
from gtp_engine.board.table.table import Table
from support.seating import OURS, Guest, at_table, steps_of

FAST = [*OURS, "--visits", "20"]
SEAT = Seat("A", ADAPTIVE)


def after(scores: list[float], state: Adaptive = Adaptive(1)) -> Adaptive:  # noqa: B008
    for score in scores:
        state = state.after(score, range(1, 9))
    return state


def test_the_first_wins_count_more_and_then_it_goes_step_by_step():
    assert after([1, 1]) == Adaptive(5)
    assert after([1, 1, 0]) == Adaptive(4, climbing=False)
    assert after([1, 1, 0, 1, 1, 0]) == Adaptive(5, climbing=False)
    assert after([1, 0.5, 1]) == Adaptive(5)


def test_it_stays_on_the_ladder():
    assert after([0, 0]).level == 1
    assert after([1] * 9).level == 8


def test_a_game_that_ends_moves_the_level_once():
    async def scene(guest: Guest) -> None:
        table = guest.table
        assert table.catalog["levels"][0]["level"] == ADAPTIVE
        assert guest.state["adaptive"] == table.catalog["newcomer_level"] == 1
        table.adaptive.state = Adaptive(5, climbing=False)
        await guest.new("implo", 4, "off", PERSON, SEAT)
        await guest.plays("B2")
        await guest.until(lambda: guest.line() and guest.state["thinking"] is None)
        await table.resign("black")
        assert guest.state["adaptive"] == 4
        assert guest.told() == ["A plays the next game at the level First day."]
        assert "WR[level 5]" in (await table.save_record("plain"))["text"]
        await table.undo()
        await table.redo()
        await table.undo()
        await table.resign("black")
        assert guest.state["adaptive"] == 4
        await guest.new("implo", 4, "off", PERSON, SEAT)
        await table.resign("black")
        assert guest.state["adaptive"] == 3

    at_table(scene, A=FAST)


def test_a_win_moves_it_up_and_the_engine_is_told():
    """The engine plays random turns, so the person wins in the end."""

    async def scene(guest: Guest) -> None:
        won = False
        while not won:
            await guest.new("boloa", 2, "off", PERSON, SEAT)
            while guest.table.view["outcome"] is None:
                await guest.plays(steps_of(guest.table.view)[-1])
                await guest.until(lambda: guest.state["thinking"] is None)
            won = guest.table.view["outcome"]["winner"] == "black"
        assert guest.state["adaptive"] > 1
        lines = [line["text"] for line in guest.kinds("console") if line["engine"] == "A"]
        assert "game-set level 1" in lines

    at_table(scene, A=[*OURS, "--player", "random", "--seed", "1"])


def test_only_one_person_against_an_adaptive_engine_counts():
    async def scene(guest: Guest) -> None:
        guest.table.adaptive.state = Adaptive(5)
        for white in (PERSON, Seat("A", 3), Seat("A")):
            await guest.new("implo", 4, "off", PERSON, white)
            await guest.table.resign("black")
        assert guest.state["adaptive"] == 5

    at_table(scene, A=FAST)


def test_a_game_that_has_ended_before_and_a_handicap_do_not_count():
    async def scene(guest: Guest) -> None:
        table = guest.table
        table.adaptive.state = Adaptive(5)
        await guest.new("implo", 4, "off", PERSON, SEAT)
        await table.resign("black")
        first = table.keeping.kept
        await guest.new("implo", 4, "off", PERSON, SEAT)
        await table.resign("black")
        table.adaptive.state = Adaptive(5)
        await table.keeping.resume(first)
        await table.undo()
        await table.redo()
        assert table.view["outcome"] and guest.state["adaptive"] == 5
        await table.new_game("implo", 5, "off", PERSON, SEAT, handicap=1)
        await table.resign("black")
        await guest.until(lambda: table.view["outcome"])  # the engine plays its turn first
        assert guest.state["adaptive"] == 5

    at_table(scene, A=FAST)


def test_a_game_of_a_guest_does_not_count():
    async def scene(guest: Guest) -> None:
        guest.table.adaptive.state = Adaptive(5)
        await guest.new("implo", 4, "off", Seat(guest="black"), SEAT)
        await guest.table.resign("black")
        assert guest.table.view["outcome"] is not None
        assert guest.state["adaptive"] == 5

    at_table(scene, A=FAST)


def test_what_is_played_beside_a_game_that_is_over_does_not_count():
    async def scene(guest: Guest) -> None:
        await guest.plays("A1", "B2", "C3", "resign")
        text = (await guest.table.save_record("plain"))["text"]
        await guest.table.open_record(text)
        await guest.table.pause(True)
        await guest.table.set_seats(PERSON, SEAT)
        guest.table.adaptive.state = Adaptive(5)
        await guest.table.goto(guest.table.nodes()["set"][2]["id"])
        await guest.plays("D4")
        await guest.table.resign("white")
        assert guest.table.view["outcome"]["result"] == "B+R"
        assert guest.state["adaptive"] == 5

    at_table(scene, A=FAST)


def test_a_record_that_is_opened_at_its_end_does_not_count():
    async def scene(guest: Guest) -> None:
        await guest.new("implo", 4, "off", PERSON, SEAT)
        await guest.table.resign("black")
        text = (await guest.table.save_record("plain"))["text"]
        guest.table.adaptive.state = Adaptive(5)
        await guest.table.open_record(text)
        assert guest.table.view["outcome"] is not None
        assert guest.state["adaptive"] == 5

    at_table(scene, A=FAST)


def test_a_variation_of_a_record_that_ends_does_not_count():
    async def scene(guest: Guest) -> None:
        table = guest.table
        await guest.plays("A1", "B2", "resign")
        await table.goto(1)
        await guest.plays("C3")
        await table.promote(guest.state["node"])
        text = (await table.save_record("plain"))["text"]
        await table.open_record(text)
        nodes = {node["word"]: node["id"] for node in table.nodes()["set"]}
        await table.set_seats(PERSON, SEAT)
        table.adaptive.state = Adaptive(5)
        for _ in range(2):
            await table.goto(nodes["B2"])
            await table.redo()
            assert table.view["outcome"]["result"] == "W+R"
            await table.goto(nodes["B2"])
            await guest.plays("resign")
            assert table.view["outcome"]["result"] == "W+R"
        assert guest.state["adaptive"] == 5

    at_table(scene, A=FAST)


def test_tables_share_the_level_and_a_game_keeps_its_own_to_the_end():
    async def scene(guest: Guest) -> None:
        first = guest.table
        second = Table({"A": FAST}, shared_level=first.adaptive.shared_level)
        other = Guest(second, guest.clock)
        try:
            await second.start("implo", 4)
            first.adaptive.state = Adaptive(5, climbing=False)
            for each in (guest, other):
                await each.new("implo", 4, "off", PERSON, SEAT)
            await other.plays("B2")
            await other.until(lambda: other.state["thinking"] is None)
            await first.resign("black")
            assert (guest.state["adaptive"], other.state["adaptive"]) == (4, 5)
            await second.resign("black")
            assert "WR[level 5]" in (await second.save_record("plain"))["text"]
            assert (guest.state["adaptive"], other.state["adaptive"]) == (3, 3)
            await guest.until(lambda: guest.kinds("state")[-1]["adaptive"] == 3)
        finally:
            await second.close()

    at_table(scene, A=FAST)


@pytest.mark.parametrize("first", [None, [], "1", 99])
def test_a_board_engine_with_other_levels(first):
    """A catalog may come from any engine."""

    async def scene(guest: Guest) -> None:
        adaptive = guest.table.adaptive
        shown = adaptive.offered(
            {"newcomer_level": first, "levels": [{"level": 7, "name": "x"}, 3]}
        )
        assert adaptive.level == 7 and shown["levels"][0]["level"] == ADAPTIVE
        adaptive.state = None
        assert adaptive.offered({"levels": "none"}) == {"levels": "none"}
        await guest.table.set_seats(PERSON, SEAT)  # the engine keeps its own level
        await guest.plays("C3")
        await guest.until(lambda: len(guest.line()) == 2)
        lines = [line["text"] for line in guest.kinds("console") if line["engine"] == "A"]
        assert "genmove white" in lines and not any("level" in line for line in lines)

    at_table(scene, A=FAST)
