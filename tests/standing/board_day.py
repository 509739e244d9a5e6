"""A day at the board: many turns, of all games, while an analysis never ends.

Faults are: a turn that is not shown, an analysis that falls silent, growing memory, anything on
stderr, and a process that is left.
"""

import asyncio
import random
from pathlib import Path

from standing.at_a_board import at_a_board
from standing.board_hours import EVERY, played
from standing.findings import Findings

SERVER_GROWTH, ENGINES_GROWTH = 10.0, 60.0
"""MiB by which processes may grow from the second to the last quarter; trees fill up to 64 MiB."""

LONG_EVERY, LOOK = 100, 5.0
"""Turns between long looks at a position, and how many seconds these take."""


async def spend(turns: int, rng: random.Random, found: Findings) -> None:
    async with at_a_board(found, "--hash-mb", "64") as seat:
        reader = seat.reader
        await reader.page.send("analyse", on=True)
        async for turn in played(reader, turns, rng):
            found.tried["turns"] = turn
            if turn % EVERY == 0:
                seat.measure(found)
                await seat.frame(reader.frames)
            if turn % LONG_EVERY == 0:
                await asyncio.sleep(LOOK)
        found.tried["frames"] = reader.frames


def run(turns: float, seed: int, folder: Path) -> Findings:
    """Spend a day of so many turns."""
    found = Findings("board", folder)
    asyncio.run(spend(int(turns), random.Random(seed), found))
    found.bound("server", SERVER_GROWTH)
    found.bound("engines", ENGINES_GROWTH)
    return found
