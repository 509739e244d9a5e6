"""Checks certificates of any size by the rules of the kernel, without a solver.

A certificate is a proof if each of its positions is lost at once: every turn is answered by a win,
or by a turn to another of its positions (protocol_specs/clients/certificates.md).
"""

from pathlib import Path
from threading import Event
from typing import NamedTuple

from gtp_engine.board.color import Color
from gtp_engine.notation.position_text import read_position, write_position
from gtp_engine.rules.game import Position
from gtp_engine.search.certificates import (
    KIND,
    LARGEST_CHECKED,
    VERSION,
    position_of,
    words_in,
)
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import Prover
from gtp_engine.search.solver import make_solver
from gtp_engine.search.stored import UnusableFile, read_stored


class Claim(NamedTuple):
    """What a certificate is said to prove.

    words -- the positions of the set
    """

    position: Position
    winner: Color
    words: bytes


class Refuted(Exception):
    """The certificate proves nothing; the text has a position that it does not answer."""


def read_claim(path: Path) -> Claim:
    """The contents of a certificate of any size up to LARGEST_CHECKED. Raises UnusableFile."""
    facts, payload = read_stored(path, KIND, VERSION, largest=LARGEST_CHECKED)
    words = words_in(payload, facts.get("positions"), path, LARGEST_CHECKED)
    try:
        position = read_position(str(facts.get("position")))
        winner = Color.parse(str(facts.get("winner")))
    except ValueError as error:
        raise UnusableFile(f"{path} names no position or no winner: {error}") from None
    return Claim(position, winner, words.tobytes())


def check_claim(claim: Claim, interrupt: Event) -> int:
    """The number of positions checked: all, unless interrupted.

    Raises Refuted, UnusableFile for a word that is no position, and ValueError without the kernel
    and for boards without certificates.
    """
    position, game = claim.position, claim.position.game
    solver = make_solver(position, options=SearchOptions(hash_mb=1))
    if not isinstance(solver, Prover):
        raise ValueError("only the kernel checks certificates")
    shows = solver.checker(position, claim.words)
    if not shows(write_position(position), position.to_move is not claim.winner):
        raise Refuted(write_position(position))
    checked = 0
    for word in memoryview(claim.words).cast("Q"):
        if interrupt.is_set():
            break
        text = write_position(position_of(word, game, position.size))
        if not shows(text, True):
            raise Refuted(text)
        checked += 1
    return checked
