"""Sends random messages to a real server; most of them come from no page of ours.

`python tests standing.board_fuzz --messages 1000000` sends that many, and tells how many a second.
The script checks six things. The server closes a socket exactly when a message is unacceptable. It
writes nothing to stderr. It sends no engine a line that can touch a file (tests/engines/watched.py
checks each line). It makes no file. Its memory stays flat. At the end a game can be played as
before.
"""

import argparse
import asyncio
import base64
import json
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import psutil
from tornado.websocket import WebSocketClosedError

from gtp_engine.board.server.page_messages import KINDS, PHRASES, Unacceptable, read_message
from support.pages import Visitor, started
from support.starting import ENGINES, engine_command, python_command
from support.waiting import waiting_for

SOCKETS = 4
AT_ONCE = 85
"""Messages that one socket sends before it makes way for another: below the burst."""

HEAVY = dict.fromkeys(("hint", "try", "review", "analyse", "open", "new", "save"), 0.9)
HEAVY |= {"console": 0.3, "restart": 0.99, "position": 0.5, "link": 0.5, "seats": 0.5}
HEAVY |= {"enter": 0.95, "invite": 0.95}
"""How often kinds that make an engine work for long give way to others."""

NASTY = ["", "\x00", "\n", "a\nb", "#", "\u2028", "\ud800", "<script>alert(1)</script>", "../.."]
NASTY += ["x" * 4097, "%s%n", "NaN", "\x1b[2J", "C4\nquit", "1 quit", "pass", "swap", "resign"]
JUNK = [None, True, False, 0, -1, 1, 2**31, 2**53, 2**64, 1.5, -0.0, 1e308, [], {}, [[]], "A1"]
FRAGMENTS = ["{", "}", "[", "]", '"', ":", ",", "null", "NaN", "-", "1e999", "\\ud800", "kind"]
COMMANDS = "loadsgf printsgf game-printsgf gomill-savesgf game-set kata-set-param kata-set-params "
COMMANDS += "game-dialog game-analyze lz-analyze kata-analyze kata-genmove_analyze quit showboard "
COMMANDS += "name version game-view game-board play undo clear_board list_commands known_command"
SGF = "(;FF[4]GM[1]SZ[5];B[aa];W[bb](;B[cc])(;B[dd]C[<b>x</b>]))"


class Report(NamedTuple):
    """What a run of the fuzzer found.

    grown     -- MiB by which the server grew in its last three quarters
    forbidden -- lines that an engine was sent and should not have been
    files     -- names of files that somebody made
    """

    sent: int
    kinds: Counter
    sockets: int
    seconds: float
    grown: float
    forbidden: str
    files: list
    stderr: str

    def __str__(self) -> str:
        rate = self.sent / self.seconds
        return (
            f"{self.sent} messages, {self.sockets} sockets, {self.seconds:.0f} s, {rate:.0f} a "
            f"second, grown by {self.grown:.1f} MiB"
        )


