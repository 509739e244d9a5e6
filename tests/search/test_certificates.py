"""The certificates that ship: the engine wins by them, and bad files do no harm."""

import random
import zlib
from array import array
from pathlib import Path

import pytest

from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.step import Pie
from gtp_engine.rules.turns import forced_step, legal_turns
from gtp_engine.search import assessment, certificates
from gtp_engine.search.assessment import assess
from gtp_engine.search.backends.choose import KERNEL, PYTHON
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.certificates import certified, has_book, stored_words, word_of
from gtp_engine.search.data_file import read_stored, write_stored
from gtp_engine.search.levels import LADDER
from gtp_engine.search.named_players import make_player
from gtp_engine.search.openings.swap_maps import first_turns
from gtp_engine.search.options import SearchOptions
from support import check_certificate
from support.playing import random_game

SHIPPED = sorted((Path(certificates.__file__).parent / "proofs").iterdir())
FEW = Budget(visits=20)
BACKENDS = [PYTHON, KERNEL] if kernel_built() else [PYTHON]
DEFENDERS = ["random", "greedy", "greedy2", "mcts"]
IMPLO, BOLOA = find_game("implo"), find_game("boloa")


def named(path: Path):
    """The game, the size and the first turn in the name of a file."""
    name, size, word = path.stem.split("-")
    (first,) = (each for each in first_turns(find_game(name), int(size)) if each.word == word)
    return find_game(name), int(size), first


def choose(position, name="mcts", seed="1", backend=PYTHON, **options):
    player = make_player(position.game, name, seed, backend, SearchOptions(hash_mb=1, **options))
    return player.choose(position, position.legal_steps(), FEW)


