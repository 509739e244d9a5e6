"""One game between two engines, with the arena as referee and timekeeper."""

import socket
import threading
import time
from typing import NamedTuple

from gtp_engine.arena.playing.adjudication import AdjudicatedResult, Adjudicator
from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.running_engine import Forfeit, Remark, RunningEngine, Void
from gtp_engine.arena.setup.config import Engine, Match
from gtp_engine.arena.setup.timekeeper import Taken, Timekeeper
from gtp_engine.arena.values import (
    Adjudication,
    Evidence,
    Fault,
    GameKey,
    GameRecord,
    GameResult,
    LiveGame,
    TurnRecord,
)
from gtp_engine.rules import find_game
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import Clicks, Reading, Unreadable, read_turn
from gtp_engine.rules.points.color import Color
from gtp_engine.rules.step import SWAP_SIDES, SWAPS, IllegalStep, Pie

RESIGN = "resign"

# An engine out of time counts as stalled after this many further seconds.
GRACE = 2.0


class GameTask(NamedTuple):
    """A game to play. It can be sent to another machine.

    opening -- the turns of the opening
    seed    -- the value of `{seed}` in the engines' settings
    """

    key: GameKey
    match: Match
    opening: tuple[str, ...]
    seed: int

    def engine(self, color: Color) -> Engine:
        """The engine that begins with a color."""
        name = self.key.engines[color]
        return next(engine for engine in self.match.engines if engine.name == name)


class GameEnd(NamedTuple):
    """How a game ended: see GameResult."""

    winner: str | None
    result: str
    reason: str
    fault: Fault | None = None
    adjudicated: Adjudication | None = None


