"""A viewer of Go records, which paints a record as text."""

from collections.abc import Iterable, Mapping

from gtp_engine.rules.look import Look, Shape

Point = tuple[int, int]
"""Column from the left and row from the top, both counted from 0."""

_STONES = "XO"
_SIGNS = {"CR": "o", "MA": "+", "SQ": "#", "TR": "^"}


class Viewer:
    """A board of Go without any rules: `X` and `O` are stones, a second sign is a mark or label."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._stones: dict[Point, str] = {}

    def show(
        self,
        stones: Mapping[str, Iterable[Point]],
        marks: Mapping[str, Iterable[Point]],
        labels: Mapping[Point, str],
    ) -> str:
        """Change the stones as `AB`, `AW` and `AE` of a node say, and paint its board."""
        for name, sign in zip(("AB", "AW", "AE"), (*_STONES, "")):
            for point in stones.get(name, ()):
                # A viewer may refuse what changes nothing.
                assert self._stones.get(point, "") != sign, f"{name} at {point} changes nothing"
                self._stones[point] = sign
        signs = dict(labels)
        for name, points in marks.items():
            for point in points:
                assert point not in signs, f"two marks at {point}"
                signs[point] = _SIGNS[name]
        return "\n".join(
            " ".join(
                (self._stones.get((column, row), "") + signs.get((column, row), "")) or "."
                for column in range(self._size)
            )
            for row in range(self._size)
        )


# How records.md shows a piece of each shape, beside its stone and its height.
_SHAPES = {
    Shape.STONE: "",
    Shape.STACK: "",
    Shape.MARKER: _SIGNS["SQ"],
    Shape.PAWN: _SIGNS["TR"],
    Shape.BLOCK: _SIGNS["MA"],
}


def expected(board: str, look: Look) -> str:
    """The board that a viewer should show, from the words of `game-board`; circles apart."""
    return "\n".join(
        " ".join(word if word == "." else _shown(word, look) for word in line.split())
        for line in board.splitlines()
    )


def _shown(word: str, look: Look) -> str:
    color, shape, height = look.color(word), look.shape(word), look.height(word)
    if color is None and shape is not Shape.BLOCK:
        return word  # a label
    stone = "" if color is None else _STONES[color]
    return stone + _SHAPES[shape] + (str(height) if height > 1 else "")


def without_circles(shown: str) -> str:
    return "\n".join(
        " ".join(word.replace("o", "") or "." for word in line.split())
        for line in shown.splitlines()
    )
