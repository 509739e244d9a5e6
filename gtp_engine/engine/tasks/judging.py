"""Judges a try at a task of a lesson by the rules of the game."""

from enum import Enum
from fnmatch import fnmatchcase
from typing import NamedTuple

from gtp_engine.engine.refusals import refusing
from gtp_engine.engine.tasks.lessons import DRAW, Attempt, BadLessons, LessonTask
from gtp_engine.engine.view.things import sentence
from gtp_engine.rules.events import words_by_point
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.items import Unreadable
from gtp_engine.rules.notation.position_text import UnreadablePosition, read_position
from gtp_engine.rules.notation.rule_text import sentence as rule_sentence
from gtp_engine.rules.notation.turns import read_turn, write_turn
from gtp_engine.rules.points.diagram import EMPTY
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import IllegalStep, Step, UnplayablePosition
from gtp_engine.rules.turns import settle


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
    replies -- the turns after the try, as far as nobody had a choice, in a task about a result
    """

    status: Status
    words: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()


Effects = tuple[tuple[str, str], ...]
"""For each effect of a turn the number of the rule, and what happened."""


class _Try(NamedTuple):
    """A try: the turn, its effects, the turns that were forced after it, and the last position.

    refused -- the number of the rule that forbids it, "" if it is legal
    """

    turn: str
    effects: Effects
    after: Position
    refused: str = ""
    replies: tuple[str, ...] = ()


def judge(task: LessonTask, word: str) -> Judgment:
    """Judge a whole turn, or a part of one, at the position of a task.

    Raises UnreadableTurn.
    """
    position = start_of(task)
    try:
        with refusing():
            steps, after, clicks = read_turn(position, (), word)
    except IllegalStep as error:
        reason, rule, _ = error.objection
        done = _Try(word, ((rule, reason),), position, rule)
    else:
        if clicks or (after.open and after.outcome() is None):
            return Judgment(Status.OPEN)
        done = _Try(write_turn(position, steps), effects(position, steps), after)
        if any(attempt.winner or attempt.ends for attempt in task.accept):
            done = _played_out(done)
    return _judged(task, done)


def _judged(task: LessonTask, done: _Try) -> Judgment:
    happened = tuple(f"{sentence(text)}." for _, text in done.effects)
    cited = tuple(dict.fromkeys(rule for rule, _ in done.effects))
    if any(_fits(attempt, done) for attempt in task.accept):
        return Judgment(Status.RIGHT, (*happened, task.right), task.rules, done.replies)
    said = next((attempt.words for attempt in task.wrong if _fits(attempt, done)), "")
    if done.refused:
        return Judgment(Status.REFUSED, (*happened, *filter(None, [said])), cited)
    said = said or task.otherwise or "This turn is legal, but the task asks for something else."
    return Judgment(Status.WRONG, (*happened, said), cited, done.replies)


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


def start_of(task: LessonTask) -> Position:
    """The position of a task. Raises BadLessons."""
    try:
        return read_position(task.position)
    except (UnreadablePosition, UnplayablePosition) as error:
        raise BadLessons(f"{task.id}: {error}") from None


def faults(task: LessonTask) -> list[str]:
    """What is wrong with a task, in sentences: the solution, the likely wrong tries, the rules."""
    game, found = start_of(task).game, list[str]()
    if judged(task, task.solution) is not Status.RIGHT:
        found.append(f"{task.id}: its solution {task.solution} is not accepted")
    for word in (word for attempt in task.wrong for word in attempt.turns if "*" not in word):
        if judged(task, word) not in (Status.WRONG, Status.REFUSED):
            found.append(f"{task.id}: {word} is listed as wrong, but accepted or incomplete")
    named = {
        *task.rules,
        *(rule for attempt in (*task.accept, *task.wrong) for rule in _cited(attempt)),
    }
    unknown = sorted(rule for rule in named if not rule_sentence(game, rule))
    return found + [f"{task.id}: there is no rule {rule}" for rule in unknown]


def judged(task: LessonTask, word: str) -> Status | None:
    """The status of a try, None for a word that is no turn."""
    try:
        return judge(task, word).status
    except Unreadable:
        return None


def _cited(attempt: Attempt) -> list[str]:
    return [*attempt.rules, *filter(None, [attempt.ends, attempt.refused])]


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
    if done.refused != attempt.refused:
        return False
    if attempt.turns and not any(fnmatchcase(done.turn, pattern) for pattern in attempt.turns):
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
