"""Why a turn is forced, won or lost, and how much better it is than others, in words.

A sentence without a chance is certain: it follows from the rules or was proven.
"""

from itertools import count
from typing import NamedTuple

from gtp_engine.base.numbers import plain_number_of
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import write_line, write_turn
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.step import PASS, SWAP_SIDES, SWAPS, Outcome, Pie, Step
from gtp_engine.rules.turns import ShouldStop, TooMany, legal_turns, settle, turns_of
from gtp_engine.search.observer import Report
from gtp_engine.search.solution import DRAWN
from gtp_engine.search.tree import Row, best, value_for

# The most positions reached in the search for replies that win at once: some tenths of a second.
_MOST_POSITIONS = 10_000

# Smaller differences in points count as none: they would be written as 0.0.
EVEN = 0.05


class End(NamedTuple):
    """The end of the game after a line of play: the number of turns, and its value.

    value -- for the player who is BLACK before the line
    """

    outcome: Outcome
    turns: int
    value: float


def end_of(position: Position, line: tuple[Step, ...]) -> End | None:
    """The end of the game after a line without its forced steps; None if the line is incomplete."""
    turns = list(turns_of(position, line))
    outcome = (turns[-1].position if turns else position).outcome()
    if outcome is None:
        return None
    value = 1 - outcome.value if SWAP_SIDES in line else outcome.value
    return End(outcome, sum(turn.whole for turn in turns), value)


def without_choice(position: Position) -> list[str]:
    """Why only one step is legal; nothing if there are more."""
    steps, cite = position.legal_steps(), position.game.citations
    if len(steps) != 1:
        return []
    if steps[0] == PASS:
        name = position.game.color_names[position.to_move]
        return [f"{cite.passes}: {name} has nothing to play on the board, and must pass"]
    return [f"{cite.turns}: {steps[0]} is the only legal {_kind(position, steps[0])}"]


def threat(position: Position, chosen: Step, most: int = _MOST_POSITIONS) -> list[str]:
    """That every turn except the chosen one loses at once, if that shows in `most` positions.

    A step that leaves the turn open counts as one that does not lose.
    """
    others = [step for step in position.legal_steps() if step != chosen]
    if not others or position.swaps() or _kind(position, chosen) == "step":
        return []
    replies, counted = [], count()

    def stop() -> bool:
        return next(counted) >= most

    try:
        if _refutation(position, chosen, stop) is not None:
            return []
        for step in others:
            reply = _refutation(position, step, stop)
            if reply is None:
                return []
            replies.append(reply)
    except TooMany:
        return []
    name = position.game.color_names[position.to_move]
    shown = f"{others[0]} loses to {replies[0]}" if replies[0] else f"{others[0]} ends the game"
    return [f"{chosen} is the only turn after which {name} does not lose at once: {shown}"]


def _refutation(position: Position, step: Step, stop: ShouldStop) -> str | None:
    """The reply that wins at once against a step; "" if the step itself ends the game with a loss.

    None if there is no such reply. Raises TooMany when stopped.
    """
    opponent = position.to_move.opponent
    _, after = settle(position.play_unchecked(step))
    outcome = after.outcome()
    if outcome is not None:
        return "" if outcome.winner is opponent else None
    if after.open:
        return None
    for first in after.legal_steps():
        for turn in legal_turns(after, _MOST_POSITIONS, stop, [first]):
            ended = turn.position.outcome()
            if ended is not None and ended.winner is opponent:
                return write_turn(after, turn.steps)
    return None


def about(position: Position, report: Report) -> list[str]:
    """All reasons in a report on a position, those that follow from the rules first."""
    sentences, chosen = without_choice(position), report.rows[0].step
    if chosen in position.legal_steps():
        sentences += threat(position, chosen)
    return sentences + reasons(report)


def reasons(report: Report) -> list[str]:
    """The reasons in a report: the result of the first row, if proven, then its standing."""
    sentences = standing(report)
    if report.proven is not None:
        sentences.insert(0, result(report.position, report.proven, report.rows[0].pv))
    return sentences


def certain(position: Position, report: Report) -> list[str]:
    """The reasons in a report on a position that hold without a comparison of chances."""
    sentences, chosen = without_choice(position), report.rows[0].step
    if chosen in position.legal_steps():
        sentences += threat(position, chosen)
    if report.proven is not None:
        sentences.append(result(report.position, report.proven, report.rows[0].pv))
    return sentences + _proven_standing(report)


def standing(report: Report) -> list[str]:
    """How the first row compares to the others."""
    return _proven_standing(report) + _chance_standing(report)


def _proven_standing(report: Report) -> list[str]:
    """How the first row compares to others by the rules or by proofs."""
    position, first = report.position, report.rows[0]
    if position.swaps():
        return _about_swap(report) if _swap_was_weighed(report) else []
    if position.pie is not Pie.OFF and position.to_move is BLACK:
        return [f"{position.game.color_names[WHITE]} may swap, so the most even turn is best"]
    if report.proven is not None and value_for(position.to_move, report.proven) == 0:
        return _about_a_loss(report)
    others = [row for row in report.rows[1:] if row.visits]
    return _about_others(report, first, others)


