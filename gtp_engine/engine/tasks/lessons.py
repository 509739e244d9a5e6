"""The lessons of a game, from `lessons/NAME.toml` beside the game's file.

protocol_specs/clients/lessons.md describes the file.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from gtp_engine.base.shapes import shape_of
from gtp_engine.engine.tasks import BadExercise
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.rule_text import folder_of

DRAW = "none"
"""The `winner` of a game that ends as a draw."""


class Attempt(NamedTuple):
    """What a try can do. It fits if everything that is given here holds; an empty field fits any.

    turns   -- words of turns; `*` stands for any characters
    rules   -- numbers of rules that the effects of the turn cite, each of them
    board   -- by vertex, the word of the diagram after the turn
    winner  -- a color, or DRAW: the turn ends the game so
    ends    -- the number of the rule that decides this game
    refused -- the number of the rule that forbids the turn; "" for a legal turn
    words   -- what to say about the try
    """

    turns: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    board: Mapping[str, str] = MappingProxyType({})
    winner: str = ""
    ends: str = ""
    refused: str = ""
    words: str = ""


class LessonTask(NamedTuple):
    """A position, and what the learner is to do there.

    position  -- the position text
    text      -- the task in one or two sentences
    hint      -- a sentence that helps
    accept    -- what solves the task: one of these
    solution  -- a turn that solves the task
    right     -- what the learner should have seen
    rules     -- the numbers of the rules that it teaches
    wrong     -- likely tries that do not solve it, with words about each
    otherwise -- words about any other legal try
    """

    position: str
    text: str
    hint: str
    accept: tuple[Attempt, ...]
    solution: str
    right: str
    rules: tuple[str, ...]
    wrong: tuple[Attempt, ...] = ()
    otherwise: str = ""


class Lesson(NamedTuple):
    """One idea, and its tasks in order."""

    id: str
    title: str
    task: tuple[LessonTask, ...]


class Picture(NamedTuple):
    """A picture for an item of the rules in short.

    item     -- the number of the item, from 1
    position -- the position text
    turn     -- a turn that is shown after it was played there; "" for none
    text     -- what the picture shows, in words
    illegal  -- whether the turn is an illegal one, which only the game's page can show
    """

    item: int
    position: str
    turn: str = ""
    text: str = ""
    illegal: bool = False


class Lessons(NamedTuple):
    """Everything in a file: the lessons in the order in which to learn them, and the pictures."""

    lessons: tuple[Lesson, ...] = ()
    pictures: tuple[Picture, ...] = ()


class _File(NamedTuple):
    """A file as it is written."""

    lesson: tuple[Lesson, ...]
    picture: tuple[Picture, ...] = ()


@cache
def lessons_of(game: Game) -> Lessons:
    """The lessons of a game, empty without a file. Raises BadExercise."""
    path = folder_of(game) / "lessons" / f"{game.name}.toml"
    return read_lessons(game.name, path) if path.exists() else Lessons()


def read_lessons(game: str, path: Path) -> Lessons:
    """The lessons in a file. Raises BadExercise if it is not formed as lessons.md says."""
    import tomllib

    try:
        found: _File = shape_of(_File).read(tomllib.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise BadExercise(f"{path.name}: {error}") from None
    if len({lesson.id for lesson in found.lesson}) < len(found.lesson):
        raise BadExercise(f"{path.name}: two lessons have the same id")
    for lesson in found.lesson:
        for number, task in enumerate(lesson.task, 1):
            where = f"{path.name}: lesson {lesson.id}, task {number}"
            if not task.accept:
                raise BadExercise(f"{where}: nothing solves the task")
            if task.position.split()[:1] != [game]:
                raise BadExercise(f"{where}: the position is not one of {game}")
    return Lessons(found.lesson, found.picture)
