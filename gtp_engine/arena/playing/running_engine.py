"""An engine in a match, reached only through GTP."""

import errno
import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from gtp_engine.arena.playing.identity import BUILD, fingerprint, used
from gtp_engine.arena.playing.runner_delays import lateness
from gtp_engine.arena.setup.config import DEFAULT_TERMS, SEED, Engine, Terms
from gtp_engine.arena.setup.timekeeper import Taken
from gtp_engine.arena.values import Board, Evidence, Fault, Identity
from gtp_engine.gtp.client.beginning import beginning
from gtp_engine.gtp.client.blocking import BlockingEngine
from gtp_engine.gtp.client.faults import CannotStart, EngineFault
from gtp_engine.gtp.client.timing import left_line, settings_line
from gtp_engine.gtp.wire.response import Response
from gtp_engine.rules import find_game
from gtp_engine.rules.clock import Clock, Kind, TimeControl
from gtp_engine.rules.points.color import BLACK, Color

_EXPLAIN = "gomill-explain_last_move"
_CHANCE = re.compile(r"(?P<color>\w+) wins (?P<percent>\d{1,3}(?:\.\d+)?)%")
_VISITS = re.compile(r"\b(?P<visits>\d{1,18}) visits?\b")
_LONGEST_COMMENT = 500

# The threads of engines of this package. On processors that are not reserved, engines with several
# threads would disturb other games.
_THREADS = "PATCHPIE_THREADS"

# If a start fails for one of these reasons, the engine is not to blame.
_OURS = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}

# Nor for these on a machine that others chose: it lacks the program, or cannot run it.
_LACKING = {errno.ENOENT, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ENOEXEC}


