"""The weights of learned evaluations. The package ships one file for each game that has some.

kernel/nn/net.hpp describes a net, and kernel/nn/features.hpp its inputs. The payload of a file
(stored.py) contains the numbers in that order. Each takes two bytes: IEEE half precision, lowest
byte first.
"""

import struct
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.base.log import logger
from gtp_engine.search.data_file import UnusableFile, read_stored, write_stored

KIND, VERSION = "weights", 3

OWN, NONE = "auto", "off"
"""Words for a choice of weights: those of the game, if it has some, or none. Others name a file."""

LONGEST_NAME = 80
"""The most characters of a net's name."""


def shipped(game: str) -> Path:
    """The path of a game's shipped weights. The file may be missing."""
    return Path(__file__).parent / "nets" / f"{game}.weights"


class Weights(NamedTuple):
    """A net.

    numbers -- in the order of the kernel, four bytes each
    facts   -- the other facts of the file, about the origin of the weights
    name    -- what people call the net; without the game
    """

    game: str
    channels: int
    blocks: int
    numbers: bytes
    facts: Mapping[str, Any]
    name: str

    def __hash__(self) -> int:
        return hash(self.numbers)

    @property
    def mark(self) -> str:
        """A short checksum of the weights: eight letters and digits."""
        from hashlib import sha256

        return sha256(self.numbers).hexdigest()[:8]


def read_weights(path: Path) -> Weights:
    """Read the weights of a file. Weights without a name get that of the file.

    Raises UnusableFile.
    """
    facts, payload = read_stored(path, KIND, VERSION)
    game, channels, blocks = (facts.get(name) for name in ("game", "channels", "blocks"))
    if not isinstance(game, str) or type(channels) is not int or type(blocks) is not int:
        raise UnusableFile(f"{path} does not say what net it is of")
    name = facts.get("name", path.stem)
    if not isinstance(name, str) or not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise UnusableFile(f"{path} has a name that is no line of 1 to {LONGEST_NAME} characters")
    if len(payload) % 2:
        raise UnusableFile(f"{path} has half a number")
    numbers = array("f", struct.unpack(f"<{len(payload) // 2}e", payload))
    return Weights(game, channels, blocks, numbers.tobytes(), facts, name)


def weights_of(game: str, path: Path) -> Weights:
    """Read the weights of a file, and check that they are for a game. Raises UnusableFile."""
    weights = read_weights(path)
    if weights.game != game:
        raise UnusableFile(f"{path} is for {weights.game}")
    return weights


def write_weights(
    path: Path, game: str, channels: int, blocks: int, numbers: Sequence[float], **facts: Any
) -> None:
    """Write a file of weights, rounded to half precision. `name` is one of the facts.

    Raises OSError.
    """
    payload = struct.pack(f"<{len(numbers)}e", *numbers)
    shape = {"game": game, "channels": channels, "blocks": blocks}
    write_stored(path, KIND, VERSION, {**shape, **facts}, payload)


def names_of_nets(which: str) -> dict[str, str]:
    """The names of the nets in a choice of weights, by game."""
    from gtp_engine.rules import games

    found = {game.name: weights_for(game.name, which) for game in games()}
    return {game: weights.name for game, weights in found.items() if weights is not None}


KEPT = 8
"""Nets in memory: those of all games, and some files. A client may name any number of files."""


@lru_cache(KEPT)
def weights_for(game: str, which: str) -> Weights | None:
    """The weights for playing a game; None to play without.

    A file is the net of one game: the others play with their own. The log reports own weights that
    are unusable, and the engine then plays without them. A file that somebody named is used or
    refused: raises UnusableFile.
    """
    if which == NONE:
        return None
    if which != OWN:
        named = read_weights(Path(which))
        return named if named.game == game else weights_for(game, OWN)
    path = shipped(game)
    if not path.exists():
        return None
    try:
        return weights_of(game, path)
    except UnusableFile as problem:
        logger().warning("no learned evaluation: {}", problem)
        return None