def _chance_standing(report: Report) -> list[str]:
    """How the first row compares to the second best by the chances to win."""
    position, (first, *others) = report.position, report.rows
    others = [row for row in others if row.visits]
    if not others or position.pie is not Pie.OFF:
        return []
    second = best(others, position.to_move)
    proven = (report.proven, first.proven, second.proven)
    return [_compared(position, first, second)] if proven == (None,) * 3 else []


def result(position: Position, proven: float, line: tuple[Step, ...]) -> str:
    """A proven value in words, with the end of a line of play that has this value."""
    if proven == DRAWN:
        words = "a draw is proven"
    else:
        name = position.game.color_names[BLACK if proven > DRAWN else WHITE]
        words = f"{name} wins by force"
    end = end_of(position, line)
    if end is None or end.value != proven:
        return words
    turns = plain_number_of(end.turns, "turn")
    return f"{words}, here in {turns}: {end.outcome.reason} ({end.outcome.reason_rule})"


def ahead(position: Position, lead: float) -> str:
    """BLACK's mean lead in points, in words."""
    name = position.game.color_names[BLACK if lead >= 0 else WHITE]
    who = f"{name} is {abs(lead):.1f} points ahead" if abs(lead) >= EVEN else "nobody is ahead"
    return f"in random games after this line {who}"


def turn_of(position: Position, row: Row) -> str:
    """The turn that begins with a row, as far as it is known."""
    return write_line(position, row.pv)[0]


def _kind(position: Position, step: Step) -> str:
    """A word for a step: it is a whole turn, or a part of one."""
    _, after = settle(position.play_unchecked(step))
    return "step" if position.open or after.open else "turn"


def _swap_was_weighed(report: Report) -> bool:
    """Whether the swap was among the steps: a half-made selection can only go on.

    A report on a proof may have one row. It weighs the swap, unless the other turns lose.
    """
    swap = any(row.step in SWAPS.values() for row in report.rows)
    proven, mover = report.proven, report.position.to_move
    return swap or (proven is not None and value_for(mover, proven) > 0)


def _about_swap(report: Report) -> list[str]:
    """Why White swaps or does not swap."""
    names, swaps = report.position.game.color_names, report.rows[0].step in SWAPS.values()
    value = 1 - report.value if swaps else report.value
    what = f"{names[BLACK]}'s first turn"
    if report.proven is None:
        even = "more than even" if value > DRAWN else "not more than even"
        worth = f"{what} is worth {_beside_even(value)}, {even}"
    else:
        worth = f"{what} {'draws' if value == DRAWN else 'wins' if value else 'loses'} by force"
    return [f"{names[WHITE]} {'swaps' if swaps else 'does not swap'}: {worth}"]


def _beside_even(value: float) -> str:
    """A chance in percent, with enough digits to distinguish it from even."""
    digits = 1
    while value != DRAWN and float(f"{value:.{digits + 2}f}") == DRAWN:
        digits += 1
    return f"{value:.{digits}%}"


def _about_a_loss(report: Report) -> list[str]:
    """That every turn loses, and the turn that delays the end longest, if all lines reach it."""
    position, (first, *others) = report.position, report.rows
    count = len(position.legal_steps())
    if count == 1:
        return []
    sentence = "every turn loses against best play"
    ends = [end_of(position, row.pv) for row in others]
    end, known = end_of(position, first.pv), [each.turns for each in ends if each is not None]
    if end is None or len(known) + 1 < count or end.turns <= max(known):
        return [sentence]
    return [f"{sentence}, and in the lines found {turn_of(position, first)} holds out longest"]


def _about_others(report: Report, first: Row, others: list[Row]) -> list[str]:
    """How the first row compares to all searched rows, as far as that is proven."""
    position, mover = report.position, report.position.to_move
    if not others:
        return []
    sentences = []
    lost = [row for row in others if row.proven is not None and _gain(row, mover) == 0]
    complete = len(others) + 1 == len(position.legal_steps())
    if complete and _only(first, others, mover):
        holds = "wins" if _gain(first, mover) == 1 else "holds the draw"
        sentences.append(f"{first.step} is the only {_kind(position, first.step)} that {holds}")
    elif complete and first.proven is None and len(lost) == len(others):
        sentences.append(f"every other {_kind(position, first.step)} is proven to lose")
    elif lost and (first.proven is None or _gain(first, mover) > 0):
        count, kind = len(position.legal_steps()), _kind(position, first.step)
        verb = "is" if len(lost) == 1 else "are"
        sentences.append(f"{len(lost)} of {count} {kind}s {verb} proven to lose")
    return sentences


def _gain(row: Row, mover: Color) -> float:
    return value_for(mover, row.value)


def _only(first: Row, others: list[Row], mover: Color) -> bool:
    """Whether all other steps are proven to be worse."""
    if first.proven is None or any(row.proven is None for row in others):
        return False
    return _gain(first, mover) > max(_gain(row, mover) for row in others)


def _compared(position: Position, first: Row, second: Row) -> str:
    mover = position.to_move
    gap = 100 * (_gain(first, mover) - _gain(second, mover))
    than, visits = turn_of(position, second), plain_number_of(second.visits, "visit")
    if abs(gap) < EVEN:
        return f"as good as {than}, the second best, {visits}"
    if gap > 0:
        return f"{gap:.1f} points of chance to win better than {than}, the second best, {visits}"
    return f"{than} stands {-gap:.1f} points of chance to win higher, but on {visits} only"
