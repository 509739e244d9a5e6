"""A match as command-line options, which override those of a TOML file."""

import argparse
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gtp_engine.arena.setup.config import TABLES, Match, TuneConfig, WrongMatch
from gtp_engine.arena.setup.tables import make_match, read_match
from gtp_engine.base.numbers import finite
from gtp_engine.base.option import options as options_of
from gtp_engine.cli.flags import add_flags, add_size_flag, given
from gtp_engine.rules import default_game

DB = Path("match.db")
"""The file in which a match is stored, unless another is named."""

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
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help=texts.get("engine", "an engine and its command line; needed at least twice"),
    )
    parser.add_argument("--game", help=f"name of the game (default {default_game().name})")
    add_size_flag(parser)
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


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for where games are played, and how progress is shown."""
    parser.add_argument("--json", action="store_true", help="print each event as a line of JSON")
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="address of a Dask scheduler whose workers play the games",
    )


def add_anchors(parser: argparse.ArgumentParser) -> None:
    """Add the option for given ratings."""
    parser.add_argument(
        "--anchor",
        action="append",
        default=[],
        metavar="NAME=ELO",
        help="show ratings on a scale on which this engine has this Elo; may be repeated",
    )


def anchors(options: argparse.Namespace) -> dict[str, float]:
    """The given ratings by the names of engines. Raises WrongMatch."""
    found = {}
    for text in options.anchor:
        name, separator, elo = text.rpartition("=")
        try:
            found[name] = finite(elo)
        except ValueError:
            separator = ""
        if not separator:
            raise WrongMatch(f"--anchor takes NAME=ELO, not {text}")
    return found


def check_match_options(options: argparse.Namespace) -> None:
    """Raises WrongMatch for options that do not describe a match.

    A file is read later, and once: it may be a pipe.
    """
    if not options.file:
        options.tables(options, {})


def check_run_options(options: argparse.Namespace) -> None:
    """The same, for matches that are played one after the other."""
    check_match_options(options)
    if len(options.file) > 1:
        if options.db is not None:
            raise WrongMatch("--db is for one match; several are stored beside their TOML files")
        if options.verdict:
            raise WrongMatch("--verdict is for one match")
        for path, times in Counter(databases(options)).items():
            if times > 1:
                raise WrongMatch(f"{times} matches would be stored in {path}")


def databases(options: argparse.Namespace) -> list[Path]:
    """The files in which the matches are stored."""
    if len(options.file) > 1:
        return [file.with_suffix(".db") for file in options.file]
    return [options.db or DB]


def matches(options: argparse.Namespace) -> list[Match]:
    """The matches that the files and the options describe. Raises WrongMatch, or OSError."""
    if not options.file:
        return [make_match(options.tables(options, {}))]
    found = []
    for file in options.file:
        tables = read_match(file)
        try:
            found.append(make_match(options.tables(options, tables)))
        except WrongMatch as error:
            raise WrongMatch(f"{file}: {error}") from None
    return found


def run_tables(options: argparse.Namespace, tables: dict[str, Any]) -> dict[str, Any]:
    """The configuration of a match from the tables of a file and the options. Raises WrongMatch."""
    if given_ratings := anchors(options):
        _table(tables, "anchors").update(given_ratings)
    return match_tables(options, tables)


def match_tables(options: argparse.Namespace, tables: dict[str, Any]) -> dict[str, Any]:
    """The same, without given ratings. Raises WrongMatch."""
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


def tuning_tables(options: argparse.Namespace, tables: dict[str, Any]) -> dict[str, Any]:
    """The configuration of a tuning from the same. Raises WrongMatch."""
    tables = {"games": TRIAL_GAMES} | match_tables(options, tables)
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
    if options.size is not None and options.game is None:
        raise WrongMatch("--size needs --game")
    if options.game is not None:
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
