"""The analysis engine in the process of a test."""

import json
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event
from typing import Any

from gtp_engine.engine.settings import Settings
from gtp_engine.gtp.analysis.service import Service, Usual
from gtp_engine.gtp.analysis.writer import Writer
from gtp_engine.search.pool import Pool
from support.waiting import PATIENCE, wait_until

ENDLESS = {"game": "robble", "size": 9, "maxVisits": 10**9}
"""A request, without its id, whose search does not end by itself."""

LIVE = {"reportDuringSearchEvery": 0.01, "maxMoves": 1}
"""Asks for a line as soon as the search has begun."""

SMALL = {"game": "implo", "size": 3}


class WatchedWriter(Writer):
    """Knows how many threads wait until lines are read."""

    def __init__(self, *arguments: Any) -> None:
        self._held = 0
        super().__init__(*arguments)

    def wait_until_read(self, most: int) -> None:
        with self._changed:
            self._held += 1
            super().wait_until_read(most)
            self._held -= 1

    @property
    def held(self) -> int:
        """How many threads wait now."""
        with self._changed:
            return self._held


class Analyst:
    """A service that answers this process.

    read -- if it is given, a line is written only when it returns
    more -- further fields of Usual
    """

    def __init__(
        self,
        positions: int = 1,
        visits: int = 20,
        most_waiting: int = 1000,
        read: Callable[[], object] = lambda: None,
        **more: Any,
    ) -> None:
        self.lines: SimpleQueue[bytes] = SimpleQueue()
        self._read = read
        self.failed: list[OSError] = []
        self.pool = Pool(positions)
        self.writer = WatchedWriter(self._write, self.failed.append)
        usual = Usual(Settings(threads=1, hash_mb=16), visits, None, most_waiting, **more)
        self.service = Service(usual, self.pool, self.writer)

    def __enter__(self) -> "Analyst":
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.cancel_all()
        self.writer.stop()
        self.pool.close()

    def _write(self, line: bytes) -> None:
        self._read()
        self.lines.put(line)

    def send(self, *lines: dict[str, Any] | bytes) -> None:
        """Send objects, or lines as they are."""
        for line in lines:
            self.service.take(line if isinstance(line, bytes) else json.dumps(line).encode())

    def next(self) -> dict[str, Any]:
        """The next line, which must come."""
        return json.loads(self.lines.get(timeout=PATIENCE))

    def until(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first line of a kind; those before it are dropped."""
        while True:
            line = self.next()
            if wanted(line):
                return line

    def rest(self) -> list[dict[str, Any]]:
        """All lines that are left, after everything is answered."""
        self.service.finish()
        found = []
        while not self.lines.empty():
            found.append(self.next())
        return found

    def until_held(self, threads: int) -> int:
        """Wait until so many threads wait for a reader; returns the bytes that are unread."""
        wait_until(lambda: self.writer.held == threads, f"{threads} threads that wait for a reader")
        return self.writer.unread

    def ask(self, *lines: dict[str, Any] | bytes) -> list[dict[str, Any]]:
        """Send lines; returns all answers."""
        self.send(*lines)
        return self.rest()


def final(line: dict[str, Any]) -> bool:
    """Whether a line is the last one about its position."""
    return line.get("isDuringSearch") is False


def during(line: dict[str, Any]) -> bool:
    """Whether a line reports on a search in progress."""
    return line.get("isDuringSearch") is True


def answered(lines: list[dict[str, Any]]) -> list[tuple[str, int]]:
    """The ids and turns of the final lines, in order."""
    return [(line["id"], line["turnNumber"]) for line in lines if final(line)]


def one_answer(**fields: Any) -> dict[str, Any]:
    """The only line about a request."""
    with Analyst() as analyst:
        (line,) = analyst.ask({"id": "a", **fields})
        return line


def refusal(**fields: Any) -> dict[str, Any]:
    """The error about a request, without its text; nothing else is answered."""
    error = one_answer(**fields)
    assert error.pop("error")
    assert error.pop("id") == "a"
    return error


def full_requests() -> Iterator[dict[str, Any]]:
    """Requests for all games, with everything that an answer may hold."""
    games = {
        "implo": ["c3", "swap", "d4", "b2"],
        "boloa": ["pc3", "pb2", "sd4", "sb1"],
        "robble": ["c3", "b2", "d4", "a1"],
        "pilo": ["c3", "b2", "d4", "a1"],
    }
    for name, moves in games.items():
        yield {
            "id": name,
            "game": name,
            "size": 5,
            "moves": [[color, word] for color, word in zip("bwbw", moves)],
            "analyzeTurns": "all",
            "includeOwnership": True,
            "includeMovesOwnership": True,
            "includePolicy": True,
            "includePlayed": True,
            "includeWhy": True,
        }


class Gate:
    """Holds whoever calls it until it is opened."""

    def __init__(self) -> None:
        self.reached, self._open = Event(), Event()

    def __call__(self) -> None:
        self.reached.set()
        assert self._open.wait(PATIENCE)

    def open(self) -> None:
        """Let all pass from now on."""
        self._open.set()
