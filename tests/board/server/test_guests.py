"""Guests by their sockets: what they may do, what they may not, and the end of an invitation."""

import asyncio
import json
import random
import re
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
from tornado.websocket import WebSocketClosedError

from gtp_engine.board.server import page_messages
from gtp_engine.board.server.invitations import MOST_INVITATIONS
from gtp_engine.board.server.lobby import MAIN
from gtp_engine.board.server.page_messages import KINDS, MAY_SEND
from gtp_engine.board.server.play_desk import PlayDesk
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.board.table.seat import Seat
from gtp_engine.board.table.table import Table
from standing.board_fuzz import Fuzzer, acceptable
from support.pages import FakeDesk, Visitor, address_of, fetch, invited, serving, tables
from support.seating import OURS
from support.waiting import until

pytestmark = pytest.mark.usefixtures("engine_inside")
SPECS = Path(__file__).parents[3] / "protocol_specs"


@pytest.fixture
def hellos(monkeypatch):
    """A guest may say hello as often as a test needs."""
    for role in MAY_SEND:
        monkeypatch.setitem(page_messages.RATE_OF_HELLO, role, (0.0, 1000.0))


def fields_of(kind):
    """Fields of a message that the server accepts from a host."""
    fuzzer = Fuzzer(random.Random(1), "x")
    fuzzer.games = ["robble"]
    while True:
        fields = {name: fuzzer.value(kind, name) for name in KINDS[kind].fields}
        if acceptable(json.dumps({"kind": kind, **fields})):
            return fields


async def furnish(key):
    return FakeDesk()


@asynccontextmanager
async def hosting(desk=None, role="white"):
    """A server, its host, and a guest who has come."""
    async with serving(desk, furnish=furnish) as (server, main):
        host = await Visitor.enter(server.address)
        await host.hear("state")
        invitation = await invited(host, role)
        guest = await Visitor.enter(address_of(server, invitation))
        await guest.hear("state")
        yield server, main, host, guest, invitation


def test_a_guest_is_told_its_role_and_sees_no_console():
    async def heard():
        async with hosting() as (_server, main, host, guest, _invitation):
            await host.send("lines", on=True)
            await until(lambda: main.pages[0].listens)
            main._desk.say(kind="console", engine="A", text="secret")
            main._desk.say(kind="state", rev=1)
            await guest.hear("state")
            assert (await host.hear("console"))["text"] == "secret"
            hello = guest.heard[0]
            return (
                hello["role"],
                hello["table"],
                hello["readonly"],
                {m["kind"] for m in guest.heard},
            )

    role, table, readonly, kinds = asyncio.run(heard())
    assert (role, table, readonly) == ("white", MAIN, False)
    assert kinds == {"hello", "nodes", "state"}


@pytest.mark.parametrize("role", sorted(MAY_SEND))
def test_a_guest_sends_what_is_listed_and_nothing_else(role, hellos):
    """Whatever the desk would do, other kinds end the socket before it is asked."""
    listed = MAY_SEND[role] - {"save"}  # of its forms only one is for guests

    async def sent():
        async with hosting(role=role) as (server, main, _host, first, invitation):
            first.leave()
            await first.ended()
            ends = {}
            for kind in KINDS:
                guest = await Visitor.enter(address_of(server, invitation))
                await guest.hear("state")
                asked = len(main._desk.asked)
                fields = {"form": "review"} if kind == "save" else fields_of(kind)
                await guest.send(kind, **fields)
                if kind in listed:
                    await guest.send("rules")
                    await guest.hear("rules")
                    guest.leave()
                ends[kind] = await guest.ended()
                assert kind in listed or len(main._desk.asked) == asked, kind
            return ends

    ends = asyncio.run(sent())
    assert {kind for kind, end in ends.items() if end == (1008, "not for guests")} == (
        KINDS.keys() - listed
    )


def test_the_listed_kinds_are_kinds():
    assert all(kinds <= KINDS.keys() for kinds in MAY_SEND.values())


