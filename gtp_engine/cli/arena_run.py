"""`gtp-arena run`: plays a match, or continues it."""

import argparse
import sys
from contextlib import closing

from gtp_engine.arena import ArenaError
from gtp_engine.arena.playing.match import Runner
from gtp_engine.arena.playing.openings import book
from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.reporting.report import show
from gtp_engine.arena.reporting.wording import number_of
from gtp_engine.arena.setup.config import Match, WrongMatch
from gtp_engine.arena.storage.store import Store
from gtp_engine.cli.arena import FAILED, INTERRUPTED
from gtp_engine.cli.arena_play import (
    check_openings,
    check_programs,
    identities,
    interrupts,
    open_workers,
    patience,
    say,
)
from gtp_engine.cli.arena_progress import MatchProgress, progress
from gtp_engine.cli.arena_report import findings
from gtp_engine.log import log_to_stderr, on_first_use

PROGRAM = "gtp-arena run"


def main(options: argparse.Namespace) -> int:
    """Play the match. Returns 0, 130 if interrupted, 2 if games were given up.

    Raises ArenaError or OSError.
    """
    on_first_use(log_to_stderr)
    match: Match = options.match
    if match.tune is not None:
        raise WrongMatch("tune: run this match with gtp-arena tune")
    openings = book(match.openings, match.seed)
    if not options.cluster:
        check_programs(match)
    stop = StopRequest()
    store_patience = patience(match, PROGRAM, stop)
    with interrupts(stop, PROGRAM), closing(openings):
        if options.db.exists():  # refuse a different match before engines are started
            with closing(Store(options.db, patience=store_patience)) as store:
                store.begin(match, {}, options.accept_changed_engines)
        check_openings(match, openings, match.pairs, PROGRAM, stop)
        known = {} if options.cluster else identities(match, PROGRAM, stop)
        with closing(Store(options.db, patience=store_patience)) as store:
            store.begin(match, known, options.accept_changed_engines)
            with open_workers(match, options.cluster, stop, PROGRAM, known) as workers:
                stop.on_abandon(workers.abandon)
                runner = Runner(match, store, openings, workers, stop)
                if played := runner.tally.games:
                    how = "continues" if played < runner.total else "is complete"
                    games = number_of(runner.total, "game")
                    say(PROGRAM, f"{options.db} has {played:,} of {games}; the match {how}")
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
    return 0


def _play(runner: Runner, shown: MatchProgress, stop: StopRequest) -> None:
    """Play the missing games and show the progress. Raises the errors of the runner."""
    try:
        for event in runner.run():
            shown.show(event)
    except ArenaError as error:
        shown.end("failed", str(error))
        raise
    except KeyboardInterrupt:
        shown.end("stopped")
        raise
    decided = runner.tally.decision is not None
    shown.end("decided" if decided else "stopped" if stop.asked else "complete")
