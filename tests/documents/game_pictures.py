"""The drawn pictures of the games' pages: films of single turns, and whole games that move.

The films come from `rules/lessons/`, the games from the records beside the pages, and the words
from the events of each step. The drawings are SVG without scripts; pictures.py writes them.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from gtp_engine.cli.game_files import read_game
from gtp_engine.engine.pictures.loader import look, roles
from gtp_engine.engine.pictures.scene import Scene, difference
from gtp_engine.engine.pictures.svg import (
    CELL,
    FONTS,
    Brush,
    board_side,
    center,
    mark,
    over,
    piece,
    pieces,
    plain,
    surface,
    under,
)
from gtp_engine.engine.session import Session
from gtp_engine.engine.tasks.lessons import Picture
from gtp_engine.rules.events import Change, Deed, words_by_point
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.look import Shape
from gtp_engine.rules.notation.position_text import read_position
from gtp_engine.rules.notation.turns import parse_word, read_turn
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.groups import components, leader, sizes
from gtp_engine.rules.points.points import Points, point_set, union, vertices
from gtp_engine.rules.points.vertex import Vertex
from gtp_engine.rules.step import SWAP_PIECES, Step

GAMES = Path(__file__).parents[2] / "protocol_specs" / "games"

GROUPS = Picture(
    0, "robble 4 BBBW/BWWW/WBWB/WBBB w", text="The two groups of five cancel: Black wins."
)
"""The comparison of groups, which several games share."""

# Text and lines beside the boards; the paper is that of the page.
_INKS = {"light": "#2b2722", "dark": "#e9e6e0"}


def document(
    brush: Brush, title: str, size: tuple[float, float], pixel: float, parts: list[str]
) -> str:
    """A drawing of a width and height in hundredths of a cell, `pixel` of them a pixel."""
    width, height = size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width / pixel:.0f}" '
        f'height="{height / pixel:.0f}" viewBox="0 0 {width:g} {height:g}" '
        f'font-family="{FONTS}" role="img">',
        f"<title>{plain(title)}</title>",
        brush.definitions(),
        *parts,
        "</svg>",
    ]
    return "\n".join(filter(None, lines)) + "\n"


def placed(x: float, y: float, parts: Iterator[str] | list[str]) -> str:
    """Parts of a drawing, moved."""
    return f'<g transform="translate({x:g} {y:g})">{"".join(parts)}</g>'


def marked(brush: Brush, name: str, points: Points, size: int) -> Iterator[str]:
    """A mark on each of some points."""
    for vertex in vertices(points):
        x, y = center(vertex, size)
        yield f'<use href="#{mark(brush, name)}" x="{x}" y="{y}"/>'


def said(text: str, x: float, y: float, font: int, ink: str, more: str = "") -> str:
    """A line of text."""
    return f'<text x="{x:g}" y="{y:g}" font-size="{font}" fill="{ink}"{more}>{plain(text)}</text>'


# Films ---------------------------------------------------------------------------------------

_PIXEL = 2.8
_GAP = 130
_WIDEST = 3600  # of a row of boards


class Panel(NamedTuple):
    """One board of a film.

    scene    -- what it shows
    word     -- the step that led there
    pushed   -- the moves of pieces by that step, which its own arrow does not show
    taken    -- the points whose pieces the next step captures
    leaving  -- the points whose pieces the next step removes in another way
    """

    scene: Scene
    word: str = ""
    pushed: tuple[tuple[Vertex, Vertex], ...] = ()
    taken: Points = 0
    leaving: Points = 0


def panels_of(shown: Picture) -> list[Panel]:
    """A position, and the board after each step of the turn."""
    position = read_position(shown.position)
    steps = steps_of(position, shown)
    panels = [Panel(still(position, 0 if steps else position.board))]
    for step in steps:
        changes = [] if shown.illegal else changes_of(position, step)
        turned = point_set(change.at for change in changes if change.deed is Deed.BECOME)
        marked = not shown.illegal and step != SWAP_PIECES
        taken = position.marks(step).captures if marked else 0
        gone = point_set(change.at for change in changes if change.deed is Deed.REMOVE) & ~taken
        scene = panels[-1].scene._replace(patches=still(position, turned).patches)
        panels[-1] = panels[-1]._replace(scene=scene, taken=taken, leaving=gone)
        before, position = position, tried(position, step) if shown.illegal else position.play(step)
        scene = still(position, 0)._replace(changed=difference(before, position))
        if step != SWAP_PIECES:
            scene = scene._replace(steps=(step,))
        panels.append(Panel(scene, _label(before, step), _pushed(step, changes)))
    return panels


def tried(position: Position, step: Step) -> Position:
    """The board that shows why a step is illegal: with a new piece, but without a move."""
    return position if len(step.vertices) > 1 else position.after(step)


def changes_of(position: Position, step: Step) -> list[Change]:
    """What a legal step does to the pieces."""
    return [change for event in position.events(step) for change in event.changes]


def _pushed(step: Step, changes: list[Change]) -> tuple[tuple[Vertex, Vertex], ...]:
    moves = ((change.at, change.to) for change in changes if change.to is not None)
    return tuple(move for move in moves if move != step.vertices)


def _label(position: Position, step: Step) -> str:
    """The word of a step; where it goes on with a turn, only its kind."""
    return step.kind.name.partition("-")[0] if position.open else str(step)


def steps_of(position: Position, shown: Picture) -> tuple[Step, ...]:
    """The steps of the turn of a picture."""
    if not shown.turn:
        return ()
    if not shown.illegal:
        return read_turn(position, (), shown.turn).steps
    (item,) = parse_word(position.game, shown.turn)
    (kind,) = (kind for kind in position.game.kinds if kind.template == item.template)
    return (Step(kind, item.vertices),)


def still(position: Position, parties_at: Points | None = None) -> Scene:
    """A position with its patches, or with a line around each party of several pawns.

    With `parties_at` only around the parties that stand on one of these points.
    """
    over = position.outcome() is not None
    if position.open or over:
        chain = position.decisive() if over and position.game.look.goals else 0
        return Scene(position, patches=tuple(position.owned_patches()), decisive=chain)
    pawns = union(
        points
        for word, points in position.layers().items()
        if position.game.look.shape(word) is Shape.PAWN
    )
    parties = [party for party in components(pawns) if party.bit_count() > 1]
    if parties_at is not None:
        parties = [party for party in parties if party & parties_at]
    return Scene(position, patches=tuple((party, None) for party in parties))


def film(shown: Picture, board: str) -> str:
    """The boards of a turn in rows, and at the end the comparison of the groups."""
    brush, panels = Brush(board), panels_of(shown)
    position = panels[-1].scene.position
    size = position.size
    side, ink = board_side(size), _ink(board)
    ground = brush.symbol("board", surface(brush, position))
    parts, x, y, width = list[str](), 0.0, 0.0, 0.0
    for number, panel in enumerate(panels):
        if number:
            if x + _GAP + side > _WIDEST:
                x, y = 0.0, y + side + _GAP / 2
            parts += _arrow(x, y + side / 2, panel.word, ink)
            x += _GAP
        parts.append(placed(x, y, [f'<use href="#{ground}"/>', *_panel(brush, panel)]))
        x += side
        width = max(width, x)
    if shown.illegal:
        parts.append(_struck(x - side, side, roles(board)["danger"]))
    height = y + side
    for tally in tallies(position):
        x += 50
        drawn, (wide, high) = tally_drawn(brush, position.game, tally)
        parts.append(placed(x, y + max(0, (side - high) / 2), drawn))
        x, height = x + wide, max(height, y + high)
        width = max(width, x)
    return document(brush, shown.text, (width, height), _PIXEL, parts)


def _panel(brush: Brush, panel: Panel) -> Iterator[str]:
    """What is on one board of a film."""
    scene, size = panel.scene, panel.scene.position.size
    yield from under(brush, scene)
    yield from pieces(brush, scene)
    yield from over(brush, scene)
    for start, goal in panel.pushed:
        yield from pointed(brush, start, goal, size)
    yield from marked(brush, "capture", panel.taken, size)
    yield from marked(brush, "leaves", panel.leaving, size)


def pointed(brush: Brush, start: Vertex, goal: Vertex, size: int) -> Iterator[str]:
    """An arrow from a point to the rim of the piece on the next one."""
    (x, y), (to_x, to_y) = center(start, size), center(goal, size)
    across, down = (to_x - x) / CELL, (to_y - y) / CELL
    tip = to_x - 36 * across, to_y - 36 * down
    back = tip[0] - 20 * across, tip[1] - 20 * down
    wings = 18 * down, 18 * across
    path = (
        f"M{x:g} {y:g}L{tip[0]:g} {tip[1]:g}"
        f"M{back[0] + wings[0]:g} {back[1] + wings[1]:g}L{tip[0]:g} {tip[1]:g}"
        f"L{back[0] - wings[0]:g} {back[1] - wings[1]:g}"
    )
    for part in look()["marks"]["arrow"]["parts"]:
        yield brush.element(part, d=path)


def _ink(board: str) -> str:
    return _INKS[look()["boards"][board]["theme"]]


def _arrow(x: float, y: float, word: str, ink: str) -> Iterator[str]:
    """An arrow between two boards, with the word of a step above it."""
    path = f"M{x + 20:g} {y:g}h{_GAP - 40}m-22 -18l22 18l-22 18"
    yield f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="6"/>'
    font = 34 if len(word) < 6 else 26 if len(word) < 8 else 21
    middle = ' text-anchor="middle" font-weight="bold"'
    yield said(word, x + _GAP / 2, y - 34, font, ink, middle)


def _struck(x: float, side: float, ink: str) -> str:
    """A line through a board that a rule forbids."""
    path = f"M{x + 20:g} {side - 20:g}L{x + side - 20:g} 20"
    return f'<path d="{path}" stroke="{ink}" stroke-width="14" stroke-opacity=".8"/>'


# The comparison of groups --------------------------------------------------------------------

_DOT, _ROW, _HALF_HEAD = 34, 46, 70


class Tally(NamedTuple):
    """A comparison of groups.

    sizes -- the sizes of BLACK's groups and of WHITE's, the largest first
    head  -- a title, for a part of the board
    """

    sizes: tuple[list[int], list[int]]
    head: str = ""


def tallies(position: Position) -> list[Tally]:
    """The comparisons that decide a finished game; none if groups do not decide it."""
    outcome = position.outcome()
    if outcome is None or outcome.winner is None or position.game.look.goals:
        return []
    counted = _counted(position)
    patches = [patch for patch, _ in position.owned_patches()] if position.game.scored else []
    if not patches:
        return [Tally(_sizes(counted, position.board))]
    return [Tally(_sizes(counted, patch), f"patch of {patch.bit_count()}") for patch in patches]


def _counted(position: Position) -> tuple[Points, Points]:
    """The points of the pieces whose groups are compared: markers, in games that have some."""
    look_of, found = position.game.look, [0, 0]
    layers = position.layers()
    markers = any(look_of.shape(word) is Shape.MARKER for word in layers)
    for word, points in layers.items():
        color = look_of.color(word)
        if color is not None and markers == (look_of.shape(word) is Shape.MARKER):
            found[color] |= points
    return found[BLACK], found[WHITE]


def _sizes(counted: tuple[Points, Points], within: Points) -> tuple[list[int], list[int]]:
    black, white = (sorted(sizes(components(each & within)), reverse=True) for each in counted)
    return black, white


def rows_of(tally: Tally) -> list[tuple[int, int]]:
    """The sizes in rows, the largest first: a pair of equal groups, or one group and 0."""
    black, white = map(Counter, tally.sizes)
    found = list[tuple[int, int]]()
    for size in sorted(black | white, reverse=True):
        pairs = min(black[size], white[size])
        found += [(size, size)] * pairs
        found += [(size, 0)] * (black[size] - pairs) + [(0, size)] * (white[size] - pairs)
    return found


def tally_drawn(brush: Brush, game: Game, tally: Tally) -> tuple[list[str], tuple[float, float]]:
    """The groups as rows of dots: equal ones are struck through, the biggest left is framed."""
    left, right = (max([1, *sizes]) * _DOT for sizes in tally.sizes)
    if tally.head:
        left, right = max(left, _HALF_HEAD), max(right, _HALF_HEAD)
    middle, y, winner = left + 50, 44.0, leader(*tally.sizes)
    wide = left + right + 100
    parts, line = list[str](), {"fill": "none", "stroke": "{text}", "stroke-width": 5}
    if tally.head:
        head = {"tag": "text", "font-size": 30, "text-anchor": "middle", "fill": "{text}"}
        parts.append(brush.text(head, tally.head, x=middle, y=y + 8))
        y += _ROW
    for black, white in rows_of(tally):
        for color, size in ((BLACK, black), (WHITE, white)):
            start = middle - 20 - size * _DOT if color is BLACK else middle + 20
            dot = brush.symbol(f"dot-{color}", [_dot(brush, game, color)])
            for n in range(size):
                parts.append(f'<use href="#{dot}" x="{start + _DOT * (n + 0.5):g}" y="{y:g}"/>')
            if size and color is winner and not (black and white):
                box = {"tag": "rect", "width": size * _DOT + 12, "height": 42, "rx": 12, **line}
                parts.append(brush.element(box, x=start - 6, y=y - 21))
                winner = None
        if black and white:
            path = f"M{middle - 28 - black * _DOT:g} {y:g}H{middle + 28 + white * _DOT:g}"
            parts.append(brush.element({"tag": "path", "d": path, **line}))
        y += _ROW
    plate = {"tag": "rect", "rx": 20, "fill": "{cell}"}
    return [brush.element(plate, width=wide, height=y), *parts], (wide, y)


def _dot(brush: Brush, game: Game, color: Color) -> str:
    circle = {"tag": "circle", "r": 13, "fill": "{flat}", "stroke": "{rim}", "stroke-width": 3}
    return brush.element(circle, game.look.inks[color])


# Games that move -----------------------------------------------------------------------------

_MOVING_PIXEL = 1.9
_SIDE_TEXT = 800
_HEAD, _BODY, _LEADING, _LETTERS = 40, 30, 40, 45
_FIRST, _STILL, _EACH_LINE, _LAST = 3.0, 1.2, 0.6, 8.0  # seconds
_SLIDE = 0.5


class Moment(NamedTuple):
    """A board of a game that moves: what it shows, and what happened.

    head  -- whose turn it is, and its word
    lines -- what the step did, in words
    moves -- where pieces came from, by where they are now
    """

    scene: Scene
    head: str
    lines: list[str]
    moves: dict[Vertex, Vertex]

    @property
    def seconds(self) -> float:
        """How long it stands."""
        return _STILL + _EACH_LINE * len(self.wrapped)

    @property
    def wrapped(self) -> list[str]:
        """The words in lines that fit."""
        return [part for line in self.lines for part in wrap(line, _LETTERS)]


def record_of(game: str) -> Session:
    """The whole game on a game's page, from its record there."""
    return read_game(str(GAMES / f"{game}.sgf"))


