"""The lessons of all games: their files, their tasks on the rules, and what they teach."""

from pathlib import Path

import pytest

from documents.reference import documented_games
from gtp_engine.engine.tasks import BadExercise
from gtp_engine.engine.tasks.exercise import Exercise, find_exercise, lesson_exercises
from gtp_engine.engine.tasks.judging import Status, faults, judge
from gtp_engine.engine.tasks.lessons import Lessons, lessons_of, read_lessons
from gtp_engine.rules import find_game, games
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.notation.rule_text import rule_text
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.step import IllegalStep

TAUGHT = [game for game in games() if lesson_exercises(game)]
TASKS = [task for game in TAUGHT for task in lesson_exercises(game)]

LESSON = """
[[lesson]]
id = "a"
title = "A"

[[lesson.task]]
position = "robble 4 ..../..../..../.... b"
text = "Play."
hint = "Play."
accept = [{ turns = ["A1"] }]
solution = "A1"
right = "Good."
rules = ["R8"]
"""


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_a_task_is_solved_by_its_solution_and_not_by_its_wrong_tries(task):
    assert faults(task) == []
    assert judge(task, [task.solution]).words[-1] == task.goal.right


@pytest.mark.parametrize("word", ["pA5", "pC5", "pC4", "pC3", "pA3", "pA2", "pC2"])
def test_a_pawn_beside_a_stone_is_not_said_to_touch_none(word):
    """The task asks for a stone diagonally next to B4 or B3."""
    said = judge(find_exercise("boloa.diagonal.2"), [word]).words
    assert said[-1] == "That was a pawn; pawns do not count here. Use a stone."


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_the_lessons_of_a_game_teach_every_rule(game):
    tasks = lesson_exercises(game)
    taught = {rule for task in tasks for rule in task.goal.rules}
    assert taught == {each.rule for each in rule_text(game).sentences}
    assert 8 <= len(lessons_of(game).lessons) <= 12


def test_every_documented_game_has_lessons():
    assert [game.name for game in documented_games()] == [game.name for game in TAUGHT]


def test_the_words_of_a_task_are_short_sentences():
    for task in TASKS:
        said = [attempt.words for attempt in task.goal.wrong]
        for text in (task.text, task.hint, task.goal.right, task.goal.otherwise, *said):
            assert len(text) <= 240 and (not text or text[-1] in ".?!"), text
        assert len(task.title) <= 32, task.id
        assert len(task.text.split()) < 40, task.id
        assert all(said), task.id


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.name)
def test_every_rule_in_short_has_a_picture_that_can_be_drawn(game):
    pictures = lessons_of(game).pictures
    items = range(1, len(rule_text(game).short) + 1)
    assert {picture.item for picture in pictures} == set(items)
    for picture in pictures:
        position = read_position(picture.position)
        assert position.game is game
        assert picture.text.endswith(".") and len(picture.text) <= 110
        if picture.illegal:
            with pytest.raises(IllegalStep):
                read_turn(position, (), picture.turn)
        elif picture.turn:
            read_turn(position, (), picture.turn)


def written(tmp_path: Path, text: str) -> Lessons:
    path = tmp_path / "robble.toml"
    path.write_text(text)
    return read_lessons("robble", path)


@pytest.mark.parametrize(
    "before, after, said",
    [
        (
            "[[lesson]]",
            "[[lessons]]",
            'robble.toml: there is no key "lessons"; did you mean lesson?',
        ),
        ("[[lesson]]", "[[lesson", "robble.toml: "),
        ('title = "A"', "title = 5", "lesson a, title: expected text, got 5"),
        ('title = "A"\n', "", "lesson a: title is missing"),
        ('hint = "', 'hnt = "', 'lesson a, task 1: there is no key "hnt"; did you mean hint?'),
        ('hint = "Play."', 'hint = "."\nmore = 1', 'task 1: there is no key "more"; there are'),
        ('accept = [{ turns = ["A1"] }]', "accept = []", "task 1: nothing solves the task"),
        ("{ turns", "{ turn", 'task 1, accept 1: there is no key "turn"; did you mean turns?'),
        ('{ turns = ["A1"] }', '"A1"', "task 1, accept 1: expected object with turns, "),
        ('rules = ["R8"]', "rules = [8]", "task 1, rules 1: expected text, got 8"),
        (LESSON, "lesson = [5]", "lesson 1: expected object with id, title, task, got 5"),
        ("robble 4", "pilo 4", "task 1: the position is not one of robble"),
    ],
)
def test_a_fault_of_a_file_is_told_with_its_place(tmp_path, before, after, said):
    assert written(tmp_path, LESSON).lessons[0].task[0].solution == "A1"
    with pytest.raises(BadExercise) as caught:
        written(tmp_path, LESSON.replace(before, after, 1))
    assert said in str(caught.value)


def test_two_lessons_of_one_name_are_refused(tmp_path):
    with pytest.raises(BadExercise, match="two lessons have the same id"):
        written(tmp_path, LESSON + LESSON)


def task_of(tmp_path: Path, **changed: object) -> Exercise:
    """The task of LESSON, in which some values are changed."""
    (lesson,) = written(tmp_path, LESSON).lessons
    goal = lesson.task[0]._replace(**changed)
    first = TASKS[0]._replace(id="robble.a.1", position=goal.position, solution=goal.solution)
    return first._replace(goal=goal)


@pytest.mark.parametrize(
    "field, value, said",
    [
        ("solution", "B1", "its solution B1 is not accepted"),
        ("solution", "nonsense", "its solution nonsense is not accepted"),
        ("rules", ("R99",), "there is no rule R99"),
    ],
)
def test_a_task_that_cannot_be_solved_is_a_fault(tmp_path, field, value, said):
    assert faults(task_of(tmp_path)) == []
    assert [found.split(": ", 1)[1] for found in faults(task_of(tmp_path, **{field: value}))] == [
        said
    ]


def test_a_wrong_try_that_is_accepted_is_a_fault(tmp_path):
    task = task_of(tmp_path)
    assert faults(task._replace(goal=task.goal._replace(wrong=task.goal.accept))) == [
        "robble.a.1: A1 is listed as wrong, but accepted or incomplete"
    ]


def test_a_position_that_cannot_occur_is_told(tmp_path):
    with pytest.raises(BadExercise, match=r"robble\.a\.1: "):
        judge(task_of(tmp_path, position="robble 4 b"), ["A1"])


def test_a_turn_can_be_judged_by_the_end_that_it_forces():
    task = find_exercise("robble.end.3")
    verdict = judge(task, [task.solution])
    assert (verdict.status, verdict.replies) == (Status.RIGHT, ("D1",))
    assert "The board" not in verdict.words[0]


def test_a_game_without_a_file_has_no_lessons(any_game):
    if any_game not in games():
        assert lessons_of(any_game) == Lessons()
    assert find_exercise(f"{any_game.name}.none.1") is None
    assert find_exercise("") is None and find_exercise("nothing.a.1") is None


def test_the_game_of_a_task_is_found_by_its_id():
    for task in TASKS:
        assert find_exercise(task.id) == task
        assert read_position(task.position).game is find_game(task.id.split(".")[0])
