"""`python tests documents.books FILE GAME SIZE TURN...`: adds solved openings to a board's book.

A book holds positions that are lost for the color to move, like a certificate, but only those to
which the winner must know the way. The program follows every turn of the loser. It ends where a
level of play needs no book: at turns to which a solver finds the answer after few positions, and at
late positions of the loser that the solver proves to be lost within half a level's limit.
Everywhere else the winner gets a turn, and the position after it comes into the book. So every
reply to every position of the book is proven, by a solver with an empty table or by the book.

A solver with a large table finds the winning turns; `--table` is as in `gtp-engine solve`.
FILE.proven keeps what was proven, so the same command goes on after an interrupt. `--check` proves
a book again, without the large table.
"""

import argparse
import sys
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from gtp_engine.base.files import append_line
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.step import Pie
from gtp_engine.rules.turns import legal_turns, settle
from gtp_engine.search.budget import SOLVED_EARLY, SOLVED_ON_SMALL, Budget
from gtp_engine.search.certificates import BOOK, VERSION, read_certificate, save_book, word_of
from gtp_engine.search.data_file import read_stored
from gtp_engine.search.endgames import IN_PLAY
from gtp_engine.search.openings.swap_maps import first_turns
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.proof_tables import load_table, save_table
from gtp_engine.search.solution import Prover, Solver
from gtp_engine.search.solver import make_solver
from gtp_engine.search.tree import value_for

FEW, MANY = SOLVED_EARLY // 5, SOLVED_ON_SMALL // 2
"""The limits of the solver before a turn of the winner, and before one of the loser in a late
position. A level has more, because its table may hold other positions, too."""

_POSITIONS_IN_A_MB = 10_000
_MOST_TURNS = 10**6
_POSITIONS_IN_A_LINE = 100


class NotWon(Exception):
    """An opening is not won, or a turn of the loser has no answer. The text says where."""


def proves(position: Position, value: float, limit: int) -> bool:
    """Whether a solver with an empty table finds this value for the color to move."""
    options = SearchOptions(hash_mb=1 + limit // _POSITIONS_IN_A_MB, threads=1)
    solver = make_solver(position, "kernel", options)
    found = solver.solve(position, Budget(limit)).value
    return found is not None and value_for(position.to_move, found) == value


class Maker:
    """Finds the answers for a new part of a book.

    prover -- a solver with a large table
    met    -- words of the positions that have all their answers
    kept   -- a file with words of positions that a small solver has proven: won ones with the
              winner to move, lost ones with the loser
    """

    def __init__(self, prover: Solver, met: set[int], kept: Path) -> None:
        self._prover = prover
        self._met = met
        self._kept = kept
        lines = kept.read_text().split() if kept.exists() else []
        self._proven = {int(line, 16) for line in lines}

    def is_end(self, position: Position) -> bool:
        """Whether the book ends before a turn of the loser."""
        return is_late(position) and self._proves(position, 0.0, MANY)

    def answers(self, position: Position) -> list[Position]:
        """The position after the winner's turn; none where the book ends."""
        if self._proves(position, 1.0, FEW):
            return []
        return into(self._met, position)[:1] or [after_win(position, self._prover)]

    def _proves(self, position: Position, value: float, limit: int) -> bool:
        word = word_in_book(position)
        if word not in self._proven:
            if not proves(position, value, limit):
                return False
            self._proven.add(word)
            append_line(self._kept, f"{word:x}")
        return True


class Checker:
    """Finds all that the winner may answer from a book."""

    def __init__(self, words: Container[int]) -> None:
        self._words = words

    def is_end(self, position: Position) -> bool:
        """Whether the solver of a level can answer each turn of the loser."""
        return is_late(position) and proves(position, 0.0, MANY)

    def answers(self, position: Position) -> list[Position]:
        """The positions of the book to which turns lead; none where the solver wins."""
        found = into(self._words, position)
        if not found and not proves(position, 1.0, MANY if is_late(position) else FEW):
            raise NotWon(f"{write_position(position)} has no answer")
        return found


def is_late(position: Position) -> bool:
    """Whether a level asks a solver with its higher limit."""
    return position.size**2 - position.occupied().bit_count() <= IN_PLAY.most_empty


def follow(waiting: list[Position], met: set[int], knows: Maker | Checker) -> None:
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
            print(f"{len(met)} positions, {len(waiting)} waiting", file=sys.stderr)
        if knows.is_end(position):
            continue
        for turn in legal_turns(position, _MOST_TURNS):
            outcome = turn.position.outcome()
            if outcome is None:
                waiting += knows.answers(turn.position)
            elif outcome.winner is position.to_move:
                raise NotWon(f"{write_position(position)} is not lost")


def word_in_book(position: Position) -> int:
    """The word of a position. Raises NotWon if it has none."""
    word = word_of(position)
    if word is None:
        raise NotWon(f"{write_position(position)} has no word")
    return word


def after_win(position: Position, prover: Solver) -> Position:
    """The position after a winning turn. Raises NotWon."""
    found = prover.solve(position, Budget())
    if found.value != float(position.to_move is BLACK):
        raise NotWon(f"{write_position(position)} is not won")
    after = position
    for step in found.line:
        after = settle(after.play_unchecked(step))[1]
        if not after.open:
            return after
    raise NotWon(f"{write_position(position)} has no whole turn")


def into(words: Container[int], position: Position) -> list[Position]:
    """The positions of a set to which turns lead, only one of several images."""
    found = {
        word: turn.position
        for turn in legal_turns(position, _MOST_TURNS)
        if turn.position.outcome() is None and (word := word_in_book(turn.position)) in words
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


def make(book: Book, openings: Sequence[str], options: argparse.Namespace) -> None:
    """Add openings to a book. Raises NotWon."""
    memory = SearchOptions(hash_mb=options.hash_mb, threads=1)
    prover = make_solver(book.start, "kernel", memory)
    assert isinstance(prover, Prover)
    if options.table is not None and options.table.exists():
        load_table(options.table, prover, book.start, options.hash_mb)
    for opening in openings:
        start, met = book.after(opening), set(book.words)
        value = prover.solve(start, Budget()).value
        if options.table is not None:
            save_table(options.table, prover, start, options.hash_mb)
        kept = book.path.with_name(f"{book.path.name}.proven")
        maker = Maker(prover, met, kept)
        lost = value == float(start.to_move is not BLACK)
        follow([start] if lost else maker.answers(start), met, maker)
        book.add(opening, met)
        size = book.path.stat().st_size
        print(f"{opening}: now {len(book.words)} positions, {size} bytes", flush=True)


def check(book: Book) -> int:
    """Prove a book again. Returns the number of positions that are met. Raises NotWon."""
    met: set[int] = set()
    checker = Checker(book.words)
    for opening in book.openings:
        start = book.after(opening)
        lost = word_in_book(start) in book.words
        follow([start] if lost else checker.answers(start), met, checker)
    return len(met)


def main() -> int:
    """Add openings to a book, or prove it again; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("game", type=find_game, metavar="GAME")
    parser.add_argument("size", type=int, metavar="SIZE")
    parser.add_argument("openings", nargs="*", metavar="TURN")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--hash-mb", type=int, default=1024, metavar="N")
    options = parser.parse_args()
    book = Book(options.file, options.game, options.size)
    if options.check:
        met = check(book)
        print(f"proven: {met} of {len(book.words)} positions are met after {book.openings}")
    else:
        make(book, options.openings, options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
