"""Sends `gtp-engine analyze` requests of every kind, as JSON lines.

Faults are: no end after the end of input, a status other than 0, a line that is no JSON object, a
request with neither one error nor exactly one final line for each position asked, an internal
error, and trouble on stderr.
"""

import json
import random
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from gtp_engine.engine.session import Session
from gtp_engine.rules import games
from standing.alteration import JUNK, altered
from standing.findings import Findings
from support.starting import engine_command

PATIENCE = 180.0
"""Seconds for the end of a process. Under sanitizers, beside other work, it takes long."""

AT_ONCE = 150
"""Lines to one process."""

ACTIONS = ["query_version", "query_models", "clear_cache", "terminate", "terminate_all", "unknown"]
SWITCHES = ["Ownership", "MovesOwnership", "Policy", "Played", "Why", "PVVisits"]
OVERRIDES = {"seed": 1, "reportAnalysisWinratesAs": "SIDETOMOVE", "rave": 0, "nothing": True}


def line(rng: random.Random, number: int) -> tuple[str, bytes]:
    """The kind of a line, and the line. A request and an action have their number as id."""
    chance = rng.random()
    if chance < 0.1:
        action = {"id": number, "action": rng.choice(ACTIONS)}
        return "actions", json.dumps(action | {"terminateId": rng.randrange(number + 1)}).encode()
    asked = request(rng) | {"id": number}
    if chance < 0.75:
        return "requests", json.dumps(asked).encode()
    if chance < 0.85:
        key = rng.choice([key for key in asked if key != "id"])
        return "wrong requests", json.dumps(asked | {key: rng.choice(JUNK)}).encode()
    text = json.dumps(asked | {"id": "altered"}).encode()
    return "altered lines", altered(rng, text).replace(b"\n", b" ")


def request(rng: random.Random) -> dict[str, Any]:
    """A request about a random game, with some of the fields."""
    session = Session(rng.choice(games()), rng.randint(2, 6))
    moves = []
    for _ in range(rng.randrange(12)):
        if session.outcome is None:
            color, word = session.position.to_move, str(rng.choice(session.legal_steps()))
            session.play(color, word)
            moves.append([color.letter, word])
    turns = rng.choices(range(len(moves) + 2), k=rng.randint(1, 4))
    optional = {
        "analyzeTurns": rng.choice(["all", turns, turns]),
        "maxTime": rng.choice([0.001, 0.05]),
        "priority": rng.randrange(-5, 5),
        "reportDuringSearchEvery": rng.choice([0.001, 0.05]),
        "firstReportDuringSearchAfter": 0.01,
        "avoidMoves": [{"player": "b", "moves": ["a1", "b2"], "untilDepth": 1}],
        "allowMoves": [{"player": "w", "moves": ["a1", "b2"], "untilDepth": 1}],
        "analysisPVLen": rng.randint(1, 20),
        "maxMoves": rng.randrange(5),
        "ordered": rng.random() < 0.5,
        "overrideSettings": dict(rng.choices([*OVERRIDES.items()], k=2)),
        **{f"include{name}": rng.random() < 0.5 for name in SWITCHES},
    }
    chosen = {key: value for key, value in optional.items() if rng.random() < 0.2}
    board = {"game": session.game.name, "size": session.position.size}
    return board | {"moves": moves, "maxVisits": rng.randint(1, 40)} | chosen


def check(sent: dict[int, bytes], written: bytes, found: Findings) -> None:
    """Hold the answers against the requests, which have their numbers as ids."""
    errors: Counter[Any] = Counter()
    finals: Counter[Any] = Counter()
    answered = set()
    for text in written.splitlines():
        answer = json.loads(text)
        name = answer.get("id")
        name = name if isinstance(name, str | int) else None
        answered.add(name)
        if "internal" in str(answer.get("code")):
            found.fault(f"internal error: {answer}", sent.get(name, b""), "jsonl")
        errors[name] += "error" in answer
        if answer.get("isDuringSearch") is False:
            finals[name, answer["turnNumber"]] += 1
    twice = [place for place, count in finals.items() if count > 1 and place[0] in sent]
    for name, text in sent.items():
        turns, asked = {turn for one, turn in finals if one == name}, json.loads(text)
        wanted = asked.get("analyzeTurns")
        whole = bool(turns) and (not isinstance(wanted, list) or turns == set(wanted))
        good = name in answered if "action" in asked else (errors[name] == 1) != whole
        if not good or errors[name] > 1 or any(place[0] == name for place in twice):
            told = f"{errors[name]} errors, final lines for {sorted(turns)}"
            found.fault(f"not one answer for each position: {told}", text, "jsonl")


def ask(rng: random.Random, folder: Path, found: Findings) -> None:
    """Send the lines for one process, give it some time, and end it."""
    lines = [line(rng, number) for number in range(AT_ONCE)]
    text = b"\n".join(each for _, each in lines) + b"\n"
    found.tried.update(kind for kind, _ in lines)
    command = engine_command("analyze", "--visits", "20", "--hash-mb", "16").split()
    with open(folder / "out", "w+b") as out, open(folder / "err", "w+b") as err:
        process = subprocess.Popen(command, stdin=-1, stdout=out, stderr=err)
        try:
            process.stdin.write(text)
            process.stdin.flush()
            time.sleep(rng.random() * 4)
            process.communicate(b'{"id": "end", "action": "terminate_all"}\n', timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            found.fault("it does not end with its input", text, "jsonl")
            return
        except BrokenPipeError:
            process.wait()
    if process.returncode != 0:
        found.fault(f"ended with status {process.returncode}", text, "jsonl")
    found.look_at((folder / "err").read_text(errors="replace"), text, "jsonl")
    known = {number: each for number, (kind, each) in enumerate(lines) if kind != "altered lines"}
    try:
        check(known, (folder / "out").read_bytes(), found)
    except (ValueError, KeyError, AttributeError) as error:
        found.fault(f"no JSON object: {error}", text, "jsonl")


def run(seconds: float, seed: int, folder: Path) -> Findings:
    """Ask one process after the other."""
    found, end = Findings("requests", folder), time.monotonic() + seconds
    rng = random.Random(seed)
    while time.monotonic() < end:
        with tempfile.TemporaryDirectory() as scratch:
            ask(rng, Path(scratch), found)
    return found
