"""Turns as text: words, steps and clicks, read and written."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.points.points import Points, lowest, point_set
from gtp_engine.rules.points.vertex import COLUMNS, NAMES, PATTERN, Vertex
from gtp_engine.rules.step import (
    COMMON_KINDS,
    PASS,
    SWAP_PIECES,
    SWAPS,
    IllegalStep,
    Saying,
    Step,
    StepKind,
)
from gtp_engine.rules.turns import Turn, chosen_steps, forced_step, walk_line

BARE_VERTEX = "{}"
SEPARATOR = "/"
PASS_WORD = str(PASS)


class Unreadable(ValueError):
    """A word that is not a turn, or names a vertex off the board."""


class Item(NamedTuple):
    """A part of a word: its template and the vertices in it."""

    template: str
    vertices: tuple[Vertex, ...]

    def __str__(self) -> str:
        return self.template.format(*self.vertices)


def kinds_of(game: Game) -> tuple[StepKind, ...]:
    """All kinds of steps that a game's words may name, legal or not."""
    return (*game.kinds, *COMMON_KINDS)


# Words of a turn, split into items: texts of steps, not yet checked for legality ------------------

# Far longer than any possible turn on size 19.
LONGEST_WORD = 4096
_USUAL_LENGTH = 16


def parse_word(game: Game, word: str) -> tuple[Item, ...]:
    """The items of a word: texts of steps or vertices, separated by `/`. Raises Unreadable."""
    # Only ordinary words are cached, so that strange ones cannot fill the memory.
    return (_parse_usual if len(word) <= _USUAL_LENGTH else _parse)(game, word)


def _parse(game: Game, word: str) -> tuple[Item, ...]:
    if len(word) > LONGEST_WORD:
        raise Unreadable(f"longer than {LONGEST_WORD} characters")
    # Records edited by people may have blanks at the end.
    return tuple(_item(game, text) for text in word.rstrip().split(SEPARATOR))


_parse_usual = lru_cache(maxsize=4096)(_parse)


def _item(game: Game, text: str) -> Item:
    for template, form in _forms(game).items():
        if found := form.fullmatch(text):
            return Item(template, tuple(map(Vertex.parse, found.groups())))
    raise Unreadable(f"{text[:40]} is not a step of {game.title}")


@cache
def _forms(game: Game) -> dict[str, re.Pattern[str]]:
    """The patterns for the texts of each kind of step, by template; case does not matter."""
    templates = [BARE_VERTEX]
    for kind in kinds_of(game):
        templates += [kind.template, *kind.aliases]
    return {template: _form(template) for template in templates}


def _form(template: str) -> re.Pattern[str]:
    literals = (re.escape(literal) for literal in template.split(BARE_VERTEX))
    return re.compile(f"({PATTERN})".join(literals), re.IGNORECASE | re.ASCII)


# Steps as clicks on vertices, for a GUI -----------------------------------------------------------

Clicks = tuple[Vertex, ...]


def steps_clicked(position: Position, clicks: Clicks) -> tuple[Step, ...]:
    """The legal steps whose clicks begin with these."""
    if not clicks:
        return position.legal_steps()
    return tuple(
        step
        for step in (*position.candidates(), *position.swaps())
        if begins(position.clicks(step), clicks) and position.objection(step) is None
    )


def begins(accepted: tuple[Points, ...], clicks: Clicks) -> bool:
    """Whether some clicks are the beginning of a step's clicks."""
    return len(accepted) >= len(clicks) and all(
        points >> vertex & 1 for points, vertex in zip(accepted, clicks)
    )


def next_clicks(position: Position, clicks: Clicks) -> Points:
    """The vertices that may be clicked next, after the clicks made so far."""
    points = 0
    for step in steps_clicked(position, clicks):
        accepted = position.clicks(step)
        if len(accepted) > len(clicks):
            points |= accepted[len(clicks)]
    return points


