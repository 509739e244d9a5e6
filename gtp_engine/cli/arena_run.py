"""`gtp-arena run`: play a match, or what is missing of it."""

import argparse
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gtp_engine.arena.config import Match, WrongMatch, make_match
from gtp_engine.arena.game import Task, play_game
from gtp_engine.arena.match import MatchFailed, Runner, Stop
from gtp_engine.arena.openings import book
from gtp_engine.arena.player import Forfeit, Player, Void
from gtp_engine.arena.pool import Pool
from gtp_engine.arena.records import GameRecord
from gtp_engine.arena.store import Store, StoreFailed
from gtp_engine.arena.timing import Lateness
from gtp_engine.cli.arena_options import add_match_options, match_tables
from gtp_engine.cli.arena_progress import progress
from gtp_engine.gtp.child import command_words
from gtp_engine.log import log_to_stderr, on_first_use

PROGRAM = "gtp-arena run"
INTERRUPTED = 130


class Workers(NamedTuple):
    """Where games are played: what takes tasks, what plays one, how many are played at once, and
    what ends them all."""

    executor: Executor
    play: Callable[[Task], GameRecord]
    concurrency: int
    abandon: Callable[[], None]


def main(arguments: Sequence[str]) -> int:
    """Play. Returns 0, 2 for a match that cannot be played, 130 where it was interrupted."""
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Plays a match between GTP engines. The same command goes on with a match "
        "that was interrupted; with more --games it becomes longer.",
    )
    add_match_options(parser)
    parser.add_argument("--db", type=Path, default=Path("match.db"), help="default match.db")
    parser.add_argument("--json", action="store_true", help="tell what happens as JSON lines")
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler that plays")
    options = parser.parse_args(arguments)
    on_first_use(log_to_stderr)
    try:
        return _run(options)
    except (WrongMatch, MatchFailed, StoreFailed, OSError) as error:
        print(f"{PROGRAM}: {error}", file=sys.stderr)
        return 2


def _run(options: argparse.Namespace) -> int:
    match = make_match(match_tables(options))
    if match.tune is not None:
        raise WrongMatch("tune: such a match is for gtp-arena tune")
    openings = book(match.openings, match.seed)
    if not options.cluster:
        check_programs(match)
    store = Store(options.db)
    try:
        store.begin(match, {} if options.cluster else identities(match, PROGRAM))
        with open_workers(match, options.cluster) as workers:
            stop = Stop(workers.abandon)
            runner = Runner(match, store, openings, *workers[:3], stop)
            with interrupts(stop, PROGRAM), closing(progress(match, runner, options.json)) as shown:
                for event in runner.run():
                    shown.show(event)
        if stop.asked:
            print(f"{PROGRAM}: stopped; the same command goes on", file=sys.stderr)
            return INTERRUPTED
    finally:
        openings.close()
        store.close()
    return 0


def check_programs(match: Match) -> None:
    """Raises WrongMatch for a command line without a program: a slip, not a bad engine."""
    for engine in match.engines:
        try:
            words = command_words(engine.command)
        except ValueError as error:
            raise WrongMatch(f"engines: {engine.name}: {error}") from None
        if shutil.which(words[0]) is None:
            raise WrongMatch(f"engines: {engine.name}: there is no program {words[0]}")


def identities(match: Match, program: str) -> dict[str, str]:
    """What the engines say they are; those that cannot even say that are left out."""
    found = {}
    for engine in match.engines:
        try:
            player = Player(engine, match.memory)
        except (Forfeit, Void) as error:
            print(f"{program}: {engine.name}: {error}", file=sys.stderr)
        else:
            found[engine.name] = player.identity
            player.close()
    return found


@contextmanager
def open_workers(match: Match, cluster: str | None) -> Iterator[Workers]:
    """Threads of this process, or a cluster. Raises WrongMatch for one that is not there."""
    if cluster:
        from gtp_engine.arena.cluster import Cluster, play_on_worker

        with Cluster(cluster) as connected:
            games = match.concurrency or connected.threads
            yield Workers(connected.executor, play_on_worker, games, connected.abandon)
        return
    pool, lateness, games = Pool(), Lateness(), match.concurrency or 1
    executor = ThreadPoolExecutor(games, "game")
    try:
        play = partial(play_game, pool=pool, lateness=lateness)
        yield Workers(executor, play, games, pool.abandon)
    finally:
        executor.shutdown(cancel_futures=True)
        pool.close()


@contextmanager
def interrupts(stop: Stop, program: str) -> Iterator[None]:
    """Ctrl-C, or SIGTERM: the games in progress are finished; a second one gives them up."""

    def interrupt(number: int, frame: object) -> None:
        if stop.asked:
            stop.abandon()
        else:
            stop.finish()
            said = "finishing the games in progress; once more gives them up"
            print(f"{program}: {said}", file=sys.stderr, flush=True)

    before = {number: signal.signal(number, interrupt) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_SIGNALS = (signal.SIGINT, signal.SIGTERM)
