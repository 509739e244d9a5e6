"""The board without a server, beside its page: the copy of its journal, the first messages."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager

from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.server.invitations import Invitations
from gtp_engine.board.server.lobby import Lobby
from gtp_engine.cli.first_state import first_messages
from gtp_engine.cli.hosted_board import Copy, Port
from support.pages import FakeDesk
from support.waiting import TurnedLoop, turn_loop, turned_until, until


class Browser:
    """A browser that copies a file when a test lets it, and as long as it takes.

    refuses -- why it does not
    throws  -- what it raises instead
    """

    def __init__(self) -> None:
        self.asked, self.copies, self.refuses, self.takes = 0, 0, "", 0.0
        self.throws: Exception | None = None
        self.free = asyncio.Event()
        self.free.set()

    async def save(self) -> str:
        self.asked += 1
        await self.free.wait()
        await asyncio.sleep(self.takes)
        self.copies += 1
        if self.throws is not None:
            raise self.throws
        return self.refuses


def test_each_change_is_copied_soon_and_changes_of_one_moment_once(tmp_path):
    async def write():
        browser = Browser()
        journal = Copy(browser.save).opened(tmp_path / "j.db")
        await until(lambda: browser.copies == 1)
        browser.free.clear()
        for number in range(5):
            journal.keep_note("a", str(number))
        await until(lambda: browser.asked == 2)
        journal.keep_note("a", "last")
        browser.free.set()
        await until(lambda: browser.copies == 3)
        assert (tmp_path / "j.db-wal").stat().st_size == 0
        journal.close()

    asyncio.run(write())


REFUSED = ["no room", ""]


@contextmanager
def refusing(tmp_path) -> Iterator[tuple[Browser, Journal, list[str]]]:
    """A browser that has refused a copy, the journal, and what is told of the faults."""
    browser, told = Browser(), []
    browser.refuses = "no room"
    copy = Copy(browser.save)
    copy.tell = told.append
    journal = copy.opened(tmp_path / "j.db")
    yield browser, journal, told
    journal.close()


async def turn(seconds: float) -> None:
    """Turn the loop, and once more by what a change has to wait for its copy."""
    for step in (seconds, 0.1):
        turn_loop(step)
        for _ in range(20):
            await asyncio.sleep(0)


def test_what_the_browser_refuses_is_tried_again_without_another_change(tmp_path):
    async def write():
        with refusing(tmp_path) as (browser, _, told):
            await turn(0)
            for copies, pause in enumerate((10, 20, 40, 80, 160, 300, 300), 1):
                assert browser.copies == copies
                await turn(0.8 * pause)
                assert browser.copies == copies
                await turn(0.2 * pause)
            assert told == ["no room"]
            browser.refuses = ""
            await turn(301)
            assert told == REFUSED
            await turn(1000)
            assert browser.copies == browser.asked == 9

    with asyncio.Runner(loop_factory=TurnedLoop) as runner:
        runner.run(write())


def test_changes_are_taken_while_the_browser_refuses_and_are_tried_at_once(tmp_path):
    async def write():
        with refusing(tmp_path) as (browser, journal, told):
            for copies in range(1, 5):
                await until(lambda n=copies: browser.copies == n)
                journal.keep_note("a", str(copies))
            browser.refuses = ""
            await until(lambda: told == REFUSED)
            assert (tmp_path / "j.db-wal").stat().st_size == 0
            assert journal.note("a") == "4"

    asyncio.run(write())


def test_a_browser_that_throws_something_has_refused(tmp_path):
    async def write():
        with refusing(tmp_path) as (browser, journal, told):
            browser.throws = OSError("the database is gone")
            await until(lambda: told == ["the browser says: the database is gone"])
            browser.throws, browser.refuses = None, ""
            journal.keep_note("a", "1")
            await until(lambda: told[1:] == [""])

    asyncio.run(write())


def test_a_copy_that_takes_long_leaves_time_for_the_rest(tmp_path):
    """A running clock changes the journal all the time."""

    async def write():
        browser, loop = Browser(), asyncio.get_running_loop()
        browser.takes = 0.1
        journal = Copy(browser.save).opened(tmp_path / "j.db")
        began = loop.time()
        while loop.time() - began < 60:
            journal.keep_note("a", str(loop.time()))
            turn_loop(0.05)
            for _ in range(5):
                await asyncio.sleep(0)
        assert 60 / 1.1 / 2 < browser.copies < 60 / 1.1 + 2
        copies, browser.takes = browser.copies, 100
        await turned_until(lambda: browser.copies == copies + 1)
        browser.takes, began = 0, loop.time()
        journal.keep_note("a", "last")
        await turned_until(lambda: browser.copies == copies + 2)
        assert loop.time() - began < 10

    with asyncio.Runner(loop_factory=TurnedLoop) as runner:
        runner.run(write())


def test_the_page_is_told_when_a_copy_fails_and_when_it_works_again():
    async def talk():
        heard, copy = [], Copy(Browser().save)
        lobby = Lobby(FakeDesk(), Invitations({}, most=0))
        port = Port(lobby, lambda text: heard.append(json.loads(text)), copy, lambda: None)

        async def sentences(count: int) -> list[tuple[str, str]]:
            def told() -> list[tuple[str, str]]:
                return [(each["level"], each["text"]) for each in heard if each["kind"] == "told"]

            return await until(lambda: len(told()) == count and told())

        copy.fault = "no room"
        copy.tell("no room")
        port.hear('{"kind": "hello"}')
        fails = ("error", "Your games are not kept now: no room.")
        assert await sentences(1) == [fails]
        assert heard[0]["kind"] == "hello"
        copy.fault = ""
        copy.tell("")
        works = ("info", "Your games are kept again.")
        assert await sentences(2) == [fails, works]
        copy.tell("no room")
        assert await sentences(3) == [fails, works, fails]
        port.close()

    asyncio.run(talk())


def test_the_first_messages_of_a_board_are_always_the_same():
    first = first_messages()
    assert [json.loads(each)["kind"] for each in first] == ["hello", "samples", "nodes", "state"]
    assert first == first_messages()
