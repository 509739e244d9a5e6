"""`gtp-engine`: the engine on stdin and stdout."""

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.base import stderr
from gtp_engine.base.log import log_to_stderr, on_first_use
from gtp_engine.base.option import meant
from gtp_engine.base.signals import deaf_ends_with
from gtp_engine.cli.flags import add_flags, add_size_flag, chosen
from gtp_engine.cli.interrupts import DONE, INTERRUPTED, exit_status, terminable
from gtp_engine.cli.parser import Parser, known_tool, subcommands
from gtp_engine.engine.choosing import Pondering
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import Settings, settings
from gtp_engine.engine.status import what_next
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.dispatch import UNKNOWN_COMMAND
from gtp_engine.gtp.wire.line import CommandLine
from gtp_engine.gtp.wire.loop import serve
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules import default_game, find_game, games
from gtp_engine.rules.notation.turns import Unreadable
from gtp_engine.search.backends.choose import check_named

TOOLS = {
    "board": "shows a board in the browser for play and analysis",
    "play": "plays a game in the terminal, with a text board or in words",
    "bench": "measures the speed of rules, search and evaluation",
    "render": "draws a position of a game as SVG or PNG",
    "replay": "writes a web page that steps through a game",
    "review": "searches every turn of games and writes web pages of the mistakes",
    "analyze": "analyzes many positions side by side, by JSON lines as KataGo's analysis engine",
    "solve": "solves small boards and late positions exactly",
    "puzzles": "finds puzzles and endgames in games, and proves them again",
    "swap-map": "measures the value of every first turn of a board",
    "train": "trains a learned evaluation by self-play",
}
"""The subcommands and what each does; each is a module of this folder."""

_SERVING = ("board", "play", "analyze")
"""Those that run until somebody ends them, as the engine itself does."""

_NAMES_ELSEWHERE = {"analysis": "analyze"}
"""Subcommands by the names that they have in KataGo, whose clients start them so."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the engine until its client disconnects. Returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    on_first_use(log_to_stderr)
    tool = _NAMES_ELSEWHERE.get(arguments[0], arguments[0]) if arguments else ""
    if tool not in TOOLS:
        return exit_status("gtp-engine", partial(_serve, arguments), serves=True)
    name, run = f"gtp-engine {tool}", partial(_run, tool, *arguments[1:])
    if tool in _SERVING:
        return exit_status(name, run, serves=True)
    deaf_ends_with(INTERRUPTED)
    with terminable(within_a_second=True):
        return exit_status(name, run)


def _serve(arguments: Sequence[str]) -> int:
    """Run the engine itself."""
    options = parsed(arguments)
    session: Session = options.session
    on_first_use(log_to_stderr, verbose=options.verbose)
    if sys.stdin is not None and sys.__stdout__ is not None:
        if not sys.stdin.isatty():
            serve(registry(), session, Pondering(session).go_on)
            return DONE
        greet(session)
        told = partial(comment, session)
        serve(registry(), session, Pondering(session).go_on, told)
    return DONE


def _run(name: str, *arguments: str) -> int:
    """Run a subcommand. Raises OSError."""
    tool = import_module(f"gtp_engine.cli.{name.replace('-', '_')}")
    # The board is also a program of its own, under another name.
    run = partial(tool.main, program=f"gtp-engine {name}") if name == "board" else tool.main
    return int(run(arguments))


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of the engine; `session` is the game that they begin. Raises SystemExit."""
    parser = _parser()
    known_tool(parser, TOOLS, arguments)
    options = parser.parse_args(arguments)
    session: Session = options.session
    try:
        check_named(session.game, session.settings.weights, session.settings.backend)
    except ValueError as error:
        parser.error(str(error))
    return options


def _parser() -> Parser:
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
    add_size_flag(parser)
    add_flags(parser, settings())
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
    session = Session(game, options.size, Settings(**chosen(options, settings())))
    if "moves" in options:
        session.change_setting("moves", options.moves)
    options.session = session


def greet(session: Session) -> None:
    """Print what the program is and how to play."""
    size = session.position.size
    _say(
        f"{ENGINE_NAME} plays {session.game.title} {size}x{size} and speaks GTP: type help to see "
        "how to play, quit to leave."
    )


def comment(session: Session, line: CommandLine, response: Response) -> None:
    """Explain a response: why a line was refused, or what the turn still needs."""
    if response.text == UNKNOWN_COMMAND and not response.success:
        names = [command.name for command in registry()]
        _say(f"no such command{meant(line.name, names)} (help says how to play)")
    elif not response.success and line.name == "play" and len(line.arguments) > 1:
        _explain(session, *line.arguments[:2])
    elif response.success and line.name in ("play", "genmove", "undo") and session.turn_open:
        _say(what_next(session))


def _explain(session: Session, color: str, word: str) -> None:
    try:
        objection = session.explain(session.game.parse_color(color), word)
    except Unreadable as error:
        _say(f"{error} (game-legal_steps lists the steps)")
    except ValueError:
        _say(f"{color[:40]} is not a color; say b or w")
    else:
        if objection is not None:
            _say(str(objection))


def _say(sentence: str) -> None:
    stderr.write(f"{sentence}\n")