class LiveGames:
    """The games in progress, as reported by the threads that play them. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: dict[GameKey, LiveGame] = {}
        self._changed = True

    def begin(self, key: GameKey, opening: tuple[str, ...]) -> None:
        """Register a game whose engines are ready."""
        with self._lock:
            self._games[key] = LiveGame(key, opening, ())
            self._changed = True

    def add(self, key: GameKey, turn: TurnRecord) -> None:
        """Add a turn to a registered game."""
        with self._lock:
            game = self._games[key]
            self._games[key] = game._replace(turns=(*game.turns, turn))
            self._changed = True

    def end(self, key: GameKey) -> None:
        """Remove a finished or void game, if it was registered."""
        with self._lock:
            self._changed |= self._games.pop(key, None) is not None

    def news(self) -> list[LiveGame] | None:
        """All games in progress; None if nothing has changed since the last call."""
        with self._lock:
            if not self._changed:
                return None
            self._changed = False
            return list(self._games.values())


def play_game(task: GameTask, pool: EnginePool, live: LiveGames | None = None) -> GameRecord:
    """Play a game to its end. Raises Void if the game is void by nobody's fault, and WrongMatch if
    this machine has too few cores for it.

    live -- receives the state of the game
    """
    live = live or LiveGames()
    try:
        with pool.cores(task.match.cores) as processors:
            return _play_game(task, pool, processors, live)
    finally:
        live.end(task.key)


def _play_game(
    task: GameTask, pool: EnginePool, processors: tuple[int, ...], live: LiveGames
) -> GameRecord:
    started, begun = time.time(), time.monotonic()
    game = _Game(task, pool, processors, live)
    culprit: str | None = None
    evidence: list[Evidence] = []
    try:
        game.seat()
        ending = game.play()
    except Forfeit as error:
        if pool.closed:
            raise Void("the match was stopped") from error
        culprit, evidence = error.engine, [error.evidence]
        ending = game.forfeited(error)
    finally:
        game.adjudicator.leave()
        for player in game.players:
            pool.give(player, sound=player.engine.name != culprit)
    result = GameResult(
        key=task.key,
        opening=task.opening,
        swapped=game.swapped,
        started=started,
        seconds=time.monotonic() - begun,
        length=len(game.turns),
        worker=socket.gethostname(),
        **ending._asdict(),
    )
    if ending.fault:
        evidence += [player.evidence for player in game.players]
    return GameRecord(result, tuple(game.turns), tuple(each for each in evidence if each.lines))


class _Game:
    """A game in progress.

    players -- the engines started so far; the one that begins as BLACK comes first
    seats   -- the names of the engines that now play BLACK and WHITE
    """

    def __init__(
        self, task: GameTask, pool: EnginePool, processors: tuple[int, ...], live: LiveGames
    ) -> None:
        board = task.key.board
        self._task, self._pool, self._live = task, pool, live
        self._terms = task.match.terms._replace(processors=processors)
        self._position: Position = find_game(board.game).start(board.size, Pie(board.pie))
        self._clicks: Clicks = ()
        self._keepers = {
            engine.name: Timekeeper(task.match.control(engine), task.match.leniency)
            for engine in map(task.engine, Color)
        }
        self.adjudicator = Adjudicator(task.match.adjudication, board, pool)
        self.players: list[RunningEngine] = []
        self.seats = list(task.key.engines)
        self.turns: list[TurnRecord] = []
        self.swapped = False

    def seat(self) -> None:
        """Start the engines, and set them to the game and its opening."""
        task = self._task
        for color in Color:
            self.players.append(self._pool.take(task.engine(color), self._terms))
        for player in self.players:
            control = task.match.control(player.engine)
            player.new_game(task.key.board, control, task.seed)
        self.adjudicator.seat(self._terms, task.seed)
        for word in task.opening:
            color, reading = self._position.to_move, read_turn(self._position, (), word)
            for player in self.players:
                self._pay(player, player.play(color, word))
            self.adjudicator.tell(color, word)
            self._advance(reading)
        self.swapped = False  # the opening's swap is no engine's
        self._live.begin(task.key, task.opening)

    def play(self) -> GameEnd:
        """Play until the game is over."""
        while (outcome := self._position.outcome()) is None:
            if not self._turn():
                return self._resigned(self._position.to_move)
            verdict = self.adjudicator.verdict(self.turns[-1], self._position, self.seats)
            if verdict is not None and self._position.outcome() is None:
                return self._adjudicated(verdict)
        winner = None if outcome.winner is None else self.seats[outcome.winner]
        return GameEnd(winner, str(outcome), outcome.reason)

    def forfeited(self, error: Forfeit) -> GameEnd:
        """The end of a game by a fault."""
        winner = self.seats[1 - self.seats.index(error.engine)]
        sign = Color(self.seats.index(winner)).sign
        letter = "T" if error.fault is Fault.TIME else "F"
        return GameEnd(winner, f"{sign}+{letter}", f"{error.engine}: {error}", error.fault)

    def _adjudicated(self, verdict: AdjudicatedResult) -> GameEnd:
        color, why, reason = verdict
        if color is None:
            return GameEnd(None, "0", reason, adjudicated=why)
        return GameEnd(self.seats[color], f"{color.sign}+", reason, adjudicated=why)

    def _resigned(self, color: Color) -> GameEnd:
        winner = self.seats[color.opponent]
        return GameEnd(winner, f"{color.opponent.sign}+R", f"{self.seats[color]} resigned")

    def _turn(self) -> bool:
        """Play one turn, in one or more responses; False if the engine resigned."""
        color, name = self._position.to_move, self.seats[self._position.to_move]
        while True:
            player, other = self._player(name), self._player(self.seats[color.opponent])
            answer, taken = self._choose(player, color)
            charge = self._keepers[name].charge(taken)
            self._check_time(player)
            if answer.lower() == RESIGN:
                return False
            reading = self._read(player, answer)
            word, remark = reading.word, self._remark(player)
            self.turns.append(TurnRecord(name, color, word, taken.seconds, *remark, *charge))
            self._live.add(self._task.key, self.turns[-1])
            told = answer if reading.clicks or self._clicks else word
            self._pay(other, other.play(color, told))
            self.adjudicator.tell(color, told)
            self._advance(reading)
            if not (self._clicks or self._position.open):
                self._keepers[name].end_turn()
                return True

    def _choose(self, player: RunningEngine, color: Color) -> tuple[str, Taken]:
        """Send an engine its clock, and ask it for a turn."""
        keeper = self._keepers[player.engine.name]
        self._pay(player, player.tell_clock(color, keeper.clock))
        timeout = keeper.timeout
        if timeout is None:
            return player.choose(color, self._task.match.patience)
        return player.choose(color, timeout + GRACE)

    def _pay(self, player: RunningEngine, taken: Taken | None) -> None:
        """Charge an engine for a command other than `genmove`."""
        if taken is not None:
            self._keepers[player.engine.name].charge_untimed(taken)
            self._check_time(player)

    def _check_time(self, player: RunningEngine) -> None:
        """Raises Forfeit for time lost, or Void if the arena was paused during the turn."""
        name = player.engine.name
        keeper = self._keepers[name]
        if keeper.loss is None:
            return
        if keeper.paused:
            raise Void.by_pause(name, keeper.loss, keeper.paused)
        raise Forfeit(name, Fault.TIME, keeper.loss)

    def _read(self, player: RunningEngine, word: str) -> Reading:
        try:
            return read_turn(self._position, self._clicks, word)
        except Unreadable as error:
            flaw = f"not a turn: {word[:60]} ({error})"
        except IllegalStep as error:
            flaw = f"{word[:60]}: {error}"
        raise Forfeit(player.engine.name, Fault.ILLEGAL, flaw)

    def _remark(self, player: RunningEngine) -> Remark:
        if not self._task.match.comments:
            return Remark()
        remark, taken = player.remark(self._task.key.board.game)
        self._pay(player, taken)
        return remark

    def _advance(self, reading: Reading) -> None:
        """Go to the position that a reading leads to; after `swap-sides` the players change."""
        self.swapped |= any(step in SWAPS.values() for step in reading.steps)
        if SWAP_SIDES in reading.steps:
            self.seats.reverse()
        self._position, self._clicks = reading.position, reading.clicks

    def _player(self, name: str) -> RunningEngine:
        return next(player for player in self.players if player.engine.name == name)
