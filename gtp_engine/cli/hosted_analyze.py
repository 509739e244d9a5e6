"""`gtp-engine analyze` where JavaScript runs it: position after position, in the one thread."""

from collections.abc import Sequence

from gtp_engine.browser.host import Host, HostInput
from gtp_engine.cli.analyze import parsed, tell_ready
from gtp_engine.gtp.analysis.pipes import FINISHED, LONGEST_LINE, too_long
from gtp_engine.gtp.analysis.service import Service
from gtp_engine.search.pool import Pool


class HostWriter:
    """See analyze.writer.LineWriter: the host takes each line at once."""

    unread = 0

    def __init__(self, host: Host) -> None:
        self._say = host.say

    def wait_until_read(self, most: int) -> None:
        """Nothing is unread."""

    def add(self, line: bytes) -> None:
        """See LineWriter."""
        self._say(line.decode())

    def flush(self) -> None:
        """Nothing is unwritten."""


class Analyzer:
    """Answers requests; those that arrive during a search are taken then."""

    def __init__(self, host: Host, arguments: Sequence[str]) -> None:
        """Read the options. Raises SystemExit, after a sentence on stderr, if one is wrong."""
        asked = parsed(arguments)
        self._waits, self._ended = asked.waits, False
        self._pool = Pool(0, 2 * asked.usual.most_waiting)
        self._service = Service(asked.usual, self._pool, HostWriter(host))
        self._input = HostInput(host, LONGEST_LINE, self._receive, self._end)
        self.listen = self._input.listen
        tell_ready(1)

    def run(self) -> int:
        """Answer all requests until the end of input. Returns the exit status."""
        while not self._ended:
            self._input.rest()
            while self._pool.run_next():
                self._input.listen()
        return FINISHED

    def _receive(self, line: bytes, cut: bool) -> None:
        if cut:
            self._service.refuse(too_long())
        else:
            self._service.take(line)

    def _end(self) -> None:
        self._ended = True
        if not self._waits:
            self._service.abandon()
