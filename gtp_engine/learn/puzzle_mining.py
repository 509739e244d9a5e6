"""Finds puzzles and endgames in the positions of games, grades them, and selects those to ship."""

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, zip_longest

from gtp_engine.engine.tasks.identity import bare, identity, symmetric
from gtp_engine.engine.tasks.proof import Unproven, distinct_turns, new_solver, winning, wins
from gtp_engine.engine.tasks.puzzle import BETTER, ENDGAME, GRADES, KINDS, PROVEN, Puzzle
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import write_line, write_turn
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import Pie, Step, UnplayablePosition
from gtp_engine.rules.turns import TooMany, Turn, played, settle
from gtp_engine.search.backends.choose import AUTO, await_kernel, backend_for
from gtp_engine.search.budget import Budget
from gtp_engine.search.named_players import make_player
from gtp_engine.search.observer import Report
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.player import TreePlayer
from gtp_engine.search.solution import Solver
from gtp_engine.search.step_features import Habits
from gtp_engine.search.tree import Row, value_for

# With fewer turns nothing is hidden.
_FEWEST_TURNS = 5

# In an endgame at most so many turns win, and at most this share of all turns.
_MOST_WINNING, _SHARE_THAT_WINS = 8, 1 / 2

# The least turns of an endgame, with best play.
_TURNS_OF_AN_ENDGAME = 5

# The solver's positions for each value while mining: proofs that need more are not looked for.
_POSITIONS = 30_000

# Two unsolved positions of one game, and no earlier one will be solved.
_UNSOLVED = 2

# What is far better: the least value of the turn, the greatest of the next best one, and the least
# difference. A quick search tells where to look, with looser bounds.
_GOOD, _OTHERS, _GAP = 0.6, 0.45, 0.3
_LOOSE = 0.15
_QUICK, _DEEP = 600, 16_000

# The players of self-play, by the number of the game: their visits, the weakest first. Weak players
# leave more to find. Games begin with random turns, so that no two are alike.
_VISITS = (30, 80, 200)
_LEEWAY = 0.1
_RANDOM_TURNS = 3


def self_play(game: Game, size: int, seed: int, number: int) -> list[Position]:
    """The positions of a game between equal players, before each turn; the same each time."""
    await_kernel(game, AUTO)
    word = f"{seed}-{number}"
    chance = make_player(game, "random", word)
    player = make_player(game, "mcts", word, options=_OPTIONS, habits=Habits(_LEEWAY))
    budget = Budget(visits=_VISITS[number % len(_VISITS)])
    position = game.start(size, Pie.OFF)
    positions: list[Position] = []
    while position.outcome() is None:
        chooser = chance if len(positions) < _RANDOM_TURNS else player
        positions.append(position)
        choice = chooser.choose(position, position.legal_steps(), budget)
        position = played(position, choice.steps)
    return positions


def found_in(positions: Sequence[Position], source: str) -> Iterator[Puzzle]:
    """The puzzles and endgames in the positions of a game, the last position first.

    source -- names the game
    """
    if not positions:
        return
    solver = new_solver(positions[0])
    unsolved = 0
    for number in range(len(positions), 0, -1):
        try:
            position = bare(positions[number - 1])
        except UnplayablePosition:
            continue
        if position.open or symmetric(position):
            continue
        try:
            turns = distinct_turns(position)
        except TooMany:
            continue
        if len(turns) < _FEWEST_TURNS:
            continue
        told = f"{source}, turn {number}"
        quick = _search(position, _QUICK).rows
        found = None
        if unsolved < _UNSOLVED:
            try:
                found = _proven(position, _in_order(turns, quick, position), solver, told)
            except Unproven:
                unsolved += 1
        elif _far_better(quick, position.to_move, _LOOSE):
            found = _better(position, told)
        if found is not None:
            yield found


def _in_order(turns: list[Turn], rows: Sequence[Row], position: Position) -> list[Turn]:
    """The turns, those first that a search finds good: winning ones are proven in less time."""
    values = {row.step: value_for(position.to_move, row.value) for row in rows}
    return sorted(turns, key=lambda turn: values.get(turn.steps[0], 0.0), reverse=True)


