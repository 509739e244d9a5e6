"""How strong a person plays, from finished games against levels. Pure arithmetic."""

from collections.abc import Mapping, Sequence
from itertools import islice
from math import exp, log
from typing import Any, NamedTuple

MOST_POINTS = 100
"""Most games of the curve: the last ones."""

_RECENT = 20  # games behind each estimate
_ELO = log(10) / 400
_FURTHEST = 800.0  # Elo beyond the weakest and strongest opponent
_HALVINGS = 12  # of an interval of some thousand Elo


class Finished(NamedTuple):
    """A game of a person against an engine from the usual start, when it is over.

    when  -- it began, in seconds since 1970: a comment on it later changes nothing
    level -- of the engine, "" if unknown
    score -- the person's: 1, 0.5 or 0
    """

    when: float
    game: str
    size: int
    level: str
    score: float


def ratings(games: Sequence[Finished], scale: Mapping[str, float]) -> dict[str, Any]:
    """The results against each level, and the way there, as JSON; the oldest game comes first.

    levels -- for each level `level`, `games`, and `score`, the person's points
    curve  -- for each of the last games `when`, `level`, `score`, and `rating`: the estimate after
              it, in Elo, or null

    scale -- the rating of each level, in Elo; without any there are no estimates
    """
    levels: dict[str, list[float]] = {}
    for each in games:
        levels.setdefault(each.level, []).append(each.score)
    first = max(0, len(games) - MOST_POINTS)
    curve = [
        {
            "when": round(each.when),
            "level": each.level,
            "score": each.score,
            "rating": estimate(games[max(0, number - _RECENT + 1) : number + 1], scale),
        }
        for number, each in islice(enumerate(games), first, None)
    ]
    return {
        "levels": [
            {"level": level, "games": len(scores), "score": sum(scores)}
            for level, scores in levels.items()
        ],
        "curve": curve,
    }


def estimate(games: Sequence[Finished], scale: Mapping[str, float]) -> int | None:
    """The rating that explains these results best, in Elo; None without a rated opponent.

    A draw against the mean opponent is added, so that a person who has won or lost all games has a
    rating, too: a few hundred Elo above or below the opponents.
    """
    played = [(scale[each.level], each.score) for each in games if each.level in scale]
    if not played:
        return None
    mean = sum(rating for rating, _ in played) / len(played)
    played.append((mean, 0.5))
    low = min(rating for rating, _ in played) - _FURTHEST
    high = max(rating for rating, _ in played) + _FURTHEST
    points = sum(score for _, score in played)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if sum(_expected(middle - rating) for rating, _ in played) < points:
            low = middle
        else:
            high = middle
    return round((low + high) / 2)


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-_ELO * difference))
