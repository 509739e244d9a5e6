"""The candidates of a search, by vertices or by whole turns."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gtp_engine.board.vertex import Vertex
from gtp_engine.commands.request import Request
from gtp_engine.engine.session import Session
from gtp_engine.notation.clicks import words_clicked
from gtp_engine.notation.items import PASS_WORD
from gtp_engine.notation.turns import write_line, write_turn
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import SWAPS, Step
from gtp_engine.rules.turns import settle
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import Row, best


class Candidate(NamedTuple):
    """A possible continuation.

    row    -- its statistics
    pv     -- the words of the expected line, never empty
    clicks -- the clicks of the first word; a pass is a word instead
    whole  -- whether the first word is a complete turn
    """

    row: Row
    pv: tuple[str, ...]
    clicks: tuple[str, ...]
    whole: bool


def turn_candidates(session: Session, request: Request, report: Report) -> list[Candidate]:
    """One candidate per first step, with lines of whole turns."""
    rows = request.cut([*report.rows, *_unmet(session, request, report)], len(report.rows))
    return [_turn_candidate(session, report, row) for row in rows]


def vertex_candidates(session: Session, request: Request, report: Report) -> list[Candidate]:
    """One candidate per vertex that may be clicked next, for clients that know only vertices.

    It has the statistics of the best step that begins with the click, but the visits and priors of
    all such steps. A swap has the visits of the whole position. A line ends before the first turn
    that needs more than one click.
    """
    found = _by_click(session, report, report.rows)
    met = {candidate.pv[0] for candidate in found}
    unmet = _by_click(session, report, _unmet(session, request, report))
    more = [candidate for candidate in unmet if candidate.pv[0] not in met]
    return request.cut([*found, *more], len(found))


def _unmet(session: Session, request: Request, report: Report) -> tuple[Row, ...]:
    """Rows of unvisited steps, if the client requests them."""
    if len(report.rows) >= request.min_moves:
        return ()
    return request.unmet(report, forced=bool(_forced(session, report)))


def _forced(session: Session, report: Report) -> tuple[Step, ...]:
    """The forced steps between the session's position and the report's."""
    return () if report.position == session.position else settle(session.position)[0]


def _turn_candidate(session: Session, report: Report, row: Row) -> Candidate:
    if session.outcome is not None:
        return Candidate(row, (PASS_WORD,), (PASS_WORD,), whole=True)
    steps, position = _forced(session, report), report.position
    whole = False
    for step in row.pv:
        after = position.play_unchecked(step)
        forced, position = settle(after)
        steps += (step, *forced)
        whole = not position.open
        if whole:
            break
    clicks = words_clicked(session.position, session.frame.clicks, steps)
    word = write_turn(session.position, steps)
    return Candidate(row, (word, *write_line(report.position, row.pv)[1:]), tuple(clicks), whole)


def _by_click(session: Session, report: Report, rows: Iterable[Row]) -> list[Candidate]:
    """The candidates of some rows: that of the first row first, the others by visits."""
    forced, position, made = _forced(session, report), session.position, session.frame.clicks
    groups: dict[str, list[Row]] = {}
    for row in rows:
        click = next(words_clicked(position, made, (*forced, row.step)))
        groups.setdefault(click, []).append(row)
    candidates = []
    for number, (click, group) in enumerate(groups.items()):
        row = _together(group, report.position, chosen=number == 0)
        words = write_line(report.position, row.pv)
        whole = not forced and words[0] == click
        pv = _before_the_first_long_turn(words) if whole else (click,)
        candidates.append(Candidate(row, pv, (click,), whole))
    return candidates[:1] + sorted(candidates[1:], key=lambda each: -each.row.visits)


def _together(group: Sequence[Row], position: Position, chosen: bool) -> Row:
    """One row for steps that begin with one click; `chosen` if the first step is the best one."""
    steps = [row for row in group if row.step not in SWAPS.values()]
    swap_alone = not steps or (chosen and group[0] is not steps[0])
    if swap_alone:
        return group[0]
    row = steps[0] if chosen else best(steps, position.to_move)
    visits, prior = sum(row.visits for row in steps), sum(row.prior for row in steps)
    return row._replace(visits=visits, prior=prior)


def _before_the_first_long_turn(words: list[str]) -> tuple[str, ...]:
    """The words before the first one that is neither a vertex nor a pass."""
    long = (number for number, word in enumerate(words) if not _is_one_click(word))
    return tuple(words[: next(long, None)])


def _is_one_click(word: str) -> bool:
    try:
        Vertex.parse(word)
    except ValueError:
        return word == PASS_WORD
    return True
