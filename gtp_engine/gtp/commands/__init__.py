"""The commands: one module per family. Each command is declared once, with its documentation.

A docstring has a first line that says what the command does, then the fields Arguments, Effect,
Reply, Fails and Example, but none that has nothing to say. Lines of a field that begin with `- `
are a list; links are Markdown, of which a terminal shows the text. The pages of
protocol_specs/clients/commands/ are generated from the docstrings (reference.py), and the tests
execute the examples.

May import: wire.
Begin with: `registry`, `playing.genmove`, `arguments`.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from gtp_engine.engine.refusals import (
    CannotUndo,
    IllegalTurn,
    InvalidPosition,
    Refusal,
    UnreadableTurn,
)
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands.arguments import CANNOT_UNDO, ILLEGAL_MOVE, INVALID_TURN
from gtp_engine.gtp.wire.registry import Registry

_REFUSALS: dict[type[Exception], str] = {
    Refusal: "{}",
    UnreadableTurn: INVALID_TURN,
    IllegalTurn: ILLEGAL_MOVE,
    InvalidPosition: "invalid position: {}",
    CannotUndo: CANNOT_UNDO,
}


def _hear(session: Session, name: str) -> None:
    """Learn from the name of a command what client sends it."""
    if name.startswith("gogui-"):
        session.gogui = session.knows_clicks = True
    if name.startswith("gogui-rules_"):
        session.meet_gui()


_registry = Registry(_REFUSALS, _hear)
command = _registry.command


@cache
def registry() -> Registry:
    """All commands, from all modules of this package."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return _registry
