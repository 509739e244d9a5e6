"""What the first turns of the session's board are worth, for lists and pictures."""

from typing import NamedTuple

from gtp_engine.board.vertex import Vertex
from gtp_engine.notation.clicks import canonical_clicks
from gtp_engine.rules.step import Pie, Step
from gtp_engine.search.budget import Budget
from gtp_engine.search.survey import Surveyed, survey
from gtp_engine.search.swap_maps import EVEN, stored_map, to_be_swapped
from gtp_engine.session.session import Session
from gtp_engine.thinking.analysis import search_setup

# Where no map is stored: long enough to tell good from bad, short enough to wait for.
_USUAL_VISITS = 400
_USUAL_SECONDS = 5.0

# Colors tell values apart that are closer together than this.
_NARROWEST = 0.02


class Spot(NamedTuple):
    """The most even of the first turns that begin at a point.

    label   -- the percent of Black, behind the letter of the step where steps have one
    slant   -- from -1, as far from even as any and good for White, to 1
    to_swap -- whether White should swap
    """

    label: str
    slant: float
    to_swap: bool


def surveyed(
    session: Session, visits: int | None = None, seconds: float | None = None
) -> list[Surveyed]:
    """All first turns, the most even first, with so many visits each, stored or searched now.

    The time is for all searches together; what it does not reach comes last. Without numbers
    there is a usual one of both.
    """
    visits = _USUAL_VISITS if visits is None else visits
    seconds = _USUAL_SECONDS if seconds is None else seconds
    game, size = session.game, session.position.size
    known = stored_map(game, size) if session.settings.swap_maps else None
    setup = search_setup(session, Budget(seconds=seconds, interrupt=session.interrupt))
    found = list(survey(game, size, known, visits, setup))
    return sorted(found, key=lambda each: each.worth.better if each.worth else 2)


def spots(session: Session, found: list[Surveyed]) -> dict[Vertex, Spot]:
    """For each point what is known of the first turns that begin there, all images shown."""
    start = session.game.start(session.position.size, Pie.OFF)
    looked_at = [(each, each.worth) for each in found if each.worth is not None]
    widest = max((abs(worth.value - EVEN) for _, worth in looked_at), default=0.0)
    shown: dict[Vertex, Spot] = {}
    for each, worth in looked_at:
        slant = (worth.value - EVEN) / max(widest, _NARROWEST)
        swaps = to_be_swapped(each.opening, worth)
        for turn in each.opening.alike:
            step = turn.steps[0]
            letter = _letter(step)
            # A point has room for four characters.
            percent = f"{100 * worth.value:.{0 if letter or worth.is_exact else 1}f}"
            vertex = canonical_clicks(start, step)[0]
            shown.setdefault(vertex, Spot(letter + percent, slant, swaps))
    return dict(sorted(shown.items()))


def _letter(step: Step) -> str:
    """What a token begins with before its vertex, where kinds of steps differ by a letter."""
    return step.kind.template.partition("{")[0]
