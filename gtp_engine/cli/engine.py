"""`gtp-engine`: the engine on stdin and stdout."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.commands import registry
from gtp_engine.gtp.loop import serve
from gtp_engine.log import on_first_use
from gtp_engine.rules import find_game, games
from gtp_engine.session.session import Session
from gtp_engine.session.settings import Settings, settings

if TYPE_CHECKING:
    from loguru import Logger

_LOG_FORMAT = "{level.name}: {message}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the engine until its client leaves. Returns the exit status."""
    try:
        options = _parser().parse_args(arguments)
        session = _session(options)
    except ValueError as error:
        print(f"gtp-engine: {error}", file=sys.stderr)
        return 2
    on_first_use(_log_to_stderr, verbose=options.verbose)
    if sys.stdin is not None and sys.stdout is not None:
        serve(registry(), session)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gtp-engine",
        description=f"Plays {', '.join(game.title for game in games())} over the Go Text Protocol.",
    )
    parser.add_argument("--game", default="implo", help=" ".join(game.name for game in games()))
    parser.add_argument("--size", type=int, help="points along an edge (default: the game's)")
    for setting in settings():
        parser.add_argument(
            f"--{setting.key}",
            metavar=setting.kind.name.upper().split()[0],
            help=f"{setting.meaning} ({setting.kind.name}; default {setting.default})",
        )
    parser.add_argument("--verbose", action="store_true", help="log why turns are refused")
    parser.add_argument("--version", action="version", version=f"{ENGINE_NAME} {__version__}")
    return parser


def _session(options: argparse.Namespace) -> Session:
    """Raises ValueError, with a sentence for the user, for an unknown game, size or value."""
    try:
        game = find_game(options.game)
    except KeyError:
        raise ValueError(f"there is no game {options.game}") from None
    chosen = Settings()
    for setting in settings():
        text = getattr(options, setting.key)
        if text is not None:
            try:
                chosen = chosen.change(setting.key, text)
            except ValueError:
                raise ValueError(f"--{setting.key} takes: {setting.kind.name}") from None
    return Session(game, options.size, chosen)


def _log_to_stderr(logger: "Logger") -> None:
    logger.remove()
    if sys.stderr is not None:
        logger.add(sys.stderr, format=_LOG_FORMAT, level="INFO")
