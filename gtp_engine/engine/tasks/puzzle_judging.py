"""Judges a line of play at a puzzle or an endgame, and answers it as well as possible."""

import threading
from collections.abc import Sequence
from typing import NamedTuple

from gtp_engine.engine.reasons import result
from gtp_engine.engine.refusals import refusing
from gtp_engine.engine.tasks.judging import Judgment, Status, effects
from gtp_engine.engine.tasks.proof import MOST_POSITIONS, new_solver, read
from gtp_engine.engine.tasks.puzzle import BETTER, ENDGAME, Puzzle
from gtp_engine.engine.view.things import sentence
from gtp_engine.rules.game import Position
from gtp_engine.rules.notation.turns import read_turn, write_turn
from gtp_engine.rules.step import IllegalStep, Step
from gtp_engine.rules.turns import played, turns_of
from gtp_engine.search.backends.choose import AUTO
from gtp_engine.search.budget import Budget
from gtp_engine.search.players import make_player
from gtp_engine.search.solution import DRAWN
from gtp_engine.search.tree import value_for

TURNS = 3
"""So many right turns of the learner solve a puzzle, if the game is not over before."""

# Without the kernel the solver is slow: then a search has to do. A learner waits for both.
_SOLVER_SECONDS = 3.0
_SEARCH_SECONDS = 1.0
_VISITS = 1_000
_SEED = "puzzle"


class _Answer(NamedTuple):
    """The best answer to a turn.

    value -- of the position that is answered, for BLACK
    steps -- the turn
    exact -- whether the solver has found the value
    line  -- best play or its beginning, if the value is exact
    """

    value: float
    steps: tuple[Step, ...]
    exact: bool = False
    line: tuple[Step, ...] = ()


class PuzzleJudge:
    """Judges and answers at one puzzle.

    backend   -- what solves and searches
    interrupt -- ends a solver or a search early
    """

    def __init__(
        self, puzzle: Puzzle, backend: str = AUTO, interrupt: threading.Event | None = None
    ) -> None:
        self._puzzle, self._backend = puzzle, backend
        self._start, self._right = read(puzzle)
        self._color = self._start.to_move
        self._budget = Budget(MOST_POSITIONS, _SOLVER_SECONDS, interrupt)

    def judge(self, turns: Sequence[str]) -> Judgment:
        """Judge the last turn of a line from the puzzle: the learner's turns and the answers.

        OPEN is a part of a turn; or a right turn, after which the learner goes on. The replies hold
        the answer, also to a wrong turn. Raises UnreadableTurn, and IllegalTurn for an illegal turn
        before the last.
        """
        *earlier, last = turns
        position = self._start
        with refusing():
            for word in earlier:
                position = read_turn(position, (), word).position
        try:
            with refusing():
                steps, after, clicks = read_turn(position, (), last)
        except IllegalStep as error:
            reason, rule, _ = error.objection
            return Judgment(Status.REFUSED, (f"{sentence(reason)}.",), (rule,))
        if clicks or (after.open and after.outcome() is None):
            return Judgment(Status.OPEN)
        happened = effects(position, steps)
        judgment = self._judged(after, len(earlier) // 2 + 1)
        did = (f"{sentence(text)}." for _, text in happened)
        return judgment._replace(words=(*did, *judgment.words))

    def _judged(self, after: Position, number: int) -> Judgment:
        """The judgment on the learner's turn of a number, but for what it did."""
        outcome = after.outcome()
        if outcome is not None:
            return Judgment(Status.RIGHT if outcome.winner is self._color else Status.WRONG)
        answer = self._answer(after)
        kind, word = self._puzzle.kind, write_turn(after, answer.steps)
        right = value_for(self._color, answer.value) > DRAWN
        if number == 1:
            right = after in self._right
        if not right:
            text = self._refutation(after, answer, word, number)
            return Judgment(Status.WRONG, (text,), (), (word,))
        if kind == BETTER:
            return Judgment(Status.RIGHT, ("All other turns are far worse.",))
        if kind != ENDGAME and number >= TURNS:
            return Judgment(Status.RIGHT, self._outlook(after, answer))
        ended = played(after, answer.steps).outcome()
        if ended is not None:
            return Judgment(Status.RIGHT, (f"{sentence(ended.reason)}.",), (), (word,))
        name = after.game.color_names[after.to_move]
        return Judgment(Status.OPEN, (f"{name} answers {word}.",), (), (word,))

    def _refutation(self, after: Position, answer: _Answer, word: str, number: int) -> str:
        """Why the learner's turn of a number is wrong."""
        name = after.game.color_names[after.to_move]
        if self._puzzle.kind == BETTER:
            return f"Another turn is far better. {name} answers {word}."
        if answer.exact:
            ends = "draws by" if answer.value == DRAWN else "wins by"
            return f"That gives the win away: {name} {ends} {word}."
        # Of the first turns the puzzle itself tells which ones win.
        thinks = "That gives" if number == 1 else "The search thinks that this gives"
        return f"{thinks} the win away: {name} answers {word}."

    def _outlook(self, after: Position, answer: _Answer) -> tuple[str, ...]:
        """How the game ends, if that is proven."""
        if answer.line:
            return (f"{result(after, answer.value, answer.line)}.",)
        keeps = f"{after.game.color_names[self._color]} keeps the win."
        return (keeps if answer.exact else f"The search thinks that {keeps}",)

    def _answer(self, after: Position) -> _Answer:
        """The best answer: a winning or drawing one by the solver, else the hardest by a search."""
        if self._puzzle.kind == BETTER:
            return self._searched(after)
        found = new_solver(after, self._backend).solve(after, self._budget)
        if found.value is None:
            return self._searched(after)
        first = next(turns_of(after, found.line), None)
        steps = first.steps if first is not None and first.whole else ()
        if value_for(self._color, found.value) > DRAWN or not steps:
            steps = self._searched(after).steps
        return _Answer(found.value, steps, True, found.line)

    def _searched(self, after: Position) -> _Answer:
        player = make_player(after.game, "mcts", _SEED, self._backend)
        budget = self._budget._replace(visits=_VISITS, seconds=_SEARCH_SECONDS)
        choice = player.choose(after, after.legal_steps(), budget)
        return _Answer(choice.value, choice.steps)
