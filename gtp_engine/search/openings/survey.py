"""Searches the first turns of a board, to make a swap map."""

from collections.abc import Iterator
from typing import NamedTuple

from gtp_engine.rules.game import Game
from gtp_engine.search import assessment
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.budget import Budget
from gtp_engine.search.openings.first_turns import FirstTurn, first_turns
from gtp_engine.search.openings.swap_maps import SwapMap, Worth


class Surveyed(NamedTuple):
    """A first turn and its value, if it was searched.

    stored -- whether the value was stored before
    """

    opening: FirstTurn
    worth: Worth | None
    stored: bool = False


def survey(
    game: Game, size: int, known: SwapMap | None, visits: int, setup: SearchSetup
) -> Iterator[Surveyed]:
    """All first turns; stored values with too few visits are searched again.

    The budget is for all of them together. First turns not reached in time keep their stored value.
    """
    deadline = setup.budget.begin()
    worths = {} if known is None else known.worths
    found = first_turns(game, size)
    to_search = {each.word for each in found if not _deep_enough(worths.get(each.word), visits)}
    for each in found:
        worth = worths.get(each.word)
        if each.word not in to_search:
            yield Surveyed(each, worth, stored=True)
            continue
        left = deadline.share(1 / len(to_search)).seconds_left()
        to_search.remove(each.word)
        if deadline.reached() and each.position.outcome() is None:
            yield Surveyed(each, worth, stored=worth is not None)
            continue
        budget = Budget(visits, left, setup.budget.interrupt)
        searched = search_opening(each, setup._replace(budget=budget))
        if worth is not None and (searched is None or not searched.deeper_than(worth.visits)):
            yield Surveyed(each, worth, stored=True)
        else:
            yield Surveyed(each, searched)


def search_opening(opening: FirstTurn, setup: SearchSetup) -> Worth | None:
    """The value of a first turn; None without any visit."""
    outcome = opening.position.outcome()
    if outcome is not None:
        return Worth.exact(outcome.value)
    found = assessment.search(opening.position, opening.position.legal_steps(), setup)
    if found.proven is not None:
        return Worth.exact(found.proven, found.visits)
    return Worth.searched(found.value, found.visits) if found.visits else None


def _deep_enough(worth: Worth | None, visits: int) -> bool:
    return worth is not None and worth.deeper_than(visits)
