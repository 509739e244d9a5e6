"""`gtp-engine puzzles`: finds puzzles and endgames in games, and proves them again."""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gtp_engine.base.files import append_line, read_file
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.option import integers
from gtp_engine.base.shapes import Unfit, read_json, shape_of
from gtp_engine.cli.flags import add_size_flag, taking
from gtp_engine.cli.game_files import read_game
from gtp_engine.cli.interrupts import DONE, FAILED, INTERRUPTED, UNFINISHED, interruptible
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.settings import DEFAULTS
from gtp_engine.engine.tasks import BadExercise
from gtp_engine.engine.tasks.proof import Unproven, check
from gtp_engine.engine.tasks.puzzle import Puzzle, shipped, write_puzzle
from gtp_engine.learn.puzzle_mining import found_in, select, self_play
from gtp_engine.rules import default_game, find_game, games
from gtp_engine.rules.game import Position
from gtp_engine.rules.records.sgf import LARGEST_RECORD

_LARGEST_FILE = 2**26

ReadPositions = Callable[[], list[Position]]


def main(arguments: Sequence[str]) -> int:
    """Find, select or prove, and print. Returns the exit status. Raises OSError."""
    options = _parser().parse_args(arguments)
    try:
        if options.select:
            for puzzle in select(_found(options.select)):
                print(write_puzzle(puzzle))
            return DONE
        wait_telling("gtp-engine puzzles")
        if options.check:
            return _check(shipped(find_game(options.game)))
        return _find(options)
    except ValueError as error:
        print(f"gtp-engine puzzles: {error}", file=sys.stderr)
        return FAILED


def _find(options: argparse.Namespace) -> int:
    """Search the games that the output does not have yet. Raises ValueError and OSError."""
    known = _searched(options.output)
    with interruptible() as interrupt:
        for source, positions in _sources(options):
            if source in known:
                continue
            found = []
            for puzzle in found_in(positions(), source):
                found.append(puzzle)
                if interrupt.is_set():
                    return INTERRUPTED
            record = {"source": source, "puzzles": [puzzle._asdict() for puzzle in found]}
            append_line(options.output, json.dumps(record))
            print(f"{source}: {len(found)} found", flush=True)
            if interrupt.is_set():
                return INTERRUPTED
    return DONE


def _sources(options: argparse.Namespace) -> Iterator[tuple[str, ReadPositions]]:
    """The games to search, by unique names."""
    for path in options.files:
        digest = hashlib.sha256(read_file(path, LARGEST_RECORD)).hexdigest()
        yield f"{Path(path).name} {digest[:8]}", partial(_recorded, path)
    if options.files:
        return
    game = find_game(options.game)
    size = options.size or game.default_size
    for number in range(1, options.games + 1):
        source = f"self-play {game.name} {size}, seed {options.seed}, game {number}"
        yield source, partial(self_play, game, size, options.seed, number)


def _recorded(path: str) -> list[Position]:
    return [turn.start for turn in read_game(path, settings=DEFAULTS).turns()]


class _SearchedGame(NamedTuple):
    """A line of a file of results."""

    source: str
    puzzles: tuple[Puzzle, ...]


def _records(path: str) -> Iterator[_SearchedGame]:
    """The searched games in a file. Raises ValueError, with a sentence, and OSError."""
    lines = read_file(path, _LARGEST_FILE).decode(errors="replace").splitlines()
    for number, line in enumerate(lines, 1):
        try:
            game: _SearchedGame = shape_of(_SearchedGame).read(read_json(line))
        except Unfit as error:
            raise ValueError(f"{path}, line {number} is not a searched game: {error}") from None
        yield game


def _searched(path: str) -> set[str]:
    return {each.source for each in _records(path)} if Path(path).exists() else set()


def _found(paths: Sequence[str]) -> Iterator[Puzzle]:
    """The puzzles in files of searched games. Raises as `_records` does."""
    return (puzzle for path in paths for game in _records(path) for puzzle in game.puzzles)


def _check(puzzles: Sequence[Puzzle]) -> int:
    status = DONE
    for number, puzzle in enumerate(puzzles, 1):
        try:
            check(puzzle)
        except BadExercise as error:
            print(error)
            status = UNFINISHED
        except Unproven:
            print(f"{puzzle.id}: not proven")
            status = UNFINISHED
        else:
            print(f"{puzzle.id}: {puzzle.kind}, {number} of {len(puzzles)}", flush=True)
    return status


def _checked(options: argparse.Namespace) -> None:
    """Raises ValueError, with a sentence, for options that do not fit."""
    find_game(options.game).start(options.size)
    if options.check and options.size is not None:
        raise ValueError("--check proves the puzzles of all sizes; --size is for a search")
    if not (options.check or options.select or options.output):
        raise ValueError("--output FILE is missing")


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gtp-engine puzzles",
        description=purpose(__doc__),
        epilog="A run that was stopped goes on where it was: games in the output are not searched "
        "again. Exit status: 0 if everything was searched or proven, 1 if not, 2 for bad "
        "arguments, 130 after Ctrl-C.",
        check=_checked,
    )
    parser.add_argument("files", nargs="*", metavar="FILE.sgf", help="search these games")
    parser.add_argument(
        "--game",
        default=default_game().name,
        help=f"the game of the self-play: {' '.join(game.name for game in games())}",
    )
    add_size_flag(parser)
    parser.add_argument(
        "--games",
        type=taking(integers(1, 10**6)),
        default=100,
        metavar="N",
        help="games of self-play to search (default 100)",
    )
    parser.add_argument(
        "--seed",
        type=taking(integers(0, 10**6)),
        default=1,
        metavar="N",
        help="seed of the self-play; a game depends on it and its number alone (default 1)",
    )
    parser.add_argument(
        "--output", metavar="FILE", help="append what is found in a game to this file, as JSON"
    )
    parser.add_argument(
        "--select",
        nargs="+",
        metavar="FILE",
        help="print a selection from files with results, as a file of puzzles",
    )
    parser.add_argument(
        "--check", action="store_true", help="prove again the puzzles that come with --game"
    )
    return parser
