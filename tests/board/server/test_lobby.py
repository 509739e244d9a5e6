"""Several tables: entering, opening and ending them. No engine is started here."""

import asyncio

import pytest

from gtp_engine.board.server.gate import Pass
from gtp_engine.board.server.invitations import Invitations
from gtp_engine.board.server.lobby import IDLE, MAIN, MOST_TABLES, Lobby
from gtp_engine.board.table.messages import CannotDo
from support.pages import FakeDesk, Visitor, serving
from support.waiting import TurnedClock, until


async def furnish(key):
    desk = FakeDesk()
    desk.rev = 100 * len(key) + 1
    return desk


async def entered(page, table):
    """The `hello` of the table that a page asks for, and its first state."""
    await page.send("enter", table=table)
    hello = await page.hear("hello")
    return hello["table"], (await page.hear("state"))["rev"]


def test_a_page_goes_from_table_to_table_and_hears_only_where_it_is():
    async def heard():
        async with serving(furnish=furnish) as (server, main):
            page, other = [await Visitor.enter(server.address) for _ in range(2)]
            for each in (page, other):
                assert (await each.hear("hello"))["table"] == MAIN
                await each.hear("state")
            assert await entered(page, None) == ("2", 101)
            main._desk.say(kind="told", text="for the first table")
            assert (await other.hear("told"))["text"] == "for the first table"
            assert await entered(page, "exercise") == ("exercise", 801)
            assert await entered(page, "7") == (MAIN, 0)
            late = await Visitor.enter(server.address, hello=False)
            await late.send("hello", table="2")
            assert (await late.hear("hello"))["table"] == "2"
            return page.heard

    assert "told" not in {each["kind"] for each in asyncio.run(heard())}


def test_there_are_so_many_tables_and_exercises_beside_them():
    async def told():
        async with serving(furnish=furnish) as (server, _):
            rooms = server.lobby.rooms
            *pages, late = [await Visitor.enter(server.address) for _ in range(MOST_TABLES)]
            for page in pages:
                await entered(page, None)
            await late.send("enter", table=None)
            assert "6 games are open" in (await late.hear("told"))["text"]
            await entered(late, "exercise")
            await entered(pages[1], MAIN)
            third = rooms["3"]._desk
            await entered(late, None)
            assert third.ended
            return list(rooms)

    assert asyncio.run(told()) == ["1", "2", "4", "5", "6", "exercise", "7"]


def test_a_table_whose_guest_is_still_invited_after_a_restart_ends_for_no_other():
    async def tables():
        guest = {"token": "x", "role": "watch", "table": "2", "base": "http://x/"}
        async with serving(furnish=furnish) as (server, _):
            await server.lobby.restore("2")
            await server.lobby.invite_again([guest])
            pages = [await Visitor.enter(server.address) for _ in range(MOST_TABLES)]
            for page in pages:
                await page.send("enter", table=None)
                await page.hear("state")
            return list(server.lobby.rooms)

    assert "2" in asyncio.run(tables())


def test_a_table_without_a_game_or_people_is_in_no_list_and_serves_as_a_new_one():
    async def told():
        async with serving(furnish=furnish) as (server, main):
            page = await Visitor.enter(server.address)
            await page.hear("state")

            def listed():
                return [each["table"] for each in server.lobby.tables()["list"]]

            main._desk.begun = False
            at_first = listed()
            await entered(page, None)
            new = listed()
            main._desk.begun = True
            begun = listed()
            server.lobby.rooms["2"]._desk.begun = False
            await page.send("invite", role="watch", base="http://x/")
            await until(lambda: len(server.lobby.invitations))
            await entered(page, MAIN)
            invited = listed()
            third, _ = await entered(page, None)
            await page.send("uninvite", guest=1)
            await until(lambda: not len(server.lobby.invitations))
            unused = listed()
            second, _ = await entered(page, None)
            return at_first, new, begun, invited, third, unused, second

    at_first, new, begun, invited, third, unused, second = asyncio.run(told())
    assert (at_first, new, begun) == ([MAIN], ["2"], [MAIN, "2"])
    assert (invited, third) == ([MAIN, "2"], "3")
    assert (unused, second) == ([MAIN, "3"], "2")


def test_unused_tables_for_exercises_end_for_others_and_used_ones_never():
    async def left():
        async with serving(furnish=furnish) as (server, _):
            rooms = server.lobby.rooms
            pages = [await Visitor.enter(server.address) for _ in range(5)]
            await entered(pages[0], "exercise-a")
            for key in ("b", "c", "d", "e"):
                await entered(pages[1], f"exercise-{key}")
            assert list(rooms) == [MAIN, *(f"exercise-{key}" for key in "acde")]
            await entered(pages[2], "exercise-c")
            await entered(pages[3], "exercise-d")
            await entered(pages[4], "exercise-f")
            return list(rooms)

    assert asyncio.run(left()) == [MAIN, *(f"exercise-{key}" for key in "acdef")]