class Forfeit(Exception):
    """A fault of an engine that loses the game; the text is a sentence."""

    def __init__(self, engine: str, fault: Fault, reason: str, lines: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.engine = engine
        self.fault = fault
        self.evidence = Evidence(engine, lines)
        """The log of an engine that could not start; otherwise the player has it."""


class Void(Exception):
    """A game without a result by nobody's fault: it does not count and is played again."""

    @classmethod
    def by_pause(cls, engine: str, fault: object, seconds: float) -> Self:
        """A fault of an engine that a pause of the arena may have caused."""
        return cls(f"{engine}: {fault}, but the arena was paused for {seconds:.1f} seconds")


class Remark(NamedTuple):
    """An engine's remark on its turn: BLACK's chance and visits, if reported, and other words."""

    value: float | None = None
    visits: int | None = None
    comment: str = ""


class RunningEngine:
    """A running engine; call `greet` first.

    Its faults are raised as Forfeit, and as Void if the arena was paused meanwhile.

    engine, terms -- the configuration it was started with
    identity -- its identity; what it uses in a game is known once it was prepared for one
    """

    def __init__(
        self, engine: Engine, terms: Terms = DEFAULT_TERMS, visiting: bool = False
    ) -> None:
        """Start it. Raises Forfeit, or Void if this machine cannot start it.

        visiting -- whether this machine may lack the program: see EnginePool
        """
        self.engine = engine
        self.terms = terms
        try:
            self._process = BlockingEngine(
                engine.command,
                environment=_environment(engine, terms),
                memory=engine.memory or terms.memory,
                processors=terms.processors,
                log=_log_path(terms.log, engine.name),
            )
        except CannotStart as error:
            if error.number in _OURS:
                raise Void(str(error)) from error
            if visiting and error.number in _LACKING:
                raise Void(f"{engine.name} on {socket.gethostname()}: {error}") from error
            raise Forfeit(engine.name, Fault.START, str(error), error.conversation) from None
        except OSError as error:
            raise Void(f"--log: {error}") from None
        self._known: frozenset[str] = frozenset()
        self._timed = False
        self._prepared: set[str] = set()  # games
        self._watch = lateness()
        self.identity = Identity("")

    def greet(self) -> None:
        """Ask for its identity and its commands. Any failure counts as a failed start."""
        try:
            self._known = frozenset(self.tell("list_commands", self.terms.starting).split())
            told = " ".join(filter(None, (self.tell("name"), self.tell("version"))))
            build = self.tell(BUILD) if BUILD in self._known else ""
        except Forfeit as error:
            raise Forfeit(self.engine.name, Fault.START, str(error)) from None
        self.identity = Identity(told, fingerprint(self.engine.command, build))

    def tell(self, line: str, timeout: float | None = None) -> str:
        """Send a command, and return the text of the response."""
        timeout = self.terms.answering if timeout is None else timeout
        with self._blamed():
            response = self._process.ask(line, timeout).response
        self._check_accepted(line, response)
        return response.text

    def new_game(self, board: Board, control: TimeControl, seed: int) -> None:
        """Prepare it for a game."""
        self._timed = control.kind is not Kind.NONE
        for key, value in self.engine.settings.items():
            self.tell(f"game-set {key} {value}".replace(SEED, str(seed)))
        for command in beginning(self._known, *board):
            self.tell(command)
        line = settings_line(control, self._known)
        if line is not None and self.accepts(control):
            self.tell(line)
        for command in self.engine.setup:
            self.tell(command.replace(SEED, str(seed)))
        if BUILD in self._known and board.game not in self._prepared:
            self._prepared.add(board.game)
            self.identity = self.identity.using(used(board.game, self.tell(BUILD)))

    def accepts(self, control: TimeControl) -> bool:
        """Whether it can be told its time control; without a clock there is nothing to tell."""
        line = settings_line(control, self._known)
        return line is None or line.split()[0] in self._known

    def play(self, color: Color, word: str) -> Taken:
        """Tell it the turn that was played."""
        answer, taken = self._timed_answer(f"play {color.letter} {word}")
        self._check_accepted(f"play {color.letter} {word}", answer)
        return taken

    def tell_clock(self, color: Color, clock: Clock) -> Taken | None:
        """Send it its clock, if it has a command for that."""
        line = left_line(clock, color.letter, self._known)
        if line is None:
            return None
        answer, taken = self._timed_answer(line)
        self._check_accepted(line, answer)
        return taken

    def choose(self, color: Color, timeout: float) -> tuple[str, Taken]:
        """Request a turn, or a part of one: a word.

        timeout -- seconds after which it counts as stalled
        """
        answer, taken = self._timed_answer(f"genmove {color.letter}", timeout)
        words = answer.text.split()
        if not answer.success:
            sentence = f"it refused to play: {answer.text[:60]}"
            raise Forfeit(self.engine.name, Fault.REFUSED, sentence)
        if len(words) != 1:
            sentence = f"a turn must be one word: {answer.text[:60]!r}"
            raise Forfeit(self.engine.name, Fault.PROTOCOL, sentence)
        return words[0], taken

    def remark(self, game: str) -> tuple[Remark, Taken | None]:
        """Its remark on its last turn, if it can report one."""
        if _EXPLAIN not in self._known:
            return Remark(), None
        answer, taken = self._timed_answer(_EXPLAIN)
        return read_remark(game, answer.text) if answer.success else Remark(), taken

    @property
    def evidence(self) -> Evidence:
        """The last lines of the conversation."""
        return Evidence(self.engine.name, self._process.conversation)

    @property
    def alive(self) -> bool:
        """Whether its process is running."""
        return self._process.alive

    def kill(self) -> None:
        """Kill it from another thread; a call that waits for it raises Forfeit."""
        self._process.kill()

    def close(self) -> None:
        """Ask it to quit, and make sure that it ends."""
        self._process.close()

    def _timed_answer(self, line: str, timeout: float | None = None) -> tuple[Response, Taken]:
        """Send a command of a game and measure its time; precisely only if there is a clock."""
        timeout = self.terms.answering if timeout is None else timeout
        with self._blamed():
            if self._timed:
                answer, use = self._process.ask_measured(line, timeout)
            else:
                answer, use = self._process.ask(line, timeout), None
        asked = answer.arrival - answer.seconds
        pauses = self._watch.paused(asked, answer.arrival)
        seconds = answer.seconds - pauses.counted
        late = self._watch.at(asked) + self._watch.at(answer.arrival) if self._timed else 0.0
        return answer.response, Taken(seconds, use, min(late, seconds), pauses.whole)

    def _check_accepted(self, line: str, response: Response) -> None:
        if not response.success:
            sentence = f"it refused: {line[:60]}: {response.text[:60]}"
            raise Forfeit(self.engine.name, Fault.REFUSED, sentence)

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        asked = time.monotonic()
        try:
            yield
        except EngineFault as error:
            pauses = self._watch.paused(asked, time.monotonic())
            if pauses.whole:
                raise Void.by_pause(self.engine.name, error, pauses.whole) from None
            raise Forfeit(self.engine.name, Fault(error.kind), str(error)) from None


def _environment(engine: Engine, terms: Terms) -> dict[str, str]:
    """The variables of an engine: with reserved processors it may use them all."""
    free = terms.processors or _THREADS in os.environ
    return engine.environment if free else {_THREADS: "1"} | engine.environment


def _log_path(folder: str, name: str) -> Path | None:
    """The beginning of the path of a log; None without a log. Raises OSError."""
    if not folder:
        return None
    Path(folder).mkdir(parents=True, exist_ok=True)
    simple = re.sub("[^A-Za-z0-9._-]+", "_", name)
    return Path(folder) / f"{simple}-{time.strftime('%Y%m%d-%H%M%S')}"


def read_remark(game: str, text: str) -> Remark:
    """Parse an explanation such as `Black wins 53.1%, 200 visits, ...`."""
    comment = " ".join(text.split())[:_LONGEST_COMMENT]
    chance, visits = _CHANCE.search(comment), _VISITS.search(comment)
    value = None
    if chance is not None:
        share = min(1.0, float(chance["percent"]) / 100)
        black = chance["color"].lower() in (str(BLACK), find_game(game).color_names[BLACK].lower())
        value = round(share if black else 1 - share, 4)
    return Remark(value, int(visits["visits"]) if visits else None, comment)
