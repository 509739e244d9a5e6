"""The interfaces for playing a training's games. A game's number makes the same game anywhere."""

from typing import NamedTuple, Protocol

from gtp_engine.learn.game_in_progress import Stopped
from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.selfplay import BoardMix, SelfplaySearch, draw_size, play_game
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import KernelBackend, new_net
from gtp_engine.search.weights import Weights


class CannotPlay(Exception):
    """A process or a machine cannot play the games; the text gives the reason in one line."""


class SelfplayJob(NamedTuple):
    """The games of a generation, with everything that determines them.

    boards, effort -- see Plan
    seed           -- the seed of the generation; with its number it gives the seed of a game
    weights        -- the weights of the net; None for searches without a net
    """

    game: str
    boards: BoardMix
    seed: str
    effort: SelfplaySearch
    weights: Weights | None


class JobPlayer:
    """Plays games of a job in this process. It is safe to use from several threads."""

    def __init__(self, job: SelfplayJob) -> None:
        """Load the net. Raises CannotPlay if the kernel is missing or rejects the weights."""
        backend = backend_for(find_game(job.game))
        if not isinstance(backend, KernelBackend):
            raise CannotPlay(f"it has no kernel that plays {job.game}")
        self._job = job
        self._kernel = backend.module
        self._net = None
        if (weights := job.weights) is not None:
            try:
                self._net = new_net(backend.module, backend.isa, weights)
            except ValueError as problem:
                raise CannotPlay(str(problem)) from None

    def play(self, number: int, stopped: Stopped) -> SelfplayGame | None:
        """Play the game with a number; returns None if it was stopped."""
        seed = f"{self._job.seed} {number}"
        start = self._job.game, draw_size(self._job.boards, seed)
        return play_game(self._kernel, start, number, seed, self._job.effort, self._net, stopped)


class GameNumbers(Protocol):
    """The numbers of the games that a generation still needs."""

    @property
    def left(self) -> int | None:
        """The number of games not taken yet; None for no limit."""

    def take(self) -> int | None:
        """The number of the next game to play; None if there are enough games."""


class GameSource(Protocol):
    """Plays games in processes or on the workers of a cluster. `close` it after use."""

    @property
    def busy(self) -> int:
        """The number of games, or groups of games, in progress."""

    @property
    def shown(self) -> str:
        """The players in words, for progress reports."""

    def begin(self, job: SelfplayJob) -> None:
        """Prepare for the games of a job. The games of any earlier job are over."""

    def fill(self, numbers: GameNumbers) -> None:
        """Begin games while there is room.

        A failed game begins again, with the same number. Raises Unfit if games fail again and
        again.
        """

    def collect(self, seconds: float) -> list[SelfplayGame]:
        """Wait at most `seconds`; returns the finished games. Raises Unfit as `fill` does."""

    def stop(self) -> None:
        """Stop the games in progress. Later calls of `collect` return the complete ones."""

    def rest(self) -> None:
        """Free the memory after the games of a job, until the next job."""

    def close(self) -> None:
        """End everything that this source started."""
