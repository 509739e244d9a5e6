"""The engine being checked, and the parts of a check."""

import random
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple, Protocol

from gtp_engine.gtp.client.beginning import PIE, beginning
from gtp_engine.gtp.client.blocking import BlockingEngine, LentLoop, TimedResponse
from gtp_engine.gtp.client.child import Child, Hooks
from gtp_engine.gtp.client.exchanges import LONGEST_ANSWER
from gtp_engine.gtp.client.faults import BadProtocol, EngineDied, EngineFault, EngineSilent
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules import games
from gtp_engine.rules.game import Game, Position
from gtp_engine.rules.notation.position_text import read_position, write_position
from gtp_engine.rules.notation.turns import write_turn
from gtp_engine.rules.step import Pie, Step

_SENT, _SHOWN = 100, 200  # most characters shown of what was sent, and of what was expected and got
_SHORT = 5.0  # seconds for a trivial command to a running engine
_SHOW_BOARD = ("game-position", "game-history", "showboard")
_SHOW_MORE = ("game-settings", "get_komi")
_CLOSING = 0.3  # seconds for `quit` between two items; the item about `quit` waits longer
_BROKEN = b" and no more answers"


class Options(NamedTuple):
    """The options of a check.

    seconds -- longest time to start, and for any response
    games   -- games of self-play for each game that the engine knows
    game    -- the only game to check, by name; needed for an engine that cannot list its games
    only    -- beginnings of the ids of items to check; empty for all items
    seed    -- seed of random choices
    """

    seconds: float = 10.0
    games: int = 20
    game: str | None = None
    only: tuple[str, ...] = ()
    seed: int = 1


class Flaw(NamedTuple):
    """A difference between an engine and the specification."""

    sent: str
    expected: str
    got: str


class Skipped(Exception):
    """An item does not apply to this engine; the text says why."""


Flaws = Iterator[Flaw]


class CheckItem(NamedTuple):
    """A promise of the specification.

    id        -- two words separated by a point
    promise   -- what an engine does
    reference -- the page and section of protocol_specs/clients with the promise
    examine   -- finds the flaws; may raise Skipped or EngineFault
    needs     -- commands without which the item does not apply
    """

    id: str
    promise: str
    reference: str
    examine: "Callable[[Subject], Flaws]"
    needs: tuple[str, ...] = ()