def test_a_table_that_cannot_be_made_leaves_the_page_where_it_is():
    async def fails(key):
        raise CannotDo("The board engine does not start.")

    async def heard(furnish):
        async with serving(furnish=furnish) as (server, main):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await page.send("enter", table=None)
            told = await page.hear("told")
            await page.send("step", rev=0, word="C4")
            await page.hear("state")
            return told["text"]

    assert asyncio.run(heard(fails)) == "The board engine does not start."
    assert asyncio.run(heard(None)) == "There is only one table here."


def test_pages_at_a_table_that_ends_are_at_the_first_one():
    async def ended():
        async with serving(furnish=furnish) as (server, main):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await entered(page, None)
            lobby = server.lobby
            desk = lobby.rooms["2"]._desk
            await lobby.end("2")
            await page.hear("hello")
            with pytest.raises(CannotDo, match="stays open"):
                await lobby.end(MAIN)
            with pytest.raises(CannotDo, match="has ended"):
                await lobby.end("2")
            return page.heard[-1]["table"], desk.closed, list(lobby.rooms)

    assert asyncio.run(ended()) == (MAIN, True, [MAIN])


def test_a_table_ends_while_its_guest_comes_or_goes():
    """The seat waits for a request in progress; meanwhile the table ends."""

    async def ended():
        lobby = Lobby(FakeDesk(), Invitations({}), furnish)
        room = await lobby.room(None)
        guest = Pass("white", room.key)
        async with room._turn:
            invited = asyncio.create_task(lobby._invite(guest, "http://x/"))
            await asyncio.sleep(0)
            await asyncio.gather(lobby.end(room.key), lobby.close())
            with pytest.raises(CannotDo, match="has ended"):
                await lobby.end(room.key)
        await invited
        room = await lobby.room(None)
        await lobby._invite(Pass("white", room.key), "http://x/")
        (invitation,) = lobby.invitations.at(room.key)
        async with room._turn:
            left = asyncio.create_task(lobby._uninvite(invitation.number))
            await asyncio.sleep(0)
            await lobby.end(room.key)
        await left
        return list(lobby.rooms)

    assert asyncio.run(ended()) == [MAIN]


def test_a_table_without_pages_ends_after_a_while():
    clock = TurnedClock()

    async def left():
        async with serving(furnish=furnish, later=clock.later) as (server, main):
            rooms = server.lobby.rooms
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await entered(page, None)
            clock.turn(2 * IDLE)
            await entered(page, MAIN)  # whatever was to end has ended meanwhile
            assert "2" in rooms, "somebody was there"
            clock.turn(IDLE / 2)
            await entered(page, "2")
            await entered(page, MAIN)
            clock.turn(IDLE / 2)
            await entered(page, "2")
            assert "2" in rooms, "somebody has come back"
            await entered(page, MAIN)
            clock.turn(IDLE)
            await until(lambda: "2" not in rooms)
            page.leave()
            await until(lambda: not main.pages)
            clock.turn(2 * IDLE)
            late = await Visitor.enter(server.address)
            await late.hear("state")
            return list(rooms)

    assert asyncio.run(left()) == [MAIN]


def test_an_answer_for_another_table_is_not_sent():
    """A page asked for something that takes long, and then went to another table."""

    async def heard():
        async with serving(furnish=furnish) as (server, main):
            main._desk.hold.clear()
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await page.send("rules")
            await entered(page, None)
            main._desk.hold.set()
            await until(lambda: main._desk.asked)
            await page.send("step", rev=101, word="C4")
            await page.hear("state")
            return [each["kind"] for each in page.heard]

    assert "rules" not in asyncio.run(heard())


def test_tables_of_an_earlier_board_come_back_under_their_keys_and_stay():
    """Whatever their order: no table that is made later takes the key of another."""

    async def restored():
        lobby = Lobby(FakeDesk(), Invitations({}), furnish)
        for key in ("10", "2", "exercise", "x"):
            await lobby.restore(key)
        rooms = dict(lobby.rooms)
        assert list(rooms) == [MAIN, "10", "2"]
        for key in ("2", MAIN):
            await lobby.restore(key)
            assert await lobby.room(key) is rooms[key]
        made = [(await lobby.room(None)).key for _ in range(3)]
        assert {key: lobby.rooms[key] for key in rooms} == rooms
        await lobby.restore("20")
        assert "20" not in lobby.rooms, "there is no room for more"
        await lobby.end("2")
        await lobby.restore("20")
        await lobby.end("10")
        last = (await lobby.room(None)).key
        await lobby.close()
        return made, last

    assert asyncio.run(restored()) == (["11", "12", "13"], "21")
