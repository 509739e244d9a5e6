"""Puzzles and endgames: positions with a task, and the judgment of a line of play there.

A front end shows a position, lets the learner play, and asks `game-judge_puzzle` after each whole
turn; then it plays the reply, if there is one. [Puzzles](../puzzles.md) tells what they claim.
"""

import re
from collections.abc import Iterable
from datetime import date
from typing import Any

from gtp_engine.engine.session import Session
from gtp_engine.engine.tasks.puzzle import (
    BETTER,
    ENDGAME,
    PROVEN,
    Puzzle,
    find_puzzle,
    of_the_day,
    shipped,
)
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import GAME, INVALID_TURN, word
from gtp_engine.gtp.commands.lessons import judgment_object, picture_of
from gtp_engine.gtp.wire.registry import NULL, Argument, Failure, JsonResult, optional, rest
from gtp_engine.rules import find_game, games
from gtp_engine.rules.game import Game
from gtp_engine.rules.notation.position_text import read_to_move

_ROW = re.compile(r"[A-Z](\d+)")

DAY = Argument("YYYY-MM-DD", date.fromisoformat)

_TASKS = {
    PROVEN: "{} is to play and wins, but only with one turn. Find it.",
    BETTER: "{} is to play. One turn is far better than all others. Find it.",
    ENDGAME: "{} is to play and wins with best play. Win it: the engine answers as well as it can.",
}


@command("game-puzzles", optional(GAME))
def game_puzzles(session: Session, game: Game | None = None) -> JsonResult:
    """List the puzzles of a game, the easiest first.

    Arguments: a game, by default the present one
    Reply: a JSON list, empty for a game without puzzles; each with
        - `id`; `number` and `total`: its place in the list and the length of the list
        - `game`, `size`, `position`; `color`: the learner's
        - `kind`: `proven` (the solver has proven that one turn wins, and no other) or `better` (one
          turn is far better by a deep search); `grade`: 1 to 5
        - `title`, `text` (what to do) and `hint`
        - `solution`: a list with the turn; `source`: the game where it was found
    Fails: `unknown game`
    """
    return _listed(game or session.game, (PROVEN, BETTER))


@command("game-endgames", optional(GAME))
def game_endgames(session: Session, game: Game | None = None) -> JsonResult:
    """List the endgames of a game, the easiest first: positions that the color to move can win.

    Arguments: a game, by default the present one
    Reply: as `game-puzzles`. `kind` is `endgame`: the solver has proven that some turns win and
        most do not; `solution` has one of them
    Fails: `unknown game`
    """
    return _listed(game or session.game, (ENDGAME,))


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
    puzzle = of_the_day([game] if game else games(), day)
    if puzzle is None:
        return NULL
    listed = _listed(_game_of(puzzle), (PROVEN, BETTER))
    (task,) = (each for each in listed if each["id"] == _id(puzzle))
    return task | {"view": picture_of(puzzle.position)}


@command(
    "game-judge_puzzle",
    word("PUZZLE"),
    word("TURN"),
    rest(word("TURN")),
    malformed=INVALID_TURN,
)
def game_judge_puzzle(session: Session, name: str, *turns: str) -> JsonResult:
    """Judge the last turn of a line of play at a puzzle or an endgame, and answer it.

    Arguments: the id; turns as for `play`, the learner's and the replies
    Effect: none; the game of the session does not matter. The setting `backend` and `# interrupt`
        count, and a solver or a search may take [some
        seconds](../puzzles.md#how-a-line-of-play-is-judged)
    Reply: a JSON object as from `game-judge_lesson`. `status` is `open` also after a right turn
        that is not the last; `replies` has the best answer, if there is one, also to a wrong turn
    Fails: `invalid color or coordinate`; `unknown puzzle`; `illegal move` for a turn before the
        last
    Example:
        > game-judge_puzzle implo.none c4
        ? unknown puzzle
    """
    from gtp_engine.engine.tasks.judging import PuzzleJudge

    puzzle = find_puzzle(name)
    if puzzle is None:
        raise Failure("unknown puzzle")
    judge = PuzzleJudge(puzzle, session.settings.backend, session.interrupt)
    return judgment_object(judge.judge(turns), _game_of(puzzle))


def _game_of(puzzle: Puzzle) -> Game:
    return find_game(puzzle.position.split()[0])


def _id(puzzle: Puzzle) -> str:
    """The id of a puzzle in any game."""
    return f"{_game_of(puzzle).name}.{puzzle.id}"


def _listed(game: Game, kinds: Iterable[str]) -> list[dict[str, Any]]:
    found = [each for each in shipped(game) if each.kind in kinds]
    return [_task(game, each, number, len(found)) for number, each in enumerate(found, 1)]


def _task(game: Game, puzzle: Puzzle, number: int, total: int) -> dict[str, Any]:
    color = read_to_move(puzzle.position)
    kind = "Endgame" if puzzle.kind == ENDGAME else "Puzzle"
    return {
        "id": _id(puzzle),
        "number": number,
        "total": total,
        "game": game.name,
        "size": int(puzzle.position.split()[1]),
        "position": puzzle.position,
        "color": str(color),
        "kind": puzzle.kind,
        "grade": puzzle.grade,
        "title": kind,
        "text": _TASKS[puzzle.kind].format(game.color_names[color]),
        "hint": _hint(puzzle.turns[0]),
        "solution": list(puzzle.turns[:1]),
        "source": puzzle.source,
    }


def _hint(turn: str) -> str:
    """Where to look for a turn."""
    row = _ROW.search(turn)
    return f"The turn begins in row {row[1]}." if row else "Look at the buttons beside the board."
