"""The tasks of all lessons by messages of a server: each is done by what a person clicks."""

import json
import re

import pytest

from gtp_engine.engine.tasks.exercise import Exercise, lesson_exercises
from gtp_engine.engine.tasks.judging import Status, judge, start_of
from gtp_engine.rules import games
from support.driver import Driver
from support.thorough import first_of
from support.told_page import ToldPage

POINT = re.compile(r"\b[A-T]\d\b")
PLAYED = (
    "() => window.sent.filter(({ kind }) => ['step', 'why'].includes(kind)).map(one => one.word)"
)


def clicks_of(task: Exercise) -> list[str]:
    """The points of the solution; a hint that names clicks must name the same ones."""
    points = re.findall(r"[A-T]\d", task.solution)
    if "click" in task.hint.lower():
        named = POINT.findall(task.hint.partition(" or ")[0])
        assert named == points[: len(named)], task.id
    return points


def buttons_of(task: Exercise, view: dict) -> list[str]:
    """The button to press before these clicks, the tool; without clicks the step itself."""
    if not clicks_of(task):
        return [task.solution.capitalize()]
    tools = [view["verbs"][verb] for verb in view["tools"]]
    return [one["title"] for one in tools if one["template"][0] == task.solution[0]]


def open_lessons(told: ToldPage, game: str, tasks: list[dict]) -> None:
    """Begin the first task, as the screen of the lessons does."""
    told.show(Driver(game))
    told.page.evaluate("(game) => { location.hash = `#learn/${game}` }", game)
    told.page.wait_for_function("window.sent.some(({ kind }) => kind === 'exercises')")
    told.tell("exercises", set="lessons", game=game, list=tasks)
    assert told.sent("exercise") == [{"set": "lessons", "id": tasks[0]["id"]}]
    told.hello(table="exercise")


def play(told: ToldPage, task: Exercise, told_of: dict) -> str:
    """The turn that the page asks to play, or asks about, when a person does the task."""
    driver = Driver(task.game.name)
    driver.session.set_position(start_of(task))
    before = len(told.page.evaluate(PLAYED))
    with told.at_once():
        view = told.show(driver)
        verdict = {"status": "open", "refused": False, "words": [], "rules": []}
        told.tell("exercise", set="lessons", **told_of | verdict)
    for title in buttons_of(task, view):
        told.button(title, "#status").click()
    steps: list[str] = []
    for point in clicks_of(task):
        told.point(point).click()
        new = told.page.evaluate(PLAYED)[before + len(steps) :]
        if new and judge(task, ["/".join([*steps, *new])]).status is Status.OPEN:
            driver(f"play {view['turn']['to_move']} {new[0]}")
            told.show(driver)
        steps += new
    return "/".join(steps or told.page.evaluate(PLAYED)[before:])


@pytest.mark.parametrize("game", first_of(games()), ids=lambda game: game.name)
def test_each_task_of_a_lesson_is_done_by_the_clicks_of_its_hint_and_solution(told, game):
    tasks = {task.id: task for task in lesson_exercises(game)}
    listed = json.loads(Driver()(f"game-lessons {game.name}"))
    open_lessons(told, game.name, listed)
    for each in listed:
        turn = play(told, tasks[each["id"]], each)
        assert judge(tasks[each["id"]], [turn]).status is Status.RIGHT, f"{each['id']}: {turn}"
