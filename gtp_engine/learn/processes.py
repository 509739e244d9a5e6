"""Self-play on all cores of this machine, with one process for each game in progress.

Threads would share Python's lock, which a game needs for up to a tenth of its time. A pipe connects
each process to this one. A process ends when its pipe closes, so none survives a killed training.
"""

import signal
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from multiprocessing.connection import wait

from gtp_engine.base.numbers import number_of
from gtp_engine.base.platforms import interrupts_for_this_process
from gtp_engine.learn.game_records import GamesFile, SelfplayGame
from gtp_engine.learn.plan import Unfit
from gtp_engine.learn.selfplay import CannotPlay, JobPlayer, SelfplayJob

_STOP = None
_CLOSING_SECONDS = 3.0

# Games may fail this many times in a row, or twice for each process if that is more.
_MOST_FAILURES = 5

# A fork would copy the threads and locks of JAX.
_start = get_context("spawn")


class _Child:
    """A process that plays; `number` is its game in progress, or None."""

    def __init__(self) -> None:
        self.pipe, theirs = _start.Pipe()
        self.number: int | None = None
        self.process = _start.Process(target=_serve, args=(theirs,), daemon=True)
        with interrupts_for_this_process():
            self.process.start()
        theirs.close()

    def close(self) -> None:
        self.pipe.close()
        self.process.join(_CLOSING_SECONDS)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class PlayingProcesses:
    """Processes of this machine that play games; see GameSource."""

    _job: SelfplayJob
    _games: GamesFile

    def __init__(self, count: int) -> None:
        self._count = count
        self._children: list[_Child] = []
        self._failures = 0

    @property
    def busy(self) -> int:
        """See GameSource.busy."""
        return sum(child.number is not None for child in self._children)

    @property
    def shown(self) -> str:
        """See GameSource.shown."""
        return f"{number_of(self._count, 'process', 'processes')} of this machine"

    def begin(self, job: SelfplayJob, games: GamesFile) -> None:
        """See GameSource.begin."""
        self.rest()
        self._job, self._games = job, games
        self._start_missing()

    def fill(self) -> None:
        """See GameSource.fill."""
        self._start_missing()
        for child in [child for child in self._children if child.number is None]:
            child.number = self._games.take()
            if child.number is None:
                return
            self._send(child, child.number)

    def collect(self, seconds: float) -> list[SelfplayGame]:
        """See GameSource.collect."""
        busy: dict[object, _Child] = {
            child.pipe: child for child in self._children if child.number is not None
        }
        found = []
        for pipe in wait([child.pipe for child in busy.values()], seconds) if busy else []:
            child = busy[pipe]
            try:
                answer = child.pipe.recv()
            except (EOFError, OSError):
                self._remove(child)
                continue
            number, child.number = child.number, None
            if isinstance(answer, SelfplayGame):
                self._failures = 0
                found.append(answer)
            elif isinstance(answer, CannotPlay):
                raise Unfit(f"this machine cannot play the games: {answer}")
            else:
                self._fail(number, answer)
        return found

    def stop(self) -> None:
        """See GameSource.stop."""
        for child in self._children:
            if child.number is not None:
                self._send(child, _STOP)

    def rest(self) -> None:
        """See GameSource.rest."""
        while self._children:
            self._children.pop().close()

    def close(self) -> None:
        """See GameSource.close."""
        self.rest()

    def _start_missing(self) -> None:
        new = [_Child() for _ in range(self._count - len(self._children))]
        self._children += new
        for child in new:  # after all have started: sending a long message waits for its reader
            self._send(child, self._job)

    def _send(self, child: _Child, message: object) -> None:
        with suppress(OSError):  # the process is dead; `collect` notices
            child.pipe.send(message)

    def _remove(self, child: _Child) -> None:
        """Remove a dead process; its game begins again in another one."""
        child.close()
        self._children.remove(child)
        self._fail(child.number, f"its process ended with status {child.process.exitcode}")

    def _fail(self, number: int | None, reason: str | None) -> None:
        """Record a failed game; `reason` is None if the game was stopped."""
        if number is not None:
            self._games.give_back(number)
        if reason is not None:
            self._failures += 1
            if self._failures >= max(_MOST_FAILURES, 2 * self._count):
                raise Unfit(
                    f"{self._failures} games in a row came to nothing, the last one, number "
                    f"{number}, so: {reason}"
                )


def _serve(pipe: Pipe) -> None:
    """Play games by number until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # in case the parent could not block it
    player: JobPlayer | CannotPlay | None = None
    with suppress(EOFError, OSError):
        while True:
            message = pipe.recv()
            if isinstance(message, SelfplayJob):
                player = _player(message)
            elif isinstance(message, int):
                pipe.send(_played(player, message, pipe))


def _player(job: SelfplayJob) -> JobPlayer | CannotPlay:
    try:
        return JobPlayer(job)
    except CannotPlay as problem:
        return problem


def _played(
    player: JobPlayer | CannotPlay | None, number: int, pipe: Pipe
) -> SelfplayGame | CannotPlay | str | None:
    """Play a game; returns None if a message or the end of the pipe stopped it, or the failure."""
    if not isinstance(player, JobPlayer):
        return player
    try:
        return player.play(number, pipe.poll)
    except Exception as error:  # the parent reports it
        return f"{type(error).__name__}: {error}".partition("\n")[0]
