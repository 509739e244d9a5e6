"""Explanations of a position, of a possible turn, or of the engine's last turn."""

from gtp_engine.engine import reasons as why
from gtp_engine.engine.choosing import searching_player
from gtp_engine.engine.forecasts import leads
from gtp_engine.engine.history import PlayedTurn, Thought, ThoughtText
from gtp_engine.engine.position_analysis import search_setup
from gtp_engine.engine.session import Session
from gtp_engine.engine.status import author_of, thought_of
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import Unreadable, read_turn, write_line
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.records.record import LOSING
from gtp_engine.rules.step import SWAP_SIDES, IllegalStep, Step
from gtp_engine.rules.turns import free_steps
from gtp_engine.search.assessment import assess
from gtp_engine.search.budget import Budget
from gtp_engine.search.choice import Choice, told
from gtp_engine.search.observer import Report
from gtp_engine.search.tree import value_for

USUAL_SECONDS = 1.0

# Random games that show who is ahead, per request and per played turn, on a board of 64 points.
_FOR_A_LEAD = 1000
_IN_PASSING = 200

# Positions reached in the search for replies that win at once, per played turn.
_POSITIONS_IN_PASSING = 1000


def about_position(session: Session, seconds: float | None = None) -> list[str]:
    """What the engine finds in the position, in sentences: the value first, then the reasons.

    seconds -- time to search; by default what the settings allow, at most one second
    """
    outcome, position = session.outcome, session.position
    if outcome is not None:
        return [str(outcome.objection())]
    report = examined(session, position, budget_of(session, seconds))
    chosen = report.rows[0]
    sentences = [_found(report, position, chosen.pv, report.worth)]
    if report.visits or len(position.legal_steps()) == 1:
        sentences.insert(0, f"play {write_line(position, chosen.pv)[0]}")
    sentences += why.about(position, report) + _lead(session, report.position, chosen.pv)
    return sentences + _expectation(session)


def about_turn(
    session: Session, color: Color, word: str, seconds: float | None = None
) -> list[str]:
    """Whether a word may be played: `legal`, or why not; with search time also what it is worth.

    The word is a client's. Raises UnreadableTurn.
    """
    objection = session.explain(color, word)
    if objection is not None:
        return [str(objection)]
    if seconds is None or word.lower() in LOSING or color is not session.position.to_move:
        return ["legal"]
    if session.outcome is not None:
        return ["legal"]
    reading = read_turn(session.position, session.frame.clicks, word)
    if reading.clicks:
        return ["legal"]
    return ["legal", *_worth(session, reading.steps, reading.position, seconds)]


def about_last_turn(session: Session) -> list[str]:
    """What the engine thought of its last turn; nothing if it has not searched for one."""
    turn = next((turn for turn in reversed(session.turns()) if author_of(turn)), None)
    thought = None if turn is None else thought_of(turn)
    if turn is None or thought is None:
        return []
    position = turn.start
    sentences = [thought.words(session.game), *why.without_choice(position)]
    if turn.steps:
        sentences += why.threat(position, turn.steps[0], _POSITIONS_IN_PASSING)
    start, words = _thought_at(turn)
    line = _line(start, words)
    return sentences if line is None else sentences + _lead(session, start, line, _IN_PASSING)


def budget_of(session: Session, seconds: float | None) -> Budget:
    """The limits of a search: some seconds, or what the settings allow, at most one second."""
    if seconds is not None:
        return Budget(seconds=seconds, interrupt=session.interrupt)
    visits, usual = session.settings.visits or None, session.settings.seconds or USUAL_SECONDS
    return Budget(visits, min(USUAL_SECONDS, usual), session.interrupt)


def assessed(session: Session, position: Position, budget: Budget) -> Report:
    """What the session's position is worth, from the tree of its player, or a later position."""
    setup = search_setup(session, budget)
    if position is session.position:
        return assess(position, setup, session.legal_steps(), player=searching_player(session))
    return assess(position, setup._replace(seed=session.settings.chance_seed))