def canonical_clicks(position: Position, step: Step) -> Clicks:
    """Our choice of clicks for a legal step; none for a pass."""
    return tuple(map(lowest, position.usual_clicks(step)))


def clicks_that_say(
    position: Position, steps: Iterable[Step], made: int = 0
) -> Iterator[Vertex | None]:
    """The clicks for steps, without forced ones and the first `made` clicks; None for a pass."""
    before: Step | None = None
    for step in steps:
        if before is not None:
            position, made = position.play_unchecked(before), 0
        if before is None or step != forced_step(position):
            yield from canonical_clicks(position, step)[made:]
            if step == PASS:
                yield None
        before = step


def words_clicked(position: Position, clicks: Clicks, steps: tuple[Step, ...]) -> Iterator[str]:
    """The words that play some steps after earlier clicks: one per click, or a pass."""
    for vertex in clicks_that_say(position, steps, len(clicks)):
        yield PASS_WORD if vertex is None else NAMES[vertex]


_LIKE_A_VERTEX = re.compile(r"[a-zA-Z][0-9]{1,3}")


def clicked_swap(steps: Iterable[Step], said: str) -> Step | None:
    """The swap among some steps, if the word that was said only clicks it; else None."""
    swap = next((step for step in steps if step in SWAPS.values()), None)
    return None if str(SWAP_PIECES) in said.lower() else swap


class Reading(NamedTuple):
    """The meaning of a word in a position.

    steps    -- all steps to play, including forced ones
    position -- the position after them
    clicks   -- the clicks of a half-clicked selection after them, usually none
    chosen   -- the first step, and those of the others that are not forced
    """

    steps: tuple[Step, ...]
    position: Position
    clicks: Clicks
    chosen: tuple[Step, ...] = ()

    @property
    def word(self) -> str:
        """The word in our notation, as `write_turn` writes it."""
        return SEPARATOR.join(map(str, (*self.chosen, *self.clicks)))

    def after(self, step: Step, *, forced: bool) -> "Reading":
        """The reading with one more step, without the clicks that said it."""
        chosen = self.chosen if self.steps and forced else (*self.chosen, step)
        return Reading((*self.steps, step), self.position.play_unchecked(step), (), chosen)


def read_turn(position: Position, clicks: Clicks, word: str) -> Reading:
    """Read a word: a whole turn, a part of one, or a click after earlier clicks.

    Forced steps may be left out. Raises Unreadable for any other word and for a vertex off the
    board, IllegalStep if a part is illegal.
    """
    try:
        items = parse_word(position.game, word)
    except Unreadable:
        if _LIKE_A_VERTEX.fullmatch(word):
            raise _off_board(word.upper(), position.size) from None
        raise
    for vertex in (vertex for item in items for vertex in item.vertices):
        if not position.board >> vertex & 1:
            raise _off_board(vertex, position.size)
    reading = Reading((), position, clicks)
    for item in items:
        reading = _read_item(reading, item)
    if reading.clicks:
        return reading
    while step := forced_step(reading.position):
        reading = reading.after(step, forced=True)
    return reading


def _off_board(name: object, size: int) -> Unreadable:
    last = COLUMNS[size - 1]
    columns = f"A to {last} without I" if last > "I" else f"A to {last}"
    return Unreadable(f"{name} is not on the board: columns {columns}, rows 1 to {size}")


def _read_item(reading: Reading, item: Item) -> Reading:
    """The reading with one more item, after forced steps if these make it legal."""
    refusal = None
    while reading.position.open or not reading.steps:
        try:
            return _say(reading, item)
        except IllegalStep as error:
            refusal = refusal or error
        step = None if reading.clicks else forced_step(reading.position)
        if step is None:
            break
        reading = reading.after(step, forced=True)
    if refusal is not None:
        raise refusal
    rule = reading.position.game.citations.turns
    raise IllegalStep(Saying(f"the turn is over at {item}", rule, point_set(item.vertices)))


