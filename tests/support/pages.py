"""Pages without a browser, and a desk without engines, for tests of the board's server."""

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

from gtp_engine.board.server.invitations import Invitations
from gtp_engine.board.server.lobby import MAIN, Lobby
from gtp_engine.board.server.network import Network
from gtp_engine.board.server.server import BoardServer
from gtp_engine.board.server.socket import route
from gtp_engine.board.server.timers import later
from gtp_engine.board.table.messages import CannotDo
from support.waiting import waiting_for

LAN = "127.0.0.2"
"""Stands for the address of the machine in its network: nobody else gets there."""

COMMAND = [sys.executable, "-m", "gtp_engine", "board"]


@asynccontextmanager
async def started(*options, opens=False, **environment):
    """The process of a board, without a journal unless the options name one; with its address."""
    command = [*COMMAND, *options] + ([] if opens else ["--no-open"])
    command += [] if "--journal" in options else ["--journal", "none"]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=-1, stderr=-1, env=os.environ | environment
    )
    try:
        async with waiting_for("the address of the board"):
            address = (await process.stdout.readline()).decode().strip()
        yield process, address
    finally:
        if process.returncode is None:
            process.terminate()
        async with waiting_for("the end of the board"):
            await process.communicate()


class FakeDesk:
    """Remembers what it was asked for, and says what a test lets it say.

    hold -- all but a step and an undo wait until this is set
    slow -- a step SLOW waits until this is released
    """

    def __init__(self):
        self.asked = []
        self.looks = []
        self.seated = []
        self.roles = []
        self.rev = 0
        self.begun = True
        self.listeners = []
        self.engines = [{"name": "A", "running": True}]
        self.hold = asyncio.Event()
        self.hold.set()
        self.slow = asyncio.Semaphore(0)

    def hello(self):
        return {"kind": "hello", "engines": list(self.engines), "readonly": False}

    def anew(self):
        return [{"kind": "nodes", "reset": True}, {"kind": "state", "rev": self.rev}]

    def listen(self, listener):
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def say(self, **message):
        for listener in self.listeners:
            listener(message)

    def summary(self):
        return f"Robble 5, {self.rev}"

    async def seat_guest(self, color, there):
        self.seated.append((color, there))

    def attend(self, here):
        self.here = set(here)

    async def answer(self, message, role="host"):
        self.roles.append(role)
        if message.get("word") == "SLOW":
            await self.slow.acquire()
        await asyncio.sleep(0)
        if message["kind"] not in ("step", "undo"):
            await self.hold.wait()
        self.asked.append(message)
        match message["kind"]:
            case "step":
                self.rev += 1
                self.say(kind="state", rev=self.rev)
            case "undo":
                raise CannotDo("Nothing was played.")
            case "rules":
                return {"kind": "rules", "game": "x"}
            case "review":
                raise ZeroDivisionError
        return None

    async def set_visible(self, on):
        self.looks.append(on)

    async def close(self, ended=False):
        self.closed, self.ended = True, ended


@asynccontextmanager
async def serving(desk=None, furnish=None, later=later, lan=LAN, **given):
    """A server with a lobby; yields the server and the room of the main table.

    lan   -- the address of the machine in its network, or None
    later -- for all that they do after a time; of a TurnedClock, or the event loop's
    """
    server = BoardServer(**given, later=later)
    network = Network(server, lambda: lan)
    lobby = Lobby(desk or FakeDesk(), Invitations(server.guests), furnish, later, network)
    server.lobby = lobby
    server.start([route(lobby, later)])
    try:
        yield server, lobby.rooms[MAIN]
    finally:
        await server.stop()
        await lobby.close()


class Visitor:
    """A page: what it was sent stands in `heard`."""

    def __init__(self, socket):
        self.socket = socket
        self.heard = []

    @classmethod
    async def enter(cls, address, hello=True):
        where = address.replace("http:", "ws:") + "socket"
        origin = "/".join(address.split("/")[:3])
        page = cls(await websocket_connect(HTTPRequest(where, headers={"Origin": origin})))
        if hello:
            await page.send("hello")
        return page

    async def send(self, kind, **fields):
        await self.socket.write_message(json.dumps({"kind": kind, **fields}))

    async def hear(self, kind=None):
        """The next message, of a kind where it is given; None at the end."""
        async with waiting_for(f"a message {kind or ''} after {len(self.heard)} messages"):
            while (text := await self.socket.read_message()) is not None:
                self.heard.append(json.loads(text))
                if kind in (None, self.heard[-1]["kind"]):
                    return self.heard[-1]
        return None

    async def ended(self):
        """The code and the reason of the end."""
        while await self.hear() is not None:
            pass
        return self.socket.close_code, self.socket.close_reason

    def leave(self):
        self.socket.close()


async def fetch(address, method="GET", **headers):
    """The response to a request, whatever its status; names of headers with _ for -."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = HTTPRequest(address, method=method, headers=named, allow_nonstandard_methods=True)
    return await AsyncHTTPClient(force_instance=True).fetch(request, raise_error=False)


async def invited(host, role, base="http://friends.example/"):
    """The invitation that a host's page makes, as the server tells it."""
    known = {each["guest"] for table in await tables(host) for each in table["guests"]}
    await host.send("invite", role=role, base=base)
    while True:
        new = [
            each
            for table in (await host.hear("tables"))["list"]
            for each in table["guests"]
            if each["guest"] not in known
        ]
        if new:
            return new[0]


async def tables(host):
    await host.send("tables")
    return (await host.hear("tables"))["list"]


def address_of(server, invitation):
    """Where the guest finds the server of the test."""
    token = invitation["address"].rstrip("/").rpartition("/")[2]
    return server.address.replace(server.token, token)
