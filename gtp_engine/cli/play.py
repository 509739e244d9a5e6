"""`gtp-engine play`: plays a game in the terminal, with a text board or in words."""

import argparse
import signal
import sys
from collections.abc import Sequence

from gtp_engine import ENGINE_NAME
from gtp_engine.base.option import integers
from gtp_engine.board.table.engines import OUR_ENGINE
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.cli.board import add_seat_options, check_engines, check_level, level_of
from gtp_engine.cli.flags import taking
from gtp_engine.cli.interrupts import DONE, FAILED, terminable
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.cli.play_game import TerminalGame
from gtp_engine.cli.play_table import TableThread
from gtp_engine.gtp.client.faults import EngineFault


def main(arguments: Sequence[str]) -> int:
    """Play until the person leaves. Returns the exit status."""
    options = _parser().parse_args(arguments)
    name = "Engine" if options.engine else ENGINE_NAME
    table = TableThread({name: options.engine or OUR_ENGINE})
    try:
        with terminable([signal.SIGTERM]):
            game = TerminalGame(table, name, level_of(options), options.spoken)
            signal.signal(signal.SIGINT, lambda *_: game.interrupt())
            game.begin(options.game, options.size, options.color, options.handicap)
            game.run()
    except (CannotDo, EngineFault, ValueError) as error:
        print(f"gtp-engine play: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print()
    finally:
        table.close()
    return DONE


def _check(options: argparse.Namespace) -> None:
    """Raises ValueError, with a sentence, for an engine or a level that there is not."""
    check_engines([options.engine] if options.engine else [])
    check_level(options)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gtp-engine play",
        description=purpose(__doc__),
        check=_check,
    )
    parser.add_argument("--game", metavar="NAME", help="name of the game (default: the engine's)")
    add_seat_options(parser, "level of the engine")
    parser.add_argument(
        "--color",
        default="black",
        help="your color: black, white, both, none, or the game's name of a color (default: black)",
    )
    parser.add_argument(
        "--handicap",
        type=taking(integers(0, 100)),
        default=0,
        metavar="N",
        help="extra turns of Black at the start of the first game (default: 0)",
    )
    parser.add_argument(
        "--engine",
        metavar="COMMAND",
        help=f"the engine of the other color (default: {ENGINE_NAME})",
    )
    parser.add_argument(
        "--spoken",
        action="store_true",
        help="describe everything in words, for a screen reader; draw no board",
    )
    return parser