def _say(reading: Reading, item: Item) -> Reading:
    """The reading with one more step or click. Raises IllegalStep."""
    position, clicks = reading.position, reading.clicks
    step = step_named(position, item)
    objection = None if step is None else position.objection(step)
    if step is not None and objection is None and (not clicks or _continues(reading, step)):
        return reading.after(step, forced=_is_forced(reading, step))
    if item.template == BARE_VERTEX:
        clicked = (*clicks, *item.vertices)
        possible = steps_clicked(position, clicked)
        complete = [step for step in possible if len(position.clicks(step)) == len(clicked)]
        if complete:
            return reading.after(complete[0], forced=_is_forced(reading, complete[0]))
        if possible:
            return reading._replace(clicks=clicked)
    raise IllegalStep(objection or _click_objection(position, clicks, item))


def _is_forced(reading: Reading, step: Step) -> bool:
    """Whether a legal step could have been left out."""
    return bool(reading.steps) and step == forced_step(reading.position)


def _continues(reading: Reading, step: Step) -> bool:
    """Whether the clicks made so far begin this step."""
    return step in steps_clicked(reading.position, reading.clicks)


def _click_objection(position: Position, clicks: Clicks, item: Item) -> Saying:
    clicked = (*clicks, *item.vertices)
    begun = (step for step in position.candidates() if begins(position.clicks(step), clicked))
    for objection in map(position.objection, begun):
        if objection is not None:
            return objection
    before = f" after {SEPARATOR.join(map(str, clicks))}" if clicks else ""
    text = f"no legal step continues with {item}{before}"
    return Saying(text, position.game.citations.turns, point_set(clicked))


def step_named(position: Position, item: Item) -> Step | None:
    """The step that an item names in a position, legal or not; kinds that are due come first."""
    for kind in (*position.kinds, *kinds_of(position.game)):
        if item.template == kind.template or item.template in kind.aliases:
            return position.canonical(Step(kind, item.vertices))
    return None


def first_steps(position: Position, clicks: Clicks, word: str) -> list[Step]:
    """The legal steps that a word names: by its token, or by the vertex to click next.

    Raises Unreadable for a word that names no step.
    """
    parse_word(position.game, word)
    legal = steps_clicked(position, clicks)
    tokens = [step for step in legal if str(step).lower() == word.lower()]
    if tokens:
        return tokens
    try:
        clicked = (*clicks, Vertex.parse(word))
    except ValueError:
        return []
    return [step for step in steps_clicked(position, clicked) if step in legal]


def write_line(position: Position, steps: Iterable[Step]) -> list[str]:
    """The words for a line of play without its forced steps: one per turn or part of a turn.

    Like `write_turn` it writes a forced step only at the beginning of the line.
    """
    line = tuple(steps)
    forced = forced_step(position)
    if forced is not None and line[:1] != (forced,):
        line = (forced, *line)
    words: list[str] = []
    for before, step in walk_line(position, line):
        if words and before.open:
            words[-1] += f"{SEPARATOR}{step}"
        else:
            words.append(str(step))
    return words


def words_of_line(line: Sequence[Step], ends: Iterable[int]) -> list[str]:
    """The same for a line whose turns are over after so many steps: see `turn_ends`."""
    parts = pairwise((0, *ends, len(line)))
    return [SEPARATOR.join(map(str, line[begin:end])) for begin, end in parts if begin < end]


def word_of(turn: Turn) -> str:
    """The word for a turn."""
    return write_turn(turn.start, turn.steps)


def write_turn(position: Position, steps: Iterable[Step], clicks: Clicks = ()) -> str:
    """The word for steps from a position, without forced ones, and for open clicks."""
    words = [str(step) for step in chosen_steps(position, tuple(steps))]
    return SEPARATOR.join(words + [str(vertex) for vertex in clicks])
