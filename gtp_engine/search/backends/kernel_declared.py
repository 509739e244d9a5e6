"""What kernel and Python declare of a game and of the search options must be the same."""

from types import ModuleType
from typing import NamedTuple

from gtp_engine.base.option import options
from gtp_engine.rules.game import Game
from gtp_engine.rules.points.points import HEXAGONAL, ORTHOGONAL
from gtp_engine.search.options import SearchOptions

NOT_READ = {"weights", "swap_maps", "trusted_visits"}
"""Search options that the kernel does not read."""


class _Declared(NamedTuple):
    """The fields of _kernel.Declared, in words and in Python's terms."""

    symmetry: int
    color_mirror: int
    neighbors: tuple[int, ...]
    kinds_of_steps: int
    kind_with_two_points: int


def check_declarations(core: ModuleType, game: Game) -> None:
    """Raises ImportError, with one line, where the declarations differ: results would differ, too.

    core -- has the game
    """
    symmetry, color_mirror, six_neighbors, kinds, two_point_kind = core.declared(game.name)
    neighbors = HEXAGONAL if six_neighbors else ORTHOGONAL
    compiled = _Declared(symmetry, color_mirror, neighbors, kinds, two_point_kind)
    two_points = (n for n, kind in enumerate(game.kinds) if kind.template.count("{}") == 2)
    declared = _Declared(
        sum(1 << image.number for image in game.symmetry),
        game.color_mirror.number,
        game.neighbors,
        len(game.kinds),
        next(two_points, -1),
    )
    for name, one, other in zip(_Declared._fields, compiled, declared, strict=True):
        if one != other:
            what = name.replace("_", " ")
            raise ImportError(f"the header of {game.title} does not declare the {what} of its file")
    known = {each.name for each in options(SearchOptions)} - NOT_READ
    if missing := known - set(dir(core.SearchOptions)):
        raise ImportError(f"it was compiled without the search option {min(missing)}")
