"""A match as options of a command line, which go before those of a TOML file."""

import argparse
from pathlib import Path
from typing import Any

from gtp_engine.arena.setup.config import TABLES, WrongMatch, read_match
from gtp_engine.arena.setup.options import Declared, declared
from gtp_engine.rules import default_game

_DECLARED = [
    (name, value) for name, table in TABLES.items() for value in declared(table) if value.flag
]
"""The values that are one flag each, with the names of their tables."""


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """Make every value of a match an option."""
    parser.add_argument("file", nargs="?", type=Path, help="a TOML file with the match")
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="NAME=COMMAND",
        help="an engine; twice or more",
    )
    parser.add_argument("--game", help=f"a game (default {default_game().name})")
    parser.add_argument("--size", type=int, help="its size (default: the game's)")
    parser.add_argument(
        "--board", action="append", default=[], metavar="'GAME SIZE'", help="more than one board"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of all engines, as for game-set",
    )
    for key in ("visits", "level"):
        parser.add_argument(f"--{key}", help=f"the same as --set {key}=...")
    parser.add_argument(
        "--openings", metavar="none|random|FILE", help="first turns of each pair of games"
    )
    parser.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="stop as soon as one of two strengths of the first engine is ruled out",
    )
    parser.add_argument(
        "--accept-changed-engines",
        action="store_true",
        help="go on though an engine is another program, or another version, than before",
    )
    for _, value in _DECLARED:
        _add_flag(parser, value)


def _add_flag(parser: argparse.ArgumentParser, value: Declared) -> None:
    """A flag that is None where it is not given, so that the file holds."""
    flag, meaning = f"--{value.flag}", value.option.meaning
    if value.kind is bool:
        action = argparse.BooleanOptionalAction
        parser.add_argument(flag, action=action, dest=value.flag, help=meaning)
        return
    told = "" if value.default in (None, "") else f" (default {value.default})"
    parser.add_argument(
        flag,
        type=value.kind,
        dest=value.flag,
        metavar=value.flag.upper(),
        help=f"{meaning}{told}",
    )


def match_tables(options: argparse.Namespace) -> dict[str, Any]:
    """The configuration that the file and the options say. Raises WrongMatch, or OSError."""
    tables = {} if options.file is None else read_match(options.file)
    for name, value in _DECLARED:
        given = getattr(options, value.flag)
        if given is not None:
            _table(tables, name)[value.key] = given
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


def _table(tables: dict[str, Any], name: str | None) -> dict[str, Any]:
    if name is None:
        return tables
    table = tables.setdefault(name, {})
    if not isinstance(table, dict):
        raise WrongMatch(f"{name}: not a table")
    return table


def _engine(text: str) -> dict[str, Any]:
    name, separator, command = text.partition("=")
    if not separator:
        raise WrongMatch(f"--engine takes NAME=COMMAND, not {text}")
    return {"name": name, "command": command}


def _boards(options: argparse.Namespace) -> list[str]:
    if options.board and not (options.game is None and options.size is None):
        raise WrongMatch("--board does not go with --game and --size")
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
    """Give every engine the settings that are meant for all."""
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
