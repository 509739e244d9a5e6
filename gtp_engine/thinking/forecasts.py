"""What random games from a session's position, or from one to come, tell."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget
from gtp_engine.search.forecast import Forecast, forecast, lead_after
from gtp_engine.session.session import Session
from gtp_engine.session.settings import DEFAULTS
from gtp_engine.thinking.analysis import search_setup

_FORECAST_GAMES = 2000
_SECONDS_FOR_FORECAST = 2.0
_SECONDS_IN_STREAM = 0.1

# For each row of a report.
_FOR_A_LEAD = Budget(200, 0.005)

# Time bounds the random games, so that another lead would come out of them when asked again.
_lead_after = lru_cache(maxsize=200)(lead_after)


def current_forecast(session: Session) -> Forecast:
    """What random games from the current position come to."""
    budget = Budget(_FORECAST_GAMES, _SECONDS_FOR_FORECAST, session.interrupt)
    return forecast(session.position, search_setup(session, budget))


def ownership(session: Session, position: Position) -> Forecast:
    """The same about a position to come, within so short a time that a stream may wait for it."""
    budget = Budget(_FORECAST_GAMES, _SECONDS_IN_STREAM)
    return forecast(position, search_setup(session, budget))


def lead(
    session: Session, position: Position, line: tuple[Step, ...], budget: Budget
) -> float | None:
    """By how many points BLACK wins in the mean of random games after a line.

    It is the same when asked for again. None in games without points, and when somebody gave
    up.
    """
    if session.frame.resigned is not None:
        return None
    # A game that is loaded again, without its seed, has the same leads.
    setup = search_setup(session, budget)._replace(seed=DEFAULTS.analysis_seed)
    return _lead_after(position, line, setup)


class Overtaken(Exception):
    """Nobody waits any more for the report for which a forecast was asked."""


class Forecasts(NamedTuple):
    """What random games tell in the reports of a search; asked again they give the same.

    owners -- who holds each point at the end, from a position
    lead   -- how many points BLACK is ahead after a line of play, None where none are counted

    Both raise Overtaken.
    """

    owners: Callable[[Position], Forecast]
    lead: Callable[[Position, tuple[Step, ...]], float | None]


def forecasts(session: Session, overtaken: Callable[[], bool]) -> Forecasts:
    """What to ask for the reports of one search, until they are `overtaken`."""
    owners = lru_cache(1)(partial(ownership, session))

    def owners_in_time(position: Position) -> Forecast:
        if overtaken():
            raise Overtaken
        return owners(position)

    def lead_in_time(position: Position, line: tuple[Step, ...]) -> float | None:
        if overtaken():
            raise Overtaken
        return lead(session, position, line, _FOR_A_LEAD)

    return Forecasts(owners_in_time, lead_in_time)
