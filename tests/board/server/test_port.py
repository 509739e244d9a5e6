"""The page of a board to which nobody else can come. No engine is started here."""

import asyncio
import json

import pytest

from gtp_engine.board.server.invitations import Invitations
from gtp_engine.board.server.lobby import ABOUT_TABLES, MAIN, Lobby
from gtp_engine.board.server.port import PagePort
from gtp_engine.board.table.messages import CannotDo
from support.pages import FakeDesk
from support.waiting import until


class Alone:
    """A lobby with its one page, and what that was told; and its desks, by their tables."""

    def __init__(self) -> None:
        self.told: list[dict] = []
        self.desks = {MAIN: FakeDesk()}
        self.lobby = Lobby(self.desks[MAIN], Invitations({}, most=0), self._furnish)
        self.port = PagePort(self.lobby, lambda text: self.told.append(json.loads(text)))

    async def _furnish(self, key: str) -> FakeDesk:
        return self.desks.setdefault(key, FakeDesk())

    def say(self, kind: str, **fields) -> None:
        self.port.hear(json.dumps({"kind": kind, **fields}))

    async def hear(self, kind: str) -> dict:
        return await until(lambda: next((each for each in self.told if each["kind"] == kind), None))


def test_the_page_says_hello_and_is_told_what_it_may_send():
    async def talk():
        board = Alone()
        board.say("hello")
        hello = await board.hear("hello")
        assert (hello["table"], hello["role"]) == (MAIN, "host")
        assert not ABOUT_TABLES & set(hello["may_send"])
        assert {"step", "hint", "kept", "enter"} <= set(hello["may_send"])
        await board.hear("state")
        board.say("alive")
        await board.hear("alive")

    asyncio.run(talk())


def test_a_page_that_says_hello_again_is_still_one_page():
    async def talk():
        board = Alone()
        for _ in range(2):
            board.told.clear()
            board.say("hello")
            await board.hear("hello")
        assert len(board.lobby.pages) == 1

    asyncio.run(talk())


def test_it_goes_to_exercises_and_back_but_there_is_one_table_for_games():
    async def talk():
        board = Alone()
        board.say("hello")
        await board.hear("hello")
        board.told.clear()
        board.say("enter", table="exercise-1")
        assert (await board.hear("hello"))["table"] == "exercise-1"
        with pytest.raises(CannotDo, match="only one table"):
            await board.lobby.room(None)

    asyncio.run(talk())


def test_what_is_asked_right_before_another_table_is_answered_at_the_first_one():
    async def talk():
        board = Alone()
        board.say("hello")
        board.say("undo")
        for table in ("exercise-1", "exercise-2"):
            board.say("enter", table=table)
            board.say("undo")
        await until(lambda: [len(each.asked) for each in board.desks.values()] == [1, 1, 1])
        hellos = [each["table"] for each in board.told if each["kind"] == "hello"]
        assert hellos[-1] == "exercise-2"

    asyncio.run(talk())


def test_an_invitation_is_refused_and_so_is_what_no_page_sends():
    async def talk():
        board = Alone()
        board.say("hello")
        board.say("nonsense")
        board.say("invite", role="watch", base="http://a.b/")
        assert (await board.hear("told"))["text"] == "Nobody else can come to this board."

    asyncio.run(talk())
