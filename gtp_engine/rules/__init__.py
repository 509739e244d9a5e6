"""The games: every file here that defines GAME is a game.

A new game is one new file in this folder; nothing else is edited. It has the rules as code, each
sentence with its number, and game.py gives the one that a refused step breaks. `points` has colors
and vertices, `notation` the texts of steps and positions, `records` the files of games.

May import: base.
Begin with: `game.Game`, `game.Position`, `step.Step`.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from gtp_engine.rules.game import Game


@cache
def games() -> tuple[Game, ...]:
    """All games, by name."""
    modules = (
        import_module(f"{__name__}.{info.name}")
        for info in iter_modules(__path__)
        if not info.ispkg
    )
    found = tuple(module.GAME for module in modules if hasattr(module, "GAME"))
    for game in found:
        if not hasattr(game.position_type, "game"):
            file = f"{game.position_type.__module__.rpartition('.')[2]}.py"
            raise TypeError(f"{file}: the last line of a game's file is `declare(GAME)`")
    return found


def default_game() -> Game:
    """The default game of a session."""
    return next((game for game in games() if game.is_default), games()[0])


class UnknownGame(ValueError):
    """There is no game with this name; the text lists the games."""

    def __init__(self, name: str) -> None:
        known = " ".join(game.name for game in games())
        super().__init__(f"there is no game {name[:40]}: {known}")


def find_game(name: str) -> Game:
    """The game of a name, in any letter case. Raises UnknownGame."""
    for game in games():
        if game.name == name.lower():
            return game
    raise UnknownGame(name)
