"""Self-play: the search plays games against itself, and records of them train the net.

Some turns get a full search, which becomes a training sample. The other turns get a short one
(playout cap randomization: Wu, "Accelerating Self-Play Learning in Go", 2019). Three things make
games differ: random turns at the beginning, noise at the root of full searches, and early turns
chosen in proportion to visits.

A job is all games of a generation. A game's number makes the same game on any machine.
"""

import random
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from gtp_engine.learn.game_in_progress import GameInProgress, Stopped
from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.learn.gate_match import GateSide, play_gate_game
from gtp_engine.rules import find_game
from gtp_engine.search.backends.choose import backend_for
from gtp_engine.search.backends.kernel import KernelBackend, new_net
from gtp_engine.search.options import SearchOptions
from gtp_engine.search.weights import Weights

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

BoardMix = tuple[tuple[int, float], ...]
"""Board sizes, each with its share of the games."""

# The numbers of random turns at the beginning of a game; each entry is equally likely.
_RANDOM_TURNS = (0, 0, 1, 2, 2, 3, 4)

# During the first turns of a game, most steps are chosen in proportion to visits, with the first
# chance. All other steps are random with the last chance.
_VARIED_TURNS, _VARIED_SHARE, _RANDOM_SHARE = 10, 0.7, 0.02

# The weight of a step with a proven value in a choice in proportion to visits.
_PROVEN_WEIGHT = 0.01

_HASH_MB = 16


class SelfplaySearch(NamedTuple):
    """The search options of a game's turns.

    full, fast -- the visits of a full search, and of a short one
    share      -- the share of turns with a full search
    noise      -- the share of noise in the root priors of a full search
    options    -- the options of the search
    sharpening -- the power of visits in the policy target: a search without priors spreads its
                  visits too evenly
    """

    full: int
    fast: int
    share: float
    noise: float
    options: SearchOptions
    sharpening: float


def draw_size(mix: BoardMix, seed: str) -> int:
    """Draw the board size of a game from its seed."""
    sizes, shares = zip(*mix)
    return int(random.Random(f"size of {seed}").choices(sizes, shares)[0])


def play_game(
    kernel: ModuleType,
    start: tuple[str, int],
    number: int,
    seed: str,
    effort: SelfplaySearch,
    net: "_kernel.Net | None",
    stopped: Stopped,
) -> SelfplayGame | None:
    """Play the game with a number; returns None if it was stopped.

    start -- game and size
    seed  -- equal seeds make equal games
    """
    options = replace(effort.options, hash_mb=_HASH_MB)
    play = GameInProgress(kernel, start, random.Random(seed), options, net)
    play.open_at_random(_RANDOM_TURNS)
    turns = 0  # searched turns
    while not play.over:
        legal = play.position.legal_steps()
        if len(legal) == 1:
            play.play(legal[0])
            continue
        full = play.rng.random() < effort.share
        tree = _searched(play, effort, full, stopped)
        if tree is None:
            return None
        step = _choose(play, tree, legal, full, turns)
        play.play(step)
        turns += not play.position.open
        if play.tree is not None and not play.over:
            play.tree.advance(step)
    return SelfplayGame(*start, number, play.steps, play.result, effort.sharpening, play.looks)


def _searched(
    play: GameInProgress, effort: SelfplaySearch, full: bool, stopped: Stopped
) -> "_kernel.Search | None":
    """Search the position; a short search reuses the tree. Returns None if stopped."""
    tree, known = play.tree, 0
    if full or tree is None or not play.tree_fits:
        tree = play.plant(effort.noise if full else 0.0)
    else:
        known = tree.visits
    visits = effort.full if full else effort.fast + known // 2
    return tree if play.search(tree, visits, stopped) else None


def _choose(
    play: GameInProgress, tree: "_kernel.Search", legal: list[int], full: bool, turns: int
) -> int:
    """Choose the step to play, and record the result of a full search.

    turns -- the searched turns before
    """
    rng, rows = play.rng, tree.rows(1)
    if not rows:  # the value was proven without a visit
        play.tree = None
        return rng.choice(legal)
    best = play.best_of(rows)
    if full:
        play.record(tree, rows, best.step)
    if turns < _VARIED_TURNS and best.proven is None and rng.random() < _VARIED_SHARE:
        weights = [row.visits if row.proven is None else _PROVEN_WEIGHT for row in rows]
        return rng.choices([row.step for row in rows], weights)[0]
    return rng.choice(legal) if rng.random() < _RANDOM_SHARE else best.step


class CannotPlay(Exception):
    """A process or a machine cannot play the games; the text gives the reason in one line."""


class Rival(NamedTuple):
    """The player of before in a gate: the search of its turns, and its weights, if any."""

    effort: SelfplaySearch
    weights: Weights | None


class SelfplayJob(NamedTuple):
    """The games of a generation, or of its gate, with everything that determines them.

    boards, effort -- see Plan
    seed           -- the seed of the generation; with its number it gives the seed of a game
    weights        -- the weights of the net; None for searches without a net
    rival          -- the opponent in the games of a gate; None for self-play
    """

    game: str
    boards: BoardMix
    seed: str
    effort: SelfplaySearch
    weights: Weights | None
    rival: Rival | None = None


class JobPlayer:
    """Plays games of a job in this process. It is safe to use from several threads."""

    def __init__(self, job: SelfplayJob) -> None:
        """Load the net. Raises CannotPlay if the kernel is missing or rejects the weights."""
        backend = backend_for(find_game(job.game))
        if not isinstance(backend, KernelBackend):
            raise CannotPlay(f"it has no kernel that plays {job.game}")
        self._job = job
        self._kernel = backend.module
        try:
            self._net = _net_of(backend, job.weights)
            self._sides = None if job.rival is None else self._gate_sides(backend, job.rival)
        except ValueError as problem:
            raise CannotPlay(str(problem)) from None

    def play(self, number: int, stopped: Stopped) -> SelfplayGame | None:
        """Play the game with a number; returns None if it was stopped."""
        job = self._job
        seed = f"{job.seed} {number if self._sides is None else number // 2}"
        start = job.game, draw_size(job.boards, seed)
        if self._sides is not None:
            return play_gate_game(self._kernel, start, number, seed, self._sides, stopped)
        return play_game(self._kernel, start, number, seed, job.effort, self._net, stopped)

    def _gate_sides(self, backend: KernelBackend, rival: Rival) -> tuple[GateSide, GateSide]:
        """Both sides of a gate: their turns get fast searches. Raises ValueError."""
        nets = self._net, _net_of(backend, rival.weights)
        first, second = (
            GateSide(effort.fast, replace(effort.options, hash_mb=_HASH_MB), net)
            for effort, net in zip((self._job.effort, rival.effort), nets)
        )
        return first, second


def _net_of(backend: KernelBackend, weights: Weights | None) -> "_kernel.Net | None":
    """The net of some weights. Raises ValueError if the kernel rejects them."""
    return None if weights is None else new_net(backend.module, backend.isa, weights)
