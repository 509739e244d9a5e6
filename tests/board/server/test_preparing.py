"""While the kernel is compiled the pages show how far that is, and then that it has ended."""

import asyncio
import fcntl
import json

import pytest

from gtp_engine.base import kernel_build
from gtp_engine.board.server.play_desk import _LOOK, PlayDesk
from support.waiting import TurnedClock, until


class Table:
    """As much of a table as the desk asks for here."""

    mistakes = guesses = reading = None
    renewed = 0

    def nodes(self):
        return {"kind": "nodes"}

    def state(self):
        return {"kind": "state", "seats": dict.fromkeys(("black", "white"), {"kind": "human"})}

    def console_tail(self):
        return []

    def listen(self, listener):
        return lambda: None

    async def renew_analysis(self):
        self.renewed += 1


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a kernel, where nothing is compiled yet."""
    monkeypatch.setattr(kernel_build, "_FOLDER", tmp_path)
    return tmp_path


def write_progress(folder, done, total, seconds):
    step = {"done": done, "total": total, "seconds": seconds}
    (folder / "progress").write_text(json.dumps(step))


async def followed(folder, end):
    """What a page hears of a compilation that makes two steps and then ends; and the table."""
    table, heard, clock = Table(), [], TurnedClock()
    desk = PlayDesk(table, "title")
    stop = desk.listen(heard.append)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        write_progress(folder, 0, 0, None)
        following = asyncio.create_task(desk._follow_kernel(clock.pause))
        await until(lambda: len(heard) == 1)
        clock.turn(_LOOK)  # nothing has changed
        write_progress(folder, 3, 8, 42)
        clock.turn(_LOOK)
        await until(lambda: len(heard) == 2)
        assert desk.anew()[-1] == heard[-1]
        end(folder)
    clock.turn(_LOOK)
    await following
    stop()
    assert [each["kind"] for each in desk.anew()] == ["nodes", "state"]
    return heard, table


def test_the_pages_follow_a_compilation(folder):
    heard, table = asyncio.run(followed(folder, lambda folder: (folder / "progress").unlink()))
    first, second, last = heard
    assert (first["share"], first["over"]) == (None, False)
    assert first["text"] == (
        "The engine is being prepared, one to five minutes left. Until then it plays weakly."
    )
    assert (second["share"], second["over"]) == (0.375, False)
    assert "about 40 seconds left" in second["text"]
    assert last == {"kind": "kernel", "share": None, "over": True, "text": None}
    assert table.renewed == 1


def test_the_pages_are_told_why_there_is_no_kernel(folder):
    def fail(folder):
        (folder / "failed").write_text('{"why": "no working C++ compiler found"}')

    heard, _ = asyncio.run(followed(folder, fail))
    assert heard[-1]["over"]
    assert heard[-1]["text"] == "The engine plays weakly here: no working C++ compiler found."


def test_without_a_compilation_nothing_is_said(folder):
    table, heard = Table(), []
    desk = PlayDesk(table, "title")
    desk.listen(heard.append)
    asyncio.run(desk._follow_kernel())
    assert (heard, table.renewed) == ([], 0)
