"""`gtp-engine swap-map`: measures the value of every first turn of a board for the pie rule."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.option import integers, numbers
from gtp_engine.base.signals import keeping
from gtp_engine.cli.flags import add_flags, chosen, taking
from gtp_engine.cli.interrupts import DONE, FAILED, interruptible, unfinished
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.settings import Settings, settings
from gtp_engine.rules import find_game, games
from gtp_engine.rules.game import Game
from gtp_engine.search.assessment import SearchSetup
from gtp_engine.search.backends.choose import backend_for, check_named
from gtp_engine.search.budget import Budget
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.openings.swap_maps import (
    FirstTurn,
    SwapMap,
    Worth,
    engine_with,
    first_turns,
    read_map,
    search_opening,
    stored_map,
    stored_sizes,
    to_be_swapped,
    write_map,
)
from gtp_engine.search.solution import Solver
from gtp_engine.search.solver import make_solver

SETTINGS = settings("backend", "threads", "hash_mb", "exploration", "rave", "weights", "seed")

_MOST = 10**9
_DEEP = 200_000  # visits


def main(arguments: Sequence[str]) -> int:
    """Measure and print. Returns the exit status. Raises OSError."""
    options = _parser().parse_args(arguments)
    if options.table:
        print("\n".join(table()))
        return DONE
    try:
        settings: Settings = options.settings
        wait_telling("gtp-engine swap-map")
        begun = _begun(options, settings)
        with interruptible() as interrupt:
            maker = _Maker(begun, settings, options, Budget(interrupt=interrupt))
            return DONE if maker.make() else unfinished(interrupt)
    except (ValueError, UnusableFile) as error:
        print(f"gtp-engine swap-map: {error}", file=sys.stderr)
        return FAILED


class _Maker:
    """Makes a map, and saves it after each new result."""

    def __init__(
        self, begun: SwapMap, settings: Settings, options: argparse.Namespace, budget: Budget
    ) -> None:
        self._board, self._worths = begun, dict(begun.worths)
        self._settings, self._options, self._budget = settings, options, budget
        self._found = {each.word: each for each in first_turns(begun.game, begun.size)}
        self._solver: Solver | None = None
        if options.solve and begun.worths.keys() != self._found.keys():
            start = begun.game.start(begun.size)
            self._solver = make_solver(start, settings.backend, settings.search_options)
        self._save()  # fails now, not after hours of work, if the file cannot be written

    def make(self) -> bool:
        """Search all first turns, then the most even ones deeper; return whether it is complete."""
        options = self._options
        for word in self._found:
            if not self._look(word, options.visits):
                return False
            print(self._line(word), flush=True)
        while words := self._too_shallow(options.closest, options.deep):
            if not self._look(words[0], options.deep):
                return False
            print(self._line(words[0]), flush=True)
        board = self._map()
        print(
            f"{board.game.name} {board.size}: fairness {board.fairness:.3f}, after {board.fairest}"
        )
        return True

    def _too_shallow(self, count: int, visits: int) -> list[str]:
        """Those of the `count` most even first turns with fewer than `visits` visits."""
        closest = sorted(self._worths, key=lambda word: self._worths[word].better)[:count]
        return [word for word in closest if not self._worths[word].deeper_than(visits)]

    def _look(self, word: str, visits: int) -> bool:
        """Search a first turn with this many visits, and save; return whether it has them."""
        known = self._worths.get(word)
        if known is not None and known.deeper_than(visits):
            return True
        worth = self._solved(self._found[word]) if known is None else None
        if worth is None:
            settings = self._settings
            seed = settings.chance_seed and f"{settings.seed}:{word}:{visits}"
            budget = self._budget._replace(visits=visits)
            setup = SearchSetup(settings.backend, settings.search_options, seed, budget)
            worth = search_opening(self._found[word], setup)
        if worth is not None and (known is None or worth.deeper_than(known.visits)):
            self._worths[word] = worth
            self._save()
        return word in self._worths and self._worths[word].deeper_than(visits)

    def _solved(self, opening: FirstTurn) -> Worth | None:
        """The exact worth, if the solver finds it in time."""
        if self._solver is None or opening.position.outcome() is not None:
            return None
        budget = self._budget._replace(seconds=self._options.solve)
        found = self._solver.solve(opening.position, budget)
        # A result found at once comes from the openings solved before.
        return None if found.value is None else Worth.exact(found.value, max(1, found.positions))

    def _map(self) -> SwapMap:
        return self._board._replace(worths=self._worths)

    def _save(self) -> None:
        if self._options.output is not None:
            with keeping():
                write_map(Path(self._options.output), self._map())

    def _line(self, word: str) -> str:
        """The result of a first turn as a line for people."""
        worth, images = self._worths[word], self._found[word].images
        alike = f" ({images} alike)" if images > 1 else ""
        how = "exact" if worth.is_exact else f"+-{worth.margin:.4f}, {worth.visits:,} visits"
        swap = "swap" if to_be_swapped(self._found[word], worth) else "no swap"
        return f"{word}{alike}: {worth.value:.4f}, {how}: {swap}"


def _check(options: argparse.Namespace) -> None:
    """Read the settings. Raises ValueError, with a sentence, also without a board."""
    options.settings = Settings(**chosen(options, SETTINGS))
    if options.deep is not None and not options.closest:
        raise ValueError("--deep is for --closest")
    options.deep = options.deep or _DEEP
    if options.table:
        return
    if options.game is None or options.size is None:
        raise ValueError("GAME and SIZE are required")
    game = find_game(options.game)
    game.start(options.size)
    if not game.has_pie:
        raise ValueError(f"{game.title} has no pie rule")
    check_named(game, options.settings.weights, options.settings.backend)


def _begun(options: argparse.Namespace, settings: Settings) -> SwapMap:
    """The map in the output file. Raises ValueError and UnusableFile."""
    game = find_game(options.game)
    engine = engine_with(backend_for(game, settings.backend).weights(settings.search_options))
    empty = SwapMap.empty(game, options.size, engine)
    if options.output is None or options.again or not Path(options.output).exists():
        return empty
    begun = read_map(Path(options.output), game, options.size)
    if begun.engine != engine:
        raise ValueError(
            f"{options.output} is by version {begun.engine} of the engine, not {engine}: "
            "--again measures everything again"
        )
    return begun


def table() -> Iterator[str]:
    """The stored maps as a table in Markdown."""
    yield (
        "| game | board | fairness | most even first turn | its value for Black | visits "
        "| first turns | White should swap after | engine |"
    )
    yield "| --- " * 9 + "|"
    for game in sorted(games(), key=lambda game: game.title):
        for size in stored_sizes(game):
            stored = stored_map(game, size)
            if stored is not None:
                yield _table_row(game, stored)


def _table_row(game: Game, stored: SwapMap) -> str:
    worths = stored.worths
    best = worths[stored.fairest]
    visits = [worth.visits for worth in worths.values() if not worth.is_exact]
    fewest = f"{min(visits):,} and more" if visits else "solved"
    if visits and min(visits) == max(visits):
        fewest = f"{min(visits):,}"
    value = f"{best.value:g}" if best.is_exact else f"{best.value:.3f} +- {best.margin:.3f}"
    found = first_turns(game, stored.size)
    swapped = sum(to_be_swapped(each, worths[each.word]) for each in found if each.word in worths)
    return (
        f"| {game.title} | {stored.size}x{stored.size} | {stored.fairness:.3f} "
        f"| `{stored.fairest}` | {value} | {fewest} "
        f"| {len(worths)} | {swapped} | {stored.engine} |"
    )


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gtp-engine swap-map",
        description=purpose(__doc__),
        epilog="Ctrl-C stops and keeps the results; with --output the same command continues from "
        "there. Exit status: 0 if the map is complete, 1 if not, 2 for bad arguments or files, "
        "130 after Ctrl-C.",
        check=_check,
    )
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help=" ".join(game.name for game in games())
    )
    parser.add_argument("size", metavar="SIZE", nargs="?", type=int, help="points along an edge")
    parser.add_argument(
        "--visits",
        type=taking(integers(1, _MOST)),
        metavar="N",
        default=20_000,
        help="search visits per first turn (default %(default)s)",
    )
    parser.add_argument(
        "--closest",
        type=taking(integers(0, 10**4)),
        metavar="K",
        default=0,
        help="search the K most even first turns deeper (default %(default)s)",
    )
    parser.add_argument(
        "--deep",
        type=taking(integers(1, _MOST)),
        metavar="N",
        help=f"search visits for each of those (default {_DEEP})",
    )
    parser.add_argument(
        "--solve",
        type=taking(numbers(0.0, 1e9)),
        metavar="SECONDS",
        default=0.0,
        help="time to try to solve each first turn before searching it (default 0: do not try)",
    )
    parser.add_argument(
        "--output", metavar="FILE", help="file to save the map in, and to continue from"
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="ignore the results in the file and measure everything again",
    )
    add_flags(parser, SETTINGS)
    parser.add_argument("--table", action="store_true", help="only list the maps in the package")
    return parser
