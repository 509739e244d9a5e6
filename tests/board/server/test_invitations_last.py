"""Invitations outlive the board: a kill, and a start with the same journal."""

import asyncio
import signal

import pytest

from support.board_inside import board_inside
from support.pages import Visitor, fetch, started
from support.thorough import first_of

HUMAN = {"kind": "human"}
GAME = {"game": "robble", "size": 5, "pie": "off", "clock": {"main": 600, "increment": 5}}


async def invite(host, role):
    """The token of a guest."""
    await host.send("invite", role=role, base="http://friends.example/")
    while True:
        guests = (await host.hear("tables"))["list"][0]["guests"]
        if found := [each for each in guests if each["role"] == role]:
            return found[0]["address"].rstrip("/").rpartition("/")[2]


async def played_by_two(address):
    """A host has black and a guest white, each has played; the guest's token and the last state."""
    host = await Visitor.enter(address)
    await host.hear("state")
    token = await invite(host, "white")
    guest_seat = HUMAN | {"guest": "white", "name": "Ann"}
    await host.send("new", **GAME, black=HUMAN | {"name": "Bo"}, white=guest_seat)
    guest = await Visitor.enter("/".join([*address.split("/")[:3], token, ""]))
    await guest.send("names", names={"white": "Ann"})
    words = {"black": iter(["A1", "C1"]), "white": iter(["B1", "D1"])}
    state, sent = await host.hear("state"), set()
    while state["view"]["turn"]["number"] < 5:
        number, color = state["view"]["turn"]["number"], state["view"]["turn"]["to_move"]
        if state["clock"] and number not in sent:
            sent.add(number)
            page = host if color == "black" else guest
            await page.send("step", rev=state["rev"], word=next(words[color]))
        state = await host.hear("state")
    return token, state


async def both_are_back(address, token, before):
    """Host and guest come again by their addresses, and the guest plays on."""
    host = await Visitor.enter(address)
    state = await host.hear("state")
    assert (state["seats"], state["view"]["position"]) == (
        before["seats"],
        before["view"]["position"],
    )
    for color in ("black", "white"):
        assert abs(state["clock"][color] - before["clock"][color]) < 1
    assert state["clock"]["running"] is None
    guest = await Visitor.enter("/".join([*address.split("/")[:3], token, ""]))
    await guest.hear("state")
    assert guest.heard[0]["role"] == "white"
    await host.send("step", rev=state["rev"], word="A3")
    while (state := await guest.hear("state"))["view"]["turn"]["number"] < 6:
        pass
    assert state["clock"]["running"] == "white"
    await guest.send("step", rev=state["rev"], word="E5")
    while (await host.hear("state"))["view"]["turn"]["number"] < 7:
        pass
    return host


def test_both_people_have_their_seats_after_a_restart(tmp_path, engine_inside):
    async def run():
        journal = ("--journal", str(tmp_path / "j.db"))
        async with board_inside(*journal) as address:
            token, before = await played_by_two(address)
        async with board_inside(*journal) as address:
            host = await both_are_back(address, token, before)
            await host.send("tables")
            (invited,) = (await host.hear("tables"))["list"][0]["guests"]
            await host.send("uninvite", guest=invited["guest"])
            while (await host.hear("tables"))["list"][0]["guests"]:
                pass
        async with board_inside(*journal) as address:
            gone = await fetch("/".join([*address.split("/")[:3], token, ""]))
            assert gone.code == 404

    asyncio.run(run())


def test_a_game_that_has_just_begun_is_there_after_a_restart(tmp_path, engine_inside):
    """Its clock, and who has which color; without a turn it is in no list once it is left."""

    async def run():
        journal = ("--journal", str(tmp_path / "j.db"))
        async with board_inside(*journal) as address:
            host = await Visitor.enter(address)
            await host.hear("state")
            await invite(host, "white")
            await host.send("new", **GAME, black=HUMAN | {"guest": "white"}, white=HUMAN)
            while not (before := await host.hear("state"))["clock"]:
                pass
        async with board_inside(*journal) as address:
            host = await Visitor.enter(address)
            after = await host.hear("state")
            same = ("clock", "seats", "pie")
            assert [after[key] for key in same] == [before[key] for key in same]
            await host.send(
                "new", **(GAME | {"size": 4}), black=HUMAN, white=after["seats"]["black"]
            )
            await host.send("kept", **{"from": 0, "only": None})
            return [game["size"] for game in (await host.hear("kept"))["list"]]

    assert asyncio.run(run()) == [4]


def test_a_new_address_ends_the_invitations(tmp_path, engine_inside):
    async def run():
        journal = ("--journal", str(tmp_path / "j.db"))
        async with board_inside(*journal) as address:
            host = await Visitor.enter(address)
            await host.hear("state")
            token = await invite(host, "watch")
        async with board_inside(*journal, "--new-address") as address:
            return (await fetch("/".join([*address.split("/")[:3], token, ""]))).code

    assert asyncio.run(run()) == 404


@pytest.mark.parametrize("end", first_of([signal.SIGKILL, signal.SIGTERM]))
def test_both_people_have_their_seats_after_a_kill(tmp_path, end):
    async def run():
        journal = ("--journal", str(tmp_path / "j.db"))
        async with started(*journal) as (process, address):
            token, before = await played_by_two(address)
            process.send_signal(end)
            await process.wait()
        async with started(*journal) as (_, address):
            await both_are_back(address, token, before)

    asyncio.run(run())
