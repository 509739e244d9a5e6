"""An account of the times of a game, kept by a spectator's own watch.

It knows the rules of the clocks (board-server.md), and shares no code with the board.
"""

from typing import Any, NamedTuple

State = dict[str, Any]

CLOSE = 1.0
"""Seconds by which the board's clocks may differ."""


class Wrong(AssertionError):
    """The board has told what cannot be; the text says what."""


class Turn(NamedTuple):
    """A whole turn: the color that played it, and the seconds that it had left then."""

    color: str
    left: float


class Account:
    """The times of one game, from the messages `state` that a spectator gets.

    turns    -- all whole turns so far
    furthest -- the largest difference from the board's clocks so far, in seconds
    unseen   -- how often a turn was played that no message told before the board was killed
    """

    def __init__(self, state: State, now: float) -> None:
        """A game begins: `state` is its first one."""
        clock = state["clock"]
        self._kind = next(kind for kind in ("increment", "delay", "turn") if kind in clock)
        self._each = clock[self._kind]
        start = clock.get("main", 0) + (0 if self._kind == "increment" else self._each)
        self.left = {"black": float(start), "white": float(start)}
        self._before = dict(self.left)
        self.turns: list[Turn] = []
        self.furthest, self.unseen = 0.0, 0
        self._state = state
        self._mover, self._since = "", None
        self._held, self._killed = False, now
        self._run(now)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self._state["view"]["outcome"] is not None

    @property
    def reached(self) -> tuple[int, int]:
        """How far the game is: the number of its turn, and the steps of that."""
        return reached(self._state)

    def at(self, now: float) -> dict[str, float]:
        """What each color has left."""
        spent = 0.0 if self._since is None else now - self._since
        return {color: left - spent * (color == self._mover) for color, left in self.left.items()}

    def killed(self, now: float) -> None:
        """The board has ended.

        The next one lets no clock run before the next turn, unless each turn has its own time.
        """
        self._charge(now)
        self._held, self._killed = True, now

    def take(self, state: State, now: float) -> None:
        """Go on with a message. Raises Wrong."""
        before, self._state = self._state, state
        old, new = reached(before), reached(state)
        if new < old and not self.over:
            raise Wrong(f"the game went back from {old} to {new}")
        if new != old or self.over and before["view"]["outcome"] is None:
            self._played(before, state, now)
        elif state["view"]["position"] != before["view"]["position"]:
            raise Wrong(f"another position after {old}")
        elif self._held and self._kind == "turn":
            self._go_on(state, now)
        elif state["paused"] != before["paused"]:
            self._charge(now)
            self._run(now)
        self._compare(state["clock"], now)

    def _go_on(self, state: State, now: float) -> None:
        """The next board has begun to count, nobody knows just when."""
        color = state["view"]["turn"]["to_move"]
        left, least = state["clock"][color], self.left[color] - (now - self._killed)
        if not least - CLOSE <= left <= self.left[color] + CLOSE:
            raise Wrong(f"{color} has {left} at the next board, not {self.left[color]:.2f}")
        self.left[color], self._held = left, False
        self._run(now)

    def _played(self, before: State, state: State, now: float) -> None:
        late = self._held  # by the board that was killed, or by the next one
        self._charge(now)
        self._held = False
        color, turns = before["view"]["turn"]["to_move"], turn_of(state) - turn_of(before)
        # Who resigns or runs out of time in an open turn ends that, and loses by a turn of its own.
        most = 2 if self.over and before["view"]["turn"]["open"] else 1
        if turns > most:
            raise Wrong(f"{turns} turns at once")
        if turns == 1 or self.over:
            self._finish(color)
        self._run(now)
        if late and not self._agrees(state["clock"], now):
            self._adopt(color, state["clock"])

    def _finish(self, color: str) -> None:
        if not self.over:
            left = self.left[color]
            self.left[color] = {
                "increment": left + self._each,
                "delay": min(self._before[color], left + self._each),
                "turn": float(self._each),
            }[self._kind]
        self._before[color] = self.left[color]
        self.turns.append(Turn(color, self.left[color]))

    def _adopt(self, color: str, clock: State) -> None:
        """Nobody knows when a turn was played that the killed board did not tell any more."""
        if not clock[color] >= self.left[color] - CLOSE:
            raise Wrong(f"{color} has {clock[color]}, less than {self.left[color]:.1f}")
        self.unseen += 1
        self.left[color] = self._before[color] = clock[color]
        if self.turns:
            self.turns[-1] = self.turns[-1]._replace(left=clock[color])

    def _charge(self, now: float) -> None:
        self.left = self.at(now)
        self._since = None

    def _run(self, now: float) -> None:
        if turn_of(self._state) > 2 and not (self.over or self._state["paused"] or self._held):
            self._mover, self._since = self._state["view"]["turn"]["to_move"], now

    def _agrees(self, clock: State, now: float) -> bool:
        return all(abs(clock[color] - left) <= CLOSE for color, left in self.at(now).items())

    def _compare(self, clock: State, now: float) -> None:
        for color, left in self.at(now).items():
            self.furthest = max(self.furthest, abs(clock[color] - max(0.0, left)))
            if abs(clock[color] - max(0.0, left)) > CLOSE:
                raise Wrong(f"{color} has {clock[color]}, not {left:.2f}, in {self.reached}")


def reached(state: State) -> tuple[int, int]:
    """The number of the turn of a state, and how many steps of it are played."""
    turn = state["view"]["turn"]
    return turn["number"], len(turn["steps"])


def turn_of(state: State) -> int:
    """The number of the turn of a state."""
    return int(state["view"]["turn"]["number"])
