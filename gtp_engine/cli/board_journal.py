"""The journal of `gtp-board`: where it is, and the address of the page that it remembers."""

import argparse
import json
import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.base.log import logger
from gtp_engine.base.platforms import data_folder
from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.cli.serving import listening

if TYPE_CHECKING:
    from gtp_engine.board.server.network import Network
    from gtp_engine.board.server.server import BoardServer

_NONE = "none"
# The names of notes.
_TOKEN, _PORT, _INVITED, _OPENED = "token", "port", "invitations", "network"  # noqa: S105


def add_journal_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the journal and for what it remembers."""
    parser.add_argument(
        "--journal",
        metavar="FILE",
        help="keep all games in this file; `none` keeps them only until the board ends (default: "
        "journal.db in the user's data folder)",
    )
    parser.add_argument(
        "--new-address",
        action="store_true",
        help="give the page another address; the one before is no longer valid",
    )


def open_journal(options: argparse.Namespace) -> Journal:
    """The journal; in memory if that in the user's data folder cannot be used, which is told.

    Raises JournalFailed for a file that the options name and that cannot be used.
    """
    if options.journal == _NONE:
        return Journal()
    if options.journal:
        return Journal(Path(options.journal))
    try:
        return Journal(data_folder() / "journal.db")
    except (JournalFailed, RuntimeError) as error:  # RuntimeError: there is no home
        trouble = f"{error}. Until it ends, this board keeps your games in memory only."
        print(trouble, file=sys.stderr)
        return Journal(trouble=trouble)


def left_tables(journal: Journal) -> list[str]:
    """The keys of the tables with a game that an earlier board has left."""
    try:
        return journal.tables()
    except JournalFailed:  # the table told it
        return []


def left_invitations(options: argparse.Namespace, journal: Journal) -> list[Message]:
    """The invitations that an earlier board has left, in the form of `Invitations.keep`.

    They end with the address of the page.
    """
    if options.new_address:
        return []
    try:
        kept = json.loads(journal.note(_INVITED) or "[]")
        return [each for each in kept if each.keys() == {"token", "role", "table", "base"}]
    except (JournalFailed, ValueError, AttributeError, TypeError):
        return []


def keep_invitations(journal: Journal, kept: list[Message]) -> None:
    """Note the invitations for a later board."""
    try:
        journal.keep_note(_INVITED, json.dumps(kept))
    except JournalFailed as error:
        logger().warning("{}. The invitations end with this board.", error)


def open_as_before(network: "Network", journal: Journal, invited: int) -> None:
    """Let guests come from the network, if an earlier board did and they are still invited.

    invited -- the number of invitations that were restored
    """
    network.keep = partial(_keep_opened, journal)
    try:
        address = journal.note(_OPENED)
    except JournalFailed:
        return
    if not address:
        return
    if not invited:
        network.keep("")
        return
    try:
        network.open_again(address)
    except CannotDo as error:
        print(error, file=sys.stderr)
    else:
        print(f"Your guests can reach {address} again.", file=sys.stderr)


def _keep_opened(journal: Journal, address: str) -> None:
    """Note at which address of the network the board listens; "" for none."""
    try:
        journal.keep_note(_OPENED, address)
    except JournalFailed as error:
        logger().warning("{}. The next board will not be open to your network.", error)


def listening_as_before(options: argparse.Namespace, journal: Journal) -> "BoardServer":
    """The server with the token and, if it is free, the port of earlier runs. Raises CannotDo."""
    token, port = _remembered(options, journal)
    server = listening(options, token, port)
    if options.port == 0 and (port == 0 or options.new_address):
        _keep(journal, _PORT, str(server.port))
    if server.token != token:
        _keep(journal, _TOKEN, server.token)
    return server


def _remembered(options: argparse.Namespace, journal: Journal) -> tuple[str | None, int]:
    """Token and port of earlier runs; None and 0 if there are none."""
    if options.new_address:
        return None, 0
    try:
        token, port = journal.note(_TOKEN), journal.note(_PORT)
    except JournalFailed:
        return None, 0
    known = re.fullmatch(r"[\w-]{43}", token, re.ASCII)
    return token if known else None, int(port) if re.fullmatch("[1-9][0-9]{3,4}", port) else 0


def _keep(journal: Journal, key: str, value: str) -> None:
    try:
        journal.keep_note(key, value)
    except JournalFailed as error:
        print(f"{error}. The address will change at the next start.", file=sys.stderr)
