"""Puzzles and endgames as data: one JSON object a line, one file a game.

The files are in `data/` beside this module; protocol_specs/clients/puzzles.md describes them.
"""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

from gtp_engine.base.shapes import TEXT, Unfit, array, choice, integer, read_json, shape_of
from gtp_engine.engine.tasks import BadExercise
from gtp_engine.rules.game import Game

PROVEN, BETTER, ENDGAME = "proven", "better", "endgame"
KINDS = (PROVEN, BETTER, ENDGAME)
"""What is claimed of a position, for the color to move:

proven  -- exactly one turn wins, as the solver has proven
better  -- exactly one turn is far better than all others, by a deep search
endgame -- some turns win and most do not, as the solver has proven
"""

GRADES = range(1, 6)
"""Grades of difficulty; see puzzle_mining.py."""


class Puzzle(NamedTuple):
    """A position with a task: find the turn, or win.

    id       -- the identity of the position; see identity.py
    position -- as text
    kind     -- one of KINDS
    turns    -- the words of the turns that are right
    grade    -- how deep a search must look for them
    source   -- the game and the turn in it
    """

    id: str
    position: str
    kind: Annotated[str, choice(*KINDS)]
    turns: Annotated[tuple[str, ...], array(TEXT, least=1)]
    grade: Annotated[int, integer(GRADES[0], GRADES[-1])]
    source: str


def write_puzzle(puzzle: Puzzle) -> str:
    """A puzzle as a line."""
    return json.dumps(puzzle._asdict())


def read_puzzle(line: str) -> Puzzle:
    """The puzzle of a line. Raises BadExercise; the position and its turns are not read."""
    try:
        puzzle: Puzzle = shape_of(Puzzle).read(read_json(line))
    except Unfit as error:
        raise BadExercise(str(error)) from None
    return puzzle


def read_puzzles(text: str) -> tuple[Puzzle, ...]:
    """The puzzles of a file's text. Raises BadExercise, which names the line."""
    found: dict[str, Puzzle] = {}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            puzzle = read_puzzle(line)
            if puzzle.id in found:
                raise BadExercise(f"{puzzle.id} occurs twice")
        except BadExercise as error:
            raise BadExercise(f"line {number}: {error}") from None
        found[puzzle.id] = puzzle
    return tuple(found.values())


@cache
def shipped(game: Game) -> tuple[Puzzle, ...]:
    """The puzzles and endgames that come with a game: none for a game without a file."""
    path = Path(__file__).parent / "data" / f"{game.name}.jsonl"
    return read_puzzles(path.read_text("utf-8")) if path.exists() else ()
