"""Naive players, the foot of every scale of strength: random and greedy ones.

They see one turn ahead or two, and only what a game counts: the end, the points held and the
biggest group.
"""

import random

from gtp_engine.rules.game import Position
from gtp_engine.rules.step import Step
from gtp_engine.search.budget import Budget
from gtp_engine.search.choice import Choice, unvisited
from gtp_engine.search.observer import Report, SearchObserver
from gtp_engine.search.step_features import after, standing

# How many of its best steps the player that sees two turns ahead compares by their answers.
_ANSWERED = 8


class RandomPlayer:
    """Plays uniformly random steps, as a baseline."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def choose(
        self,
        position: Position,
        among: tuple[Step, ...],
        budget: Budget,
        observer: SearchObserver | None = None,
    ) -> Choice:
        """Choose the rest of the turn step by step; the observer gets one report."""
        if observer is not None:
            observer.end(Report(position, unvisited(among), 0.5, 0))
        steps: tuple[Step, ...] = ()
        while True:
            step = self._step(position, among)
            steps += (step,)
            position = position.play_unchecked(step)
            if not position.open:
                return Choice(steps)
            among = position.legal_steps()

    def _step(self, position: Position, among: tuple[Step, ...]) -> Step:
        """The step to play."""
        return self._rng.choice(among)


class GreedyPlayer(RandomPlayer):
    """Plays the step after which it stands best, or one of these at random."""

    def _step(self, position: Position, among: tuple[Step, ...]) -> Step:
        return self._by_standing(position, among)[0]

    def _by_standing(self, position: Position, among: tuple[Step, ...]) -> list[Step]:
        """The steps, the one with the best standing first, equal ones in random order."""
        shuffled = self._rng.sample(among, len(among))
        return sorted(shuffled, key=lambda step: standing(*after(position, step)), reverse=True)


class TwiceGreedyPlayer(GreedyPlayer):
    """Plays the step after which it stands best once the opponent has answered greedily."""

    def _step(self, position: Position, among: tuple[Step, ...]) -> Step:
        promising = self._by_standing(position, among)[:_ANSWERED]
        return max(promising, key=lambda step: self._answered(position, step))

    def _answered(self, position: Position, step: Step) -> int:
        """The player's standing after a step and the answer that is worst for it."""
        reached, own = after(position, step)
        if reached.to_move is own or reached.outcome() is not None:
            return standing(reached, own)
        answers = (after(reached, answer) for answer in reached.legal_steps())
        return -max(standing(*answer) for answer in answers)
