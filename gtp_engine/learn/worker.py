"""Self-play on a worker of a cluster: what runs there.

The games of a job belong to a token. A worker gets the job once, and then the numbers of games.
"""

import pickle
import time
from threading import Lock
from typing import NamedTuple

from gtp_engine.learn.players import CannotPlay, JobPlayer, SelfplayJob
from gtp_engine.learn.selfplay import SelfplayGame
from gtp_engine.search.build import build_word

# Trainings that one worker plays for at once; each keeps a net.
_MOST_JOBS = 8


class UnknownJob(Exception):
    """The worker does not know the job: it is a new process, or plays for many others."""


class Readiness(NamedTuple):
    """What a worker says of itself.

    build   -- of its engine; see build_word
    problem -- why it cannot play, None where it can
    """

    build: str
    problem: str | None


class _Stage:
    """A job on this worker."""

    def __init__(self, player: JobPlayer) -> None:
        self.player = player
        self.stopped = False


_stages: dict[str, _Stage] = {}
_lock = Lock()


def packed(job: SelfplayJob) -> bytes:
    """A job as `prepare` takes it: another version of the engine could not even read its types."""
    return pickle.dumps(job)


def prepare(token: str, job: bytes, build: str | None) -> Readiness:
    """Get ready for the games of a job, which is packed.

    build -- that the engine here must be of; None for any
    """
    own = build_word()
    if build not in (None, own):
        return Readiness(own, None)
    try:
        stage = _Stage(JobPlayer(pickle.loads(job)))
    except CannotPlay as problem:
        return Readiness(own, str(problem))
    with _lock:
        _stages[token] = stage
        while len(_stages) > _MOST_JOBS:
            del _stages[next(iter(_stages))]
    return Readiness(own, None)


def play_some(token: str, numbers: list[int], seconds: float) -> list[SelfplayGame]:
    """Play games in the order of their numbers; begin no more once the seconds are over.

    Returns those that are complete. Raises UnknownJob.
    """
    stage = _stages.get(token)
    if stage is None:
        raise UnknownJob
    end = time.monotonic() + seconds
    found: list[SelfplayGame] = []
    for number in numbers:
        if found and time.monotonic() > end:
            break
        game = stage.player.play(number, lambda: stage.stopped)
        if game is None:
            break
        found.append(game)
    return found


def give_up(token: str) -> None:
    """Stop the games of a job, and forget it."""
    with _lock:
        stage = _stages.pop(token, None)
    if stage is not None:
        stage.stopped = True
