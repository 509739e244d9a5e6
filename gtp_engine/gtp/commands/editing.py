"""Positions made piece by piece, for front ends in which a person sets up a board."""

from gtp_engine.engine.session import Session
from gtp_engine.engine.view.editing import cells, edited, palette
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import COLOR
from gtp_engine.gtp.wire.registry import Argument, Failure, JsonResult, rest
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.points.vertex import Vertex


def _cell(text: str) -> tuple[Vertex, str]:
    """Raises ValueError."""
    vertex, separator, word = text.partition("=")
    if not (separator and word):
        raise ValueError("not a point with a piece")
    return Vertex.parse(vertex), word


@command("game-pieces")
def game_pieces(session: Session) -> JsonResult:
    """List the pieces of the game, and those on the board, in the words of a position text.

    Reply: a JSON object: `palette`, the pieces, each with `shape`, `kind`, `color` and `text`, as
        in a [view](../view.md), and `words`, one for each height from 1; `cells`, the word on each
        occupied point; `to_move`
    Example:
        > game-position robble 3 .../.B./W.. b
        =
        > game-pieces
        = {"palette":[{"shape":"stone","kind":"stone","color":"black","text":"black stone","words":["B"]},{"shape":"stone","kind":"stone","color":"white","text":"white stone","words":["W"]}],"cells":{"A1":"W","B2":"B"},"to_move":"black"}
    """  # noqa: E501
    found = dict(sorted(cells(session).items()))
    to_move = str(session.position.to_move)
    return {"palette": palette(session.game), "cells": found, "to_move": to_move}


@command("game-edit", COLOR, rest(Argument("VERTEX=WORD", _cell)))
def game_edit(session: Session, color: Color, *board: tuple[Vertex, str]) -> JsonResult:
    """Write a board of pieces as a position text, or tell why it cannot occur.

    Arguments: the color to move; each occupied point with its word from `game-pieces`. Game and
        size are the present ones
    Effect: none; `game-position` sets the text up
    Reply: a JSON object: `position`, the text, and `flaw`, a sentence; one of them is null. The
        pieces and the color of the present position give its own text
    Fails: `a point is not on the board, or named twice`; `syntax: ...`
    Example:
        > game-select robble 3
        =
        > game-edit b B2=B A1=W
        = {"position":"robble 3 .../.B./W.. b pie=off","flaw":null}
        > game-edit b B2=B
        = {"position":null,"flaw":"White has placed the last stone and has none (R8)."}
        > game-edit b D4=B
        ? a point is not on the board, or named twice
    """
    words = dict(board)
    on_board = all(session.position.board >> vertex & 1 for vertex in words)
    if len(words) < len(board) or not on_board:
        raise Failure("a point is not on the board, or named twice")
    return edited(session, color, words)