def played(position, steps):
    for step in steps:
        position = position.play(step)
    return position


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where certificates and books are looked for."""
    monkeypatch.setattr(certificates, "FOLDER", tmp_path)
    monkeypatch.setattr(certificates, "BOOKS", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    """Forget what is stored."""
    stored_words.cache_clear()
    certificates.certificate_words.cache_clear()
    has_book.cache_clear()


def test_some_certificates_ship_and_none_is_large():
    assert SHIPPED
    assert all(path.stat().st_size <= 100_000 for path in SHIPPED)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_file_is_about_the_opening_in_its_name(path):
    facts, _ = read_stored(path, certificates.KIND, certificates.VERSION)
    _, _, first = named(path)
    assert read_position(facts["position"]) == first.position


def win_by(path: Path, number: int, rng: random.Random) -> None:
    """Win a game after an image of the opening, perhaps with exchanged colors."""
    facts, _ = read_stored(path, certificates.KIND, certificates.VERSION)
    game, size, first = named(path)
    position = played(game.start(size), rng.choice(first.alike).steps)
    winner = ["black", "white"].index(facts["winner"])
    if rng.random() < 0.5:
        position, winner = position.mirrored(), 1 - winner
    defender = DEFENDERS[number % len(DEFENDERS)]
    while position.outcome() is None:
        if position.to_move == winner:
            choice = choose(position)
            assert choice.proven == choice.value == 1 - winner
            assert choice.visits == 1  # nothing was searched
        else:
            choice = choose(position, defender, str(rng.random()))
        position = played(position, choice.steps)
    assert position.outcome().winner == winner


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_engine_wins_a_game(path, rng):
    win_by(path, rng.randrange(len(DEFENDERS)), rng)


@pytest.mark.thorough
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_engine_wins_every_game(path, rng):
    for number in range(20):
        win_by(path, number, rng)


@pytest.mark.skipif(not kernel_built(), reason="needs the kernel")
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_the_choice_needs_no_kernel(path):
    position = after_loser(path)
    in_python, in_kernel = (choose(position, backend=backend) for backend in (PYTHON, KERNEL))
    assert in_python == in_kernel


def after_loser(path: Path):
    """The first position of a certificate in which the winner is to move."""
    game, size, first = named(path)
    position = first.position
    while not wins(position):
        position = legal_turns(position, 1000)[0].position
    return position


def wins(position) -> bool:
    """Whether a certificate tells of a turn that wins."""
    found = certified(position)
    return found is not None and bool(found.line)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_an_analysis_tells_the_proof_from_the_first_visit_on(path, backend):
    won = after_loser(path)
    winner = won.to_move
    for visits in (1, 20):
        report = analyze(won, backend, visits)
        best, *others = report.rows
        assert (report.proven, best.proven, best.value) == (1 - winner,) * 3
        assert best.pv == certified(won).line
        assert len({row.step for row in report.rows}) == 1 + len(others)
    after = played(won, choose(won).steps)
    if after.outcome() is None:
        report = analyze(after, backend, 20)
        assert report.value == report.proven == 1 - winner
        assert all(row.proven is None for row in report.rows) or backend == KERNEL
        assert choose(after, backend=backend).proven == 1 - winner


def analyze(position, backend, visits, among=None, **options):
    player = make_player(position.game, "mcts", "1", backend, SearchOptions(hash_mb=1, **options))
    steps = position.legal_steps() if among is None else among
    return player.analyze(position, steps, Budget(visits=visits).begin())


def test_an_analysis_of_some_steps_or_without_anything_stored_tells_no_proof():
    won = after_loser(next(path for path in SHIPPED if path.stem == "boloa-4-sA1"))
    win = certified(won).line[0]
    others = tuple(step for step in won.legal_steps() if step != win)
    assert analyze(won, PYTHON, 20).proven is not None
    assert analyze(won, PYTHON, 20, others).proven is None
    assert analyze(won, PYTHON, 20, swap_maps=False).proven is None


def test_reviews_and_figures_of_a_search_tell_it_too():
    won = after_loser(next(path for path in SHIPPED if path.stem == "boloa-4-sA1"))
    setup = assessment.SearchSetup(PYTHON, SearchOptions(hash_mb=1), "1", FEW)
    assert assessment.search(won, won.legal_steps(), setup).proven == 0
    assert assess(won, setup).proven == 0


def test_a_step_inside_a_turn_goes_on_to_a_proven_win(rng):
    """A person may have begun the turn; the rest of it can still win."""
    found = 0
    while found < 3:
        at = after_loser(rng.choice([path for path in SHIPPED if "implo" in path.stem]))
        for position, _ in random_game(at, rng):
            if position.open and wins(position) and forced_step(position) is None:
                assert choose(position).proven == 1 - position.to_move
                found += 1


def test_with_the_pie_rule_the_winner_plays_on_and_a_swapped_loser_defends():
    won = BOLOA.start(4, Pie.PIECES).play(first_step(BOLOA, "sA1"))
    assert choose(won).proven == 0
    lost = IMPLO.start(4, Pie.PIECES).play(first_step(IMPLO, "A1"))
    swap = choose(lost).steps
    assert swap == lost.swaps()
    assert choose(played(lost, swap)).visits > 1


def first_step(game, word):
    (first,) = (each for each in first_turns(game, 4) if each.word == word)
    return first.alike[0].steps[0]


def test_who_may_err_and_who_uses_nothing_stored_searches():
    position = after_loser(SHIPPED[0])
    assert choose(position).visits == 1
    assert choose(position, swap_maps=False).visits > 1
    options = SearchOptions(hash_mb=1)
    for level in LADDER:
        habits = level.habits(0)
        player = make_player(position.game, "mcts", "1", PYTHON, options, habits)
        visits = player.choose(position, position.legal_steps(), FEW).visits
        assert (visits == 1) == (level.considers is None and not level.leeway)


def test_words_are_those_of_the_checker(rng):
    for game in games():
        for size in (2, 3, 4):
            for position, _ in random_game(game.start(size), rng):
                assert word_of(position) == check_certificate.word_of(position)


def rewritten(path: Path, source: Path, kind="certificate", version=1, payload=None, **changes):
    facts, old = read_stored(source, certificates.KIND, certificates.VERSION)
    write_stored(path, kind, version, {**facts, **changes}, old if payload is None else payload)


FAULTS = {
    "empty": (lambda path, good: path.write_bytes(b""), "header"),
    "cut off": (lambda path, good: path.write_bytes(good.read_bytes()[:-1]), "cut off"),
    "of another version": (lambda path, good: rewritten(path, good, version=2), "version 2"),
    "of another kind": (lambda path, good: rewritten(path, good, kind="swap map"), "certificate"),
    "of another game": (lambda path, good: rewritten(path, good, position="pilo 4 x"), "board"),
    "of another size": (lambda path, good: rewritten(path, good, position="boloa 3 x"), "board"),
    "without a position": (lambda path, good: rewritten(path, good, position=None), "board"),
    "not compressed": (lambda path, good: rewritten(path, good, payload=b"words"), "no words"),
    "half a word": (
        lambda path, good: rewritten(path, good, payload=zlib.compress(b"1234")),
        "no words",
    ),
    "of fewer words": (
        lambda path, good: rewritten(path, good, payload=zlib.compress(array("Q", [1]).tobytes())),
        "holds 1 words",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_file_is_refused_in_one_line_and_the_engine_plays_on(fault, folder, logged):
    change, complaint = FAULTS[fault]
    good = next(path for path in SHIPPED if "boloa" in path.stem)
    change(folder / "boloa-4-bad.certificate", good)
    assert refused(folder, logged, complaint)


def test_a_file_with_any_altered_bit_is_refused(folder, logged, rng):
    good = next(path for path in SHIPPED if "boloa" in path.stem)
    content = bytearray(good.read_bytes())
    content[rng.randrange(content.index(b"\n") + 1, len(content))] ^= 1 << rng.randrange(8)
    (folder / "boloa-4-bad.certificate").write_bytes(content)
    assert refused(folder, logged, "altered")


def refused(folder, logged, complaint: str) -> bool:
    """Whether the engine searches twice, and says once why."""
    position = played(BOLOA.start(4), (first_step(BOLOA, "sB1"),))
    visits = [choose(position).visits for _ in range(2)]
    (line,) = logged
    told = "WARNING: playing without a certificate" in line and complaint in line
    return told and line.count("\n") == 1 and min(visits) > 1


def test_a_bad_file_does_not_hide_a_good_one(folder, logged):
    good = next(path for path in SHIPPED if path.stem == "boloa-4-sB1")
    (folder / good.name).write_bytes(good.read_bytes())
    (folder / "boloa-4-bad.certificate").write_bytes(b"")
    position = played(BOLOA.start(4), (first_step(BOLOA, "sB1"),))
    assert choose(position).visits == 1
    assert len(logged) == 1
