"""Connected sets of vertices, and the comparison of group sizes that games share."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.points import ORTHOGONAL, Points, around


def component(seed: Points, within: Points, directions: tuple[int, ...] = ORTHOGONAL) -> Points:
    """All points of `within` that are connected to `seed` inside it, including `seed`."""
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
    """The connected parts of a set that meet `touching` and have at most `most` points.

    The search takes at most `most` steps from a point, so large parts are cheap: a part that still
    grows in the last step is too large.
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
    """The color that has more groups of the largest size that the colors have unequally often.

    Equivalently: groups of equal size and opposite color cancel in pairs; the owner of the biggest
    remaining group leads. None if everything cancels.
    """
    surplus = Counter(black_sizes)
    surplus.subtract(white_sizes)
    uneven = [size for size, count in surplus.items() if count]
    if not uneven:
        return None
    return BLACK if surplus[max(uneven)] > 0 else WHITE


def remaining(black_sizes: Iterable[int], white_sizes: Iterable[int]) -> tuple[int, int]:
    """The size of each color's biggest group after equal groups have cancelled, 0 for none."""
    black, white = Counter(black_sizes), Counter(white_sizes)
    return max(black - white, default=0), max(white - black, default=0)


def won_by(noun: str, groups: tuple[list[int], list[int]]) -> str:
    """Why the color wins that leads: the sizes that are compared.

    noun   -- what a group consists of, in the plural
    groups -- the sizes of the groups of BLACK, then those of WHITE, of which a color leads
    """
    fewer, more = sorted(remaining(*groups))
    black, white = (Counter(each) for each in groups)
    after = " after equal groups cancel" if black & white else ""
    return f"a group of {more} {noun if more > 1 else noun[:-1]} against {fewer or 'none'}{after}"


def deciding(groups: Sequence[Sequence[Points]]) -> Points:
    """The groups that decide `leader`: all groups of the leading color with the deciding size.

    groups -- those of BLACK, then those of WHITE; the result is 0 if no color leads
    """
    winner = leader(*(sizes(one_color) for one_color in groups))
    if winner is None:
        return 0
    own, other = (Counter(sizes(groups[color])) for color in (winner, winner.opponent))
    size = max(size for size in own if own[size] > other[size])
    return sum(group for group in groups[winner] if group.bit_count() == size)
