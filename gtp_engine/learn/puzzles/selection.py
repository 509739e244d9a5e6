"""Selects the puzzles to ship: of each grade and size some, few from one game."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from gtp_engine.engine.tasks.puzzle import BETTER, ENDGAME, GRADES, KINDS, PROVEN, Puzzle

MOST = {PROVEN: 30, BETTER: 6, ENDGAME: 15}
"""How many of a kind are selected for each grade."""

_FROM_A_GAME = 2


def select(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """A selection, by grade and kind. It depends on the puzzles alone, not on their order."""
    found = sorted({each.id: each for each in puzzles}.values())
    games: Counter[str] = Counter()
    selected = []
    for kind in KINDS:
        for grade in reversed(GRADES):  # the harder ones are rarer
            left = MOST[kind]
            for puzzle in _by_size(each for each in found if each[2::2] == (kind, grade)):
                game = puzzle.source.rpartition(",")[0]
                if left and games[game] < _FROM_A_GAME:
                    games[game] += 1
                    left -= 1
                    selected.append(puzzle)
    return sorted(selected, key=lambda each: (each.grade, KINDS.index(each.kind), each.id))


def _by_size(puzzles: Iterable[Puzzle]) -> Iterator[Puzzle]:
    """The puzzles, of each size one in turn."""
    sizes: dict[str, list[Puzzle]] = {}
    for each in puzzles:
        sizes.setdefault(each.position.split()[1], []).append(each)
    for round_ in zip_longest(*sizes.values()):
        yield from filter(None, round_)
