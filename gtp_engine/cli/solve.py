"""`gtp-engine solve`: solves small boards and late positions exactly."""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from gtp_engine.base.files import append_line, check_apart, check_writable, read_file
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.option import integers, numbers
from gtp_engine.cli.flags import add_flags, add_size_flag, chosen, taking
from gtp_engine.cli.game_files import read_game
from gtp_engine.cli.interrupts import DONE, FAILED, UNFINISHED, interruptible, unfinished
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.settings import Settings, settings
from gtp_engine.rules import find_game, games
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import Unreadable, read_turn, write_line
from gtp_engine.rules.points.color import WHITE
from gtp_engine.rules.step import IllegalStep, Pie
from gtp_engine.search.budget import Budget
from gtp_engine.search.certificates import save_certificate
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.openings.swap_maps import first_turns
from gtp_engine.search.proof_tables import load_table, save_table
from gtp_engine.search.solution import (
    BEST,
    DRAWN,
    METHODS,
    ContradictoryTable,
    Prover,
    Solution,
    Solver,
)
from gtp_engine.search.solver import make_solver

SETTINGS = settings("backend", "hash_mb", "threads")

_LARGEST_CERTIFIED = 4

_SAVE_EVERY = 600  # seconds

# All openings of the largest board take less than a megabyte.
_LARGEST_FILE = 2**24

SolveReport = dict[str, Any]


class SolveTask(NamedTuple):
    """A position to solve.

    opening -- the first turn that leads to it; None for a position without one
    images  -- first turns that are mirror images of it, itself included
    text    -- the position as text, if it is one of a game in a file
    """

    position: Position
    opening: str | None = None
    images: int = 1
    text: str | None = None


def main(arguments: Sequence[str]) -> int:
    """Solve and print. Returns the exit status. Raises OSError."""
    options = _parser().parse_args(arguments)
    if options.check is not None:
        return _check_certificate(Path(options.check))
    kept = (options.table, options.certificate, options.output)
    check_apart(filter(None, kept), [options.file] if options.file else [])
    try:
        tasks = _tasks(options)
        known = {} if options.output is None else _known(options.output, tasks)
        if options.certificate is not None:
            check_writable(options.certificate)
        wait_telling("gtp-engine solve")
        solver = _solver(tasks, options)
    except (ValueError, UnusableFile) as error:
        print(f"gtp-engine solve: {error}", file=sys.stderr)
        return FAILED
    with interruptible() as interrupt:
        budget = Budget(seconds=options.seconds, interrupt=interrupt)
        try:
            records = list(_solved(tasks, known, solver, budget, options))
            if options.certificate is not None and _complete(tasks, records):
                _certify(tasks[0], records[0], solver, interrupt, options.certificate)
        except (ValueError, ContradictoryTable) as error:  # or more than a file holds
            print(f"gtp-engine solve: {error}", file=sys.stderr)
            return FAILED
    if options.all_openings and not options.json:
        print(_with_swap(tasks, records))
    return DONE if _complete(tasks, records) else unfinished(interrupt)


def _complete(tasks: list[SolveTask], records: list[SolveReport]) -> bool:
    return len(records) == len(tasks) and all(each["value"] is not None for each in records)


def _solved(
    tasks: list[SolveTask],
    known: dict[str | None, SolveReport],
    solver: Solver,
    budget: Budget,
    options: argparse.Namespace,
) -> Iterator[SolveReport]:
    """A record per task; each is printed as soon as it is found, and saved if it is new."""
    for task in tasks:
        record = known.get(task.opening)
        if record is None:
            record = _record(task, _solution(task, solver, budget, options))
            if options.output is not None and record["value"] is not None:
                append_line(options.output, json.dumps(record))
        print(json.dumps(record) if options.json else _line(record, task), flush=True)
        yield record
        if budget.begin().interrupted():
            return


def _solver(tasks: list[SolveTask], options: argparse.Namespace) -> Solver:
    """The solver, with the table of a file. Raises ValueError and UnusableFile."""
    settings: Settings = options.settings
    position = tasks[0].position
    solver = make_solver(position, settings.backend, settings.search_options, options.method)
    if options.table is None and options.certificate is None:
        return solver
    if options.certificate is not None and len(tasks) > 1:
        raise ValueError("--certificate is for one position: choose an --opening")
    if not isinstance(solver, Prover):
        raise ValueError("only the kernel keeps tables and makes certificates")
    if options.certificate is not None:
        try:
            solver.certify(position, Budget(0))  # refuses what has none
        except ValueError as error:
            raise ValueError(f"{error}: {_why_none(position, solver)}") from None
    if options.table is not None:
        solver.restore(b"")  # likewise
    if options.table is not None and Path(options.table).exists():
        load_table(Path(options.table), solver, position, settings.hash_mb)
    return solver


