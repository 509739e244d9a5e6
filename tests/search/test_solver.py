"""Exact results: two methods for each, valid bounds, sound lines, and perfect play."""

import random
import re
import threading
from functools import cache
from pathlib import Path

import pytest

from gtp_engine.rules import find_game, games
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.backends.choose import AUTO, KERNEL, PYTHON, backend_for
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.openings.swap_maps import first_turns, stored_map
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.solution import DEPTH_FIRST, METHODS, PROOF_NUMBERS, RETROGRADE
from gtp_engine.search.solver import make_solver, solve, table_of
from rules.test_contract import image_of
from support.boards import position
from support.playing import every_position, played, random_game
from support.searching import OnceBegun
from support.thorough import first_of

AMPLE = Budget()
SMALL = SearchOptions(hash_mb=16)
BACKENDS = [PYTHON, KERNEL] if kernel_built() else [PYTHON]
# Robble's smallest boards are all drawn by repetition.
DRAWLESS = [game.name for game in games() if game.name != "robble"]
needs_kernel = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")


@pytest.fixture(params=BACKENDS)
def backend(request) -> str:
    return request.param


def value_of(position: Position, backend: str = AUTO, method: str = METHODS[0]) -> float:
    found = solve(position, AMPLE, backend, SMALL, method)
    assert found.value is not None
    return found.value


def late(name: str, size: int, empty: int, rng: random.Random) -> Position:
    """A position of a random game, with so many empty points or fewer, not yet over."""
    while True:
        for at, _ in random_game(find_game(name).start(size), rng):
            if size * size - at.occupied().bit_count() <= empty:
                return at


WON = {
    "Boloa: the chain's last point": ("boloa", "B . W\n. . W\nB . .", "b", 1),
    "Boloa: the other color's last point": ("boloa", ". . .\nW . W\nB B .", "w", 0),
    "Pilo: the capture that keeps all squares": ("pilo", "B2 W2\n# #", "b", 1),
}


@pytest.mark.parametrize("name", WON)
def test_known_endings(name, backend):
    game, picture, to_move, value = WON[name]
    assert value_of(position(game, picture, to_move), backend) == value


@needs_kernel
@pytest.mark.parametrize("name", DRAWLESS)
def test_the_kernel_agrees_with_minimax_in_python(name, rng):
    """From positions inside a game and inside a turn, also where a swap is still ahead."""
    compared = 0
    for at in every_position(find_game(name), range(2, 4), 8, rng):
        if at.outcome() is None and (at.size == 2 or at.occupied().bit_count() >= 4):
            compared += 1
            assert value_of(at) == value_of(at, PYTHON), at
    assert compared > 20
    for _ in range(6):
        at = late(name, 4, 3, rng)
        assert value_of(at) == value_of(at, PYTHON)


@needs_kernel
@pytest.mark.parametrize(("name", "size", "empty"), first_of([
    ("implo", 4, 10), ("implo", 6, 7), ("boloa", 4, 7), ("pilo", 4, 6), ("pilo", 5, 5),
    ("implo", 9, 5), ("boloa", 12, 3), ("pilo", 10, 3),
], 3))  # fmt: skip
def test_proof_numbers_agree_with_depth_first_search(name, size, empty, rng):
    """On boards of one word and of more, with exact identities and with hashed ones."""
    agreed = 0
    for _ in range(12):
        at = late(name, size, empty, rng)
        found = solve(at, Budget(20_000), AUTO, SMALL, DEPTH_FIRST).value
        if found is not None:
            agreed += 1
            assert value_of(at, method=PROOF_NUMBERS) == found
    assert agreed >= 4


LONG = {
    "Boloa": ("boloa", "b . . .\n. . b .\n. . . .\n. . . W", "w"),
    "Implo": ("implo", ". . . .\n. . . .\nB . . .\n. . . .", "w"),
    "Pilo": ("pilo", "W1 B1 B1 .\n. B1 B1 .\n. . . .\n. W1 W1 B1", "w"),
}
"""Positions whose solutions take so many positions that other threads help."""