class Subject:
    """An engine, restarted for each item.

    rng       -- the source of random choices
    last_line -- the last command sent
    note      -- an optional note on a passed item
    """

    def __init__(self, command: str, options: Options) -> None:
        self.command = command
        self.options = options
        self.rng = random.Random(options.seed)
        self._begun: Counter[str] = Counter()
        self._engine: BlockingEngine | None = None
        self._wire: Wire | None = None
        self._deaf: EngineSilent | None = None
        self._repeats_ids = True
        self.last_line = "protocol_version"
        self.note = ""

    def survey(self) -> None:
        """Check that it responds, and whether with ids; if not, ids are left out.

        Raises CannotStart or EngineSilent if it does not respond.
        """
        seconds = self.options.seconds
        with self._started() as engine, suppress(EngineDied, BadProtocol):
            engine.ask_verbatim("protocol_version", seconds)
            self._repeats_ids = False
            engine.ask("protocol_version", seconds)
            self._repeats_ids = True

    @cached_property
    def commands(self) -> frozenset[str]:
        """The commands that it lists. Raises EngineFault."""
        response = self.ask("list_commands")
        return frozenset(response.text.split() if response.success else ())

    @property
    def torn_list(self) -> str:
        """What is wrong with `list_commands` if an empty line ends its response early, else "".

        This starts a new process; "" also if that does not answer.
        """
        try:
            output = self.wire().exchange(b"list_commands\n").decode("utf-8", "replace")
        except EngineFault:
            return ""
        read, _, unread = output.partition("\n\n")
        if not unread.strip():
            return ""
        last = read.rpartition("\n")[2]
        return f"the response ends with an empty line behind {last!r}; what follows was not read"

    @cached_property
    def games(self) -> tuple[Game, ...]:
        """The games that both it and we know. Raises EngineFault."""
        names = [self.options.game]
        if {"game-list", "game-select"} <= self.commands:
            lines = self.ask("game-list").text.split("\n")
            names = [line.partition(" ")[0] for line in lines]
        elif self.options.game is None and "gogui-rules_game_id" in self.commands:
            names = [self.ask("gogui-rules_game_id").text.strip().lower()]
        known = [game for game in games() if game.name in names]
        return tuple(game for game in known if self.options.game in (None, game.name))

    def known_games(self) -> tuple[Game, ...]:
        """The games to check. Raises Skipped if there is none."""
        if not self.games:
            raise Skipped("the engine does not list its games; name one with --game")
        return self.games

    def ask(self, line: str) -> Response:
        """Send a command. Raises EngineFault."""
        return self.answer(line).response

    def answer(self, line: str) -> TimedResponse:
        """Send a command; the response with the time it took. Raises EngineFault."""
        self.last_line = line
        if self._engine is None:
            self._engine = BlockingEngine(self.command)
        ask = self._engine.ask if self._repeats_ids else self._engine.ask_verbatim
        return ask(line, self.options.seconds)

    @contextmanager
    def _started(self) -> Iterator[BlockingEngine]:
        engine = BlockingEngine(self.command)
        try:
            yield engine
        finally:
            engine.close(_CLOSING)

    def wire(self) -> "Wire":
        """A new process that accepts bytes. Raises EngineFault."""
        self.release()
        if self._deaf is not None:
            raise self._deaf
        self._wire = Wire(self.command, self.options.seconds, *self.sentinel)
        if self._wire.broken:
            sent, expected = (text.decode().strip() for text in self.sentinel)
            self._deaf = EngineSilent(f"{sent} did not return {expected}")
            raise self._deaf
        return self._wire

    @cached_property
    def sentinel(self) -> tuple[bytes, bytes]:
        """A line that no item sends, and its response. Raises EngineFault."""
        if self._repeats_ids:
            return b"2147483646 protocol_version\n", b"=2147483646 2\n\n"
        return b"name\n", f"= {self.ask('name').text}\n\n".encode()

    def release(self) -> None:
        """End the process, if there is one."""
        if self._engine is not None:
            self._engine.close(_CLOSING)
        if self._wire is not None:
            self._wire.close()
        self._engine = self._wire = None
        self._begun.clear()
        self.note = ""

    def need(self, *commands: str) -> None:
        """Raises Skipped if the engine does not list a command, or EngineFault."""
        for command in commands:
            if command not in self.commands:
                raise Skipped(f"the engine does not list {command}")

    def new_game(self, game: Game, pie: Pie = Pie.PIECES) -> Position:
        """Begin a game; returns the first position. Raises Skipped if the engine refuses.

        Random choices then depend on the seed, the game, and the number of its games so far in
        this item.
        """
        smallest = game.recommended[0] if game.recommended else game.default_size
        begin_game(self, game.name, smallest, pie)
        self._begun[game.name] += 1
        self.rng.seed(f"{self.options.seed} {game.name} {self._begun[game.name]}")
        return game.start(smallest, pie)

    def expect(self, line: str, expected: str) -> Flaws:
        """A flaw if a command has another response; `= ...` and `? ...` allow any text."""
        got = shown(self.ask(line))
        same = got == expected or (expected.endswith(" ...") and got[:1] == expected[:1])
        if not same:
            yield flaw(line, expected, got)

    def agree(self, position: Position, sent: str) -> Flaws:
        """A flaw if the engine reports another position than ours."""
        if position.outcome() is not None:  # no swap is possible any more
            position = replace(position, pie=Pie.OFF)
        if "game-position" in self.commands:
            text = self.ask("game-position").text
            try:
                same = read_position(text) == position
            except ValueError:
                same = False
            if not same:
                yield flaw(f"{sent}, game-position", write_position(position), text)

    @property
    def shows_board(self) -> bool:
        """Whether it has a command that reports the board. Raises EngineFault."""
        return not self.commands.isdisjoint(_SHOW_BOARD)

    def state(self) -> dict[str, str]:
        """The engine's reports about itself. Raises Skipped if none of them has the board."""
        if not self.shows_board:
            raise Skipped("the engine lists neither showboard nor game-position")
        lines = [line for line in (*_SHOW_BOARD, *_SHOW_MORE) if line in self.commands]
        return {line: shown(self.ask(line)) for line in lines}