def _solution(
    task: SolveTask, solver: Solver, budget: Budget, options: argparse.Namespace
) -> Solution:
    """The solution of a position. The table is saved from time to time, and at the end."""
    if options.table is None or not isinstance(solver, Prover):
        return solver.solve(task.position, budget)
    deadline = budget.begin()
    positions, hits, seconds = 0, 0, 0.0
    while True:
        left = deadline.seconds_left()
        part = options.save_every if left is None else min(left, options.save_every)
        found = solver.solve(task.position, budget._replace(seconds=part))
        save_table(Path(options.table), solver, task.position, options.settings.hash_mb)
        positions, hits = positions + found.positions, hits + found.hits
        seconds += found.seconds
        if found.value is not None or deadline.reached():
            return found._replace(positions=positions, hits=hits, seconds=seconds)


def _certify(
    task: SolveTask, record: SolveReport, solver: Solver, interrupt: Event, path: str
) -> None:
    """Write the certificate of a solved position. Raises OSError."""
    if not isinstance(solver, Prover):
        return
    words = solver.certify(task.position, Budget(interrupt=interrupt))
    if words is not None:
        save_certificate(Path(path), task.position, record["value"], words)


def _why_none(position: Position, solver: Prover) -> str:
    """Why a position has no certificate, and what can be done."""
    game = position.game
    if position.size > _LARGEST_CERTIFIED:
        return f"boards are too large from {_LARGEST_CERTIFIED + 1}x{_LARGEST_CERTIFIED + 1} on"
    if position.pie is not Pie.OFF:  # of a file: all other positions have no swap
        with suppress(ValueError):
            solver.certify(replace(position, pie=Pie.OFF), Budget(0))
            swapping = f"{game.color_names[WHITE]} may still swap"
            return f"{swapping}: write PIE[off] into the file, or choose a later --turn"
    return (
        f"a result in {game.title} can depend on earlier positions, so a set of positions does "
        "not prove it"
    )


def _check_certificate(path: Path) -> int:
    """Check the certificate in a file, and say what it proves. Returns the exit status."""
    from gtp_engine.search.certificates import check_claim, read_claim

    with interruptible() as interrupt:
        try:
            claim = read_claim(path)
            proven, positions, unproven = check_claim(claim, interrupt)
        except (ValueError, UnusableFile) as error:
            print(f"gtp-engine solve: {error}", file=sys.stderr)
            return FAILED
    if proven is None:
        print(f"stopped: {positions:,} positions checked")
        return unfinished(interrupt)
    if not proven:
        print(f"not proven: no answer in {unproven}")
        return UNFINISHED
    winner = claim.position.game.color_names[claim.winner].lower()
    text = write_position(claim.position)
    print(f"proven: {winner} wins {text}: {positions:,} positions checked")
    return DONE


def _record(task: SolveTask, found: Solution) -> SolveReport:
    game = task.position.game
    record: SolveReport = {"game": game.name, "size": task.position.size}
    if task.opening is not None:
        record |= {"opening": task.opening, "images": task.images}
    if task.text is not None:
        record |= {"position": task.text}
    record |= {
        "result": found.result(game),
        "value": found.value,
        "line": write_line(task.position, found.line),
        "positions": found.positions,
        "hits": found.hits,
        "seconds": round(found.seconds, 3),
    }
    if found.census is not None:
        record["census"] = found.census._asdict()
    return record


def _line(record: SolveReport, task: SolveTask) -> str:
    """A record as a line for people."""
    parts = [f"{record['game']} {record['size']}"]
    if task.opening is not None:
        parts.append(f"{task.opening} ({task.images} alike)" if task.images > 1 else task.opening)
    parts.append(f"{record['result']}, {record['positions']:,} positions, {record['seconds']} s")
    if record["line"]:
        parts.append(" ".join(record["line"]))
    if "census" in record:
        parts.append(
            "all positions: {won:,} won, {lost:,} lost, {drawn:,} drawn, "
            "longest win {longest} turns".format(**record["census"])
        )
    return ": ".join(parts)


def _with_swap(tasks: list[SolveTask], records: list[SolveReport]) -> str:
    """The winner if White may swap after the first turn, as far as the openings show."""
    game = tasks[0].position.game
    black, white = game.color_names
    found = list(zip(tasks, records))
    for task, record in found:
        if record["value"] == 1 and task.position.outcome() is not None:
            return f"with a swap: {black.lower()} wins, as {task.opening} ends the game"
    for task, record in found:
        if record["value"] == DRAWN:
            return f"with a swap: draw, by {task.opening}"
    if _complete(tasks, records):
        return f"with a swap: {white.lower()} wins"
    return "with a swap: not solved"


