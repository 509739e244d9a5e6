"""The seats, and the engines in them: which engine is to think, and its turns."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from gtp_engine.board.table.adaptive import AdaptiveLevel, SharedLevel
from gtp_engine.board.table.follower import Follower
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import BLACK, COLORS, PERSON, WHITE, Seat, opponent
from gtp_engine.board.table.shown_game import BoardGame, exchanged
from gtp_engine.board.table.variations import GameNode
from gtp_engine.board.table.who_played import mover, sign
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.client.process import PLAIN_TIMEOUT
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules.clock import Clock
from gtp_engine.rules.records.record import RESIGN


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


def give_up(follower: Follower, asked: Awaitable[Response]) -> None:
    """End an engine that keeps searching for a discarded response."""
    if not asked.done():  # type: ignore[attr-defined]
        follower.kill()


class Players:
    """The players of both colors, and the actions of the engines among them.

    engines  -- by name
    seats    -- by color
    adaptive -- the level of seats that adapt
    paused   -- whether engines are paused
    pace     -- shortest seconds per turn when both colors are engines, so that people can follow
    """

    def __init__(
        self,
        game: BoardGame,
        engines: dict[str, Follower],
        tell: Callable[[str, bool], None],
        changed: Callable[[], None],
        clock: Callable[[str], Clock],
        shared_level: SharedLevel,
    ) -> None:
        """Nobody thinks yet.

        changed -- called when another player begins to think
        clock   -- the clock of a color now
        shared_level -- what tables share of the adaptive level
        """
        self.engines = engines
        self.seats = {BLACK: PERSON, WHITE: PERSON}
        self.adaptive = AdaptiveLevel(game, tell, shared_level)
        self.paused = False
        self.pace = 0.0
        self.thinking: Thinking | None = None
        self._game, self._tell, self._changed = game, tell, changed
        self._clock = clock
        self._urged: GameNode | None = None
        self._held: GameNode | None = None
        self._stopped_by: str | None = None
        self._untaken: set[int] = set()
        self._exchanged = False
        self._resigning: tuple[GameNode, str] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def checked(self, black: Seat, white: Seat) -> dict[str, Seat]:
        """The seats by color. Raises CannotDo for an unknown engine."""
        for seat in (black, white):
            if seat.engine is not None and seat.engine not in self.engines:
                raise CannotDo(f"There is no engine {seat.engine[:60]}.")
        return {color: self._named(color, seat) for color, seat in ((BLACK, black), (WHITE, white))}

    def _named(self, color: str, seat: Seat) -> Seat:
        """A seat; a person without a name there is the one who had it before."""
        before = self.seats[color]
        return before if seat == before._replace(name="") else seat

    def is_person(self, color: str) -> bool:
        """Whether a person plays a color."""
        return self.seats[color].engine is None

    @property
    def people(self) -> bool:
        """Whether any person plays."""
        return any(seat.is_human for seat in self.seats.values())

    @property
    def guests(self) -> bool:
        """Whether a guest plays."""
        return any(seat.guest for seat in self.seats.values())

    @property
    def opposed(self) -> bool:
        """Whether somebody plays against a guest, or against an engine that is not paused."""
        engines = any(seat.engine for seat in self.seats.values()) and not self.paused
        return engines or self.guests

    def person_at(self, node: GameNode) -> bool:
        """Whether a person is to move at a node, where the players may have exchanged colors."""
        return self.is_person(self._then(node.to_move, node))

    def name(self, names: Mapping[str, str]) -> None:
        """Name people in the seats, by color."""
        for color, name in names.items():
            if self.is_person(color):
                self.seats = self.seats | {color: self.seats[color]._replace(name=name)}
        self._sign()

    def _sign(self, played: str | None = None) -> None:
        """Note who plays; an adaptive engine at the level that it has now.

        played -- the color, as at the start, that has just played
        """
        seats = {
            color: seat._replace(level=self.adaptive.number_of(seat))
            for color, seat in self.at_start().items()
        }
        sign(self._game.tree, seats, self._game.node, played)

    def earlier(self, node: GameNode, color: str | None = None) -> GameNode:
        """The position before; if people play, the last one with a person to move.

        color -- that of the player who takes a turn back, if that is said: the player has the move
                 there, and has not begun its turn

        Raises CannotDo at the start, and if that player has played nothing.
        """
        if node.parent is None:
            raise CannotDo("This is the start of the game.")
        node = node.parent
        while not self._is_earlier(node, color):
            if node.parent is None:
                if color is not None:
                    raise CannotDo("You have played no turn that could be taken back.")
                break
            node = node.parent
        return node

    def _is_earlier(self, node: GameNode, color: str | None) -> bool:
        if color is not None:
            begins = not node.open or node.parent is None  # a turn may be set up half done
            return node.to_move == self._then(color, node) and begins
        return not self.people or self.person_at(node)

    def _then(self, color: str, node: GameNode) -> str:
        """The color that the player of a color has at a node, or the other way round.

        Players may exchange colors on the way.
        """
        return opponent(color) if exchanged(node) != self._exchanged else color

    def later(self, node: GameNode) -> GameNode:
        """The node from which `earlier` leads to this one. Raises CannotDo."""
        line = node.line()
        if not line:
            raise CannotDo("There is no turn to play again here.")
        there = (each for each in line if not self.people or self.person_at(each))
        return next(there, line[-1])

    def check_idle(self) -> None:
        """Raises CannotDo while an engine thinks."""
        if (now := self.thinking) is not None:
            who = f"{now.seat.engine} is thinking for {self._game.title(now.color)}"
            raise CannotDo(f"{who}: wait, interrupt it, or take its seat.")

    @property
    def resting(self) -> bool:
        """Whether an engine is to move but does not think."""
        node = self._game.node
        return self.thinking is None and not node.over and not self.is_person(node.to_move)

    def at_start(self) -> dict[str, Seat]:
        """The seats by color, as they were at the start of the game."""
        return _crossed(self.seats) if self._exchanged else self.seats

    def shown_seats(self) -> Message:
        """The seats, in the form of the message `state`."""
        return {color: self.seats[color].shown() for color in COLORS}

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

    @contextmanager
    def of_new_game(self, seats: dict[str, Seat] | None, paused: bool = False) -> Iterator[None]:
        """Begin another game in the block; all stays as it was if that raises CannotDo.

        seats -- None for those of now
        """
        before = self.seats, self.paused, self._exchanged
        self.drop()
        self.seats, self.paused, self._exchanged = seats or self.seats, paused, False
        try:
            yield
        except CannotDo:
            self.seats, self.paused, self._exchanged = before
            self.drive()
            raise

    def sit(self, seats: dict[str, Seat]) -> None:
        """Change the seats. An engine that takes the seat of the color to move plays on."""
        color = self._game.node.to_move
        changed = seats[color] != self.seats[color]
        self.seats = seats
        self._sign()
        if changed:
            self.urge()
        self.drive()

    def follow(self) -> None:
        """React to a change of the shown position."""
        node = self._game.node
        if exchanged(node) != self._exchanged:
            self._exchanged = not self._exchanged
            self.seats = _crossed(self.seats)
        self._sign(mover(node) if self._game.played else None)
        self.adaptive.follow(self.seats)
        self.drive()
        self._resign_at(node)

    async def resign(self, color: str) -> None:
        """Resign for a color; if an engine is thinking for the other, after its turn.

        The caller holds the lock of the game. Raises CannotDo.
        """
        node = self._game.node
        if node.over:
            raise CannotDo("The game is over.")
        if color == node.to_move:
            self.drop()
            await self._game.play(color, RESIGN)
            return
        if self.thinking is None:
            raise CannotDo(f"{self._game.title(color)} can resign only on its own turn.")
        self._resigning = node, color
        self.interrupt()

    def drive(self) -> None:
        """Start the engine that is to think, and stop all others."""
        now, wanted = self.thinking, self._wanted()
        if wanted == (now and (now.node, now.seat)):
            return
        self.drop()
        if wanted is not None:
            node, seat = wanted
            self.thinking = Thinking(node, node.to_move, seat)
            self._spawn(self._think(self.thinking))
        self._changed()

    def drop(self, engine: str | None = None) -> None:
        """Discard the expected response, or only that of one engine."""
        now = self.thinking
        if now is None or engine not in (None, now.seat.engine):
            return
        self.thinking = None
        now.dropped = True
        if now.asked is not None and not now.asked.done():
            follower = self.engines[now.seat.engine or ""]
            follower.forget()
            if follower.running:
                follower.engine.interrupt()
            asyncio.get_running_loop().call_later(PLAIN_TIMEOUT, give_up, follower, now.asked)

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

    def _resign_at(self, node: GameNode) -> None:
        """Resign after the turn of the engine that was thinking, if its turn is complete."""
        resigning, self._resigning = self._resigning, None
        if resigning is None or node.parent is not resigning[0] or node.over:
            return
        before, color = resigning
        color = self._then(color, before)
        if node.to_move == color:
            self._spawn(self._resign_later(node, color))
        else:
            self._resigning = node, color

    async def _resign_later(self, node: GameNode, color: str) -> None:
        async with self._game.lock:
            with suppress(CannotDo):
                if self._game.node is node:
                    await self.resign(color)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

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
        return None if seat.engine is None else (node, seat)

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
        level = self.adaptive.number_of(now.seat)
        if level is not None:
            await self._set_level(follower, level)
        if now.dropped:
            return None
        await follower.tell_clock(self._clock(now.color), now.color)
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
        if not self.people:
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


def _crossed(seats: dict[str, Seat]) -> dict[str, Seat]:
    """The seats after the players have exchanged colors."""
    return {color: seats[opponent(color)] for color in COLORS}
