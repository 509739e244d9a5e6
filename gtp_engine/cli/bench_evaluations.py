"""The part of `gtp-engine bench` that measures learned evaluations: cost against accuracy.

Cost is the time of an evaluation and of a visit. Accuracy is how well the net predicts the held-out
games.
"""

import os
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.learn.accuracy import accuracy, losses_by_turns
from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.held_out_games import held_out_games
from gtp_engine.rules.game import Position
from gtp_engine.search import benchmark
from gtp_engine.search.backends.choose import PYTHON
from gtp_engine.search.backends.kernel import KernelBackend, kernel_backends
from gtp_engine.search.benchmark import Load
from gtp_engine.search.options import VARIABLE
from gtp_engine.search.weights import NONE, OWN, read_weights

Measurement = dict[str, Any]

EVALUATIONS, BY_TURNS = "evaluations", "by turns"

# Evaluations get this part of a sample's seconds, and so do their searches: there are many of them.
_PART = 0.2

_COST = "processor_us_per_evaluation"


class Contender(NamedTuple):
    """Weights to measure: the name in the option, and their game; None for any game."""

    weights: str
    game: str | None

    def loads(self, start: Position, loads: Sequence[Load]) -> list[Load]:
        """The loads with these weights; empty if the weights are for another game."""
        if self.game not in (None, start.game.name):
            return []
        return [
            load._replace(options=replace(load.options, weights=self.weights)) for load in loads
        ]


def contenders(names: Sequence[str]) -> list[Contender]:
    """The weights that the options name. Raises UnusableFile."""
    return [
        Contender(name, None if name in (OWN, NONE) else read_weights(Path(name)).game)
        for name in names
    ]


def evaluation_records(start: Position, loads: Sequence[Load]) -> Iterator[Measurement]:
    """One record for each instruction set. Samples alternate, so all sets see the same system load.

    Raises UnusableFile.
    """
    backends = _backends(start, loads[0])
    samples: dict[str, list[Measurement]] = {}
    for load in loads:
        for backend in backends:
            if record := _costs(backend, start, load):
                samples.setdefault(backend.isa, []).append(record)
    records = {isa: medians(found) for isa, found in samples.items()}
    least = min((each[_COST] for each in records.values() if _COST in each), default=0.0)
    for backend in backends:
        if record := records.get(backend.isa):
            relative = {"times_the_fastest": record[_COST] / least} if least else {}
            yield {
                **_head(EVALUATIONS, start, loads[0], backend),
                **record,
                **relative,
                **_accuracy(backend, start, loads[0]),
                "backend": backend.name,
                "threads": loads[0].threads,
            }


def turn_records(start: Position, load: Load, visits: int) -> Iterator[Measurement]:
    """One record for each number of turns before the end, with the fastest instruction set.

    Raises UnusableFile.
    """
    for backend in _backends(start, load)[:1]:
        net = backend.net(load.options)
        games = _games(start)
        for each in losses_by_turns(backend.module, net, games, load.options, visits):
            yield {
                **_head(BY_TURNS, start, load, backend),
                **each._asdict(),
                "plain_visits": visits,
            }


def medians(found: Sequence[Measurement]) -> Measurement:
    """The median of each number over some samples."""
    return {key: statistics.median(each[key] for each in found) for key in found[0]}


def _head(what: str, start: Position, load: Load, backend: KernelBackend) -> Measurement:
    weights = backend.weights(load.options)
    return {
        "what": what,
        "game": start.game.name,
        "size": start.size,
        "weights": NONE if weights is None else weights.name,
        "isa": backend.isa,
    }


def _backends(start: Position, load: Load) -> list[KernelBackend]:
    """A backend for each instruction set, or only for the one that the environment names."""
    backends = [] if load.backend == PYTHON else kernel_backends(start.game)
    wanted = os.environ.get(VARIABLE)
    return [each for each in backends if each.isa == wanted] or backends


def _costs(backend: KernelBackend, start: Position, load: Load) -> Measurement | None:
    """The cost of an evaluation and of a visit; None if the game has no weights.

    If the load asks for no weights, the result has only the cost of a visit.
    """
    load = load._replace(seconds=load.seconds * _PART)
    judged = benchmark.evaluate(backend, start, load)
    costs = {}
    if judged is not None:
        costs = {
            _COST: judged.processor / judged.times * 1e6,
            "us_per_evaluation": judged.seconds / judged.times * 1e6,
        }
    elif load.options.weights != NONE:
        return None
    searched = benchmark.visits(backend, start, load)
    return {
        **costs,
        "visits_per_second": searched.visits / searched.seconds,
        "visits_per_processor_second": searched.visits / searched.processor,
    }


def _games(start: Position) -> list[SelfplayGame]:
    """The held-out games on boards of one size. Raises UnusableFile."""
    return [each for each in held_out_games(start.game.name) if each.size == start.size]


def _accuracy(backend: KernelBackend, start: Position, load: Load) -> Measurement:
    """The accuracy on the held-out games of one size; an empty record if there are none."""
    found = accuracy(backend.module, backend.net(load.options), _games(start))
    if found is None:
        return {}
    return {
        "positions": found.positions,
        "cross_entropy_of_steps": found.steps,
        "cross_entropy_of_value": found.value,
        "uniform_steps": found.uniform,
        "least_of_steps": found.least,
        "constant_value": found.constant,
    }


def evaluation_line(record: Measurement) -> str:
    """The record of an evaluation as text for people."""
    parts = [_beginning(record)]
    if _COST in record:
        parts.append(f"{record[_COST]:.2f} us")
    parts.append(f"{record['visits_per_processor_second']:,.0f} visits/s")
    if "positions" in record:
        steps = f"{record['least_of_steps']:.3f} to {record['uniform_steps']:.3f}"
        parts.append(f"steps {record['cross_entropy_of_steps']:.3f} ({steps})")
        constant = f"constant {record['constant_value']:.3f}"
        parts.append(f"value {record['cross_entropy_of_value']:.3f} ({constant})")
        parts.append(f"{record['positions']} positions")
    return "  ".join(parts)


def turn_line(record: Measurement) -> str:
    """The record of one number of turns before the end, as text for people."""
    known = record["evaluation"]
    return "  ".join(
        [
            _beginning(record),
            f"{record['turns']:2} before the end",
            f"evaluation {'-' if known is None else format(known, '.3f')}",
            f"search {record['search']:.3f} ({record['search_visits']:,.0f} visits)",
            f"plain {record['plain']:.3f} ({record['plain_visits']:,} visits)",
            f"{record['positions']} positions",
        ]
    )


def _beginning(record: Measurement) -> str:
    name = record["weights"]
    return f"{record['what']}  {record['game']:6} {record['size']:2}  {record['isa']:6}  {name}"