class Fuzzer:
    """Makes messages; `target` is a folder that commands are pointed at."""

    def __init__(self, rng: random.Random, target: str) -> None:
        self.rng = rng
        self.target = target
        self.words = ["A1", "B2", "pass", "swap"]
        self.rev = 0
        self.games: list[str] = []

    def learn(self, state: dict) -> None:
        """Take the legal words of a state, so that games go on."""
        self.rev = state["rev"]
        self.words = [each.get("step", "A1") for each in state["view"]["options"]] or ["pass"]
        self.words += [each["step"] for each in state["view"]["buttons"]]

    def message(self) -> str | bytes:
        """One message, as it is sent."""
        chance = self.rng.random()
        if chance < 0.97:
            return json.dumps(self.plausible())
        if chance < 0.985:
            return json.dumps(self.broken(self.plausible()))
        return self.garbage()

    def plausible(self) -> dict:
        """A message whose fields are of the right types, mostly."""
        kind = self.rng.choice(list(KINDS))
        if kind in HEAVY and self.rng.random() < HEAVY[kind]:
            kind = self.rng.choice(["step", "step", "undo", "goto", "why", "preview"])
        return {"kind": kind, **{name: self.value(kind, name) for name in KINDS[kind].fields}}

    def value(self, kind: str, name: str) -> object:
        rng = self.rng
        match name:
            case "rev":
                return rng.choice([self.rev, self.rev, self.rev, 0, 10**9])
            case "names":
                names = {"black": rng.choice(["", "Ann", "\u202eJ\u00f6rg <b>"])}
                return rng.choice([{}, names, names | {"white": "Bob"}])
            case "from" | "number":
                return rng.choice([0, 0, 1, 2, 3, 50, 2**53 - 1])
            case "name":
                return rng.choice(["", "the best one", "\U0001f600 \u2028"])
            case "stars":
                return rng.randrange(4)
            case "only":
                return rng.choice([None, None, *self.games, "unknown"])
            case "node" | "visits":
                return rng.randrange(30)
            case "most":
                return rng.choice([0, 0.05, 1])
            case "size" if kind == "keep_import":
                return rng.choice([0, len(SGF), len(SGF), 2**30])
            case "size":
                return rng.choice([0, 1, 2, 3, 4, 5, 19, 20, 10**6])
            case "role":
                return rng.choice(["black", "white", "watch"])
            case "base":
                return "http://127.0.0.1:1/"
            case "guest":
                return rng.randrange(9)
            case "yes":
                return rng.random() < 0.5
            case "handicap":
                return rng.choice([0, 1, 9])
            case "clock":
                kind = rng.choice(["increment", "delay", "turn"])
                main = {} if kind == "turn" else {"main": rng.randrange(9)}
                return rng.choice([None, main | {kind: rng.randrange(9)}])
            case "table":
                return rng.choice(["1", "2", "7", "exercise", "exercise-a"])
            case "game" if kind == "watch":
                return rng.randrange(9)
            case "game":
                return rng.choice([*self.games, "unknown"])
            case "draft":
                return rng.randrange(9)
            case "marks":
                kinds = ["circle", "arrow", "line", "label", "star"]
                mark = {"kind": rng.choice(kinds), "at": rng.choice(["A1", "B2", "T19"])}
                more = rng.choice(
                    [{}, {"to": "C3"}, {"to": mark["at"]}, {"text": self.mangled("a")}]
                )
                return [mark | more] * rng.randrange(4)
            case "cells":
                points = rng.sample(["A1", "B2", "C3", "D4", "T19"], rng.randrange(5))
                return {at: rng.choice(["B", "w", "B9", "x", "q"]) for at in points}
            case "word":
                word = rng.choice([*self.words, *self.words, "z9", "A1/B2", "resign", "-", "Å"])
                return word if word.isascii() else "A0"
            case "black" | "white":
                level = rng.choice([None, 1, "adaptive"])
                engine = {"kind": "engine", "engine": rng.choice(["R", "none"]), "level": level}
                return rng.choice([{"kind": "human"}, {"kind": "human"}, engine])
            case "set":
                return rng.choice(["lessons", "puzzles", "endgames", "mistakes", "guesses"])
            case "date":
                return rng.choice(["2026-11-26", "2026-02-30", "0000-00-00"])
            case "id":
                return rng.choice([None, "none.1", *(f"{game}.place.1" for game in self.games)])
            case "phrase":
                return rng.choice([*PHRASES])
            case "pie":
                return rng.choice(["pieces", "sides", "off"])
            case "of":
                return rng.choice(["black", "white", "both"])
            case "color":
                return rng.choice(["black", "white"])
            case "on":
                return rng.random() < 0.3
            case "form":
                return rng.choice(["plain", "display"])
            case "engine":
                return rng.choice(["board", "R", "analyst", "none"])
            case "line":
                return self.line()
            case "data" if kind == "keep_import":
                return base64.b64encode(SGF.encode()).decode() if rng.random() < 0.5 else ""
            case "data":
                return base64.b64encode(self.mangled(SGF).encode(errors="replace")).decode()
            case "text" | "position":
                game = rng.choice([*self.games, "unknown"])
                return self.mangled(f"{game} 3 .../.../... b", "./bBwW3 #x")
        raise KeyError(name)

    def line(self) -> str:
        """A line for the console that tries to reach a file or another line."""
        rng = self.rng
        words = [
            rng.choice(COMMANDS.split()),
            rng.choice([self.target + "/x", "b", "A1", "weights", "5"]),
        ]
        text = rng.choice([" ", "  ", "\t", "\n", " #", "\r"][:]).join(words)
        text = rng.choice(["", "", "", "1 ", " ", "7", "# "]) + text
        return text + rng.choice(["", "", "\n" + text, " # " + text, "\x00", "\u0085" + text])

    def mangled(self, text: str, letters: str = "()[];\\:BW<>&") -> str:
        rng = self.rng
        for _ in range(rng.randrange(4)):
            at = rng.randrange(len(text) + 1)
            text = text[:at] + rng.choice(letters) + text[at + rng.randrange(3) :]
        return text

    def broken(self, message: dict) -> dict:
        """A message with something wrong, mostly."""
        rng = self.rng
        name = rng.choice(list(message))
        match rng.randrange(6):
            case 0:
                del message[name]
            case 1:
                message[rng.choice(["x", "__proto__", "constructor", ""])] = rng.choice(JUNK)
            case 2:
                message[name] = rng.choice(NASTY)
            case 3:
                message[name] = rng.choice(JUNK)
            case 4:
                message[name] = self.deep()
            case 5:
                message[name] = "x" * rng.choice([2**12, 2**16, 2**18])
        return message

    def deep(self) -> object:
        value: object = 1
        for _ in range(self.rng.choice([3, 8, 9, 100, 400])):
            value = [value] if self.rng.random() < 0.5 else {"kind": value}
        return value

    def garbage(self) -> str | bytes:
        rng = self.rng
        match rng.randrange(4):
            case 0:
                return rng.randbytes(rng.randrange(200))
            case 1:
                return "".join(rng.choices(FRAGMENTS, k=rng.randrange(60)))
            case 2:
                whole = json.dumps(self.plausible())
                return whole[: rng.randrange(len(whole))]
        return rng.choice(["[", '{"a":', "[{"]) * rng.choice([10, 1000, 20_000])


