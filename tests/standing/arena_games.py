"""A long match of short games, and the report on it.

Faults are: a status other than 0, a number of games other than that asked for, a void game or one
lost by a fault, growing memory, a process that is left, and trouble on stderr.
"""

import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psutil

from gtp_engine.arena.storage.store import Store
from standing.findings import Findings
from support.leftovers import new_mark, until_none
from support.starting import engine_command, running

WARMING, GROWTH = 4.0, 1.0
"""MiB, and KiB a game, by which the arena may grow."""

EVERY = 25
"""Games between two looks at the memory."""

ARENA = [sys.executable, "-P", "-m", "gtp_engine.cli.arena"]


def play(games: int, seed: int, mark: str, found: Findings, db: Path) -> str:
    """Play the match; what the arena wrote on stderr.

    Looks at the memory are a number of games apart, not a time: on a slow machine engines start for
    most of a short match, and their start is no growth. After the last game they end.
    """
    engine = engine_command("--player", "random", "--seed", mark)
    words = ["run", "--game", "robble", "--size", "2", "--games", str(games), "--db", str(db)]
    words += ["--seed", str(seed), "--concurrency", "2"]
    words += ["--engine", f"A={engine}", "--engine", f"B={engine}"]
    log = db.with_suffix(".log")
    streams = {"stdout": subprocess.PIPE, "text": True}
    with open(log, "wb") as stderr, running([*ARENA, *words], stderr=stderr, **streams) as process:
        arena = psutil.Process(process.pid)
        for line in process.stdout:
            ended = re.match(rf"(\d+)/{games} ", line)
            if ended and int(ended[1]) < games and int(ended[1]) % EVERY == 0:
                arena.suspend()  # or it would be far ahead where this process gets little time
                found.measure(arena=[arena], engines=arena.children(recursive=True))
                arena.resume()
        process.wait()
    if process.returncode != 0:
        found.fault(f"the arena ended with status {process.returncode}")
    return log.read_text(errors="replace")


def run(games: float, seed: int, folder: Path) -> Findings:
    """Play so many games."""
    found, mark, db = Findings("arena", folder), new_mark(), folder / "match.db"
    found.look_at(play(int(games), seed, mark, found, db))
    with closing(Store(db, to_read=True)) as store:
        for _, result in store.games():
            found.tried["games"] += 1
            if result.fault:
                found.fault(f"a game was lost by a fault: {result.fault.value}, {result.reason}")
        for void in store.voids():
            found.fault(f"a void game: {void}")
    if found.tried["games"] != int(games):
        found.fault(f"{found.tried['games']} games were played, not {int(games)}")
    if left := until_none(mark):
        found.fault(f"processes that are left: {left}")
    report = subprocess.run([*ARENA, "report", str(db)], capture_output=True, text=True)
    if report.returncode != 0:
        found.fault(f"the report ended with status {report.returncode}: {report.stderr[-2000:]}")
    # Half of the games lie between the quarters that are compared.
    found.bound("arena", WARMING + GROWTH * games / 2 / 2**10)
    found.bound("engines", 20)
    return found
