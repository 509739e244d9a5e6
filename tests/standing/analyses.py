"""Starts and stops analyses: half of them at an engine, half at a board with a page.

Faults are: a missing or wrong answer, no frame although an analysis runs, more threads or open
files in the end than in the beginning, growing memory, a process that is left, and trouble on
stderr.
"""

import asyncio
import random
import tempfile
from pathlib import Path

import psutil

from gtp_engine.rules import games
from standing.at_a_board import at_a_board
from standing.board_games import PEOPLE, Reader, leaves_of
from standing.findings import Findings
from standing.lines import Ended, Silent, Subject, check

EVERY = 20
"""Starts in one position, and between two looks at the memory."""

GROWTH = 20.0
"""MiB by which a process may grow from the second to the last quarter."""

COMMANDS = ["game-analyze 1", "game-analyze 5 ownership true", "kata-analyze 1 rootInfo true"]
COMMANDS += ["lz-analyze 2", "kata-analyze 10 ownership true"]


def at_the_engine(count: int, rng: random.Random, found: Findings) -> None:
    """Start an analysis, and end it with the next line, after 0 to 20 ms."""
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(Path(folder))
        process = psutil.Process(subject.process.pid)
        opened = []
        try:
            for number in range(count):
                if number % EVERY == 0:
                    go_on(subject, rng)
                    found.measure(engine=[process])
                    opened.append((process.num_threads(), process.num_fds()))
                command = rng.choice(COMMANDS).encode()
                responses, _ = subject.exchange(command, rng.random() * 0.02, rng.random() < 0.1)
                found.tried["at an engine"] += 1
                if wrong := check(responses, [], []) or unlike_a_stream(responses):
                    found.fault(wrong, *subject.evidence())
        except (Ended, Silent) as error:
            found.fault(type(error).__name__, *subject.evidence())
            subject.process.kill()
        if opened and opened[-1] > max(opened[: len(opened) // 4 + 1]):
            found.fault(f"threads and open files: {opened[0]} at first, {opened[-1]} in the end")
        found.look_at(subject.close(), *subject.evidence())


def go_on(subject: Subject, rng: random.Random) -> None:
    """Play a step; after the end of a game begin another."""
    _, asked = subject.exchange(b"game-to_move", 0, False)
    _, _, words = asked[-1].partition(b" ")
    if words:
        color = rng.choice([b"b", b"w"])  # one of them is to move
        subject.exchange(b"play %s %s" % (color, rng.choice(words.split())), 0, False)
    else:
        game = rng.choice(games()).name
        subject.exchange(f"game-select {game} {rng.randint(3, 9)}".encode(), 0, False)


def unlike_a_stream(responses: list[bytes]) -> str | None:
    if len(responses) != 1 or not responses[0].startswith(b"="):
        return f"not one stream: {responses!r:.200}"
    return None


async def at_the_board(count: int, rng: random.Random, found: Findings) -> None:
    """Switch the analysis on, and off after 20 to 50 ms; now and then wait for a frame."""
    async with at_a_board(found, "--hash-mb", "8") as seat:
        reader = seat.reader
        for number in range(count):
            if number % EVERY == 0:
                await step(reader, rng)
                seat.measure(found)
            seen = reader.frames
            await reader.page.send("analyse", on=True)
            await asyncio.sleep(0.02 + rng.random() * 0.03)
            if number % EVERY == 0:
                await seat.frame(seen)
            await reader.page.send("analyse", on=False)
            await asyncio.sleep(0.02)
            found.tried["at a board"] += 1
        await reader.until(lambda state: not state["analysing"])


async def step(reader: Reader, rng: random.Random) -> None:
    """Play a step; after the end of a game begin another."""
    rev, words = reader.state["rev"], [*leaves_of(reader.state["view"]["options"])]
    if words:
        await reader.page.send("step", rev=rev, word=rng.choice(words))
    else:
        name = rng.choice(reader.hello["catalog"]["games"])["name"]
        await reader.page.send("new", game=name, size=6, pie="off", **PEOPLE)
    await reader.changed(rev)


def run(count: float, seed: int, folder: Path) -> Findings:
    """Start and stop so many analyses."""
    found, rng = Findings("analyses", folder), random.Random(seed)
    at_the_engine(int(count) // 2, rng, found)
    asyncio.run(at_the_board(int(count) // 2, rng, found))
    for who in ("engine", "server", "engines"):
        found.bound(who, GROWTH)
    return found
