"""Whom a guest displaces: the seat, the game, and the names in the journal."""

import asyncio

import pytest

from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.journal.keeper import Keeper
from gtp_engine.board.server.lobby import MAIN
from gtp_engine.board.server.play_desk import PlayDesk
from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.seat import Seat
from gtp_engine.board.table.table import Table
from support.pages import Visitor, address_of, invited, serving
from support.seating import OURS
from support.waiting import until

pytestmark = pytest.mark.usefixtures("engine_inside")

BEGINNER = Seat("A", 1)
NEW = ("robble", 5, "off", Seat(name="Bo"))


def against_engine(scene, *words):
    """A host, with black, invites a guest to a game against an engine, which stands still."""

    async def run():
        table = Table({"A": OURS})
        await table.start("robble", 5)
        keeper = Keeper(table, Journal(), MAIN)
        timing = Timing(300, 5)
        await table.new_game(*NEW, Seat(), timing)
        for word in words:
            await table.step(table.rev, word)
        await table.set_seats(NEW[-1], BEGINNER)
        await table.pause(True)
        async with serving(PlayDesk(table, "T")) as (server, _main):
            host = await Visitor.enter(server.address)
            await host.hear("state")
            await scene(table, keeper._journal, host, server)

    asyncio.run(run())


def seated(table):
    shown = table.state()["seats"]
    return Seat.read(shown["black"]), Seat.read(shown["white"])


def listed(journal):
    return [(each.black, each.white) for each in journal.listed(0, 9)[1]]


@pytest.mark.parametrize("role", ["black", "white"])
def test_a_seat_goes_back_to_whom_a_guest_displaced_without_a_turn(role):
    async def scene(table, journal, host, server):
        before = seated(table)
        invitation = await invited(host, role)
        await Visitor.enter(address_of(server, invitation))
        assert Seat(guest=role) in seated(table)
        assert listed(journal) == [("Bo", "A")], "whoever has not played is no player"
        await host.send("uninvite", guest=invitation["guest"])
        await until(lambda: seated(table) == before)
        assert listed(journal) == [("Bo", "A")]

    against_engine(scene, "A1")


def test_a_game_has_the_name_of_a_guest_who_has_played_and_gone():
    async def scene(table, journal, host, server):
        invitation = await invited(host, "white")
        guest = await Visitor.enter(address_of(server, invitation))
        await guest.send("names", names={"white": "Ann"})
        await guest.send("step", rev=table.rev, word="B1")
        while (await host.hear("state"))["view"]["turn"]["number"] < 3:
            pass
        await host.send("uninvite", guest=invitation["guest"])
        await guest.ended()
        await until(lambda: seated(table) == (NEW[-1], Seat()))
        for word in ("C1", "D1"):
            await table.step(table.rev, word)
        assert listed(journal) == [("Bo", "Ann")]

    against_engine(scene, "A1")


def test_a_guest_who_has_exchanged_sides_and_gone_is_known_by_its_last_color():
    async def scene(table, journal, host, server):
        await table.new_game("robble", 5, "sides", NEW[-1], BEGINNER)
        await table.step(table.rev, "A1")
        invitation = await invited(host, "white")
        guest = await Visitor.enter(address_of(server, invitation))
        await guest.send("step", rev=table.rev, word="swap-sides")
        await until(lambda: seated(table) == (Seat(guest="white"), NEW[-1]))
        await host.send("uninvite", guest=invitation["guest"])
        await until(lambda: seated(table) == (Seat(), NEW[-1]))
        await table.step(table.rev, "B1")
        assert listed(journal)[0] == ("Guest", "Bo")

    against_engine(scene)


@pytest.mark.parametrize(
    "role, seats",
    [
        ("white", (NEW[-1], Seat(guest="white"))),
        ("black", (Seat(guest="black"), NEW[-1])),
    ],
)
def test_who_is_invited_after_a_game_gets_another_one_of_its_kind(role, seats):
    async def scene(table, journal, host, server):
        await table.resign("black")
        over = listed(journal)
        invitation = await invited(host, role)
        state = table.state()
        assert seated(table) == seats
        game = state["view"]["game"]
        assert (game["name"], game["size"], state["pie"]) == ("robble", 5, "off")
        assert not state["over"] and state["clock"]["main"] == 300
        while not any("My games" in each.get("text", "") for each in host.heard):
            await host.hear()
        await host.send("uninvite", guest=invitation["guest"])
        await until(lambda: set(seated(table)) == {NEW[-1], BEGINNER})
        assert over == [("Bo", "A")] and over[0] in listed(journal)
        kept = journal.load(1)
        assert kept.tree.end.word == "resign" and kept.seats["white"] == BEGINNER

    against_engine(scene, "A1", "B1")


def test_a_game_that_ends_beside_its_first_line_keeps_its_players():
    async def scene(table, journal, host, server):
        await table.goto(0)
        await table.step(table.rev, "C1")
        await table.goto(0)
        await table.resign("black")
        assert table.over and "A1" in [node["word"] for node in table.nodes()["set"]]
        before = listed(journal)
        await table.set_seats(Seat(), Seat())
        assert listed(journal) == before

    against_engine(scene, "A1", "B1")
