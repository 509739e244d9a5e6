"""Pages at a desk: the receivers of each message, and the ends of sockets."""

import asyncio
import gc
import json
import socket as plain_socket
import struct
from contextlib import suppress

import pytest
from tornado.websocket import WebSocketClosedError

from gtp_engine.board.server import connections, page_messages
from gtp_engine.board.server.gate import HOST, Pass
from gtp_engine.board.server.lobby import MAIN
from gtp_engine.board.server.page_messages import LARGEST_GAME
from gtp_engine.board.server.room import Room
from gtp_engine.board.server.socket import FIRST_MESSAGE, PROBE, SILENCE, WORK
from gtp_engine.board.server.token_limits import MOST_WAITING
from support.pages import FakeDesk, Visitor, serving
from support.waiting import TurnedClock, until, waiting_for

MOST_PAGES = page_messages.MOST_PAGES["host"]
MOST_AT_ONCE = page_messages.MOST_AT_ONCE["host"]


def test_a_page_says_hello_and_is_told_everything():
    async def heard():
        async with serving() as (server, _):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            return page.heard

    assert [each["kind"] for each in asyncio.run(heard())] == ["hello", "nodes", "state"]


def test_two_pages_see_the_same_game():
    async def heard():
        async with serving() as (server, room):
            pages = [await Visitor.enter(server.address) for _ in range(2)]
            for page in pages:
                await page.hear("state")
            await pages[0].send("step", rev=0, word="C4")
            await pages[1].send("step", rev=0, word="D4")
            for page in pages:
                while (await page.hear("state"))["rev"] < 2:
                    pass
            late = await Visitor.enter(server.address)
            assert (await late.hear("state"))["rev"] == 2
            return [page.heard for page in pages], room._desk.asked

    (first, second), asked = asyncio.run(heard())
    assert first == second
    assert sorted(each["word"] for each in asked) == ["C4", "D4"]


def test_a_page_that_comes_back_is_up_to_date():
    async def seen():
        async with serving() as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            page.leave()
            await page.ended()
            room._desk.rev = 17
            room._desk.say(kind="state", rev=17)
            again = await Visitor.enter(server.address)
            return await again.hear("state")

    assert asyncio.run(seen())["rev"] == 17


def test_answers_are_for_the_asker_and_refusals_are_sentences():
    async def heard():
        async with serving() as (server, _):
            asker, other = [await Visitor.enter(server.address) for _ in range(2)]
            await asker.send("rules")
            await asker.hear("rules")
            await asker.send("undo")
            refused = await asker.hear("told")
            await asker.send("review", visits=None)
            failed = await asker.hear("told")
            await asker.send("step", rev=0, word="C4")
            await other.hear("state")
            while (await other.hear("state"))["rev"] < 1:
                pass
            return refused, failed, other.heard

    refused, failed, others = asyncio.run(heard())
    assert refused == {"kind": "told", "level": "error", "text": "Nothing was played."}
    assert failed["text"] == "Internal error of the server: ZeroDivisionError."
    assert {each["kind"] for each in others} == {"hello", "nodes", "state"}


@pytest.mark.parametrize(
    "text, reason",
    [
        ('{"kind":"quit"}', "unknown kind"),
        ('{"kind":"undo","x":1}', 'undo: there is no key "x"; there are kind'),
        ('{"kind":"goto","node":"1"}', 'goto, node: expected integer 0..9007199254740991, got "1"'),
        ("nonsense", "not JSON: expecting value at column 1"),
        (b'{"kind":"undo"}', "not a text"),
        (
            json.dumps({"kind": "resign", "color": "\N{EURO SIGN}" * 99}),
            'resign, color: expected black|white, got "' + "\\u20ac" * 9 + "\\u20a...",
        ),
        (json.dumps({"kind": "undo", "x": "x" * 2**16}), "too large"),
        ("[" * 2**19, "brackets are nested too deeply"),
    ],
)
def test_what_no_page_sends_ends_the_socket(text, reason):
    async def end():
        async with serving() as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await page.socket.write_message(text, binary=isinstance(text, bytes))
            await page.send("step", rev=0, word="C4")
            ended = await page.ended()
            return ended, room._desk.asked, len(room.pages)

    assert asyncio.run(end()) == ((1008, reason), [], 0)


def test_a_message_above_all_bounds_is_not_even_read():
    async def end():
        async with serving() as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await page.socket.write_message("x" * (LARGEST_GAME + 1))
            code, _ = await page.ended()
            return code, len(room.pages)

    code, left = asyncio.run(end())
    assert code in (1009, None)  # the end may overtake its reason
    assert left == 0


