"""A stdout for every program: it is there, takes any text, and whole lines of it."""

import io
import sys

from gtp_engine.base.stderr import nowhere

_STDOUT = 1

# With these a sign that the character set lacks is an error.
_STRICT = ("strict", "surrogateescape")


def provide() -> None:
    """Have a stdout on which only the system can fail.

    Where the caller closed it, have one that leads nowhere. A sign that its character set lacks is
    written as an escape. Without a buffer, as with PYTHONUNBUFFERED=1, Python would drop the rest
    of a line of which a disk takes only a part; so each line goes through a buffer that keeps it.
    """
    if sys.stdout is None:
        sys.stdout = nowhere(_STDOUT)
    stream = sys.stdout
    if not isinstance(stream, io.TextIOWrapper):  # somebody has replaced it
        return
    if stream is sys.__stdout__ and isinstance(stream.buffer, io.RawIOBase):
        sys.stdout = stream = io.TextIOWrapper(
            io.BufferedWriter(stream.buffer),
            stream.encoding,
            stream.errors,
            line_buffering=True,
        )
    if stream.errors in _STRICT:
        stream.reconfigure(errors="backslashreplace")
