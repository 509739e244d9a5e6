"""Exercises: lessons, puzzles and endgames, and the judgment of what a learner plays there.

A front end shows an exercise, lets the learner play at its position, asks `game-judge` after each
turn, and plays the replies. [Lessons](../lessons.md) and [puzzles](../puzzles.md) tell more.
"""

from datetime import date
from typing import TYPE_CHECKING, Any

from gtp_engine.engine.session import Session
from gtp_engine.engine.view.view import view
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import GAME, INVALID_TURN, word
from gtp_engine.gtp.wire.registry import NULL, Argument, Failure, JsonResult, optional, rest
from gtp_engine.rules import games
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.notation.rule_text import rule_text, sentence

# Few sessions have an exercise, and each one waits for what is imported at its start.
if TYPE_CHECKING:
    from gtp_engine.engine.tasks.exercise import Exercise

DAY = Argument("YYYY-MM-DD", date.fromisoformat)


@command("game-lessons", optional(GAME))
def game_lessons(session: Session, game: Game | None = None) -> JsonResult:
    """List the tasks of the lessons of a game, in the order in which to learn them.

    Arguments: a game, by default the present one
    Reply: a JSON list, empty for a game without lessons; each with
        - `id`; `number` and `total`: its place in its lesson and the number of tasks there
        - `game`, `size`, `position`; `color`: the learner's
        - `title` (of the lesson), `text` (what to do) and `hint`
        - `solution`: a list with a turn that solves it
        - `lesson`: the id of its lesson; `rules`: the numbers of the rules that it teaches
    Fails: `unknown game`
    """
    from gtp_engine.engine.tasks.exercise import lesson_exercises

    return _told(lesson_exercises(game or session.game))


@command("game-puzzles", optional(GAME))
def game_puzzles(session: Session, game: Game | None = None) -> JsonResult:
    """List the puzzles of a game, the easiest first.

    Arguments: a game, by default the present one
    Reply: as `game-lessons`, with other keys at the end of each
        - `number` and `total`: its place in the list and the length of the list
        - `kind`: `proven` (the solver has proven that one turn wins, and no other) or `better` (one
          turn is far better by a deep search); `grade`: 1 to 5; `source`: the game where it was
          found
    Fails: `unknown game`
    """
    from gtp_engine.engine.tasks.exercise import puzzle_exercises

    return _told(puzzle_exercises(game or session.game))


@command("game-endgames", optional(GAME))
def game_endgames(session: Session, game: Game | None = None) -> JsonResult:
    """List the endgames of a game, the easiest first: positions that the color to move can win.

    Arguments: a game, by default the present one
    Reply: as `game-puzzles`. `kind` is `endgame`: the solver has proven that some turns win and
        most do not; `solution` has one of them
    Fails: `unknown game`
    """
    from gtp_engine.engine.tasks.exercise import endgame_exercises

    return _told(endgame_exercises(game or session.game))


def _told(exercises: "list[Exercise]") -> JsonResult:
    return [each.told() for each in exercises]


@command("game-daily_puzzle", DAY, optional(GAME))
def game_daily_puzzle(session: Session, day: date, game: Game | None = None) -> JsonResult | str:
    """Show the puzzle of a day.

    Arguments: the client's day; a game, by default the games take turns
    Reply: a puzzle as in `game-puzzles`, with `view`, a [view](../view.md) without `options`,
        `buttons` and `tools`; or `null` for a game without puzzles
    Fails: `syntax: ...` if the word is no day; `unknown game`
    Example:
        > game-daily_puzzle today
        ? syntax: game-daily_puzzle YYYY-MM-DD [GAME]
    """
    from gtp_engine.engine.tasks.exercise import of_the_day

    puzzle = of_the_day([game] if game else games(), day)
    if puzzle is None:
        return NULL
    return puzzle.told() | {"view": picture_of(puzzle.position)}


@command(
    "game-judge",
    word("EXERCISE"),
    word("TURN"),
    rest(word("TURN")),
    also=("game-judge_lesson", "game-judge_puzzle"),
    malformed=INVALID_TURN,
)
def game_judge(session: Session, name: str, *turns: str) -> JsonResult:
    """Judge the last turn of a line of play at an exercise, and answer it.

    Arguments: the id of an exercise; turns as for `play`, the learner's and the replies
    Effect: none; the game of the session does not matter. The setting `backend` and `# interrupt`
        count, and a solver or a search may take [some
        seconds](../puzzles.md#how-a-line-of-play-is-judged)
    Reply: a JSON object
        - `status`: `right`, `wrong`, `refused` for an illegal turn, or `open` for a part of a turn,
          and after a right turn that is not the last
        - `words`: sentences about what the turn did, or why it is illegal, and what to learn from
          it
        - `rules`: those from which the sentences follow, each with `rule` (its number) and `text`
        - `replies`: the turns that follow: in a lesson those that nobody can choose, in a puzzle or
          an endgame the best answer, also to a wrong turn
    Fails: `invalid color or coordinate`; `unknown exercise`; `illegal move` for a turn before the
        last
    Example:
        > game-judge robble.push.1 c3
        = {"status":"refused","words":["C3 is not empty."],"rules":[{"rule":"R8","text":"Put a stone of your color on an empty square. It acts on each stone adjacent to it, of either color. What that stone does depends on what is behind it, as seen from the new stone."}],"replies":[]}
        > game-judge robble.push.99 c3
        ? unknown exercise
    """  # noqa: E501
    from gtp_engine.engine.tasks.exercise import find_exercise
    from gtp_engine.engine.tasks.judging import judge

    exercise = find_exercise(name)
    if exercise is None:
        raise Failure("unknown exercise")
    judgment = judge(exercise, turns, session.settings.backend, session.interrupt)
    rules = [{"rule": rule, "text": sentence(exercise.game, rule)} for rule in judgment.rules]
    return judgment._asdict() | {"status": judgment.status.value, "rules": rules}


@command("game-summary", optional(GAME))
def game_summary(session: Session, game: Game | None = None) -> JsonResult:
    """List the rules of a game in short, with pictures.

    Arguments: a game, by default the present one
    Reply: a JSON list; each with `text`, a rule in some words, and `pictures`, [views](../view.md)
        without `options`, `buttons` and `tools`; the last turn of a view is what the picture shows
    Fails: `unknown game`
    """
    from gtp_engine.engine.tasks.lessons import lessons_of

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
