"""The lessons of a game, from `lessons/NAME.toml` beside the game's file.

protocol_specs/clients/lessons.md describes the file.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from gtp_engine.rules import UnknownGame, find_game
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.rule_text import folder_of

DRAW = "none"
"""The `winner` of a game that ends as a draw."""


class BadLessons(ValueError):
    """A file of lessons has a fault; the text says where, and what is wrong."""


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

    id       -- `GAME.LESSON.NUMBER`
    lesson   -- the id of its lesson, and its title
    number   -- its place in the lesson, from 1
    total    -- the number of tasks of the lesson
    position -- the position text
    text     -- the task in one or two sentences
    hint     -- a sentence that helps
    accept   -- what solves the task: one of these
    wrong    -- likely tries that do not, with words about each
    otherwise -- words about any other legal try
    right    -- what the learner should have seen
    solution -- a turn that solves the task
    rules    -- the numbers of the rules that it teaches
    """

    id: str
    lesson: str
    title: str
    number: int
    total: int
    position: str
    text: str
    hint: str
    accept: tuple[Attempt, ...]
    wrong: tuple[Attempt, ...]
    otherwise: str
    right: str
    solution: str
    rules: tuple[str, ...]


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
    """Everything in a file: the tasks of all lessons in order, and the pictures."""

    tasks: tuple[LessonTask, ...] = ()
    pictures: tuple[Picture, ...] = ()


@cache
def lessons_of(game: Game) -> Lessons:
    """The lessons of a game, empty without a file. Raises BadLessons."""
    path = folder_of(game) / "lessons" / f"{game.name}.toml"
    return read_lessons(game.name, path) if path.exists() else Lessons()


def find_task(name: str) -> LessonTask | None:
    """The task with an id, None if there is none."""
    with suppress(UnknownGame):
        for task in lessons_of(find_game(name.partition(".")[0])).tasks:
            if task.id == name:
                return task
    return None


def read_lessons(game: str, path: Path) -> Lessons:
    """The lessons in a file. Raises BadLessons if it is not formed as lessons.md says."""
    import tomllib

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadLessons(f"{path.name}: {error}") from None
    _check(data, {"lesson": list, "picture": list}, ("picture",), path.name)
    tasks: list[LessonTask] = []
    for number, lesson in enumerate(data["lesson"], 1):
        name = lesson.get("id", number) if isinstance(lesson, dict) else number
        where = f"{path.name}, lesson {name}"
        _check(lesson, {"id": str, "title": str, "task": list}, (), where)
        tasks += _tasks(game, lesson, where)
    if len({task.id for task in tasks}) < len(tasks):
        raise BadLessons(f"{path.name}: two lessons have the same id")
    pictures = data.get("picture", [])
    for picture in pictures:
        _check(picture, _PICTURE, _PICTURE_MAY_LACK, path.name)
    return Lessons(tuple(tasks), tuple(Picture(**picture) for picture in pictures))


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
                id=f"{game}.{lesson['id']}.{number}",
                lesson=lesson["id"],
                title=lesson["title"],
                number=number,
                total=len(lesson["task"]),
                accept=tuple(_attempt(each, f"{here}, accept") for each in task["accept"]),
                wrong=tuple(_attempt(each, f"{here}, wrong") for each in task.get("wrong", ())),
                **{"otherwise": "", **made, "rules": tuple(task["rules"])},
            )
        )
        if not task["accept"]:
            raise BadLessons(f"{here}: nothing solves the task")
        if task["position"].split()[:1] != [game]:
            raise BadLessons(f"{here}: the position is not one of {game}")
    return found


def _attempt(data: Any, where: str) -> Attempt:
    _check(data, _ATTEMPT, tuple(_ATTEMPT), where)
    given: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in data.items()
    }
    return Attempt(**given)


def _check(data: Any, kinds: Mapping[str, type], optional: tuple[str, ...], where: str) -> None:
    """Raises BadLessons unless `data` is a table with these keys and kinds of values."""
    if not isinstance(data, dict):
        raise BadLessons(f"{where}: expected a table, not {data!r}")
    for key, value in data.items():
        if key not in kinds:
            raise BadLessons(f"{where}: there is no key {key}; there are {', '.join(kinds)}")
        words = value if key in ("turns", "rules") and isinstance(value, list) else ()
        if not (isinstance(value, kinds[key]) and all(isinstance(each, str) for each in words)):
            raise BadLessons(f"{where}: {key} must be a {kinds[key].__name__}, not {value!r}")
    for key in kinds:
        if key not in data and key not in optional:
            raise BadLessons(f"{where}: {key} is missing")
