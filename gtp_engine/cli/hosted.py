"""`gtp-engine` where JavaScript runs it: its options, its exit statuses, its commands.

Where the host can wait for the client, `run` answers all lines. Elsewhere it calls `Program.turn`
whenever something has arrived.
"""

import random
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gtp_engine.base import files, stderr
from gtp_engine.base.log import log_to_stderr, on_first_use
from gtp_engine.browser import core
from gtp_engine.browser.host import HeardLines, Host
from gtp_engine.cli.engine import TOOLS, parsed
from gtp_engine.cli.interrupts import DONE, FAILED, exit_status
from gtp_engine.engine.choosing import Pondering
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.dispatch import answer
from gtp_engine.gtp.wire.line import parse_line
from gtp_engine.gtp.wire.loop import converse
from gtp_engine.rules import games
from gtp_engine.search.backends.kernel import take_core

if TYPE_CHECKING:
    from gtp_engine.cli.hosted_analyze import Analyzer

_NO_FILES = "a web page has no files"

_ENDLESS = ("game-analyze", "kata-analyze", "lz-analyze")
"""Commands whose streams end only at the next line."""


def preload() -> None:
    """Import what the first commands need, for a snapshot of the memory of Python."""
    registry()
    games()


def run(given: Any, arguments: Sequence[str]) -> int:
    """Run the program to its end, where the host can wait. Returns the exit status.

    given -- the host, an object of JavaScript
    """
    program = begun(given, arguments)
    if isinstance(program, int):
        return program
    return exit_status("gtp-engine", program.run, serves=True)


def begun(given: Any, arguments: Sequence[str]) -> "Program | Analyzer | int":
    """The program, or the exit status if an option is wrong or a help was asked for."""
    from gtp_engine.browser.javascript import JavaScriptHost

    host = JavaScriptHost(given)
    prepare(host, host.memory_mb)
    try:
        program = _program(host, arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else DONE
    if not isinstance(program, int):
        core.between_slices(program.listen)
    return program


def prepare(kernel: core.Calls, memory_mb: int) -> None:
    """Make a program of this interpreter; see core.connect."""
    random.seed()  # the memory of Python may be that of a snapshot
    on_first_use(log_to_stderr)
    core.connect(kernel, memory_mb)
    take_core(sys.modules[core.__name__])


def _program(host: Host, arguments: Sequence[str]) -> "Program | Analyzer | int":
    """Raises SystemExit, after a sentence on stderr, if an option is wrong."""
    tool = arguments[0] if arguments else ""
    if tool in ("analyze", "analysis"):
        from gtp_engine.cli.hosted_analyze import Analyzer

        return Analyzer(host, arguments[1:])
    if tool in TOOLS:
        stderr.write(f"gtp-engine {tool} needs Python and an installation\n")
        return FAILED
    return Program(host, arguments)


class Program:
    """The engine on the lines of a host.

    analyzes -- whether `turn` is to be called again soon, because an analysis goes on
    """

    def __init__(self, host: Host, arguments: Sequence[str]) -> None:
        """Read the options. Raises SystemExit, after a sentence on stderr, if one is wrong."""
        if not host.has_files:
            files.refuse(_NO_FILES)
        self._host = host
        self._lines = HeardLines(host)
        self.listen = self._lines.listen
        options = parsed(arguments)
        on_first_use(log_to_stderr, verbose=options.verbose)
        self._session: Session = options.session
        self._registry = registry()
        self._analysis: str | None = None  # the line of the stream that goes on in the next turn

    @property
    def analyzes(self) -> bool:
        """See Program."""
        return self._analysis is not None

    def run(self) -> int:
        """Answer all lines until `quit` or the end of input. Returns the exit status."""
        idle = Pondering(self._session).go_on
        converse(self._registry, self._session, self._lines, self._host.say, idle)
        return DONE

    def turn(self, rests: bool = False) -> bool:
        """Answer what has arrived. Returns whether it was the last turn.

        rests -- whether the host can wait while Python runs; if not, an analysis gets one line, and
                 goes on in the next turn
        """
        self._lines.listen()
        if self._analysis is not None:
            if not self._lines.waiting:
                self._go_on(self._analysis)
                return False
            self._analysis = None
            self._host.say("\n")
        say = self._host.say if rests else self._say
        return converse(self._registry, self._session, self._lines, say) or self._lines.over

    def _say(self, text: str) -> None:
        """Send a text; end an analysis after its first line, but do not tell the client."""
        line = parse_line(self._lines.last)
        endless = line is not None and line.name in _ENDLESS and self._session.outcome is None
        if endless and text == "\n":
            self._analysis = self._lines.last
            return
        self._host.say(text)
        if endless and text[0] not in "=?":
            self._lines.pending.set()

    def _go_on(self, line: str) -> None:
        """Search a further time for an analysis, for one line."""
        self._lines.pending.clear()
        begun = False

        def say(text: str) -> None:
            nonlocal begun
            if begun:  # not the `=` again
                self._host.say(text)
                self._lines.pending.set()
            begun = True

        answer(self._registry, self._session, line, say)
