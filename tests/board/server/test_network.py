"""A further address for guests from the network: a loopback alias stands for the machine's own."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest

from gtp_engine.board.server import connections, network
from gtp_engine.board.server.lobby import MAIN
from support.board_inside import board_inside
from support.pages import LAN, FakeDesk, Visitor, fetch, serving

HUMAN = {"kind": "human"}
GAME = {"game": "robble", "size": 5, "pie": "off", "black": HUMAN}
GAME |= {"white": HUMAN | {"guest": "white"}}


async def furnish(key):
    return FakeDesk()


async def told(host, holds):
    """The first `tables` of which something holds."""
    while not holds(tables := await host.hear("tables")):
        pass
    return tables


def guests(tables, table=MAIN):
    (found,) = [each["guests"] for each in tables["list"] if each["table"] == table]
    return found


async def invited(host, role="white", base="http://127.0.0.1:1/"):
    """The newest invitation to the main table, when it is made."""
    await host.send("tables")
    known = len(guests(await host.hear("tables")))
    await host.send("invite", role=role, base=base)
    return guests(await told(host, lambda each: len(guests(each)) > known))[-1]


@asynccontextmanager
async def opened(**given):
    """A server whose host has opened it, and the link of a guest who may watch."""
    async with serving(furnish=furnish, **given) as (server, main):
        host = await Visitor.enter(server.address)
        await host.hear("state")
        await host.send("network", on=True)
        await told(host, lambda each: each["opened"])
        yield server, main, host, (await invited(host, "watch"))["address"]


async def refused(address):
    """Whether nobody listens at an address."""
    try:
        await fetch(address)
    except ConnectionRefusedError:
        return True
    return False


async def stepped(page, others, rev, word):
    """A page plays a step; the `rev` after it, when all have it."""
    await page.send("step", rev=rev, word=word)
    for each in (page, *others):
        while (state := await each.hear("state"))["rev"] <= rev:
            pass
    return state["rev"]


def test_a_friend_comes_by_the_link_and_plays_until_the_host_closes(engine_inside, monkeypatch):
    monkeypatch.setattr(network, "own_address", lambda: LAN)

    async def run():
        async with board_inside("--level", "1") as address:
            host = await Visitor.enter(address)
            await host.hear("state")
            before = await invited(host, base=address.rpartition("/")[0].rpartition("/")[0] + "/")
            assert (before["address"], before["code"]) == (None, None)
            await host.send("network", on=True)
            tables = await host.hear("tables")
            link = guests(tables)[0]["address"]
            assert tables["public"] and tables["opened"]
            assert link.startswith(f"http://{LAN}:") and guests(tables)[0]["code"]["path"]

            assert (await fetch(link)).code == 200
            guest = await Visitor.enter(link)
            assert (await guest.hear("hello"))["role"] == "white"
            await host.send("new", **GAME)
            while (state := await guest.hear("state"))["view"]["game"]["name"] != "robble":
                pass
            rev = await stepped(host, [guest], state["rev"], "A1")
            rev = await stepped(guest, [host], rev, "B1")

            await host.send("network", on=False)
            await guest.ended()
            tables = await told(host, lambda each: not each["opened"])
            assert (tables["public"], guests(tables)[0]["address"]) == (False, None)
            assert await refused(link)
            await host.hear("presence")
            rev = await stepped(host, [], rev, "C1")

            await host.send("network", on=True)
            assert guests(await told(host, lambda each: each["opened"]))[0]["address"] == link
            again = await Visitor.enter(link)
            assert (await again.hear("state"))["rev"] == rev
            await stepped(again, [host], rev, "D1")

    asyncio.run(run())


def test_only_guests_pass_there_and_only_under_this_address():
    async def codes():
        async with opened() as (server, _main, _host, link):
            base = link[: link.rstrip("/").rindex("/") + 1]
            at = base.split("/")[2]
            here = f"127.0.0.1:{server.port}"
            return {
                "guest": (await fetch(link)).code,
                "module": (await fetch(f"{link}look.json", Origin=f"http://{at}")).code,
                "guest at home": (await fetch(link.replace(at, here))).code,
                "host": (await fetch(server.address.replace(here, at))).code,
                "nobody": (await fetch(base)).code,
                "stranger": (await fetch(f"{base}x/")).code,
                "other name": (await fetch(link, Host="evil.example")).code,
                "our other name": (await fetch(link, Host=f"localhost:{server.port}")).code,
                "other site": (await fetch(link, Origin="http://evil.example")).code,
                "other page of ours": (await fetch(link, Origin=f"http://{here}")).code,
                "no page": (await fetch(f"{link}socket")).code,
                "change": (await fetch(link, method="POST")).code,
            }

    admitted = dict.fromkeys(["guest", "module", "guest at home"], 200)
    unknown = dict.fromkeys(["host", "nobody", "stranger"], 404)
    foreign = ["other name", "our other name", "other site", "other page of ours", "no page"]
    assert asyncio.run(codes()) == {
        **admitted,
        **unknown,
        **dict.fromkeys(foreign, 403),
        "change": 405,
    }


def test_it_closes_with_the_last_invitation():
    async def ended():
        async with opened() as (_server, _main, host, first):
            second = (await invited(host, "watch"))["address"]
            pages = [await Visitor.enter(link) for link in (first, second)]
            for each in pages:
                await each.hear("state")
            await host.send("uninvite", guest=1)
            ends = [await pages[0].ended()]
            assert (await fetch(second)).code == 200
            await host.send("uninvite", guest=2)
            ends.append(await pages[1].ended())
            await told(host, lambda each: not each["opened"])
            return ends, await refused(second)

    ends, closed = asyncio.run(ended())
    assert ends == [(4001, "the invitation was closed")] * 2
    assert closed


def test_it_closes_with_the_table_of_the_last_guest():
    async def closed():
        async with opened() as (_server, _main, host, _link):
            await host.send("enter", table=None)
            await told(host, lambda each: len(each["list"]) == 2)
            await host.send("invite", role="watch", base="http://127.0.0.1:1/")
            link = guests(await told(host, lambda each: guests(each, "2")), "2")[0]["address"]
            await host.send("uninvite", guest=1)
            await told(host, lambda each: not guests(each))
            assert (await fetch(link)).code == 200
            await host.send("end", table="2")
            await told(host, lambda each: not each["opened"])
            return await refused(link)

    assert asyncio.run(closed())


def test_closing_ends_also_who_has_not_said_hello():
    async def ended():
        async with opened() as (_server, main, host, link):
            silent = await Visitor.enter(link, hello=False)
            await host.send("network", on=False)
            await silent.ended()
            await host.send("step", rev=0, word="A1")
            await host.hear("state")
            return [page.admits.role for page in main.pages]

    assert asyncio.run(ended()) == ["host"]


def test_without_a_network_the_host_is_told_so():
    async def heard():
        async with serving(lan=None) as (server, _main):
            host = await Visitor.enter(server.address)
            await host.send("network", on=True)
            text = (await host.hear("told"))["text"]
            await host.send("tables")
            return text, (await host.hear("tables"))["opened"]

    assert asyncio.run(heard()) == (
        "This computer is in no network. Connect it to one, then try again.",
        False,
    )


def test_a_port_that_is_taken_is_told():
    async def heard():
        async with serving() as (server, _main):
            with socket.create_server((LAN, server.port)):
                host = await Visitor.enter(server.address)
                await host.send("network", on=True)
                return server.port, (await host.hear("told"))["text"]

    port, text = asyncio.run(heard())
    assert text.startswith(f"The board cannot listen on {LAN}, port {port}: ")


def test_a_board_that_was_started_for_the_network_stays_there():
    async def heard():
        async with serving() as (server, _main):
            server.reachable.append("http://192.168.1.5:8123/")
            host = await Visitor.enter(server.address)
            await host.send("network", on=True)
            tables = await host.hear("tables")
            await host.send("network", on=False)
            return tables["public"], tables["opened"], (await host.hear("told"))["text"]

    public, here, text = asyncio.run(heard())
    assert (public, here) == (True, False)
    assert "was started for the network" in text


def test_another_address_of_the_machine_ends_it():
    """In another network the links lead nowhere, or to somebody else."""

    async def heard():
        async with opened() as (server, _main, host, link):
            server.lobby.network._find = lambda: "127.0.0.3"
            await host.send("tables")
            tables = await host.hear("tables")
            text = (await host.hear("told"))["text"]
            return tables["opened"], guests(tables)[0]["address"], text, await refused(link)

    here, address, text, closed = asyncio.run(heard())
    assert (here, address, closed) == (False, None, True)
    assert "another address now" in text


def test_strangers_there_displace_nobody_here(monkeypatch):
    monkeypatch.setattr(connections, "MOST_STRANGERS", 1)

    async def displaced():
        async with opened() as (server, _main, _host, _link):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            others = [await asyncio.open_connection(LAN, server.port) for _ in range(2)]
            assert await others[0][0].read() == b""
            request = f"GET /{server.token}/ HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
            writer.write(request.encode())
            status = await reader.readline()
            for each in (writer, others[1][1]):
                each.close()
            return status

    assert b"200" in asyncio.run(displaced())


@pytest.mark.parametrize("later, comes", [(LAN, True), ("127.0.0.3", False), (None, False)])
def test_the_next_board_is_open_where_guests_have_links(
    later, comes, tmp_path, engine_inside, monkeypatch, capsys
):
    journal = ("--journal", str(tmp_path / "j.db"))

    async def link_of():
        monkeypatch.setattr(network, "own_address", lambda: LAN)
        async with board_inside(*journal) as address:
            host = await Visitor.enter(address)
            await host.send("network", on=True)
            return (await invited(host, "watch"))["address"]

    async def comes_again(link):
        monkeypatch.setattr(network, "own_address", lambda: later)
        async with board_inside(*journal) as address:
            host = await Visitor.enter(address)
            await host.send("tables")
            opened = (await host.hear("tables"))["opened"]
            assert opened != await refused(link)
            return opened

    link = asyncio.run(link_of())
    assert asyncio.run(comes_again(link)) == comes
    said = "can reach" if comes else "it is not there now"
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("end", [("uninvite", {"guest": 1}), ("network", {"on": False})])
def test_the_next_board_is_not_open_if_the_host_has_closed_it(
    end, tmp_path, engine_inside, monkeypatch
):
    monkeypatch.setattr(network, "own_address", lambda: LAN)
    journal = ("--journal", str(tmp_path / "j.db"))

    async def closed():
        async with board_inside(*journal) as address:
            host = await Visitor.enter(address)
            await host.send("network", on=True)
            await invited(host, "watch")
            await host.send(end[0], **end[1])
            await told(host, lambda each: not each["opened"])

    async def opened_again():
        async with board_inside(*journal) as address:
            host = await Visitor.enter(address)
            await host.send("tables")
            return (await host.hear("tables"))["opened"]

    asyncio.run(closed())
    assert asyncio.run(opened_again()) is False