def test_the_specification_lists_what_guests_may_send():
    text = (SPECS / "clients" / "board-server.md").read_text(encoding="utf-8")
    watching, playing = re.search(
        r"\| `watch` \| (.*) \|\n\| `black`, `white` \| (.*) \|", text
    ).groups()
    kinds = set(re.findall(r"`(\w+)`", watching)) - {"plain"}
    assert kinds == MAY_SEND["watch"]
    assert kinds | set(re.findall(r"`(\w+)`", playing)) == MAY_SEND["black"] == MAY_SEND["white"]


def test_a_guest_that_floods_or_sends_a_large_message_is_closed(monkeypatch):
    monkeypatch.setitem(page_messages.RATE, "white", (0.0, 5.0))

    async def ends():
        async with hosting() as (server, _main, _host, guest, invitation):
            other = await Visitor.enter(address_of(server, invitation))
            await other.hear("state")
            await other.send("step", rev=0, word="A" * 4000)
            await other.send("step", rev=0, word="A" * 9000)
            for _ in range(6):
                await guest.send("rules")
            return await guest.ended(), await other.ended()

    flood, large = asyncio.run(ends())
    assert flood == (1008, "too many messages")
    assert large == (1008, "too large")


def test_a_guest_has_few_pages_and_takes_no_place_of_the_host():
    async def ends():
        async with hosting() as (server, _main, _host, _guest, invitation):
            address = address_of(server, invitation)
            for _ in range(page_messages.MOST_PAGES["white"] - 1):
                await (await Visitor.enter(address)).hear("state")
            surplus = await (await Visitor.enter(address)).ended()
            return surplus, (await (await Visitor.enter(server.address)).hear("state"))["kind"]

    assert asyncio.run(ends()) == ((1013, "too many pages"), "state")


def test_a_closed_invitation_ends_sockets_and_its_token():
    async def ended():
        async with hosting() as (server, main, host, guest, invitation):
            address = address_of(server, invitation)
            waiting = await Visitor.enter(address, hello=False)
            assert (await fetch(address)).code == 200
            await host.send("uninvite", guest=invitation["guest"])
            ends = [await guest.ended()]
            await waiting.send("hello")
            ends.append(await waiting.ended())
            await host.send("uninvite", guest=invitation["guest"])
            told = await host.hear("told")
            return ends, (await fetch(address)).code, told["text"], main._desk.seated

    ends, code, told, seated = asyncio.run(ended())
    assert ends == [(4001, "the invitation was closed")] * 2
    assert code == 404
    assert told == "This invitation has ended already."
    assert seated == [("white", True), ("white", False)]


def test_an_invitation_belongs_to_its_table_and_ends_with_it():
    async def ended():
        async with serving(furnish=furnish) as (server, _main):
            host = await Visitor.enter(server.address)
            await host.hear("state")
            await host.send("enter", table=None)
            assert (await host.hear("hello"))["table"] == "2"
            invitation = await invited(host, "watch")
            await host.send("enter", table=MAIN)
            guest = await Visitor.enter(address_of(server, invitation), hello=False)
            await guest.send("hello", table=MAIN)
            hello = await guest.hear("hello")
            shown = {}
            while not shown or not shown["2"][0]["here"]:
                shown = {each["table"]: each["guests"] for each in await tables(host)}
            await host.send("end", table="2")
            return hello["table"], hello["readonly"], shown, await guest.ended()

    table, readonly, shown, end = asyncio.run(ended())
    assert (table, readonly) == ("2", True)
    assert shown[MAIN] == [] and shown["2"][0]["here"] == 1
    assert end[0] == 4001


def test_an_invitation_has_a_link_and_a_code_and_there_are_so_many():
    async def made():
        async with serving(furnish=furnish) as (server, _main):
            host = await Visitor.enter(server.address)
            first = await invited(host, "watch", "https://games.example/boards/")
            assert first["address"].startswith("https://games.example/boards/")
            assert first["code"]["size"] >= 21 and first["code"]["path"].startswith("M0 0h7v1h-7z")
            for _ in range(MOST_INVITATIONS - 1):
                await invited(host, "watch")
            await host.send("invite", role="watch", base="http://x/")
            surplus = (await host.hear("told"))["text"]
            await host.send("uninvite", guest=first["guest"])
            await invited(host, "black")
            await host.send("uninvite", guest=first["guest"] + 1)
            await host.send("invite", role="black", base="http://x/")
            return surplus, (await host.hear("told"))["text"]

    assert asyncio.run(made()) == (
        "24 invitations are open. Close one of them first.",
        "This color has an invitation already.",
    )


