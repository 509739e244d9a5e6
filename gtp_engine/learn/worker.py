"""The part of self-play that runs elsewhere: in a process of this machine, or on a worker.

A process plays for one job. A worker of a cluster serves several trainings: a token names a job,
and the worker gets the job once, and then only the numbers of games.
"""

import pickle
import signal
import time
from contextlib import suppress
from multiprocessing.connection import Connection as Pipe
from threading import Lock
from typing import NamedTuple

from gtp_engine.base.cluster import worker_name
from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.selfplay import CannotPlay, JobPlayer
from gtp_engine.search.build_identity import OtherBuild, check_build

# The most trainings that one worker serves at once. Each of them keeps a net in memory.
_MOST_JOBS = 8


def serve(pipe: Pipe) -> None:
    """Play the games of a job in this process until the pipe closes.

    The job comes first, and then numbers of games. None stops the game in progress. Each number is
    answered by the games that are complete, or by an error.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # in case the parent could not block it
    with suppress(EOFError, OSError):
        job = pipe.recv()
        player: JobPlayer | None = None
        while True:
            number = pipe.recv()
            if number is None:
                continue
            try:
                player = player or JobPlayer(job)
                game = player.play(number, pipe.poll)
                answer: object = [] if game is None else [game]
            except CannotPlay as problem:
                answer = problem
            except Exception as error:  # of any kind, which the parent may not know
                answer = RuntimeError(f"{type(error).__name__}: {error}".partition("\n")[0])
            pipe.send(answer)


class UnknownJob(Exception):
    """The worker does not know the job: the process is new, or it serves too many other jobs."""


class Readiness(NamedTuple):
    """The state that a worker reports.

    name    -- the name that it was given; "" if it has only its address
    problem -- the reason why it cannot play; None if it can
    """

    name: str
    problem: str | None


_players: dict[str, JobPlayer] = {}
_lock = Lock()


def prepare(token: str, job: bytes, build: str, any_build: bool) -> Readiness:
    """Prepare this worker for the games of a pickled job.

    build     -- the build of the training's engine; another version could not unpickle its types
    any_build -- whether another build of the same version will do
    """
    name = worker_name()
    try:
        check_build(build, any_build)
        player = JobPlayer(pickle.loads(job))
    except OtherBuild as own:
        return Readiness(name, f"it has build {own} of the engine, and the training has {build}")
    except CannotPlay as problem:
        return Readiness(name, str(problem))
    with _lock:
        _players[token] = player
        while len(_players) > _MOST_JOBS:
            del _players[next(iter(_players))]
    return Readiness(name, None)


def play_some(token: str, numbers: list[int], seconds: float) -> list[SelfplayGame]:
    """Play games on this worker in the order of their numbers; none begins after the seconds.

    Returns the complete games. The game in progress stops when the worker gives up the job. Raises
    UnknownJob.
    """
    player = _players.get(token)
    if player is None:
        raise UnknownJob
    end = time.monotonic() + seconds
    found: list[SelfplayGame] = []
    for number in numbers:
        if found and time.monotonic() > end:
            break
        game = player.play(number, lambda: _players.get(token) is not player)
        if game is None:
            break
        found.append(game)
    return found


def give_up(token: str) -> None:
    """Stop the games of a job, and forget the job."""
    with _lock:
        _players.pop(token, None)
