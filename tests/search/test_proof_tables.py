"""Tables of the solver in files, certificates, and their checker."""

import hashlib
import json
import multiprocessing
import os
import random
import struct
import time
import zlib
from array import array
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from gtp_engine.cli.engine import main
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import AUTO
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.data_file import UnusableFile, read_stored, write_stored
from gtp_engine.search.openings.swap_maps import first_turns
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.proof_tables import load_table, save_table
from gtp_engine.search.solution import ENTRY, PROOF_NUMBERS, CheckedWords, ContradictoryTable
from gtp_engine.search.solver import make_solver
from support.check_certificate import Refuted, check, word_of
from support.mirror import in_kernel
from support.playing import random_game
from support.thorough import first_of
from support.waiting import wait_until

pytestmark = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")

DECIDED = ["boloa", "implo", "pilo"]
HASH_MB = 4


def opening(name: str, size: int, number: int = 0):
    return first_turns(find_game(name), size)[number].position


def solver_of(position):
    return make_solver(position, AUTO, SearchOptions(hash_mb=HASH_MB), PROOF_NUMBERS)


def saved(path: Path, position, positions: int | None = None):
    """A table after some positions. Returns what was found."""
    solver = solver_of(position)
    found = solver.solve(position, Budget(positions))
    save_table(path, solver, position, HASH_MB)
    return found


@pytest.mark.parametrize("name", DECIDED)
def test_a_table_holds_what_was_proven(name, tmp_path):
    position = opening(name, 3)
    found = saved(tmp_path / "table", position)
    solver = solver_of(position)
    load_table(tmp_path / "table", solver, position, HASH_MB)
    again = solver.solve(position, Budget())
    assert again.value == found.value
    assert again.positions < found.positions


def test_a_search_that_ends_again_and_again_gets_to_its_end(tmp_path):
    """A file has no parts of a depth-first search, so each time must be enough for one of these."""
    position, path = opening("pilo", 3), tmp_path / "table"
    value = solver_of(position).solve(position, Budget()).value
    found = saved(path, position, 1_000)
    for _ in range(50):
        if found.value is not None:
            break
        solver = solver_of(position)
        load_table(path, solver, position, HASH_MB)
        found = solver.solve(position, Budget(1_000))
        save_table(path, solver, position, HASH_MB)
    assert found.value == value


def faults(content: bytes, rng: random.Random) -> dict[str, tuple[bytes, str]]:
    """What may happen to a file, and what is said of it."""
    header, _, rest = content.partition(b"\n")
    bit = rng.randrange(len(header) + 1, len(content))
    flipped = bytearray(content)
    flipped[bit] ^= 1 << rng.randrange(8)

    def with_fact(name: str, value) -> bytes:
        return json.dumps(json.loads(header) | {name: value}).encode() + b"\n" + rest

    return {
        "empty": (b"", "no proof table"),
        "something else": (b"nonsense\n", "no proof table"),
        "a list": (b"[1, 2]\n" + rest, "no proof table"),
        "cut off": (content[: rng.randrange(len(header) + 1, len(content))], "cut off or altered"),
        "too long": (content + b"x", "cut off or altered"),
        "altered": (bytes(flipped), "cut off or altered"),
        "another version": (with_fact("version", 0), "'proof table 0 pilo 3 4'"),
        "another game": (with_fact("game", "boloa"), "boloa"),
        "another memory": (with_fact("hash_mb", 5), "pilo 3 5"),
    }


def test_files_that_do_not_fit_are_refused_in_one_line(tmp_path, rng):
    position, path = opening("pilo", 3), tmp_path / "table"
    saved(path, position)
    for content, complaint in faults(path.read_bytes(), rng).values():
        path.write_bytes(content)
        with pytest.raises(UnusableFile) as caught:
            load_table(path, solver_of(position), position, HASH_MB)
        text = str(caught.value)
        assert complaint in text and str(path) in text and "\n" not in text
    with pytest.raises(UnusableFile, match="does not exist"):
        load_table(tmp_path / "none", solver_of(position), position, HASH_MB)


