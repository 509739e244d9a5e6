"""The held-out games. Learned evaluations are compared on them, and no training reads them.

A checkout has one file for each game, in `held_out/` beside this module; a wheel leaves them out.
Its payload (search/data_file.py) is compressed text with one game on each line, in the format of
self-play (selfplay.py). tests/documents/held_out.py plays these games.
"""

import gzip
from functools import cache
from pathlib import Path

from gtp_engine.learn.game_records import SelfplayGame, read_record
from gtp_engine.search.data_file import read_stored

KIND, VERSION = "held-out games", 1


def held_out_path(game: str) -> Path:
    """The path of a game's held-out games. The file may be missing."""
    return Path(__file__).parent / "held_out" / f"{game}.games"


@cache
def held_out_games(game: str) -> tuple[SelfplayGame, ...]:
    """The held-out games of a game; empty if no file ships. Raises UnusableFile."""
    path = held_out_path(game)
    return read_games(path) if path.exists() else ()


def read_games(path: Path) -> tuple[SelfplayGame, ...]:
    """The games of a file. Raises UnusableFile."""
    _, payload = read_stored(path, KIND, VERSION)
    found = (read_record(line) for line in gzip.decompress(payload).splitlines())
    return tuple(record for record in found if record is not None)
