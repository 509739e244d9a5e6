"""The lessons of a game, from `lessons/NAME.toml` beside the game's file.

protocol_specs/clients/lessons.md describes the file.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

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
    tasks: tuple[LessonTask, ...]


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


@cache
def lessons_of(game: Game) -> Lessons:
    """The lessons of a game, empty without a file. Raises BadExercise."""
    path = folder_of(game) / "lessons" / f"{game.name}.toml"
    return read_lessons(game.name, path) if path.exists() else Lessons()


def read_lessons(game: str, path: Path) -> Lessons:
    """The lessons in a file. Raises BadExercise if it is not formed as lessons.md says."""
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadExercise(f"{path.name}: {error}") from None
    _check(data, {"lesson": list, "picture": list}, ("picture",), path.name)
    lessons: list[Lesson] = []
    for number, lesson in enumerate(data["lesson"], 1):
        name = lesson.get("id", number) if isinstance(lesson, dict) else number
        where = f"{path.name}, lesson {name}"
        _check(lesson, {"id": str, "title": str, "task": list}, (), where)
        tasks = tuple(_tasks(game, lesson, where))
        lessons.append(Lesson(lesson["id"], lesson["title"], tasks))
    if len({lesson.id for lesson in lessons}) < len(lessons):
        raise BadExercise(f"{path.name}: two lessons have the same id")
    pictures = data.get("picture", [])
    for picture in pictures:
        _check(picture, _PICTURE, _PICTURE_MAY_LACK, path.name)
    return Lessons(tuple(lessons), tuple(Picture(**picture) for picture in pictures))


_PICTURE = {"item": int, "position": str, "turn": str, "text": str, "illegal": bool}
_PICTURE_MAY_LACK = ("turn", "text", "illegal")

_FIELDS = {
    "position": str,
    "text": str,
    "hint": str,
    "accept": list,
    "wrong": list,
    "otherwise": str,
    "right": str,
    "solution": str,
    "rules": list,
}
_ATTEMPT = {
    "turns": list,
    "rules": list,
    "board": dict,
    "winner": str,
    "ends": str,
    "refused": str,
    "words": str,
}


def _tasks(game: str, lesson: dict[str, Any], where: str) -> list[LessonTask]:
    found = []
    for number, task in enumerate(lesson["task"], 1):
        here = f"{where}, task {number}"
        _check(task, _FIELDS, ("wrong", "otherwise"), here)
        made = {key: value for key, value in task.items() if key not in ("accept", "wrong")}
        found.append(
            LessonTask(
                accept=tuple(_attempt(each, f"{here}, accept") for each in task["accept"]),
                wrong=tuple(_attempt(each, f"{here}, wrong") for each in task.get("wrong", ())),
                **{"otherwise": "", **made, "rules": tuple(task["rules"])},
            )
        )
        if not task["accept"]:
            raise BadExercise(f"{here}: nothing solves the task")
        if task["position"].split()[:1] != [game]:
            raise BadExercise(f"{here}: the position is not one of {game}")
    return found


def _attempt(data: Any, where: str) -> Attempt:
    _check(data, _ATTEMPT, tuple(_ATTEMPT), where)
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
    }
    return Attempt(**given)


def _check(data: Any, kinds: Mapping[str, type], optional: tuple[str, ...], where: str) -> None:
    """Raises BadExercise unless `data` is a table with these keys and kinds of values."""
    if not isinstance(data, dict):
        raise BadExercise(f"{where}: expected a table, not {data!r}")
    for key, value in data.items():
        if key not in kinds:
            raise BadExercise(f"{where}: there is no key {key}; there are {', '.join(kinds)}")
        words = value if key in ("turns", "rules") and isinstance(value, list) else ()
        if not (isinstance(value, kinds[key]) and all(isinstance(each, str) for each in words)):
            raise BadExercise(f"{where}: {key} must be a {kinds[key].__name__}, not {value!r}")
    for key in kinds:
        if key not in data and key not in optional:
            raise BadExercise(f"{where}: {key} is missing")
