"""`gtp-engine render`: draws a position of a game as SVG or PNG."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gtp_engine.base.option import integers
from gtp_engine.cli.flags import add_flags, chosen, given, taking
from gtp_engine.cli.game_files import STDOUT, check_outputs, read_game, write
from gtp_engine.cli.interrupts import DONE, FAILED
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.engine.heat import KINDS, heat_scene
from gtp_engine.engine.pictures.svg import BOARDS, NoPng, has_fonts, picture, png
from gtp_engine.engine.scenes import scene
from gtp_engine.engine.settings import Settings, settings

SETTINGS = settings("backend", "threads", "hash_mb", "level", "visits", "seconds", "seed")

_SVG, _PNG = ".svg", ".png"
_WIDEST = 8000


def main(arguments: Sequence[str]) -> int:
    """Draw the picture. Returns the exit status. Raises OSError."""
    options = _parser().parse_args(arguments)
    try:
        check_outputs([options.output], [options.file])
        session = read_game(options.file, options.turn, options.settings)
        shown = heat_scene(session, options.heat) if options.heat else scene(session)
        drawn = picture(shown, options.board)
        write(_encoded(drawn, _ending(options.output), options.width), options.output)
    except (ValueError, NoPng) as error:
        print(f"gtp-engine render: {error}", file=sys.stderr)
        return FAILED
    return DONE


def _encoded(drawn: str, ending: str, width: int | None) -> bytes:
    if ending == _SVG:
        return drawn.encode() + b"\n"
    if not has_fonts():
        print(
            "gtp-engine render: no fonts were found; the picture has no letters or numbers",
            file=sys.stderr,
        )
    return png(drawn, width)


def _ending(output: str) -> str:
    """The kind of picture, from the end of a file name. Raises ValueError."""
    ending = _SVG if output == STDOUT else Path(output).suffix.lower()
    if ending not in (_SVG, _PNG):
        raise ValueError(f"the name of a picture must end in {_SVG} or {_PNG}: {output}")
    return ending


def _check(options: argparse.Namespace) -> None:
    """Read the settings. Raises ValueError, with a sentence, also for a name of no picture."""
    if options.width is not None and _ending(options.output) == _SVG:
        raise ValueError("--width is for a PNG")
    for unused in () if options.heat else given(options, SETTINGS):
        raise ValueError(f"--{unused.replace('_', '-')} is for --heat")
    _ending(options.output)
    options.settings = Settings(**chosen(options, SETTINGS))


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="gtp-engine render",
        description=purpose(__doc__),
        check=_check,
        extras=lambda options: ("png",) if _ending(options.output) == _PNG else (),
    )
    parser.add_argument("file", metavar="FILE.sgf", help="a game in SGF, as `printsgf` writes it")
    parser.add_argument(
        "--turn",
        type=taking(integers(0, 10**6)),
        metavar="N",
        help="draw the position after N turns (default: the last)",
    )
    parser.add_argument(
        "-o",
        dest="output",
        default=STDOUT,
        metavar="FILE",
        help="file whose name ends in .svg or .png (default: SVG on stdout)",
    )
    parser.add_argument(
        "--width",
        type=taking(integers(16, _WIDEST)),
        metavar="PIXELS",
        help="width of a PNG in pixels (default: twice the SVG's)",
    )
    parser.add_argument(
        "--board", choices=BOARDS, default=BOARDS[0], help="colors of the board and the background"
    )
    parser.add_argument("--heat", choices=KINDS, help="color each point by a search result")
    add_flags(parser, SETTINGS)
    return parser