@needs_kernel
@pytest.mark.thorough
@pytest.mark.parametrize("name", LONG)
def test_threads_agree_and_prove_what_they_say(name):
    game, picture, to_move = LONG[name]
    at = position(game, picture, to_move)
    alone = solve(at, Budget(), options=SearchOptions(hash_mb=64, threads=1))
    solver = make_solver(at, options=SearchOptions(hash_mb=64, threads=3))
    found = solver.solve(at, Budget())
    assert (found.value, alone.positions > 100_000) == (alone.value, True)
    assert played(at, found.line).outcome().value == found.value
    words = solver.certify(at, Budget())
    winner = BLACK if found.value == 1 else BLACK.opponent
    assert solver.check(at, winner, words, threading.Event()).proven


def may_repeat(game: Game) -> bool:
    """Whether positions come again, so that the kernel solves the game by a table alone."""
    try:
        make_solver(game.start(game.smallest_size), KERNEL, SMALL, RETROGRADE)
    except ValueError:
        return False
    return True


@cache
def value_without_swap(position: Position) -> float:
    """The same for each pie rule."""
    return value_of(position)


@needs_kernel
@pytest.mark.parametrize("pie", list(Pie))
def test_methods_agree_on_every_opening(pie, kernel_game):
    """The swap falls out by itself: in games without draws it wins, or there is none to make."""
    for size in {kernel_game.smallest_size, 3}:
        start = kernel_game.start(size, pie)
        if not may_repeat(kernel_game):
            value = value_of(start, method=PROOF_NUMBERS)
            assert value == value_of(start, method=DEPTH_FIRST)
            if start.pie is not Pie.OFF:
                ends = [settle(start.play(step))[1].outcome() for step in start.legal_steps()]
                assert value == float(any(end and end.winner is BLACK for end in ends))
        for step in start.legal_steps():
            after = settle(start.play(step))[1]
            found = value_of(after)
            plain = value_without_swap(settle(kernel_game.start(size).play(step))[1])
            # White swaps what is good for Black.
            swaps = start.pie is not Pie.OFF and after.outcome() is None
            assert found == (min(plain, 1 - plain) if swaps else plain)


def test_a_line_of_play_leads_to_its_value(game, backend, rng):
    for at in every_position(game, range(2, 4), 3, rng):
        if at.outcome() is not None or (backend == PYTHON and at.occupied().bit_count() < 5):
            continue
        if game.name == "robble" and backend == PYTHON:
            continue  # the draws of a small board take Python for ever
        found = solve(at, AMPLE, backend, SMALL)
        end = played(at, found.line)
        swapped_sides = "swap-sides" in map(str, found.line)
        if found.value != 0.5:
            assert end.outcome() is not None
            assert end.outcome().value == (1 - found.value if swapped_sides else found.value)
        assert bool(found.line) == (settle(at)[1].outcome() is None)


# Bounds --------------------------------------------------------------------------------------


def test_a_budget_is_kept(game, backend):
    start = game.start(6)
    assert solve(start, Budget(0), backend, SMALL).value is None
    found = solve(start, Budget(100), backend, SMALL)
    assert (found.value, found.line) == (None, ())
    assert found.positions <= 100
    assert solve(start, Budget(seconds=0.05), backend, SMALL).value is None


def test_an_interrupt_ends_it(game, backend):
    found = solve(game.start(7), Budget(interrupt=OnceBegun()), backend, SMALL)
    assert found.value is None


@needs_kernel
@pytest.mark.parametrize("method", METHODS)
def test_little_memory_is_enough_for_a_small_game(kernel_game, method):
    """It takes no more, and what does not fit is found again."""
    if may_repeat(kernel_game) or method == RETROGRADE:
        return
    found = solve(kernel_game.start(3), AMPLE, KERNEL, SearchOptions(hash_mb=1), method)
    assert found.value is not None
    assert 0 < found.used_bytes <= 2**20


@needs_kernel
def test_a_method_is_not_for_every_game():
    with pytest.raises(ValueError, match="no such way"):
        solve(find_game("robble").start(3), AMPLE, KERNEL, SMALL, DEPTH_FIRST)
    with pytest.raises(ValueError, match="no such way"):
        solve(find_game("implo").start(3), AMPLE, KERNEL, SMALL, RETROGRADE)


