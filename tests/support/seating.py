"""A table with engines, for tests: our engines are threads, and the clocks stand still."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from contextlib import nullcontext
from typing import Any

from gtp_engine.board.table.messages import Message
from gtp_engine.board.table.seat import PERSON, Seat
from gtp_engine.board.table.table import Table
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.dispatch import answer
from gtp_engine.rules import find_game
from support.engine_threads import engines_in_threads
from support.waiting import TurnedClock, TurnedLoop, waiting_for

OURS = [sys.executable, "-I", "-m", "gtp_engine"]
Scene = Callable[["Guest"], Coroutine[Any, Any, None]]


def steps_of(view: dict) -> list[str]:
    """All steps that a view offers."""
    found, waiting = [], list(view["options"])
    while waiting:
        option = waiting.pop()
        waiting += option.get("then", [])
        found += [option["step"]] if "step" in option else []
    return found + [button["step"] for button in view["buttons"]]


class Guest:
    """Somebody at a table, who remembers what was said, and turns the clock of the table."""

    def __init__(self, table: Table, clock: TurnedClock) -> None:
        self.table, self.clock = table, clock
        self.heard: list[Message] = []
        self._news = asyncio.Event()
        table.listen(self._hear)

    def _hear(self, message: Message) -> None:
        self.heard.append(message)
        self._news.set()

    @property
    def state(self) -> Message:
        return self.table.state()

    def kinds(self, kind: str) -> list[Message]:
        return [message for message in self.heard if message["kind"] == kind]

    def told(self) -> list[str]:
        return [message["text"] for message in self.kinds("told")]

    async def until(self, true: Callable[[], Any]) -> None:
        """Wait for something to be so; looked at whenever a message comes."""
        async with waiting_for("what is so after a message"):
            while not true():
                self._news.clear()
                await self._news.wait()

    async def hears(self, words: str) -> str:
        """Wait for a sentence that holds some words."""
        await self.until(lambda: any(words in text for text in self.told()))
        return next(text for text in self.told() if words in text)

    async def plays(self, *words: str) -> None:
        """Play words that are legal."""
        for word in words:
            assert await self.table.step(self.table.rev, word) is None, word

    async def new(
        self,
        game: str,
        size: int,
        pie: str = "off",
        black: Seat = PERSON,
        white: Seat = PERSON,
    ) -> None:
        await self.table.new_game(game, size, pie, black, white)

    def line(self) -> list[str]:
        """The words from the start to the node that is shown."""
        found = {node["id"]: node for node in self.table.nodes()["set"]}
        words, node = [], found[self.state["node"]]
        while node["parent"] is not None:
            words.append(node["word"])
            node = found[node["parent"]]
        return words[::-1]


def at_table(
    scene: Scene, game: str = "implo", size: int = 5, *, processes: bool = False, **engines: Any
) -> None:
    """Play a scene at a table with a new game between two people, in a TurnedLoop.

    processes -- our engines are processes, as everywhere but in tests
    engines   -- Launch by name; `board` and `analyst` are ours if they are not given
    """

    async def run() -> None:
        board, analyst = engines.pop("board", None), engines.pop("analyst", None)
        clock = TurnedClock()
        table = Table(engines, board=board, analyst=analyst, now=clock)
        guest = Guest(table, clock)
        try:
            await table.start(game, size)
            await guest.new(game, size)
            await scene(guest)
        finally:
            await table.close()

    starts = nullcontext() if processes else engines_in_threads()
    with starts, asyncio.Runner(loop_factory=TurnedLoop) as runner:
        runner.run(run())


def direct_view(game: str, size: int, pie: str, plays: list[tuple[str, str]]) -> dict:
    """The view of a session in this process after some plays; its number of changes left out."""
    session = Session(find_game(game), size)
    lines = [f"game-pie {pie}", f"game-select {game} {size}"]
    for line in [*lines, *(f"play {color} {word}" for color, word in plays)]:
        assert answer(registry(), session, line).response.success, line
    return without_rev(json.loads(answer(registry(), session, "game-view").response.text))


def without_rev(view: dict) -> dict:
    return {key: value for key, value in view.items() if key != "rev"}


def path_of(guest: Guest) -> list[tuple[str, str]]:
    found = {node["id"]: node for node in guest.table.nodes()["set"]}
    plays, node = [], found[guest.state["node"]]
    while node["parent"] is not None:
        plays.append((node["color"], node["word"]))
        node = found[node["parent"]]
    return plays[::-1]
