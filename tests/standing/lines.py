"""Sends an engine GTP lines of every kind through its pipes, and reads all that it writes.

The lines are plausible, legal, nonsense or altered; some load altered records and weights. Faults
are: no answer, an end that nobody asked for, `internal error`, an answer that is no GTP, a refused
command that changes the game or the settings, and trouble on stderr.
"""

import os
import random
import re
import select
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

from engine.test_machine import NONSENSE
from gtp.commands.test_every_state import LINES
from gtp_engine.rules import games
from gtp_engine.search.weights import KIND, VERSION
from standing.alteration import NETS, altered, other_numbers, resigned
from standing.findings import Findings
from support.starting import engine_command

PATIENCE = 120.0
"""Seconds until an engine hangs. Under sanitizers, beside other work, an answer takes long."""

AT_ONCE = 1500
"""Lines to one process."""

LARGEST = 600.0
"""MiB that a process may have, with sanitizers."""

PLAUSIBLE = [line for line in LINES if line != "quit"]

FIRST_ID = 700_000_000
QUERIES = ("game-position", "game-history", "game-settings", "get_komi", "game-legal_steps")
RESPONSE = re.compile(rb"[=?]\d*( [^\x00-\x08\x0b-\x1f]*)?|[=?]\d*\n[^\x00-\x08\x0b-\x1f]*")

POSITIONS = [
    "implo 5 ...../WbWbb/...../...../..... b",
    "implo 3 bbb/bBb/WB. b open=yes",
    "boloa 3 B../B../B.. w",
    "robble 3 BWB/WB./BWB w",
    "robble 4 ..../..../..../.... b",
    "pilo 3 xB2W1/B2xW3/xxx b passes=2",
    "pilo 3 B1B2x/xxW2/W3xx w passes=1",
]

OPTIONS = ("--visits", "30", "--seconds", "0.3", "--hash-mb", "4")


class Silent(Exception):
    """The engine has not answered in time."""


class Ended(Exception):
    """The engine has ended."""


class Speech:
    """Makes lines, and files beside the engine.

    words -- the legal steps, as the engine told them last
    """

    def __init__(self, rng: random.Random, folder: Path) -> None:
        self.rng, self.folder = rng, folder
        self.words = ["a1"]

    def line(self) -> tuple[str, bytes]:
        """The kind of a line, and the line."""
        kinds = {"legal": 40, "plausible": 30, "nonsense": 8, "altered": 14, "set-up": 6, "file": 2}
        (kind,) = self.rng.choices([*kinds], [*kinds.values()])
        line = {
            "legal": self.legal,
            "plausible": self.plausible,
            "nonsense": lambda: self.rng.choice(NONSENSE).encode(),
            "altered": self.altered,
            "set-up": self.set_up,
            "file": self.file,
        }[kind]()
        return kind, harmless(line)

    def legal(self) -> bytes:
        color = self.rng.choice("bw")
        word = "/".join(self.rng.choices(self.words, k=self.rng.choice([1, 1, 1, 2])))
        verbs = ["play", "play", "play", "game-explain", "genmove", "kata-genmove_analyze"]
        match self.rng.choice(verbs):
            case "genmove":
                return f"genmove {color}".encode()
            case "kata-genmove_analyze":
                return f"kata-genmove_analyze {color} 1".encode()
            case verb:
                return f"{verb} {color} {word}".encode()

    def plausible(self) -> bytes:
        return self.rng.choice(PLAUSIBLE).encode()

    def altered(self) -> bytes:
        line = self.rng.choice([self.plausible(), self.legal(), self.set_up()])
        return altered(self.rng, line, most=3)

    def set_up(self) -> bytes:
        game = self.rng.choice(games())
        size = self.rng.choice([2, 3, 4, 5, 7, 19])
        pie = self.rng.choice(["pieces", "sides", "off"])
        return self.rng.choice(
            [
                f"game-select {game.name} {size}".encode(),
                f"game-pie {pie}".encode(),
                b"game-position " + self.rng.choice(POSITIONS).encode(),
                b"game-position " + altered(self.rng, self.rng.choice(POSITIONS).encode(), most=2),
            ]
        )

    def file(self) -> bytes:
        """Load an altered record, or altered weights whose checksum fits."""
        name, net = str(len([*self.folder.iterdir()])), self.rng.choice(NETS).read_bytes()
        if self.rng.random() < 0.5:
            resigned(self.rng, self.folder / name, KIND, VERSION, net, other_numbers)
            return f"game-set weights {name}".encode()
        record = f"(;GAME[robble]SZ[4];B[{self.words[0]}](;W[{self.words[-1]}]C[x])(;W[aa]))"
        (self.folder / name).write_bytes(altered(self.rng, record.encode()))
        return f"loadsgf {name}".encode()


def harmless(line: bytes) -> bytes:
    """A line that writes no file elsewhere, and sets no memory or number of threads."""
    if re.search(rb"(?i)hash_mb|threads", line):
        return b"game-settings"
    # A name that a record is written to stays in the folder of the engine.
    return line.replace(b"/", b"_") if re.search(rb"(?i)printsgf|savesgf", line) else line


