"""A match as options of a command line, which go before those of a TOML file."""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

from gtp_engine.arena.config import WrongMatch, read_match


class _Value(NamedTuple):
    """An option that is one value of the configuration: its table, if not the root, and key."""

    flag: str
    parse: type
    meaning: str
    key: str
    table: str | None = None


_VALUES = (
    _Value("pie", str, "form of the pie rule: pieces, sides or off (default pieces)", "pie"),
    _Value("format", str, "round-robin, or gauntlet: the first engine meets all others", "format"),
    _Value("games", int, "games for each two engines on each board (default 100)", "games"),
    _Value("start", int, "number of the first pair of games, for disjoint batches", "start"),
    _Value("seed", int, "what random openings and {seed} come from (default 1)", "seed"),
    _Value("concurrency", int, "games at a time (default 1)", "concurrency"),
    _Value("time", str, "60, 60+0.5, 60+30/5, 1/1 (one second a turn), or none", "time"),
    _Value("margin", float, "seconds that a turn may be late (default 0.05)", "margin"),
    _Value("patience", float, "seconds until an engine counts as stalled", "patience"),
    _Value("memory", int, "MiB that each engine may take", "memory"),
    _Value("turns", int, "turns of a random opening (default 2)", "turns", "openings"),
    _Value("balance", float, "distance of its value from 1/2 (default 0.1)", "balance", "openings"),
    _Value("judge", str, "command line of the engine that values openings", "judge", "openings"),
    _Value("alpha", float, "chance of the test to accept ELO1 wrongly (0.05)", "alpha", "sprt"),
    _Value("beta", float, "chance of the test to accept ELO0 wrongly (0.05)", "beta", "sprt"),
    _Value("model", str, "what its Elo are: normalized or logistic", "model", "sprt"),
)


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
    parser.add_argument("--game", help="a game (default implo)")
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
    for value in _VALUES:
        parser.add_argument(
            f"--{value.flag}",
            type=value.parse,
            metavar=value.flag.upper(),
            help=value.meaning,
        )
    parser.add_argument(
        "--no-comments", action="store_true", help="do not ask engines what they thought"
    )


def match_tables(options: argparse.Namespace) -> dict[str, Any]:
    """The configuration that the file and the options say. Raises WrongMatch, or OSError."""
    tables = {} if options.file is None else read_match(options.file)
    for value in _VALUES:
        given = getattr(options, value.flag)
        if given is not None:
            _table(tables, value.table)[value.key] = given
    if options.engine:
        tables["engines"] = [_engine(text) for text in options.engine]
    if boards := _boards(options):
        tables["boards"] = boards
    if options.openings is not None:
        _table(tables, "openings").update(_openings(options.openings))
    if options.sprt is not None:
        _table(tables, "sprt").update(zip(("elo0", "elo1"), options.sprt))
    if options.no_comments:
        tables["comments"] = False
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
    if options.board and (options.game or options.size):
        raise WrongMatch("--board does not go with --game and --size")
    if options.size and not options.game:
        raise WrongMatch("--size needs --game")
    if options.game:
        return [f"{options.game} {options.size}" if options.size else options.game]
    return list(options.board)


def _openings(text: str) -> dict[str, Any]:
    if text in ("none", "random"):
        return {"source": text}
    return {"source": "file", "file": text}


def _set_all(tables: dict[str, Any], options: argparse.Namespace) -> None:
    """Give every engine the settings that are meant for all, where it has none of its own."""
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
            engine["settings"] = common | engine.get("settings", {})