class Played:
    """A real game of a host and a guest: their pages, and the newest state."""

    def __init__(self, table, host, guest):
        self.table, self.host, self.guest = table, host, guest

    async def step(self, page, word):
        await page.send("step", rev=self.table.rev, word=word)

    async def take_turns(self, *words):
        """Play from the start, the host first."""
        for number, word in enumerate(words):
            page = (self.host, self.guest)[number % 2]
            await self.step(page, word)
            await self.until(page, list(words[: number + 1]))

    async def until(self, page, line):
        while self.line() != line:
            await page.hear()

    def line(self):
        found = {node["id"]: node for node in self.table.nodes()["set"]}
        words, node = [], found[self.table.state()["node"]]
        while node["parent"] is not None:
            words.append(node["word"])
            node = found[node["parent"]]
        return words[::-1]


def played(scene, role="white"):
    async def run():
        table = Table({"A": OURS})
        await table.start("robble", 5)
        async with hosting(PlayDesk(table, "T"), role) as (server, _main, host, guest, invitation):
            await host.send("new", **new_game())
            await host.hear("nodes")
            await guest.hear("nodes")
            await scene(Played(table, host, guest), server, invitation)

    asyncio.run(run())


def new_game(**other):
    seats = {"black": {"kind": "human"}, "white": {"kind": "human", "guest": "white"}}
    return {"game": "robble", "size": 5, "pie": "off", **seats, **other}


async def answer(page, yes=True):
    """Answer the question that a page has heard last."""
    asked = next(each for each in reversed(page.heard) if each["kind"] == "asked")
    await page.send("agree", number=asked["number"], yes=yes)


def test_each_plays_its_own_color_only():
    async def scene(game, server, invitation):
        await game.step(game.guest, "A1")
        assert (await game.guest.hear("told"))["text"] == "It is not your turn."
        await game.step(game.host, "A1")
        await game.until(game.guest, ["A1"])
        await game.guest.send("resign", color="black")
        assert (await game.guest.hear("told"))["text"] == "You do not play this color."
        await game.step(game.host, "B1")
        assert (await game.host.hear("told"))["text"] == "It is not your turn."
        await game.step(game.guest, "B1")
        await game.until(game.host, ["A1", "B1"])
        await game.guest.send("resign", color="black")
        assert (await game.guest.hear("told"))["text"] == "You do not play this color."
        assert game.table.state()["view"]["outcome"] is None
        await game.guest.send("resign", color="white")
        assert "can resign only on its own turn" in (await game.guest.hear("told"))["text"]

    played(scene)


@pytest.mark.parametrize("yes", [True, False])
def test_a_turn_is_taken_back_if_the_other_agrees(yes):
    async def scene(game, server, invitation):
        for page, word in ((game.host, "A1"), (game.guest, "B1"), (game.host, "C1")):
            line = [*game.line(), word]
            await game.step(page, word)
            await game.until(page, line)
        await game.guest.send("undo")
        asked = await game.host.hear("asked")
        assert (asked["by"], asked["to"]) == ("white", ["host"])
        assert asked["text"] == "White asks to take back a turn."
        late = await Visitor.enter(server.address)
        assert (await late.hear("asked"))["text"] == asked["text"]
        await game.guest.hear("asked")
        await answer(game.guest, False)
        await game.host.hear("asked")
        await game.guest.send("undo")
        await game.host.hear("asked")
        await answer(game.host, yes)
        if yes:
            await game.until(game.guest, ["A1"])
        else:
            assert (await game.guest.hear("told"))["text"] == "Black does not agree."
            await game.guest.send("undo")
            assert "after the next turn" in (await game.guest.hear("told"))["text"]
            assert game.line() == ["A1", "B1", "C1"]

    played(scene)


