"""What is solved is played: careful levels keep each win and draw that they can solve."""

import random
from collections.abc import Iterator
from itertools import product

import pytest

from documents.reference import documented_games
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import kernel_built
from gtp_engine.search.budget import Budget
from gtp_engine.search.endgames import solved_by
from gtp_engine.search.levels import HIGHEST, LADDER, LOWEST, level_of, positions_of
from gtp_engine.search.options import DEFAULT_OPTIONS, SearchOptions
from gtp_engine.search.solution import Solver
from gtp_engine.search.solver import make_solver, table_of
from gtp_engine.search.tree import value_for
from support.driver import Driver
from support.playing import random_game
from support.thorough import first_of

pytestmark = pytest.mark.skipif(not kernel_built(), reason="needs the kernel")

CAREFUL = [number for number, level in enumerate(LADDER, LOWEST) if not level.errs]

LATE = range(2, 11)
"""The numbers of empty points at which a solver is asked."""


@pytest.fixture(scope="module")
def robble_table() -> Solver:
    """All of Robble 4x4, complete, so that no test depends on the time that a turn has for it."""
    start = read_position("robble 4 ..../..../..../.... b pie=off")
    table = table_of(backend_for(start.game), start, DEFAULT_OPTIONS)
    assert table.solve(start, Budget()).value == 0.5
    return table


def solved_late(game: Game) -> Budget:
    """The limit of the careful levels, which begin with an empty table."""
    return Budget(positions_of(level_of(CAREFUL[0]), game, 4, in_kernel=True))


def solver_for(game: Game, robble_table: Solver) -> Solver:
    """What knows the values of the positions of a game on 4x4, or a solver with an empty table."""
    if game.name == "robble":
        return robble_table
    return make_solver(game.start(4), "kernel", SearchOptions(hash_mb=16, threads=1))


def value_of(at: Position, solver: Solver, budget: Budget) -> float | None:
    """The value for BLACK, None if it is not found."""
    outcome = at.outcome()
    return solved_by(solver, at, budget).value if outcome is None else outcome.value


def played(at: Position, level: int) -> Position:
    """The position after the turn of a level."""
    drive, mover = Driver(at.game.name, at.size), at.to_move
    for line in ("pie off", f"position {write_position(at)}", f"set level {level}", "set seed 1"):
        drive(f"game-{line}")
    return read_turn(at, (), drive(f"genmove {mover.letter}")).position


def late_positions(
    game: Game, robble_table: Solver, count: int
) -> Iterator[tuple[Position, float]]:
    """Positions of random games that the careful levels solve and do not lose, one of a game."""
    rng = random.Random(f"solved {game.name}")
    while count:
        late = [
            at
            for at, _ in random_game(game.start(4), rng)
            if at.size**2 - at.occupied().bit_count() in LATE and not at.open
        ]
        at = rng.choice(late) if late else game.start(4)
        value = value_of(at, solver_for(game, robble_table), solved_late(game)) if late else None
        if value is not None and value_for(at.to_move, value) > 0 and len(at.legal_steps()) > 1:
            yield at, value
            count -= 1


@pytest.mark.parametrize("level", first_of(CAREFUL, 2))
def test_the_only_turn_that_holds_a_draw_of_robble_is_played(level, robble_table):
    at = read_position("robble 4 .B.B/.B.W/BWB./B.BW w pie=off")
    assert robble_table.solve(at, Budget()).value == 0.5
    assert played(at, level) == read_turn(at, (), "C3").position


@pytest.mark.parametrize("count, levels", first_of([(2, CAREFUL[:1]), (12, CAREFUL)]))
@pytest.mark.parametrize("game", documented_games(), ids=lambda game: game.name)
def test_no_careful_level_gives_away_a_late_position_that_it_can_solve(
    game, count, levels, robble_table
):
    solver = solver_for(game, robble_table)
    for number, (at, value) in enumerate(late_positions(game, robble_table, count)):
        for level in levels:
            if level < HIGHEST or number < 10:  # the highest one takes all its time
                after = played(at, level)
                assert value_of(after, solver, Budget()) == value, (level, write_position(at))


def test_levels_from_casual_on_are_careful_and_solve_more_than_they_visit():
    assert list(range(level_of_name("casual"), HIGHEST + 1)) == CAREFUL
    for number in CAREFUL[:-1]:
        level = level_of(number)
        for game, size, in_kernel in product(documented_games(), (4, 5), (False, True)):
            assert positions_of(level, game, size, in_kernel) >= level.visits
        in_pilo, in_boloa, on_5x5 = (
            positions_of(level, find_game(name), size, in_kernel=True)
            for name, size in (("pilo", 4), ("boloa", 4), ("pilo", 5))
        )
        assert in_pilo > in_boloa > on_5x5
    unbounded = [LADDER[-1], *(level for level in LADDER if level.errs)]
    pilo = find_game("pilo")
    assert {positions_of(level, pilo, 4, in_kernel=True) for level in unbounded} == {None}


def level_of_name(word: str) -> int:
    return next(number for number, level in enumerate(LADDER, LOWEST) if level.word == word)
