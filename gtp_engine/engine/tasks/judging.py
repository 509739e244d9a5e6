"""The judge of exercises: whether a try is right, what is said about it, and what replies to it."""

import threading
from collections.abc import Sequence
from enum import Enum
from fnmatch import fnmatchcase
from typing import NamedTuple

from gtp_engine.engine.reasons import result
from gtp_engine.engine.refusals import refusing
from gtp_engine.engine.tasks import BadExercise
from gtp_engine.engine.tasks.exercise import Exercise
from gtp_engine.engine.tasks.lessons import DRAW, Attempt, LessonTask
from gtp_engine.engine.tasks.proof import MOST_POSITIONS, new_solver, read
from gtp_engine.engine.tasks.puzzle import BETTER, ENDGAME, Puzzle
from gtp_engine.engine.view.facts import sentence
from gtp_engine.rules.events import words_by_point
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import UnreadablePosition, read_position
from gtp_engine.rules.notation.rule_text import sentence as rule_sentence
from gtp_engine.rules.notation.turns import Unreadable, read_turn, write_turn
from gtp_engine.rules.points.diagram import EMPTY
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import IllegalStep, Step, UnplayablePosition
from gtp_engine.rules.turns import played, settle, turns_of
from gtp_engine.search.backends.choose import AUTO
from gtp_engine.search.budget import Budget
from gtp_engine.search.named_players import make_player
from gtp_engine.search.solution import DRAWN
from gtp_engine.search.tree import value_for


class Status(Enum):
    """What a try means for the task.

    OPEN    -- the turn is not complete
    REFUSED -- the turn is illegal
    """

    RIGHT = "right"
    WRONG = "wrong"
    OPEN = "open"
    REFUSED = "refused"


class Judgment(NamedTuple):
    """The judgment of a try.

    words   -- sentences: what happened or why it is illegal, then what to learn from it
    rules   -- the numbers of the rules that these sentences follow from
    replies -- the turns after the try: in a lesson about a result those without a choice, in a
               puzzle the opponent's answer
    """

    status: Status
    words: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()


Effects = tuple[tuple[str, str], ...]
"""For each effect of a turn the number of the rule, and what happened."""


class _Try(NamedTuple):
    """A complete or an illegal turn of the learner.

    number  -- of the turn among the learner's
    word    -- the turn
    effects -- what it did, or the reason why it is illegal
    after   -- the last position
    refused -- the number of the rule that forbids it, "" if no sentence does; None if it is legal
    replies -- the turns that were forced after it
    """

    number: int
    word: str
    effects: Effects
    after: Position
    refused: str | None = None
    replies: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """Whether the rules allow it."""
        return self.refused is None

    @property
    def happened(self) -> tuple[str, ...]:
        """The effects as sentences."""
        return tuple(f"{sentence(text)}." for _, text in self.effects)

    @property
    def cited(self) -> tuple[str, ...]:
        """The rules of the effects."""
        return tuple(dict.fromkeys(rule for rule, _ in self.effects))


# Without the kernel the solver is slow: then a search has to do. A learner waits for both.
_SOLVER_SECONDS = 3.0
_SEARCH_SECONDS = 1.0


def judge(
    exercise: Exercise,
    turns: Sequence[str],
    backend: str = AUTO,
    interrupt: threading.Event | None = None,
    seconds: float = _SOLVER_SECONDS,
) -> Judgment:
    """Judge the last turn of a line from the position of an exercise, and answer it.

    turns     -- the learner's turns, each with the replies to it; the last may be a part of one
    backend   -- what solves and searches where the opponent answers
    interrupt -- ends a solver or a search early
    seconds   -- of the solver for each answer

    OPEN is a part of a turn; or a right turn, after which the learner goes on. Raises
    UnreadableTurn, and IllegalTurn for an illegal turn before the last; BadExercise.
    """
    done = _tried(start_of(exercise), turns)
    if done is None:
        return Judgment(Status.OPEN)
    if isinstance(exercise.goal, LessonTask):
        return _taught(exercise.goal, done)
    if not done.legal:
        return Judgment(Status.REFUSED, done.happened, done.cited)
    opponent = _Opponent(exercise.goal, backend, Budget(MOST_POSITIONS, seconds, interrupt))
    judgment = opponent.judge(done)
    return judgment._replace(words=(*done.happened, *judgment.words))


