"""The contents of a position, in terms that all games share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points
from gtp_engine.rules.step import Pie


class Content(NamedTuple):
    """The contents of a position, in terms that all games share.

    layers -- the points of each word of the diagram
    fields -- further state of the rules, as texts
    """

    size: int
    layers: Mapping[str, Points]
    to_move: Color
    pie: Pie = Pie.OFF
    fields: Mapping[str, str] = MappingProxyType({})
