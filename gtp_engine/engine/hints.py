"""A hint in stages: where to look, what to play, and why, in words of the game.

The reasons come from what turns do on the board, and from the line after another natural turn.
"""

from typing import NamedTuple

from gtp_engine.engine import reasons
from gtp_engine.engine.consequences import (
    effects,
    joined,
    kept,
    lost,
    named_pieces,
    patches_won,
    pieces_of,
)
from gtp_engine.engine.explanation import assessed, budget_of, report_in
from gtp_engine.engine.game_review import MISTAKE
from gtp_engine.engine.refusals import refusing
from gtp_engine.engine.session import Session
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import read_turn, word_of
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, around, union, vertices
from gtp_engine.rules.step import SWAP_SIDES, Pie, Saying
from gtp_engine.rules.turns import Turn, turns_of
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import Row, value_for

# The part of the time that the position itself gets; the answer to another turn gets the rest.
_FIRST_PART = 0.6

# Differences of a chance that count as none.
_EQUAL = 0.01

# A turn is named beside the best one if it has at least this share of its visits.
_SEEN = 0.1

_MOST_EFFECTS = 3
_MOST_OF_A_REPLY = 2
_MOST_EQUALS = 2
_LONGEST_LINE = 6


class Hint(NamedTuple):
    """What to play, in stages.

    points -- where to look first; none if the board does not matter
    look   -- the same in a sentence
    turn   -- the turn, None after the end of the game
    line   -- the turn and the expected turns after it
    why    -- what speaks for it
    """

    points: Points
    look: str
    turn: str | None
    line: tuple[str, ...] = ()
    why: tuple[Saying, ...] = ()


class Cost(NamedTuple):
    """What a turn gives away.

    loss -- of its player's chance to win, 0 to 1
    best -- the turn that the search prefers
    line -- the turn and the expected turns after it
    why  -- what the opponent does then
    """

    loss: float
    best: str
    line: tuple[str, ...]
    why: tuple[Saying, ...]


def hint(session: Session, seconds: float | None = None) -> Hint:
    """What to play in the session's position.

    seconds -- time to search; by default what the settings allow, at most one second
    """
    outcome, position = session.outcome, session.position
    if outcome is not None:
        points = position.decisive() if not session.frame.lost_by else 0
        return Hint(points, outcome.objection().text, None)
    budget = budget_of(session, seconds)
    found = assessed(session, position, _part(budget, _FIRST_PART))
    report, line = report_in(found, position), _line(position, found)
    turn, threatened = line[0], 0
    why = [Saying(sentence) for sentence in reasons.certain(position, report)]
    if not turn.swaps:
        why += _merits(turn)
    if position.pie is Pie.OFF:
        answered = _answered(session, report, _part(budget, 1 - _FIRST_PART))
        threatened = _threatened(line, answered)
        why += _saved(turn, threatened) + _instead(turn, answered) + _next(line) + _beside(report)
    if not why and len(line) > 1:
        why = [Saying(f"the best answer is {word_of(line[1])}", "", line[1].points)]
    words = tuple(word_of(each) for each in line[:_LONGEST_LINE])
    return Hint(*_where(turn, threatened), word_of(turn), words, tuple(why))


def cost_of(session: Session, color: Color, word: str, seconds: float | None = None) -> Cost:
    """What a client's word gives away for the color to move.

    Raises UnreadableTurn or IllegalTurn, as `play` would, and for a pass after the end.
    """
    position = session.position
    with refusing():
        session.follow(color, word)
        steps, after, *_ = read_turn(position, session.frame.clicks, word)
    half = _part(budget_of(session, seconds), 0.5)
    before, later = assessed(session, position, half), assessed(session, after, half)
    best = _line(position, before)[0]
    line = [Turn(position, steps, after), *_line(after, later)]
    value = 1 - later.worth if SWAP_SIDES in steps else later.worth
    gap = value_for(color, before.worth) - value_for(color, value)
    loss = 0.0 if best.position == after else max(0.0, gap)
    words = tuple(word_of(each) for each in line[:_LONGEST_LINE])
    return Cost(loss, word_of(best), words, tuple(_refutation(line)))


def _part(budget: Budget, part: float) -> Budget:
    """A budget with a part of the seconds."""
    seconds = None if budget.seconds is None else budget.seconds * part
    return budget._replace(seconds=seconds)


def _line(position: Position, found: Report) -> list[Turn]:
    """The expected turns from a position that was assessed."""
    return list(turns_of(position, found.rows[0].pv if found.rows else ()))


def _merits(turn: Turn) -> list[Saying]:
    """What a turn does that can be seen on the board."""
    group = joined(turn)
    return effects(turn)[:_MOST_EFFECTS] + ([group] if group else []) + patches_won(turn)


