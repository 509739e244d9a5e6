"""Certificates: files that prove who wins a board (protocol_specs/clients/certificates.md).

Those in the folder `proofs` decide turns in play, together with the books in the folder `books`. A
book has the first positions of certificates that are too large: a solver proves the rest in play.
"""

import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from threading import Event
from typing import NamedTuple

from gtp_engine.base.log import logger
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.points.color import BLACK, Color
from gtp_engine.rules.points.points import Points, vertices
from gtp_engine.rules.points.symmetry import Image
from gtp_engine.rules.step import Pie, Step
from gtp_engine.rules.turns import chosen_steps, legal_turns
from gtp_engine.search.data_file import Facts, UnusableFile, read_stored, write_stored
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.solution import CheckedWords, Prover, Solution
from gtp_engine.search.solver import make_solver

KIND, BOOK, VERSION = "certificate", "book", 1

FOLDER, BOOKS = (Path(__file__).parent / name for name in ("proofs", "books"))
"""The folders of what ships."""

_LARGEST = 2**25
"""The most bytes of the words in a file."""

LARGEST_CHECKED = 2**30
"""The most bytes of a file that is written and checked, and of its words. The player reads smaller
files only."""

_WORD = 2**64 - 1

_MOST_TURNS = 10**6
"""More than a position of a board with certificates has."""


def save_certificate(path: Path, position: Position, value: float, words: bytes) -> None:
    """Write the sorted words of a solver for a position of this value for BLACK.

    Raises OSError, and ValueError for more than a file holds.
    """
    winner = "black" if value == 1 else "white"
    _save(path, KIND, position, array("Q", words), {"winner": winner})


def save_book(path: Path, start: Position, openings: Sequence[str], words: Iterable[int]) -> None:
    """Write the words of the book of a board, after these first turns. Raises OSError."""
    _save(path, BOOK, start, array("Q", sorted(words)), {"openings": list(openings)})


def _save(path: Path, kind: str, position: Position, words: "array[int]", facts: Facts) -> None:
    """Write sorted words."""
    from gtp_engine.rules.notation.position_text import write_position

    steps = array("Q", (later - earlier for earlier, later in pairwise([0, *words])))
    if sys.byteorder == "big":
        steps.byteswap()
    facts = {"position": write_position(position), **facts, "positions": len(words)}
    payload = zlib.compress(steps.tobytes(), 9)
    write_stored(path, kind, VERSION, facts, payload, largest=LARGEST_CHECKED)


def read_certificate(path: Path, game: Game, size: int, kind: str = KIND) -> frozenset[int]:
    """The words in a certificate, or in a book, for a board. Raises UnusableFile."""
    facts, payload = read_stored(path, kind, VERSION)
    if str(facts.get("position")).split(" ")[:2] != [game.name, str(size)]:
        raise UnusableFile(f"{path} is for another board than {game.name} {size}")
    return frozenset(words_in(payload, facts.get("positions"), path, _LARGEST))


def words_in(payload: bytes, count: object, path: Path, largest: int) -> "array[int]":
    """The words in the payload of a file, of at most `largest` bytes. Raises UnusableFile."""
    try:
        steps = array("Q", zlib.decompressobj().decompress(payload, largest))
    except (zlib.error, ValueError):
        raise UnusableFile(f"{path} holds no words") from None
    if len(steps) != count:
        raise UnusableFile(f"{path} holds {len(steps)} words, not as many as its header says")
    if sys.byteorder == "big":
        steps.byteswap()
    return array("Q", (word & _WORD for word in accumulate(steps)))


@cache
def stored_words(game: Game, size: int) -> frozenset[int]:
    """The words in all that is stored for a board: the color to move loses each position.

    The log reports each unusable file once.
    """
    book = _words([_book_of(game, size)], game, size, BOOK) if has_book(game, size) else frozenset()
    return certificate_words(game, size) | book


@cache
def certificate_words(game: Game, size: int) -> frozenset[int]:
    """The words in the stored certificates: from these, no solver has to prove a rest."""
    return _words(sorted(FOLDER.glob(f"{game.name}-{size}-*.certificate")), game, size, KIND)


def _words(paths: Iterable[Path], game: Game, size: int, kind: str) -> frozenset[int]:
    words: frozenset[int] = frozenset()
    for path in paths:
        try:
            words |= read_certificate(path, game, size, kind)
        except UnusableFile as error:
            logger().warning("playing without a {}: {}", kind, error)
    return words


