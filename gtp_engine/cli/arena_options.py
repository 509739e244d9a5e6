"""A match as command-line options, which override those of a TOML file."""

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gtp_engine.arena.setup.config import TABLES, TuneConfig, WrongMatch
from gtp_engine.arena.setup.tables import read_match
from gtp_engine.cli.flags import add_flags, given
from gtp_engine.option import options as options_of
from gtp_engine.rules import default_game

TRIAL_GAMES = 20
"""Games per trial of a tuning, unless another number is given."""

TRIALS = options_of(TuneConfig)
"""The options of a tuning alone."""

_DECLARED = {name: options_of(table) for name, table in TABLES.items() if table is not TuneConfig}
"""The options of every match, by the names of their tables."""


def add_match_options(
    parser: argparse.ArgumentParser, texts: Mapping[str, str] | None = None
) -> None:
    """Add an option for every value of a match.

    texts -- what the help says of some flags, by their names without dashes, if it differs from a
             match between engines
    """
    texts = texts or {}
    parser.add_argument(
        "file",
        nargs="?",
        type=Path,
        help="a TOML file that describes the match; options override it",
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help=texts.get("engine", "an engine and its command line; needed at least twice"),
    )
    parser.add_argument("--game", help=f"name of the game (default {default_game().name})")
    parser.add_argument("--size", type=int, help="points along an edge (default: the game's)")
    parser.add_argument(
        "--board",
        action="append",
        default=[],
        metavar="'GAME SIZE'",
        help="a game and its size, for a match on several boards; may be repeated",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of all engines, sent by game-set; may be repeated",
    )
    for key in ("visits", "level"):
        parser.add_argument(f"--{key}", help=f"the same as --set {key}=...")
    parser.add_argument(
        "--openings",
        metavar="none|random|FILE",
        help="first turns of each pair of games (default none)",
    )
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="stop when a sequential test accepts ELO0 or ELO1 as the strength of the first engine",
    )
    parser.add_argument(
        "--accept-changed-engines",
        action="store_true",
        help="continue although the program or version of an engine has changed",
    )
    for declared in _DECLARED.values():
        add_flags(parser, declared, texts, paired=True)


def add_play_options(parser: argparse.ArgumentParser, what: str, file: str) -> None:
    """Add the options for where games are played and stored, and how progress is shown.

    what, file -- what the file stores, in one word, and its default name
    """
    parser.add_argument(
        "--db", type=Path, default=Path(file), help=f"file of the {what} (default {file})"
    )
    parser.add_argument("--json", action="store_true", help="print each event as a line of JSON")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="address of a Dask scheduler whose workers play the games",
    )


def check_match_options(options: argparse.Namespace) -> None:
    """Raises WrongMatch for options that do not describe a match.

    A file is read later, and once: it may be a pipe.
    """
    if options.file is None:
        options.tables(options)


def match_tables(options: argparse.Namespace) -> dict[str, Any]:
    """The configuration from the file and the options. Raises WrongMatch, or OSError."""
    tables = {} if options.file is None else read_match(options.file)
    for name, declared in _DECLARED.items():
        if found := given(options, declared):
            _table(tables, name).update(found)
    if options.engine:
        tables["engines"] = [_engine(text) for text in options.engine]
    if boards := _boards(options):
        tables["boards"] = boards
    if options.openings is not None:
        _table(tables, "openings").update(_openings(options.openings))
    if options.sprt is not None:
        _table(tables, "sprt").update(zip(("elo0", "elo1"), options.sprt))
    if "sprt" in tables and "elo0" not in _table(tables, "sprt"):
        raise WrongMatch("--alpha, --beta and --model need --sprt")
    _set_all(tables, options)
    return tables


def tuning_tables(options: argparse.Namespace) -> dict[str, Any]:
    """The configuration from the file and the options. Raises WrongMatch, or OSError."""
    tables = {"games": TRIAL_GAMES} | match_tables(options)
    tuning = tables.setdefault("tune", {"settings": {}})
    if not isinstance(tuning, dict):
        raise WrongMatch("tune: expected a table")
    tuning.update(given(options, TRIALS))
    if options.tune:
        tuning["settings"] = {}
    for text in options.tune:
        key, separator, values = text.partition("=")
        if not separator:
            raise WrongMatch(f"--tune takes KEY=VALUES, not {text}")
        if key in tuning["settings"]:
            raise WrongMatch(f"--tune: {key} occurs twice")
        tuning["settings"][key] = values
    return tables


def _table(tables: dict[str, Any], name: str | None) -> dict[str, Any]:
    if name is None:
        return tables
    table = tables.setdefault(name, {})
    if not isinstance(table, dict):
        raise WrongMatch(f"{name}: expected a table")
    return table


def _engine(text: str) -> dict[str, Any]:
    name, separator, command = text.partition("=")
    if not separator:
        raise WrongMatch(f"--engine takes NAME=COMMAND, not {text}")
    return {"name": name, "command": command}


def _boards(options: argparse.Namespace) -> list[str]:
    if options.board and not (options.game is None and options.size is None):
        raise WrongMatch("--board cannot be used with --game or --size")
    if options.size is not None and not options.game:
        raise WrongMatch("--size needs --game")
    if options.game:
        return [options.game if options.size is None else f"{options.game} {options.size}"]
    return list(options.board)


def _openings(text: str) -> dict[str, Any]:
    if text in ("none", "random"):
        return {"source": text}
    return {"source": "file", "file": text}


def _set_all(tables: dict[str, Any], options: argparse.Namespace) -> None:
    """Apply the settings for all engines to every engine."""
    common: dict[str, str] = {}
    for text in options.set:
        key, separator, value = text.partition("=")
        if not separator:
            raise WrongMatch(f"--set takes KEY=VALUE, not {text}")
        common[key] = value
    for key in ("visits", "level"):
        if getattr(options, key) is not None:
            common[key] = getattr(options, key)
    engines = tables.get("engines", [])
    if not common or not isinstance(engines, list):
        return
    for engine in engines:
        if isinstance(engine, dict) and isinstance(engine.get("settings", {}), dict):
            engine["settings"] = engine.get("settings", {}) | common