class Subject:
    """An engine in a folder. What it writes on stderr goes to a file.

    line -- the last line, without the queries
    sent -- all that it was sent
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.line = folder, b""
        self.sent: list[bytes] = []
        path, words = folder / "stderr", engine_command(*OPTIONS).split()
        with open(path, "wb") as stderr:
            self.process = subprocess.Popen(
                words, stdin=-1, stdout=-1, stderr=stderr, bufsize=0, cwd=folder
            )
        self.stderr = open(path, "rb")  # noqa: SIM115

    def exchange(self, line: bytes, pause: float, interrupted: bool) -> tuple[list[bytes], ...]:
        """Send a line and, after a pause, the queries; the responses to the line, and to these.

        Raises Silent or Ended.
        """
        number, self.line = FIRST_ID + len(self.sent), line
        self.write(line + b"\n")
        time.sleep(pause)
        asked = b"".join(b"%d %s\n" % (number, query.encode()) for query in QUERIES)
        self.write((b"# interrupt\n" if interrupted else b"") + asked)
        responses = self.read(re.compile(rb"(?:^|\n\n)[=?]%d(?=[ \n])" % number), len(QUERIES))
        return responses[: -len(QUERIES)], responses[-len(QUERIES) :]

    def write(self, text: bytes) -> None:
        self.sent.append(text)
        try:
            while text:
                text = text[self.process.stdin.write(text) :]
        except BrokenPipeError:
            raise Ended from None

    def read(self, own: re.Pattern, count: int) -> list[bytes]:
        """All responses until so many have the number of the queries."""
        text, end = b"", time.monotonic() + PATIENCE
        pipe = self.process.stdout
        while not (text.endswith(b"\n\n") and len(own.findall(text)) >= count):
            if not select.select([pipe], [], [], 0.2)[0]:
                if time.monotonic() > end:
                    raise Silent
                self.write(b"# interrupt\n")  # searches without a bound end
                continue
            if not (more := os.read(pipe.fileno(), 2**16)):
                raise Ended
            text += more
        return text.removesuffix(b"\n\n").split(b"\n\n")

    def evidence(self) -> tuple[bytes, str, Path]:
        """All that it was sent, with its files, as Findings keep it."""
        return b"".join(self.sent), "gtp", self.folder

    def said(self) -> str:
        """What it wrote on stderr since the last call."""
        return self.stderr.read().decode(errors="replace")

    def close(self) -> str:
        """End the engine by the end of its input; what it wrote on stderr. Raises Silent."""
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Silent from None
        with self.stderr:
            return self.said()


def check(responses: list[bytes], before: list[bytes], after: list[bytes]) -> str | None:
    """What is wrong with the responses to a line, and with the state before and after it."""
    for response in responses:
        if RESPONSE.fullmatch(response) is None:
            return f"no GTP: {response[:200]!r}"
        if b"internal error" in response:
            return "internal error"
    refused = responses and all(response.startswith(b"?") for response in responses)
    if refused and before and before != after:
        return "a refused command has changed something"
    return None


def talk(speech: Speech, found: Findings) -> None:
    """Send the lines for one process."""
    subject = Subject(speech.folder)
    told = None
    try:
        converse(subject, speech, found)
    except Ended:
        status = subject.process.wait(PATIENCE)
        if status != 0 or b"quit" not in subject.line.lower():
            told = f"ended with status {status}: {subject.line[:200]!r}"
    except Silent:
        told = f"no answer: {subject.line[:200]!r}"
        subject.process.kill()
    try:
        found.look_at(subject.close(), *subject.evidence())
    except Silent:
        told = "does not end with its input"
    if told:
        found.fault(told, *subject.evidence())


def converse(subject: Subject, speech: Speech, found: Findings) -> None:
    """Send lines, and check what comes back. Raises Silent or Ended."""
    rng, before = speech.rng, []
    for number in range(AT_ONCE):
        kind, line = speech.line()
        found.tried[kind] += 1
        responses, after = subject.exchange(line, rng.choice([0, 0, 0, 0.01]), rng.random() < 0.5)
        after = [response.partition(b" ")[2] for response in after]
        if (wrong := check(responses, before, after)) is not None:
            found.fault(f"{wrong}: {line[:200]!r}", *subject.evidence())
        found.look_at(subject.said(), *subject.evidence())
        before = after
        speech.words = after[-1].decode(errors="replace").split() or ["a1"]
        if number % 100 == 0:
            found.measure(engine=[psutil.Process(subject.process.pid)])


def run(seconds: float, seed: int, folder: Path) -> Findings:
    """Talk to one process after the other."""
    found, end = Findings("lines", folder), time.monotonic() + seconds
    rng = random.Random(seed)
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory() as scratch:
            talk(Speech(rng, Path(scratch)), found)
    found.limit("engine", LARGEST)
    return found
