"""Short runs of the standing checks, and engines at which they must find something."""

import asyncio
import json
import random
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import AsyncMock

import pytest

from standing import (
    analyses,
    arena_games,
    board_day,
    charsets,
    files,
    friends,
    lines,
    load,
    messages,
    requests,
    roles,
)
from standing.alteration import Fault, altered
from standing.findings import Findings
from standing.turn_account import Account, Wrong
from support.starting import rogue_command
from support.thorough import thorough

SHORT = {
    lines: 1,
    requests: 1,
    files: 3,
    messages: 0.1,
    roles: 0.1,
    analyses: 20,
    board_day: 10,
    arena_games: 4,
}


@thorough
@pytest.mark.parametrize("part", SHORT, ids=lambda part: part.__name__)
def test_a_short_run_finds_nothing(part, tmp_path, monkeypatch):
    monkeypatch.setattr(messages, "AT_ONCE", 200)
    monkeypatch.setattr(lines, "AT_ONCE", 100)
    monkeypatch.setattr(requests, "AT_ONCE", 40)
    found = part.run(SHORT[part], 1, tmp_path)
    assert found.faults == {}
    assert found.tried.total() >= 4


@thorough
def test_two_people_play_through_trouble(tmp_path, monkeypatch):
    monkeypatch.setattr(friends, "TROUBLES", {"cut": 1, "reload": 1, "kill": 1})
    found = friends.run(1, 1, tmp_path, ["robble"])
    assert found.faults == {}
    assert found.tried["games of robble"] == 1


@thorough
@pytest.mark.parametrize(
    "fault, told",
    [
        ("die", "ended with status"),
        ("half-done", "a refused command has changed something"),
        ("garbage", "no GTP"),
    ],
)
def test_what_an_engine_does_wrong_is_found(fault, told, tmp_path, monkeypatch):
    monkeypatch.setattr(lines, "engine_command", lambda *_: rogue_command(fault))
    monkeypatch.setattr(lines, "PATIENCE", 5.0)
    monkeypatch.setattr(lines, "AT_ONCE", 100)
    found = lines.run(1, 1, tmp_path)
    assert any(told in what for what in found.faults), found
    assert (tmp_path / "fault-1.gtp").exists()


@thorough
def test_a_leak_in_a_match_is_found(tmp_path, monkeypatch):
    def leaky(*options: str) -> str:
        return rogue_command("leak", *options[options.index("--seed") :])

    monkeypatch.setattr(arena_games, "engine_command", leaky)
    monkeypatch.setattr(arena_games, "EVERY", 1)
    found = arena_games.run(60, 1, tmp_path)
    (what,) = found.faults
    assert what.startswith("engines has grown")


@pytest.mark.parametrize(
    "lines, faults",
    [
        (['{"id":1,"isDuringSearch":false,"turnNumber":2}'], 0),
        (['{"id":1,"error":"no"}'], 0),
        ([], 1),
        (['{"id":1,"isDuringSearch":false,"turnNumber":2}'] * 2, 1),
        (['{"id":1,"isDuringSearch":false,"turnNumber":3}'], 1),
    ],
)
def test_each_position_has_one_answer(lines, faults, tmp_path):
    found = Findings("requests", tmp_path)
    sent = {1: b'{"id":1,"game":"pilo","analyzeTurns":[2]}'}
    requests.check(sent, "\n".join(lines).encode(), found)
    assert len(found.faults) == faults


def test_a_file_that_breaks_a_reader_is_kept(tmp_path, monkeypatch):
    def read(path: Path) -> None:
        raise KeyError(path.suffix)

    monkeypatch.setattr(files, "KINDS", {"toml": files.Kind(files.make_toml, read)})
    found = files.run(0.01, 1, tmp_path)
    (what,) = found.faults
    assert "KeyError: '.toml'" in what
    assert (tmp_path / "fault-1.toml").exists()
    assert "FAULT 1, " in str(found)


def test_a_character_set_that_is_read_wrongly_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("gtp_engine.rules.records.charsets._codecs", lambda name: ["iso8859-1"])
    rng, path, found = random.Random(1), tmp_path / "last.text", []
    for _ in range(30):
        charsets.make_text(rng, path)
        try:
            charsets.read_text(path)
        except Fault as fault:
            found.append(str(fault))
    assert any(", not " in what for what in found), found


WITH_GUEST = {"over": False, "seats": {"white": {"kind": "human", "guest": "white"}}}


@pytest.mark.parametrize(
    "role, heard, faults",
    [
        ("player", [{"kind": "state", **WITH_GUEST}, {"kind": "frame"}], ["hears frame while"]),
        ("player", [{"kind": "state", **WITH_GUEST, "over": True}, {"kind": "frame"}], []),
        ("host", [{"kind": "state", **WITH_GUEST}, {"kind": "sure"}], ["hears sure while"]),
        ("watcher", [{"kind": "console", "text": "="}], ["watcher hears console"]),
        ("host", [{"kind": "console", "text": "="}], []),
        ("player", [{"kind": "told", "text": "/TOKEN/"}], ["hears a secret in told"]),
        ("host", [{"kind": "told", "text": "Internal error of the server"}], ["Internal error"]),
    ],
)
def test_what_a_place_at_a_table_must_not_hear(role, heard, faults):
    async def told() -> list[str]:
        texts, found = [*map(json.dumps, heard), None], []
        socket = SimpleNamespace(close_code=1000, close_reason="")
        socket.read_message = AsyncMock(side_effect=texts)
        place = roles.Place(role, SimpleNamespace(socket=socket), ["TOKEN"], found.append)
        await place.reading
        return found

    found = asyncio.run(told())
    assert len(found) == len(faults)
    assert all(fault in what for fault, what in zip(faults, found, strict=True))


