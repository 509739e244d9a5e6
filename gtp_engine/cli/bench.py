"""`gtp-engine bench`: measures the speed of rules and search, and the accuracy of evaluations."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.option import integers, numbers
from gtp_engine.base.option import options as declared
from gtp_engine.cli.bench_evaluations import (
    BY_TURNS,
    EVALUATIONS,
    Contender,
    Measurement,
    contenders,
    evaluation_line,
    evaluation_records,
    medians,
    turn_line,
    turn_records,
)
from gtp_engine.cli.flags import add_flags, chosen, taking
from gtp_engine.cli.interrupts import DONE, FAILED
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.settings import Settings, settings
from gtp_engine.rules import find_game, games
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.points.vertex import MAX_SIZE
from gtp_engine.search import benchmark
from gtp_engine.search.backends.choose import backend_for, check_weights
from gtp_engine.search.backends.protocol import Backend
from gtp_engine.search.benchmark import Load
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.options import SearchOptions

SETTINGS = settings("backend", *(each.name for each in declared(SearchOptions)))


def main(arguments: Sequence[str]) -> int:
    """Measure and print; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        wait_telling("gtp-engine bench")
        task = _task(options)
        if not options.json:
            used = {_told(backend_for(start.game, task.load.backend)) for start in task.starts}
            print(f"backend: {' and '.join(sorted(used))}; medians of {options.samples} samples")
        found = 0
        for record in task.records():
            print(json.dumps(record) if options.json else _line(record), flush=True)
            found += 1
    except (ValueError, UnusableFile) as error:
        print(f"gtp-engine bench: {error}", file=sys.stderr)
        return FAILED
    if not found:
        missing = "learned evaluation" if options.by_turns is None else "held-out game of the size"
        print(f"gtp-engine bench: there is no {missing} to measure", file=sys.stderr)
        return FAILED
    return DONE


def _told(backend: Backend) -> str:
    """What measures, with its instruction sets: a slow machine is recognised by them."""
    if backend.isas is None:
        return backend.name
    games, nets = backend.isas
    return f"{backend.name} (rules and search: {games}, nets: {nets})"


class Task(NamedTuple):
    """The measurements to make.

    weights  -- the weights to compare, for evaluations
    by_turns -- the visits of the plain search; None to skip the losses by turns
    """

    whats: Sequence[str]
    starts: Sequence[Position]
    load: Load
    samples: int
    weights: Sequence[Contender]
    by_turns: int | None

    def records(self) -> Iterator[Measurement]:
        """The records, in the order of the output. Raises UnusableFile."""
        loads = [self.load._replace(seed=self.load.seed + n) for n in range(self.samples)]
        for what in self.whats:
            for start in self.starts:
                if what == EVALUATIONS:
                    yield from self._evaluations(start, loads)
                else:
                    yield _record(what, start, loads)

    def _evaluations(self, start: Position, loads: Sequence[Load]) -> Iterator[Measurement]:
        for each in self.weights:
            chosen = each.loads(start, loads)
            if chosen and self.by_turns is None:
                yield from evaluation_records(start, chosen)
            elif chosen and self.by_turns is not None:
                yield from turn_records(start, chosen[0], self.by_turns)


def _check(options: argparse.Namespace) -> None:
    """Read the settings. Raises ValueError, with a sentence, for options that do not fit."""
    options.what = options.what or ([EVALUATIONS] if options.by_turns else [*MEASURES, EVALUATIONS])
    if len(options.several or ()) > 1 and options.what != [EVALUATIONS]:
        raise ValueError("several --weights are compared by --what evaluations only")
    if options.by_turns and options.what != [EVALUATIONS]:
        raise ValueError("--by-turns is for --what evaluations only")
    options.settings = Settings(**chosen(options, SETTINGS))
    options.starts = _starts(options.game, options.size)


def _task(options: argparse.Namespace) -> Task:
    """The task that the options describe. Raises UnusableFile."""
    used: Settings = options.settings
    several = options.several or [used.weights]
    search = replace(used.search_options, weights=several[0])
    load = Load(options.seconds, options.seed, used.backend, search)
    weights = contenders(several)
    for each in weights:
        _check_named(each, options.starts, used.backend)
    return Task(options.what, options.starts, load, options.samples, weights, options.by_turns)


