"""The values of first turns on the session's board, for lists and pictures."""

from typing import NamedTuple

from gtp_engine.engine.position_analysis import search_setup
from gtp_engine.engine.session import Session
from gtp_engine.engine.view.facts import Json
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import canonical_clicks, write_turn
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Pie, Step
from gtp_engine.search.budget import Budget
from gtp_engine.search.openings.swap_maps import (
    EVEN,
    FirstTurn,
    Surveyed,
    Worth,
    advice,
    first_turns,
    stored_map,
    stored_sizes,
    survey,
    to_be_swapped,
)

# For boards without a stored map: long enough to tell good from bad, short enough to wait for.
_USUAL_VISITS = 400
_USUAL_SECONDS = 5.0

# Smaller differences than this are invisible as colors.
_NARROWEST = 0.02


def stored_values(session: Session) -> Json:
    """The swap map of the session's board as JSON: see the command `game-opening_values`."""
    position, game = session.position, session.game
    told = {"text": _no_map(position), "openings": list[Json]()}
    known = None if told["text"] else stored_map(game, position.size)
    if known is None:
        return told
    found = [each for each in first_turns(game, position.size) if each.word in known.worths]
    found.sort(key=lambda each: known.worths[each.word].better)
    told["openings"] = [_opening(each, known.worths[each.word]) for each in found]
    visits = [worth.visits for worth in known.worths.values() if not worth.is_exact]
    how = f"searched with {min(visits):,} visits or more" if visits else "solved"
    return told | {"text": f"Every first turn is {how}."}


def _no_map(position: Position) -> str:
    """Why no swap map is shown in a position, in a sentence; "" if one is stored."""
    game, size = position.game, position.size
    if not game.has_pie:
        return f"{game.title} has no pie rule, so there is no swap map."
    if position != game.start(size, position.pie):
        return "The game has begun: a swap map is about the first turn."
    if stored_map(game, size) is None:
        sizes = ", ".join(map(str, stored_sizes(game)))
        return f"{game.title} has no swap map for size {size}; it has maps for sizes {sizes}."
    return ""


def _opening(opening: FirstTurn, worth: Worth) -> Json:
    start = opening.position.game.start(opening.position.size)
    firsts = [turn.steps[0] for turn in opening.alike]
    return {
        "turns": [write_turn(start, turn.steps) for turn in opening.alike],
        "points": [str(canonical_clicks(start, step)[0]) for step in firsts],
        "verb": firsts[0].kind.name,
        "value": worth.value,
        "margin": worth.margin,
        "swap": advice(opening, worth),
    }


class Spot(NamedTuple):
    """The most even of the first turns that begin at a point.

    label   -- Black's chance in percent, after the step's letter if steps have one
    slant   -- from -1, least even and good for White, to 1, least even and good for Black
    to_swap -- whether White should swap
    """

    label: str
    slant: float
    to_swap: bool


def surveyed(
    session: Session, visits: int | None = None, seconds: float | None = None
) -> list[Surveyed]:
    """All first turns, the most even first, with at least this many visits, stored or searched now.

    The time is the limit of all searches together; turns not searched in time come last. Both
    limits have a default.
    """
    visits = _USUAL_VISITS if visits is None else visits
    seconds = _USUAL_SECONDS if seconds is None else seconds
    game, size = session.game, session.position.size
    known = stored_map(game, size) if session.settings.swap_maps else None
    setup = search_setup(session, Budget(seconds=seconds, interrupt=session.interrupt))
    found = list(survey(game, size, known, visits, setup))
    return sorted(found, key=lambda each: each.worth.better if each.worth else 2)


def spots(session: Session, found: list[Surveyed]) -> dict[Vertex, Spot]:
    """For each point the first turns that begin there, for all mirror images."""
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
    """The beginning of a token before its vertex, in games where a letter marks kinds of steps."""
    return step.kind.template.partition("{")[0]
