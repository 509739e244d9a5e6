"""The command lines of gtp-arena's subcommands.

They stand apart from what the subcommands do, so that a mistyped option is told at once.
"""

import argparse
import os
from collections.abc import Callable
from pathlib import Path

from gtp_engine import ENGINE_NAME
from gtp_engine.base.option import integers, numbers
from gtp_engine.cli.arena_options import (
    DB,
    TRIAL_GAMES,
    TRIALS,
    add_anchors,
    add_match_options,
    add_play_options,
    check_match_options,
    check_run_options,
    run_tables,
    tuning_tables,
)
from gtp_engine.cli.flags import add_flags, taking
from gtp_engine.cli.interrupts import VERDICTS
from gtp_engine.cli.parser import Parser

TOOLS = {
    "run": "plays or continues a match",
    "report": "prints the results of a match, or writes them as a page",
    "merge": "joins the files of a match played in parts",
    "export": "writes the games of a match as SGF, JSON lines or CSV",
    "check": "checks an engine against the protocol",
    "conformance": "checks an engine's rules by cases",
    "tune": "searches for better settings of an engine by matches",
    "watch": "shows a match in the browser during play",
}
"""The subcommands and what each does; each is a module of this folder."""

MOST_REPLAYS = 200
"""The number of games that a report replays, unless another is given."""


def make_parser(tool: str) -> Parser:
    """The parser of a subcommand."""
    return _PARSERS[tool](f"gtp-arena {tool}")


def _file(text: str) -> Path:
    """A file to write. A Path alone would forget that a name is a folder's."""
    if not Path(text).name or text == "-" or text.endswith(("/", os.sep)):
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a file")
    return Path(text)


def _folder(text: str) -> Path:
    """A folder to write into; the present one has a name, too."""
    if not text:
        raise argparse.ArgumentTypeError("the name of the folder is missing")
    return Path(text)


def _does(tool: str) -> str:
    """What a subcommand does, as a sentence."""
    return f"{TOOLS[tool][0].upper()}{TOOLS[tool][1:]}."


def _run(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description="Plays a match between GTP engines. Run the same command again to continue an "
        "interrupted match, or with more --games to extend it.",
        check=check_run_options,
        extras=_of_players,
    )
    parser.add_argument(
        "file",
        nargs="*",
        type=Path,
        help="a TOML file that describes a match; options override it; the matches of several "
        "files are played one after the other",
    )
    add_match_options(parser)
    add_anchors(parser)
    parser.set_defaults(tables=run_tables)
    parser.add_argument(
        "--db",
        type=_file,
        help=f"file of the match (default {DB}; of several matches NAME.db beside each NAME.toml)",
    )
    parser.add_argument(
        "--verdict",
        action="store_true",
        help=f"exit with status {VERDICTS['H0']} if the sequential test accepts ELO0, with "
        f"{VERDICTS['H1']} if it accepts ELO1",
    )
    add_play_options(parser)
    return parser


def _of_players(options: argparse.Namespace) -> tuple[str, ...]:
    return ("arena", "cluster") if options.cluster else ("arena",)


