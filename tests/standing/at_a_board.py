"""A page at a board of its own, whose processes are watched."""

import asyncio
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import psutil

from standing.board_games import Reader
from standing.findings import Findings
from support.pages import Visitor, started
from support.starting import engine_command
from support.waiting import PATIENCE


class Seat(NamedTuple):
    """A page, and the server that it is connected to."""

    reader: Reader
    server: psutil.Process

    def measure(self, found: Findings) -> None:
        """Look at the memory of the server, and of all its engines together."""
        found.measure(server=[self.server], engines=self.server.children(recursive=True))

    async def frame(self, seen: int) -> None:
        """Wait for more frames of the analysis; after the end of a game there is none."""
        reader = self.reader
        await reader.until(lambda state: reader.frames > seen or state["view"]["outcome"])


@asynccontextmanager
async def at_a_board(found: Findings, *options: str) -> AsyncIterator[Seat]:
    """Take a seat at a board whose engine has these options.

    What goes wrong, what the server writes on stderr, and processes that are left are faults.
    """
    async with started("--board", engine_command(*options)) as (process, address):
        errors = asyncio.create_task(process.stderr.read())
        server = psutil.Process(process.pid)
        reader = Reader(await Visitor.enter(address))
        try:
            await reader.until(lambda state: True)
            yield Seat(reader, server)
        except Exception:
            found.fault(traceback.format_exc(), str(found.tried).encode())
        reader.task.cancel()
        those = [server, *server.children(recursive=True)]
        process.terminate()
        await process.wait()
        if said := (await errors).decode():
            found.fault(f"stderr: {said[-3000:]}")
    _, left = psutil.wait_procs(those, PATIENCE)
    if left:
        found.fault(f"processes that are left: {left}")
