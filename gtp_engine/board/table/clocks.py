"""The clocks of a game: how much time each color has left, and whose clock runs.

The time that a color has left after its turn is kept at the node of the turn. So whoever takes a
turn back gets its time back, and a record has the times of all turns that were played here. What
the color to move has used of its next turn is taken from its time at the same node when the clock
stops: it is not given back to whoever looks at another position, pauses the game, or takes back a
step of the turn.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from gtp_engine.board.table.clock_kinds import Timing, seconds_in
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import BLACK, COLORS, WHITE
from gtp_engine.board.table.shown_game import BoardGame
from gtp_engine.board.table.variations import GameNode, Times
from gtp_engine.rules.clock import UNLIMITED, Clock
from gtp_engine.rules.records.record import TIMEOUT, RecordNode

_LEFT = {color: f"{color[0].upper()}L" for color in COLORS}


class Clocks:
    """The clocks of the shown game. Without a timing they do nothing.

    The clock of the color to move runs at the end of a line, from each color's second turn on: so
    nobody loses time before both are there, and players who swap sides have lost none. None runs
    beside a game that is over.
    """

    def __init__(
        self,
        game: BoardGame,
        stop_players: Callable[[], None],
        now: Callable[[], float],
    ) -> None:
        """Nothing runs yet.

        stop_players -- stops an engine that thinks; called when it has run out of time
        now          -- seconds of a clock that never goes back
        """
        self._game, self._stop_players, self._now = game, stop_players, now
        self._node: GameNode | None = None
        self._since: float | None = None
        self._held: GameNode | None = None
        self._urged: GameNode | None = None
        self._fallen: GameNode | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._losing: asyncio.Task[None] | None = None

    @property
    def timing(self) -> Timing | None:
        """The timing of the shown game."""
        return self._game.tree.timing

    def hold(self, node: GameNode) -> None:
        """Let no clock run at this node, until another one is shown."""
        self._held = node

    def urge(self, node: GameNode) -> None:
        """Let the clock run at this node, even if the tree already continues: somebody plays."""
        self._urged = node

    def follow(self, paused: bool) -> None:
        """React to a change of the shown position, or of the pause."""
        node, before = self._game.node, self._node
        if self._counts(node):
            node.times = _with(None, node.color, self._after(node, self._spent))
        if node is not before or (self._since is None) != (paused or not self._may_run(node)):
            if node is before:
                self._keep(node)
            self._start(node, paused)
        if node is self._fallen and self._losing is not None and self._losing.done():
            self._run_out(node)  # the board engine has failed before

    def leave(self, node: GameNode) -> None:
        """Keep what the running turn has used: another node will be shown than the one so far."""
        before = self._node
        if before is not None and not self._counts(node):
            self._keep(before)
            self._since = None
            if before.open and node is before.parent and node is self._urged:
                node.times = _with(node.times, before.color, self._left(before, before.color))

    def clock(self, color: str) -> Clock:
        """The clock of a color now."""
        timing = self.timing
        return UNLIMITED.start() if timing is None else timing.told(self._now_left(color))

    def shown(self) -> Message | None:
        """The clocks in the form of the message `state`; None without a timing."""
        timing = self.timing
        if timing is None:
            return None
        black, white = (round(self._now_left(color), 2) for color in (BLACK, WHITE))
        return timing.shown() | {
            "black": black,
            "white": white,
            "running": None if self._since is None else self._game.node.to_move,
        }

    @property
    def running(self) -> tuple[float, float] | None:
        """What Black and White have left while a clock runs; None while none does."""
        if self._since is None:
            return None
        return self._now_left(BLACK), self._now_left(WHITE)

    def stop(self) -> None:
        """Stop for good."""
        if self._timer is not None:
            self._timer.cancel()

    @property
    def _spent(self) -> float:
        return 0.0 if self._since is None else self._now() - self._since

    def _counts(self, node: GameNode) -> bool:
        """Whether a node is shown because its turn has just been played, in measured time.

        Nobody knows the time that a turn of a record took.
        """
        if self.timing is None or not self._game.played or node.parent is not self._node:
            return False
        return self._since is not None or (node is self._game.added and node.times is None)

    def _keep(self, node: GameNode) -> None:
        """Take what the color to move has used from its time at the node that was shown."""
        if self._since is not None:
            left = self._left(node, node.to_move) - self._spent
            node.times = _with(node.times, node.to_move, max(0.0, left))

    def _may_run(self, node: GameNode) -> bool:
        begun = node.number > 2 or (node.number == 2 and not node.open)
        ends = not node.children or node is self._urged
        over = node.over or self._game.tree.end.over
        there = ends and not over and node is not self._held
        return self.timing is not None and begun and there

    def _start(self, node: GameNode, paused: bool) -> None:
        self.stop()
        self._node, self._since = node, None
        if node is not self._held:
            self._held = None
        if node is not self._urged:
            self._urged = None
        if node is not self._fallen:
            self._fallen = None
        if self._may_run(node) and not paused:
            self._since = self._now()
            left = max(0.0, self._left(node, node.to_move))
            self._timer = asyncio.get_running_loop().call_later(left, self._run_out, node)

    def _run_out(self, node: GameNode) -> None:
        self._fallen = node
        self._losing = asyncio.get_running_loop().create_task(self._lose(node))

    async def _lose(self, node: GameNode) -> None:
        """End the game at a node: the color to move has run out of time.

        A pause that came later changes nothing. If the board engine fails, which is told, the flag
        falls when that engine is there again: see `follow`.
        """
        async with self._game.lock:
            if self._game.node is node is self._fallen:
                self._stop_players()
                with suppress(CannotDo):
                    await self._game.play(node.to_move, TIMEOUT)
                    self._fallen = None

    def _now_left(self, color: str) -> float:
        node = self._game.node
        spent = self._spent if color == node.to_move else 0.0
        return max(0.0, self._left(node, color) - spent)

    def _left(self, node: GameNode, color: str, whole_turn: bool = False) -> float:
        """What a color had left when a node was reached.

        whole_turn -- when its last whole turn until then was over
        """
        at: GameNode | None = node
        while at is not None:
            left = None if at.times is None else at.times[_index(color)]
            counts = not whole_turn or (at.color == color and not at.open)
            if left is not None and counts:
                return left
            at = at.parent
        return self._whole

    def _after(self, node: GameNode, spent: float) -> float:
        """What the color of a turn, or of a part of one, has left after it."""
        assert node.parent is not None
        left = max(0.0, self._left(node.parent, node.color) - spent)
        if node.open or node.over or self.timing is None:
            return left
        return self.timing.after(self._left(node.parent, node.color, whole_turn=True), left)

    @property
    def _whole(self) -> float:
        """What each color has at the start."""
        return 0.0 if self.timing is None else self.timing.start


def write_times(node: GameNode, written: RecordNode) -> None:
    """Put the time that the mover has left into a turn of a record."""
    mover = node.times[_index(node.color)] if node.times is not None and node.color else None
    if mover is not None:
        written.put(_LEFT[node.color], f"{mover:.2f}".rstrip("0").rstrip("."))


def read_times(node: GameNode, timing: Timing | None) -> None:
    """Take the times of a turn that a record says."""
    left = seconds_in(node.read.text(_LEFT.get(node.color, "")))
    if timing is not None and left is not None:
        node.times = _with(None, node.color, left)


def _with(times: Times | None, color: str, seconds: float) -> Times:
    """Times in which a color has so many seconds left."""
    black, white = times or (None, None)
    return (seconds, white) if color == BLACK else (black, seconds)


def _index(color: str) -> int:
    return int(color != BLACK)