def _check(options: argparse.Namespace) -> None:
    """Read the settings. Raises ValueError, with a sentence, for options that do not fit."""
    options.settings = Settings(**chosen(options, SETTINGS))
    given = (options.game, options.size, options.opening, options.all_openings, options.file)
    kept = (options.table, options.certificate, options.output)
    if options.check is not None and any((*given, *kept)):
        raise ValueError("--check is for a file alone")
    if options.turn is not None and options.file is None:
        raise ValueError("--turn is for --file")
    if options.save_every is not None and options.table is None:
        raise ValueError("--save-every is for --table")
    if options.all_openings and options.opening is not None:
        raise ValueError("--all-openings excludes --opening")
    options.save_every = options.save_every or _SAVE_EVERY
    if options.file is None:
        _game(options.game).start(options.size)
    elif options.game or options.size or options.opening or options.all_openings:
        raise ValueError("--file excludes --game, --size and --opening")


def _tasks(options: argparse.Namespace) -> list[SolveTask]:
    """What to solve. Raises ValueError, with a sentence for the user."""
    if options.file is not None:
        session = read_game(options.file, options.turn, Settings())
        return [SolveTask(session.position, text=write_position(session.position))]
    game = _game(options.game)
    start = game.start(options.size, Pie.OFF)
    if options.all_openings:
        found = first_turns(game, start.size)
        return [SolveTask(each.position, each.word, each.images) for each in found]
    if options.opening is None:
        return [SolveTask(start)]
    try:
        reading = read_turn(start, (), options.opening)
    except (Unreadable, IllegalStep) as error:
        raise ValueError(f"{options.opening} is not a first turn: {error}") from None
    if reading.clicks or reading.position.open:
        raise ValueError(f"{options.opening} is not a whole first turn: steps are missing")
    return [SolveTask(reading.position, options.opening)]


def _game(name: str | None) -> Game:
    """Raises UnknownGame."""
    return find_game(name or games()[0].name)


def _known(path: str, tasks: list[SolveTask]) -> dict[str | None, SolveReport]:
    """The records already in a file. Raises ValueError for a file of other records."""
    wanted = {
        (task.position.game.name, task.position.size, task.opening, task.text) for task in tasks
    }
    known: dict[str | None, SolveReport] = {}
    if not Path(path).exists():
        return known
    text = read_file(path, _LARGEST_FILE).decode(errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        try:
            record = json.loads(line)
            key = record["game"], record["size"], record.get("opening"), record.get("position")
            complete = record.keys() >= {"result", "value", "line", "positions", "seconds"}
        except (ValueError, TypeError, KeyError, AttributeError):
            key, complete = None, False
        if key not in wanted or not complete:
            raise ValueError(f"line {number} of {path} is not a result of this task")
        known[record.get("opening")] = record
    return known


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gtp-engine solve",
        description=purpose(__doc__),
        epilog="Without --file it solves games without a swap; with --all-openings it also says "
        "who wins with a swap. Ctrl-C stops and keeps the results. Exit status: 0 if everything "
        "was solved or the proof is right, 1 if not, 2 for bad arguments, 130 after Ctrl-C.",
        check=_check,
    )
    parser.add_argument("--game", help=f"{' '.join(game.name for game in games())}")
    add_size_flag(parser)
    parser.add_argument(
        "--opening", metavar="TURN", help="solve the position after this first turn"
    )
    parser.add_argument(
        "--all-openings",
        action="store_true",
        help="solve the position after each first turn; mirror images only once",
    )
    parser.add_argument(
        "--table",
        metavar="FILE",
        help="go on from the proofs in this file, if it exists, and save them there",
    )
    parser.add_argument(
        "--save-every",
        type=taking(numbers(0.01, 1e9)),
        metavar="SECONDS",
        help=f"seconds between two savings of --table (default {_SAVE_EVERY})",
    )
    parser.add_argument(
        "--certificate", metavar="FILE", help="write a proof of the result to this file"
    )
    parser.add_argument(
        "--check",
        metavar="FILE",
        help="check the proof in a file of --certificate by the rules alone, and solve nothing",
    )
    parser.add_argument("--file", metavar="FILE.sgf", help="solve a position of this game in SGF")
    parser.add_argument(
        "--turn",
        type=taking(integers(0, 10**6)),
        metavar="N",
        help="with --file, the position after N turns (default: the last)",
    )
    parser.add_argument(
        "--seconds",
        type=taking(numbers(0.0, 1e9)),
        help="maximum seconds per position (default: no limit)",
    )
    parser.add_argument(
        "--method", choices=METHODS, default=BEST, help=f"the kernel's algorithm (default {BEST})"
    )
    add_flags(parser, SETTINGS)
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="append new results to this file, one JSON object per line; skip those already in it",
    )
    return parser
