"""A line from the client, cleaned and split by the rules of protocol_specs/clients/protocol.md."""

import re
from typing import NamedTuple

LARGEST_ID = 2**31 - 1

# Most bytes of a line from a client: room for a record of a game in base64.
LONGEST_LINE = 2**21

_CONTROL = {code: None for code in (*range(32), 127) if code != ord("\t")}
_ID = re.compile(r"0*([0-9]{1,10})(?![0-9])")
# A word in quotes may contain blanks and `#`. It keeps the quotes, because JSON has them, too.
_WORD = re.compile(r' *("[^"]*"(?=[ #]|$)|[^ #]+)')


class CommandLine(NamedTuple):
    """A command as it was sent.

    cut -- whether a comment begins inside a word
    """

    id: int | None
    name: str
    arguments: tuple[str, ...]
    cut: bool = False


def parse_line(text: str) -> CommandLine | None:
    """The command on a line; None for a blank line, a comment, or an id alone.

    An id needs no blank after it. A number above LARGEST_ID is not an id but part of the name.

    >>> parse_line("7 play b C4 # well known")
    CommandLine(id=7, name='play', arguments=('b', 'C4'), cut=False)
    """
    identifier, words, rest = _split(text)
    if not words:
        return None
    return CommandLine(identifier, words[0], tuple(words[1:]), rest.startswith("#"))


def has_comment(text: str) -> bool:
    """Whether a line has a comment."""
    *_, rest = _split(text)
    return "#" in rest


def _split(text: str) -> tuple[int | None, list[str], str]:
    """The id of a line, its words, and the rest: blanks and a comment."""
    text = text.translate(_CONTROL).replace("\t", " ").lstrip(" ")
    number = _ID.match(text)
    identifier = None
    if number and int(number[1]) <= LARGEST_ID:
        identifier = int(number[1])
        text = text[number.end() :]
    words, end = [], 0
    while found := _WORD.match(text, end):
        words.append(found[1])
        end = found.end()
    return identifier, words, text[end:]


def readable(word: str) -> str:
    """A word without surrogates, which stand for bytes that are no UTF-8 in file names."""
    return word.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
