"""A game as one HTML page that steps through it; the page itself is replay.html.

The page gets the board as SVG, and for each moment the words of the cells and what lies under and
over the pieces: so it draws what svg.py draws, and holds each symbol once.
"""

import json
from functools import cache
from html import escape
from importlib.resources import files
from typing import NamedTuple

from gtp_engine.board.color import Color
from gtp_engine.board.diagram import draw
from gtp_engine.look.loader import flat
from gtp_engine.notation.items import SEPARATOR
from gtp_engine.render.pieces import CELL, symbol_id
from gtp_engine.render.scene import Scene
from gtp_engine.render.svg import FONTS, MARGIN, board_side, definitions, grid, ground, over, under
from gtp_engine.rules.game import Game

_PAGE = "replay.html"


class ReplayFrame(NamedTuple):
    """The start of a game, or the game after one of its turns.

    stages      -- the game after each step of the turn but the last
    color, word -- the turn; no color at the start
    by          -- who chose it, "" if that is not known
    comment     -- what the record says about it
    chance      -- BLACK's chance to win, 0 to 1, as a player saw it
    """

    scene: Scene
    stages: tuple[Scene, ...] = ()
    color: Color | None = None
    word: str = ""
    by: str = ""
    comment: str = ""
    chance: float | None = None


class Replay(NamedTuple):
    """A game to step through.

    players -- the names of BLACK and WHITE, "" where they are not known
    ending  -- the result, or who is to move at the end
    """

    game: Game
    size: int
    moments: tuple[ReplayFrame, ...]
    players: tuple[str, str]
    date: str
    ending: str


def page(replay: Replay) -> str:
    """The page: everything in it, nothing loaded from elsewhere."""
    title = f"{replay.game.title} {replay.size}x{replay.size}"
    side = board_side(replay.size)
    parts = {
        "TITLE": escape(title),
        "SIDE": str(side),
        "FONTS": FONTS,
        "DEFINITIONS": definitions(replay.game, _words(replay)),
        "GROUND": ground(replay.moments[0].scene.position),
        "GRID": "\n".join(grid(replay.moments[0].scene.position)),
        "DATA": _json(_data(replay, title)),
    }
    text = _template()
    head, *pieces = text.split("{{")
    for piece in pieces:
        name, _, rest = piece.partition("}}")
        head += parts[name] + rest
    return head


@cache
def _template() -> str:
    return files(__package__).joinpath(_PAGE).read_text(encoding="utf-8")


def _words(replay: Replay) -> set[str]:
    """All words of the diagram that the game ever shows."""
    scenes = (scene for moment in replay.moments for scene in (moment.scene, *moment.stages))
    return {word for scene in scenes for word in scene.position.layers()}


def _data(replay: Replay, title: str) -> dict[str, object]:
    return {
        "title": title,
        "colors": replay.game.color_names,
        "inks": [flat(ink) for ink in replay.game.look.inks],
        "players": replay.players,
        "date": replay.date,
        "ending": replay.ending,
        "size": replay.size,
        "cell": CELL,
        "margin": MARGIN,
        "symbols": {word: symbol_id(replay.game, word) for word in sorted(_words(replay))},
        "moments": [_moment(moment) for moment in replay.moments],
    }


def _moment(moment: ReplayFrame) -> dict[str, object]:
    return {
        **_board(moment.scene),
        "stages": [_board(stage) | {"step": _steps(stage)} for stage in moment.stages],
        "color": moment.color,
        "word": moment.word,
        "by": moment.by,
        "comment": moment.comment,
        "chance": moment.chance,
        "next": moment.scene.position.to_move,
    }


def _board(scene: Scene) -> dict[str, object]:
    position = scene.position
    return {
        "cells": " ".join(draw(position.size, position.layers()).split()),
        "under": "".join(under(scene)),
        "over": "".join(over(scene)),
    }


def _steps(scene: Scene) -> str:
    return SEPARATOR.join(map(str, scene.steps))


def _json(value: object) -> str:
    """JSON that is safe inside a script element: nothing in it can end the element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