def acceptable(text: str | bytes) -> bool:
    try:
        read_message(text)
    except Unacceptable:
        return False
    return True


class Attack:
    """Sockets that send messages until there were enough."""

    def __init__(self, address: str, fuzzer: Fuzzer, amount: int) -> None:
        self.address, self.fuzzer, self.amount = address, fuzzer, amount
        self.sent = self.sockets = 0
        self.kinds: Counter = Counter()

    async def run(self) -> None:
        """One place in the room, taken by one socket after the other."""
        while self.sent < self.amount:
            page = await Visitor.enter(self.address)
            self.sockets += 1
            reading = asyncio.create_task(self.read(page))
            ended = False
            try:
                for _ in range(AT_ONCE):
                    text = self.fuzzer.message()
                    self.sent += 1
                    ended = not acceptable(text)
                    await page.socket.write_message(text, binary=isinstance(text, bytes))
                    if ended:
                        break
                    self.kinds[json.loads(text)["kind"]] += 1
                    await asyncio.sleep(0)
            except WebSocketClosedError:
                ended = True
                assert reading.done(), "closed, though nothing was wrong"
            if not ended:
                assert not reading.done(), "closed, though nothing was wrong"
                page.leave()
            async with waiting_for("the end of the page's socket"):
                await reading
            if ended:
                assert page.socket.close_code in (1008, 1009, None), page.socket.close_code

    async def read(self, page: Visitor) -> None:
        """Take what comes, and look at some of it: to parse all of it would be the most work."""
        while (text := await page.socket.read_message()) is not None:
            if text.startswith('{"kind":"state"') and self.fuzzer.rng.random() < 0.2:
                self.fuzzer.learn(json.loads(text))
            elif text.startswith('{"kind":"hello"') and not self.fuzzer.games:
                games = json.loads(text)["catalog"]["games"]
                self.fuzzer.games = [game["name"] for game in games]