def test_a_question_ends_with_its_position():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.host, ["A1"])
        await game.host.send("undo")
        assert (await game.guest.hear("asked"))["by"] == "host"
        await game.step(game.guest, "B1")
        assert (await game.guest.hear("asked"))["by"] is None
        await answer(game.guest)
        assert (await game.guest.hear("told"))["text"] == "Nobody asks you."
        assert game.line() == ["A1", "B1"]

    played(scene)


@pytest.mark.parametrize(
    "kind, fields",
    [
        ("goto", {"node": 0}),
        ("redo", {}),
        ("open", {"data": "KDtGRls0XSk="}),
        ("position", {"text": "robble 3 .../.../... b"}),
        ("link", {"game": "pilo", "size": 5, "position": "pilo 5 x"}),
        ("hint", {}),
        ("analyse", {"on": True}),
        ("review", {"visits": 1}),
        ("exercise", {"set": "lessons", "id": "robble-1"}),
        ("keep_open", {"number": 1}),
        ("seats", {"black": {"kind": "human"}, "white": {"kind": "human"}}),
        ("new", new_game(white={"kind": "human"})),
    ],
)
def test_the_host_does_not_disturb_a_game_with_a_guest(kind, fields):
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.host, ["A1"])
        before = game.table.state()
        await game.host.send(kind, **fields)
        assert "guest" in (await game.host.hear("told"))["text"]
        assert game.table.state() == before

    played(scene)


def test_a_pause_asks_the_guest():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.host, ["A1"])
        before = game.table.state()
        await game.host.send("pause", on=True)
        assert "stop both clocks" in (await game.guest.hear("asked"))["text"]
        assert game.table.state() == before

    played(scene)


@pytest.mark.parametrize(
    "kind, fields",
    [("exercise", {"set": "lessons", "id": "robble-1"}), ("keep_open", {"number": 1})],
)
def test_a_guest_keeps_the_seat_after_the_game(kind, fields):
    async def scene(game, server, invitation):
        await game.host.send("resign", color="black")
        await game.guest.hear("nodes")
        before = game.table.state()
        await game.host.send(kind, **fields)
        assert "in Invite a friend" in (await game.host.hear("told"))["text"]
        assert game.table.state() == before

    played(scene)


def test_what_was_on_ends_when_a_guest_comes():
    async def run():
        table = Table({"A": OURS})
        await table.start("robble", 5)
        async with serving(PlayDesk(table, "T"), furnish=furnish) as (server, _main):
            host = await Visitor.enter(server.address)
            await table.analyse(True)
            await table.pause(True)
            invitation = await invited(host, "white")
            guest = await Visitor.enter(address_of(server, invitation))
            state = await guest.hear("state")
            assert not state["analysing"] and not state["paused"]
            with pytest.raises(CannotDo, match="no help while a guest plays"):
                await table.analyse(True)
            await host.send("analyse", on=True)
            assert "no help" in (await host.hear("told"))["text"]

    asyncio.run(run())


def test_a_guest_names_only_itself_in_a_new_game():
    async def scene(game, server, invitation):
        await game.host.send("names", names={"black": "Ada"})
        await game.step(game.host, "A1")
        await game.until(game.guest, ["A1"])
        named = {
            "black": {"kind": "human", "name": "Fool"},
            "white": {"kind": "human", "guest": "white", "name": "Bob"},
        }
        await game.guest.send("new", **new_game(**named))
        await game.host.hear("asked")
        await answer(game.host)
        await game.until(game.guest, [])
        seats = game.table.state()["seats"]
        assert (seats["black"]["name"], seats["white"]["name"]) == ("Ada", "Bob")

    played(scene)