def _answered(session: Session, report: Report, budget: Budget) -> list[Turn]:
    """Another natural turn that gives something away, and the best answer to it; else nothing.

    It is the most searched one of those that a review would call a mistake.
    """
    position, chance = report.position, _chance(report, report.rows[0])
    worse = [
        row for row in report.rows[1:] if row.visits and chance - _chance(report, row) >= MISTAKE
    ]
    if not worse:
        return []
    line = list(turns_of(position, max(worse, key=lambda row: row.visits).pv))
    after = line[0].position
    if len(line) == 1 and line[0].whole and after.outcome() is None:
        line += _line(after, assessed(session, after, budget))
    return line[:2] if line[0].whole and line[-1].whole else []


def _chance(report: Report, row: Row) -> float:
    return value_for(report.position.to_move, row.value)


def _threatened(line: list[Turn], answered: list[Turn]) -> Points:
    """The mover's pieces that the answer to another turn takes, and that this line keeps."""
    start, color = line[0].start, line[0].color
    if len(answered) < 2:
        return 0
    danger = lost(answered[1], color) & pieces_of(start, color)
    return kept(line[:2], danger, color)


def _saved(turn: Turn, threatened: Points) -> list[Saying]:
    if not threatened:
        return []
    pieces = named_pieces(turn.start, threatened)
    return [Saying(f"it saves {pieces}", "", threatened)]


def _instead(turn: Turn, answered: list[Turn]) -> list[Saying]:
    """What would happen after another turn."""
    if not answered:
        return []
    other, *replies = answered
    outcome = other.position.outcome()
    if outcome is not None:
        text = f"after {word_of(other)} instead, the game is over: {outcome.reason}"
        return [outcome.because(other.position.decisive())._replace(text=text)]
    reply = replies[0]
    wanted = reply.points & turn.points & ~reply.start.occupied()
    told = _reply(reply, "itself" if wanted else "")
    if not (wanted or _merits(reply) or reply.position.outcome()):
        return []
    return [told._replace(text=f"after {word_of(other)} instead, {told.text}")]


def _reply(reply: Turn, how: str = "") -> Saying:
    """A turn of the opponent with its effects, or with the end of the game."""
    name, told = reply.start.game.color_names[reply.color], _merits(reply)[:_MOST_OF_A_REPLY]
    outcome = reply.position.outcome()
    if outcome is not None:
        told = [outcome.because(reply.position.decisive())]
    turn = " ".join(filter(None, (name, "plays", word_of(reply), how)))
    text = "; ".join([turn, *(each.text for each in told)])
    points = union([reply.points, *(each.points for each in told)])
    return Saying(text, told[0].rule if told else "", points)


def _refutation(line: list[Turn]) -> list[Saying]:
    """What follows the first turn of a line."""
    outcome = line[0].position.outcome()
    if outcome is not None:
        text = f"the game is over: {outcome.reason}"
        return [outcome.because(line[0].position.decisive())._replace(text=text)]
    answers = [turn for turn in line[1:] if turn.color is not line[0].color]
    return [_reply(answers[0])] if answers else []


def _next(line: list[Turn]) -> list[Saying]:
    """What the mover takes after the best answer."""
    if len(line) < 3 or not lost(line[2], line[1].color):
        return []
    answer = line[1]
    name, reason = answer.start.game.color_names[answer.color], _reply(line[2])
    return [reason._replace(text=f"if {name} answers {word_of(answer)}, {reason.text}")]


def _beside(report: Report) -> list[Saying]:
    """The other turns that are as good."""
    first, *others = report.rows
    seen, chance = _SEEN * first.visits, _chance(report, first)
    names = [
        reasons.turn_of(report.position, row)
        for row in others
        if row.visits >= max(1, seen) and abs(chance - _chance(report, row)) < _EQUAL
    ][:_MOST_EQUALS]
    if not names:
        return []
    return [Saying(f"about as good: {', '.join(names)}")]


def _where(turn: Turn, threatened: Points) -> tuple[Points, str]:
    """Where to look before the turn is told, and why there."""
    position = turn.start
    if turn.swaps:
        return position.changed_at_first(), "decide first whether to swap"
    other = turn.color.opponent
    core = threatened or lost(turn, other) & pieces_of(position, other)
    if core:
        verb = "are" if core.bit_count() > 1 else "is"
        what = "in danger" if threatened else "within reach"
        text = f"{named_pieces(position, core)} {verb} {what}"
    elif core := turn.points:
        text = f"look at {_region(core, position.size)}"
    else:
        text = "look whether there is anything to play on the board"
    wide = core | around(core)
    return (wide | around(wide)) & position.board, text


def _region(points: Points, size: int) -> str:
    """A part of the board in words: `the top left`, `the middle`."""
    found = list(vertices(points))
    row = sum(vertex.row for vertex in found) / len(found)
    column = sum(vertex.column for vertex in found) / len(found)
    high = ("bottom", "", "top")[int(3 * row / size)]
    across = ("left", "", "right")[int(3 * column / size)]
    return f"the {' '.join(filter(None, (high, across))) or 'middle'}"
