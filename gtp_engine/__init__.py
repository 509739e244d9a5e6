"""Patchpie: a GTP engine for abstract board games.

A program in Python begins with these names (protocol_specs/clients/library.md):

>>> from gtp_engine import LocalEngine, find_game
>>> position = find_game("robble").start(3)
>>> len(position.legal_steps())
9
>>> LocalEngine("robble", 3).ask("showboard").splitlines()[0]
'Robble 3x3'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gtp_engine.gtp.commands.in_process import LocalEngine
    from gtp_engine.gtp.wire.registry import Failure
    from gtp_engine.rules import find_game, games
    from gtp_engine.rules.notation.position_text import read_position, write_position
    from gtp_engine.rules.notation.turns import read_turn, write_turn

__version__ = "0.1.0"

ENGINE_NAME = "Patchpie"

__all__ = [
    "LocalEngine",
    "Failure",
    "find_game",
    "games",
    "read_position",
    "read_turn",
    "write_position",
    "write_turn",
]

_PLACES = {
    "LocalEngine": "gtp.commands.in_process",
    "Failure": "gtp.wire.registry",
    "find_game": "rules",
    "games": "rules",
    "read_position": "rules.notation.position_text",
    "read_turn": "rules.notation.turns",
    "write_position": "rules.notation.position_text",
    "write_turn": "rules.notation.turns",
}


def __getattr__(name: str) -> Any:
    """The names of __all__, imported at their first use: the engine starts without them."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__} has no attribute {name}")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)