def moments(session: Session) -> Iterator[Moment]:
    """The boards of a game, one for each step."""
    game, turns = session.game, session.turns()
    start = turns[0].start
    yield Moment(Scene(start), f"{game.title} {start.size}x{start.size}", [game.goal], {})
    for number, turn in enumerate(turns, 1):
        position = turn.start
        head = f"{number}. {game.color_names[turn.color]} {turn.word}"
        for step in turn.steps:
            before, position = position, position.play(step)
            events = before.events(step)
            scene = still(position) if position.open else Scene(position)
            scene = scene._replace(steps=(step,), changed=difference(before, position))
            moves = {c.to: c.at for event in events for c in event.changes if c.to is not None}
            yield Moment(scene, head, [f"{told(event.saying.text)}." for event in events], moves)
    outcome = position.outcome()
    if outcome is not None and outcome.winner is not None:
        won = f"{game.color_names[outcome.winner]} wins"
        scene = still(position)._replace(decisive=position.decisive())
        yield Moment(scene, won, [f"{told(outcome.reason)}."], {})


def told(text: str) -> str:
    """Words as a sentence without its full stop."""
    return text[:1].upper() + text[1:]


def moving(session: Session, board: str) -> str:
    """A whole game, one step after the other, with words beside the board."""
    brush, shown, ink = Brush(board), list(moments(session)), _ink(board)
    size = session.position.size
    side = board_side(size)
    lasting = [_FIRST, *(each.seconds for each in shown[1:-1]), _LAST]
    whole = sum(lasting)
    times = [100 * sum(lasting[:n]) / whole for n in range(len(shown) + 1)]
    clock = Clock(times, whole)
    layers: dict[str, list[str]] = {"under": [], "pieces": [], "over": []}
    for number, moment in enumerate(shown):
        scene = moment.scene
        name = clock.shown(number, number + 1)
        words = [said(moment.head, side + 40, 60, _HEAD, ink, ' font-weight="bold"')]
        words += (
            said(line, side + 40, 120 + _LEADING * n, _BODY, ink)
            for n, line in enumerate(moment.wrapped)
        )
        if number == len(shown) - 1:
            words += _final(brush, scene.position, side, len(moment.wrapped))
        layers["under"].append(_timed(name, under(brush, scene)))
        layers["over"].append(_timed(name, [*over(brush, scene), *words]))
    layers["pieces"] += _pieces(brush, shown, clock)
    ground = "".join(surface(brush, session.position))
    bar = f'<rect class="bar" y="{side + 8}" width="{side}" height="10" rx="5" fill="{ink}"/>'
    parts = [clock.style(), ground, *layers["under"], *layers["pieces"], *layers["over"], bar]
    title = f"A game of {session.game.title} in motion"
    return document(brush, title, (side + _SIDE_TEXT, side + 20), _MOVING_PIXEL, parts)


