"""A view's facts about a piece, a point and a color, and about a game as a whole."""

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any, NamedTuple

from gtp_engine.rules.game import Game
from gtp_engine.rules.look import Shape
from gtp_engine.rules.notation.turns import Unreadable, parse_word
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.points.points import Points, vertices
from gtp_engine.rules.points.vertex import NAMES, STRIDE
from gtp_engine.rules.step import Saying, StepKind

Json = dict[str, Any]
"""An object of the view."""

# More than the number of different words on a board of the largest size.
_MOST_WORDS = 1024
_MOST_TURNS = 4096  # words of turns, as they were drawn last


class Thing(NamedTuple):
    """The meaning of a word of the diagram.

    kind  -- the game's name for it
    color -- as in the view
    text  -- the kind with color and height
    """

    shape: Shape
    kind: str
    color: str | None
    height: int
    text: str

    @property
    def traits(self) -> Json:
        """Its properties in the view, except the text."""
        return {
            "shape": self.shape.value,
            "kind": self.kind,
            "color": self.color,
            "height": self.height,
        }


@lru_cache(_MOST_WORDS)
def thing(game: Game, word: str) -> Thing:
    """The meaning of a word of the game's diagrams."""
    look = game.look
    shape, color, height = look.shape(word), look.color(word), look.height(word)
    kind = _kind(game, word) or shape.value
    text = kind if color is None else f"{game.color_names[color].lower()} {kind}"
    if height > 1:
        text += f", height {height}"
    return Thing(shape, kind, None if color is None else str(color), height, text)


def _kind(game: Game, word: str) -> str:
    """The legend's name for a word, without color and height; "" if it has none."""
    for explained, meaning in game.legend.items():
        if explained[0] == word[0]:
            name, _, _ = meaning.partition(" of ")
            words = name.split()
            return " ".join(words[words[0] in game.color_names :])
    return ""


def names(points: Points) -> list[str]:
    """The vertices of a set, as lists in the view."""
    return [NAMES[vertex] for vertex in vertices(points)]


def sentence(text: str) -> str:
    """A text of the rules with a capital letter at the start."""
    return text[:1].upper() + text[1:]


def said(saying: Saying) -> Json:
    """A sentence of the rules, its rule, and the points in it."""
    text, rule, points = saying
    return {"rule": rule or None, "text": sentence(text), "points": names(points)}


@lru_cache(maxsize=64)
def about_game(game: Game, size: int) -> Json:
    """A view's facts about its game. Must not be modified."""
    goals = {"top": BLACK, "bottom": BLACK, "left": WHITE, "right": WHITE}
    edges = {edge: str(color) for edge, color in goals.items()} if game.look.goals else None
    return {
        "name": game.name,
        "title": game.title,
        "size": size,
        "on": "cells" if game.look.in_cells else "points",
        "edges": edges,
        "neighbors": [_offset(direction) for direction in game.neighbors],
        "colors": {
            str(color): {"title": game.color_names[color], "ink": game.look.inks[color].value}
            for color in Color
        },
    }


def _offset(direction: int) -> list[int]:
    """A direction as columns to the right and rows up."""
    rows = (direction + 1) % STRIDE - 1
    return [(direction - rows) // STRIDE, rows]


@cache
def verbs(game: Game) -> Json:
    """The game's kinds of steps that name points, by name. Must not be modified."""
    return {
        kind.name: {
            "title": kind.name.replace("-", " ").capitalize(),
            "template": kind.template,
            "meaning": kind.meaning,
            "shape": _shape(game, kind),
        }
        for kind in game.kinds
        if vertices_named(kind)
    }


@cache
def tools(game: Game) -> list[str]:
    """The kinds of steps that a player chooses between before clicking a point.

    Each names one point, and the point alone does not decide between them. They are in the order of
    the legend. Must not be modified.
    """
    kinds = [kind for kind in game.kinds if vertices_named(kind) == 1]
    if len({kind.template for kind in kinds}) == 1:
        return []
    shapes = [thing(game, word).shape.value for word in game.legend]

    def place(kind: StepKind) -> int:
        shape = _shape(game, kind)
        return shapes.index(shape) if shape in shapes else len(shapes)

    return [kind.name for kind in sorted(kinds, key=place)]


def drawn(game: Game, line: Iterable[str], *, begun: bool) -> list[list[Json]]:
    """How a front end draws each turn of a line: its steps that name points.

    A step has `at`, its first point; `to`, its second one, if it has one; and the `shape` of the
    piece that it places on `at`, if it places one. Must not be modified.

    line  -- words of turns; one that is not in our notation has no steps
    begun -- whether the first one continues a turn
    """
    return [_drawn(game, word, begun and not number) for number, word in enumerate(line)]


@lru_cache(_MOST_TURNS)
def _drawn(game: Game, word: str, begun: bool) -> list[Json]:
    try:
        items = parse_word(game, word)
    except Unreadable:
        return []
    found = []
    for number, item in enumerate(items):
        kinds = [kind for kind in game.kinds if kind.template == item.template]
        if not kinds or not item.vertices:
            continue
        # Of kinds that are written alike the first one begins a turn, the last one continues it.
        kind = kinds[-1 if begun or number else 0]
        step = dict(zip(("at", "to"), (NAMES[vertex] for vertex in item.vertices)))
        shape = verbs(game)[kind.name]["shape"]
        found.append(step if shape is None else {**step, "shape": shape})
    return found


def vertices_named(kind: StepKind) -> int:
    """The number of points in a step of a kind."""
    return kind.template.count("{}")


def _shape(game: Game, kind: StepKind) -> str | None:
    """The shape of the piece that a step of a kind places, derived from its name."""
    if kind.name == "place":
        return game.look.shape(game.look.plain[BLACK]).value
    last = kind.name.split("-")[-1]
    shapes = {thing(game, word).shape.value for word in game.legend}
    return last if last in shapes else None
