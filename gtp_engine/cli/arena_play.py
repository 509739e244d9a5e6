"""What the tools that play matches share: engines looked at, workers, Ctrl-C."""

import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from gtp_engine.arena.playing.adjudication import check_judge
from gtp_engine.arena.playing.cores import check_cores
from gtp_engine.arena.playing.game import GameTask, play_game
from gtp_engine.arena.playing.live import LiveGames
from gtp_engine.arena.playing.match import StopRequest
from gtp_engine.arena.playing.openings import Book
from gtp_engine.arena.playing.player import Forfeit, RunningEngine, Void
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.records import Fault, GameRecord, Identity
from gtp_engine.arena.setup.config import Match, WrongMatch
from gtp_engine.platforms import split_command

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Workers(NamedTuple):
    """Where games are played: what takes tasks, what plays one, how many are played at once, what
    ends them all, what tells that all are lost, and how the games go, where that is known."""

    executor: Executor
    play: Callable[[GameTask], GameRecord]
    concurrency: Callable[[], int]
    abandon: Callable[[], None]
    lost: Callable[[], str | None] = lambda: None
    live: LiveGames | None = None


def check_openings(
    match: Match, openings: Book, numbers: range, program: str, stop: StopRequest
) -> None:
    """See before the first game whether there are openings for pairs of these numbers, and say
    what is to be known of them. Raises WrongMatch, and KeyboardInterrupt when stopped."""
    stop.on_abandon(openings.abandon)
    if match.sprt is not None and match.openings.source == "random":
        numbers = numbers[:1]  # a test mostly ends long before its last pair
    try:
        for board in match.played_boards():
            if told := openings.check(board, numbers):
                print(f"{program}: {told}", file=sys.stderr)
    except WrongMatch:
        if stop.asked:
            raise KeyboardInterrupt from None
        raise


def check_programs(match: Match) -> None:
    """Raises WrongMatch for a command line without a program: a slip, not a bad engine.

    The same where this machine has fewer cores than the games at a time are to have. Raises OSError
    where the folder of logs cannot be made.
    """
    check_cores(match.cores, match.concurrency or 1)
    if match.log:
        Path(match.log).mkdir(parents=True, exist_ok=True)
    for engine in match.engines:
        try:
            words = split_command(engine.command)
        except ValueError as error:
            raise WrongMatch(f"engines: {engine.name}: {error}") from None
        if shutil.which(words[0]) is None:
            raise WrongMatch(f"engines: {engine.name}: there is no program {words[0]}")


def identities(match: Match, program: str, stop: StopRequest) -> dict[str, Identity]:
    """What the engines are; those that cannot even say that are left out, to `recover`.

    Each is set up for a game on each board: what it refuses is a slip in its settings, and one that
    cannot be started a slip in its command. Raises WrongMatch then: it is not worth forfeits; and
    KeyboardInterrupt when stopped.
    """
    found = {}
    pool = EnginePool()
    stop.on_abandon(pool.abandon)
    for engine in match.engines:
        player = None
        try:
            player = pool.take(engine, match.terms)
            found[engine.name] = player.identity
            for board in match.played_boards():
                player.new_game(board, match.control(engine), seed=0)
        except (Forfeit, Void) as error:
            if stop.asked:
                raise KeyboardInterrupt from None
            slip = isinstance(error, Forfeit) and (
                error.fault is Fault.REFUSED or not match.recover
            )
            if slip:
                log = _log_of(error, player)
                raise WrongMatch(f"engines: {engine.name}: {error}{log}") from None
            print(f"{program}: {engine.name}: {error}", file=sys.stderr)
        finally:
            if player is not None:
                pool.give(player, sound=False)
    check_judge(match, pool)
    if not found:
        raise WrongMatch("engines: none of them answers")
    return found


def _log_of(error: Forfeit | Void, player: RunningEngine | None) -> str:
    """What an engine wrote to its stderr, on lines of their own."""
    evidence = error.evidence if isinstance(error, Forfeit) else None
    if player is not None:
        player.close()
        evidence = player.evidence
    log = (line[2:] for line in (evidence.lines if evidence else ()) if line.startswith("! "))
    return "".join(f"\n  {line}" for line in log)


@contextmanager
def open_workers(
    match: Match,
    cluster: str | None,
    stop: StopRequest,
    program: str,
    known: Mapping[str, Identity] | None = None,
) -> Iterator[Workers]:
    """Threads of this process, or a cluster.

    known -- what the engines are

    Raises WrongMatch for a cluster that is not there.
    """

    def tell(sentence: str) -> None:
        print(f"{program}: {sentence}", file=sys.stderr, flush=True)

    if cluster:
        from gtp_engine.arena.playing.cluster import Cluster, play_on_worker

        with closing(Cluster(cluster, stop, tell)) as connected:
            yield Workers(
                connected.executor,
                play_on_worker,
                lambda: match.concurrency or connected.threads(),
                connected.abandon,
                connected.lost,
            )
        return
    pool, games, live = EnginePool(known), match.concurrency or 1, LiveGames()
    executor = ThreadPoolExecutor(games, "game")
    try:
        play = partial(play_game, pool=pool, live=live)
        yield Workers(executor, play, lambda: games, pool.abandon, live=live)
    except BaseException:  # games that cannot be kept are not played on
        pool.abandon()
        raise
    finally:
        executor.shutdown(cancel_futures=True)
        pool.close()


@contextmanager
def interrupts(stop: StopRequest, program: str) -> Iterator[None]:
    """Ctrl-C, or SIGTERM: the games in progress are finished; a second one gives them up, as the
    first does while engines start and openings are looked for."""

    def interrupt(number: int, frame: object) -> None:
        if stop.interrupt():
            said = "finishing the games in progress; once more gives them up"
            print(f"{program}: {said}", file=sys.stderr, flush=True)

    before = {number: signal.signal(number, interrupt) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