def _tried(position: Position, turns: Sequence[str]) -> _Try | None:
    """The last turn of a line; None if it is not complete. Raises as `judge` does."""
    *earlier, last = turns
    number = len(earlier) // 2 + 1
    with refusing():
        for word in earlier:
            position = read_turn(position, (), word).position
    try:
        with refusing():
            reading = read_turn(position, (), last)
    except IllegalStep as error:
        reason, rule, _ = error.objection
        return _Try(number, last, ((rule, reason),), position, rule)
    after = reading.position
    if reading.clicks or (after.open and after.outcome() is None):
        return None
    return _Try(number, reading.word, effects(position, reading.steps), after)


def start_of(exercise: Exercise) -> Position:
    """The position of an exercise. Raises BadExercise."""
    try:
        return read_position(exercise.position)
    except (UnreadablePosition, UnplayablePosition) as error:
        raise BadExercise(f"{exercise.id}: {error}") from None


# The goal of a lesson's task: one of the attempts that it accepts ---------------------------------


def _taught(task: LessonTask, done: _Try) -> Judgment:
    """The judgment of a try by what a task of a lesson accepts."""
    if done.legal and any(attempt.winner or attempt.ends for attempt in task.accept):
        done = _played_out(done)
    if any(_fits(attempt, done) for attempt in task.accept):
        return Judgment(Status.RIGHT, (*done.happened, task.right), task.rules, done.replies)
    said = next((attempt.words for attempt in task.wrong if _fits(attempt, done)), "")
    if not done.legal:
        return Judgment(Status.REFUSED, (*done.happened, *filter(None, [said])), done.cited)
    said = said or task.otherwise or "This turn is legal, but the task asks for something else."
    return Judgment(Status.WRONG, (*done.happened, said), done.cited, done.replies)


def _played_out(done: _Try) -> _Try:
    """The try with all turns after it that are the only legal ones."""
    while done.after.outcome() is None and len(done.after.legal_steps()) == 1:
        steps, after = settle(done.after.play_unchecked(forced := done.after.legal_steps()[0]))
        if after.open:
            break
        steps = (forced, *steps)
        done = done._replace(
            effects=done.effects + effects(done.after, steps),
            replies=(*done.replies, write_turn(done.after, steps)),
            after=after,
        )
    return done


def effects(position: Position, steps: tuple[Step, ...]) -> Effects:
    """The effects of a turn, and the end of the game."""
    found = []
    for step in steps:
        events = sorted(position.events(step), key=lambda event: event.phase)
        found += [(event.saying.rule, event.saying.text) for event in events]
        position = position.play_unchecked(step)
    outcome = position.outcome()
    if outcome is not None:
        found.append((outcome.reason_rule, outcome.reason))
    return tuple(found)


def _fits(attempt: Attempt, done: _Try) -> bool:
    """Whether a try does what an attempt says."""
    if done.refused != (attempt.refused or None):
        return False
    if attempt.turns and not any(fnmatchcase(done.word, pattern) for pattern in attempt.turns):
        return False
    if not set(attempt.rules) <= {rule for rule, _ in done.effects}:
        return False
    words = words_by_point(done.after)
    if any(words.get(Vertex.parse(at), EMPTY) != word for at, word in attempt.board.items()):
        return False
    if not (attempt.winner or attempt.ends):
        return True
    outcome = done.after.outcome()
    if outcome is None or attempt.ends not in ("", outcome.reason_rule):
        return False
    return attempt.winner in ("", DRAW if outcome.winner is None else str(outcome.winner))


def faults(exercise: Exercise) -> list[str]:
    """What is wrong with the task of a lesson: its solution, the likely wrong tries, the rules."""
    task, found = exercise.goal, list[str]()
    if not isinstance(task, LessonTask):
        return found
    if _status(exercise, exercise.solution) is not Status.RIGHT:
        found.append(f"{exercise.id}: its solution {exercise.solution} is not accepted")
    for word in (word for attempt in task.wrong for word in attempt.turns if "*" not in word):
        if _status(exercise, word) not in (Status.WRONG, Status.REFUSED):
            found.append(f"{exercise.id}: {word} is listed as wrong, but accepted or incomplete")
    named = {
        *task.rules,
        *(rule for attempt in (*task.accept, *task.wrong) for rule in _cited(attempt)),
    }
    unknown = sorted(rule for rule in named if not rule_sentence(exercise.game, rule))
    return found + [f"{exercise.id}: there is no rule {rule}" for rule in unknown]