def test_a_question_tells_everything_that_would_change():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.guest, ["A1"])
        await game.guest.send("new", **new_game(handicap=3, pie="sides"))
        text = (await game.host.hear("asked"))["text"]
        assert text == "White asks to play a new game of Robble 5 × 5, Black +3 and no swap."
        await answer(game.host, False)
        await game.guest.hear("told")
        await game.step(game.guest, "B1")
        await game.until(game.guest, ["A1", "B1"])
        await game.guest.send("new", **new_game(pie="sides"))
        asked = await game.host.hear("asked")
        while asked["by"] is None:
            asked = await game.host.hear("asked")
        assert asked["text"] == "White asks to play a new game of Robble 5 × 5, swap sides."

    played(scene)


def test_anybody_looks_back_alone():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.guest, ["A1"])
        await game.guest.send("look", node=0)
        looked = await game.guest.hear("looked")
        assert looked["node"] == 0 and looked["view"]["pieces"] == []
        assert game.line() == ["A1"]
        await game.guest.send("look", node=10**6)
        assert (await game.guest.hear("told"))["text"] == "That turn no longer exists."

    played(scene)


def test_a_rematch_exchanges_the_colors_of_host_and_guest():
    async def scene(game, server, invitation):
        await game.host.send("resign", color="black")
        await game.guest.hear("nodes")
        seats = game.table.state()["seats"]
        clock = {"main": 300, "increment": 5}
        again = new_game(black=seats["white"], white=seats["black"], clock=clock)
        await game.guest.send("new", **again)
        text = (await game.host.hear("asked"))["text"]
        assert text == "White asks to play a new game of Robble 5 × 5, no swap, 5 min + 5 s."
        await answer(game.host)
        await game.guest.hear("nodes")
        await game.step(game.host, "A1")
        assert (await game.host.hear("told"))["text"] == "It is not your turn."
        await game.step(game.guest, "A1")
        await game.until(game.host, ["A1"])
        engine = {"kind": "engine", "engine": "A", "level": None}
        await game.guest.send("new", **{**again, "white": engine})
        assert (await game.guest.hear("told"))["text"] == "A guest cannot choose other players."
        await game.host.send("uninvite", guest=invitation["guest"])
        people = {color: {"kind": "human"} for color in ("black", "white")}
        while (await game.host.hear("state"))["seats"] != people:
            pass
        assert game.table.state()["seats"] == people

    played(scene)


def test_no_message_of_a_guest_changes_anything_alone(hellos):
    """Every kind, with fields that would work for a host: the game stays as it is."""

    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.host, ["A1"])
        await game.step(game.guest, "B1")
        await game.until(game.host, ["A1", "B1"])
        before = json.dumps([game.table.state()["view"], game.table.nodes()])
        for kind in sorted(KINDS):
            page = await Visitor.enter(address_of(server, invitation))
            await page.hear("state")
            fields = fields_of(kind)
            await page.send(
                kind, **{**fields, **({"rev": game.table.rev} if "rev" in fields else {})}
            )
            with suppress(WebSocketClosedError):
                await page.send("rules")
            await page.hear("rules")
            page.leave()
        assert json.dumps([game.table.state()["view"], game.table.nodes()]) == before

    played(scene)


def test_no_help_from_an_analysis_that_was_on_before_a_rematch():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.host, ["A1"])
        await game.guest.send("resign", color="white")
        while (await game.host.hear("state"))["view"]["outcome"] is None:
            pass
        await game.host.send("analyse", on=True)
        while not (await game.host.hear("state"))["analysing"]:
            pass
        await game.host.send("new", **new_game())
        await game.guest.hear("asked")
        await answer(game.guest)
        await game.host.hear("nodes")
        assert not (await game.host.hear("state"))["analysing"]
        for kind, fields in (
            ("hint", {}),
            ("analyse", {"on": True}),
            ("openings", {}),
            ("explore", {}),
        ):
            await game.host.send(kind, **fields)
            assert "no help" in (await game.host.hear("told"))["text"], kind
        await game.host.send("console", engine="analyst", line="game-hint 1")
        assert "no help" in (await game.host.hear("told"))["text"]

    played(scene)


