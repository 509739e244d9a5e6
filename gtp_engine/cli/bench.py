"""`gtp-engine bench`: how fast rules, search and learned evaluations are on this machine."""

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Sequence
from typing import Any

from gtp_engine.board.vertex import MAX_SIZE, MIN_SIZE
from gtp_engine.cli.options import Parser, add_settings, between, read_settings
from gtp_engine.rules import find_game, games
from gtp_engine.rules.game import Game, Position
from gtp_engine.search import benchmark
from gtp_engine.search.backends.choose import PYTHON, backend_for
from gtp_engine.search.backends.kernel import KernelBackend, kernel_backends
from gtp_engine.search.benchmark import Load
from gtp_engine.search.budget import Budget
from gtp_engine.search.options import SearchOptions, declarations

SETTINGS = ("backend", *(each.name for each in declarations(SearchOptions)))

Measurement = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Measure and print. Returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        chosen = read_settings(options, SETTINGS)
        load = Load(options.seconds, options.seed, chosen.backend, chosen.search_options)
        starts = _starts(options.game, options.size)
    except ValueError as error:
        print(f"gtp-engine bench: {error}", file=sys.stderr)
        return 2
    if not options.json:
        used = {backend_for(start.game, load.backend).name for start in starts}
        print(f"searching with {' and '.join(sorted(used))}, medians of {options.samples}")
    found = 0
    for what in options.what or (*MEASURES, EVALUATIONS):
        for start in starts:
            for record in _records(what, start, load, options.samples):
                print(json.dumps(record) if options.json else _line(record), flush=True)
                found += 1
    if not found:
        print("gtp-engine bench: there is no learned evaluation to measure", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="gtp-engine bench", description=__doc__)
    parser.add_argument("--game", help="one game (default: all)")
    parser.add_argument("--size", type=int, help="one size (default: three for each game)")
    parser.add_argument(
        "--what",
        action="append",
        choices=[*MEASURES, EVALUATIONS],
        help="may be repeated (default: all); evaluations are of every instruction set here",
    )
    parser.add_argument(
        "--seconds", type=between(0.001, 3600.0), default=0.5, help="for a sample (default 0.5)"
    )
    parser.add_argument("--samples", type=between(1, 1000), default=5, help="default 5")
    parser.add_argument("--seed", type=between(0, 2**63 - 1), default=1, help="default 1")
    add_settings(parser, SETTINGS)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    return parser


def _starts(name: str | None, size: int | None) -> list[Position]:
    """Raises ValueError for an unknown game or size."""
    chosen = games() if name is None else (find_game(name),)
    return [game.start(each) for game in chosen for each in _sizes(game, size)]


def _sizes(game: Game, size: int | None) -> tuple[int, ...]:
    """The size asked for; or the default, with the smallest and largest that are usual."""
    if size is not None:
        return (size,)
    middle = game.default_size
    smallest, largest = game.recommended or (middle - 2, middle + 2)
    return max(smallest, MIN_SIZE), middle, min(largest, MAX_SIZE)


def _records(what: str, start: Position, load: Load, samples: int) -> list[Measurement]:
    """The medians of some samples, each with a seed of its own."""
    loads = [load._replace(seed=load.seed + n) for n in range(samples)]
    head = {"what": what, "game": start.game.name, "size": start.size}
    if what == EVALUATIONS:
        return [head | record for record in _evaluations(start, loads)]
    record = head | _medians([MEASURES[what](start, each) for each in loads])
    return [
        record
        | {"backend": backend_for(start.game, load.backend).name, "threads": load.options.threads}
    ]


def _medians(found: Sequence[Measurement]) -> Measurement:
    return {key: statistics.median(each[key] for each in found) for key in found[0]}


def _evaluations(start: Position, loads: Sequence[Load]) -> list[Measurement]:
    """One record for each instruction set; samples take turns, so that all see the same load."""
    backends = [] if loads[0].backend == PYTHON else kernel_backends(start.game)
    samples: dict[str, list[Measurement]] = {}
    for load in loads:
        for backend in backends:
            if record := _evaluation(backend, start, load):
                samples.setdefault(backend.isa, []).append(record)
    records = {isa: _medians(found) for isa, found in samples.items()}
    least = min((each["processor_us_per_evaluation"] for each in records.values()), default=0)
    threads = loads[0].options.threads
    return [
        {"isa": backend.isa}
        | records[backend.isa]
        | {"times_the_fastest": records[backend.isa]["processor_us_per_evaluation"] / least}
        | {"backend": backend.name, "threads": threads}
        for backend in backends
        if backend.isa in records
    ]


def _evaluation(backend: KernelBackend, start: Position, load: Load) -> Measurement | None:
    judged = benchmark.evaluate(backend, start, load)
    if judged is None:
        return None
    searched = benchmark.search_by(backend, start, load, Budget(seconds=load.seconds))
    return {
        "processor_us_per_evaluation": judged.processor / judged.times * 1e6,
        "us_per_evaluation": judged.seconds / judged.times * 1e6,
        "visits_per_second": searched.visits / searched.seconds,
        "visits_per_processor_second": searched.visits / searched.processor,
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
    if found.nodes and found.visits:  # none on a machine that hardly lets us run
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


EVALUATIONS = "evaluations"
MEASURES: dict[str, Callable[[Position, Load], Measurement]] = {
    "playouts": _playouts,
    "play": _play,
    "search": _search,
    "perft": _perft,
}


def _line(record: Measurement) -> str:
    numbers = (
        f"{key.replace('_', ' ')} {_number(key, value)}"
        for key, value in record.items()
        if isinstance(value, (int, float)) and key not in ("size", "threads")
    )
    isa = f"{record['isa']:6}  " if "isa" in record else ""
    return f"{record['what']:8} {record['game']:6} {record['size']:2}  {isa}" + "  ".join(numbers)


def _number(key: str, value: float) -> str:
    if key in ("black_wins", "draws"):
        return f"{value:.1%}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
