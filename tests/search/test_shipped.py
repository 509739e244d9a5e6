"""What ships with the search is proven: certificates, swap maps, and tables of solved boards."""

import re
import threading
from pathlib import Path

import pytest

from gtp_engine.rules import find_game
from gtp_engine.search import certificates
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.certificates import check_claim, read_claim
from gtp_engine.search.openings.swap_maps import first_turns, stored_map, stored_sizes
from gtp_engine.search.solver import make_solver, solve
from support import check_certificate
from support.shipped_data import shipped_data

pytestmark = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")

SHIPPED = sorted((Path(certificates.__file__).parent / "proofs").iterdir())
SPEC = Path(__file__).parents[2] / "protocol_specs" / "play" / "solved.md"


@shipped_data("certificates")
@pytest.mark.parametrize("path", [path for path in SHIPPED if path.stat().st_size < 5000])
def test_each_small_one_is_a_proof(path):
    """The checker takes minutes for the others."""
    assert len(check_certificate.check(path).seen) > 0


@shipped_data("certificates")
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_each_is_a_proof_by_the_rules_of_the_kernel(path):
    claim = read_claim(path)
    proven, positions, unproven = check_claim(claim, threading.Event())
    assert (proven, unproven) == (True, "")
    assert 0 < positions <= len(claim.words) // 8


@shipped_data("solved boards")
def test_what_is_stored_as_solved_is_what_the_solver_finds(game):
    for size in {2, 3} & set(stored_sizes(game)):
        for each in first_turns(game, size):
            stored = stored_map(game, size).worths[each.word]
            if each.position.outcome() is None:
                assert solve(each.position, Budget()).value == stored.value


@shipped_data("solved boards")
def test_the_tables_of_small_boards_are_what_the_program_finds(game):
    rows = re.findall(
        rf"^\| {game.title} \| (.)x. \| `(.*?)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$",
        SPEC.read_text(),
        re.MULTILINE,
    )
    if not stored_sizes(game):
        assert not rows
        pytest.skip("nobody has put down what is known of the game")
    found = []
    for size in (2, 3):
        solver = make_solver(game.start(size))
        for each in first_turns(game, size):
            solution = solver.solve(each.position, Budget())
            over = each.position.outcome() is not None
            advice = {1: "swap", 0.5: "either", 0: "play on"}[solution.value]
            row = size, each.word, each.images
            row += solution.result(game), f"{solution.positions:,}", "-" if over else advice
            found.append(tuple(map(str, row)))
    assert rows == found


@shipped_data("solved boards")
def test_the_table_of_robble_4x4_is_what_the_page_says():
    solution = solve(find_game("robble").start(4), Budget())
    won, lost, drawn, longest = solution.census
    page = " ".join(SPEC.read_text().split())
    assert f"{won:,} are won for the color to move, {lost:,} lost and {drawn:,} drawn" in page
    assert f"the longest win takes {longest} turns" in page
