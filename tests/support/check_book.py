"""Proves a book of solved openings again: `python tests documents.books FILE GAME SIZE --check`.

The check follows every turn of the loser, and every turn of the winner that leads into the book. It
ends where the solver of a level, with an empty table and half of the level's limit, knows the rest.
"""

import sys
from collections.abc import Container, Iterable
from pathlib import Path

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.step import Pie
from gtp_engine.rules.turns import legal_turns
from gtp_engine.search.budget import SOLVED_EARLY, Budget
from gtp_engine.search.canonical_image import solved_alike
from gtp_engine.search.certificates import BOOK, VERSION, read_certificate, save_book, word_of
from gtp_engine.search.data_file import read_stored
from gtp_engine.search.endgames import IN_PLAY, hash_mb_for
from gtp_engine.search.openings.swap_maps import first_turns, stored_map
from gtp_engine.search.options import SearchOptions, tuning_of
from gtp_engine.search.solver import make_solver
from gtp_engine.search.tree import value_for

MOST_TURNS = 10**6
_POSITIONS_IN_A_LINE = 100


class NotWon(Exception):
    """An opening is not won, or a turn of the loser has no answer. The text says where."""


def limit_of(position: Position) -> int:
    """How many positions the solver of a level may search."""
    return tuning_of(position.game).solved if is_late(position) else SOLVED_EARLY


def is_late(position: Position) -> bool:
    """Whether a level asks a solver with its higher limit."""
    return position.size**2 - position.occupied().bit_count() <= IN_PLAY.most_empty


def found_value(position: Position, most: int | None = None) -> float | None:
    """The value for the color to move, by a level's solver with half of its limit.

    All images of a position have the same answer.

    most -- positions that the solver may search, if half of the limit is more
    """
    half = limit_of(position) // 2
    limit = half if most is None else min(half, most)
    solver = make_solver(position, "kernel", SearchOptions(hash_mb=hash_mb_for(limit), threads=1))
    found = solved_alike(solver, position, Budget(limit)).value
    return None if found is None else value_for(position.to_move, found)


def word_in_book(position: Position) -> int:
    """The word of a position. Raises NotWon if it has none."""
    word = word_of(position)
    if word is None:
        raise NotWon(f"{write_position(position)} has no word")
    return word


def into(words: Container[int], position: Position) -> list[Position]:
    """The positions of a set to which turns lead, only one of several images."""
    found = {
        word: turn.position
        for turn in legal_turns(position, MOST_TURNS)
        if turn.position.outcome() is None and (word := word_of(turn.position)) in words
    }
    return list(found.values())


class Book:
    """The book in a file, which need not exist yet.

    openings -- the first turns after which the winner knows the way
    words    -- of its positions
    """

    def __init__(self, path: Path, game: Game, size: int) -> None:
        self.path = path
        self.start = game.start(size, Pie.OFF)
        self.openings: list[str] = []
        self.words: frozenset[int] = frozenset()
        if path.exists():
            self.openings += read_stored(path, BOOK, VERSION).facts["openings"]
            self.words = read_certificate(path, game, size, BOOK)

    def add(self, opening: str, words: Iterable[int]) -> None:
        """Add an opening with its positions, and write the file."""
        self.openings = sorted({*self.openings, opening})
        self.words |= set(words)
        save_book(self.path, self.start, self.openings, self.words)

    def after(self, opening: str) -> Position:
        """The position after an opening. Raises NotWon."""
        for each in first_turns(self.start.game, self.start.size):
            if each.word == opening:
                return each.position
        raise NotWon(f"{opening} is no first turn")

    def value_after(self, opening: str) -> float | None:
        """The value for BLACK in the stored swap map; None without an exact one."""
        worth = stored_map(self.start.game, self.start.size).worths.get(opening)
        return worth.value if worth is not None and worth.is_exact else None


class Checker:
    """Finds all that the winner may answer from a book."""

    def __init__(self, words: Container[int]) -> None:
        self._words = words

    def is_end(self, position: Position) -> bool:
        """Whether the solver of a level can answer each turn of the loser."""
        return is_late(position) and found_value(position) == 0

    def answers(self, position: Position) -> list[Position]:
        """The positions of the book to which turns lead; none where the solver wins."""
        found = into(self._words, position)
        if not found and found_value(position) != 1:
            raise NotWon(f"{write_position(position)} has no answer")
        return found


def follow(waiting: list[Position], met: set[int], checker: Checker) -> None:
    """Follow each turn of the loser, and the winner's answers to each.

    waiting -- the first positions in which the loser is to move
    met     -- words of positions that need not be followed; it gets those that are

    Raises NotWon.
    """
    while waiting:
        position = waiting.pop()
        if word_in_book(position) in met:
            continue
        met.add(word_in_book(position))
        if len(met) % _POSITIONS_IN_A_LINE == 0:
            print(f"{len(met)} positions, {len(waiting)} waiting", file=sys.stderr, flush=True)
        if checker.is_end(position):
            continue
        for turn in legal_turns(position, MOST_TURNS):
            outcome = turn.position.outcome()
            if outcome is None:
                waiting += checker.answers(turn.position)
            elif outcome.winner is not position.to_move.opponent:
                raise NotWon(f"{write_position(position)} is not lost")


def check(book: Book) -> int:
    """Prove a book again. Returns the number of positions that are met. Raises NotWon."""
    met: set[int] = set()
    checker = Checker(book.words)
    for opening in book.openings:
        start = book.after(opening)
        lost = word_in_book(start) in book.words
        follow([start] if lost else checker.answers(start), met, checker)
    return len(met)
