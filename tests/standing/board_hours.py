"""A long evening at the board: many turns, and hours of analysis, without the waiting.

`python tests standing.board_hours --turns 2000 --frames 36000` plays that many turns, in all kinds
of games, while an analysis runs. It then sends an hour of analysis frames as fast as possible. It
reports the growth of the server for each turn and each frame: the slope of its memory over the last
three quarters of each, by least squares.
"""

import argparse
import asyncio
import random
from collections.abc import AsyncIterator
from statistics import linear_regression
from typing import NamedTuple

import psutil

from standing.board_games import PEOPLE, Reader, leaves_of
from support.pages import Visitor, started
from support.starting import ENGINES, python_command

EVERY = 10
"""Turns, or hundreds of frames, between two looks at the memory."""


class Growth(NamedTuple):
    """Bytes that a server takes more, and MiB that it has in the end."""

    turn: float
    frame: float
    size: float

    def __str__(self) -> str:
        return (
            f"{self.turn:+.0f} bytes a turn, {self.frame:+.2f} bytes a frame, "
            f"{self.size:.1f} MiB in the end"
        )


def slope(sizes: list[tuple[float, float]]) -> float:
    """How steeply sizes rise, without the first quarter."""
    counts, found = zip(*sizes[len(sizes) // 4 :])
    return linear_regression(counts, found).slope


async def played(reader: Reader, turns: int, rng: random.Random) -> AsyncIterator[int]:
    """Play so many turns, in all kinds of games; the number of each."""
    games, turn = reader.hello["catalog"]["games"], 0
    while turn < turns:
        game = games[turn % len(games)]
        rev = reader.state["rev"]
        await reader.page.send("new", game=game["name"], size=7, pie="off", **PEOPLE)
        state = await reader.changed(rev)
        while (words := [*leaves_of(state["view"]["options"])]) and turn < turns:
            await reader.page.send("step", rev=state["rev"], word=rng.choice(words))
            state = await reader.changed(state["rev"])
            turn += 1
            yield turn
            await asyncio.sleep(0.02)  # fifty messages a second, and no more


async def spend(turns: int, frames: int, seed: int = 1) -> Growth:
    """Spend the evening."""
    rng = random.Random(seed)
    command = python_command(ENGINES / "chatty.py", "1000")
    async with started("--board", command) as (process, address):
        memory = psutil.Process(process.pid).memory_info
        reader = Reader(await Visitor.enter(address))
        await reader.until(lambda state: True)
        await reader.page.send("analyse", on=True)
        sizes = [
            (turn, memory().rss) async for turn in played(reader, turns, rng) if turn % EVERY == 0
        ]
        streamed, before = [], reader.frames
        while (count := reader.frames - before) < frames:
            await asyncio.sleep(frames / 1e5)
            streamed.append((count, memory().rss))
        reader.task.cancel()
        return Growth(slope(sizes), slope(streamed), memory().rss / 2**20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=2000)
    parser.add_argument("--frames", type=int, default=36_000)
    options = parser.parse_args()
    print(asyncio.run(spend(options.turns, options.frames)))


if __name__ == "__main__":
    main()
