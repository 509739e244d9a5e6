"""`gtp-arena run`: plays matches, or continues them."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from gtp_engine.arena import ArenaError
from gtp_engine.arena.playing.match import Runner
from gtp_engine.arena.playing.openings import book
from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.reporting.terminal import show
from gtp_engine.arena.reporting.wording import number_of
from gtp_engine.arena.setup.config import Match, WrongMatch
from gtp_engine.arena.storage.store import Store
from gtp_engine.base.files import sentence_of
from gtp_engine.base.kernel_build import wait_telling
from gtp_engine.base.log import log_to_stderr, on_first_use
from gtp_engine.base.own_commands import own_command
from gtp_engine.base.retrying import Outlasted
from gtp_engine.cli.arena_options import databases
from gtp_engine.cli.arena_play import (
    check_openings,
    check_programs,
    identities,
    interrupts,
    open_workers,
    patience,
    print_line,
    say,
)
from gtp_engine.cli.arena_progress import MatchProgress, progress
from gtp_engine.cli.arena_report import findings
from gtp_engine.cli.interrupts import FAILED, INTERRUPTED, OUTLASTED, VERDICTS

PROGRAM = "gtp-arena run"


def main(options: argparse.Namespace) -> int:
    """Play the matches. Returns 0, 130 if interrupted, 2 if games were given up; with `--verdict`
    the status of an accepted hypothesis.

    Raises ArenaError or OSError.
    """
    on_first_use(log_to_stderr)
    for match in options.matches:
        if match.tune is not None:
            raise WrongMatch(f"tune: run this match with {own_command('gtp-arena', ['tune'])}")
        if options.verdict and match.sprt is None:
            raise WrongMatch("--verdict needs --sprt")
    paths = databases(options)
    wait_telling(PROGRAM)
    if len(paths) == 1:
        return _play_match(options.matches[0], paths[0], options)
    return _play_all(list(zip(options.file, options.matches, paths)), options)


def _play_all(matches: Sequence[tuple[Path, Match, Path]], options: argparse.Namespace) -> int:
    """Play matches one after the other. One that cannot be played does not keep others from it."""
    worst = 0
    for number, (file, match, path) in enumerate(matches, 1):
        _tell_begin(number, len(matches), file, path, options.json)
        try:
            status = _play_match(match, path, options)
        except (ArenaError, Outlasted, OSError) as error:
            if isinstance(error, BrokenPipeError):
                raise
            told = sentence_of(error) if isinstance(error, OSError) else str(error)
            print(f"{PROGRAM}: {file}: {told}", file=sys.stderr)
            status = OUTLASTED if isinstance(error, Outlasted) else FAILED
        if status == INTERRUPTED:
            return status
        worst = max(worst, status)
    return worst


def _tell_begin(number: int, of: int, file: Path, path: Path, as_json: bool) -> None:
    if as_json:
        event = {"event": "match", "number": number, "of": of, "file": str(file), "db": str(path)}
        print_line(json.dumps(event))
    else:
        print_line(f"match {number} of {of}: {file}, kept in {path}")


def _play_match(match: Match, path: Path, options: argparse.Namespace) -> int:
    """Play a match. Returns as `main`, and raises the same."""
    openings = book(match.openings, match.seed)
    if not options.cluster:
        check_programs(match)
    stop = StopRequest()
    store_patience = patience(match, PROGRAM, stop)
    with interrupts(stop, PROGRAM), closing(openings):
        if path.exists():  # refuse a different match before engines are started
            with closing(Store(path, patience=store_patience)) as store:
                store.begin(match, {}, options.accept_changed_engines)
        check_openings(match, openings, match.pairs, PROGRAM, stop)
        known = {} if options.cluster else identities(match, PROGRAM, stop)
        with (  # in this order: a cluster that cannot be reached leaves no file
            open_workers(match, options.cluster, stop, PROGRAM, known) as workers,
            closing(Store(path, patience=store_patience)) as store,
        ):
            store.begin(match, known, options.accept_changed_engines)
            stop.on_abandon(workers.abandon)
            runner = Runner(match, store, openings, workers, stop)
            if runner.played:
                say(PROGRAM, f"{path} has {_state(runner)}")
            with closing(progress(match, runner, options.json)) as shown:
                _play(runner, shown, stop)
            if stop.asked:
                say(PROGRAM, "stopped; run the same command to continue")
                return INTERRUPTED
            if not options.json:
                print()
                show(findings(store), sys.stdout)
    if runner.given_up:
        missing = number_of(runner.given_up, "game")
        say(PROGRAM, f"{missing} given up; run the same command to try again")
        return FAILED
    decision = runner.tally.decision
    return VERDICTS[decision.accepted] if decision and options.verdict else 0


def _state(runner: Runner) -> str:
    """What a file has of its match, and whether there is more to play."""
    played, decision = runner.played, runner.tally.decision
    games = f"{played:,} of {number_of(runner.total, 'game')}"
    if decision is not None:
        return f"{games}; the sequential test has decided: {decision.accepted} is accepted"
    return f"{games}; the match {'continues' if played < runner.total else 'is complete'}"


def _play(runner: Runner, shown: MatchProgress, stop: StopRequest) -> None:
    """Play the missing games and show the progress. Raises the errors of the runner."""
    try:
        for event in runner.run():
            shown.show(event)
    except (ArenaError, Outlasted) as error:
        shown.end("failed", str(error))
        raise
    except KeyboardInterrupt:
        shown.end("stopped")
        raise
    decided = runner.tally.decision is not None
    shown.end("decided" if decided else "stopped" if stop.asked else "complete")
