"""Messages of every kind by every role at a table, each beside one of another role.

The roles are the host, a guest with a seat, a guest who watches, and a socket that said no hello. A
case is a kind, a role and an order: the role's message and any message of another role are sent at
once, one before the other. Faults are: a socket that is closed though its message is allowed, or
open though it is not; help while a guest plays; a turn that its color did not ask for; a secret
that a guest hears; pages that show different positions; an internal error, trouble on stderr, and a
server at which nobody can play in the end.
"""

import asyncio
import json
import random
import time
import traceback
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import psutil
from tornado.httpclient import HTTPClientError
from tornado.websocket import WebSocketClosedError

from gtp_engine.board.server.page_messages import KINDS
from standing.board_fuzz import HEAVY, Fuzzer, acceptable, plays_on
from standing.findings import Findings
from support.pages import Visitor, started
from support.starting import engine_command
from support.waiting import until, waiting_for

HOST, PLAYER, WATCHER, STRANGER = "host", "player", "watcher", "stranger"
ROLES = (HOST, PLAYER, WATCHER, STRANGER)

# As the page about the server says, so these are no names of the program.
WATCHING = {"alive", "hello", "look", "rules", "save", "visible"}
PLAYING = WATCHING | {"agree", "claim", "names", "new", "pause", "preview", "resign", "say"}
PLAYING |= {"step", "undo", "why"}
MAY_SEND = {HOST: set(KINDS), PLAYER: PLAYING, WATCHER: WATCHING, STRANGER: {"hello"}}
PRIVATE = {"commands", "console", "exported", "imported", "importing", "journal", "kept", "tables"}
HELP = {"explored", "frame", "hint", "openings", "sure"}
LARGEST_OF_A_GUEST = 2**13

MAIN = "1"
WORN = 15
"""Messages, and hellos of a guest, after which a place is taken anew: far below the limits."""

OFTEN = 25
"""Cases in one game."""

LARGEST = 600.0
"""MiB that a server may have, with sanitizers."""


class Place:
    """A socket of a role, which is always read.

    table  -- the key of its table
    state  -- the newest state; None before the first
    newest -- the newest message of each kind
    added  -- nodes of the tree that are new since they were looked at
    end    -- the code and the reason with which its socket was closed; None while it is open
    """

    def __init__(self, role: str, page: Visitor, secrets: list[str], wrong: Callable[[str], None]):
        self.role, self.page, self.secrets, self.wrong = role, page, secrets, wrong
        self.state: dict[str, Any] | None = None
        self.table, self.newest = "", {}
        self.known: set[int] = set()
        self.added: list[dict[str, Any]] = []
        self.end: tuple[int | None, str | None] | None = None
        self.sent = 0
        self.reading = asyncio.create_task(self.read())

    async def send(self, text: str) -> None:
        """Send a message; one that is not accepted any more is lost."""
        self.sent += 1
        try:
            await self.page.socket.write_message(text)
        except WebSocketClosedError:
            await self.reading

    async def ask(self, kind: str, **fields: Any) -> None:
        await self.send(json.dumps({"kind": kind, **fields}))

    async def answer(self, kind: str, **fields: Any) -> dict[str, Any]:
        """What comes after a question, of the same kind; empty if the socket ends."""
        self.newest.pop(kind, None)
        await self.ask(kind, **fields)
        await until(lambda: kind in self.newest or self.end, f"the answer to {kind}")
        return self.newest.get(kind, {})

    async def read(self) -> None:
        while (text := await self.page.socket.read_message()) is not None:
            message = json.loads(text)
            self.hear(message["kind"], message)
            if self.role != HOST and any(secret in text for secret in self.secrets):
                self.wrong(f"{self.role} hears a secret in {message['kind']}")
        self.end = self.page.socket.close_code, self.page.socket.close_reason

    def hear(self, kind: str, message: dict[str, Any]) -> None:
        """Judge a message, and remember it."""
        if self.role in (PLAYER, WATCHER) and kind in PRIVATE:
            self.wrong(f"{self.role} hears {kind}")
        if kind in HELP and self.state and with_guest(self.state):
            self.wrong(f"{self.role} hears {kind} while a guest plays")
        if kind == "told" and "Internal error" in message["text"]:
            self.wrong(message["text"])
        self.newest[kind] = message
        if kind == "hello":
            self.table = message["table"]
        elif kind == "state":
            self.state = message
        elif kind == "nodes":
            if message["reset"]:
                self.known, self.added = {node["id"] for node in message["set"]}, []
            self.added += [node for node in message["set"] if node["id"] not in self.known]
            self.known |= {node["id"] for node in message["set"]}

    def shows(self) -> tuple[Any, ...]:
        """The position that the page shows."""
        state = self.state or {}
        return state.get("tree"), state.get("rev"), state.get("node"), state.get("seats")

    async def leave(self) -> None:
        self.page.leave()
        async with waiting_for("the end of the page's socket"):
            await self.reading


def with_guest(state: dict[str, Any]) -> bool:
    """Whether a guest plays a game that goes on."""
    return not state["over"] and any("guest" in seat for seat in state["seats"].values())


