"""Matches made by dice, for counts and reports: no engine plays. And an arena without pauses."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

from gtp_engine.arena.playing import running_engine
from gtp_engine.arena.playing.runner_delays import Pauses, lateness
from gtp_engine.arena.setup.config import Match
from gtp_engine.arena.setup.tables import make_match
from gtp_engine.arena.storage.store import Store
from gtp_engine.arena.values import Board, Fault, GameKey, GameResult
from gtp_engine.base.statistics.statistics import expected_score

START = 1_790_000_000.0


def without_pauses(monkeypatch) -> None:
    """Let the arena take no delay of a busy machine for a pause, which would make games void."""
    watch = SimpleNamespace(at=lateness().at, paused=lambda since, until: Pauses(0.0, 0.0))
    monkeypatch.setattr(running_engine, "lateness", lambda: watch)


def match_of(*names: str, **settings) -> Match:
    """A match of engines that are never started."""
    engines = [{"name": name, "command": f"engine-{number}"} for number, name in enumerate(names)]
    return make_match({"engines": engines, "boards": ["robble 5"], **settings})


def new_match(path: Path) -> Path:
    """The file of a match of A and B, in which no game was played yet."""
    with closing(Store(path)) as store:
        store.begin(match_of("A", "B"), {})
    return path


def game_of(
    first: str,
    second: str,
    number: int,
    half: int,
    winner: str | None,
    board: Board = Board("robble", 5, "pieces"),  # noqa: B008
    opening: tuple[str, ...] = (),
    fault: Fault | None = None,
    swapped: bool = False,
    length: int = 30,
    started: float = START,
    worker: str | None = None,
) -> GameResult:
    """A game: `winner` is a name, None for a draw; `half` 1 where `second` begins as BLACK."""
    key = GameKey(board, first, second, number, half)
    black = key.engines[0]
    sign = "0" if winner is None else "B+" if winner == black else "W+"
    if fault:
        sign += "F"
    loser = second if winner == first else first
    reason = f"{loser}: {fault.value}" if fault else "the board is full"
    return GameResult(
        key, opening, winner, sign, reason, fault, swapped, started, 2.0 + length / 10, length,
        worker=worker,
    )  # fmt: skip


def games_between(first: str, second: str, scores: str, **settings) -> Iterator[GameResult]:
    """Games by what they brought to `first`: `11 1= 0` are two pairs and half a one."""
    winners = {"1": first, "0": second, "=": None}
    for number, pair in enumerate(scores.split()):
        for half, score in enumerate(pair):
            yield game_of(first, second, number, half, winners[score], **settings)


def random_games(match: Match, strengths: dict[str, float], seed: int = 1) -> Iterator[GameResult]:
    """All games of a match, in order; `strengths` are Elo. The first turn is worth 60 Elo."""
    rng = random.Random(seed)
    moment = START
    kinds = list(Fault)
    for number in match.pairs:
        for board in match.played_boards():
            opening = tuple(f"{rng.choice('ABCDE')}{rng.randrange(1, 6)}" for _ in range(2))
            if match.openings.source == "none":
                opening = ()
            for pairing in match.pairings():
                first, second = (engine.name for engine in pairing)
                luck = rng.gauss(0, 80)
                for half in (0, 1):
                    edge = (60 + luck) * (1 - 2 * half)
                    chance = expected_score(strengths[first] - strengths[second] + edge)
                    winner = first if rng.random() < chance else second
                    length = max(4, round(rng.gauss(6 * board.size, board.size)))
                    fault = None
                    if rng.random() < 0.01:
                        fault = rng.choice(kinds)
                    elif rng.random() < 0.06:
                        winner = None
                    swapped = not opening and rng.random() < 0.4
                    game = game_of(
                        first, second, number, half, winner, board, opening, fault, swapped,
                        length, moment,
                    )  # fmt: skip
                    moment += game.seconds
                    yield game