def _status(exercise: Exercise, word: str) -> Status | None:
    """The status of a try, None for a word that is no turn."""
    try:
        return judge(exercise, [word]).status
    except Unreadable:
        return None


def _cited(attempt: Attempt) -> list[str]:
    return [*attempt.rules, *filter(None, [attempt.ends, attempt.refused])]


# The goal of a puzzle or an endgame: the win, against the best answers ---------------------------

TURNS = 3
"""So many right turns of the learner solve a puzzle, if the game is not over before."""

_VISITS = 1_000
_SEED = "puzzle"


class _Answer(NamedTuple):
    """The best answer to a turn.

    value -- of the position that is answered, for BLACK
    steps -- the turn
    exact -- whether the solver has found the value
    line  -- best play or its beginning, if the value is exact
    """

    value: float
    steps: tuple[Step, ...]
    exact: bool = False
    line: tuple[Step, ...] = ()


class _Opponent:
    """Judges the turns at one puzzle, and answers them as well as possible."""

    def __init__(self, puzzle: Puzzle, backend: str, budget: Budget) -> None:
        """`budget` is that of the solver. Raises BadExercise."""
        self._puzzle, self._backend, self._budget = puzzle, backend, budget
        start, self._right = read(puzzle)
        self._color = start.to_move

    def judge(self, done: _Try) -> Judgment:
        """The judgment of a legal turn, without what it did; the reply is the answer to it."""
        after, number = done.after, done.number
        outcome = after.outcome()
        if outcome is not None:
            return Judgment(Status.RIGHT if outcome.winner is self._color else Status.WRONG)
        answer = self._answer(after)
        kind, word = self._puzzle.kind, write_turn(after, answer.steps)
        right = value_for(self._color, answer.value) > DRAWN
        if number == 1:
            right = after in self._right
        if not right:
            text = self._refutation(after, answer, word, number)
            return Judgment(Status.WRONG, (text,), (), (word,))
        if kind == BETTER:
            return Judgment(Status.RIGHT, ("All other turns are far worse.",))
        if kind != ENDGAME and number >= TURNS:
            return Judgment(Status.RIGHT, self._outlook(after, answer))
        ended = played(after, answer.steps).outcome()
        if ended is not None:
            return Judgment(Status.RIGHT, (f"{sentence(ended.reason)}.",), (), (word,))
        name = after.game.color_names[after.to_move]
        return Judgment(Status.OPEN, (f"{name} answers {word}.",), (), (word,))

    def _refutation(self, after: Position, answer: _Answer, word: str, number: int) -> str:
        """Why the learner's turn of a number is wrong."""
        name = after.game.color_names[after.to_move]
        if self._puzzle.kind == BETTER:
            return f"Another turn is far better. {name} answers {word}."
        if answer.exact:
            ends = "draws by" if answer.value == DRAWN else "wins by"
            return f"That gives the win away: {name} {ends} {word}."
        # Of the first turns the puzzle itself tells which ones win.
        thinks = "That gives" if number == 1 else "The search thinks that this gives"
        return f"{thinks} the win away: {name} answers {word}."

    def _outlook(self, after: Position, answer: _Answer) -> tuple[str, ...]:
        """How the game ends, if that is proven."""
        if answer.line:
            return (f"{result(after, answer.value, answer.line)}.",)
        keeps = f"{after.game.color_names[self._color]} keeps the win."
        return (keeps if answer.exact else f"The search thinks that {keeps}",)

    def _answer(self, after: Position) -> _Answer:
        """The best answer: a winning or drawing one by the solver, else the hardest by a search."""
        if self._puzzle.kind == BETTER:
            return self._searched(after)
        found = new_solver(after, self._backend).solve(after, self._budget)
        if found.value is None:
            return self._searched(after)
        first = next(turns_of(after, found.line), None)
        steps = first.steps if first is not None and first.whole else ()
        if value_for(self._color, found.value) > DRAWN or not steps:
            steps = self._searched(after).steps
        return _Answer(found.value, steps, True, found.line)

    def _searched(self, after: Position) -> _Answer:
        player = make_player(after.game, "mcts", _SEED, self._backend)
        budget = self._budget._replace(visits=_VISITS, seconds=_SEARCH_SECONDS)
        choice = player.choose(after, after.legal_steps(), budget)
        return _Answer(choice.value, choice.steps)