def test_a_flood_ends_the_socket(monkeypatch):
    # A slow machine is no slower flood.
    monkeypatch.setitem(page_messages.RATE, "host", (0.0, 100.0))

    async def end():
        async with serving() as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            with suppress(WebSocketClosedError):  # the end may come before the last message
                for _ in range(500):
                    await page.send("interrupt")
            ended = await page.ended()
            return ended, len(room._desk.asked)

    ended, asked = asyncio.run(end())
    assert ended == (1008, "too many messages")
    assert 90 <= asked <= 100


def test_nothing_goes_before_hello():
    clock = TurnedClock()

    async def ends():
        async with serving(later=clock.later) as (server, room):
            eager, silent = [await Visitor.enter(server.address, hello=False) for _ in range(2)]
            greeted = await Visitor.enter(server.address)
            await greeted.hear("state")
            await eager.send("step", rev=0, word="C4")
            ends = [await eager.ended()]
            clock.turn(FIRST_MESSAGE)
            room._desk.say(kind="told", text="still here")
            ends.append(await silent.ended())
            await greeted.hear("told")
            return ends, eager.heard, silent.heard

    assert asyncio.run(ends()) == ([(1008, "no hello"), (1008, "no hello in time")], [], [])


def test_so_many_pages_and_no_more():
    async def ends():
        async with serving() as (server, room):
            pages = [await Visitor.enter(server.address) for _ in range(MOST_PAGES)]
            for page in pages:
                await page.hear("state")
            surplus = await (await Visitor.enter(server.address)).ended()
            pages[0].leave()
            await pages[0].ended()
            await until(lambda: len(room.pages) < MOST_PAGES)
            again = await Visitor.enter(server.address)
            return surplus, (await again.hear("state"))["kind"]

    assert asyncio.run(ends()) == ((1013, "too many pages"), "state")


def test_sockets_that_never_say_hello_are_few():
    async def ends():
        async with serving() as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            silent = [await Visitor.enter(server.address, hello=False) for _ in range(MOST_WAITING)]
            late = await Visitor.enter(server.address)
            first = await silent[0].ended()
            await late.hear("state")
            await silent[1].send("hello")
            await silent[1].hear("state")
            return first, len(room.pages)

    assert asyncio.run(ends()) == ((1013, "too many pages"), 3)


def test_ended_sockets_that_stay_are_few():
    """What no page sends ends a socket; a browser that does not agree keeps its connection."""

    async def ended():
        async with serving() as (server, _):
            raws = [await stopped_reader(server, b"x") for _ in range(MOST_WAITING + 1)]
            loop = asyncio.get_running_loop()
            async with waiting_for("the end of the first socket"):
                while await loop.sock_recv(raws[0], 2**16):
                    pass
            for raw in raws:
                raw.close()

    asyncio.run(ended())


def test_who_comes_and_goes_all_the_time_must_wait(monkeypatch):
    """Each hello tells the whole game."""
    monkeypatch.setitem(page_messages.RATE_OF_HELLO, "host", (0.0, 3.0))

    async def ends():
        async with serving() as (server, room):
            for _ in range(3):
                page = await Visitor.enter(server.address)
                await page.hear("state")
                page.leave()
                await until(lambda: not room.pages)
            return await (await Visitor.enter(server.address)).ended()

    assert asyncio.run(ends()) == (1013, "too many pages")


def test_connections_leave_descriptors_to_engines_and_the_journal(monkeypatch):
    monkeypatch.setattr(connections, "most_descriptors", lambda: connections.KEPT + 20)

    async def left():
        async with serving() as (server, room):
            pages = [await Visitor.enter(server.address) for _ in range(4)]
            for page in pages:
                await page.hear("state")
            strangers = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(40)]
            ends = [asyncio.create_task(reader.read()) for reader, _ in strangers]
            await asyncio.wait(ends[: 40 - 16])  # the oldest have made way
            await asyncio.sleep(0)
            stay = sum(not end.done() for end in ends)
            room._desk.say(kind="told", text="still here")
            for page in pages:
                await page.hear("told")
            for _, writer in strangers:
                writer.close()
            await asyncio.wait(ends)
            return stay

    assert asyncio.run(left()) == 16