@cache
def has_book(game: Game, size: int) -> bool:
    """Whether a book is stored for a board."""
    return _book_of(game, size).exists()


def _book_of(game: Game, size: int) -> Path:
    return BOOKS / f"{game.name}-{size}.book"


def certified(position: Position) -> Solution | None:
    """What stored certificates and books tell of a position, if they do; None with a pie rule.

    The line is a turn that wins: if possible, at once, else into a certificate rather than into a
    book. A lost position has no line.
    """
    words = stored_words(position.game, position.size)
    if not words or position.pie is not Pie.OFF:
        return None
    if not position.open and word_of(position) in words:
        return Solution(float(position.to_move is not BLACK), (), 0, 0, 0, 0.0)
    proven = certificate_words(position.game, position.size)
    winning = _winning_turn(position, proven) or _winning_turn(position, words)
    if not winning:
        return None
    value = float(position.to_move is BLACK)
    return Solution(value, tuple(chosen_steps(position, winning)), 0, 0, 0, 0.0)


def _winning_turn(position: Position, words: frozenset[int]) -> tuple[Step, ...]:
    """A turn that ends the game with a win, or else one to a position of these words."""
    winning: tuple[Step, ...] = ()
    for turn in legal_turns(position, _MOST_TURNS):
        outcome = turn.position.outcome()
        if outcome is not None and outcome.winner is position.to_move:
            return turn.steps
        if not winning and outcome is None and word_of(turn.position) in words:
            winning = turn.steps
    return winning


def word_of(position: Position) -> int | None:
    """The word of a position of a board up to 4x4; None if it has none.

    The same for all its images, also with exchanged colors.
    """
    found = image_and_word(position)
    return None if found is None else found[1]


def image_and_word(position: Position) -> tuple[Image, int] | None:
    """The word of a position, and the image in which it is the word.

    The colors are exchanged before, unless BLACK is to move.
    """
    if position.fields():
        return None
    if position.to_move is not BLACK:
        position = position.mirrored()
    game, planes = position.game, [0, 0, 0, 0]
    for name, points in position.layers().items():
        owner, kind = _piece(game, name)
        if kind > 3:
            return None
        for color in Color if owner is None else (owner,):
            planes[color] |= points
        planes[2] |= points * (kind & 1)
        planes[3] |= points * (kind >> 1)
    words = {image: _packed(planes, image, position.size) for image in game.symmetry}
    return min(words.items(), key=lambda item: item[1])


def _piece(game: Game, name: str) -> tuple[Color | None, int]:
    """The owner and the kind of a piece of the diagram, as a word of a position has them."""
    return game.look.color(name), game.look.height(name) - 1 + name.islower()


def _packed(planes: list[Points], image: Image, size: int) -> int:
    """An image of planes of 16 bits, the first one lowest: bit 4 * column + row."""
    packed = 0
    for number, plane in enumerate(planes):
        for vertex in vertices(plane):
            at = image.of_vertex(vertex, size)
            packed |= 1 << 16 * number + 4 * at.column + at.row
    return packed


class Claim(NamedTuple):
    """What a certificate is said to prove.

    words -- the positions of the set
    """

    position: Position
    winner: Color
    words: bytes


def read_claim(path: Path) -> Claim:
    """The contents of a certificate of any size up to LARGEST_CHECKED. Raises UnusableFile."""
    facts, payload = read_stored(path, KIND, VERSION, largest=LARGEST_CHECKED)
    words = words_in(payload, facts.get("positions"), path, LARGEST_CHECKED)
    try:
        position = read_position(str(facts.get("position")))
        winner = Color.parse(str(facts.get("winner")))
    except ValueError as error:
        raise UnusableFile(f"{path} names no position or no winner: {error}") from None
    return Claim(position, winner, words.tobytes())


def check_claim(claim: Claim, interrupt: Event) -> CheckedWords:
    """Check a certificate until the end or an interrupt, by the rules of the kernel alone.

    It is a proof if the winner wins every game in which the loser plays any turns, and the winner
    one that wins at once or leads to a position of the certificate.

    Raises ValueError without the kernel and for boards without certificates.
    """
    solver = make_solver(claim.position, options=SearchOptions(hash_mb=1))
    if not isinstance(solver, Prover):
        raise ValueError("only the kernel checks certificates")
    return solver.check(*claim, interrupt)
