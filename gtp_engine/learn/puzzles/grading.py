"""How hard a puzzle is: how deep a search must look until it finds the turn and keeps it."""

import random
from collections.abc import Collection

from gtp_engine.engine.tasks.puzzle import GRADES
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.rules.turns import played
from gtp_engine.search.backends.choose import AUTO, backend_for
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.player import TreePlayer

VISITS = (20, 100, 500, 2_500)
"""A search of so many visits finds a puzzle of grade 1, 2, 3 or 4; grade 5 needs a deeper one."""

_SEED = 1
OPTIONS = SearchOptions(hash_mb=32)
"""Of all searches for puzzles: they are short."""


def _player(position: Position) -> TreePlayer:
    """A player without a solver, whose choices can be repeated."""
    rng = random.Random(_SEED)
    return TreePlayer(backend_for(position.game, AUTO).trees(OPTIONS, rng, False), rng)


def search(position: Position, visits: int, among: tuple[Step, ...] | None = None) -> Report:
    """The report of a search; the same each time.

    among -- the legal steps to search; None for all
    """
    steps = position.legal_steps() if among is None else among
    return _player(position).analyze(position, steps, Budget(visits=visits).begin())


def grade(position: Position, right: Collection[Position]) -> int:
    """The grade of a puzzle.

    right -- the positions after the turns that are right
    """
    found = GRADES[-1]
    for number, visits in reversed(list(zip(GRADES, VISITS))):
        if _after_a_search(position, visits) not in right:
            break
        found = number
    return found


def _after_a_search(position: Position, visits: int) -> Position:
    """The position after the turn that a search chooses."""
    choice = _player(position).choose(position, position.legal_steps(), Budget(visits))
    return played(position, choice.steps)