def test_after_the_game_host_and_guest_look_at_all_of_it_with_help():
    """Also at what is played beside it; a rematch ends that."""

    async def scene(game, server, invitation):
        await game.take_turns("A1", "B1", "C1")
        await game.guest.send("resign", color="white")
        while not (last := await game.host.hear("state"))["over"]:
            pass
        await game.host.send("analyse", on=True)
        start = 0
        for node in (start, last["node"], start):
            await game.host.send("goto", node=node)
            while (state := await game.host.hear("state"))["node"] != node:
                pass
            assert state["over"] and state["analysing"]
        await game.step(game.host, "E5")
        await game.until(game.host, ["E5"])
        assert game.table.state()["analysing"]
        await game.host.send("hint")
        await game.host.hear("hint")
        await game.host.send("goto", node=last["node"])
        while (await game.host.hear("state"))["node"] != last["node"]:
            pass
        await game.host.send("new", **new_game())
        await game.guest.hear("asked")
        await answer(game.guest)
        while (state := await game.host.hear("state"))["over"]:
            pass
        assert not state["analysing"]

    played(scene)


def test_what_is_taken_back_is_removed_and_the_game_goes_on_without_help():
    async def scene(game, server, invitation):
        await game.take_turns("A1", "B1", "C1")
        await game.guest.send("resign", color="white")
        await game.until(game.guest, ["A1", "B1", "C1", "resign"])
        await game.guest.send("undo")
        await game.host.hear("asked")
        await answer(game.host)
        await game.until(game.guest, ["A1", "B1", "C1"])
        assert not game.table.over and len(game.table.nodes()["set"]) == 4
        await game.host.send("hint")
        assert "no help" in (await game.host.hear("told"))["text"]

    played(scene)


def test_a_game_that_was_over_goes_on_with_its_clock_and_without_analysis():
    """Also where the host looks back when the end is taken back: only that is removed."""

    async def scene(game, server, invitation):
        await game.host.send("new", **new_game(clock={"main": 300, "increment": 0}))
        while not (await game.host.hear("state"))["clock"]:
            pass
        await game.take_turns("A1", "B1", "C1")
        await game.guest.send("resign", color="white")
        await game.until(game.host, ["A1", "B1", "C1", "resign"])
        await game.host.send("analyse", on=True)
        await game.host.send("goto", node=0)
        await game.until(game.host, [])
        await game.guest.send("undo")
        await game.host.hear("asked")
        await answer(game.host)
        await game.until(game.guest, ["A1", "B1", "C1"])
        while (state := await game.host.hear("state"))["over"]:
            pass
        assert state["clock"]["running"] == "white" and not state["analysing"]

    played(scene)


def test_who_plays_neither_color_takes_back_for_both():
    async def scene(game, server, invitation):
        black = await Visitor.enter(address_of(server, await invited(game.host, "black")))
        await black.hear("state")
        await game.step(black, "A1")
        await game.until(game.guest, ["A1"])
        await game.guest.send("resign", color="white")
        await game.until(game.guest, ["A1", "resign"])
        await game.host.send("undo")
        for page in (black, game.guest):
            await page.hear("asked")
            await answer(page)
        await game.until(black, ["A1"])
        assert not game.table.over and len(game.table.nodes()["set"]) == 2

    played(scene)


def test_the_host_ends_or_revives_no_game_with_a_guest_alone():
    async def scene(game, server, invitation):
        await game.take_turns("A1", "B1")
        await game.host.send("promote", node=game.table.state()["node"])
        assert "guest" in (await game.host.hear("told"))["text"]
        await game.host.send("resign", color="black")
        await game.until(game.host, ["A1", "B1", "resign"])
        stays = "The game against a guest stays. You can take back its last turn."
        await game.host.send("drop", node=game.table.state()["node"])
        assert (await game.host.hear("told"))["text"] == stays
        await game.host.send("goto", node=0)
        await game.until(game.host, [])
        await game.step(game.host, "E5")
        await game.until(game.host, ["E5"])
        await game.host.send("promote", node=game.table.state()["node"])
        assert (await game.host.hear("told"))["text"] == stays
        assert game.table.over

    played(scene)