class Words(Fuzzer):
    """Makes messages about what is there: small boards, this table, these guests.

    guests -- the numbers of the invitations
    """

    def __init__(self, rng: random.Random) -> None:
        super().__init__(rng, "nowhere")
        self.guests = [0]

    def value(self, kind: str, name: str) -> object:
        match name:
            case "size":
                return self.rng.choice([3, 4, 5])
            case "table":
                choice = [MAIN, MAIN, "2"]
                return self.rng.choice([*choice, None] if kind == "enter" else choice)
            case "guest":
                return self.rng.choice([*self.guests, 999])
            case "word":
                return self.rng.choice([*self.words] * 2 + ["z9", "resign"])
            case "visits":
                return self.rng.choice([1, 5, None])
            case "rev":
                return self.rng.choice([self.rev] * 4 + [self.rev + 1])
        return super().value(kind, name)

    def sort(self, kind: str) -> dict[str, Any]:
        """A message of a kind whose fields are acceptable."""
        while True:
            message = {
                "kind": kind,
                **{name: self.value(kind, name) for name in KINDS[kind].fields},
            }
            if acceptable(json.dumps(message)):
                return message

    def any_kind(self) -> str:
        """A kind, one that makes engines work for long less often."""
        while True:
            kind = self.rng.choice([*KINDS])
            if self.rng.random() >= HEAVY.get(kind, 0.0):
                return kind


class Table:
    """The main table of a server, with a place for each role."""

    def __init__(self, address: str, rng: random.Random, found: Findings) -> None:
        self.address, self.rng, self.found = address, rng, found
        self.words = Words(rng)
        self.places: dict[str, Place] = {}
        self.hellos = dict.fromkeys((PLAYER, WATCHER), 0)
        self.addresses: dict[str, str] = {}
        self.token = address.rstrip("/").rpartition("/")[2]
        self.said: list[str] = []
        self.steps: set[tuple[str, str]] = set()
        self.cases = 0

    def wrong(self, what: str) -> None:
        self.found.fault(what, "\n".join(self.said[-60:]).encode(), "jsonl")

    async def enter(self, role: str, address: str, hello: bool = True) -> Place | None:
        """Take a place; it has heard the state. None where the invitation was closed."""
        try:
            page = await Visitor.enter(address, hello)
        except HTTPClientError:
            return None
        place = Place(role, page, [] if address == self.address else [self.token], self.wrong)
        if hello:
            await until(lambda: place.state or place.end, "the first state")
        return place

    async def there(self, role: str) -> Place:
        """The place of a role, taken anew if its socket has ended or was used much."""
        place = self.places.get(role)
        if place and not place.end and place.sent < WORN and place.table == MAIN:
            return place
        if place:
            await place.leave()
            del self.places[role]
        address = self.address
        if role != HOST:
            if self.hellos[role] >= WORN or role not in self.addresses:
                await self.invite(role)
            self.hellos[role] += 1
            address = self.addresses[role]
        taken = await self.enter(role, address)
        if taken is None or taken.end:
            if role == HOST:
                raise AssertionError("no place for the host")
            self.addresses.pop(role)
            return await self.there(role)
        self.places[role] = taken
        return taken

    async def invite(self, role: str) -> None:
        """Invite a guest; those of this role at the table go."""
        host = await self.there(HOST)
        await self.uninvite(lambda known: (known == "watch") == (role == WATCHER))
        color = self.rng.choice(["black", "white"]) if role == PLAYER else "watch"
        known = {each["guest"] for each in await self.invitations(host)}
        host.newest.pop("told", None)
        await host.ask("invite", role=color, base="http://friends.example/")
        made: list[dict[str, Any]] = []
        while not made:  # a list may be older than the invitation
            listed = await self.invitations(host)
            made = [each for each in listed if each["guest"] not in known]
            if not made and "invitation" in host.newest.get("told", {}).get("text", ""):
                raise AssertionError(host.newest["told"]["text"])
        token = made[0]["address"].rstrip("/").rpartition("/")[2]
        self.addresses[role] = self.address.replace(self.token, token)
        self.hellos[role] = 0

    async def uninvite(self, which: Callable[[str], bool]) -> None:
        """Close the invitations of some roles to all tables."""
        host = await self.there(HOST)
        for each in await self.invitations(host):
            if which(each["role"]):
                await host.ask("uninvite", guest=each["guest"])

    async def invitations(self, host: Place) -> list[dict[str, Any]]:
        listed = (await host.answer("tables"))["list"]
        found = [guest for table in listed for guest in table["guests"]]
        self.words.guests = [each["guest"] for each in found] or [0]
        return found

    async def begin(self) -> None:
        """Begin a game of two people, and give one color to a guest."""
        self.steps.clear()
        await self.uninvite(lambda role: role != "watch")
        self.addresses.pop(PLAYER, None)
        host = await self.there(HOST)
        game = self.rng.choice(host.newest["hello"]["catalog"]["games"])["name"]
        human = {"kind": "human"}
        fields = {"game": game, "size": 4, "pie": "off", "black": human, "white": human}
        tree = host.state["tree"]
        await host.ask("new", **fields)
        await until(lambda: host.state["tree"] != tree or host.end, "a new game")
        self.places[PLAYER] = await self.taken()

    async def taken(self) -> Place:
        """The place of the guest who plays, once the seat is the guest's."""
        if (before := self.places.pop(PLAYER, None)) is not None:
            await before.leave()
        place = await self.there(PLAYER)
        await until(lambda: place.end or with_guest(place.state), "a seat")
        return place

    async def case(self, kind: str, role: str, first: bool) -> None:
        """Send a message of a kind by a role, and one of another role before or after it."""
        places = {each: await self.there(each) for each in (HOST, PLAYER, WATCHER)}
        if self.cases % OFTEN == 0 or not with_guest(places[PLAYER].state):
            await self.begin()
            places |= {each: await self.there(each) for each in (HOST, PLAYER, WATCHER)}
        self.cases += 1
        places[HOST].added.clear()
        self.words.learn(places[HOST].state)
        address = self.rng.choice([self.address, *self.addresses.values()])
        stranger = await self.enter(STRANGER, address, hello=False)
        places[STRANGER] = stranger or await self.enter(STRANGER, self.address, hello=False)
        rival = self.rng.choice([each for each in ROLES if each != role])
        sent = [(role, self.words.sort(kind)), (rival, self.words.sort(self.words.any_kind()))]
        for who, message in sent if first else sent[::-1]:
            text = json.dumps(message)
            self.said.append(f"{who} {text}")
            if message["kind"] in ("step", "try"):
                self.steps.add((who, message["word"].casefold()))
            await places[who].send(text)
        await self.judge(places, sent)
        await places[STRANGER].leave()
        self.found.tried[role] += 1

    async def judge(self, places: dict[str, Place], sent: list[tuple[str, dict[str, Any]]]) -> None:
        """Wait until the messages have had their effect, and look at each place."""
        dismissing = any(message["kind"] in ("uninvite", "end") for _, message in sent)
        for who, place in places.items():
            own = [message for role, message in sent if role == who]
            refused = any(must_end(who, message) for message in own)
            if refused:
                await until(lambda place=place: place.end, f"the end of {who}")
            elif who != STRANGER or own:
                await place.answer("rules")
            if place.end and not refused and not (dismissing and place.end[0] == 4001):
                self.wrong(f"{who} is closed, though nothing was wrong: {place.end}")
            if refused and place.end[0] not in (1008, 1009, 4001, None):
                self.wrong(f"{who} is closed with {place.end}")
        await until(lambda: self.agree(places), "one position on all pages")
        self.whose_turns(places[HOST])

    def agree(self, places: dict[str, Place]) -> bool:
        """Whether all pages at the main table show the same."""
        there = [each for each in places.values() if each.table == MAIN and not each.end]
        return len({repr(each.shows()) for each in there}) <= 1

    def whose_turns(self, host: Place) -> None:
        """Look at new turns: who plays a color, the host or the guest, has asked for them."""
        added, host.added = host.added, []
        if not with_guest(host.state):
            return
        for node in added:
            seat, word = host.state["seats"][node["color"]], node["word"].casefold()
            owner = PLAYER if "guest" in seat else HOST
            asked = {who for who, each in self.steps if each == word}
            if seat["kind"] == "human" and asked and owner not in asked:
                self.wrong(f"{' and '.join(sorted(asked))} played {word} for {owner}")


