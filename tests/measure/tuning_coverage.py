"""How much tunings gain, and how often the interval of the best setting's strength is right.

`python tests measure.tuning_coverage` writes the table of protocol_specs/matches/simulations.md.
Dice make the games: Elo falls with the square of the distance from the best values of two settings.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gtp_engine.arena.setup.setting_values import parse_values
from gtp_engine.arena.tuning.tune import next_settings, ranked, shrunk
from gtp_engine.arena.values import Trial
from gtp_engine.base.statistics.statistics import Counts, elo_of_score, expected_score

# Trials, games of each, and how many tunings.
ROWS = ((25, 20, 200), (25, 80, 200), (50, 40, 60), (100, 20, 30), (200, 10, 15))

SPACE = {key: parse_values("0.0..1.0") for key in ("x", "y")}
BEST, FALL = 60.0, 500.0


class Tuned(NamedTuple):
    """The best settings of a tuning: their true Elo, the highest score of all trials, what is
    expected as a score, and whether its interval holds the truth."""

    worth: float
    highest: float
    expected: float
    held: bool


def tuned(trials: int, games: int, seed: int) -> Tuned:
    """A tuning."""
    rng = np.random.default_rng(seed)
    place = rng.uniform(0.2, 0.8, 2)

    def elo(settings: dict) -> float:
        return BEST - FALL * sum((settings[key] - at) ** 2 for key, at in zip("xy", place))

    tried = []
    for number in range(1, trials + 1):
        settings = next_settings(SPACE, ranked(tried), number, seed)
        counts = played(rng, elo(settings), games // 2)
        tried.append((Trial(number, settings, 0, games), counts))
    standings = ranked(tried)
    best = standings[0]
    return Tuned(
        elo(best.settings),
        max(each.score.value for each in standings),
        best.expected.value,
        best.expected.low <= expected_score(elo(best.settings)) <= best.expected.high,
    )


def played(rng: np.random.Generator, elo: float, pairs: int) -> Counts:
    """Pairs of games without draws."""
    points = rng.binomial(2, expected_score(elo), pairs)
    return Counts(tuple(int(np.sum(points == number)) for number in (0, 0.5, 1, 1.5, 2)))


def held(truths: Iterator[np.ndarray], pairs: int, seed: int = 1) -> tuple[float, float]:
    """In which share of many sets of true Elo the interval of the best holds the truth, and in
    which share of all settings it does. So many pairs are played of each."""
    rng = np.random.default_rng(seed)
    best, every = [], []
    for elos in truths:
        found = shrunk([played(rng, elo, pairs) for elo in elos])
        holds = [each.low <= expected_score(elo) <= each.high for each, elo in zip(found, elos)]
        best.append(holds[int(np.argmax([each.value for each in found]))])
        every += holds
    return float(np.mean(best)), float(np.mean(every))


def row(trials: int, games: int, tunings: int) -> str:
    """A line of the table."""
    found = [tuned(trials, games, seed) for seed in range(tunings)]
    highest = elo_of_score(min(0.999, float(np.mean([each.highest for each in found]))))
    said = elo_of_score(float(np.mean([each.expected for each in found])))
    worth = float(np.mean([each.worth for each in found]))
    share = 100 * float(np.mean([each.held for each in found]))
    return f"| {trials} | {games} | {worth:+.0f} | {highest:+.0f} | {said:+.0f} | {share:.0f} % |"


if __name__ == "__main__":
    for numbers in ROWS:
        print(row(*numbers), flush=True)