def test_each_test_that_fails_under_load_is_told(tmp_path, monkeypatch):
    said = "FAILED tests/a.py::test_b[1 x] - assert\nERROR tests/c.py\n1 failed, 1 error in 3.21s"
    program = f"print({said!r}); raise SystemExit(1)"
    monkeypatch.setattr(load, "BARE", [sys.executable, "-c", program])
    monkeypatch.setattr(load, "BUSY", 1)
    found = load.run(2, 1, tmp_path)
    assert found.faults == {"failed: tests/a.py::test_b[1 x]": 2, "failed: tests/c.py": 2}
    assert found.tried.total() == 2
    monkeypatch.setattr(load, "BARE", [sys.executable, "-c", "raise SystemExit(3)"])
    assert load.run(1, 1, tmp_path).faults == {"the run ended with status 3": 1}
    monkeypatch.setattr(load, "BARE", [sys.executable, "-c", "print('5 passed in 1.00s')"])
    assert load.run(1, 1, tmp_path).faults == {}


@pytest.mark.parametrize("sizes, faults", [([5.0] * 40, 0), ([1.0] * 30 + [9.0] * 10, 1)])
def test_growth_is_measured_without_the_beginning(sizes, faults, tmp_path):
    found = Findings("part", tmp_path)
    found.sizes["server"] = sizes
    found.bound("server", 7)
    assert len(found.faults) == faults
    assert "0, 25, 50, 75 and 100 %" in str(found)


def test_alterations_differ_and_are_repeatable():
    data = bytes(range(256)) * 4
    once = [altered(random.Random(seed), data) for seed in range(50)]
    assert once == [altered(random.Random(seed), data) for seed in range(50)]
    assert len(set(once)) > 45


def turn_state(number, to_move, black, white, running, kind, over=False, steps=()):
    """What a spectator is told of a game for two minutes, 10 s of each turn."""
    turn = {"number": number, "to_move": to_move, "steps": steps, "open": bool(steps)}
    clock = {kind: 10, "black": black, "white": white, "running": running}
    clock |= {} if kind == "turn" else {"main": 120}
    view = {"turn": turn, "position": str(number), "outcome": {} if over else None}
    return {"view": view, "clock": clock, "paused": False}


@pytest.mark.parametrize(
    "kind, start, after", [("increment", 120, 110), ("delay", 130, 120), ("turn", 10, 10)]
)
@pytest.mark.parametrize("error", [0.5, 1.5, -1.5])
def test_a_clock_that_is_wrong_by_more_than_a_second_is_found(kind, start, after, error):
    """Black uses 20 seconds of its second turn, or 8 where each has its own time."""
    first = start + (10 if kind == "increment" else 0)
    account = Account(turn_state(1, "black", start, start, None, kind), 0)
    account.take(turn_state(2, "white", first, start, None, kind), 5)
    account.take(turn_state(3, "black", first, first, "black", kind), 9)
    spent = 8 if kind == "turn" else 20
    left = after + (10 if kind == "increment" else 0)
    last = turn_state(4, "white", left + error, first, "white", kind), 9 + spent
    if abs(error) < 1:
        account.take(*last)
        assert account.furthest == pytest.approx(abs(error))
    else:
        with pytest.raises(Wrong, match="black has"):
            account.take(*last)


@pytest.mark.parametrize("steps, lawful", [(["B2"], True), ([], False)])
def test_two_turns_at_once_are_a_loss_in_an_open_turn(steps, lawful):
    account = Account(turn_state(8, "white", 120, 120, "white", "increment", steps=steps), 0)
    resigned = turn_state(10, "white", 120, 120, None, "increment", over=True)
    if lawful:
        account.take(resigned, 0)
        assert account.over and len(account.turns) == 1
    else:
        with pytest.raises(Wrong, match="2 turns at once"):
            account.take(resigned, 0)


def test_the_time_before_a_kill_counts_and_a_lost_turn_is_found():
    account = Account(turn_state(1, "black", 120, 120, None, "increment"), 0)
    account.take(turn_state(2, "white", 130, 120, None, "increment"), 5)
    account.take(turn_state(3, "black", 130, 130, "black", "increment"), 9)
    account.killed(29)
    account.take(turn_state(3, "black", 110, 130, None, "increment"), 40)
    account.take(turn_state(4, "white", 120, 130, "white", "increment"), 60)
    with pytest.raises(Wrong, match="went back"):
        account.take(turn_state(3, "black", 110, 130, None, "increment"), 61)
