"""The desk for playing: each message of a page is an action of the table."""

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable, Collection
from functools import partial

from gtp_engine.base import kernel_build
from gtp_engine.board.journal.journal import Journal
from gtp_engine.board.server.attendance import Attendance
from gtp_engine.board.server.console import refusal
from gtp_engine.board.server.gate import HOST
from gtp_engine.board.server.guests import Guests
from gtp_engine.board.server.journal_answers import JournalAnswers
from gtp_engine.board.server.page_messages import PHRASES
from gtp_engine.board.table.clock_kinds import Timing
from gtp_engine.board.table.engines import ANALYST, BOARD
from gtp_engine.board.table.gathered import Gathered
from gtp_engine.board.table.guesses import GUESSES
from gtp_engine.board.table.messages import CannotDo, Listener, Message
from gtp_engine.board.table.mistakes import MISTAKES
from gtp_engine.board.table.practice import Practice
from gtp_engine.board.table.seat import Seat
from gtp_engine.board.table.table import Table

_Action = Callable[[Table, Message], Awaitable[Message | None]]
_Try = Callable[[Practice, Message], Awaitable[Message | None]]

_ACTIONS: dict[str, _Action] = {
    "why": lambda table, sent: table.why(sent["rev"], sent["word"]),
    "preview": lambda table, sent: table.preview(sent["rev"], sent["word"]),
    "undo": lambda table, sent: table.undo(),
    "redo": lambda table, sent: table.redo(),
    "goto": lambda table, sent: table.goto(sent["node"]),
    "new": lambda table, sent: table.new_game(
        sent["game"],
        sent["size"],
        sent["pie"],
        *_seats(sent),
        Timing.read(sent["clock"]) if sent.get("clock") else None,
        sent.get("handicap", 0),
    ),
    "seats": lambda table, sent: table.set_seats(*_seats(sent)),
    "resign": lambda table, sent: table.resign(sent["color"]),
    "hint": lambda table, sent: table.hint(),
    "analyse": lambda table, sent: table.analyse(sent["on"]),
    "pause": lambda table, sent: table.pause(sent["on"]),
    "interrupt": lambda table, sent: table.interrupt(),
    "comment": lambda table, sent: table.comment(sent["node"], sent["text"]),
    "marks": lambda table, sent: table.study.mark(sent["node"], sent["marks"]),
    "look": lambda table, sent: table.study.look(sent["node"]),
    "openings": lambda table, sent: table.study.openings(),
    "explore": lambda table, sent: table.study.explore(),
    "pieces": lambda table, sent: table.study.pieces(),
    "edit": lambda table, sent: table.study.edit(sent["draft"], sent["color"], sent["cells"]),
    "drop": lambda table, sent: table.drop(sent["node"]),
    "promote": lambda table, sent: table.promote(sent["node"]),
    "open": lambda table, sent: table.open_record(base64.b64decode(sent["data"])),
    "save": lambda table, sent: table.save_record(sent["form"]),
    "position": lambda table, sent: table.set_position(sent["text"]),
    "link": lambda table, sent: table.link(sent["game"], sent["size"], sent["position"]),
    "restart": lambda table, sent: table.restart(sent["engine"]),
    "review": lambda table, sent: table.review(sent["visits"]),
    "rules": lambda table, sent: table.rules(),
    "names": lambda table, sent: table.keeping.name_people(sent["names"]),
    "samples": lambda table, sent: _samples(table),
}

_EXERCISES: dict[str, _Try] = {
    "exercise": lambda practice, sent: practice.begin(sent["set"], sent["id"]),
    "exercises": lambda practice, sent: practice.listed(sent["set"], sent["game"]),
    "mistakes": lambda practice, sent: practice.gather(MISTAKES, sent["of"]),
    "guesses": lambda practice, sent: practice.gather(GUESSES, sent["of"]),
    "daily": lambda practice, sent: practice.daily(sent["date"]),
    "show": lambda practice, sent: practice.show(),
}
_TRIES: dict[str, _Try] = {
    "step": lambda practice, sent: practice.step(sent["rev"], sent["word"]),
    "try": lambda practice, sent: practice.step(sent["rev"], sent["word"]),
    "why": lambda practice, sent: practice.why(sent["rev"], sent["word"]),
    "undo": lambda practice, sent: practice.undo(),
}
"""In an exercise these messages are tries."""

