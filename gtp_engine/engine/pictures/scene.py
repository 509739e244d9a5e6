"""The content of a picture, as a value that svg.py and gfx.py draw."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import Step


class Warmth(NamedTuple):
    """A point of a heat map: its strength, 0 to 1, and its text."""

    strength: float
    text: str


class Scene(NamedTuple):
    """A position with marks.

    steps    -- the last turn
    last     -- the points that it names
    changed  -- the points that it changed
    selected -- the points of a half-clicked selection
    targets  -- the points that may be clicked next
    patches  -- areas to show, with their owners
    decisive -- the points that decided the game
    labels   -- words on points, for GoGui
    heat     -- values of points, for SVG
    caption  -- lines below the board; GoGui's status bar shows the last one
    """

    position: Position
    steps: tuple[Step, ...] = ()
    last: Points = 0
    changed: Points = 0
    selected: Points = 0
    targets: Points = 0
    patches: tuple[tuple[Points, Color | None], ...] = ()
    decisive: Points = 0
    labels: Mapping[str, Points] = MappingProxyType({})
    heat: Mapping[Vertex, Warmth] = MappingProxyType({})
    caption: tuple[str, ...] = ()


def plain(position: Position) -> Scene:
    """A position with the patches of its open turn."""
    return Scene(position, patches=tuple(position.owned_patches()) if position.open else ())


def difference(before: Position, after: Position) -> Points:
    """The points whose contents differ between two positions."""
    one, other = before.layers(), after.layers()
    points = 0
    for word in one.keys() | other.keys():
        points |= one.get(word, 0) ^ other.get(word, 0)
    return points
