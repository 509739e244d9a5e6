"""The solver of the kernel: rejected input, and safe queries at any time."""

import threading

import pytest

from gtp_engine.rules import find_game
from gtp_engine.rules.notation.position_text import write_position
from support.searching import ended

IMPLO = "implo 3 .../.../... b pie=off"


def run(solver, positions: int | None = None, seconds: float | None = None, threads: int = 1):
    solver.start(positions, seconds, threads=threads)
    return ended(solver).solved()


@pytest.mark.parametrize(
    "arguments, complaint",
    [
        (("nonsense", 1, "best"), "expected GAME SIZE"),
        ((IMPLO, 0, "best"), "hash_mb"),
        ((IMPLO, 1 << 40, "best"), "hash_mb"),
        ((IMPLO, 1, "guess"), "no such way to solve"),
        ((IMPLO, 1, "retrograde"), "no such way to solve this"),
        (("robble 5 ...../...../...../...../..... b", 99, "retrograde"), "no such way"),
        (("robble 4 ..../..../..../.... b", 1, "retrograde"), "no such way"),
    ],
)
def test_what_is_wrong_with_an_argument_is_said(arguments, complaint, module):
    with pytest.raises(ValueError, match=complaint):
        module.Solver(*arguments)


def test_a_refused_position_changes_nothing(module):
    solver = module.Solver(IMPLO, 1, "best")
    before = run(solver)
    for text in ("nonsense", "implo 4 ..../..../..../.... b", "boloa 3 .../.../... b", ""):
        with pytest.raises(ValueError):
            solver.turn_to(text)
    assert solver.solved() == before
    with pytest.raises(ValueError):
        solver.start(None, -1.0)
    with pytest.raises(ValueError):
        solver.wait(-1.0)


def test_a_solver_may_be_asked_anything_at_any_time(game, module):
    solver = module.Solver(write_position(game.start(6)), 16, "best")
    assert solver.solved()[:4] == (None, [], 0, 0)
    solver.stop()
    assert solver.wait(0)
    solver.start(None, None)
    assert not solver.wait(0.01)
    while solver.solved()[2] == 0:
        pass
    solver.start(10, None)  # ends the first
    assert ended(solver).solved()[2] <= 10
    solver.start(None, None)
    solver.turn_to(write_position(game.start(6)))
    assert solver.wait(0)
    solver.start(None, None)
    del solver


@pytest.mark.parametrize(
    ("method", "work"),
    {
        "best": {"implo": (285, 98), "boloa": (398, 217), "pilo": (4619, 963)},
        "depth-first": {"implo": (109, 24), "boloa": (7827, 6351), "pilo": (5107, 2322)},
    }.items(),
)
def test_the_same_work_is_done_everywhere(module, method, work):
    """Positions searched and hits of the table, of one run from an empty one."""
    counts = {}
    for name in work:
        solver = module.Solver(write_position(find_game(name).start(3)), 16, method)
        value, line, positions, hits, *_ = run(solver)
        assert value == 1 and line
        counts[name] = positions, hits
    assert counts == work


@pytest.mark.threads
def test_threads_may_start_and_turn_the_same_solver(module):
    """Each begins anew and ends what another began; none of it harms the process."""
    text = write_position(find_game("implo").start(5))
    solver = module.Solver(text, 1, "best")

    def disturb() -> None:
        for _ in range(150):
            solver.turn_to(text)
            solver.start(None, None)
            solver.stop()

    threads = [threading.Thread(target=disturb) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    solver.turn_to(IMPLO.replace("3 .../.../...", "5 ...../...../...../...../....."))
    assert run(solver, 100).value is None


@pytest.mark.threads
def test_several_threads_share_a_table(module):
    """They find the value, may be ended at any time, and go on from what they know."""
    text = "implo 4 .B../..W./..B./.... w pie=off"
    alone = run(module.Solver(text, 16, "best"))
    solver = module.Solver(text, 16, "best")
    for positions in range(20_000, 20_400, 20):  # others help after the first of these
        assert run(solver, positions, threads=3).value in (None, alone.value)
    found = run(solver, threads=3)
    assert found.value == alone.value
    assert alone.positions > 100_000
    with pytest.raises(ValueError, match="threads"):
        solver.start(None, None, threads=0)