def test_connections_that_have_ended_are_not_kept(monkeypatch):
    monkeypatch.setattr(connections, "MOST_STRANGERS", 4)
    opened = {}
    made = connections.BoundedServer.initialize
    monkeypatch.setattr(
        connections.BoundedServer,
        "initialize",
        lambda self, *args, **given: made(self, *args, **given | {"opened": opened}),
    )

    async def come_and_go():
        async with serving() as (server, _):
            for _ in range(40):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                writer.write(b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n")
                await reader.read()
                writer.close()

    asyncio.run(come_and_go())
    assert 0 < len(opened) <= 8


def test_records_of_one_token_are_made_one_after_the_other():
    async def asked():
        async with serving() as (server, room):
            desk = room._desk
            desk.hold.clear()
            pages = [await Visitor.enter(server.address) for _ in range(2)]
            for page in pages:
                await page.hear("state")
            await pages[0].send("save", form="plain")
            await until(lambda: desk.roles)
            await pages[1].send("save", form="plain")
            await pages[1].send("rules")
            await until(lambda: len(desk.roles) == 2)
            desk.hold.set()
            await until(lambda: len(desk.asked) == 3)
            return [each["kind"] for each in desk.asked]

    *together, last = asyncio.run(asked())
    assert (set(together), last) == ({"save", "rules"}, "save")


def test_frames_go_to_visible_pages_and_the_desk_knows_whether_there_is_one():
    async def heard():
        async with serving() as (server, room):
            pages = [await Visitor.enter(server.address) for _ in range(2)]
            for page in pages:
                await page.hear("state")
            await pages[1].send("visible", on=False)
            await until(lambda: not all(page.visible for page in room.pages))
            room._desk.say(kind="frame", rev=1)
            room._desk.say(kind="told", text="end")
            for page in pages:
                await page.hear("told")
            await pages[0].send("visible", on=False)
            await until(lambda: len(room._desk.looks) == 2)
            await pages[1].send("visible", on=True)
            await until(lambda: len(room._desk.looks) == 3)
            pages[1].leave()
            await until(lambda: len(room._desk.looks) == 4)
            return [[each["kind"] for each in page.heard[3:]] for page in pages], room._desk.looks

    kinds, looks = asyncio.run(heard())
    assert kinds == [["frame", "told"], ["told"]]
    assert looks == [True, False, True, False]


def test_a_room_may_close_before_the_desk_knows_who_looks(recwarn):
    class Page:
        visible, listens = True, False
        admits = Pass(HOST)

        def send(self, letter):
            pass

    async def closed():
        room = Room(FakeDesk(), MAIN)
        room.enter(Page())
        await room.close()

    asyncio.run(closed())
    gc.collect()
    assert not [each for each in recwarn if "set_visible" in str(each.message)]


def test_hello_is_said_again_when_an_engine_comes_or_goes():
    async def heard():
        async with serving() as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            room._desk.say(kind="state", rev=0)
            room._desk.engines[0] = {"name": "A", "running": False}
            room._desk.say(kind="state", rev=0, engines=[*room._desk.engines])
            return await page.hear("hello")

    assert asyncio.run(heard())["engines"] == [{"name": "A", "running": False}]


def test_what_takes_long_keeps_nobody_waiting_and_steps_keep_their_order():
    async def asked():
        async with serving() as (server, room):
            desk = room._desk
            desk.hold.clear()
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await page.send("hint")
            for word in ("SLOW", "B1", "C1"):
                await page.send("step", rev=0, word=word)
            (served,) = room.pages
            await until(lambda: len(served._tasks) == 4)
            assert desk.asked == []
            desk.slow.release()
            while (await page.hear("state"))["rev"] < 3:
                pass
            desk.hold.set()
            await page.send("undo")
            await page.hear("told")
            return [each.get("word", each["kind"]) for each in desk.asked]

    assert asyncio.run(asked()) == ["SLOW", "B1", "C1", "hint", "undo"]


async def stopped_reader(server, text=b'{"kind":"hello"}'):
    """A page that says hello, or another text, and reads nothing any more; its raw connection."""
    raw = plain_socket.socket()
    raw.setsockopt(plain_socket.SOL_SOCKET, plain_socket.SO_RCVBUF, 2**16)
    raw.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(raw, ("127.0.0.1", server.port))
    where = f"127.0.0.1:{server.port}"
    lines = (
        f"GET /{server.token}/socket HTTP/1.1",
        f"Host: {where}",
        f"Origin: http://{where}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "\r\n",
    )
    await loop.sock_sendall(raw, "\r\n".join(lines).encode())
    await loop.sock_sendall(raw, struct.pack("BB4s", 0x81, 0x80 | len(text), b"\0\0\0\0") + text)
    return raw


def test_a_page_that_stops_reading_does_not_make_the_server_grow():
    """It is sent 40 MB; a page beside it hears all the while."""

    async def grown():
        async with serving() as (server, room):
            raw = await stopped_reader(server)
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await until(lambda: len(room.pages) == 2)
            stuck = room.pages[0]
            waiting = []
            for number in range(40):
                room._desk.say(kind="nodes", text="x" * 2**20)
                room._desk.say(kind="state", rev=number)
                while (await page.hear("state"))["rev"] < number:
                    pass
                page.heard.clear()
                stream = stuck.ws_connection.stream
                waiting.append(stuck._outbox.size + len(stream._write_buffer))
            raw.close()
            room._desk.say(kind="state", rev=500)  # whoever writes learns that nobody reads
            await until(lambda: len(room.pages) == 1)
            return waiting

    assert max(asyncio.run(grown())) < 2**23 + 2**21


def test_pages_that_never_answer_keep_nobody_out():
    clock = TurnedClock()

    async def seen():
        async with serving(later=clock.later) as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            dead = [await stopped_reader(server) for _ in range(MOST_PAGES - 1)]
            await until(lambda: len(room.pages) == MOST_PAGES)
            living = room.pages[0]
            other = await Visitor.enter(server.address)
            await until(lambda: room.pages[-1]._pings and not living._pings, "the answer to a ping")
            clock.turn(PROBE)
            await other.hear("state")
            left = len(room.pages)
            room._desk.say(kind="told", text="still here")
            await page.hear("told")
            for raw in dead:
                raw.close()
            return left

    assert asyncio.run(seen()) == 2


def test_a_page_that_floods_takes_turns_with_others():
    async def asked():
        async with serving() as (server, room):
            flooding, other = [await Visitor.enter(server.address) for _ in range(2)]
            for page in (flooding, other):
                await page.hear("state")
            for _ in range(MOST_AT_ONCE):
                await flooding.send("step", rev=0, word="SLOW")
            first, second = room.pages
            await until(lambda: len(first._tasks) == MOST_AT_ONCE)
            await other.send("step", rev=0, word="C4")
            await until(lambda: second._tasks)
            room._desk.slow.release()
            await until(lambda: len(room._desk.asked) == 2)
            return [each["word"] for each in room._desk.asked]

    assert asyncio.run(asked()) == ["SLOW", "C4"]


def test_a_page_behind_gets_the_newest_state():
    async def last():
        async with serving() as (server, room):
            raw = await stopped_reader(server)
            await until(lambda: room.pages)
            for number in range(30):
                room._desk.say(kind="nodes", text="x" * 2**20)
                room._desk.rev = number
                room._desk.say(kind="state", rev=number)
                await asyncio.sleep(0)
            found = b""
            while b'"rev":29' not in found:
                found += await asyncio.get_running_loop().sock_recv(raw, 2**20)
            raw.close()
            return len(found)

    # What was under way, the outbox, and then all of it anew: not the thirty megabytes.
    assert asyncio.run(last()) < 2**23 + 2**22


def test_rubbish_instead_of_frames_ends_one_socket_and_no_other():
    async def heard():
        async with serving(FakeDesk()) as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            for rubbish in (b"\xff" * 100, b"\x81\xfe", bytes(1000), b"\x01\x85xxxx" * 50):
                raw = await stopped_reader(server)
                await asyncio.get_running_loop().sock_sendall(raw, rubbish)
                raw.close()
            await page.send("step", rev=0, word="C4")
            while (await page.hear("state"))["rev"] < 1:
                pass
            await until(lambda: len(room.pages) == 1)
            return True

    assert asyncio.run(heard())


def test_the_server_knows_which_visible_pages_hear_it():
    """One that beats falls silent; one that never beats, or is hidden, does not."""

    async def heard():
        clock = TurnedClock()
        async with serving(later=clock.later) as (server, room):
            pages = [await Visitor.enter(server.address) for _ in range(3)]
            for page in pages:
                await page.hear("state")
            beating, script, hidden = room.pages
            for page in (pages[0], pages[2]):
                await page.send("alive")
                assert await page.hear("alive") == {"kind": "alive"}
            await pages[2].send("visible", on=False)
            await until(lambda: not hidden.visible)
            clock.turn(SILENCE - 0.1)
            before = beating.hears
            clock.turn(0.2)
            silent = [page.hears for page in (beating, script, hidden)]
            await pages[0].send("rules")
            await pages[0].hear("rules")
            return before, silent, beating.hears

    assert asyncio.run(heard()) == (True, [False, True, True], True)


def test_a_page_whose_message_takes_long_hears_the_server():
    """Its own heartbeats are read only afterwards; it must not take the server for dead."""

    async def heard():
        clock, asked, furnished = TurnedClock(), asyncio.Event(), asyncio.Event()

        async def furnish(key):
            asked.set()
            await furnished.wait()
            return FakeDesk()

        async with serving(furnish=furnish, later=clock.later) as (server, room):
            page = await Visitor.enter(server.address)
            await page.hear("state")
            await page.send("alive")
            await page.hear("alive")
            (there,) = room.pages
            await page.send("enter", table=None)
            await asked.wait()
            for _ in range(round(2 * SILENCE)):
                clock.turn(WORK)
                await page.hear("alive")
            in_time = there.hears
            furnished.set()
            await page.hear("state")
            clock.turn(SILENCE + 0.1)
            return in_time, there.hears

    assert asyncio.run(heard()) == (True, False)
