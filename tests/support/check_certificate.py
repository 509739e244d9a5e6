"""Checks a certificate by the rules in Python alone: protocol_specs/clients/certificates.md.

check_certificate.py FILE
"""

import json
import sys
import zlib
from array import array
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path

from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.points import vertices
from gtp_engine.rules.points.symmetry import Image
from gtp_engine.rules.points.vertex import VERTICES, Vertex


class Refuted(Exception):
    """The certificate does not prove the result; the text says where."""


@lru_cache(maxsize=2**17)
def word_of(position: Position) -> int | None:
    """The word of a position, the same for all its images; None if it has none."""
    game, planes = position.game, [0, 0, 0, 0]
    if position.fields():
        return None
    for word, points in position.layers().items():
        owner = {"B": 0, "W": 1}.get(word[0].upper())
        kind = int(word[1]) - 1 if word[1:] else int(word.islower())
        if kind > 3:
            return None
        for color in (0, 1) if owner is None else (owner,):
            planes[color != position.to_move] |= points
        for binary in (0, 1) if owner is not None else ():
            planes[2 + binary] |= points * (kind >> binary & 1)
    if position.to_move is not BLACK:
        planes = [game.color_mirror.of_points(plane, position.size) for plane in planes]
    points = [list(vertices(plane)) for plane in planes]
    return min(packed(points, places(image, position.size)) for image in game.symmetry)


@cache
def places(image: Image, size: int) -> dict[Vertex, int]:
    """Where the image of each vertex is in a plane of 16 bits: 4 * column + row."""
    board = (each for each in VERTICES if each.column < size and each.row < size)
    images = ((vertex, image.of_vertex(vertex, size)) for vertex in board)
    return {vertex: 4 * found.column + found.row for vertex, found in images}


def packed(planes: list[list[Vertex]], places: dict[Vertex, int]) -> int:
    """Planes of 16 bits, the first one lowest."""
    return sum(
        1 << 16 * number + places[vertex] for number, plane in enumerate(planes) for vertex in plane
    )


class Checker:
    """Follows all steps of the loser, and one of the winner in each position."""

    def __init__(self, winner: Color, words: set[int]) -> None:
        self.winner, self.words = winner, words
        self.seen: set[tuple[int, Color]] = set()

    def follow(self, position: Position) -> None:
        """Check that the winner wins from a position. Raises Refuted."""
        if position.outcome() is not None:
            if position.outcome().winner is not self.winner:
                raise Refuted(f"{write_position(position)} is lost")
            return
        word = word_of(position)
        if (word, position.to_move) in self.seen:
            return
        after = [position.play_unchecked(step) for step in position.legal_steps()]
        if position.to_move is self.winner:
            after = [next(filter(self.is_good, after), None)]
            if after == [None]:
                raise Refuted(f"{write_position(position)} has no winning step")
        for each in after:
            self.follow(each)
        if word is not None:
            self.seen.add((word, position.to_move))

    def is_good(self, position: Position) -> bool:
        """Whether a step of the winner may lead here."""
        if position.outcome() is not None:
            return position.outcome().winner is self.winner
        if position.to_move is self.winner:  # inside the turn
            after = map(position.play_unchecked, position.legal_steps())
            return any(map(self.is_good, after))
        word = word_of(position)
        if word is not None:
            return word in self.words
        try:
            self.follow(position)
        except Refuted:
            return False
        return True


def check(path: Path) -> Checker:
    """Check a file. Raises Refuted."""
    header, _, payload = path.read_bytes().partition(b"\n")
    facts = json.loads(header)
    words = set(accumulate(array("Q", zlib.decompress(payload))))
    checker = Checker(Color.parse(facts["winner"]), words)
    checker.follow(read_position(facts["position"]))
    return checker


if __name__ == "__main__":
    print(f"proven: {len(check(Path(sys.argv[1])).seen)} positions checked")