class Wire:
    """A process that receives and returns bytes.

    early  -- its output before any command
    broken -- whether it has stopped responding
    """

    def __init__(self, command: str, seconds: float, sentinel: bytes, its_answer: bytes) -> None:
        """Start it, and wait for its response to a line, the sentinel."""
        self._received = b""
        self._exited = False
        self._news = threading.Condition()
        self.broken = False
        self._sentinel, self._its_answer = sentinel, its_answer
        self._lent = LentLoop()
        self._child = self._lent.run(self._start(command))
        self.early = self._exchange(b"", seconds)
        self._seconds = min(seconds, _SHORT)

    async def _start(self, command: str) -> Child:
        def ignore(*_: object) -> None:
            pass

        return Child(command, Hooks(ignore, self._take, ignore, ignore, self._exit))

    def exchange(self, data: bytes) -> bytes:
        """Its output before the response to the sentinel.

        If that response does not come, a note at the end says so, and the wire is `broken`.
        """
        return self._exchange(data, self._seconds)

    def _exchange(self, data: bytes, seconds: float) -> bytes:
        self.write(data + self._sentinel)
        with self._news:
            self._news.wait_for(lambda: self._exited or self._answered(), seconds)
            output = _plain(self._received)
            if not self._answered():
                self.broken = True
                return output + _BROKEN
            self._received = b""
        return output[: -len(self._its_answer)]

    def _answered(self) -> bool:
        return _blanks(_plain(self._received)).endswith(self._its_answer)

    def write(self, data: bytes) -> None:
        """Send bytes."""
        self._lent.call(self._child.input.write, data)

    def rest(self, seconds: float) -> tuple[bytes, str]:
        """All further output until it exits, and how it exited."""
        with self._news:
            self._news.wait_for(lambda: self._exited, seconds)
            ending = f"exit status {self._child.status}" if self._exited else "still running"
            return _plain(self._received), ending

    def end_input(self) -> None:
        """Close its input."""
        self._lent.call(self._child.input.close)

    def terminate(self) -> None:
        """Send it SIGTERM."""
        self._lent.call(self._child.terminate)

    def close(self) -> None:
        """End the process."""
        self._lent.run(self._child.end())
        self._lent.close()

    def _take(self, chunk: bytes) -> None:
        with self._news:
            if len(self._received) < LONGEST_ANSWER:
                self._received += chunk
            self._news.notify()

    def _exit(self) -> None:
        with self._news:
            self._exited = True
            self._news.notify()


def _plain(output: bytes) -> bytes:
    """Output in the form of most engines: with either line end, and with a blank after `=`."""
    return output.replace(b"\r\n", b"\n").replace(b" \n", b"\n")


def _blanks(output: bytes) -> bytes:
    return output.replace(b"\t", b" ")


class Asked(Protocol):
    """An engine that answers commands."""

    @property
    def commands(self) -> frozenset[str]:
        """The commands that it lists. Raises EngineFault."""

    def ask(self, line: str) -> Response:
        """Send a command. Raises EngineFault."""


def begin_game(engine: Asked, game: str, size: int, pie: Pie) -> None:
    """Begin a game. Raises Skipped if the engine refuses it, and EngineFault."""
    if PIE not in engine.commands and pie is not Pie.PIECES:
        raise Skipped(f"the engine does not list {PIE}")
    for line in beginning(engine.commands, game, size, pie.value):
        response = engine.ask(line)
        if not response.success:
            raise Skipped(f"{line}: {shown(response)}")


def play_line(position: Position, steps: tuple[Step, ...]) -> str:
    """The command that plays steps, in the specified notation."""
    return f"play {position.to_move.letter} {write_turn(position, steps)}"


def first_word(position: Position) -> str:
    """The first legal step of a position, as a word."""
    return str(position.legal_steps()[0])


def shown(response: Response) -> str:
    """A response as text."""
    sign = "=" if response.success else "?"
    text = response.text.strip()
    return f"{sign} {text}" if text else sign


def flaw(sent: str, expected: str, got: str) -> Flaw:
    """A flaw, with its texts shortened."""
    return Flaw(_cut(sent), _cut(expected), _cut(got))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