ENTRY_NUMBERS = 16
"""Where an entry of a file has its proof and disproof number, of 28 bits each."""


def altered(path: Path, change: Callable[[int, int], tuple[int, int]], every: int = 1) -> None:
    """Change the numbers of each n-th entry of a table, and give the file the right digest."""
    header, _, rest = path.read_bytes().partition(b"\n")
    content = bytearray(rest[:-32])
    for at in range(ENTRY_NUMBERS, len(content), ENTRY * every):
        # An entry holds its key mixed with its numbers, so only the numbers change.
        (known,) = struct.unpack_from("<Q", content, at)
        low = (1 << 28) - 1
        proof, disproof = change(known & low, known >> 28 & low)
        struct.pack_into("<Q", content, at, known >> 56 << 56 | disproof << 28 | proof)
    content[:0] = header + b"\n"
    path.write_bytes(content + hashlib.sha256(content).digest())


def turned_if_decided(proof: int, disproof: int) -> tuple[int, int]:
    """The numbers for the other color, of what is decided."""
    return (proof, disproof) if proof and disproof else (disproof, proof)


@pytest.mark.parametrize("numbers", [(7, 2**28 - 1), (2**28 - 1, 7), (0, 7), (7, 0), (0, 0)])
def test_a_table_with_numbers_that_no_search_finds_is_refused(numbers, tmp_path, capsys):
    """With the first ones two threads turned for good, each at what the other one had found."""
    position, path = opening("pilo", 3), tmp_path / "table"
    saved(path, position)
    altered(path, lambda proof, disproof: numbers)
    with pytest.raises(UnusableFile, match="was altered: it holds an entry that contradicts"):
        load_table(path, solver_of(position), position, HASH_MB)
    where = ["--game", "pilo", "--size", "3", "--opening", "A1", "--table", str(path)]
    assert main(["solve", *where, "--hash-mb", str(HASH_MB)]) == 2
    assert "was altered" in capsys.readouterr().err


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", DECIDED)
def test_a_table_that_contradicts_itself_is_told(name, threads, tmp_path):
    """Who wins by it does not win at the end of the line."""
    position, path = opening(name, 3), tmp_path / "table"
    saved(path, position)
    altered(path, turned_if_decided)
    options = SearchOptions(hash_mb=HASH_MB, threads=threads)
    solver = make_solver(position, AUTO, options, PROOF_NUMBERS)
    load_table(path, solver, position, HASH_MB)
    with pytest.raises(ContradictoryTable, match="contradicts itself"):
        solver.solve(position, Budget())


