"""Alters files of every kind that the program reads, and reads them.

A memory error ends the process; the last altered file then lies in the folder, as `last`.

A reader may refuse a file in one sentence. Faults are: another exception, a refused record that
changes the game, a match that is not the same when it is written and read again, no end within
PATIENCE seconds, and trouble on stderr.
"""

import faulthandler
import io
import json
import random
import re
import sqlite3
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

import psutil

from gtp_engine.arena.setup.config import WrongMatch
from gtp_engine.arena.setup.tables import make_match, read_match, restore_match, write_match
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import GameRecord, TurnRecord
from gtp_engine.cli.arena import main as arena
from gtp_engine.engine.record_writing import Form, written
from gtp_engine.rules import games
from gtp_engine.rules.game import Game
from gtp_engine.rules.points.color import BLACK, WHITE
from gtp_engine.search import weights
from gtp_engine.search.data_file import UnusableFile
from gtp_engine.search.openings import swap_maps
from standing.alteration import JUNK, NETS, Fault, altered, other_numbers, resigned
from standing.charsets import make_text, read_text
from standing.findings import Findings
from standing.proof_tables import make_table, read_table
from support.driver import Driver
from support.matches import match_of, random_games

PATIENCE = 120
"""Seconds for one file."""

FEWEST = 4
"""Files that are tried, however long that takes."""

LARGEST = 1000.0
"""MiB that the process may have, with sanitizers."""

SPECIFICATION = Path(__file__).parents[2] / "protocol_specs"


class Kind(NamedTuple):
    """A kind of file.

    make -- writes an altered file
    read -- reads it as the program does. Raises anything for a fault
    """

    make: Callable[[random.Random, Path], None]
    read: Callable[[Path], None]


# Records.


def make_record(rng: random.Random, path: Path) -> None:
    """The record of a random game, in any form."""
    game = rng.choice(games())
    drive = Driver(game.name, rng.randint(2, 6))
    session = drive.session
    while session.outcome is None and rng.random() > 0.05:
        session.play(session.position.to_move, str(rng.choice(session.legal_steps())))
    path.write_bytes(altered(rng, written(session, rng.choice(list(Form))).text.encode()))


def read_record(path: Path) -> None:
    drive = Driver()
    drive("play b c3")
    state = drive.session.state
    response = drive.send(f"loadsgf {path}")
    if "internal error" in response.text:
        raise Fault(response.text)
    if not response.success:
        if drive.session.state is not state:
            raise Fault("a refused record has changed the game")
        return
    json.loads(drive("game-record_report"))
    json.loads(drive("game-view"))
    for form in Form:
        again = Driver()
        path.with_suffix(".again").write_text(written(drive.session, form).text)
        again(f"loadsgf {path.with_suffix('.again')}")
        if again("game-position") != drive("game-position"):
            raise Fault(f"the record that is written as {form.value} has another position")


# Matches.


@cache
def examples() -> list[str]:
    """The TOML files of the specification."""
    pages = (page.read_text() for page in SPECIFICATION.rglob("*.md"))
    return [found for page in pages for found in re.findall(r"```toml\n(.*?)```", page, re.DOTALL)]


def make_toml(rng: random.Random, path: Path) -> None:
    path.write_bytes(altered(rng, rng.choice(examples()).encode()))


def read_toml(path: Path) -> None:
    with suppress(WrongMatch):
        match = make_match(read_match(path))
        if restore_match(write_match(match)) != match:
            raise Fault("a match is not what was written")


def make_json(rng: random.Random, path: Path) -> None:
    """A match as the database has it."""
    match = match_of("A", "B", boards=["robble 5", "implo 8"], seed=7, time="60+0.5")
    path.write_bytes(altered(rng, write_match(match).encode()))


def read_json(path: Path) -> None:
    with suppress(WrongMatch):
        restore_match(path.read_bytes().decode(errors="replace"))


# Databases.


@cache
def database() -> bytes:
    """A match made by dice."""
    with tempfile.TemporaryDirectory() as folder:
        path, match = Path(folder, "match.db"), match_of("A", "B", "C", games=6)
        with closing(Store(path)) as store:
            store.begin(match, {})
            for game in random_games(match, {"A": 0.0, "B": 50.0, "C": 100.0}):
                black, white = game.key.engines
                turns = TurnRecord(black, BLACK, "A1", 1.0), TurnRecord(white, WHITE, "B2", 0.5)
                store.add(GameRecord(game, turns))
        return path.read_bytes()