def _check_named(contender: Contender, starts: Sequence[Position], backend: str) -> None:
    """Raises UnusableFile for a file that no measurement can use."""
    if contender.game is None:
        return
    games = [start.game for start in starts if start.game.name == contender.game]
    if not games:
        raise UnusableFile(f"{contender.weights} is for {contender.game}")
    check_weights(games[0], contender.weights, backend)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="gtp-engine bench", description=purpose(__doc__), check=_check)
    parser.add_argument("--game", help="the game to measure (default: all)")
    parser.add_argument("--size", type=int, help="points along an edge (default: three per game)")
    parser.add_argument(
        "--what",
        action="append",
        choices=[*MEASURES, EVALUATIONS],
        help="what to measure; may be repeated (default: all). evaluations measures cost and "
        "accuracy of weights with every instruction set of this processor, in two fifths of the "
        "seconds",
    )
    parser.add_argument(
        "--seconds",
        type=taking(numbers(0.001, 3600.0)),
        default=0.5,
        help="seconds per sample (default 0.5)",
    )
    parser.add_argument(
        "--samples",
        type=taking(integers(1, 1000)),
        default=5,
        help="samples per measurement (default 5)",
    )
    parser.add_argument(
        "--seed",
        type=taking(integers(0, 2**63 - 1)),
        default=1,
        help="seed of the first sample (default 1)",
    )
    parser.add_argument(
        "--by-turns",
        type=taking(integers(1, 10**7)),
        metavar="VISITS",
        help="show how early evaluations predict the result: the log loss of their values by turns "
        "before the end, next to plain UCT with VISITS visits and the search in equal time",
    )
    parser.add_argument(
        "--weights",
        dest="several",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="evaluations to compare; auto: those in the package, off: none (default auto)",
    )
    add_flags(parser, [each for each in SETTINGS if each.name != "weights"])
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    return parser


def _starts(name: str | None, size: int | None) -> list[Position]:
    """The starting positions to measure. Raises ValueError for an unknown game or size."""
    chosen = games() if name is None else (find_game(name),)
    return [game.start(each) for game in chosen for each in _sizes(game, size)]


def _sizes(game: Game, size: int | None) -> tuple[int, ...]:
    """The given size; or the default, with the smallest and the largest recommended size."""
    if size is not None:
        return (size,)
    middle = game.default_size
    smallest, largest = game.recommended or (middle - 2, middle + 2)
    return max(smallest, game.smallest_size), middle, min(largest, MAX_SIZE)


def _record(what: str, start: Position, loads: Sequence[Load]) -> Measurement:
    """The medians of some samples. Each sample has its own seed."""
    backend = backend_for(start.game, loads[0].backend)
    return {
        "what": what,
        "game": start.game.name,
        "size": start.size,
        **medians([MEASURES[what](start, each) for each in loads]),
        "backend": backend.name,
        "isas": backend.isas,
        "threads": loads[0].threads,
    }


def _playouts(start: Position, load: Load) -> Measurement:
    return _of_games(benchmark.playouts(start, load))


def _play(start: Position, load: Load) -> Measurement:
    return _of_games(benchmark.play(start, load))


def _of_games(tally: benchmark.Games) -> Measurement:
    return {
        "games_per_second": tally.games / tally.seconds,
        "plies_per_second": tally.plies / tally.seconds,
        "ns_per_ply": tally.seconds / tally.plies * 1e9,
        "processor_ns_per_ply": tally.processor / tally.plies * 1e9,
        "mean_plies": tally.plies / tally.games,
        "black_wins": tally.black_wins / tally.games,
        "draws": tally.draws / tally.games,
    }


def _search(start: Position, load: Load) -> Measurement:
    found = benchmark.search(start, load)
    record = {
        "visits_per_second": found.visits / found.seconds,
        "visits_per_processor_second": found.visits / found.processor,
        "nodes": found.nodes,
    }
    if found.nodes and found.visits:  # a machine under heavy load may have none
        record["bytes_per_node"] = found.used_bytes / found.nodes
        record["bytes_per_visit"] = found.used_bytes / found.visits
    return record


def _perft(start: Position, load: Load) -> Measurement:
    found = benchmark.count(start, load)
    return {
        "depth": found.depth,
        "sequences": found.sequences,
        "sequences_per_second": found.sequences / found.seconds,
        "sequences_per_processor_second": found.sequences / found.processor,
    }


MEASURES: dict[str, Callable[[Position, Load], Measurement]] = {
    "playouts": _playouts,
    "play": _play,
    "search": _search,
    "perft": _perft,
}


def _line(record: Measurement) -> str:
    if record["what"] == EVALUATIONS:
        return evaluation_line(record)
    if record["what"] == BY_TURNS:
        return turn_line(record)
    numbers = (
        f"{key.replace('_', ' ')} {_number(key, value)}"
        for key, value in record.items()
        if isinstance(value, (int, float)) and key not in ("size", "threads")
    )
    return f"{record['what']:8} {record['game']:6} {record['size']:2}  " + "  ".join(numbers)


def _number(key: str, value: float) -> str:
    if key in ("black_wins", "draws"):
        return f"{value:.1%}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
