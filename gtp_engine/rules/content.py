"""What a position is made of, in the terms that all games share."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gtp_engine.board.color import Color
from gtp_engine.board.points import Points
from gtp_engine.rules.step import Pie


class Content(NamedTuple):
    """Everything that a position is, in the terms that all games share.

    layers -- the points of each word of the diagram
    fields -- what the rules remember beside that, as texts
    """

    size: int
    layers: Mapping[str, Points]
    to_move: Color
    pie: Pie = Pie.OFF
    fields: Mapping[str, str] = MappingProxyType({})
