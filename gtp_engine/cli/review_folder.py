"""Reviews of many games into a folder: a page each, a line of JSON for each turn, and a table.

The lines are the memory of the folder: the same command goes on where an earlier one ended.
"""

import hashlib
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from typing import NamedTuple

from gtp_engine.base.files import append_line, read_file, sentence_of, write_file
from gtp_engine.base.numbers import number_of
from gtp_engine.base.signals import keeping
from gtp_engine.cli.assessors import Assessors, result_of
from gtp_engine.cli.game_files import read_game
from gtp_engine.engine.game_review import MISTAKE, judged, judged_positions, reviewed_turns
from gtp_engine.engine.history import PlayedTurn
from gtp_engine.engine.replay_page import review_page
from gtp_engine.engine.review_index import FileReview, index_page, line_of, read_line
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings
from gtp_engine.rules.game import Position
from gtp_engine.rules.records.sgf import LARGEST_RECORD
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.build_identity import build_word
from gtp_engine.search.observer import Report

INDEX, LINES = "index.html", "reviews.jsonl"

# Positions that are submitted before the first of them is needed.
_AHEAD = 300

_LARGEST_MEMORY = 2**31


class _Begun(NamedTuple):
    """A game with positions that are searched, or will be."""

    review: FileReview
    session: Session
    turns: list[PlayedTurn]
    futures: dict[Position, Future[Report]]