def must_end(role: str, message: dict[str, Any]) -> bool:
    """Whether a message ends the socket of a role."""
    kind, own = message["kind"], role in (PLAYER, WATCHER)
    too_much = own and len(json.dumps(message)) > LARGEST_OF_A_GUEST
    return (
        kind not in MAY_SEND[role] or too_much or (own and message.get("form", "plain") != "plain")
    )


async def race(seed: int, end: float, found: Findings) -> None:
    """All cases in any order, at one server, while there is time."""
    rng = random.Random(seed)
    cases = list(product(KINDS, ROLES, (True, False)))
    rng.shuffle(cases)
    engine = engine_command("--visits", "50", "--hash-mb", "8")
    async with started("--board", engine, "--size", "4") as (process, address):
        errors = asyncio.create_task(process.stderr.read())
        table = Table(address, rng, found)
        try:
            for number, (kind, role, first) in enumerate(cases):
                if number > 4 and time.monotonic() > end:
                    break
                await table.case(kind, role, first)
                if number % 20 == 0:
                    found.measure(server=[psutil.Process(process.pid)])
            for place in table.places.values():
                await place.leave()
            await plays_on(address)
        except Exception:
            table.wrong(traceback.format_exc())
        process.terminate()
        await process.wait()
        found.look_at((await errors).decode(errors="replace"), "\n".join(table.said).encode())


def run(seconds: float, seed: int, folder: Path) -> Findings:
    """Race at one server after the other."""
    found, end = Findings("roles", folder), time.monotonic() + seconds
    while time.monotonic() < end:
        asyncio.run(race(seed, end, found))
        seed += 1
    found.limit("server", LARGEST)
    return found
