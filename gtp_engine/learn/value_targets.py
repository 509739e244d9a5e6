"""The value target of samples whose positions were played out at random.

The result of one game says little about a position in its middle. Random games (playouts) from the
position, together with the value of a search, predict the result better than either of them alone.
How well each predicts depends on the game and on how full the board is. So a logistic regression
finds out, on the games themselves.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

# The weight of the game's result in the target. The prediction has the rest.
_RESULT_PART = 0.3

# A chance counts as at least this, and at most 1 minus this.
_LEAST_CHANCE = 0.02

# The regression begins with equal weights of both logits. With few samples it stays near them: they
# count as much as this number of even results.
_START, _PRIOR_SAMPLES, _ROUNDS = (0.5, 0.5, 0.0, 0.0), 20.0, 12


def value_targets(results: Floats, chances: Floats, played: Floats, empty: Floats) -> Floats:
    """The targets of some samples; all arrays are seen from the color to move.

    results -- of the games: 1, 0.5 or 0
    chances -- the chance to win, by a search or by a net; 0 and 1 are exact and stay so
    played  -- the mean result of playouts from the position
    empty   -- the share of empty points
    """
    logits = np.stack([_logit(chances), _logit(played)], axis=1)
    inputs = np.concatenate([logits, logits * empty[:, None]], axis=1)
    predicted = _chance(inputs @ _regression(inputs, results))
    targets = _RESULT_PART * results + (1 - _RESULT_PART) * predicted
    exact = (chances == 0) | (chances == 1)
    return np.where(exact, chances, targets).astype(np.float32)


def _regression(inputs: NDArray[np.float64], results: Floats) -> NDArray[np.float64]:
    """The weights of a logistic regression, by Newton's method."""
    start = np.array(_START)
    weights, pull = start.copy(), np.eye(len(start)) * _PRIOR_SAMPLES / 4
    for _ in range(_ROUNDS):
        predicted = _chance(inputs @ weights)
        spread = predicted * (1 - predicted)
        slope = inputs.T @ (predicted - results) + pull @ (weights - start)
        curve = (inputs * spread[:, None]).T @ inputs + pull
        weights -= np.linalg.solve(curve, slope)
    return weights


def _logit(chances: Floats) -> NDArray[np.float64]:
    clipped = np.clip(chances.astype(np.float64), _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    return np.log(clipped / (1 - clipped))


def _chance(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-logits))
