"""A line from the client, cleaned and split by the rules of protocol_specs/protocol.md."""

import re
from typing import NamedTuple

LARGEST_ID = 2**31 - 1

# Most bytes of a line from a client. A turn needs some thousand; the text of a position with a long
# history on the largest board needs about a hundred thousand.
LONGEST_LINE = 2**18

_CONTROL = {code: None for code in (*range(32), 127) if code != ord("\t")}
_ID = re.compile(r"0*([0-9]{1,10})(?![0-9])")


class CommandLine(NamedTuple):
    """A command as it was sent."""

    id: int | None
    name: str
    arguments: tuple[str, ...]


def clean(text: str) -> str:
    """The line without control characters and comment, with tabs as blanks."""
    return text.translate(_CONTROL).partition("#")[0].replace("\t", " ").strip(" ")


def parse_line(text: str) -> CommandLine | None:
    """The command on a line; None for a blank line, a comment, or an id alone.

    An id needs no blank after it. A number above LARGEST_ID is not an id but part of the name.
    """
    text = clean(text)
    number = _ID.match(text)
    identifier = None
    if number and int(number[1]) <= LARGEST_ID:
        identifier = int(number[1])
        text = text[number.end() :]
    words = text.split()
    if not words:
        return None
    return CommandLine(identifier, words[0], tuple(words[1:]))
