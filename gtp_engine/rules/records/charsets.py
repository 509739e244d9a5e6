"""The character set of a record: named, evident, or guessed and told.

A file is decoded before it is parsed: in Shift_JIS, Big5 and GBK the second byte of a letter may
look like a bracket or a backslash, so a wrong character set loses turns.
"""

import codecs
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

_NAMED = re.compile(rb"(?<![A-Za-z])CA\s*\[\s*([!-Z^-~]+)\s*\]")
_ROOT = re.compile(rb"\(\s*;")
_PROPERTY = re.compile(rb"\s*([A-Za-z0-9]+)(?:\s*\[[^\\\]]*(?:\\.[^\\\]]*)*\])+", re.DOTALL)
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Programs name a character set and use letters of its extension.
_EXTENSIONS = {
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
}
# A character set in which these bytes are other letters cannot be searched for brackets.
_ASCII = bytes(range(32, 126)) + rb"\u0041"

# What tells UTF-16 without a byte order mark: in the other byte order these are other letters.
_BEGINNING = re.compile(r"\(\s*[;A-Z]")
_NO_MARK = "the file has no byte order mark: it was read as UTF-16"

_UTF_8 = "utf-8"
# What begins letters in ISO-2022-JP, which all other sets take for signs of ASCII.
_IN_ESCAPES, _ESCAPE = "iso2022_jp", b"\x1b$"


class _Guess(NamedTuple):
    """A character set to try: its name for people, and the first bytes of its common letters."""

    codec: str
    name: str
    common: frozenset[int]


def _leads(*ranges: tuple[int, int]) -> frozenset[int]:
    return frozenset(byte for first, last in ranges for byte in range(first, last + 1))


# The sets with fewer common letters first: where two fit alike, that is the stronger evidence.
_GUESSES = (
    _Guess("cp949", "EUC-KR", _leads((0xA1, 0xA1), (0xA3, 0xA3), (0xB0, 0xC8))),
    _Guess("cp932", "Shift_JIS", _leads((0x81, 0x83), (0x88, 0x97))),
    _Guess("euc_jp", "EUC-JP", _leads((0xA1, 0xA1), (0xA3, 0xA5), (0xB0, 0xCF))),
    _Guess("big5hkscs", "Big5", _leads((0xA1, 0xA1), (0xA4, 0xC6))),
    _Guess("gb18030", "GB18030", _leads((0xA1, 0xA1), (0xA3, 0xA3), (0xB0, 0xD7))),
)

_ISOLATED = re.compile(r"(?<![^\x00-\x7f])[^\x00-\x7f](?![^\x00-\x7f])")
# In Western text letters beyond ASCII stand alone, and signs beyond it are rare.
_ODD_IN_WESTERN = re.compile(r"[\x80-\xbf\xd7\xf7]|(?<=[\x80-\xff])[\xc0-\xff]")


class DecodedText(NamedTuple):
    """What the bytes of a file may say.

    lost    -- what was replaced
    guessed -- a sentence about the character set, if it was guessed
    odd     -- characters that are unlikely in a text of this character set
    """

    text: str
    lost: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    odd: int = 0


def readings(data: bytes) -> list[DecodedText]:
    """What the bytes of a file may say; several only where the character set must be guessed.

    A byte order mark decides, else zeros between the letters of UTF-16, else `CA`, else the text is
    UTF-8 if that fits.
    """
    for mark, codec in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return [_replaced(data, codec)]
    if b"\0" in data:
        for codec in ("utf-16-le", "utf-16-be"):
            reading = _replaced(data, codec)
            if _BEGINNING.search(reading.text):
                return [reading._replace(guessed=(_NO_MARK,))]
    named = _named(data)
    known = _codecs(named) if named else []
    for codec in known:
        if (text := _exact(data, codec)) is not None:
            return [DecodedText(text)]
    if data.isascii() and _ESCAPE not in data:
        return [DecodedText(data.decode())]
    why = "the file names no character set"
    if named:
        why = f"not all letters are of the character set {named}"
        why = why if known else f"the character set {named} is unknown"
    if not data.isascii() and (text := _exact(data, _UTF_8)) is not None:
        return [DecodedText(text, guessed=(f"{why}: it was read as UTF-8",) if named else ())]
    guesses = [
        reading._replace(guessed=(f"{why}: it was read as {name}, a guess",))
        for name, reading in _guesses(data)
    ]
    return [*guesses, *(_replaced(data, codec) for codec in known[:1])]


def _named(data: bytes) -> str:
    """What `CA` names, "" without it: that of the root goes before one in a text.

    Where brackets may be parts of letters, the properties cannot be told apart: then the first one.
    """
    first, root = _NAMED.search(data), _ROOT.search(data)
    found, at = first, 0 if root is None else root.end()
    while first is not None and (each := _PROPERTY.match(data, at)):
        at = each.end()
        if each[1] == b"CA":
            found = _NAMED.match(data, each.start(1)) or first
            break
    return found[1].decode("ascii") if found else ""


def _guesses(data: bytes) -> Iterator[tuple[str, DecodedText]]:
    """The readings in which all bytes are letters, with the names of the character sets."""
    if _ESCAPE in data and (text := _exact(data, _IN_ESCAPES)) is not None:
        yield "ISO-2022-JP", DecodedText(text)
    for codec, name, common in _GUESSES:
        if (text := _exact(data, codec)) is not None:
            yield name, DecodedText(text, odd=_odd(text, codec, common))
    text = data.decode("iso8859-1")
    odd = len(_ODD_IN_WESTERN.findall(text))
    yield "ISO 8859-1", DecodedText(_exact(data, "cp1252") or text, odd=odd)


def _odd(text: str, codec: str, common: frozenset[int]) -> int:
    """The number of letters that are rare, or stand alone and end with a byte of ASCII."""
    counts = Counter(text)
    alone = Counter(_ISOLATED.findall(text))
    odd = 0
    for letter, count in counts.items():
        if letter.isascii():
            continue
        code = letter.encode(codec)
        if len(code) != 2 or code[0] not in common:
            odd += count
        elif code[1:].isalpha():
            odd += alone[letter]
    return odd


def _exact(data: bytes, codec: str) -> str | None:
    if _ESCAPE in data and codec != _IN_ESCAPES:
        return None
    try:
        return data.decode(codec)
    except ValueError:
        return None


def _replaced(data: bytes, codec: str) -> DecodedText:
    text = data.decode(codec, "replace")
    lost = text.count("\N{REPLACEMENT CHARACTER}")
    told = (f"{lost} characters are not {codec} and were replaced",) if lost else ()
    return DecodedText(text, told, odd=lost)


def _codecs(name: str) -> list[str]:
    """Python's codecs for the name of a character set that contains ASCII.

    The names are the labels of the WHATWG encoding standard, and those that Python knows.
    """
    from webencodings import lookup

    label = lookup(name)
    both = _codec(label.codec_info.name) if label else "", _codec(name)
    every = (*both, *(_EXTENSIONS.get(codec, "") for codec in both))
    return [codec for codec in dict.fromkeys(every) if codec]


def _codec(name: str) -> str:
    """Python's name for a character set that contains ASCII; "" for others."""
    try:
        fits = bool(name) and _ASCII.decode(name) == _ASCII.decode("ascii")
        bytes(range(256)).decode(name, "replace")  # one that cannot replace is none for records
        return codecs.lookup(name).name if fits else ""
    except (LookupError, ValueError):
        return ""
