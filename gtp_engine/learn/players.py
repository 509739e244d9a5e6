"""What plays the games of a training: a game's number makes the same game wherever it is played."""

from typing import NamedTuple, Protocol

from gtp_engine.learn.selfplay import (
    BoardMix,
    SelfplayGame,
    SelfplaySearch,
    Stopped,
    draw_size,
    play_game,
)
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import KernelBackend
from gtp_engine.search.weights import Weights


class CannotPlay(Exception):
    """A process or a machine cannot play the games; the text says why, in one line."""


class SelfplayJob(NamedTuple):
    """The games of a generation: all that decides them.

    boards, effort -- see Plan
    seed           -- of the generation; a game's seed is made of it and the game's number
    weights        -- of the net; None for searches without one
    """

    game: str
    boards: BoardMix
    seed: str
    effort: SelfplaySearch
    weights: Weights | None


class JobPlayer:
    """Plays games of a job in this process; safe to use from several threads."""

    def __init__(self, job: SelfplayJob) -> None:
        """Raises CannotPlay where the kernel is missing, or does not take the weights."""
        backend = backend_for(find_game(job.game))
        if not isinstance(backend, KernelBackend):
            raise CannotPlay(f"it has no kernel that plays {job.game}")
        self._job = job
        self._kernel = backend.module
        self._net = None
        if (weights := job.weights) is not None:
            shape = weights.game, weights.channels, weights.blocks
            try:
                self._net = self._kernel.Net(*shape, weights.numbers, backend.isa)
            except (ValueError, TypeError) as problem:
                raise CannotPlay(str(problem).partition("\n")[0]) from None

    def play(self, number: int, stopped: Stopped) -> SelfplayGame | None:
        """Play the game of a number; None where it was stopped before its end."""
        seed = f"{self._job.seed} {number}"
        start = self._job.game, draw_size(self._job.boards, seed)
        return play_game(self._kernel, start, number, seed, self._job.effort, self._net, stopped)


class GameNumbers(Protocol):
    """The games of a generation that are still to be played, by number."""

    @property
    def left(self) -> int | None:
        """How many were not taken yet; None for no bound."""

    def take(self) -> int | None:
        """The number of a game to play; None where there are enough."""


class GameSource(Protocol):
    """Processes of this machine, or the workers of a cluster; `close` them."""

    @property
    def busy(self) -> int:
        """How many games, or groups of games, are in progress."""

    @property
    def shown(self) -> str:
        """Who plays, in words."""

    def begin(self, job: SelfplayJob) -> None:
        """Get ready for the games of a job; those of another one are over."""

    def fill(self, numbers: GameNumbers) -> None:
        """Begin games as long as there is room.

        A game that came to nothing begins again, with the same number. Raises Unfit where games
        come to nothing again and again.
        """

    def collect(self, seconds: float) -> list[SelfplayGame]:
        """Wait at most so long, and return games that have ended. Raises Unfit as `fill` does."""

    def stop(self) -> None:
        """Give up the games in progress; the next `collect` calls return what is complete."""

    def rest(self) -> None:
        """The games of the job are over: keep no memory until the next one."""

    def close(self) -> None:
        """End everything that was started."""
