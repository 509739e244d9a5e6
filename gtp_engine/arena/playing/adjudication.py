"""Adjudication: games ended early by reported chances, by a number of turns, or by a proof.

A game is adjudicated only if the match asks for it. The chances are those that the players report.
The judge ends a game only with a proof; its evaluation of a position does not count.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gtp_engine.arena.playing.pool import EnginePool
from gtp_engine.arena.playing.running_engine import Forfeit, RunningEngine, Void
from gtp_engine.arena.setup.config import (
    ADJUDICATOR,
    Adjudicating,
    Engine,
    Match,
    Terms,
    WrongMatch,
)
from gtp_engine.arena.values import Adjudication, Board, TurnRecord
from gtp_engine.base.log import logger
from gtp_engine.base.numbers import number_of
from gtp_engine.rules import find_game
from gtp_engine.rules.clock import UNLIMITED
from gtp_engine.rules.game import Position
from gtp_engine.rules.points.color import BLACK, WHITE, Color
from gtp_engine.rules.step import SWAPS

SOLVE = "game-solve"

# A judge gets this many seconds to answer beyond its thinking time.
_GRACE = 60.0


class AdjudicatedResult(NamedTuple):
    """The end of a game: the color that wins or None for a draw, the reason, and a sentence."""

    winner: Color | None
    why: Adjudication
    reason: str


def check_judge(match: Match, pool: EnginePool) -> None:
    """Check before the first game that the judge, if there is one, can prove results.

    Raises WrongMatch.
    """
    if not match.adjudication.judge:
        return
    try:
        with pool.lent(Engine(ADJUDICATOR, match.adjudication.judge), match.terms) as judge:
            if judge.tell(f"known_command {SOLVE}") != "true":
                raise WrongMatch(f"adjudication: the judge has no command {SOLVE}")
            for board in match.played_boards():
                judge.new_game(board, UNLIMITED, seed=0)
    except (Forfeit, Void) as error:
        raise WrongMatch(f"adjudication: the judge fails: {error}") from None


class Adjudicator:
    """Watches one game, turn by turn.

    If the judge fails, the game is played without it.
    """

    def __init__(self, rules: Adjudicating, board: Board, pool: EnginePool) -> None:
        """`pool` lends the judge, if there is one."""
        self._rules, self._board, self._pool = rules, board, pool
        self._turns = 0
        # For each engine: its last consecutive turns in which it reported a loss, and a win.
        self._lost: dict[str, int] = {}
        self._won: dict[str, int] = {}
        self._judge: RunningEngine | None = None

    def seat(self, terms: Terms, seed: int) -> None:
        """Start the judge, if there is one."""
        if self._rules.judge:
            try:
                self._judge = self._pool.take(Engine(ADJUDICATOR, self._rules.judge), terms)
                self._judge.new_game(self._board, UNLIMITED, seed)
            except (Forfeit, Void) as error:
                self._dismiss(error)

    def leave(self, sound: bool = True) -> None:
        """Return the judge to the pool."""
        if self._judge is not None:
            self._pool.give(self._judge, sound)
            self._judge = None

    def tell(self, color: Color, word: str) -> None:
        """Tell the judge the turn that was played."""
        if self._judge is not None:
            try:
                self._judge.play(color, word)
            except Forfeit as error:
                self._dismiss(error)

    def verdict(
        self, turn: TurnRecord, position: Position, seats: Sequence[str]
    ) -> AdjudicatedResult | None:
        """The end of the game after a whole turn that led to a position; None if it goes on.

        seats -- the names of the engines that play BLACK and WHITE after the turn
        """
        self._turns += 1
        given_up = self._resignation(turn, seats)
        return given_up or self._proof(position) or self._end_by_count(position)

    def _resignation(self, turn: TurnRecord, seats: Sequence[str]) -> AdjudicatedResult | None:
        """The end of a game that the loser, or both engines, report as decided.

        An engine that says `swap-sides` reports its chance by the color that it gives up.
        """
        rules, name = self._rules, turn.engine
        if not rules.resign:
            return None
        chance = turn.value
        if chance is not None and turn.color is WHITE:
            chance = round(1 - chance, 6)
        lost = chance is not None and chance <= rules.resign
        won = chance is not None and chance >= round(1 - rules.resign, 6)
        self._lost[name] = self._lost.get(name, 0) + 1 if lost else 0
        self._won[name] = self._won.get(name, 0) + 1 if won else 0
        for loser, count in self._lost.items():
            agreed = [won for other, won in self._won.items() if other != loser]
            both = not rules.resign_both or max(agreed, default=0) >= rules.resign_turns
            if count >= rules.resign_turns and both:
                return self._given_up(Color(seats.index(loser)), loser)
        return None

    def _given_up(self, color: Color, name: str) -> AdjudicatedResult:
        turns = number_of(self._rules.resign_turns, "turn")
        least = f"at most {self._rules.resign:.1%} in {turns}"
        agreed = ", and its opponent agreed" if self._rules.resign_both else ""
        reason = f"adjudicated: {name} gave itself {least}{agreed}"
        return AdjudicatedResult(color.opponent, Adjudication.RESIGN, reason)

    def _proof(self, position: Position) -> AdjudicatedResult | None:
        """The end of the game if the judge proves a result."""
        if self._judge is None or position.outcome() is not None:
            return None
        if any(step in SWAPS.values() for step in position.legal_steps()):
            return None  # a swap may still exchange the colors
        seconds = self._rules.judge_seconds
        try:
            answer = self._judge.tell(f"{SOLVE} {seconds:g}", seconds + _GRACE)
        except Forfeit as error:
            self._dismiss(error)
            return None
        words = answer.partition("\n")[0].strip().lower()
        names = find_game(self._board.game).color_names
        for color in (BLACK, WHITE):
            if words == f"{names[color].lower()} wins":
                reason = f"adjudicated: the judge has proven that {names[color]} wins"
                return AdjudicatedResult(color, Adjudication.JUDGE, reason)
        if words == "draw":
            return AdjudicatedResult(
                None, Adjudication.JUDGE, "adjudicated: the judge has proven a draw"
            )
        return None

    def _end_by_count(self, position: Position) -> AdjudicatedResult | None:
        most = self._rules.max_turns
        if not most or self._turns < most or position.outcome() is not None:
            return None
        reason = f"adjudicated: no result after {number_of(most, 'turn')}"
        return AdjudicatedResult(None, Adjudication.MAX_TURNS, reason)

    def _dismiss(self, error: Forfeit | Void) -> None:
        logger().warning("the judge of results fails: {}", error)
        self.leave(sound=False)