class Clock:
    """The times of a drawing that moves, as CSS: classes of what is visible from here to there."""

    def __init__(self, times: list[float], seconds: float) -> None:
        self._times, self._seconds = times, seconds
        self._rules: dict[str, str] = {}

    def shown(self, first: int, end: int) -> str:
        """The class of what is visible in some moments. The last moment is shown at rest."""
        last = len(self._times) - 1
        name = f"v{first}-{end}"
        start, stop = self._times[first], self._times[end]
        frames = "" if first == 0 else "0%{opacity:0}"
        frames += f"{start:.2f}%{{opacity:1}}"
        frames += "" if end == last else f"{stop:.2f}%{{opacity:0}}"
        if first > 0 or end < last:
            rest = "" if end == last else "opacity:0;"
            self._rules[name] = f".{name}{{{rest}animation-name:{name}}}" + _frames(name, frames)
        return name

    def slid(self, at: int, across: float, down: float) -> str:
        """The class of a piece that comes from elsewhere at a moment."""
        name = f"m{at}{_letter(across)}{_letter(down)}"
        start = self._times[at]
        stop = start + 100 * _SLIDE / self._seconds
        away = f"{{transform:translate({across:g}px,{down:g}px)}}"
        frames = f"0%,{start:.2f}%{away}{stop:.2f}%,100%{{transform:none}}"
        self._rules[name] = f".{name}{{animation-name:{name};{_EASE}}}" + _frames(name, frames)
        return name

    def style(self) -> str:
        """The style sheet."""
        every = f"g,use,.bar{{animation:none {self._seconds:.1f}s step-end infinite}}"
        bar = ".bar{animation-name:bar;animation-timing-function:linear}" + _frames(
            "bar", "0%{transform:scaleX(0)}"
        )
        calm = "@media(prefers-reduced-motion:reduce){*{animation:none!important}}"
        return "<style>" + "\n".join([every, bar, *self._rules.values(), calm]) + "</style>"