def test_solve_ends_with_one_line_at_a_table_that_contradicts_itself(tmp_path, capsys):
    path, position = tmp_path / "table", opening("pilo", 3)
    saved(path, position)
    altered(path, turned_if_decided)
    before = path.read_bytes()
    where = ["--game", "pilo", "--size", "3", "--opening", "A1", "--table", str(path)]
    assert main(["solve", *where, "--hash-mb", str(HASH_MB)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "contradicts itself" in said.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("variant", first_of(range(80), 4))
def test_a_search_with_an_altered_table_ends(variant, tmp_path):
    """With a value, told as contradicted, or refused: two threads never turn for ever."""
    rng = random.Random(variant)
    position, path = opening(rng.choice(DECIDED), 3), tmp_path / "table"
    saved(path, position)

    def change(proof: int, disproof: int) -> tuple[int, int]:
        if rng.random() < 0.8:
            return proof, disproof
        if rng.random() < 0.5:
            return turned_if_decided(proof, disproof)
        return rng.randrange(1, 2**28 - 1), rng.randrange(1, 2**28 - 1)

    altered(path, change)
    options = SearchOptions(hash_mb=HASH_MB, threads=2)
    solver = make_solver(position, AUTO, options, PROOF_NUMBERS)
    load_table(path, solver, position, HASH_MB)
    try:
        assert solver.solve(position, Budget()).value in (0, 1)
    except ContradictoryTable:
        assert solver.solve(opening(position.game.name, 3), Budget(0)).value is None


def keep_solving(path: Path, position) -> None:
    """What a process does until it is killed: go on from the file, and save again and again."""
    solver = solver_of(position)
    if path.exists():
        load_table(path, solver, position, HASH_MB)
    while True:
        solver.solve(position, Budget(100))
        save_table(path, solver, position, HASH_MB)


def saved_at(path: Path) -> int:
    return path.stat().st_mtime_ns if path.exists() else 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that begin at once")
@pytest.mark.parametrize("times", first_of([12, 50]))
def test_a_solver_that_is_killed_at_any_moment_goes_on_where_it_was(times, tmp_path, rng):
    """Each time after it has saved something; the file is always complete and right."""
    position, path = opening("pilo", 3), tmp_path / "table"
    value = solver_of(position).solve(position, Budget()).value
    for _ in range(times):
        before = saved_at(path)
        process = multiprocessing.get_context("fork").Process(
            target=keep_solving, args=(path, position)
        )
        process.start()
        wait_until(lambda: saved_at(path) != before)  # noqa: B023
        time.sleep(rng.uniform(0, 0.02))  # into any moment of the next saving
        process.kill()
        process.join()
        load_table(path, solver_of(position), position, HASH_MB)
    solver = solver_of(position)
    load_table(path, solver, position, HASH_MB)
    assert solver.solve(position, Budget()).value == value


@pytest.mark.parametrize("name", DECIDED)
def test_the_word_of_a_position_is_that_of_the_kernel(name, rng):
    for size in (2, 3, 4):
        for position, _ in random_game(find_game(name).start(size), rng):
            high, low = in_kernel(position).canonical_key
            assert word_of(position) == (None if high else low)


def certificate(path: Path, name: str, size: int, turn: str) -> None:
    options = ["--game", name, "--size", str(size), "--opening", turn, "--hash-mb", "16"]
    assert main(["solve", *options, "--certificate", str(path)]) == 0


@pytest.mark.parametrize("name", DECIDED)
@pytest.mark.parametrize("some", first_of([slice(1, None, 4), slice(None)]))
def test_certificates_of_3x3_are_proofs(name, some, tmp_path, capsys):
    path = tmp_path / "certificate"
    for first in first_turns(find_game(name), 3)[some]:
        certificate(path, name, 3, first.word)
        assert len(check(path).seen) > 0
        capsys.readouterr()
        assert main(["solve", "--check", str(path)]) == 0
        assert capsys.readouterr().out.startswith("proven: ")


def test_a_certificate_that_no_file_holds_is_refused_in_one_line(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("gtp_engine.search.certificates.LARGEST_CHECKED", 10)
    path = tmp_path / "certificate"
    options = ["--game", "implo", "--size", "3", "--opening", "A1", "--certificate", str(path)]
    assert main(["solve", *options]) == 2
    assert capsys.readouterr().err == f"gtp-engine solve: {path} would be too large\n"
    assert not path.exists()


def test_a_certificate_that_proves_nothing_is_refuted(tmp_path, capsys):
    path = tmp_path / "certificate"
    certificate(path, "implo", 3, "A2")
    words = sorted(check(path).words)
    facts, _ = read_stored(path, "certificate", 1)
    changed = [
        (facts, []),
        (facts, words[: len(words) // 2]),
        (facts, [word ^ 1 for word in words]),
        ({**facts, "winner": "white"}, words),
    ]
    for claimed, held in changed:
        rewritten(path, claimed, sorted(held))
        with pytest.raises(Refuted):
            check(path)
        capsys.readouterr()
        assert main(["solve", "--check", str(path)]) == 1
        printed = capsys.readouterr()
        assert printed.out.startswith("not proven: ")
        assert len(printed.out.splitlines()) == 1
        assert printed.err == ""


@pytest.mark.parametrize("times", first_of([5, 20]))
@pytest.mark.parametrize("name", DECIDED)
def test_both_checkers_refute_the_same_certificates(name, times, tmp_path, capsys, rng):
    path = tmp_path / "certificate"
    certificate(path, name, 3, "pA2" if name == "boloa" else "A2")
    facts, _ = read_stored(path, "certificate", 1)
    words = sorted(check(path).words)
    refuted = []
    for number in range(times):
        missing = set(rng.sample(words, min(len(words), 1 + number % 5)))
        rewritten(path, facts, [word for word in words if word not in missing])
        status = main(["solve", "--check", str(path)])
        try:
            check(path)
            refuted.append(False)
        except Refuted:
            refuted.append(True)
        assert status == refuted[-1]
    assert True in refuted
    capsys.readouterr()


def test_a_check_that_is_interrupted_tells_how_far_it_came(tmp_path, monkeypatch, capsys):
    path = tmp_path / "certificate"
    certificate(path, "pilo", 3, "A1")
    capsys.readouterr()
    stopped = CheckedWords(None, 17, "")
    monkeypatch.setattr("gtp_engine.search.certificates.check_claim", lambda *_: stopped)
    assert main(["solve", "--check", str(path)]) == 1
    assert capsys.readouterr().out == "stopped: 17 positions checked\n"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"position": "robble 3 .../.../... b"}, "no certificates"),
        ({"position": "implo 5 ...../...../...../...../..... b"}, "no certificates"),
        ({"position": "implo 3 ..."}, "no position"),
        ({"winner": "green"}, "no winner"),
        ({"winner": None}, "no winner"),
    ],
)
def test_a_certificate_of_what_has_none_is_refused_in_one_line(
    changes, complaint, tmp_path, capsys
):
    path = tmp_path / "certificate"
    certificate(path, "implo", 3, "A1")
    facts, _ = read_stored(path, "certificate", 1)
    rewritten(path, {**facts, **changes}, sorted(check(path).words))
    capsys.readouterr()
    assert main(["solve", "--check", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and complaint in printed.err
    assert len(printed.err.splitlines()) == 1


def test_a_finished_game_proves_only_its_winner(tmp_path, capsys):
    path = tmp_path / "certificate"
    certificate(path, "implo", 2, "A1")  # the first turn ends the game: black wins
    facts, _ = read_stored(path, "certificate", 1)
    for winner, status in (("black", 0), ("white", 1)):
        rewritten(path, {**facts, "winner": winner}, [])
        assert main(["solve", "--check", str(path)]) == status


def rewritten(path: Path, facts, words: list[int]) -> None:
    steps = array("Q", (after - before for before, after in pairwise([0, *words])))
    facts = {**facts, "positions": len(words)}
    write_stored(path, "certificate", 1, facts, zlib.compress(steps.tobytes()))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            ["--game", "robble", "--size", "3", "--certificate", "x"],
            "no certificates for such a position: a result in Robble can depend on earlier ",
        ),
        (
            ["--game", "implo", "--size", "5", "--certificate", "x"],
            "no certificates for such a position: boards are too large from 5x5 on",
        ),
        (["--game", "robble", "--size", "3", "--table", "x"], "only proof-number search"),
        (["--game", "implo", "--size", "3", "--all-openings", "--certificate", "x"], "--opening"),
        (["--game", "implo", "--size", "3", "--backend", "python", "--table", "x"], "kernel"),
        (["--game", "implo", "--size", "3", "--method", "depth-first", "--table", "x"], "only"),
    ],
)
def test_what_has_no_table_and_no_certificate_is_refused_in_one_line(options, complaint, capsys):
    assert main(["solve", *options]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and complaint in printed.err
    assert len(printed.err.splitlines()) == 1


def test_only_small_games_without_history_have_certificates():
    for name, size in (("robble", 3), ("implo", 5)):
        position = find_game(name).start(size)
        solver = make_solver(position, AUTO, SearchOptions(hash_mb=16))
        with pytest.raises(ValueError, match="no certificates"):
            solver.certify(position, Budget())