def test_a_finished_game_is_solved_already(backend):
    over = position("boloa", "B .\nB .", "w")
    found = solve(over, Budget(0), backend, SMALL)
    assert (found.value, found.line, found.positions) == (1.0, (), 0)


@needs_kernel
def test_a_solver_keeps_what_it_knows_and_takes_only_its_game():
    start = find_game("pilo").start(3)
    solver = make_solver(start)
    first = solver.solve(start, AMPLE)
    again = solver.solve(start, AMPLE)
    assert (again.value, again.positions < first.positions) == (first.value, True)
    for other in (find_game("pilo").start(4), find_game("implo").start(3)):
        with pytest.raises(ValueError, match="another game or size"):
            solver.solve(other, AMPLE)


# Openings ------------------------------------------------------------------------------------


def test_openings_stand_for_their_images(game):
    for size in (2, 3, 4, 5):
        found = first_turns(game, size)
        assert sum(each.images for each in found) == len(game.start(size).legal_steps())
        start, classes = game.start(size), dict[frozenset[Step], Step]()
        for step in start.legal_steps():
            images = (image_of(step, image, start) for image in game.symmetry)
            classes.setdefault(frozenset(images), step)
        assert [each.steps[0] for each in found] == list(classes.values())


# The specification ---------------------------------------------------------------------------

SPEC = Path(__file__).parents[2] / "protocol_specs" / "play" / "solved.md"


def test_the_page_and_the_stored_maps_tell_the_same_of_4x4():
    """The counts are from runs of `gtp-engine swap-map GAME 4 --solve 600 --weights off`.

    One that a solver knew at once is 0 on the page and 1 in a map, where 0 means without search.
    The first stones of Boloa took more memory, so that their counts are those of one run each.
    Those of the other rows of Boloa and of Pilo are from `gtp-engine solve --table`.
    """
    rows = re.findall(
        r"^\| (\w+) \| `(\w+)` \| (\d) \| (.*?) \| ([0-9,]+) \|$", SPEC.read_text(), re.MULTILINE
    )
    assert {row[0] for row in rows} == {game.title for game in games()}
    for title, word, images, result, positions in rows:
        game = find_game(title.lower())
        worth = stored_map(game, 4).worths[word]
        (opening,) = (each for each in first_turns(game, 4) if each.word == word)
        black, white = (name.lower() for name in game.color_names)
        said = {1: f"{black} wins", 0.5: "draw", 0: f"{white} wins"}[worth.value]
        assert (images, result) == (str(opening.images), said)
        if word not in ("sA1", "sB1", "sB2"):
            assert max(1, int(positions.replace(",", ""))) == worth.visits


@needs_kernel
def test_threads_share_the_table_of_a_board():
    """Without a lock the solver of the kernel ends the process, or gives wrong values."""
    game, rng = find_game("robble"), random.Random(1)
    positions = [game.start(3, Pie.OFF)]
    while positions[-1].outcome() is None:
        positions.append(positions[-1].play_unchecked(rng.choice(positions[-1].legal_steps())))
    positions.pop()
    table = table_of(backend_for(game), positions[0], DEFAULT_OPTIONS)
    right = [table.solve(position, Budget()).value for position in positions]
    wrong = []

    def ask(seed: int) -> None:
        choose = random.Random(seed)
        for _ in range(300):
            number = choose.randrange(len(positions))
            table = table_of(backend_for(game), positions[number], DEFAULT_OPTIONS)
            if table.solve(positions[number], Budget()).value != right[number]:
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@needs_kernel
def test_who_waits_for_a_solver_keeps_to_its_own_budget():
    start = find_game("robble").start(3, Pie.OFF)
    solver = make_solver(start)
    interrupt = threading.Event()
    interrupt.set()
    with solver._busy:
        assert solver.solve(start, Budget(seconds=0)).value is None
        assert solver.solve(start, Budget(interrupt=interrupt)).value is None
    assert solver.solve(start, Budget()).value is not None
