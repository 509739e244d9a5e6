"""The surroundings of a game: engines, listeners, the console, and the state for all."""

import asyncio
import sys
from collections import deque
from collections.abc import Callable, Mapping
from typing import cast

from gtp_engine.gtp.child import Launch
from gtp_engine.gtp.process import EngineProcess
from gtp_engine.table.analyst import Analyst
from gtp_engine.table.capabilities import Role
from gtp_engine.table.follower import Follower
from gtp_engine.table.messages import (
    COLORS,
    ERROR,
    INFO,
    CannotDo,
    Listener,
    Message,
    opponent,
    told,
)
from gtp_engine.table.seats import Players
from gtp_engine.table.shown_game import SWAP, SWAP_SIDES, BoardGame
from gtp_engine.table.variations import GameNode

BOARD, ANALYST = "board", "analyst"
"""The names of the engines without a seat."""

LONGEST_LINE_SHOWN = 2000
"""Most characters of a line in the console."""

PIES = ("pieces", "sides", "off")

OUR_ENGINE = (sys.executable, "-I", "-m", "gtp_engine")
"""Words of a command that starts the engine of this package."""

_TAIL = 500  # lines of the console that are stored
_NOTES = {
    SWAP: "The pieces have changed color. The players keep their colors.",
    SWAP_SIDES: "The players have exchanged colors.",
}


class Surroundings:
    """A game, its players and its analyst, and the messages about them."""

    def __init__(
        self,
        engines: Mapping[str, Launch],
        *,
        board: Launch | None = None,
        analyst: Launch | None = None,
    ) -> None:
        """Prepare a table; `start` starts the board engine.

        engines -- commands of the engines that can play, by name
        board   -- command of the engine that checks turns and draws, and never searches; None for
                   ours
        analyst -- command of the engine that analyzes; None for the same as `board`
        """
        if taken := {BOARD, ANALYST} & set(engines):
            raise ValueError(
                f"the name {min(taken)} is reserved; choose another name for the engine"
            )
        self.catalog: Message = {}
        """The board engine's reply to `game-catalog`."""
        self._listeners: list[Listener] = []
        self._console: deque[Message] = deque(maxlen=_TAIL)
        board = OUR_ENGINE if board is None else board
        followers = {
            name: self._follower(command, name, Role.PLAYER) for name, command in engines.items()
        }
        self._board = self._follower(board, BOARD, Role.BOARD)
        self._game = BoardGame(self._board, self._emit, self._moved)
        self._players = Players(self._game, followers, self._tell, self._say_state)
        command = board if analyst is None else analyst
        follower = self._follower(command, ANALYST, Role.ANALYST)
        self._analyst = Analyst(follower, self._game, self._tell, self._say_state)
        self._all = {BOARD: self._board, ANALYST: follower} | followers
        self._exchanged = False
        self._resigning: tuple[GameNode, str] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._state_due = False

    @property
    def rev(self) -> int:
        """Number of changes of the shown position."""
        return self._game.rev

    @property
    def view(self) -> Message:
        """The view of the shown position."""
        return self._game.view

    @property
    def pace(self) -> float:
        """Shortest seconds per turn while engines play both colors."""
        return self._players.pace

    @pace.setter
    def pace(self, seconds: float) -> None:
        self._players.pace = seconds

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to all messages from now on. Returns a function that unsubscribes."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def state(self) -> Message:
        """The message `state` as it is now.

        rev       -- number of changes of the position; a step states the `rev` it is made for
        view      -- from the board engine; its own `rev` is different
        tree node -- number of games so far, and the shown node
        thinking  -- color, engine and seconds so far of the thinking engine, or None
        paused    -- engines are paused
        reviewed  -- the last review can be saved as a page
        resting   -- an engine is to move here, but does not think
        swap_note -- the effect of a swap just played on the players, or None
        engines   -- as returned by `engines`
        """
        node = self._game.node
        return {
            "kind": "state",
            "rev": self._game.rev,
            "view": self._game.view,
            "tree": self._game.trees,
            "node": node.id,
            "seats": {color: self._players.seats[color].shown() for color in COLORS},
            "thinking": self._players.shown(),
            "paused": self._players.paused,
            "resting": self._resting(),
            "analysing": self._analyst.on,
            "reviewing": self._analyst.reviewing,
            "reviewed": self._analyst.review_page is not None,
            "can_undo": node.parent is not None,
            "can_redo": bool(node.children),
            "swap_note": _NOTES.get(node.word),
            "pie": self._game.start.pie,
            "engines": self.engines(),
        }

    def nodes(self) -> Message:
        """The message `nodes` with the whole tree, and `reset` true."""
        return self._game.nodes()

    def engines(self) -> list[Message]:
        """For each engine `name`, `running`, `down`, `fault` and `missing` (sentences)."""
        return [follower.shown() for follower in self._all.values()]

    def console_tail(self) -> list[Message]:
        """The last messages `console`, for a new viewer."""
        return list(self._console)

    def _follower(self, command: Launch, name: str, role: Role) -> Follower:
        follower = Follower(command, name, role, self._heard, self._tell)
        follower.changed = self._say_state
        return follower

    def _named(self, engine: str) -> Follower:
        if engine not in self._all:
            raise CannotDo(f"There is no engine {engine[:60]}.")
        return self._all[engine]

    def _check_size(self, game: str, size: int) -> None:
        """Raises CannotDo for a size that the game does not have."""
        least, most = self._listed(game)["sizes"]
        if not least <= size <= most:
            raise CannotDo(f"The size of the board must be from {least} to {most}.")

    def _listed(self, game: str) -> Message:
        """The catalog's entry of a game. Raises CannotDo."""
        for found in self.catalog["games"]:
            if found["name"] == game:
                return cast(Message, found)
        names = ", ".join(found["name"] for found in self.catalog["games"])
        raise CannotDo(f"There is no game {game[:60]!r} here; there are {names}.")

    def _with_people(self) -> bool:
        return any(seat.is_human for seat in self._players.seats.values())

    def _for_person(self, node: GameNode) -> bool:
        """Whether a person is to move at a node, where the players may have exchanged colors."""
        exchanged = self._game.exchanged(node) != self._exchanged
        return self._players.is_person(opponent(node.to_move) if exchanged else node.to_move)

    def _resting(self) -> bool:
        """Whether an engine is to move but does not think."""
        node = self._game.node
        idle = self._players.thinking is None and not node.over
        return idle and not self._players.is_person(node.to_move)

    def _moved(self) -> None:
        """React to a change of the shown position."""
        node = self._game.node
        if self._game.exchanged(node) != self._exchanged:
            self._exchanged = not self._exchanged
            seats = self._players.seats
            self._players.seats = {color: seats[opponent(color)] for color in COLORS}
        self._players.drive()
        self._analyst.follow()
        self._say_state()

    def _say_state(self) -> None:
        """Announce the state once, after the present task."""
        if not self._state_due and self._game.view:
            self._state_due = True
            asyncio.get_running_loop().call_soon(self._say_state_now)

    def _say_state_now(self) -> None:
        self._state_due = False
        self._emit(self.state())

    def _tell(self, text: str, error: bool) -> None:
        self._emit(told(ERROR if error else INFO, text))

    def _heard(self, engine: EngineProcess, direction: str, text: str) -> None:
        shown = text[:LONGEST_LINE_SHOWN] + "..." * (len(text) > LONGEST_LINE_SHOWN)
        line = {"kind": "console", "engine": engine.name, "direction": direction, "text": shown}
        self._console.append(line)
        self._emit(line)

    def _emit(self, message: Message) -> None:
        for listener in list(self._listeners):
            listener(message)
