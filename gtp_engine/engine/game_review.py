"""Reviews a finished game: searches every turn for its loss and the better alternatives."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from gtp_engine.engine import reasons as why
from gtp_engine.engine.history import WHY_LOST, PlayedTurn
from gtp_engine.engine.position_analysis import search_setup
from gtp_engine.engine.session import Session
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import write_line, write_turn
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.records.record import LOSING
from gtp_engine.rules.step import SWAP_SIDES, Pie
from gtp_engine.rules.turns import settle, turns_of
from gtp_engine.search.assessment import assess
from gtp_engine.search.budget import Budget
from gtp_engine.search.observer import Report
from gtp_engine.search.solution import DRAWN
from gtp_engine.search.tree import value_for

MISTAKE, BLUNDER = 0.05, 0.2
"""A turn that loses this much of its player's chance to win is called so, everywhere."""

# Smaller losses are noise of the search.
_NOTHING = 0.005

# Most expected turns shown after a turn.
_LONGEST_REPLY = 4


class TurnReview(NamedTuple):
    """The search results for a turn.

    number       -- of the turn, from 1; `judged` counts the turns that it is given
    chance       -- BLACK's chance to win before it, 0 to 1, with best play of the mover
    proven       -- the same if it is exact, else None
    after        -- BLACK's chance after it; after a swap of sides, that of the new BLACK
    after_proven -- the same if it is exact, else None
    best         -- the turn that the search prefers
    best_line    -- that turn and the expected turns after it
    loss         -- the mover's chance to win lost by the turn, 0 to 1; 0 for the best turn
    visits       -- visits of the position before the turn
    why          -- explaining sentences
    """

    number: int
    color: Color
    word: str
    chance: float
    proven: float | None
    after: float
    after_proven: float | None
    best: str
    best_line: tuple[str, ...]
    loss: float
    visits: int
    why: tuple[str, ...]


Assessor = Callable[[Position], Report | None]
"""Gives what a position is worth; None ends the review."""


def review(session: Session, budget: Budget) -> Iterator[TurnReview]:
    """Search before and after each turn of the game so far, except an open turn.

    budget -- the limit of each search; when its interrupt is set, the review stops
    """
    setup = search_setup(session, budget)

    def assessed(position: Position) -> Report | None:
        found = assess(position, setup)
        return None if budget.interrupt is not None and budget.interrupt.is_set() else found

    found = judged(reviewed_turns(session), assessed)
    numbers = reviewed_numbers(session)
    return (each._replace(number=number) for number, each in zip(numbers, found))


def judged(turns: Sequence[PlayedTurn], assessed: Assessor, done: int = 0) -> Iterator[TurnReview]:
    """The reviews of a game's turns after the first `done` ones."""
    before: tuple[Position, Report] | None = None
    for number, turn in enumerate(turns[done:], done + 1):
        if before is None or before[0] != turn.start:
            start = assessed(turn.start)
            if start is None:
                return
            before = turn.start, start
        end = turn.position
        after = _given_up(end, turn.color) if _lost(turn) else assessed(end)
        if after is None:
            return
        yield _judged(number, turn, before[1], after)
        before = end, after


def judged_positions(turns: Iterable[PlayedTurn]) -> list[Position]:
    """The positions whose worth the reviews of some turns need, in order."""
    found: dict[Position, None] = {}
    for turn in turns:
        found[turn.start] = None
        if not _lost(turn):
            found[turn.position] = None
    return list(found)


def reviewed_turns(session: Session) -> list[PlayedTurn]:
    """The turns of a review, in order."""
    return [turn for _, turn in _reviewed(session)]


def reviewed_numbers(session: Session) -> list[int]:
    """The numbers of the same turns in the game: a review leaves out turns without a choice."""
    return [number for number, _ in _reviewed(session)]


