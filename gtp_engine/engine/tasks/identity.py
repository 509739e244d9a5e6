"""Positions that are equal but for a symmetry of the board or an exchange of the colors."""

from collections.abc import Iterator
from hashlib import sha256

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.points import Points
from gtp_engine.rules.step import Pie

_LETTERS_OF_AN_IDENTITY = 8


def bare(position: Position) -> Position:
    """The position without a memory of earlier ones, and without a swap ahead.

    Raises UnplayablePosition if it cannot occur so.
    """
    return position.game.set_up(position.content._replace(pie=Pie.OFF, fields={}))


def identity(position: Position) -> str:
    """A short word that a bare position shares only with its images, in either color."""
    words = (
        write_position(each.assemble(each.content._replace(layers=layers)))
        for each in (position, position.mirrored())
        for layers in _images(each)
    )
    return sha256(min(words).encode()).hexdigest()[:_LETTERS_OF_AN_IDENTITY]


def symmetric(position: Position) -> bool:
    """Whether the board has an image that is equal to it."""
    _, *others = _images(position)
    return position.layers() in others


def _images(position: Position) -> Iterator[dict[str, Points]]:
    """The layers of each image, those of the position first."""
    for image in position.game.symmetry:
        yield {
            word: image.of_points(points, position.size)
            for word, points in position.layers().items()
        }