_EASE = "animation-timing-function:ease-in-out"


def _frames(name: str, frames: str) -> str:
    return f"@keyframes {name}{{{frames}}}"


def _letter(distance: float) -> str:
    """A distance as a part of a name."""
    return f"{distance:g}".replace("-", "_")


def _timed(name: str, parts: Iterator[str] | list[str]) -> str:
    return f'<g class="{name}">{"".join(parts)}</g>'


def _pieces(brush: Brush, shown: list[Moment], clock: Clock) -> Iterator[str]:
    """Each piece while it stands unchanged on a point."""
    game, size = shown[0].scene.position.game, shown[0].scene.position.size
    boards = [words_by_point(moment.scene.position) for moment in shown]
    for vertex in vertices(shown[0].scene.position.board):
        first = 0
        for number in range(1, len(boards) + 1):
            word = boards[first].get(vertex)
            came = number < len(boards) and vertex in shown[number].moves
            if number < len(boards) and boards[number].get(vertex) == word and not came:
                continue
            if word:
                use = _standing(brush, game, word, vertex, size)
                source = shown[first].moves.get(vertex)
                if source is not None:
                    (x, y), (from_x, from_y) = center(vertex, size), center(source, size)
                    use = use.replace(
                        "/>", f' class="{clock.slid(first, from_x - x, from_y - y)}"/>'
                    )
                yield _timed(clock.shown(first, number), [use])
            first = number


def _standing(brush: Brush, game: Game, word: str, vertex: Vertex, size: int) -> str:
    x, y = center(vertex, size)
    return f'<use href="#{piece(brush, game, word)}" x="{x}" y="{y}"/>'


def _final(brush: Brush, position: Position, side: float, lines: int) -> Iterator[str]:
    """The comparison of the groups, below the words."""
    x, y = side + 40.0, 100.0 + _LEADING * lines
    for tally in tallies(position):
        drawn, (width, _) = tally_drawn(brush, position.game, tally)
        yield placed(x, y, drawn)
        x += width + 20
