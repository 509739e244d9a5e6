"""What a board without a server tells a page that has just come: for one that still loads."""

import asyncio
import json
import tempfile
from contextlib import closing
from pathlib import Path

from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.server.port import PagePort
from gtp_engine.board.table.engines import OUR_ENGINE
from gtp_engine.cli.hosted_board import opened

_PATIENCE = 60.0  # seconds for the engine of the board to answer

# In the order in which a page needs nothing twice: the start page asks for samples without any.
_KINDS = ("hello", "samples", "nodes", "state")


def first_messages() -> list[str]:
    """The messages in JSON, in their order. Raises EngineFault, CannotDo or TimeoutError."""
    return asyncio.run(_told())


async def _told() -> list[str]:
    told: dict[str, str] = {}
    complete = asyncio.Event()

    def hear(text: str) -> None:
        told[json.loads(text)["kind"]] = text
        if told.keys() >= set(_KINDS):
            complete.set()

    with (
        tempfile.TemporaryDirectory() as place,
        closing(Journal(Path(place, "journal.db"))) as journal,
    ):
        lobby = await opened(OUR_ENGINE, journal)
        port = PagePort(lobby, hear)
        for kind in ("hello", "samples"):
            port.hear(json.dumps({"kind": kind}))
        try:
            await asyncio.wait_for(complete.wait(), _PATIENCE)
        finally:
            port.close()
            await lobby.close()
    return [told[kind] for kind in _KINDS]