def examined(session: Session, position: Position, budget: Budget) -> Report:
    """The report of a solver, or else of a search, on the session's position or a later one."""
    return report_in(assessed(session, position, budget), position)


def report_in(found: Report, position: Position) -> Report:
    """The same report, or one about the forced steps if these end the game."""
    if found.rows:
        return found
    return told(position, Choice(found.forced, found.value, 0, found.forced[:1], found.proven))


def _found(report: Report, position: Position, line: tuple[Step, ...], value: float) -> str:
    """The chance to win, the visits and the expected turns of a position, if any."""
    if not report.visits:
        return "nothing was searched"
    text = ThoughtText(" ".join(write_line(position, line)))
    return Thought(value, report.visits, lambda: text).words(report.position.game)


def _worth(session: Session, steps: tuple[Step, ...], after: Position, seconds: float) -> list[str]:
    """What a legal turn, or a part of one, is worth, and how it compares to the engine's."""
    position, outcome = session.position, after.outcome()
    exchanged = SWAP_SIDES in steps
    if outcome is not None:
        return [f"it ends the game: {outcome.reason} ({outcome.reason_rule})"]
    half = Budget(seconds=seconds / 2, interrupt=session.interrupt)
    best = examined(session, position, half)
    report = examined(session, after, half)
    value = 1 - report.worth if exchanged else report.worth
    sentences = [_found(report, after, report.rows[0].pv, value)]
    if report.proven is not None and not exchanged:
        sentences.append(why.result(report.position, report.proven, report.rows[0].pv))
    first = next(free_steps(position, steps), None)
    if first == best.rows[0].step:
        return [*sentences, "the engine would begin like that, too", *why.standing(best)]
    name = why.turn_of(best.position, best.rows[0])
    gap = 100 * (value_for(position.to_move, best.worth) - value_for(position.to_move, value))
    proven = None not in (best.proven, report.proven)
    if abs(gap) < why.EVEN:
        compared = f"as good as {name}{'' if proven else ', as far as the search can tell'}"
    elif proven:
        compared = f"{name} is better: {why.result(best.position, best.value, best.rows[0].pv)}"
    else:
        comparative = "worse" if gap > 0 else "better"
        compared = f"{abs(gap):.1f} points of chance to win {comparative} than {name}"
    return [*sentences, compared, *_lead(session, after, report.rows[0].pv)]


def _lead(
    session: Session, position: Position, line: tuple[Step, ...], games: int = _FOR_A_LEAD
) -> list[str]:
    if why.end_of(position, line) is not None:
        return []
    points = leads(session, games)(position, line)
    return [] if points is None else [why.ahead(position, points)]


def _expectation(session: Session) -> list[str]:
    """Whether the last turn was the reply that the engine had expected."""
    turns = session.turns()
    if len(turns) < 2 or session.turn_open or author_of(turns[-1]):
        return []
    thought = thought_of(turns[-2])
    expected = thought.text.line.split()[1:2] if thought else []
    if not expected:
        return []
    turn, name = turns[-1], session.game.color_names[turns[-1].color]
    if expected[0] == turn.word:
        return [f"{name}'s {turn.word} was expected"]
    return [f"{name}'s {turn.word} was not expected, but {expected[0]}"]


def _thought_at(turn: PlayedTurn) -> tuple[Position, str]:
    """The position before the last search of a turn, and the line that it expected."""
    position, found = turn.start, (turn.start, "")
    for frame in turn.frames:
        if frame.play is not None and frame.play.thought is not None:
            found = position, frame.play.thought.text.line
        position = frame.position
    return found


def _line(position: Position, words: str) -> tuple[Step, ...] | None:
    """The steps of a line of play; None for words that are not steps."""
    line: tuple[Step, ...] = ()
    for word in words.split():
        try:
            reading = read_turn(position, (), word)
        except (IllegalStep, Unreadable):
            return None
        if reading.clicks:
            return None
        line += tuple(free_steps(position, reading.steps))
        position = reading.position
    return line
