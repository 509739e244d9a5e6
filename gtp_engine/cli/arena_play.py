"""Shared by the tools that play matches: their lines, start-up checks, workers, Ctrl-C."""

import errno
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from gtp_engine.arena.playing.adjudication import check_judge
from gtp_engine.arena.playing.cores import check_cores
from gtp_engine.arena.playing.match import Workers
from gtp_engine.arena.playing.openings import Book
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.referee import LiveGames, play_game
from gtp_engine.arena.playing.running_engine import Forfeit, Void
from gtp_engine.arena.playing.stopping import StopRequest
from gtp_engine.arena.setup.config import Engine, Match, WrongMatch
from gtp_engine.arena.values import Fault, Identity
from gtp_engine.base import stderr
from gtp_engine.base.platforms import flaw_of_program, split_command
from gtp_engine.base.retrying import Patience
from gtp_engine.base.signals import handled

# The start of engines is told after so many seconds, and again as often while it goes on.
_QUIET_SECONDS = 3.0

_UNTIMED = "it has no time_settings, so it is not told its clock, which the arena keeps"

_FULL = {errno.ENOSPC, errno.EDQUOT}


def say(program: str, sentence: str) -> None:
    """Print a sentence that is no result."""
    print(f"{program}: {sentence}", file=sys.stderr, flush=True)


def print_line(text: str) -> None:
    """Print a line. On a full disk it is lost, and the match goes on: its games are stored."""
    try:
        print(text, flush=True)
    except OSError as error:
        if error.errno not in _FULL:
            raise


def patience(match: Match, program: str, stop: StopRequest) -> Patience:
    """The patience of a match with outages: of its file, or of its scheduler."""
    return Patience(match.outage, partial(say, program), stop.wait_in_outage)


def check_openings(
    match: Match, openings: Book, numbers: range, program: str, stop: StopRequest
) -> None:
    """Check before the first game that openings exist for the pairs of these numbers, and print
    remarks about them. Raises WrongMatch, and KeyboardInterrupt when stopped."""
    stop.on_abandon(openings.abandon)
    if match.sprt is not None and match.openings.source == "random":
        numbers = numbers[:1]  # a test usually ends long before its last pair
    try:
        for board in match.played_boards():
            if told := openings.check(board, numbers):
                say(program, told)
    except WrongMatch:
        if stop.asked:
            raise KeyboardInterrupt from None
        raise


def check_programs(match: Match) -> None:
    """Raises WrongMatch if an engine's program does not exist or may not be executed.

    That is a typing error, not a bad engine.

    Also raised if this machine has fewer cores than the parallel games need. Raises OSError if
    the folder of logs cannot be made.
    """
    check_cores(match.cores, match.concurrency or 1)
    if match.log:
        Path(match.log).mkdir(parents=True, exist_ok=True)
    for engine in match.engines:
        try:
            words = split_command(engine.command)
        except ValueError as error:
            raise WrongMatch(f"engines: {engine.name}: {error}") from None
        if told := flaw_of_program(words[0]):
            raise WrongMatch(f"engines: {engine.name}: program {words[0]} {told}")


def identities(
    match: Match, program: str, stop: StopRequest, quiet: float = _QUIET_SECONDS
) -> dict[str, Identity]:
    """The identities of the engines; with `recover`, those that do not answer are left out.

    quiet -- seconds between two lines that tell how many engines are ready

    Each engine is set up for a game on each board, `concurrency` engines at a time. A refusal is an
    error in its settings, and an engine that cannot start is an error in its command: not a reason
    for forfeits. Raises WrongMatch then, and KeyboardInterrupt when stopped. An engine that cannot
    be told its clock is named.
    """
    found: dict[str, Identity] = {}
    pool = EnginePool()
    stop.on_abandon(pool.abandon)
    executor = ThreadPoolExecutor(match.concurrency or 1, "starting")
    starts = {executor.submit(_identity, match, engine, pool): engine for engine in match.engines}
    waiting, told = set(starts), (-1, time.monotonic())
    try:
        while waiting:
            done, waiting = wait(waiting, quiet, FIRST_COMPLETED)
            for start in done:
                name = starts[start].name
                try:
                    found[name], timed = start.result()
                    if not timed:
                        say(program, f"{name}: {_UNTIMED}")
                except (Forfeit, Void) as error:
                    if stop.asked:
                        raise KeyboardInterrupt from None
                    _check_slip(match, name, error)
                    say(program, f"{name}: {error}")
            ready, now = len(starts) - len(waiting), time.monotonic()
            if waiting and ready != told[0] and now > told[1] + quiet:
                say(program, f"starting the engines: {ready} of {len(starts)} are ready")
                told = ready, now
    except BaseException:
        pool.abandon()
        raise
    finally:
        executor.shutdown(cancel_futures=True)
    try:
        check_judge(match, pool)
    finally:
        pool.close()
    if not found:
        raise WrongMatch("engines: none of them answers")
    return found


