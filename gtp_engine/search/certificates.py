"""Certificates: files that prove who wins a board (protocol_specs/clients/certificates.md)."""

import sys
import zlib
from array import array
from itertools import pairwise
from pathlib import Path

from gtp_engine.notation.position_text import write_position
from gtp_engine.rules.game import Position
from gtp_engine.search.stored import write_stored

KIND, VERSION = "certificate", 1


def save_certificate(path: Path, position: Position, value: float, words: bytes) -> None:
    """Write the sorted words of a solver for a position of this value for BLACK.

    Raises OSError, and ValueError for more than a file holds.
    """
    numbers = array("Q", words)
    steps = array("Q", (later - earlier for earlier, later in pairwise([0, *numbers])))
    if sys.byteorder == "big":
        steps.byteswap()
    winner = "black" if value == 1 else "white"
    facts = {"position": write_position(position), "winner": winner, "positions": len(numbers)}
    write_stored(path, KIND, VERSION, facts, zlib.compress(steps.tobytes(), 9))
