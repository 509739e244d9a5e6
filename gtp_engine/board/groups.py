"""Connected sets of vertices, and the comparison of group sizes that games share."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gtp_engine.board.color import BLACK, WHITE, Color
from gtp_engine.board.points import ORTHOGONAL, Points, around


def component(seed: Points, within: Points, directions: tuple[int, ...] = ORTHOGONAL) -> Points:
    """All points of `within` that steps inside it reach from `seed`, `seed` included."""
    reached = seed
    while True:
        grown = within & (reached | around(reached, directions))
        if grown == reached:
            return reached
        reached = grown


def components(
    points: Points, touching: Points | None = None, directions: tuple[int, ...] = ORTHOGONAL
) -> Iterator[Points]:
    """The connected parts of a set, by their lowest vertex; only those that meet `touching`."""
    seeds = points if touching is None else points & touching
    while seeds:
        part = component(seeds & -seeds, points, directions)
        yield part
        seeds &= ~part


def small_parts(points: Points, touching: Points, most: int) -> Iterator[Points]:
    """The connected parts of a set that meet `touching` and have at most so many points.

    Such a part is complete after `most` - 1 steps from any of its points, and one step more tells
    that it is: large parts cost little.
    """
    seeds = points & touching
    while seeds:
        part = seeds & -seeds
        for _ in range(most):
            part = (part | around(part)) & points
        if part.bit_count() <= most:
            yield part
        seeds &= ~part


def sizes(groups: Iterable[Points]) -> list[int]:
    """The number of points of each group."""
    return [group.bit_count() for group in groups]


def leader(black_sizes: Iterable[int], white_sizes: Iterable[int]) -> Color | None:
    """The color that has more groups of the largest size that the two have unequally often.

    The same as: groups of equal size and opposite color cancel in pairs; who then has the
    biggest group left? None when everything cancels.
    """
    surplus = Counter(black_sizes)
    surplus.subtract(white_sizes)
    uneven = [size for size, count in surplus.items() if count]
    if not uneven:
        return None
    return BLACK if surplus[max(uneven)] > 0 else WHITE


def deciding(groups: Sequence[Sequence[Points]]) -> Points:
    """The groups by which `leader` finds a color ahead: all of its groups of that size.

    groups -- those of BLACK, then those of WHITE; the answer is 0 where nobody is ahead
    """
    winner = leader(*(sizes(one_color) for one_color in groups))
    if winner is None:
        return 0
    own, other = (Counter(sizes(groups[color])) for color in (winner, winner.opponent))
    size = max(size for size in own if own[size] > other[size])
    return sum(group for group in groups[winner] if group.bit_count() == size)
