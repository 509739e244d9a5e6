"""Results of random games from a session's position, or from a later one."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import NamedTuple

from gtp_engine.engine.position_analysis import search_setup
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import DEFAULTS
from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.budget import Budget
from gtp_engine.search.random_games import Forecast, forecast, lead_after, number_of_games

_FORECAST_GAMES = 2000
_SECONDS_FOR_FORECAST = 2.0

# For each row of a report, on a board of 64 points.
_FOR_A_LEAD = 200

# The reports of a stream repeat most lines of play.
_lead_after = lru_cache(maxsize=200)(lead_after)


def current_forecast(session: Session) -> Forecast:
    """The results of random games from the current position."""
    budget = Budget(_FORECAST_GAMES, _SECONDS_FOR_FORECAST, session.interrupt)
    return forecast(session.position, search_setup(session, budget))


def ownership(session: Session, position: Position) -> Forecast:
    """The same for a later position, quick enough that a stream may wait for it."""
    return forecast(position, _setup(session, _FORECAST_GAMES))


def _setup(session: Session, usual: int) -> SearchSetup:
    """The setup of as many random games as the board allows; see `number_of_games`."""
    games = number_of_games(session.position, usual, session.settings.backend)
    return search_setup(session, Budget(games))


def leads(session: Session, games: int) -> Callable[[Position, tuple[Step, ...]], float | None]:
    """BLACK's mean lead in points over random games after a line of play from a position.

    None in games without points, and after a losing word.

    games -- random games on a board of 64 points; fewer on a larger one, and in Python
    """
    if session.frame.lost_by:
        return lambda position, line: None
    # A game that is loaded again, without its seed, has the same leads.
    setup = _setup(session, games)._replace(seed=DEFAULTS.analysis_seed)
    return partial(_lead_after, setup=setup)


class Overtaken(Exception):
    """Nobody waits any more for the report that needs this forecast."""


class Forecasts(NamedTuple):
    """Forecasts for the reports of a search; repeated calls return the same.

    owners -- who holds each point at the end, from a position
    lead   -- BLACK's lead in points after a line of play, None in games without points

    Both raise Overtaken.
    """

    owners: Callable[[Position], Forecast]
    lead: Callable[[Position, tuple[Step, ...]], float | None]


def forecasts(session: Session, overtaken: Callable[[], bool]) -> Forecasts:
    """The forecasts for the reports of one search, until they are `overtaken`."""
    owners = lru_cache(1)(partial(ownership, session))
    lead = leads(session, _FOR_A_LEAD)

    def owners_in_time(position: Position) -> Forecast:
        if overtaken():
            raise Overtaken
        return owners(position)

    def lead_in_time(position: Position, line: tuple[Step, ...]) -> float | None:
        if overtaken():
            raise Overtaken
        return lead(position, line)

    return Forecasts(owners_in_time, lead_in_time)
