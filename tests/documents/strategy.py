"""`python tests documents.strategy`: draws the pictures of the pages of first strategy.

A page protocol_specs/games/GAME-strategy.md shows positions and one game. The positions stand in
strategy/GAME.toml beside it, the game in strategy/GAME.sgf. A picture is called

- openings: the swap map of the board of the game
- turn-12: turn 12 of the game, step by step
- after-12: the board after turn 12 of the game
- any other name: the turn of the position of that name, step by step
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from documents.game_pictures import film
from gtp_engine.engine.heat import OPENINGS, heat_scene
from gtp_engine.engine.pictures.scene import Scene, difference
from gtp_engine.engine.pictures.svg import picture
from gtp_engine.engine.tasks.lessons import Picture
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.position_text import write_position
from gtp_engine.rules.notation.turns import read_turn
from gtp_engine.rules.records.record import Record, RecordNode, read_record
from gtp_engine.rules.step import SWAPS, Pie
from support.driver import Driver

SPECS = Path(__file__).parents[2] / "protocol_specs"
FOLDER = SPECS / "games" / "strategy"
MAPS = SPECS.parent / "gtp_engine" / "search" / "openings" / "maps"
PAGES = {path.name.removesuffix("-strategy.md"): path for path in SPECS.glob("games/*-strategy.md")}
"""The pages by the names of their games."""

# The board of each theme, and what its files are called.
_THEMES = {"wood": "strategy-{}-{}.svg", "wood-dark": "strategy-{}-{}-dark.svg"}

_OF_THE_GAME = re.compile(r"(turn|after)-(\d+)")


class Turn(NamedTuple):
    """A turn with the positions before and after it."""

    before: Position
    word: str
    after: Position


def positions(game: str) -> dict[str, tuple[str, str]]:
    """The positions of a page by their names, each as text with the turn that its picture shows."""
    found = tomllib.loads((FOLDER / f"{game}.toml").read_text())["position"]
    return {each["name"]: (each["text"], each["turn"]) for each in found}


def play(position: Position, word: str) -> Turn:
    """A whole legal turn. Raises ValueError or IllegalStep for anything else."""
    after = position
    for step in read_turn(position, (), word).steps:
        after = after.play(step)
    if after.open:
        raise ValueError(f"{word} is a part of a turn")
    return Turn(position, word, after)


def record(game: str) -> Record:
    """The record of the game of a page."""
    return read_record((FOLDER / f"{game}.sgf").read_text())


def nodes(game: str) -> Iterator[RecordNode]:
    """The turns of that record."""
    node = record(game).root.following
    while node is not None:
        yield node
        node = node.following


def turns(game: str) -> list[Turn]:
    """The turns of the game of a page, played by the rules."""
    position: Position = find_game(game).start(record(game).start.size, Pie.PIECES)
    found = []
    for node in nodes(game):
        found.append(play(position, node.word))
        position = found[-1].after
    return found


def shown(game: str) -> list[str]:
    """The names of the pictures on a page."""
    found = re.findall(
        rf'src="\.\./pictures/strategy-{game}-([\w-]+)\.svg"', PAGES[game].read_text()
    )
    return list(dict.fromkeys(found))


def drawn(game: str, name: str, board: str) -> str:
    """A picture."""
    if name == "openings":
        drive = Driver(game, record(game).start.size)
        return picture(heat_scene(drive.session, OPENINGS)._replace(caption=()), board) + "\n"
    of_the_game = _OF_THE_GAME.fullmatch(name)
    if of_the_game is None:
        return film(Picture(0, *positions(game)[name]), board)
    turn = turns(game)[int(of_the_game[2]) - 1]
    if of_the_game[1] == "turn":
        return film(Picture(0, write_position(turn.before), turn.word), board)
    return picture(_after(turn), board) + "\n"


def _after(turn: Turn) -> Scene:
    steps = tuple(s for s in read_turn(turn.before, (), turn.word).steps if s not in SWAPS.values())
    position = turn.after
    over = position.outcome() is not None
    return Scene(
        position,
        steps=steps[:1],
        changed=difference(turn.before, position),
        patches=tuple(position.owned_patches()) if over else (),
        decisive=position.decisive() if over else 0,
    )


def pictures(game: str) -> Iterator[tuple[Path, str]]:
    """The pictures of a page with their files."""
    for name in shown(game):
        for board, file in _THEMES.items():
            yield SPECS / "pictures" / file.format(game, name), drawn(game, name, board)


if __name__ == "__main__":
    for each in PAGES:
        for path, text in pictures(each):
            path.write_text(text)
