"""Lessons: tasks that teach the rules of a game, and the judgment of a learner's tries.

A front end shows a task, lets the learner play at its position, and asks `game-judge_lesson` after
each try ([lessons](../lessons.md)).
"""

from typing import Any

from gtp_engine.engine.session import Session
from gtp_engine.engine.tasks.judging import Judgment, judge
from gtp_engine.engine.tasks.lessons import LessonTask, find_task, lessons_of
from gtp_engine.engine.view.view import view
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import GAME, INVALID_TURN, word
from gtp_engine.gtp.wire.registry import Failure, JsonResult, optional
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.notation.rule_text import rule_text, sentence


@command("game-lessons", optional(GAME))
def game_lessons(session: Session, game: Game | None = None) -> JsonResult:
    """List the tasks of the lessons of a game, in the order in which to learn them.

    Arguments: a game, by default the present one
    Reply: a JSON list, empty for a game without lessons; each with `id`; `lesson` and `title`, the
        id and title of its lesson; `number` and `total`, its place there and the number of tasks;
        `game`, `size`, `position`; `color`, the learner's; `text` (what to do) and `hint`;
        `solution`, a list with a turn that solves it; and `rules`, the numbers of the rules that it
        teaches
    Fails: `unknown game`
    """
    return [_task(task) for task in lessons_of(game or session.game).tasks]


def _task(task: LessonTask) -> dict[str, Any]:
    game, size, _, color = task.position.split()[:4]
    return {
        "id": task.id,
        "lesson": task.lesson,
        "title": task.title,
        "number": task.number,
        "total": task.total,
        "game": game,
        "size": int(size),
        "position": task.position,
        "color": "black" if color == "b" else "white",
        "text": task.text,
        "hint": task.hint,
        "solution": [task.solution],
        "rules": task.rules,
    }


@command("game-judge_lesson", word("TASK"), word("TURN"), malformed=INVALID_TURN)
def game_judge_lesson(session: Session, name: str, turn: str) -> JsonResult:
    """Judge a learner's turn at the position of a task.

    Arguments: the id of a task, and a turn as for `play`
    Effect: none; the game of the session does not matter
    Reply: a JSON object
        - `status`: `right`, `wrong`, `refused` for an illegal turn, or `open` for a part of a turn
        - `words`: sentences about what the turn did, or why it is illegal, and what to learn from
          it
        - `rules`: those from which the sentences follow, each with `rule` (its number) and `text`
        - `replies`: the turns that follow because nobody has a choice
    Fails: `unknown task`; `invalid color or coordinate`
    Example:
        > game-judge_lesson robble.push.1 c3
        = {"status":"refused","words":["C3 is not empty."],"rules":[{"rule":"R8","text":"Put a stone of your color on an empty square. It acts on each stone adjacent to it, of either color. What that stone does depends on what is behind it, as seen from the new stone."}],"replies":[]}
        > game-judge_lesson robble.push.99 c3
        ? unknown task
    """  # noqa: E501
    task = find_task(name)
    if task is None:
        raise Failure("unknown task")
    return judgment_object(judge(task, turn), find_game(task.position.split()[0]))


def judgment_object(judgment: Judgment, game: Game) -> dict[str, Any]:
    """A judgment as JSON, with the sentences of its rules."""
    rules = [{"rule": rule, "text": sentence(game, rule)} for rule in judgment.rules]
    return judgment._asdict() | {"status": judgment.status.value, "rules": rules}


@command("game-summary", optional(GAME))
def game_summary(session: Session, game: Game | None = None) -> JsonResult:
    """List the rules of a game in short, with pictures.

    Arguments: a game, by default the present one
    Reply: a JSON list; each with `text`, a rule in some words, and `pictures`, [views](../view.md)
        without `options`, `buttons` and `tools`; the last turn of a view is what the picture shows
    Fails: `unknown game`
    """
    found = game or session.game
    return [
        {
            "text": text,
            "pictures": [
                picture_of(picture.position, picture.turn)
                for picture in lessons_of(found).pictures
                if picture.item == number and not picture.illegal
            ],
        }
        for number, text in enumerate(rule_text(found).short, 1)
    ]


def picture_of(text: str, turn: str = "") -> dict[str, Any]:
    """The view of a position, from its text, and of a turn there, without anything to play."""
    position = read_position(text)
    session = Session(position.game)
    session.set_position(position)
    if turn:
        session.repeat(position.to_move, turn)
    return view(session) | {"options": [], "buttons": [], "tools": [], "verbs": {}}
