"""A game as an HTML page that steps through it; the parts of the page are in page/.

The page contains the board as SVG, and for each moment the words of the cells and the layers below
and above the pieces. So it draws the same as svg.py, and contains each symbol once.
"""

import json
from base64 import b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import NamedTuple

from gtp_engine.board.color import Color
from gtp_engine.board.diagram import draw
from gtp_engine.look.brush import Brush, style, variables
from gtp_engine.look.geometry import CELL, MARGIN, board_side
from gtp_engine.look.loader import look, page_style
from gtp_engine.look.pieces import piece
from gtp_engine.look.scene import Scene
from gtp_engine.look.surface import surface
from gtp_engine.look.svg import FONTS, over, under
from gtp_engine.notation.items import SEPARATOR
from gtp_engine.rules.game import Game

# The boards of the two themes of a page.
_LIGHT, _DARK = "wood", "wood-dark"

_FRAME, _STYLE, _SCRIPTS = "replay.html", "replay.css", ("replay.js", "review.js")


class BetterTurn(NamedTuple):
    """A turn of the better line, and the game after it."""

    scene: Scene
    color: Color
    word: str


class ReviewedTurn(NamedTuple):
    """The search results for a played turn.

    title  -- a heading: the better turn, or that there was none
    best   -- the turn that the search prefers
    loss   -- the mover's lost chance to win, 0 to 1
    costly -- whether it is marked as a mistake
    why    -- explaining sentences
    line   -- the better turn and the expected turns after it
    """

    title: str
    best: str
    loss: float
    costly: bool
    why: tuple[str, ...]
    line: tuple[BetterTurn, ...]


class ReplayFrame(NamedTuple):
    """The start of a game, or the game after one of its turns.

    stages      -- the game after each step of the turn except the last
    color, word -- the turn; no color at the start
    by          -- the player that chose it, "" if unknown
    comment     -- the record's comment on it
    chance      -- BLACK's chance to win, 0 to 1, according to the player
    proven      -- whether that is exact
    review      -- the search results for the turn
    """

    scene: Scene
    stages: tuple[Scene, ...] = ()
    color: Color | None = None
    word: str = ""
    by: str = ""
    comment: str = ""
    chance: float | None = None
    proven: bool = False
    review: ReviewedTurn | None = None


class Replay(NamedTuple):
    """A game to step through.

    players  -- the names of BLACK and WHITE, "" if unknown
    ending   -- the result, or who is to move at the end
    reviewed -- a sentence about the searches of the turns, "" without a review
    """

    game: Game
    size: int
    moments: tuple[ReplayFrame, ...]
    players: tuple[str, str]
    date: str
    ending: str
    reviewed: str = ""


def page(replay: Replay) -> str:
    """The page; it is self-contained and loads nothing.

    The text is ASCII without empty or long lines, so that a GTP response can contain it unchanged.
    """
    title, brush = f"{replay.game.title} {replay.size}x{replay.size}", Brush(variables)
    ground = "\n".join(surface(brush, replay.moments[0].scene.position))
    data = _data(replay, title, brush)
    sheet, script = _sheet(), "".join(map(_part, _SCRIPTS))
    parts = {
        "TITLE": escape(title),
        "STYLE_HASH": _hash(sheet),
        "SCRIPT_HASH": _hash(script),
        "STYLE": sheet,
        "SIDE": str(board_side(replay.size)),
        "FONTS": FONTS,
        "SURFACE": ground,
        "DEFINITIONS": brush.definitions(),
        "DATA": _json(data),
        "SCRIPT": script,
    }
    head, *pieces = _part(_FRAME).split("{{")
    for following in pieces:
        name, _, rest = following.partition("}}")
        head += parts[name] + rest
    return head


@cache
def _part(name: str) -> str:
    return _dense(files(__package__).joinpath("page", name).read_text(encoding="utf-8"))


def _dense(text: str) -> str:
    """A text without empty lines, and without blanks at line ends."""
    return "\n".join(filter(None, map(str.rstrip, text.split("\n")))) + "\n"


def _sheet() -> str:
    """The style of the page, with the colors of its board in both themes."""
    dark = f"@media (prefers-color-scheme: dark) {{ :root {{ {style(_DARK)} }} }}"
    return _dense(f"{page_style()}:root {{ {style(_LIGHT)} }}\n{dark}\n{_part(_STYLE)}")


def _hash(text: str) -> str:
    """A Content-Security-Policy's name for the one style or script that it allows."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _data(replay: Replay, title: str, brush: Brush) -> dict[str, object]:
    inks = (look()["inks"][ink]["roles"] for ink in replay.game.look.inks)
    return {
        "title": title,
        "colors": replay.game.color_names,
        "inks": [{role: ink[role] for role in ("flat", "body", "rim")} for ink in inks],
        "players": replay.players,
        "date": replay.date,
        "ending": replay.ending,
        "reviewed": replay.reviewed,
        "size": replay.size,
        "cell": CELL,
        "margin": MARGIN,
        "symbols": {word: piece(brush, replay.game, word) for word in sorted(_words(replay))},
        "moments": [_moment(moment, brush) for moment in replay.moments],
    }


def _words(replay: Replay) -> set[str]:
    """All words of the diagram that the page can show."""
    return {word for scene in _scenes(replay) for word in scene.position.layers()}


def _scenes(replay: Replay) -> Iterator[Scene]:
    for moment in replay.moments:
        yield from (moment.scene, *moment.stages)
        if moment.review is not None:
            yield from (turn.scene for turn in moment.review.line)


def _moment(moment: ReplayFrame, brush: Brush) -> dict[str, object]:
    return {
        **_board(moment.scene, brush),
        "stages": [_board(stage, brush) | {"step": _steps(stage)} for stage in moment.stages],
        "color": moment.color,
        "word": moment.word,
        "by": moment.by,
        "comment": moment.comment,
        "chance": moment.chance,
        "proven": moment.proven,
        "next": moment.scene.position.to_move,
        "review": moment.review and _review(moment.review, brush),
    }


def _review(found: ReviewedTurn, brush: Brush) -> dict[str, object]:
    line = [
        _board(turn.scene, brush) | {"color": turn.color, "word": turn.word} for turn in found.line
    ]
    return {**found._asdict(), "line": line}


def _board(scene: Scene, brush: Brush) -> dict[str, object]:
    position = scene.position
    return {
        "cells": " ".join(draw(position.size, position.layers()).split()),
        "under": "".join(under(brush, scene)),
        "over": "".join(over(brush, scene)),
    }


def _steps(scene: Scene) -> str:
    return SEPARATOR.join(map(str, scene.steps))


def _json(value: object) -> str:
    """JSON that is safe inside a script element: it cannot end the element."""
    return json.dumps(value, separators=(",\n", ":")).replace("<", "\\u003c")