class ReviewFolder:
    """A folder with the reviews of some files.

    program  -- the name of the program, for its messages
    settings -- of the games
    setup    -- of the search of each position
    """

    def __init__(self, folder: Path, program: str, settings: Settings, setup: SearchSetup) -> None:
        """Make the folder if it is missing. Raises OSError."""
        self._folder, self._program = folder, program
        self._settings, self._setup = settings, setup
        self._reviews: dict[str, FileReview] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def open(self, files: Iterable[str]) -> int:
        """Read the files, and what the folder knows of them. Raises OSError.

        A file that cannot be read is told, and left out. Returns the number of these.
        """
        refused, pages = 0, {INDEX}
        for file in dict.fromkeys(files):
            try:
                session = self._read(file)
                mark = self._mark(file, session)
            except (ValueError, OSError) as error:
                self._tell(sentence_of(error) if isinstance(error, OSError) else str(error))
                refused += 1
            else:
                page = _free_name(Path(file).stem, pages)
                self._reviews[file] = FileReview.of(session, file, mark, page)
        self._recall()
        if known := sum(len(review.found) for review in self._reviews.values()):
            self._tell(f"{number_of(known, 'turn')} found in {self._folder}, reviewed before")
        return refused

    def fill(self, assessors: Assessors, interrupt: threading.Event) -> bool:
        """Review what is missing, and keep each turn as soon as it is reviewed.

        An interrupt ends it. Returns whether every turn is reviewed. Raises OSError, NoAssessors.
        """
        reviews = list(self._reviews.values())
        progress = _Progress(sum(each.total - len(each.found) for each in reviews))
        try:
            self._restore_pages()
            for game in self._ahead(assessors):
                if interrupt.is_set():
                    break
                self._finish(game, progress, assessors, interrupt)
        finally:
            with keeping():
                index = index_page(reviews, self._setup.budget)
                write_file(self._folder / INDEX, index.encode(errors="replace"))
        return all(review.complete for review in reviews)

    def _read(self, file: str) -> Session:
        session = read_game(file, settings=self._settings)
        if not reviewed_turns(session):
            raise ValueError(f"{file} has no turn to review")
        return session

    def _mark(self, file: str, session: Session) -> str:
        """A digest of all that a review depends on."""
        setup = self._setup
        weights = backend_for(session.game, setup.backend).weights(setup.options)
        used = setup, None if weights is None else weights.mark, build_word()
        digest = hashlib.sha256(read_file(file, LARGEST_RECORD) + repr(used).encode())
        return digest.hexdigest()[:16]

    def _recall(self) -> None:
        """Read the turns that were reviewed before; forget those whose file or search changed."""
        memory = self._folder / LINES
        if not memory.exists():
            return
        old = read_file(memory, _LARGEST_MEMORY).decode(errors="replace")
        kept = []
        for line in old.splitlines():
            try:
                file, mark, turn = read_line(line)
            except ValueError:  # a program that was killed left half a line
                continue
            review = self._reviews.get(file)
            if review is None:
                kept.append(line)
            elif review.mark == mark and len(review.found) == turn.number - 1 < review.total:
                review.found.append(turn)
                kept.append(line)
        new = "".join(f"{line}\n" for line in kept)
        if new != old:
            write_file(memory, new.encode())

    def _restore_pages(self) -> None:
        """Write the pages that are missing, or that are another game's, as far as turns are known.

        Also if an interrupt came: the table links to all of them.
        """
        for review in self._reviews.values():
            if review.found and not self._has_page(review):
                self._write_page(review, self._read(review.file))

    def _has_page(self, review: FileReview) -> bool:
        """Whether the page of a review is there, with all turns that are known."""
        page = self._folder / review.page
        return page.exists() and read_file(page, _LARGEST_MEMORY).endswith(_seal(review))

    def _write_page(self, review: FileReview, session: Session) -> None:
        page = review_page(session, review.found, self._setup.budget)
        write_file(self._folder / review.page, page.encode() + _seal(review))

    def _ahead(self, assessors: Assessors) -> Iterator[_Begun]:
        """The unfinished games, each when enough positions after its own are submitted."""
        waiting: deque[_Begun] = deque()
        submitted = 0
        for review in self._reviews.values():
            if review.complete:
                continue
            session = self._read(review.file)
            turns = reviewed_turns(session)
            needed = judged_positions(turns[len(review.found) :])
            futures = {position: assessors.submit(position) for position in needed}
            waiting.append(_Begun(review, session, turns, futures))
            submitted += len(futures)
            while submitted > _AHEAD:
                game = waiting.popleft()
                submitted -= len(game.futures)
                yield game
        yield from waiting

    def _finish(
        self,
        game: _Begun,
        progress: "_Progress",
        assessors: Assessors,
        interrupt: threading.Event,
    ) -> None:
        """Review the missing turns of a game, and write its page."""
        review = game.review

        def assessed(position: Position) -> Report | None:
            return result_of(game.futures[position], assessors, interrupt)

        try:
            for turn in judged(game.turns, assessed, len(review.found)):
                append_line(self._folder / LINES, line_of(review, turn))
                review.found.append(turn)
                progress.done += 1
                self._show(f"{review.file}: turn {turn.number} of {review.total}, {progress}")
        finally:
            if review.found:
                with keeping():
                    self._write_page(review, game.session)
        mistakes = sum(turn.loss >= MISTAKE for turn in review.found)
        done = number_of(len(review.found), "turn")
        self._tell(f"{review.file}: {done}, {number_of(mistakes, 'mistake')}, {progress}")

    def _tell(self, sentence: str) -> None:
        start = "\033[K" if sys.stderr.isatty() else ""
        print(f"{start}{self._program}: {sentence}", file=sys.stderr, flush=True)

    def _show(self, state: str) -> None:
        """Show a state on a terminal; the next line overwrites it."""
        if sys.stderr.isatty():
            print(f"\033[K{self._program}: {state}", end="\r", file=sys.stderr, flush=True)


class _Progress:
    """How many turns are reviewed, of how many, and how long the rest will take."""

    def __init__(self, total: int) -> None:
        self._total, self._began = total, time.monotonic()
        self.done = 0

    def __str__(self) -> str:
        told = f"{self.done:,} of {number_of(self._total, 'turn')} in all"
        left = self._total - self.done
        if not self.done or not left:
            return told
        minutes = (time.monotonic() - self._began) / self.done * left / 60
        return f"{told}, about {number_of(max(1, round(minutes)), 'minute')} left"


def _seal(review: FileReview) -> bytes:
    """The end of a page: whose it is, and with how many turns. Another run may take its name."""
    return f"<!-- {review.mark} {len(review.found)} -->\n".encode()


def _free_name(stem: str, taken: set[str]) -> str:
    """A name for a page that no other page has, also where case does not count."""
    stem = stem.encode(errors="replace").decode()
    tried = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    name = next(f"{each}.html" for each in tried if f"{each}.html".casefold() not in taken)
    taken.add(name.casefold())
    return name
