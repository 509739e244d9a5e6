"""The board without a server, beside its page: the copy of its journal, the first messages."""

import asyncio
import json

import pytest

from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.cli.first_state import first_messages
from gtp_engine.cli.hosted_board import Copy
from support.waiting import until


class Browser:
    """A browser that copies a file when a test lets it; `refuses` says why it does not."""

    def __init__(self) -> None:
        self.asked, self.copies, self.refuses = 0, 0, ""
        self.free = asyncio.Event()
        self.free.set()

    async def save(self) -> str:
        self.asked += 1
        await self.free.wait()
        self.copies += 1
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


def test_a_browser_without_room_is_told_at_the_next_change_until_there_is_room(tmp_path):
    async def write():
        browser = Browser()
        browser.refuses = "no room"
        journal = Copy(browser.save).opened(tmp_path / "j.db")
        await until(lambda: browser.copies == 1)
        browser.refuses = ""
        with pytest.raises(JournalFailed, match="no room"):
            journal.keep_note("a", "1")
        await until(lambda: browser.copies == 2)
        journal.keep_note("a", "2")
        assert journal.note("a") == "2"
        journal.close()

    asyncio.run(write())


def test_the_first_messages_of_a_board_are_always_the_same():
    first = first_messages()
    assert [json.loads(each)["kind"] for each in first] == ["hello", "samples", "nodes", "state"]
    assert first == first_messages()
