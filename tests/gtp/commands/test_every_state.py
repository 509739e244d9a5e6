"""Every command in every kind of state: each one responds, and queries change nothing."""

from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from gtp_engine.gtp.commands import registry
from gtp_engine.rules import games
from gtp_engine.rules.points.points import vertices
from support.driver import Driver
from support.thorough import thorough

# First turns that leave a swap, and what goes on after them; elsewhere the first legal steps.
FIRST = {"implo": "b2", "boloa": "pb2", "robble": "a1", "pilo": "b2"}
SECOND = {"implo": "c3", "boloa": "sc3", "robble": "a2", "pilo": "b3"}
TURNS = {"first": FIRST, "second": SECOND}

RANDOM = ("game-set player random", "game-set seed 3")
TO_THE_END = ("play out",)

LARGE = "largest board"

# What can be reached in every game, on a board of 4x4.
EVERYWHERE = {
    "start": (),
    "first turn": ("first",),
    "second turn": ("first", "second"),
    "swap of pieces": ("first", "play w swap"),
    "swap of sides": ("game-pie sides", "first", "play w swap-sides"),
    "swap by clicks": ("gogui-rules_board", "first", "clicked swap"),
    "without a swap": ("game-pie off", "first", "second"),
    "resigned": ("first", "play w resign"),
    "taken back": ("first", "second", "undo"),
    "played out": ("game-pie off", *RANDOM, *TO_THE_END),
    "played out after a swap": ("first", "play w swap", *RANDOM, *TO_THE_END),
    "passed after the end": (*RANDOM, *TO_THE_END, "pass", "pass"),
    "set up": ("first", "second", "set up again"),
    "stones set up": ("gogui-setup b a1 w b3", "gogui-setup_player w"),
    "out of time": ("time_settings 1 0 0", "time_left b 0 0", "time_left w 0 0"),
    "chosen by the engine": ("genmove b", "genmove w"),
    "answered in clicks": ("game-set moves clicks", "genmove b"),
    "smallest board": ("boardsize 2",),
    "smallest board, first turn": ("boardsize 2", "engine's first"),
    LARGE: ("boardsize 19", "first", "second"),
}

# What only some games have.
SOME = {
    "implo": {
        "open": ("game-position implo 5 ...../WbWbb/...../...../..... b", "play b d5"),
        "half clicked": (
            "game-position implo 5 ...../WbWbb/...../...../..... b",
            "play b d5",
            "play b b5",
        ),
        "set up in the last turn": (
            "game-position implo 3 bbb/bBb/WB. b open=yes",
            "engine's first",
        ),
        "resigned in a turn": (
            "game-position implo 5 ...../WbWbb/...../...../..... b",
            "play b d5/b5",
            "play b resign",
        ),
        "set up open": ("game-position implo 3 .B./BBb/ww. b open=yes",),
        "set up with a forced step": ("game-position implo 3 bbb/bBb/WB. b open=yes",),
        "set up ended": ("game-position implo 2 BB/bb w",),
    },
    "boloa": {
        "half clicked": ("first", "play w c3"),
        "half clicked pawn": ("first", "play w b2"),
        "half clicked for a client of clicks": ("game-set moves clicks", "first", "play w c3"),
        "resigned in a turn": ("first", "play w c3", "play w resign"),
        "waited for": ("game-set moves clicks", "first", "play w c3", "play b pass"),
        "set up ended": ("game-position boloa 3 B../B../B.. w",),
    },
    "robble": {
        "set up ended": ("game-position robble 2 BW/BB w",),
        "set up before the end": ("game-position robble 3 BWB/WB./BWB w",),
    },
    "pilo": {
        "half clicked": ("first", "second", "play b b2"),
        "must pass": ("game-position pilo 3 B1B2x/xxW2/W3xx w passes=1",),
        "passed": ("game-position pilo 3 B1B2x/xxW2/W3xx w", "play w pass"),
        "set up ended": ("game-position pilo 3 xB2W1/B2xW3/xxx b passes=2",),
    },
}


def states() -> Iterator:
    """Every state in every game that has it; parameters are the game and the way to the state.

    The fast part has each state once: what can be reached everywhere, in one of the games in turn.
    """
    turns = cycle(games())
    for name, way in EVERYWHERE.items():
        having = [
            game for game in games() if game.has_pie or not any("swap" in line for line in way)
        ]
        chosen = next(game for game in turns if game in having)
        for game in having:
            marks = [thorough] if name == LARGE or game is not chosen else []
            yield pytest.param(game.name, way, id=f"{game.name}: {name}", marks=marks)
    for game_name, only_here in SOME.items():
        for name, way in only_here.items():
            yield pytest.param(game_name, way, id=f"{game_name}: {name}")


