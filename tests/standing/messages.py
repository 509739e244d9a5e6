"""Sends the board's server messages of every kind, as tests/standing/board_fuzz.py makes them."""

import asyncio
import time
from pathlib import Path

from standing.board_fuzz import attack
from standing.findings import Findings

AT_ONCE = 5000
"""Messages to one server."""

GROWTH = 60.0
"""MiB by which a server may grow in its last three quarters, with sanitizers."""


def run(seconds: float, seed: int, folder: Path) -> Findings:
    """Attack one server after the other."""
    found, end = Findings("messages", folder), time.monotonic() + seconds

    def told(_: int, size: float) -> None:
        found.sizes["server"].append(size)

    while time.monotonic() < end:
        given = f"python tests standing.board_fuzz --messages {AT_ONCE} --seed {seed}\n".encode()
        try:
            report = asyncio.run(attack(AT_ONCE, seed, told))
        except (AssertionError, TimeoutError, OSError) as error:
            found.fault(f"{type(error).__name__}: {error}", given)
        else:
            found.tried["messages"] += report.sent
            found.tried["sockets"] += report.sockets
            found.look_at(report.stderr, given)
            for what in filter(None, (report.forbidden, report.stderr, " ".join(report.files))):
                found.fault(what, given)
            if report.grown > GROWTH:
                found.fault(f"the server has grown by {report.grown:.0f} MiB", given)
        seed += 1
    return found
