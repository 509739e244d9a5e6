"""An engine that follows the positions of the game, and is restarted after failures."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable

from gtp_engine.board.table.capabilities import TITLES, Role, limits, unable
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.variations import GameNode, turns
from gtp_engine.gtp.client.beginning import POSITION, beginning
from gtp_engine.gtp.client.child import Launch
from gtp_engine.gtp.client.faults import CannotStart, EngineFault, EngineSilent
from gtp_engine.gtp.client.process import PLAIN_TIMEOUT, EngineProcess
from gtp_engine.gtp.client.timing import NO_LIMIT, left_line, settings_line
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules.clock import UNLIMITED, Clock
from gtp_engine.rules.records.record import GameStart

MOST_CRASHES = 3
CRASH_SPAN = 60.0
"""An engine that fails this often within this many seconds stays down until it is restarted."""

START_TIMEOUT = 60.0
"""Seconds for the first response, which may include loading."""

_BATCH = 200  # most commands in progress at a time


class Follower:
    """An engine with a role at the table.

    name     -- its name in messages
    title    -- its name in sentences
    role     -- the role
    commands -- its commands, once it has started
    lock     -- held by a caller that sends several commands in a row
    down     -- whether it stays down until `restart`
    """

    def __init__(
        self,
        command: Launch,
        name: str,
        role: Role,
        on_line: Callable[[str, str, str], None],
        tell: Callable[[str, bool], None],
        changed: Callable[[], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Nothing is started yet.

        on_line -- receives each line: the name, and see gtp.process.OnLine
        tell    -- receives sentences for people, and whether they report an error
        changed -- called when the engine has started or failed
        now     -- seconds of a clock that never goes back
        """
        self.name, self.role = name, role
        self.title = TITLES.get(role, name)
        self.commands: frozenset[str] = frozenset()
        self.lock = asyncio.Lock()
        self._starting = asyncio.Lock()
        self.down = False
        self._changed, self._now = changed, now
        self._command, self._on_line, self._tell = command, on_line, tell
        self._engine: EngineProcess | None = None
        self._start: GameStart | None = None
        self._at: GameNode | None = None
        self._settings: dict[str, str] = {}
        self._control = UNLIMITED
        self._crashes: deque[float] = deque(maxlen=MOST_CRASHES)
        self._missing: list[str] = []
        self._failure: str | None = None
        self._limits_told = False
        self._typed: asyncio.Future[Response] | None = None
        self._tainted = False

    @property
    def engine(self) -> EngineProcess:
        """The process. Raises CannotDo if there is none."""
        if self._engine is None:
            raise CannotDo(f"{self.title} is not running.")
        return self._engine

    @property
    def running(self) -> bool:
        """Whether it accepts commands."""
        return self._engine is not None and self._engine.fault is None

    def shown(self) -> Message:
        """Its state for people."""
        return {
            "name": self.name,
            "title": self.title,
            "running": self.running,
            "down": self.down,
            "fault": self._failure if self.down else None,
            "missing": self._missing,
        }

    async def ready(self) -> EngineProcess:
        """The engine, started if necessary. Raises CannotDo, or EngineFault.

        CannotDo says that it stays down, or which commands it lacks.
        """
        async with self._starting:
            return await self._started()

    async def _started(self) -> EngineProcess:
        if self._engine is not None and self._engine.fault is None:
            return self._engine
        if self._engine is not None:
            await self._engine.close()
        if self.down:
            raise CannotDo(f"{self.title} is down. Restart it to continue.")
        self.forget()
        self._settings = {}
        self._control = UNLIMITED
        # No await comes between this start and its owner: whoever closes finds what has started.
        self._engine = engine = EngineProcess(
            self._command, self.title, on_line=self._hear, on_fault=self._on_fault
        )
        await engine.start()
        if self.role in (Role.ANALYST, Role.EXPLORER) and engine.child is not None:
            engine.child.lower_priority()
        response = await engine.ask("list_commands", START_TIMEOUT)
        self.commands = frozenset(response.text.split() if response.success else ())
        self._missing = limits(self.title, self.role, self.commands)
        if (why := unable(self.title, self.role, self.commands)) is not None:
            self._missing, self._failure = [why], None
            self.down = True
            await engine.close()
            self._changed()
            raise CannotDo(why)
        if not self._limits_told and self.role is Role.PLAYER:
            self._limits_told = True
            for sentence in self._missing:
                self._tell(sentence, False)
        self._changed()
        return engine

    async def restart(self) -> None:
        """End it and clear its failures; the next use starts it again."""
        self.down = False
        self._crashes.clear()
        await self.close()

    async def close(self) -> None:
        """End the process, if there is one."""
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()

    def kill(self) -> None:
        """End the process at once; this does not count as a crash."""
        if self._engine is not None:
            self._engine.kill()

    def forget(self) -> None:
        """Mark its position as unknown."""
        self._start = self._at = None

    def say(self, line: str) -> None:
        """Send a line typed by a person; its effects on the game are undone before the next use."""
        self._typed = self.engine.send(line, None, lambda report: None)
        self._tainted = True

    def stand(self, start: GameStart, node: GameNode) -> None:
        """Record that the engine has reached a node by itself."""
        self._start, self._at = start, node

    async def bring(self, start: GameStart, node: GameNode) -> None:
        """Bring it to a node. Raises CannotDo if it refuses, or EngineFault.

        It stays there only until the next await, because somebody may type a line for it.
        """
        while lines := self._untainted_way(start, node):
            self.forget()
            for line, response in zip(lines, await self.ask_all(lines)):
                if not (response.success or self._tainted):
                    if line.startswith("game-position "):
                        raise CannotDo(
                            f"{self.title} cannot set up this position: {response.text}."
                        )
                    raise CannotDo(
                        f"{self.title} cannot follow the game: to `{line}` it answered `? "
                        f"{response.text}`."
                    )
            self.stand(start, node)

    def _untainted_way(self, start: GameStart, node: GameNode) -> list[str]:
        if self._tainted:
            self._tainted = False
            self.forget()
            if self._typed is not None and not self._typed.done():
                self.engine.interrupt()
        return self._way(start, node)

    async def set_value(self, key: str, value: str) -> bool:
        """Change a setting if it differs. Returns whether the engine accepted it."""
        if self._settings.get(key) == value:
            return True
        if "game-set" not in self.commands:
            return False
        response = await self.engine.ask(f"game-set {key} {value}")
        if response.success:
            self._settings[key] = value
            if "clear_cache" in self.commands:
                await self.engine.ask("clear_cache")
        return response.success

    async def tell_clock(self, clock: Clock, color: str) -> None:
        """Tell it the time of a color. Raises EngineFault."""
        lines = [left_line(clock, color[0], self.commands)]
        if clock.control != self._control:
            lines.insert(0, settings_line(clock.control, self.commands) or NO_LIMIT)
        if "time_settings" in self.commands:
            await self.ask_all(filter(None, lines))
            self._control = clock.control

    async def ask_all(self, lines: Iterable[str], timeout: float | None = None) -> list[Response]:
        """Send several commands without waiting in between. Raises EngineFault.

        timeout -- seconds for each; None for the usual ones
        """
        timeout = PLAIN_TIMEOUT if timeout is None else timeout
        engine, waiting = self.engine, list(lines)
        answers: list[Response] = []
        for first in range(0, len(waiting), _BATCH):
            sent: list[Awaitable[Response]] = [
                engine.send(line, timeout) for line in waiting[first : first + _BATCH]
            ]
            for answer in sent:
                answers.append(await answer)
        return answers

    def _way(self, start: GameStart, node: GameNode) -> list[str]:
        """The commands that lead to a node. Raises CannotDo."""
        if self._start != start or self._at is None:
            return [*self._beginning(start), *self._plays(node.path())]
        if node is self._at:
            return []
        here, there = self._at.path(), node.path()
        common = 0
        while common < min(len(here), len(there)) and here[common] is there[common]:
            common += 1
        back = len(here) - common
        plays = self._plays(there[common:])
        if not back:
            return plays
        # With whole turns, an engine's history has fewer entries than there are nodes.
        if self.role is Role.PLAYER or "undo" not in self.commands:
            return [*self._beginning(start), *self._plays(there)]
        if back > 1 and "gg-undo" in self.commands:
            return [f"gg-undo {back}", *plays]
        return ["undo"] * back + plays

    def _beginning(self, start: GameStart) -> list[str]:
        if start.position and POSITION not in self.commands:
            raise CannotDo(
                f"{self.title} cannot begin from a set-up position: it has no command "
                "game-position."
            )
        return beginning(self.commands, start.game, start.size, start.pie, start.position)

    def _plays(self, nodes: list[GameNode]) -> list[str]:
        if self.role is Role.PLAYER:
            return [f"play {color} {word}" for color, word in turns(nodes)]
        return [f"play {node.color} {node.word}" for node in nodes]

    def _hear(self, engine: EngineProcess, sign: str, text: str) -> None:
        self._on_line(self.name, sign, text)

    def _on_fault(self, engine: EngineProcess, fault: EngineFault) -> None:
        if engine is not self._engine:
            return
        self.forget()
        now = self._now()
        self._crashes.append(now)
        often = len(self._crashes) == MOST_CRASHES and now - self._crashes[0] < CRASH_SPAN
        self.down = often or isinstance(fault, CannotStart)
        self._failure = f"{fault.brief}."
        if isinstance(fault, EngineSilent):
            self._on_line(self.name, "!", str(fault))  # the console names the command
        if often:
            self._failure += f" It has failed {MOST_CRASHES} times within a minute and stays down."
        elif not self.down:
            self._failure += " It starts again when it is needed."
        self._tell(self._failure, True)
        self._changed()