@pytest.mark.parametrize("beside", ["A2", "resign"])
def test_what_is_played_beside_a_game_that_is_over_is_taken_back_alone(beside):
    """And it does not keep the game from going on when its end is taken back."""

    async def scene(game, server, invitation):
        await game.take_turns("A1", "B1", "C1", "D1")
        await game.host.send("resign", color="black")
        await game.until(game.host, ["A1", "B1", "C1", "D1", "resign"])
        end = game.table.state()["node"]
        await game.host.send("goto", node=4)
        await game.until(game.host, ["A1", "B1", "C1", "D1"])
        await game.step(game.host, "E5")
        await game.until(game.guest, ["A1", "B1", "C1", "D1", "E5"])
        if beside == "resign":
            await game.guest.send("resign", color="white")
        else:
            await game.step(game.guest, beside)
        await game.until(game.guest, ["A1", "B1", "C1", "D1", "E5", beside])
        if beside != "resign":
            await game.guest.send("undo")
            await game.host.hear("asked")
            await answer(game.host)
            await game.until(game.guest, ["A1", "B1", "C1", "D1", "E5"])
            assert game.table.over
        await game.host.send("goto", node=end)
        await game.until(game.host, ["A1", "B1", "C1", "D1", "resign"])
        await game.host.send("undo")
        while not (await game.guest.hear("asked"))["by"]:
            pass
        await answer(game.guest)
        await game.until(game.host, ["A1", "B1", "C1", "D1"])
        assert not game.table.over

    played(scene)


def test_consent_is_for_the_question_that_was_seen():
    async def scene(game, server, invitation):
        await game.take_turns("A1", "B1")
        await game.guest.send("pause", on=True)
        first = await game.host.hear("asked")
        await game.guest.send("new", **new_game(size=7))
        while (await game.host.hear("asked"))["number"] == first["number"]:
            pass
        await game.host.send("agree", number=first["number"], yes=True)
        assert "That question has ended" in (await game.host.hear("told"))["text"]
        assert game.line() == ["A1", "B1"]
        await answer(game.host)
        await game.until(game.guest, [])
        assert game.table.view["game"]["size"] == 7

    played(scene)


def test_a_guest_whose_invitation_has_ended_gets_no_seat():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.host.send("uninvite", guest=invitation["guest"])
        while (await game.host.hear("state"))["seats"]["white"].get("guest"):
            pass
        seats = {color: new_game()[color] for color in ("black", "white")}
        for kind, fields in (("new", new_game()), ("seats", seats)):
            await game.host.send(kind, **fields)
            assert (await game.host.hear("told"))["text"] == "The guest is not invited any more."
        assert game.line() == ["A1"]

    played(scene)


def test_the_clock_runs_where_a_guest_comes_into_the_middle_of_a_game():
    async def scene(game, server, invitation):
        await game.host.send("uninvite", guest=invitation["guest"])
        people = {color: {"kind": "human"} for color in ("black", "white")}
        await game.host.send("new", **new_game(**people, clock={"main": 300, "increment": 0}))
        while not (await game.host.hear("state"))["clock"]:
            pass
        for number, word in enumerate(line := ["A1", "B1", "C1", "D1"]):
            await game.step(game.host, word)
            await game.until(game.host, line[: number + 1])
        await game.host.send("goto", node=2)
        await game.until(game.host, ["A1", "B1"])
        await invited(game.host, "white")
        while (state := await game.host.hear("state"))["clock"]["running"] is None:
            pass
        assert state["clock"]["running"] == "black"

    played(scene)


@pytest.mark.parametrize(("asks", "left"), [("guest", ["A1"]), ("host", [])])
def test_each_takes_back_its_own_turn_also_after_a_swap_of_sides(asks, left):
    async def scene(game, server, invitation):
        await game.host.send("new", **new_game(pie="sides"))
        await game.host.hear("nodes")
        await game.step(game.host, "A1")
        await game.until(game.guest, ["A1"])
        await game.guest.send("undo")
        assert "played no turn" in (await game.guest.hear("told"))["text"]
        await game.step(game.guest, "swap-sides")
        await game.until(game.host, ["A1", "swap-sides"])
        pages = {"host": game.host, "guest": game.guest}
        await pages.pop(asks).send("undo")
        (other,) = pages.values()
        while not (await other.hear("asked"))["by"]:
            pass
        await answer(other)
        await game.until(other, left)

    played(scene)


