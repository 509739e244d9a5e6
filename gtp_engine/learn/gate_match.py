"""The gate: a match that decides whether a new net becomes the player of a training.

The new net plays pairs of games against the player of before: both games of a pair have the same
opening, and the colors are exchanged. Games end in any order; the test sees the pairs in the order
of their numbers, so whoever reads the same games comes to the same decision.
"""

import math
import random
from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from gtp_engine.base.statistics.sprt import Sprt
from gtp_engine.base.statistics.statistics import Counts, elo_of_score, score
from gtp_engine.learn.game_in_progress import GameInProgress, Stopped
from gtp_engine.learn.game_records import SelfplayGame
from gtp_engine.search.options import SearchOptions

if TYPE_CHECKING:
    from gtp_engine.kernel import _kernel

# H0: the new net is not stronger. H1: it is, by this many normalized Elo.
_TEST = Sprt(0, 50)

# The numbers of random turns at the beginning of a pair; each entry is equally likely.
_RANDOM_TURNS = (2, 3, 4)


class GateSide(NamedTuple):
    """A side of the match.

    visits  -- of each search
    options -- of its searches
    net     -- None for searches without a net
    """

    visits: int
    options: SearchOptions
    net: "_kernel.Net | None"


def play_gate_game(
    kernel: ModuleType,
    start: tuple[str, int],
    number: int,
    seed: str,
    sides: tuple[GateSide, GateSide],
    stopped: Stopped,
) -> SelfplayGame | None:
    """Play the game with a number; returns None if it was stopped.

    start -- game and size
    seed  -- of the pair: both games begin alike
    sides -- the new net, and the player of before; the new one is BLACK in games of even numbers
    """
    play = GameInProgress(kernel, start, random.Random(f"opening of {seed}"), *sides[0][1:])
    play.open_at_random(_RANDOM_TURNS)
    play.rng = random.Random(f"game {number % 2} of {seed}")
    while not play.over:
        legal = play.position.legal_steps()
        if len(legal) == 1:
            play.play(legal[0])
            continue
        side = sides[play.black_to_move != (number % 2 == 0)]
        play.options, play.net = side.options, side.net
        tree = play.plant()
        if not play.search(tree, side.visits, stopped):
            return None
        rows = tree.rows(1)
        # Without a row the value was proven without a visit.
        play.play(play.best_of(rows).step if rows else play.rng.choice(legal))
    return SelfplayGame(*start, number, play.steps, play.result, 1.0, [])


class GateMatch:
    """The match so far, and its decision.

    passed  -- whether the new net becomes the player; None while that is open
    decided -- whether the sequential test decided it
    """

    def __init__(self, most: int, games: Iterable[SelfplayGame] = ()) -> None:
        """
        most  -- the most pairs: after them half of the points are enough
        games -- those that were played before
        """
        self.passed: bool | None = None
        self.decided = False
        self._most = most
        self._points: dict[int, float] = {}  # of the new net, by the number of the game
        self._numbers = [0] * 5
        for game in games:
            self.add(game)

    @property
    def counts(self) -> Counts:
        """The pairs that the test has seen."""
        return Counts(tuple(self._numbers))

    def add(self, game: SelfplayGame) -> None:
        """A game is over. The test sees all pairs up to the first one that is not complete."""
        self._points[game.number] = game.result if game.number % 2 == 0 else 1 - game.result
        while self.passed is None and (pair := self._next_pair()) is not None:
            self._numbers[round(2 * sum(pair))] += 1
            accepted = _TEST.accepted(self.counts)
            if accepted is not None:
                self.passed, self.decided = accepted == "H1", True
            elif self.counts.units == self._most:
                self.close()

    def close(self) -> None:
        """End the match: without a decision, half of the points are enough. Needs a pair."""
        if self.passed is None:
            self.passed = self.counts.mean >= 0.5

    def _next_pair(self) -> tuple[float, float] | None:
        first = 2 * self.counts.units
        if {first, first + 1} <= self._points.keys():
            return self._points[first], self._points[first + 1]
        return None

    def facts(self) -> dict[str, Any]:
        """The result for the record of the training; ends that no game bounds are None."""
        scored = score(self.counts)
        elo = [] if scored is None else [elo_of_score(each) for each in scored]
        return {
            "passed": self.passed,
            "decided": self.decided,
            "pairs": list(self._numbers),
            "score": None if scored is None else [round(each, 4) for each in scored],
            "elo": [round(each, 1) if math.isfinite(each) else None for each in elo],
        }


def told(facts: dict[str, Any]) -> str:
    """The result in words."""
    if facts["score"] is None:
        return "no pair"
    value, low, high = (f"{100 * each:.0f}" for each in facts["score"])
    verdict = "passed" if facts["passed"] else "not passed"
    how = "" if facts["decided"] else ", undecided"
    return f"{value} % [{low}, {high}] of {sum(facts['pairs'])} pairs, {verdict}{how}"
