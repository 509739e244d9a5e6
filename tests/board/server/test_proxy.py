"""Behind a reverse proxy: a path of its own, another name, and TLS in front of the board."""

import asyncio
from contextlib import asynccontextmanager

import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from gtp_engine.board.server.lobby import MAIN
from support.pages import FakeDesk, Visitor, fetch, serving

NAME = "games.example"
PREFIX = b"/board/"


@asynccontextmanager
async def proxy(port):
    """A proxy that takes the prefix off the path, and then passes all bytes; yields its port."""

    async def pump(reader, writer):
        while data := await reader.read(2**16):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n")
        method, path, version = head.split(b" ")
        ours, theirs = await asyncio.open_connection("127.0.0.1", port)
        theirs.write(b" ".join([method, b"/" + path.removeprefix(PREFIX), version]))
        await asyncio.gather(pump(reader, theirs), pump(ours, writer))

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


def test_the_page_and_its_socket_pass_a_proxy_with_a_path_and_a_name():
    async def passed():
        async with serving(names=[NAME]) as (server, _), proxy(server.port) as port:
            here = f"http://127.0.0.1:{port}/board/{server.token}/"
            page = await fetch(here, Host=NAME)
            module = await fetch(f"{here}main.js", Host=NAME, Sec_Fetch_Site="same-origin")
            stranger = await fetch(here, Host="evil.example")
            headers = {"Host": NAME, "Origin": f"https://{NAME}"}
            socket = f"ws://127.0.0.1:{port}/board/{server.token}/socket"
            visitor = Visitor(await websocket_connect(HTTPRequest(socket, headers=headers)))
            await visitor.send("hello")
            hello = await visitor.hear("hello")
            await visitor.send("invite", role="watch", base=f"https://{NAME}/board/")
            invitation = (await visitor.hear("tables"))["list"][0]["guests"][0]
            visitor.leave()
            text = page.body.decode()
            return page.code, module.code, stranger.code, hello["table"], invitation, text

    page, module, stranger, table, invitation, text = asyncio.run(passed())
    assert (page, module, stranger, table) == (200, 200, 403, MAIN)
    assert invitation["address"].startswith(f"https://{NAME}/board/")
    assert not any(f'{key}="/' in text for key in ("href", "src")), "an address from the root"


def test_a_server_on_the_network_answers_under_its_address_there():
    async def codes():
        async with serving(host="0.0.0.0") as (server, _):
            if not server.reachable:
                pytest.skip("this machine is in no network")
            (base,) = server.reachable
            page = await fetch(f"{base}{server.token}/")
            return page.code, (await fetch(f"{base}x/")).code, server.address.split("/")[2]

    page, stranger, own = asyncio.run(codes())
    assert (page, stranger) == (200, 404)
    assert own.startswith("127.0.0.1:")


def test_an_invitation_leads_to_an_address_that_others_reach():
    """The host's own page shows 127.0.0.1, which means another machine to each guest."""

    async def made(reachable):
        async with serving(FakeDesk()) as (server, _):
            server.reachable[:] = reachable
            host = await Visitor.enter(server.address)
            await host.hear("state")
            await host.send("invite", role="watch", base=f"http://127.0.0.1:{server.port}/")
            told = await host.hear("tables")
            (invitation,) = told["list"][0]["guests"]
            return told["public"], invitation["address"], invitation["code"]

    public, address, code = asyncio.run(made(["http://192.168.1.5:8123/"]))
    assert (public, address.split("/")[2]) == (True, "192.168.1.5:8123")
    assert code["path"]
    assert asyncio.run(made([])) == (False, None, None)
