"""`gtp-engine`: the engine on stdin and stdout."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.cli.interrupts import discard_stdout
from gtp_engine.cli.parser import Parser, subcommands
from gtp_engine.cli.setting_options import add_settings, read_settings
from gtp_engine.commands import registry
from gtp_engine.engine.pondering import Pondering
from gtp_engine.engine.session import Session
from gtp_engine.gtp.loop import serve
from gtp_engine.log import log_to_stderr, on_first_use
from gtp_engine.rules import default_game, find_game, games

TOOLS = {
    "board": "shows a board in the browser for play and analysis",
    "play": "plays a game in the terminal, with a text board or in words",
    "bench": "measures the speed of rules, search and evaluation",
    "render": "draws a position of a game as SVG or PNG",
    "replay": "writes a web page that steps through a game",
    "review": "searches every turn of a game and writes a web page of the mistakes",
    "solve": "solves small boards and late positions exactly",
    "swap-map": "measures the value of every first turn of a board",
    "train": "trains a learned evaluation by self-play",
}
"""The subcommands and what each does; each is a module of this folder."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the engine until its client disconnects. Returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    on_first_use(log_to_stderr)
    if arguments and arguments[0] in TOOLS:
        return _run(arguments[0], arguments[1:])
    options = _parser().parse_args(arguments)
    session: Session = options.session
    on_first_use(log_to_stderr, verbose=options.verbose)
    if sys.stdin is not None and sys.stdout is not None:
        if not sys.stdin.isatty():
            serve(registry(), session, Pondering(session).go_on)
            return 0
        from gtp_engine.cli import terminal

        terminal.greet(session)
        told = partial(terminal.comment, session)
        serve(registry(), session, Pondering(session).go_on, told)
    return 0


def _run(name: str, arguments: Sequence[str]) -> int:
    """Run a subcommand. Output that cannot be written ends it: one line says why."""
    tool = import_module(f"gtp_engine.cli.{name.replace('-', '_')}")
    # The board is also a program of its own, under another name.
    run = partial(tool.main, program=f"gtp-engine {name}") if name == "board" else tool.main
    try:
        status = int(run(arguments))
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of stdout is gone, as with `| head`
        discard_stdout()
        return 1
    except OSError as error:
        discard_stdout()
        where = "" if error.filename is None else f"{error.filename}: "
        print(f"gtp-engine {name}: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gtp-engine",
        usage="%(prog)s [OPTION...]\n       %(prog)s SUBCOMMAND [OPTION...]",
        description=f"A GTP engine that plays {', '.join(game.title for game in games())}.\n"
        "It reads commands from standard input. The command `help` lists those to begin with.",
        epilog=subcommands(TOOLS),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        check=_begin,
    )
    parser.add_argument(
        "--game", default=default_game().name, help=" ".join(game.name for game in games())
    )
    parser.add_argument("--size", type=int, help="points along an edge (default: the game's)")
    add_settings(parser)
    parser.add_argument(
        "--verbose",
        action="store_true",
        help="log why commands were refused and how long each took",
    )
    parser.add_argument("--version", action="version", version=f"{ENGINE_NAME} {__version__}")
    return parser


def _begin(options: argparse.Namespace) -> None:
    """Begin the session. Raises ValueError, with a sentence, for an unknown game, size or value."""
    game = find_game(options.game)
    session = Session(game, options.size, read_settings(options))
    if options.moves is not None:
        session.change_setting("moves", options.moves)
    options.session = session