async def attack(amount: int, seed: int, told=None) -> Report:
    """Send so many messages to a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        report, target = Path(folder, "report"), Path(folder, "target")
        target.mkdir()
        watcher = python_command(ENGINES / "watched.py", report)
        watched = f"{watcher} {engine_command()}"
        options = ["--board", f"{watched} --visits 100"]
        options += ["--engine", f"R={watched} --player random", "--size", "4"]
        async with started(*options) as (process, address):
            errors = asyncio.create_task(process.stderr.read())
            fuzz = Attack(address, Fuzzer(random.Random(seed), str(target)), amount)
            begun = time.perf_counter()
            sizes = asyncio.create_task(watch_memory(fuzz, psutil.Process(process.pid), told))
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(SOCKETS):
                        group.create_task(fuzz.run())
            except* OSError as refused:
                async with waiting_for("what the server said"):
                    said = (await errors).decode()
                raise AssertionError(f"the server has ended: {said}") from refused
            seconds = time.perf_counter() - begun
            await plays_on(address)
            grown = await sizes
            process.terminate()
            await process.wait()
            async with waiting_for("what the server said"):
                stderr = (await errors).decode()
        forbidden = report.read_text(errors="replace") if report.exists() else ""
        files = [path.name for path in target.iterdir()]
    return Report(fuzz.sent, fuzz.kinds, fuzz.sockets, seconds, grown, forbidden, files, stderr)


async def watch_memory(fuzz: Attack, process: psutil.Process, told) -> float:
    """How much the server has grown since a quarter of the messages was sent, in MiB."""
    before = None
    while fuzz.sent < fuzz.amount:
        size = process.memory_info().rss / 2**20
        if before is None and fuzz.sent >= fuzz.amount / 4:
            before = size
        if told:
            told(fuzz.sent, size)
        await asyncio.sleep(0.5)
    return process.memory_info().rss / 2**20 - (before or 0.0)


async def plays_on(address: str) -> None:
    """A new game can be begun, and a word played in it."""
    page = await Visitor.enter(address)
    state, catalog = await page.hear("state"), page.heard[0]["catalog"]
    people = {"black": {"kind": "human"}, "white": {"kind": "human"}}
    await page.send("tables")
    for table in (await page.hear("tables"))["list"]:
        for guest in table["guests"]:
            await page.send("uninvite", guest=guest["guest"])
    for name in ("board", "R", "analyst"):
        await page.send("restart", engine=name)
    game = catalog["default_game"]
    await page.send("new", game=game, size=4, pie="off", **people)
    while any(set(seat) - {"kind", "name"} for seat in state["seats"].values()) or (
        not state["view"]["options"]
    ):
        state = await page.hear("state")
    rev = state["rev"]
    while state["rev"] == rev or state["node"] == 0:
        if state["node"] == 0:
            rev = state["rev"]
            word = state["view"]["options"][0]["step"]
            await page.send("step", rev=rev, word=word)
        state = await page.hear("state")
    page.leave()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    last = [time.perf_counter()]

    def told(sent: int, size: float) -> None:
        if time.perf_counter() > last[0] + 20:
            last[0] = time.perf_counter()
            print(f"{sent} messages, server {size:.1f} MiB", flush=True)

    report = asyncio.run(attack(options.messages, options.seed, told))
    print(report)
    print(dict(report.kinds.most_common()))
    assert not report.forbidden, report.forbidden
    assert not report.files, report.files
    assert not report.stderr, report.stderr


if __name__ == "__main__":
    main()