def _proven(position: Position, turns: list[Turn], solver: Solver, source: str) -> Puzzle | None:
    """A puzzle or an endgame, if only one turn or some turns win. Raises Unproven."""
    color = position.to_move
    if not wins(position, color, solver, _POSITIONS):
        return None
    most = max(1, min(_MOST_WINNING, int(_SHARE_THAT_WINS * len(turns))))
    right = list(islice(winning(turns, color, solver, _POSITIONS), most + 1))
    if len(right) > most:
        return None
    if len(right) == 1:
        return _puzzle(position, PROVEN, right, source)
    line = solver.solve(position, Budget(visits=_POSITIONS)).line
    if len(write_line(position, line)) < _TURNS_OF_AN_ENDGAME:
        return None
    return _puzzle(position, ENDGAME, right, source)


def _better(position: Position, source: str) -> Puzzle | None:
    """A puzzle, if one turn is far better than all others by a deep search."""
    deep = _search(position, _DEEP).rows[0]
    others = tuple(step for step in position.legal_steps() if step != deep.step)
    rows = deep, *_search(position, _DEEP, others).rows[:1]
    forced, after = settle(position.play_unchecked(deep.step))
    if after.open or not _far_better(rows, position.to_move):
        return None
    return _puzzle(position, BETTER, [Turn(position, (deep.step, *forced), after)], source)


def _far_better(rows: Sequence[Row], color: Color, loose: float = 0.0) -> bool:
    """Whether the first row is good, and all others are far worse."""
    best, *others = (value_for(color, row.value) for row in rows)
    most = min(_OTHERS, best - _GAP) + loose
    return best >= _GOOD - loose and all(each <= most for each in others)


def _puzzle(position: Position, kind: str, right: list[Turn], source: str) -> Puzzle:
    return Puzzle(
        identity(position),
        write_position(position),
        kind,
        tuple(write_turn(position, turn.steps) for turn in right),
        grade(position, [turn.position for turn in right]),
        source,
    )


_VISITS_OF_GRADES = (20, 100, 500, 2_500)
"""A search of so many visits finds a puzzle of grade 1, 2, 3 or 4; grade 5 needs a deeper one."""

_SEED = 1
_OPTIONS = SearchOptions(hash_mb=32)
"""Of all searches for puzzles: they are short."""


def _player(position: Position) -> TreePlayer:
    """A player without a solver, whose choices can be repeated."""
    rng = random.Random(_SEED)
    return TreePlayer(backend_for(position.game, AUTO).trees(_OPTIONS, rng, False), rng)


def _search(position: Position, visits: int, among: tuple[Step, ...] | None = None) -> Report:
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
    for number, visits in reversed(list(zip(GRADES, _VISITS_OF_GRADES))):
        if _after_a_search(position, visits) not in right:
            break
        found = number
    return found


def _after_a_search(position: Position, visits: int) -> Position:
    """The position after the turn that a search chooses."""
    choice = _player(position).choose(position, position.legal_steps(), Budget(visits))
    return played(position, choice.steps)


MOST = {PROVEN: 30, BETTER: 6, ENDGAME: 15}
"""How many of a kind are selected for each grade."""

_FROM_A_GAME = 2


def select(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """A selection, by grade and kind, which depends on the puzzles alone, not on their order.

    Of one grade and kind the plainest come first.
    """
    found = sorted({each.id: each for each in puzzles}.values())
    games: Counter[str] = Counter()
    selected = []
    for kind in KINDS:
        for wanted in reversed(GRADES):  # the harder ones are rarer
            left = MOST[kind]
            for puzzle in _by_size(each for each in found if each[2::2] == (kind, wanted)):
                game = puzzle.source.rpartition(",")[0]
                if left and games[game] < _FROM_A_GAME:
                    games[game] += 1
                    left -= 1
                    selected.append(puzzle)
    return sorted(
        selected,
        key=lambda each: (each.grade, KINDS.index(each.kind), _plainness(each), each.id),
    )


def _plainness(puzzle: Puzzle) -> tuple[int, int]:
    """How many steps the shortest right turn has, and how many points are empty: few are plain."""
    steps = min(turn.count("/") + 1 for turn in puzzle.turns)
    return steps, puzzle.position.split()[2].count(".")


def _by_size(puzzles: Iterable[Puzzle]) -> Iterator[Puzzle]:
    """The puzzles, of each size one in turn."""
    sizes: dict[str, list[Puzzle]] = {}
    for each in puzzles:
        sizes.setdefault(each.position.split()[1], []).append(each)
    for round_ in zip_longest(*sizes.values()):
        yield from filter(None, round_)
