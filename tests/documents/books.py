"""`python tests documents.books FILE GAME SIZE TURN...`: adds solved openings to a board's book.

A book holds positions that are lost for the color to move, like a certificate, but only those to
which the winner must know the way. The program follows every turn of the loser. It ends where a
level of play needs no book: at turns to which a solver finds the answer, and at late positions of
the loser that the solver proves to be lost. The solver has an empty table and half of a level's
limit. Everywhere else the winner gets a turn, and the position after it comes into the book. So
every reply to every position of the book is proven, by a solver or by the book.

A solver with a large table finds the winning turns; `--table` is as in `gtp-engine solve`. With
`--visits` a search finds them, and turns that turn out to lose are taken back: so a game like Pilo,
where most turns win early, needs no large table. FILE.found keeps all that was found, so the same
command goes on after an interrupt. `--first BOOK` names another book, whose positions are tried
before a solver is asked. `--few N` lets solvers search at most N positions before a turn of the
winner, for less work and a larger book. `--check` proves a book again.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from gtp_engine.base.files import append_line
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.points.color import BLACK
from gtp_engine.rules.turns import legal_turns, settle
from gtp_engine.search.budget import Budget
from gtp_engine.search.certificates import BOOK, read_certificate, word_of
from gtp_engine.search.named_players import make_player
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.player import TreePlayer
from gtp_engine.search.proof_tables import load_table, save_table
from gtp_engine.search.solution import Prover, Solver
from gtp_engine.search.solver import make_solver
from gtp_engine.search.tree import value_for
from support import check_book
from support.check_book import MOST_TURNS, Book, NotWon, into, word_in_book

_POSITIONS_IN_A_LINE = 100
_MB_TO_GUESS = 64

WON, LOST, UNPROVEN, NOT_WON, NOT_LOST = "won", "lost", "unproven", "not-won", "not-lost"


class Findings:
    """What was found of positions, in a file with a line for each finding.

    `WORD won` and `WORD lost` for the color to move, or `WORD unproven`: by a solver with few
    positions. `WORD not-won` and `WORD not-lost`: by following the turns. `WORD AFTER`: a winning
    turn leads to AFTER.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._solved: dict[str, str] = {}
        self._followed: set[tuple[str, str]] = set()
        self._after: dict[str, int] = {}
        for line in path.read_text().splitlines() if path.exists() else []:
            self._keep(*line.split())

    def solved(self, position: Position, most: int | None = None) -> str:
        """What a solver with few positions, or `most`, finds: WON, LOST or UNPROVEN."""
        word = word_of(position)
        found = None if word is None else self._solved.get(f"{word:x}")
        if found is None:
            value = check_book.found_value(position, most)
            found = UNPROVEN if value is None else WON if value == 1 else LOST
            self.add(word, found)
        return found

    def followed(self, position: Position, finding: str) -> bool:
        """Whether this was found by following the turns."""
        word = word_of(position)
        return word is not None and (f"{word:x}", finding) in self._followed

    def answers(self, position: Position) -> set[int]:
        """The word after a winning turn, if one was found."""
        word = word_of(position)
        found = None if word is None else self._after.get(f"{word:x}")
        return set() if found is None else {found}

    def add_answer(self, position: Position, after: int) -> None:
        """Keep the word after a winning turn, if it is new."""
        if after not in self.answers(position):
            self.add(word_of(position), f"{after:x}")

    def add(self, word: int | None, finding: str) -> None:
        """Keep a finding of a position that has a word."""
        if word is not None:
            append_line(self._path, f"{word:x} {finding}")
            self._keep(f"{word:x}", finding)

    def _keep(self, word: str, finding: str) -> None:
        if finding in (WON, LOST, UNPROVEN):
            self._solved[word] = finding
        elif finding in (NOT_WON, NOT_LOST):
            self._followed.add((word, finding))
        else:
            self._after[word] = int(finding, 16)


Answers = Callable[[Position], Iterator[Position]]
"""Returns positions after turns that may win, the best first."""