def test_a_game_that_was_taken_back_goes_on_without_help():
    async def scene(game, server, invitation):
        await game.take_turns("A1", "B1")
        await game.guest.send("undo")
        await game.host.hear("asked")
        await answer(game.host)
        await game.until(game.host, ["A1"])
        await game.step(game.guest, "C1")
        await game.until(game.guest, ["A1", "C1"])
        await game.host.send("hint")
        assert "no help" in (await game.host.hear("told"))["text"]
        await game.host.send("resign", color="black")
        while not (await game.host.hear("state"))["over"]:
            pass
        await game.host.send("goto", node=0)
        while (state := await game.host.hear("state"))["node"]:
            pass
        assert state["over"]

    played(scene)


def test_a_review_ends_when_a_guest_sits_down():
    async def run():
        table = Table({"A": OURS})
        await table.start("robble", 5)
        async with serving(PlayDesk(table, "T"), furnish=furnish) as (server, _main):
            host = await Visitor.enter(server.address)
            for word in ("A1", "B1", "C1", "D1", "E1", "A2"):
                await table.step(table.rev, word)
            review = asyncio.create_task(table.review(10**6))
            while not (await host.hear("state"))["reviewing"]:
                pass
            guest = await Visitor.enter(address_of(server, await invited(host, "white")))
            await guest.hear("state")
            with suppress(CannotDo):
                await review
            assert not table.state()["reviewing"] and not table.state()["reviewed"]
            assert all(node["loss"] is None for node in table.nodes()["set"])

    asyncio.run(run())


def test_a_consent_does_not_outlive_its_invitation():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.host, ["A1"])
        await game.guest.send("new", **new_game())
        await game.host.hear("asked")
        await game.host.send("uninvite", guest=invitation["guest"])
        assert (await game.host.hear("asked"))["by"] is None
        await answer(game.host)
        assert (await game.host.hear("told"))["text"] == "Nobody asks you."
        assert not any(seat.get("guest") for seat in game.table.state()["seats"].values())
        await game.host.send("new", **new_game(white={"kind": "human"}))
        await game.host.hear("nodes")

    played(scene)


def test_the_host_does_not_play_the_turn_of_a_guest_by_two_messages_at_once():
    async def scene(game, server, invitation):
        rev = game.table.rev
        await game.host.send("step", rev=rev, word="A1")
        await game.host.send("try", rev=rev + 1, word="B1", most=0.5)
        assert (await game.host.hear("told"))["text"] == "It is not your turn."
        assert game.line() == ["A1"]

    played(scene)


def test_nobody_asks_for_ever():
    async def scene(game, server, invitation):
        await game.step(game.host, "A1")
        await game.until(game.guest, ["A1"])
        await game.step(game.guest, "B1")
        await game.until(game.guest, ["A1", "B1"])
        for _ in range(3):
            await game.guest.send("undo")
            while (await game.guest.hear("asked"))["by"] != "white":
                pass
            assert (await game.host.hear("asked"))["by"] == "white"
            await answer(game.guest, False)
            assert (await game.host.hear("asked"))["by"] is None
        await game.guest.send("undo")
        assert "asked often" in (await game.guest.hear("told"))["text"]

    played(scene)


@pytest.mark.parametrize("name", ["\u202eAnn", "A\u200bn\u2066n", " Ann\ufeff", "\u00adAnn\u2028"])
def test_a_name_has_no_invisible_signs(name):
    assert Seat.read({"kind": "human", "name": name}).name == "Ann"

    async def scene(game, server, invitation):
        await game.guest.send("names", names={"white": name.replace("\u2028", "")})
        while "name" not in (await game.host.hear("state"))["seats"]["white"]:
            pass
        assert game.table.state()["seats"]["white"]["name"] == "Ann"

    played(scene)
