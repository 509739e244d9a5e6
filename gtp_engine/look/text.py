"""The board as text, with coordinates."""

from gtp_engine.board.diagram import rows
from gtp_engine.board.points import Points
from gtp_engine.board.vertex import COLUMNS, Vertex
from gtp_engine.rules.game import Position


def board(position: Position, marked: Points = 0) -> str:
    """The board with column letters and row numbers; marked points are in parentheses."""
    table = rows(position.size, position.layers())
    widest = max(len(word) for words in table for word in words)
    letters = " ".join(f" {letter:<{widest}} " for letter in COLUMNS[: position.size])
    header = f"   {letters}".rstrip()
    lines = [header]
    for row, words in zip(range(position.size - 1, -1, -1), table):
        cells = [
            _cell(word.ljust(widest), bool(marked >> Vertex.at(column, row) & 1))
            for column, word in enumerate(words)
        ]
        lines.append(f"{row + 1:2} {' '.join(cells)} {row + 1}")
    return "\n".join([*lines, header])


def _cell(word: str, marked: bool) -> str:
    return f"({word})" if marked else f" {word} "