class Maker:
    """Finds a new part of a book.

    best  -- the turns of the winner to try
    met   -- words of positions that are known to be lost
    kept  -- the file of findings
    first -- words of positions that are tried before a solver is asked
    few   -- the most positions of a solver before a turn of the winner
    """

    def __init__(
        self,
        best: Answers,
        met: Iterable[int],
        kept: Path,
        first: frozenset[int] = frozenset(),
        few: int | None = None,
    ) -> None:
        self._best = best
        self._first, self._few = first, few
        self._found = Findings(kept)
        self._leads = {word: list[int]() for word in met}

    def part(self, start: Position, lost: bool) -> set[int]:
        """The words of the positions that the winner meets from a position. Raises NotWon.

        lost -- whether the color to move loses it, and not the other one
        """
        waiting: list[int] = []
        if not (self._is_lost(start) if lost else self._is_won(start, waiting)):
            raise NotWon(f"{write_position(start)} is not {'lost' if lost else 'won'}")
        if lost:
            waiting.append(word_in_book(start))
        reached: set[int] = set()
        while waiting:
            word = waiting.pop()
            if word not in reached:
                reached.add(word)
                waiting += self._leads[word]
        return reached

    def _is_lost(self, position: Position) -> bool:
        word = word_in_book(position)
        if word in self._leads:
            return True
        if self._found.followed(position, NOT_LOST):
            return False
        leads: list[int] = []
        found = self._found.solved(position) if check_book.is_late(position) else UNPROVEN
        if found == UNPROVEN and not self._answers_all(position, leads):
            self._found.add(word, NOT_LOST)
            return False
        if found == WON:
            return False
        self._leads[word] = leads
        if len(self._leads) % _POSITIONS_IN_A_LINE == 0:
            print(f"{len(self._leads)} positions", file=sys.stderr, flush=True)
        return True

    def _answers_all(self, position: Position, leads: list[int]) -> bool:
        """Whether each turn of the loser has an answer. Adds the words of answers to `leads`."""
        for turn in legal_turns(position, MOST_TURNS):
            outcome = turn.position.outcome()
            if outcome is None:
                if not self._is_won(turn.position, leads):
                    return False
            elif outcome.winner is not position.to_move.opponent:
                return False
        return True

    def _is_won(self, position: Position, leads: list[int]) -> bool:
        if self._has_answer(into(self._first, position), leads):
            return True
        found = self._found.solved(position, self._few)
        if found != UNPROVEN or self._found.followed(position, NOT_WON):
            return found == WON
        if self._has_answer(self._candidates(position), leads):
            self._found.add_answer(position, leads[-1])
            return True
        self._found.add(word_of(position), NOT_WON)
        return False

    def _has_answer(self, candidates: Iterable[Position], leads: list[int]) -> bool:
        """Whether one of some positions is lost. Adds the word of the first one to `leads`."""
        for after in candidates:
            if self._is_lost(after):
                leads.append(word_in_book(after))
                return True
        return False

    def _candidates(self, position: Position) -> Iterator[Position]:
        """The positions after turns to try: of the book, then known ones, then the best ones."""
        yield from into(self._leads, position)[:1]
        yield from into(self._found.answers(position), position)
        yield from self._best(position)


def by_solver(prover: Solver) -> Answers:
    """The turns that a solver with a large table proves."""

    def best(position: Position) -> Iterator[Position]:
        yield after_win(position, prover)

    return best


def by_search(game: Game, visits: int) -> Answers:
    """All turns, in the order of their first steps in a search."""

    def best(position: Position) -> Iterator[Position]:
        options = SearchOptions(hash_mb=_MB_TO_GUESS, threads=1)
        player = make_player(game, "mcts", "book", options=options)
        assert isinstance(player, TreePlayer)
        rows = player.analyze(position, position.legal_steps(), Budget(visits).begin()).rows
        places = {row.step: place for place, row in enumerate(rows)}
        turns = legal_turns(position, MOST_TURNS)
        for turn in sorted(turns, key=lambda turn: places.get(turn.steps[0], len(rows))):
            if turn.position.outcome() is None:
                yield turn.position

    return best


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


def make(book: Book, openings: Sequence[str], options: argparse.Namespace) -> None:
    """Add openings to a book. Raises NotWon."""
    prover = None if options.visits else loaded(book, options)
    best = by_search(book.start.game, options.visits) if prover is None else by_solver(prover)
    first: frozenset[int] = frozenset()
    if options.first is not None:
        first = read_certificate(options.first, book.start.game, book.start.size, BOOK)
    for opening in openings:
        start = book.after(opening)
        if prover is None:
            value: float | None = book.value_after(opening)
        else:
            value = prover.solve(start, Budget()).value
            if options.table is not None:
                save_table(options.table, prover, start, options.hash_mb)
        if value not in (0, 1):
            raise NotWon(f"nobody is known to win after {opening}")
        kept = book.path.with_name(f"{book.path.name}.found")
        maker = Maker(best, book.words, kept, first, options.few)
        book.add(opening, maker.part(start, value_for(start.to_move, value) == 0))
        size = book.path.stat().st_size
        print(f"{opening}: now {len(book.words)} positions, {size} bytes", flush=True)


def loaded(book: Book, options: argparse.Namespace) -> Prover:
    """A solver with the table of a file, if there is one."""
    memory = SearchOptions(hash_mb=options.hash_mb, threads=1)
    prover = make_solver(book.start, "kernel", memory)
    assert isinstance(prover, Prover)
    if options.table is not None and options.table.exists():
        load_table(options.table, prover, book.start, options.hash_mb)
    return prover


def main() -> int:
    """Add openings to a book, or prove it again; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(": ")[2])
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("game", type=find_game, metavar="GAME")
    parser.add_argument("size", type=int, metavar="SIZE")
    parser.add_argument("openings", nargs="*", metavar="TURN")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--first", type=Path, metavar="BOOK")
    parser.add_argument("--few", type=int, metavar="N")
    parser.add_argument("--visits", type=int, metavar="N")
    parser.add_argument("--table", type=Path, metavar="FILE")
    parser.add_argument("--hash-mb", type=int, default=1024, metavar="N")
    options = parser.parse_args()
    book = Book(options.file, options.game, options.size)
    if options.check:
        met = check_book.check(book)
        print(f"proven: {met} of {len(book.words)} positions are met after {book.openings}")
    else:
        make(book, options.openings, options)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
