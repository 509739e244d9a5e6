"""The adaptive level of all tables, which goes on where an earlier board left it."""

import json
from contextlib import suppress

from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.table.adaptive import Adaptive
from gtp_engine.board.table.table import Table

_KEY = "adaptive"


def keep_adaptive(table: Table, journal: Journal) -> None:
    """Set the adaptive level, and note it whenever it changes at any table that shares it.

    table -- the first one, which was started

    A journal that fails keeps nothing; its keeper tells the people.
    """
    with suppress(JournalFailed, ValueError):
        match json.loads(journal.note(_KEY) or "null"):
            case [int(level), bool(climbing)] if table.adaptive.knows(level):
                table.adaptive.state = Adaptive(level, climbing)
    noted = table.adaptive.state

    def hear() -> None:
        nonlocal noted
        if table.adaptive.state != noted:
            noted = table.adaptive.state
            with suppress(JournalFailed):
                journal.keep_note(_KEY, json.dumps(noted))

    table.adaptive.shared_level.listen(hear)
