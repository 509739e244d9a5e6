"""An engine's choice of a turn."""

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass, field

from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import Seat
from gtp_engine.board.table.variations import GameNode
from gtp_engine.gtp.wire.response import Response


@dataclass(eq=False)
class Thinking:
    """An engine's choice of a turn in progress.

    asked   -- the expected response, once requested
    dropped -- whether the response is no longer wanted
    hurried -- whether the engine must answer immediately when asked
    """

    node: GameNode
    color: str
    seat: Seat
    since: float = field(default_factory=time.monotonic)
    asked: asyncio.Future[Response] | None = None
    dropped: bool = False
    hurried: bool = False


def give_up(follower: Follower, asked: Awaitable[Response]) -> None:
    """End an engine that keeps searching for a discarded response."""
    if not asked.done():  # type: ignore[attr-defined]
        follower.kill()
