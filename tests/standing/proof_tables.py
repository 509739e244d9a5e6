"""Altered tables of proofs whose digests fit, and two threads that solve with them."""

import hashlib
import json
import random
import struct
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.search.backends.choose import AUTO
from gtp_engine.search.budget import Budget
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.openings.swap_maps import first_turns
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.proof_tables import load_table, save_table
from gtp_engine.search.solution import ENTRY, PROOF_NUMBERS, ContradictoryTable, Prover
from gtp_engine.search.solver import make_solver
from standing.alteration import JUNK, Fault, altered

DECIDED = ("boloa", "implo", "pilo")
HASH_MB, THREADS = 4, 2

POSITIONS = 100_000
"""Positions of a search: enough for boards of size 3, and for some first turns of size 4."""

_LOW = (1 << 28) - 1  # an entry ends with a proof and a disproof number, of 28 bits each
_NUMBERS = struct.Struct("<16xQ")


def solver_of(position: Position, threads: int = 1) -> Prover:
    options = SearchOptions(hash_mb=HASH_MB, threads=threads)
    solver = make_solver(position, AUTO, options, PROOF_NUMBERS)
    assert isinstance(solver, Prover)
    return solver


@lru_cache(50)
def table(game: str, size: int, number: int, positions: int) -> bytes:
    """The file of a table after so many positions of a first turn."""
    position = first_turns(find_game(game), size)[number].position
    solver = solver_of(position)
    solver.solve(position, Budget(positions))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table")
        save_table(path, solver, position, HASH_MB)
        return path.read_bytes()


def make_table(rng: random.Random, path: Path) -> None:
    """A table with other numbers, entries, bytes or facts; its digest fits, mostly."""
    game, size = rng.choice(DECIDED), rng.choice([3, 4])
    number = rng.randrange(len(first_turns(find_game(game), size)))
    content = table(game, size, number, rng.choice([300, 3000]))
    line, _, rest = content.partition(b"\n")
    facts, entries = json.loads(line), rest[: -hashlib.sha256().digest_size]
    if rng.random() < 0.1:
        facts[rng.choice([*facts, "new"])] = rng.choice(JUNK)
    entries = rng.choice([other_numbers, other_numbers, other_entries, altered])(rng, entries)
    content = json.dumps(facts).encode() + b"\n" + entries
    digest = hashlib.sha256(content).digest()
    path.write_bytes(content + (digest if rng.random() < 0.95 else altered(rng, digest)))


def other_numbers(rng: random.Random, entries: bytes) -> bytes:
    """Other proof and disproof numbers in some entries: exchanged, extreme or any."""
    content, share = bytearray(entries), rng.choice([0.001, 0.05, 0.5, 1.0])
    for at in range(0, len(content), ENTRY):
        if rng.random() > share:
            continue
        (known,) = _NUMBERS.unpack_from(content, at)
        proof, disproof = known & _LOW, known >> 28 & _LOW
        proof, disproof = rng.choice(
            [
                (disproof, proof),
                (rng.randrange(1, _LOW), rng.randrange(1, _LOW)),
                (rng.choice([0, 1, _LOW]), rng.choice([0, 1, _LOW])),
                rng.choice([(0, _LOW), (_LOW, 0)]),
            ]
        )
        struct.pack_into("<Q", content, at + 16, known >> 56 << 56 | disproof << 28 | proof)
    return bytes(content)


def other_entries(rng: random.Random, entries: bytes) -> bytes:
    """Entries that are missing, exchanged, repeated, or at another place of the table."""
    found = [entries[at : at + ENTRY] for at in range(0, len(entries), ENTRY)]
    match rng.randrange(4):
        case 0:
            found = rng.sample(found, rng.randrange(len(found)))
        case 1:
            rng.shuffle(found)
        case 2:
            found *= 2
        case 3:
            places = [each[:8] for each in found]
            rng.shuffle(places)
            found = [place + each[8:] for place, each in zip(places, found, strict=True)]
    return b"".join(found)


def read_table(path: Path) -> None:
    """Solve a first turn of its game with it, unless it is refused or contradicts itself."""
    content = path.read_bytes()
    begins = content[:100].decode(errors="replace")
    name = next((game for game in DECIDED if f'"{game}"' in begins), DECIDED[0])
    turns = first_turns(find_game(name), 4 if '"size": 4' in begins else 3)
    position = turns[len(content) % len(turns)].position
    solver = solver_of(position, THREADS)
    with suppress(UnusableFile):
        load_table(path, solver, position, HASH_MB)
    try:
        found = solver.solve(position, Budget(POSITIONS))
        if found.value not in (None, 0, 1):
            raise Fault(f"the value is {found.value}")
        if found.value is not None:
            solver.certify(position, Budget(POSITIONS))
    except ContradictoryTable as told:
        if "\n" in str(told):
            raise Fault(f"not one line: {told}") from told
    if solver.solve(turns[0].position, Budget(0)).value not in (None, 0, 1):
        raise Fault("a search without positions has another value")
