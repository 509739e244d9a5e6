"""`gtp-engine` where JavaScript runs it: its options, its exit statuses, its commands."""

import random
import sys
from collections.abc import Sequence

from gtp_engine.base.log import log_to_stderr, on_first_use
from gtp_engine.browser import core
from gtp_engine.browser.host import HeardLines, Host, KernelCalls
from gtp_engine.cli.engine import parsed
from gtp_engine.cli.interrupts import DONE, exit_status
from gtp_engine.engine.choosing import Pondering
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import registry
from gtp_engine.gtp.wire.loop import converse
from gtp_engine.search.backends.kernel import take_core


def run(host: Host, arguments: Sequence[str]) -> int:
    """Run the program to its end, where the host can wait. Returns the exit status."""
    try:
        return exit_status("gtp-engine", Program(host, arguments).run, serves=True)
    except SystemExit as end:  # an option is wrong, or a help was asked for
        return end.code if isinstance(end.code, int) else 0


class Program:
    """The engine on the lines of a host."""

    def __init__(self, host: Host, arguments: Sequence[str]) -> None:
        """Read the options. Raises SystemExit, after a sentence on stderr, if one is wrong."""
        random.seed()  # the memory of Python may be that of a snapshot
        self._host = host
        self._lines = HeardLines(host)
        core.connect(KernelCalls(host), host.memory_mb, self._lines.listen)
        take_core(sys.modules[core.__name__])
        on_first_use(log_to_stderr)
        options = parsed(arguments)
        on_first_use(log_to_stderr, verbose=options.verbose)
        self._session: Session = options.session

    def run(self) -> int:
        """Answer all lines until `quit` or the end of input. Returns the exit status."""
        idle = Pondering(self._session).go_on
        converse(registry(), self._session, self._lines, self._host.say, idle)
        return DONE
