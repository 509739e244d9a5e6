"""What turns do on the board, in words: what they take, save, join and win.

No game is known here. The events of the rules tell what happens, and what they say is said again.
"""

from collections.abc import Iterator, Sequence

from gtp_engine.base.numbers import number_of
from gtp_engine.engine.view.facts import thing
from gtp_engine.engine.view.tracked_pieces import first_placement, follow
from gtp_engine.rules.events import BoardEvent, Change, Deed, words_by_point
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.points import Points, bit, lowest, point_set, union, vertices
from gtp_engine.rules.step import Saying, Step
from gtp_engine.rules.turns import Turn, walk

# Larger areas, as a share of the board, are not yet decided.
_QUIET = 0.4

# Points that are named one by one; more are counted.
_MOST_NAMED = 4


def effects(turn: Turn) -> list[Saying]:
    """What a turn does beside moving its own piece; what leaves pieces as they are comes last."""
    if turn.swaps:
        return []
    found = []
    for position, step, event in _events(turn):
        told = any(_is_effect(position, step, change) for change in event.changes)
        if told or position.marks(step).owner is not None:
            moves = {change.deed for change in event.changes} == {Deed.MOVE}
            found.append((moves, event.saying))
    return [reason for _, reason in sorted(found, key=lambda one: one[0])]


def lost(turn: Turn, color: Color) -> Points:
    """The points of a color's pieces that a turn removes, or gives to the other color.

    A piece that the owner of an area removes to get it is not lost.
    """
    if turn.swaps:
        return 0
    points = 0
    for position, step, event in _events(turn):
        words, look = words_by_point(position), position.game.look
        for change in event.changes:
            word = words.get(change.at)
            if word is None or look.color(word) is not color:
                continue
            removed = change.deed is Deed.REMOVE and position.marks(step).owner is not color
            turned = change.deed is Deed.BECOME and look.color(change.word) is color.opponent
            if removed or turned:
                points |= bit(change.at)
    return points


def kept(turns: Sequence[Turn], points: Points, color: Color) -> Points:
    """Those of a color's pieces on some points that are there, in its color, after each turn.

    turns -- at least one
    """
    placement = first_placement(turns[0].start)
    where = {placement.numbers[vertex]: vertex for vertex in vertices(points)}
    for turn in turns:
        for position, step in walk(turn.start, turn.steps):
            placement, _ = follow(placement, position.events(step))
        own = pieces_of(turn.position, color)
        there = {number for vertex, number in placement.numbers.items() if own >> vertex & 1}
        where = {number: vertex for number, vertex in where.items() if number in there}
    return point_set(where.values())


def pieces_of(position: Position, color: Color) -> Points:
    """The points with a color's pieces."""
    look = position.game.look
    layers = position.layers().items()
    return union(points for word, points in layers if look.color(word) is color)


def named_pieces(position: Position, points: Points) -> str:
    """Pieces in words: `the stack on C3`, `the stones on B2 and C4`, `7 stones`."""
    game, words = position.game, words_by_point(position)
    kinds = {thing(game, words[vertex]).kind for vertex in vertices(points)}
    kind, count = kinds.pop() if len(kinds) == 1 else "piece", points.bit_count()
    if count > _MOST_NAMED:
        return number_of(count, kind)
    *first, last = map(str, vertices(points))
    where = f"{', '.join(first)} and {last}" if first else last
    return f"the {kind}{'s' * (count > 1)} on {where}"


def joined(turn: Turn) -> Saying | None:
    """That the piece a turn places joins groups of its color, and how big they are together."""
    position, after, look = turn.start, turn.position, turn.start.game.look
    plain, placed = look.shape(look.plain[turn.color]), turn.points & ~turn.start.occupied()
    if turn.swaps or placed.bit_count() != 1:
        return None

    def groups(position: Position, touching: Points) -> list[Points]:
        layers = position.layers().items()
        own = union(
            points
            for word, points in layers
            if look.color(word) is turn.color and look.shape(word) is plain
        )
        return [group for group in position.groups(own) if group & touching]

    (group,) = groups(after, placed) or [0]
    parts = groups(position, group)
    if len(parts) < 2:
        return None
    # A turn may drive off, turn or cut off stones of the groups that it joins.
    names = " and ".join(str(lowest(part & group)) for part in parts[:_MOST_NAMED])
    return Saying(f"it joins the groups on {names}: {group.bit_count()} together", "", group)


def patches_won(turn: Turn) -> list[Saying]:
    """The areas of a game in progress that a turn brings to its color."""
    before = turn.start
    if turn.swaps or not turn.whole or before.open:
        return []
    game, most = before.game, _QUIET * before.board.bit_count()
    had = union(patch for patch, owner in before.owned_patches() if owner is turn.color)
    return [
        Saying(
            f"{_area(patch)} {game.color_names[turn.color]}'s",
            turn.position.patch_rule(patch),
            patch,
        )
        for patch, owner in turn.position.owned_patches()
        if owner is turn.color and patch & ~had and patch.bit_count() <= most
    ]


def _area(patch: Points) -> str:
    """An area that becomes somebody's."""
    count, first = patch.bit_count(), lowest(patch)
    return f"the point {first} becomes" if count == 1 else f"{count} points from {first} on become"


def _events(turn: Turn) -> Iterator[tuple[Position, Step, BoardEvent]]:
    """The events of a turn, each with its step and the position before that step."""
    for position, step in walk(turn.start, turn.steps):
        for event in position.events(step):
            yield position, step, event


def _is_effect(position: Position, step: Step, change: Change) -> bool:
    """Whether a change is more than the move of the step's own piece, or its growth."""
    if change.deed is Deed.REMOVE:
        return True
    if change.deed is Deed.MOVE:
        return change.at not in step.vertices[:1]
    if change.deed is Deed.PLACE or change.at not in step.vertices:
        return change.at not in step.vertices
    game, word = position.game, words_by_point(position).get(change.at)
    return word is None or thing(game, word).kind != thing(game, change.word).kind
