"""What the engine thinks of the current position, asked for more than once."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple
from weakref import WeakKeyDictionary

from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.clicks import canonical_clicks
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.rules.turns import forced_step
from gtp_engine.search.budget import Budget
from gtp_engine.search.forecast import Forecast, forecast, lead_after
from gtp_engine.search.study import Effort, Study, study
from gtp_engine.session.session import Session
from gtp_engine.session.settings import RANDOM_SEED

_FORECAST_GAMES = 2000
_SECONDS_FOR_FORECAST = 2.0
_SECONDS_IN_STREAM = 0.1
_SEED_OF_LEADS = "0"

# For each row of a report.
_FOR_A_LEAD = Budget(200, 0.005)

# Time bounds the random games, so that another lead would come out of them when asked again.
_lead_after = lru_cache(maxsize=200)(lead_after)

_last: WeakKeyDictionary[Session, tuple[object, Study]] = WeakKeyDictionary()


class Clicked(NamedTuple):
    """What is known about the steps that a click begins; `value` is that of the most visited."""

    visits: int
    value: float


def current_study(session: Session) -> Study:
    """A search of the current position, as long as `genmove` may take; kept until it changes.

    Raises ValueError where there is nothing to search.
    """
    key = session.position, session.frame.clicks, session.settings
    last = _last.get(session)
    if last is None or last[0] != key:
        found = study(session.position, session.legal_steps(), _effort(session, session.budget()))
        _last[session] = last = key, found
    return last[1]


def by_click(session: Session, found: Study) -> dict[Vertex, Clicked]:
    """What was found out about each vertex that may be clicked next."""
    clicked: dict[Vertex, Clicked] = {}
    made = len(session.frame.clicks)
    forced = forced_step(session.position)
    if forced is not None:
        vertex = canonical_clicks(session.position, forced)[made]
        return {vertex: Clicked(found.visits, found.value)}
    for row in found.rows:
        clicks = canonical_clicks(found.position, row.step)[made:]
        if clicks:
            before = clicked.get(clicks[0], Clicked(0, row.value))
            clicked[clicks[0]] = Clicked(before.visits + row.visits, before.value)
    return clicked


def current_forecast(session: Session) -> Forecast:
    """What random games from the current position come to."""
    budget = Budget(_FORECAST_GAMES, _SECONDS_FOR_FORECAST, session.interrupt)
    return forecast(session.position, _effort(session, budget))


def ownership(session: Session, position: Position) -> Forecast:
    """The same about a position to come, within so short a time that a stream may wait for it."""
    budget = Budget(_FORECAST_GAMES, _SECONDS_IN_STREAM)
    return forecast(position, _effort(session, budget))


def lead(
    session: Session, position: Position, line: tuple[Step, ...], budget: Budget
) -> float | None:
    """By how many points BLACK wins in the mean of random games after a line.

    It is the same when asked for again. None in games without points, and when somebody gave
    up.
    """
    if session.frame.resigned is not None:
        return None
    return _lead_after(position, line, _effort(session, budget)._replace(seed=_SEED_OF_LEADS))


class Forecasts(NamedTuple):
    """What random games tell in the reports of a search; asked again they give the same.

    owners -- who holds each point at the end, from a position
    lead   -- how many points BLACK is ahead after a line of play, None where none are counted
    """

    owners: Callable[[Position], Forecast]
    lead: Callable[[Position, tuple[Step, ...]], float | None]


def forecasts(session: Session) -> Forecasts:
    """What to ask for the reports of one search."""
    owners = lru_cache(1)(partial(ownership, session))
    return Forecasts(owners, partial(lead, session, budget=_FOR_A_LEAD))


def _effort(session: Session, budget: Budget) -> Effort:
    settings = session.settings
    seed = None if settings.seed == RANDOM_SEED else settings.seed
    return Effort(settings.backend, settings.search_options, seed, budget)