_OTHER_GAME = {"goto", "link", "new", "open", "position", "redo", "resign", "seats"}
"""Messages that would put another position in the place of an exercise."""

_SERVING = (BOARD, ANALYST)  # engines without a seat
_LOOK = 0.5  # seconds between two looks at the compilation of the kernel


async def _samples(table: Table) -> Message:
    return {"kind": "samples", "list": await table.read("game-samples") or []}


def _seats(sent: Message) -> tuple[Seat, Seat]:
    return Seat.read(sent["black"]), Seat.read(sent["white"])


class PlayDesk:
    """A table, for any number of pages."""

    def __init__(
        self,
        table: Table,
        title: str,
        start: bool = False,
        gathered: Gathered | None = None,
        journal: JournalAnswers | None = None,
        exercises: bool = False,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Show a table that was started.

        title     -- the name of the program, for the page
        start     -- whether a page without a wish begins with its start page, not with the board
        gathered  -- what the tables of a server share: see Practice
        journal   -- answers the messages about the journal
        exercises -- whether this is a table for exercises: no other one has any
        now       -- the clock by which players are away, and may speak again
        """
        self._table = table
        self._journal = journal or JournalAnswers(Journal(), None, table.reading)
        self._start = start
        self._title = title
        self._commands: dict[str, Message] = {}
        self._listeners: list[Listener] = []
        self._following: asyncio.Task[None] | None = None
        self._for_exercises = exercises
        self._practice = Practice(table, self._tell, gathered)
        self._guests = Guests(table, self._tell, self._act, now)
        self._attendance = Attendance(now)

    def hello(self) -> Message:
        """The available games, levels and engines."""
        return {
            "kind": "hello",
            "title": self._title,
            "engines": [each for each in self._table.engines() if each["name"] not in _SERVING],
            "catalog": self._table.catalog,
            "readonly": False,
            "start": self._start,
            "phrases": PHRASES,
            **self._journal.hello(),
        }

    def anew(self) -> list[Message]:
        """The tree, the position, the last lines of the console, and the state of the kernel."""
        shown = [self._table.nodes(), self._table.state(), *self._table.console_tail()]
        if self._for_exercises:
            shown.append(self._practice.message())
        if self._guests.asked:
            shown.append(self._guests.message())
        if self._guests.active or self._attendance.watching:
            shown.append(self._attendance.message())
        shown += self._journal.anew()
        now = kernel_build.progress()
        return shown if now is None else [*shown, _told_of(now)]

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Subscribe to the messages of the table, and of the kernel's compilation."""
        stop = self._table.listen(listener)
        self._listeners.append(listener)

        def end() -> None:
            stop()
            self._listeners.remove(listener)

        return end

    def follow_kernel(self) -> None:
        """Tell the pages of the kernel's compilation from now on, until it ends."""
        self._following = asyncio.create_task(self._follow_kernel())

    async def _follow_kernel(
        self, pause: Callable[[float], Awaitable[object]] = asyncio.sleep
    ) -> None:
        before: kernel_build.Progress | None = None
        while (now := kernel_build.progress()) is not None:
            if now != before:
                self._tell(_told_of(now))
            before = now
            await pause(_LOOK)
        if before is not None:
            self._tell(_told_of(None))
            await self._table.renew_analysis()

    def _tell(self, message: Message) -> None:
        for listener in list(self._listeners):
            listener(message)

    def summary(self) -> str:
        """The game in a few words."""
        view = self._table.view
        game, turn, outcome = view["game"], view["turn"], view["outcome"]
        stands = outcome["result"] if outcome else f"turn {turn['number']}"
        return f"{game['title']} {game['size']} \N{MULTIPLICATION SIGN} {game['size']}, {stands}"

    @property
    def begun(self) -> bool:
        """Whether anything was played, or a position set up."""
        return self._table.begun

    async def seat_guest(self, color: str, there: bool) -> None:
        """See Guests.seat. Raises CannotDo."""
        await self._guests.seat(color, there)
        self._attendance.expect(color)
        self._tell(self._attendance.message())

    def attend(self, here: Collection[str]) -> None:
        """Tell all pages when a player or a spectator comes or goes; see Desk."""
        watched = self._attendance.watching
        changed = self._attendance.note(here)
        if changed and (self._guests.active or watched != self._attendance.watching):
            self._tell(self._attendance.message())

    async def answer(self, message: Message, role: str = HOST) -> Message | None:
        """Handle a page's request; see Desk."""
        if message["kind"] == "try" and self._guests.active:
            message = {"kind": "step", "rev": message["rev"], "word": message["word"]}
        if message["kind"] == "agree":
            await self._guests.agree(role, message["number"], message["yes"])
        elif message["kind"] == "claim":
            await self._claim(role)
        elif message["kind"] == "say":
            self._guests.say(role, message["phrase"])
        elif self._guests.permits(role, message):
            if message == {"kind": "pause", "on": False}:
                self._check_resuming(role)
            if message["kind"] in ("step", "try") and not self._practice.is_open:
                return await self._step(role, message)
            return await self._act(message)
        return None

    async def _step(self, role: str, message: Message) -> Message | None:
        """Play a word for a role; whose turn it is may have changed since it was permitted."""
        check = partial(self._guests.check_turn, role)
        rev, word = message["rev"], message["word"]
        if message["kind"] == "try":
            answer = await self._table.attempt(rev, word, message["most"], check)
        else:
            answer = await self._table.step(rev, word, check)
        if answer is None:
            self._guests.has_played(role)
        return answer

    async def _claim(self, role: str) -> None:
        """End the game: the opponent, who is to move, has been away for long. Raises CannotDo."""
        opponent = self._guests.opponent(role)
        if opponent is None:
            raise CannotDo("Only a game against another person can be claimed.")
        if self._table.slow:
            raise CannotDo("Each turn has its own time here. When that is over, the game is.")
        color, absent = opponent

        def check() -> None:
            self._attendance.check_claim(absent, self._table.state()["paused"])

        await self._table.claim(color, check)

    def _check_resuming(self, role: str) -> None:
        """Raises CannotDo if the clock of somebody who is away would run.

        In a game with a time for each turn nobody need be there.
        """
        opponent = None if self._table.slow else self._guests.opponent(role)
        if opponent is not None and self._attendance.is_away(opponent[1]):
            raise CannotDo("Your opponent is away. The clocks stand still until both are here.")

    async def _act(self, message: Message) -> Message | None:
        kind = message["kind"]
        if kind == "console":
            return await self._console(message["engine"], message["line"])
        if kind == "exercise" and not self._for_exercises:
            raise CannotDo("An exercise needs a table for exercises.")
        if kind in _EXERCISES:
            return await _EXERCISES[kind](self._practice, message)
        if kind in _TRIES and self._practice.is_open:
            return await _TRIES[kind](self._practice, message)
        if kind in self._journal.answers:
            return await self._journal.answers[kind](message)
        if kind in _OTHER_GAME and self._practice.is_open:
            raise CannotDo("End the exercise first.")
        if kind not in _ACTIONS:
            raise CannotDo("No match is shown here.")
        return await _ACTIONS[kind](self._table, message)

    async def set_visible(self, on: bool) -> None:
        """Tell the table whether anybody looks."""
        await self._table.set_visible(on)

    async def close(self, ended: bool = False) -> None:
        """End all engines; see Desk."""
        if self._following is not None:
            self._following.cancel()
        self._journal.close(ended)
        await self._table.close()

    async def _console(self, engine: str, line: str) -> Message | None:
        """Send a permitted line to an engine; for an empty one, return the list of its commands.

        An engine could give help, so it gets no line while a guest plays.
        """
        if engine not in self._commands:
            self._commands[engine] = await self._table.commands(engine)
        commands = self._commands[engine]
        if not line.strip():
            return commands
        if (sentence := refusal(line, commands["list"])) is not None:
            raise CannotDo(sentence)
        self._table.check_help()
        await self._table.console(engine, line.strip())
        return None


def _told_of(compiled: kernel_build.Progress | None) -> Message:
    """The message `kernel`; None is the end of the compilation."""
    if compiled is None:
        why = kernel_build.failure()
        text = None if why is None else f"The engine plays weakly here: {why}."
        return {"kind": "kernel", "share": None, "over": True, "text": text}
    share = compiled.done / compiled.total if compiled.total else None
    text = f"The engine is being prepared, {compiled}. Until then it plays weakly."
    return {"kind": "kernel", "share": share, "over": False, "text": text}
