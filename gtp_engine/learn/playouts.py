"""Random games (playouts) from the positions of self-play, kept from one fit to the next.

A fit learns from the games of several generations, and the playouts from a position are always the
same. So a file beside the games has those of the last fit, and only new positions cost time.
"""

import zlib
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.search.data_file import UnusableFile, read_stored, write_stored

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

KIND, VERSION = "playouts", 1

# The memory for samples bounds the file: playouts take a fraction of it.
_LARGEST = 2**40

# The file is written at each fit, so quickly.
_COMPRESSION = 1

_NAME_BYTES = 16
_INDEX = np.dtype([("name", f"V{_NAME_BYTES}"), ("rows", "<i4"), ("columns", "<i4")])

Rows = NDArray[np.int16]
"""The playouts of a game, one row for each position: the number of steps before it, the wins of
BLACK, the draws, and for each point by row from the top the sum of its owners, 1 for BLACK."""


class Playouts(NamedTuple):
    """The results of playouts from a position: see Rows."""

    black_wins: int
    draws: int
    held: NDArray[np.int16]


class KnownPlayouts:
    """Playouts of the positions of games: those of a file, and those that were asked for.

    count -- the number of playouts from each position
    """

    def __init__(self, count: int, path: Path | None = None) -> None:
        """
        path -- the file; if it is missing, damaged or of another count, it knows nothing
        """
        self.count = count
        self._path = path
        self._stored = {} if path is None else _read(path, count)
        self._asked: dict[bytes, Rows] = {}

    def of(self, record: SelfplayGame) -> "GamePlayouts":
        """The playouts of a game."""
        return GamePlayouts(self, record)

    def rows(self, name: bytes) -> Rows | None:
        """What is known of a game."""
        found = self._asked.get(name)
        return self._stored.get(name) if found is None else found

    def take(self, name: bytes, rows: Rows) -> None:
        """Know the playouts of a game, which were asked for."""
        self._asked[name] = rows

    def write(self) -> None:
        """Let the file have what was asked for, and nothing else. Raises OSError."""
        asked, stored = self._asked, self._stored
        same = asked.keys() == stored.keys()
        if self._path is None or (same and all(asked[name] is stored[name] for name in asked)):
            return
        index = np.array([(name, *rows.shape) for name, rows in asked.items()], _INDEX)
        content = b"".join([index.tobytes(), *(rows.tobytes() for rows in asked.values())])
        facts = {"count": self.count, "games": len(asked)}
        packed = zlib.compress(content, _COMPRESSION)
        write_stored(self._path, KIND, VERSION, facts, packed, largest=_LARGEST)


class GamePlayouts:
    """The playouts of the positions of a game.

    name -- of the game in the file: a digest of its steps and its number, which is in the seeds
    """

    def __init__(self, known: KnownPlayouts, record: SelfplayGame) -> None:
        said = f"{record.game} {record.size} {record.number} {record.steps}"
        self.name = blake2b(said.encode(), digest_size=_NAME_BYTES).digest()
        self._known, self._number = known, record.number
        self._rows = known.rows(self.name)
        # Row numbers, by the number of steps before the position.
        self._places: dict[int, int] = {}
        if self._rows is not None:
            self._places = {after: place for place, after in enumerate(self._rows[:, 0].tolist())}
        self._new: list[NDArray[np.int16]] = []

    def at(self, position: "_kernel.Position", after: int) -> Playouts:
        """The playouts from a position.

        after -- the number of steps before it
        """
        if (place := self._places.get(after)) is not None and self._rows is not None:
            row = self._rows[place]
        else:
            seed = (self._number << 12 | after) % 2**63
            found = position.forecast(self._known.count, seed)
            row = np.array([after, found.black_wins, found.draws, *found.held], np.int16)
            self._new.append(row)
        return Playouts(int(row[1]), int(row[2]), row[3:])

    def keep(self) -> None:
        """Remember what was asked for."""
        parts = [] if self._rows is None else [self._rows]
        if self._new:
            parts.append(np.stack(self._new))
        if parts:
            self._known.take(self.name, parts[0] if len(parts) == 1 else np.concatenate(parts))


def _read(path: Path, count: int) -> dict[bytes, Rows]:
    """The playouts in a file; none if it cannot be used."""
    try:
        facts, packed = read_stored(path, KIND, VERSION, largest=_LARGEST)
        if facts["count"] != count:
            return {}
        content, games = zlib.decompress(packed), facts["games"]
        index = np.frombuffer(content, _INDEX, games)
        numbers = np.frombuffer(content, np.int16, offset=index.nbytes)
    except (UnusableFile, KeyError, ValueError, TypeError, zlib.error):
        return {}
    found, begin = {}, 0
    for name, rows, columns in index.tolist():
        end = begin + rows * columns
        found[bytes(name)] = numbers[begin:end].reshape(rows, columns)
        begin = end
    return found
