"""Checks certificates of any size by the rules of the kernel, without a solver.

A certificate is a proof if the winner wins every game in which the loser plays any turns, and the
winner one that wins at once or leads to a position of the certificate
(protocol_specs/clients/certificates.md).
"""

from pathlib import Path
from threading import Event
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.points.color import Color
from gtp_engine.search.certificates import KIND, LARGEST_CHECKED, VERSION, words_in
from gtp_engine.search.data_file import UnusableFile, read_stored
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import CheckedWords, Prover
from gtp_engine.search.solver import make_solver


class Claim(NamedTuple):
    """What a certificate is said to prove.

    words -- the positions of the set
    """

    position: Position
    winner: Color
    words: bytes


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


def check_claim(claim: Claim, interrupt: Event) -> CheckedWords:
    """Check a certificate until the end or an interrupt.

    Raises ValueError without the kernel and for boards without certificates.
    """
    solver = make_solver(claim.position, options=SearchOptions(hash_mb=1))
    if not isinstance(solver, Prover):
        raise ValueError("only the kernel checks certificates")
    return solver.check(*claim, interrupt)