# What to say behind a command that takes something, beside nothing at all.
USUAL_ARGUMENTS = ["b 1", "w", "1", "a1"]
ARGUMENTS = {
    "boardsize": ["3", "3 3"],
    "final_status_list": ["alive", "dead"],
    "game-dialog": ["level 3"],
    "game-explain": ["b a1", "w b2", "b a1 0", "b b2 0.01", "w swap 0.01", "w pass", "0.01"],
    "game-gfx_openings": ["1 0", "2 0.01"],
    "game-handicap": ["pilo 6 2", "robble 7 1", "implo 5 0"],
    "game-help": ["play"],
    "game-hint": ["0.01"],
    "game-judge": ["robble.place.1 a1"],
    "game-judge_lesson": ["robble.place.1 a1"],
    "game-legal_turns": ["50"],
    "game-lessons": ["robble"],
    "game-perft": ["1", "1 turns"],
    "game-pie": ["sides", "off"],
    "game-position": ["robble 3 B../.W./... b"],
    "game-printsgf": ["plain", "display", "clicks"],
    "game-resolve": ["a1", "a3", "a1 b2"],
    "game-select": ["robble", "boloa 4"],
    "game-set": ["visits 4"],
    "game-daily_puzzle": ["2026-11-26", "9999-12-31 implo", "0000-01-01"],
    "game-judge_puzzle": ["implo.none a1"],
    "game-solve": ["0", "0.01"],
    "game-summary": ["robble"],
    "game-svg": ["plain", "visits", "winrate", "openings"],
    "game-swap": ["pieces", "sides"],
    "game-swap_map": ["1 0", "2 0.01"],
    "game-warning": ["b a1 0.01", "w swap 0.01", "w pass 0.01"],
    "genmove": ["b", "w"],
    "gg-undo": ["1", "2"],
    "gogui-play_sequence": ["b a1 w a2", "w c3"],
    "gogui-setup": ["b a1", "w b2"],
    "gogui-setup_player": ["b", "w"],
    "gogui-version": ["1.6.0"],
    "gomill-savesgf": ["-"],
    "help": ["play"],
    "kata-analyze": ["1", "b 1", "w 1 rootInfo true ownership true", "maxmoves 2 minmoves 2"],
    "kata-benchmark": ["2"],
    "kata-genmove_analyze": ["b 1", "w 1 ownership true"],
    "kata-get-param": ["visits"],
    "kata-search": ["b", "w"],
    "kata-search_analyze": ["b 1", "w 1"],
    "kata-set-param": ["visits 4"],
    "kata-set-params": ['{"visits": 4}'],
    "kata-time_settings": ["absolute 1", "none"],
    "kgs-time_settings": ["absolute 1", "none"],
    "known_command": ["play"],
    "komi": ["6.5"],
    "loadsgf": ["no-such-file.sgf"],
    "lz-analyze": ["1", "b 1"],
    "lz-genmove_analyze": ["b 1", "w 1"],
    "play": ["b a1", "w b2", "w swap", "b pass", "w resign", "b a1/a2"],
    "printsgf": [],
    "rectangular_boardsize": ["3 3"],
    "reg_genmove": ["b", "w"],
    "time_left": ["b 1 0"],
    "time_settings": ["1 0 0"],
}

LINES = [
    f"{command.name} {words}".rstrip()
    for command in registry()
    for words in ("", *(ARGUMENTS.get(command.name, USUAL_ARGUMENTS) if command.arguments else ()))
]
# These take seconds without a bound of their own, and on the largest board with one.
SLOW = {
    command.name
    for command in registry()
    if "# interrupt" in command.doc or "seconds at most" in command.doc
}
ASKING = {
    command.name
    for command in registry()
    if "\nEffect:" not in command.doc
    or "\nEffect: none" in command.doc
    or command.name.startswith("gogui-rules_")
}
FAILING = {command.name for command in registry() if "\nFails:" in command.doc}
REPLYING = {command.name for command in registry() if "\nReply:" in command.doc}


def reach(drive: Driver, line: str) -> None:
    """Take one step of the way to a state: a command, or words for what the game has for it."""
    session = drive.session
    if line in TURNS:
        color = session.position.to_move.letter
        drive(f"play {color} {TURNS[line].get(session.game.name, session.legal_steps()[0])}")
        while session.position.open and session.game.name not in FIRST:
            drive(f"play {color} {session.legal_steps()[0]}")
    elif line == "clicked swap":
        piece = next(vertices(session.position.occupied()))
        while session.position.swaps():
            drive(f"play w {piece}")
    elif line == "set up again":
        drive(f"game-position {drive('game-position')}")
    elif line == "engine's first":
        drive("genmove b")
    elif line == "play out":
        while session.outcome is None:
            drive(f"genmove {session.position.to_move.letter}")
    elif line == "pass":
        drive(f"play {session.position.to_move.letter} pass")
    else:
        drive(line)


class Strict:
    """A log to which no error may come, also not from a stream, whose response begins with `=`."""

    def exception(self, *said: str) -> None:
        raise AssertionError(said)

    def __getattr__(self, name: str):
        return lambda *said: None


@pytest.mark.parametrize("game, way", list(states()))
def test_every_command_answers_and_what_asks_changes_nothing(
    game: str, way: tuple[str, ...], tmp_path: Path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gtp_engine.gtp.wire.dispatch.logger", Strict)
    drive = Driver(game, 4)
    for line in ("game-set visits 3", "game-set hash_mb 1", *way):
        reach(drive, line)
    session = drive.session
    drive("gogui-rules_game_id")
    before = session.state
    for line in LINES:
        if line in SLOW or (session.position.size > 5 and line.split()[0] in SLOW):
            session.interrupt.set()
        response = drive.send(line)
        session.interrupt.clear()
        name = line.split()[0]
        if name in ASKING or not response.success:
            assert session.state is before, line
        assert response.success or name in FAILING, f"{line}: {response.text}"
        assert not response.success or not response.text or name in REPLYING, line
        session.state = before