def make_database(rng: random.Random, path: Path) -> None:
    """One with other bytes, or one with other values."""
    path.write_bytes(database())
    if rng.random() < 0.5:
        path.write_bytes(altered(rng, database()))
        return
    with closing(sqlite3.connect(path)) as db, db:
        tables = "select name from sqlite_master where type = 'table'"
        names = [name for (name,) in db.execute(tables)]
        for table in rng.choices(names, k=2):
            columns = [row[1] for row in db.execute(f"pragma table_info({table})")]
            value = rng.choice(JUNK)
            if isinstance(value, list | dict) or (type(value) is int and abs(value) >= 2**63):
                value = str(value)
            with suppress(sqlite3.IntegrityError):
                some = "random() % 3 = 0" if rng.random() < 0.5 else "true"
                column = rng.choice(columns)
                db.execute(f"update {table} set {column} = ? where {some}", (value,))


def read_database(path: Path) -> None:
    into = path.with_suffix(".merged")
    for words in (["report"], ["report", "--json"], ["export", "--jsonl", "-"]):
        call_arena([*words, str(path)])
    call_arena(["merge", "--into", str(into), str(path), str(path)])
    into.unlink(missing_ok=True)


def call_arena(words: list[str]) -> None:
    """A subcommand of the arena must succeed, or say in few lines why it cannot."""
    told = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(told):
        status = arena(words)
    if status not in (0, 2) or (status == 2) != told.getvalue().startswith("gtp-arena "):
        raise Fault(f"{words[0]}: status {status}, {told.getvalue()!r}")


# Weights and swap maps.


def facts_of(path: Path) -> dict:
    return json.loads(path.read_bytes().partition(b"\n")[0])


def game_of(facts: dict) -> Game:
    """The game that a file names, or any other."""
    named = [game for game in games() if game.name == facts["game"]]
    return (named or games())[0]


def make_weights(rng: random.Random, path: Path) -> None:
    net = rng.choice(NETS).read_bytes()
    resigned(rng, path, weights.KIND, weights.VERSION, net, other_numbers)


def read_weights(path: Path) -> None:
    """Name them in an engine of their game: it plays with them, or refuses them and stays as it is.

    Raises Fault.
    """
    weights.weights_for.cache_clear()
    facts, rng = facts_of(path), random.Random(path.stat().st_size)
    game = game_of(facts)
    drive = Driver(game.name, rng.choice([2, 5, 8]))
    for line in ("game-set hash_mb 4", "game-set visits 60"):
        drive(line)
    before = drive("game-settings"), drive("game-build")
    response = drive.send(f"game-set weights {path}")
    if not response.success:
        if "\n" in response.text or "internal error" in response.text:
            raise Fault(response.text)
        if (drive("game-settings"), drive("game-build")) != before:
            raise Fault(f"refused, and something has changed: {response.text}")
    elif f"{game.name} {facts.get('name', path.stem)}" not in drive("game-build").splitlines():
        raise Fault(f"not used, without a word: {drive('game-build')}")
    for _ in range(rng.randrange(1, 8)):
        if drive.session.outcome is None:
            drive(f"genmove {drive.session.position.to_move.letter}")


def make_map(rng: random.Random, path: Path) -> None:
    kept = rng.choice(sorted(swap_maps.path_of(games()[0], 5).parent.glob("*.map")))
    resigned(rng, path, swap_maps.KIND, swap_maps.FORM, kept.read_bytes(), altered)


def read_map(path: Path) -> None:
    facts = facts_of(path)
    size = facts["size"] if facts["size"] in range(2, 20) else 6
    with suppress(UnusableFile):
        swap_maps.read_map(path, game_of(facts), size)


KINDS = {
    "sgf": Kind(make_record, read_record),
    "text": Kind(make_text, read_text),
    "toml": Kind(make_toml, read_toml),
    "json": Kind(make_json, read_json),
    "db": Kind(make_database, read_database),
    "weights": Kind(make_weights, read_weights),
    "map": Kind(make_map, read_map),
    "table": Kind(make_table, read_table),
}


def run(seconds: float, seed: int, folder: Path) -> Findings:
    """Make and read files in this process."""
    found, end = Findings("files", folder), time.monotonic() + seconds
    rng = random.Random(seed)
    while time.monotonic() < end or found.tried.total() < FEWEST:
        for last in folder.glob("last.*"):
            last.unlink()
        name = rng.choice([*KINDS])
        path = folder / f"last.{name}"
        KINDS[name].make(rng, path)
        found.tried[name] += 1
        content = path.read_bytes()  # SQLite may change the file
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        try:
            KINDS[name].read(path)
        except Exception:
            found.fault(traceback.format_exc(), content, name)
        faulthandler.cancel_dump_traceback_later()
        if found.tried.total() % 100 == 0:
            found.measure(reader=[psutil.Process()])
    found.limit("reader", LARGEST)
    return found