def _identity(match: Match, engine: Engine, pool: EnginePool) -> tuple[Identity, bool]:
    """The identity of an engine that accepts all boards, and whether it can be told its clock.

    Raises Forfeit, with its log, or Void.
    """
    player = pool.take(engine, match.terms)
    try:
        for board in match.played_boards():
            player.new_game(board, match.control(engine), seed=0)
    except Forfeit as error:
        player.close()
        error.evidence = player.evidence
        raise
    finally:
        pool.give(player, sound=False)
    return player.identity, player.accepts(match.control(engine))


def _check_slip(match: Match, name: str, error: Forfeit | Void) -> None:
    """Raises WrongMatch, with the log of the engine, if the user's configuration is to blame."""
    if isinstance(error, Forfeit) and (error.fault is Fault.REFUSED or not match.recover):
        log = (line[2:] for line in error.evidence.lines if line.startswith("! "))
        told = "".join(f"\n  {line}" for line in log)
        raise WrongMatch(f"engines: {name}: {error}{told}") from None


@contextmanager
def open_workers(
    match: Match,
    cluster: str | None,
    stop: StopRequest,
    program: str,
    known: Mapping[str, Identity] | None = None,
    begun: bool = False,
) -> Iterator[Workers]:
    """Open threads of this process, or a cluster.

    known -- the identities of the engines
    begun -- whether games were played on the cluster already, so that it is waited for

    Raises WrongMatch for a cluster that cannot be reached.
    """
    if cluster:
        from gtp_engine.arena.playing.cluster_games import end_engines, new_match, play_on_worker
        from gtp_engine.base.cluster import Cluster, NoScheduler

        try:
            workers = Cluster(cluster, partial(say, program), begun=begun)
        except NoScheduler as error:
            raise WrongMatch(f"--cluster: {error}") from None
        with closing(workers):
            name = new_match()
            abandon = partial(workers.run_on_all, end_engines, name)
            try:
                yield Workers(
                    workers,
                    partial(play_on_worker, name),
                    lambda: match.concurrency or workers.threads(),
                    abandon,
                    workers.lost,
                    patience(match, program, stop),
                )
            finally:
                abandon()
        return
    pool, games, live = EnginePool(known), match.concurrency or 1, LiveGames()
    executor = ThreadPoolExecutor(games, "game")
    try:
        play = partial(play_game, pool=pool, live=live)
        yield Workers(executor, play, lambda: games, pool.abandon, live=live)
    except BaseException:  # games that cannot be stored are not continued
        pool.abandon()
        raise
    finally:
        executor.shutdown(cancel_futures=True)
        pool.close()


@contextmanager
def interrupts(stop: StopRequest, program: str) -> Iterator[None]:
    """Ctrl-C or SIGTERM: finish the games in progress; a second one abandons them. During the start
    of engines and the search for openings the first one stops at once."""

    def interrupt(number: int, frame: object) -> None:
        if stop.interrupt():
            # Not by `print`, which may be what was interrupted.
            told = "finishing the games in progress; press Ctrl-C again to abandon them"
            stderr.write(f"{program}: {told}\n")

    with handled(interrupt):
        yield
