"""Exercises: the tasks of lessons, the puzzles and the endgames of a game, all in one form.

Front ends show them in this form, and `judging.judge` judges what a learner plays.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from gtp_engine.engine.tasks.lessons import LessonTask, lessons_of
from gtp_engine.engine.tasks.puzzle import BETTER, ENDGAME, PROVEN, Puzzle, shipped
from gtp_engine.rules import UnknownGame, find_game
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import read_to_move

_ROW = re.compile(r"[A-Z](\d+)")

_TEXTS = {
    PROVEN: "{} is to play and wins, but only with one turn. Find it.",
    BETTER: "{} is to play. One turn is far better than all others. Find it.",
    ENDGAME: "{} is to play and wins with best play. Win it: the engine answers as well as it can.",
}


class Exercise(NamedTuple):
    """A position, and what the learner is to do there.

    id       -- in all games: `GAME.LESSON.NUMBER` of a task, `GAME.ID` of a puzzle
    number   -- its place in its lesson or in the list of its kind, from 1
    total    -- the number of exercises there
    position -- the position text; the color to move is the learner's
    title    -- a heading
    text     -- the task in one or two sentences
    hint     -- a sentence that helps
    solution -- a turn that solves it, or that begins to
    goal     -- what decides whether a turn is right
    more     -- what front ends are told besides
    """

    id: str
    number: int
    total: int
    position: str
    title: str
    text: str
    hint: str
    solution: str
    goal: LessonTask | Puzzle
    more: Mapping[str, Any]

    @property
    def game(self) -> Game:
        """The game of the position."""
        return find_game(self.position.split()[0])

    def told(self) -> dict[str, Any]:
        """The exercise for front ends."""
        return {
            "id": self.id,
            "number": self.number,
            "total": self.total,
            "game": self.game.name,
            "size": int(self.position.split()[1]),
            "position": self.position,
            "color": str(read_to_move(self.position)),
            "title": self.title,
            "text": self.text,
            "hint": self.hint,
            "solution": [self.solution],
            **self.more,
        }


def lesson_exercises(game: Game) -> list[Exercise]:
    """The tasks of the lessons of a game, in the order in which to learn them."""
    return [
        Exercise(
            id=f"{game.name}.{lesson.id}.{number}",
            number=number,
            total=len(lesson.task),
            position=task.position,
            title=lesson.title,
            text=task.text,
            hint=task.hint,
            solution=task.solution,
            goal=task,
            more={"lesson": lesson.id, "rules": task.rules},
        )
        for lesson in lessons_of(game).lessons
        for number, task in enumerate(lesson.task, 1)
    ]


def puzzle_exercises(game: Game, kinds: Collection[str] = (PROVEN, BETTER)) -> list[Exercise]:
    """The puzzles of a game of some kinds, the easiest first."""
    found = [each for each in shipped(game) if each.kind in kinds]
    return [
        Exercise(
            id=f"{game.name}.{puzzle.id}",
            number=number,
            total=len(found),
            position=puzzle.position,
            title="Endgame" if puzzle.kind == ENDGAME else "Puzzle",
            text=_TEXTS[puzzle.kind].format(game.color_names[read_to_move(puzzle.position)]),
            hint=_where(puzzle.turns[0]),
            solution=puzzle.turns[0],
            goal=puzzle,
            more={"kind": puzzle.kind, "grade": puzzle.grade, "source": puzzle.source},
        )
        for number, puzzle in enumerate(found, 1)
    ]


def endgame_exercises(game: Game) -> list[Exercise]:
    """The endgames of a game, the easiest first."""
    return puzzle_exercises(game, (ENDGAME,))


def find_exercise(name: str) -> Exercise | None:
    """The exercise with an id, None if there is none."""
    try:
        game = find_game(name.partition(".")[0])
    except UnknownGame:
        return None
    for listed in (lesson_exercises, puzzle_exercises, endgame_exercises):
        for exercise in listed(game):
            if exercise.id == name:
                return exercise
    return None


def of_the_day(games: Sequence[Game], day: date) -> Exercise | None:
    """The puzzle of a day: the games take turns, and each shows all of its puzzles in turn."""
    listed = [found for game in games if (found := puzzle_exercises(game))]
    if not listed:
        return None
    rounds, turn = divmod(day.toordinal(), len(listed))
    # By their ids they are in no order that people notice.
    puzzles = sorted(listed[turn], key=lambda each: each.id)
    return puzzles[rounds % len(puzzles)]


def _where(turn: str) -> str:
    """A hint where to look for a turn."""
    row = _ROW.search(turn)
    return f"The turn begins in row {row[1]}." if row else "Look at the buttons beside the board."