def _reviewed(session: Session) -> list[tuple[int, PlayedTurn]]:
    turns = session.turns()[: -1 if session.turn_open else None]
    return [
        (number, turn)
        for number, turn in enumerate(turns, 1)
        if (turn.steps or _lost(turn)) and _has_choice(turn)
    ]


def _lost(turn: PlayedTurn) -> bool:
    return turn.word in LOSING


def _has_choice(turn: PlayedTurn) -> bool:
    """Whether a turn was more than the forced steps of an open turn that was set up."""
    return not turn.start.open or settle(turn.start)[1].open


def _given_up(position: Position, color: Color) -> Report:
    value = 0.0 if color is BLACK else 1.0
    return Report.ended(position, value)


def _judged(number: int, turn: PlayedTurn, before: Report, after: Report) -> TurnReview:
    """The review of a turn, from the results for the positions before and after it."""
    color, pv = turn.color, before.rows[0].pv
    line, first = write_line(before.position, pv), next(turns_of(before.position, pv))
    best = write_turn(turn.start, before.forced + first.steps)
    lost = value_for(color, before.worth) - value_for(color, _worth(turn, after))
    as_best = turn.word == best or first.position == turn.position
    loss = 0.0 if as_best and not _lost(turn) else max(0.0, lost)
    return TurnReview(
        number,
        color,
        turn.word,
        before.worth,
        before.proven,
        after.worth,
        after.proven,
        best,
        (best, *line[1:]),
        loss,
        before.visits,
        tuple(_sentences(turn, best, loss, as_best, before, after)),
    )


def _worth(turn: PlayedTurn, after: Report) -> float:
    """The value after a turn for the player who was BLACK before it."""
    return 1 - after.worth if SWAP_SIDES in turn.steps else after.worth


def _sentences(
    turn: PlayedTurn,
    best: str,
    loss: float,
    as_best: bool,
    before: Report,
    after: Report,
) -> Iterator[str]:
    """Why the best turn is better than the played one, or how good the played one was."""
    yield from why.without_choice(before.position)
    if as_best:
        yield from why.reasons(before)
        return
    if _lost(turn):
        name = turn.start.game.color_names[turn.color]
        chance = value_for(turn.color, before.worth)
        yield f"{name} {WHY_LOST[turn.word]} with a chance to win of {chance:.1%}"
    elif before.proven is not None and after.proven is not None:
        if loss < _NOTHING:
            yield f"{turn.word} is as good as {best}: the result is the same"
        else:
            ends = [_ends(value, turn) for value in (before.worth, _worth(turn, after))]
            yield f"{best} {ends[0]}, but {turn.word} {ends[1]}"
    elif loss < _NOTHING:
        yield f"{turn.word} is as good as {best}, as far as the search can tell"
    else:
        yield f"{turn.word} costs {100 * loss:.1f} points of chance to win against {best}"
    if loss >= _NOTHING:
        yield from _consequence(turn, after)
        if before.rows[0].step in before.position.legal_steps():
            yield from why.threat(before.position, before.rows[0].step)
        about = f"{best}: " if before.position.pie is Pie.OFF else ""
        yield from (f"{about}{sentence}" for sentence in why.reasons(before))


def _ends(value: float, turn: PlayedTurn) -> str:
    """The meaning of a proven value for the player of a turn."""
    return {0.0: "loses", DRAWN: "draws", 1.0: "wins"}[value_for(turn.color, value)]


def _consequence(turn: PlayedTurn, after: Report) -> Iterator[str]:
    """The consequence of the played turn."""
    if not after.rows:
        outcome = turn.position.outcome()
        if outcome is not None:
            yield f"{turn.word} ends the game: {outcome.reason} ({outcome.reason_rule})"
        return
    pv = after.rows[0].pv
    if after.proven is not None:
        yield f"after {turn.word} {why.result(after.position, after.proven, pv)}"
    reply = " ".join(write_line(after.position, pv)[:_LONGEST_REPLY])
    yield f"after {turn.word} the search expects {reply}"
