"""What a viewer of Go records shows of a record, painted as text."""

from collections.abc import Iterable, Mapping

Point = tuple[int, int]
"""Column from the left and row from the top, both counted from 0."""

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
        for name, sign in (("AB", "X"), ("AW", "O"), ("AE", "")):
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


def expected(board: str, words: Mapping[str, str]) -> str:
    """The board that a viewer should show, from the words of `game-board`; circles apart."""
    return "\n".join(
        " ".join(words.get(word, word) for word in line.split()) for line in board.splitlines()
    )


def without_circles(shown: str) -> str:
    return "\n".join(
        " ".join(word.replace("o", "") or "." for word in line.split())
        for line in shown.splitlines()
    )


# How the words of the four games are shown: specified in records.md.
WORDS = {
    "implo": {"B": "X", "W": "O", "b": "X#", "w": "O#"},
    "boloa": {"B": "X", "W": "O", "b": "X^", "w": "O^"},
    "robble": {"B": "X", "W": "O"},
    "pilo": {"#": "+", "B1": "X", "W1": "O"}
    | {f"{letter}{n}": f"{sign}{n}" for letter, sign in ("BX", "WO") for n in range(2, 10)},
}
