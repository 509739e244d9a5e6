"""Shared by the tools for game files: reading a game, writing a result."""

import sys
from collections.abc import Iterable
from pathlib import Path

from gtp_engine.base.files import CannotRead, check_apart, read_file, write_file
from gtp_engine.base.numbers import number_of
from gtp_engine.engine.record_loading import CannotLoad, replay
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import DEFAULTS, Settings
from gtp_engine.rules import games
from gtp_engine.rules.records.sgf import LARGEST_RECORD

STDOUT = "-"


def read_game(path: str, turn: int | None = None, settings: Settings = DEFAULTS) -> Session:
    """The game in a file, after `turn` turns if given.

    Raises ValueError, with a sentence for the user.
    """
    session = Session(games()[0], settings=settings)
    try:
        replay(session, read_file(path, LARGEST_RECORD), None if turn is None else turn + 1)
    except (CannotLoad, CannotRead) as error:
        raise ValueError(f"cannot load {path}: {error}") from None
    if turn is not None and len(session.turns()) < turn:
        raise ValueError(f"{path} has {number_of(len(session.turns()), 'turn')}, not {turn}")
    return session


def check_outputs(paths: Iterable[str | Path], read: Iterable[str | Path]) -> None:
    """See `check_apart`; `-` is stdout. Raises OSError."""
    check_apart([path for path in paths if path != STDOUT], read)


def write(content: bytes, path: str | Path) -> None:
    """Write to a file, a pipe or a device; `-` is stdout. Raises OSError."""
    if path == STDOUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        write_file(path, content, streams=True)
