"""The seats, and the engines in them: which engine is to think, and its turns."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from gtp_engine.gtp.faults import EngineFault
from gtp_engine.gtp.process import PLAIN_TIMEOUT
from gtp_engine.gtp.response import Response
from gtp_engine.table.follower import Follower
from gtp_engine.table.messages import BLACK, PERSON, WHITE, CannotDo, Message, Seat
from gtp_engine.table.shown_game import BoardGame
from gtp_engine.table.variations import GameNode


@dataclass(eq=False)
class Thinking:
    """An engine's choice of a turn in progress.

    asked   -- the expected response, once requested
    dropped -- whether the response is no longer wanted
    hurried -- whether the engine must answer immediately when asked
    """

    node: GameNode
    color: str
    seat: Seat
    since: float = field(default_factory=time.monotonic)
    asked: asyncio.Future[Response] | None = None
    dropped: bool = False
    hurried: bool = False


class Players:
    """The players of both colors, and the actions of the engines among them.

    engines -- by name
    seats   -- by color
    paused  -- whether engines are paused
    pace    -- shortest seconds per turn when both colors are engines, so that people can follow
    """

    def __init__(
        self,
        game: BoardGame,
        engines: dict[str, Follower],
        tell: Callable[[str, bool], None],
        changed: Callable[[], None],
    ) -> None:
        """Nobody thinks yet; `changed` is called when another player begins to think."""
        self.engines = engines
        self.seats = {BLACK: PERSON, WHITE: PERSON}
        self.paused = False
        self.pace = 0.0
        self.thinking: Thinking | None = None
        self._game, self._tell, self._changed = game, tell, changed
        self._urged: GameNode | None = None
        self._held: GameNode | None = None
        self._stopped_by: str | None = None
        self._untaken: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def checked(self, black: Seat, white: Seat) -> dict[str, Seat]:
        """The seats by color. Raises CannotDo for an unknown engine."""
        for seat in (black, white):
            if seat.engine is not None and seat.engine not in self.engines:
                raise CannotDo(f"There is no engine {seat.engine[:60]}.")
        return {BLACK: black, WHITE: white}

    def is_person(self, color: str) -> bool:
        """Whether a person plays a color."""
        return self.seats[color].is_human

    def shown(self) -> Message | None:
        """The thinking player, in the form of the message `state`."""
        now = self.thinking
        if now is None:
            return None
        seconds = round(time.monotonic() - now.since, 1)
        return {"color": now.color, "engine": now.seat.engine, "seconds": seconds}

    def urge(self) -> None:
        """Let the engine to move play from here, even if the tree already continues."""
        self.paused = False
        self._stopped_by = None
        self._urged, self._held = self._game.node, None

    def rest(self) -> None:
        """Pause the engines, until `urge`."""
        self.paused = True
        self._stopped_by = None

    def hold(self, node: GameNode) -> None:
        """Pause the engines at this node only, until `urge`."""
        self._held = node

    def revive(self, name: str) -> None:
        """Continue a game that stopped because this engine failed; it has been restarted."""
        if self._stopped_by == name:
            self.urge()

    def drive(self) -> None:
        """Start the engine that is to think, and stop all others."""
        now, wanted = self.thinking, self._wanted()
        if now is not None and wanted == (now.node, now.seat):
            return
        if now is not None:
            self.drop()
        if wanted is not None:
            node, seat = wanted
            self.thinking = Thinking(node, node.to_move, seat)
            task = asyncio.create_task(self._think(self.thinking))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._changed()

    def drop(self) -> None:
        """Discard the expected response."""
        now, self.thinking = self.thinking, None
        if now is None:
            return
        now.dropped = True
        if now.asked is not None and not now.asked.done():
            follower = self.engines[now.seat.engine or ""]
            follower.forget()
            if follower.running:
                follower.engine.interrupt()
            asyncio.get_running_loop().call_later(PLAIN_TIMEOUT, _give_up, follower, now.asked)

    def interrupt(self) -> bool:
        """Let the thinking engine answer now. Returns whether any was thinking."""
        now = self.thinking
        if now is None or (now.asked is not None and now.asked.done()):
            return False
        if now.asked is None:
            now.hurried = True
            return True
        self.engines[now.seat.engine or ""].engine.interrupt()
        return True

    def _wanted(self) -> tuple[GameNode, Seat] | None:
        """The node where an engine is to choose a turn: the end of a line, or an urged node."""
        node = self._game.node
        if self._urged is not node:
            self._urged = None
        if self.paused or node.over or not self._game.view:
            return None
        if (node.children or node is self._held) and self._urged is None:
            return None
        seat = self.seats[node.to_move]
        return None if seat.is_human else (node, seat)

    async def _think(self, now: Thinking) -> None:
        follower = self.engines[now.seat.engine or ""]
        while not now.dropped:
            try:
                async with follower.lock:
                    response = await self._choose(follower, now)
                if response is not None:
                    await self._keep_pace(now)
                    await self._play(follower, now, response)
            except EngineFault:  # already reported
                if not follower.down:
                    continue
                self._stop(now)
            except CannotDo as error:
                self._stop(now, str(error))
            return

    async def _choose(self, follower: Follower, now: Thinking) -> Response | None:
        """The response to `genmove`, None if it is not wanted. Raises EngineFault or CannotDo."""
        if now.dropped:
            return None
        engine = await follower.ready()
        if now.seat.level is not None:
            await self._set_level(follower, now.seat.level)
        if now.dropped:
            return None
        await follower.bring(self._game.start, now.node)
        if now.dropped:
            return None
        now.asked = engine.send(f"genmove {now.color}", None)
        if now.hurried:
            engine.interrupt()
        response = await now.asked
        follower.forget()
        return None if now.dropped else response

    async def _set_level(self, follower: Follower, level: int) -> None:
        """Raises EngineFault."""
        taken = await follower.set_value("level", str(level))
        if not taken and "game-set" in follower.commands and level not in self._untaken:
            self._untaken = {*self._untaken, level} if len(self._untaken) < 100 else {level}
            self._tell(f"{follower.name} does not accept level {level} and keeps its own.", False)

    async def _keep_pace(self, now: Thinking) -> None:
        if not any(seat.is_human for seat in self.seats.values()):
            await asyncio.sleep(max(0.0, self.pace - (time.monotonic() - now.since)))

    async def _play(self, follower: Follower, now: Thinking, response: Response) -> None:
        """Play an engine's turn. Raises CannotDo."""
        async with self._game.lock:
            if now.dropped or self._game.node is not now.node:
                return
            asked, title = f"genmove {now.color}", self._game.title(now.color)
            if not response.success:
                raise CannotDo(
                    f"{follower.name} has no turn for {title}: to `{asked}` it answered "
                    f"`? {response.text[:200]}`."
                )
            word = response.text.strip()
            refused = await self._game.play(now.color, word)
            if refused is None:
                follower.stand(self._game.start, self._game.node)
                return
        rule = f" ({refused['rule']})" if refused["rule"] else ""
        raise CannotDo(
            f"{follower.name} plays an illegal turn for {title}: to `{asked}` it answered "
            f"`= {word[:200]}`. {refused['text']}{rule} Nothing was played."
        )

    def _stop(self, now: Thinking, why: str = "") -> None:
        """Stop the game here, until somebody lets it continue."""
        if now.dropped or self.thinking is not now:
            return
        self.thinking = None
        self.paused = True
        self._stopped_by = now.seat.engine
        if why:
            self._tell(why, True)
        self._changed()


def _give_up(follower: Follower, asked: Awaitable[Response]) -> None:
    """End an engine that keeps searching for a discarded response."""
    if not asked.done():  # type: ignore[attr-defined]
        follower.kill()
