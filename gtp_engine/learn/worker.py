"""The part of self-play that runs on a worker of a cluster.

A token names a job. A worker gets the job once, and then only the numbers of games.
"""

import pickle
import time
from threading import Lock
from typing import NamedTuple

from gtp_engine.base.cluster import worker_name
from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.selfplay import CannotPlay, JobPlayer, SelfplayJob
from gtp_engine.search.build import build_word

# The most trainings that one worker serves at once. Each of them keeps a net in memory.
_MOST_JOBS = 8


class UnknownJob(Exception):
    """The worker does not know the job: the process is new, or it serves too many other jobs."""


class Readiness(NamedTuple):
    """The state that a worker reports.

    build   -- the build of its engine; see build_word
    name    -- the name that it was given; "" if it has only its address
    problem -- the reason why it cannot play; None if it can
    """

    build: str
    problem: str | None
    name: str = ""


_players: dict[str, JobPlayer] = {}
_lock = Lock()


def packed(job: SelfplayJob) -> bytes:
    """Pack a job for `prepare`. Another version of the engine could not unpickle its types."""
    return pickle.dumps(job)


def prepare(token: str, job: bytes, build: str | None) -> Readiness:
    """Prepare for the games of a packed job.

    build -- the required build of the engine; None for any build
    """
    own, name = build_word(), worker_name()
    if build not in (None, own):
        return Readiness(own, None, name)
    try:
        player = JobPlayer(pickle.loads(job))
    except CannotPlay as problem:
        return Readiness(own, str(problem), name)
    with _lock:
        _players[token] = player
        while len(_players) > _MOST_JOBS:
            del _players[next(iter(_players))]
    return Readiness(own, None, name)


def play_some(token: str, numbers: list[int], seconds: float) -> list[SelfplayGame]:
    """Play games in the order of their numbers, and begin no game after the given seconds.

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