def _report(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description=_does("report"),
        extras=lambda options: ("arena", "report") if options.html else ("arena",),
    )
    parser.add_argument(
        "db",
        type=Path,
        nargs="+",
        metavar="DB",
        help="a file of the match; several files are read as one match",
    )
    add_anchors(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--html", type=_file, metavar="FILE", help="write a web page")
    parser.add_argument(
        "--replays",
        type=taking(integers(0, 10**6)),
        default=MOST_REPLAYS,
        metavar="N",
        help="write the last N games as one page beside it, to step through them "
        f"(default {MOST_REPLAYS}, or as many as have room)",
    )
    return parser


def _merge(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description="Joins the files of one match, played in several parts or on several machines, "
        "into a new file. `run` can continue the match from that file. The parts may differ in "
        "--start, in --games and in added engines.",
        extras=lambda options: ("arena",),
    )
    parser.add_argument("db", type=Path, nargs="+", metavar="DB", help="a file of the match")
    parser.add_argument("--into", type=_file, required=True, metavar="DB", help="the new file")
    return parser


def _export(program: str) -> Parser:
    def check(options: argparse.Namespace) -> None:
        if not (options.sgf or options.jsonl or options.json or options.csv):
            raise ValueError(
                "one of --sgf DIR, --jsonl FILE, --json FILE and --csv FILE is required"
            )

    parser = Parser(
        prog=program,
        description=_does("export"),
        check=check,
        extras=lambda options: ("arena",),
    )
    parser.add_argument("db", type=Path, metavar="DB", help="the file of the match")
    parser.add_argument(
        "--sgf", type=_folder, metavar="DIR", help="write one SGF file per game into this folder"
    )
    parser.add_argument(
        "--jsonl",
        metavar="FILE",
        help="write one JSON object per game, with all turns; - is stdout",
    )
    parser.add_argument(
        "--json", metavar="FILE", help="write the same as one JSON document, a list; - is stdout"
    )
    parser.add_argument(
        "--csv", metavar="FILE", help="write one row per game, without turns; - is stdout"
    )
    return parser


def _check(program: str) -> Parser:
    from gtp_engine.cli.arena_check import add_options, check_options

    parser = Parser(
        prog=program,
        description="Checks any GTP engine: how it reads lines, which commands it has, what it "
        "refuses, and whether it plays its games by the rules. "
        "protocol_specs/clients/compliance.md lists the items.",
        check=check_options,
    )
    add_options(parser)
    return parser


def _conformance(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description="Checks whether any GTP engine plays by the rules: it tries the cases of "
        "protocol_specs/clients/conformance and tells which sentences of the rules may be broken.",
        extras=lambda options: ("arena",),
    )
    parser.add_argument(
        "engine", metavar="ENGINE", help="the engine's command line, quoted as one argument"
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="cases as JSON lines, such as NAME.jsonl",
    )
    parser.add_argument(
        "--seconds",
        type=taking(numbers(0.1, 86400.0)),
        default=10.0,
        help="seconds for start-up and for each response (default %(default)g)",
    )
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="ID",
        help="try only cases whose ids begin with ID, such as a game and a sentence: GAME/r9",
    )
    parser.add_argument("--long", action="store_true", help="show every failed case")
    parser.add_argument("--json", action="store_true", help="print one JSON object per case")
    return parser


def _tune(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description="Searches for better settings of the first engine. Each trial plays a match of "
        f"--games (default {TRIAL_GAMES}) with new values against the other engines, or against "
        "the first engine with unchanged settings if there is no other. Run the same command again "
        "to continue an interrupted tuning, or with more --trials to extend it.",
        check=check_match_options,
        extras=lambda options: (*_of_players(options), "tune"),
    )
    parser.add_argument(
        "file",
        nargs="?",
        type=lambda name: [Path(name)],
        default=[],
        help="a TOML file that describes the match; options override it",
    )
    add_match_options(
        parser,
        {
            "engine": "an engine and its command line; the first is tuned, others are opponents",
            "games": "games of a trial against each opponent on each board, an even number "
            f"(default {TRIAL_GAMES})",
        },
    )
    parser.add_argument(
        "--tune",
        action="append",
        default=[],
        metavar="KEY=VALUES",
        help="a setting of game-set and its values: 1..50, 0.1..4, 0.1..4:log or 'a|b|c'; may be "
        "repeated",
    )
    add_flags(parser, TRIALS)
    parser.set_defaults(tables=tuning_tables)
    parser.add_argument(
        "--db", type=_file, default=Path("tune.db"), help="file of the tuning (default %(default)s)"
    )
    add_play_options(parser)
    return parser


def _watch(program: str) -> Parser:
    from gtp_engine.cli.serving import add_serving_options

    parser = Parser(
        prog=program,
        description=_does("watch"),
        extras=lambda options: ("arena", "web"),
    )
    parser.add_argument(
        "db",
        type=Path,
        nargs="+",
        metavar="DB",
        help="the file of a match; the matches of several files are shown on one page",
    )
    add_anchors(parser)
    parser.add_argument(
        "--board",
        metavar="COMMAND",
        help=f"the command of the engine that draws (default: {ENGINE_NAME})",
    )
    add_serving_options(parser)
    return parser


_PARSERS: dict[str, Callable[[str], Parser]] = {
    "run": _run,
    "report": _report,
    "merge": _merge,
    "export": _export,
    "check": _check,
    "conformance": _conformance,
    "tune": _tune,
    "watch": _watch,
}
