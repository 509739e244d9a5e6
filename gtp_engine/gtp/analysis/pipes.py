"""The analysis engine on its pipes: from its first line of input to the end of the process."""

import os
import threading
from collections.abc import Iterator
from functools import partial
from queue import Empty, SimpleQueue

from gtp_engine.base.lines import read_lines
from gtp_engine.base.log import logger
from gtp_engine.base.platforms import set_blocking, wait_until_closed
from gtp_engine.base.signals import handled, keeping
from gtp_engine.gtp.analysis.refusal import RefusedLine
from gtp_engine.gtp.analysis.service import Service, Usual
from gtp_engine.gtp.analysis.writer import Writer
from gtp_engine.search.pool import Pool

LONGEST_LINE = 2**22
"""Most bytes of a line; longer ones are refused."""

# Windows handles signals only between two waits.
_SECONDS_BETWEEN_SIGNALS = 0.5

FINISHED, CANNOT_WRITE = 0, 2
"""Exit statuses: everything that was to be written is, or stdout failed."""

_Ends = SimpleQueue[OSError | None]
"""Why the service ends: stdout cannot be written, or None. Signal handlers may put into it."""


def serve(usual: Usual, positions: int, waits: bool, stdin: int, stdout: int) -> int:
    """Answer the lines of one file descriptor on another one. Returns the exit status.

    It ends when the input has ended and everything is answered, at once on SIGTERM, SIGINT and when
    nobody reads stdout any more, but never inside a line.

    positions -- how many are searched side by side
    waits     -- whether all requests are answered after the end of input
    """
    for descriptor in (stdin, stdout):
        set_blocking(descriptor, True)
    ends = _Ends()
    # The position before each of them may have to be searched, too.
    pool = Pool(positions, 2 * usual.most_waiting)
    writer = Writer(partial(_write, stdout), ends.put)
    service = Service(usual, pool, writer)
    with handled(lambda *_: ends.put(None), within_a_second=True):
        for name, work in (
            ("stdin", partial(_read, service, stdin, waits, ends)),
            ("watch", partial(_watch, stdout, ends)),
        ):
            threading.Thread(target=work, name=name, daemon=True).start()
        while True:
            try:
                error = ends.get(timeout=_SECONDS_BETWEEN_SIGNALS)
                break
            except Empty:
                pass
        with keeping():
            writer.stop()
        pool.cancel_all()
    if error is None or isinstance(error, BrokenPipeError):
        return FINISHED
    logger().error("cannot write to stdout: {}", error.strerror or error)
    return CANNOT_WRITE


def _read(service: Service, stdin: int, waits: bool, ends: _Ends) -> None:
    for line in lines(stdin, LONGEST_LINE):
        if line is None:
            service.refuse(too_long())
        else:
            service.take(line)
    if not waits:
        service.abandon()
    service.finish()
    ends.put(None)


def too_long() -> RefusedLine:
    """Why a line beyond LONGEST_LINE is refused."""
    return RefusedLine("too-long", f"the line is longer than {LONGEST_LINE} bytes")


def _watch(stdout: int, ends: _Ends) -> None:
    if wait_until_closed(stdout):
        ends.put(None)


def _write(stdout: int, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[os.write(stdout, rest) :]


def lines(descriptor: int, longest: int) -> Iterator[bytes | None]:
    """The lines of a file without their ends, None for each that is too long.

    The last line may lack its end.
    """
    for line, cut in read_lines(descriptor, longest):
        yield None if cut else line
