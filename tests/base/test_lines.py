"""Lines from a file descriptor: whole, cut, without an end, in any pieces."""

import os

import pytest

from gtp_engine.base.lines import read_lines

LONGEST = 4


def read(*pieces: bytes, monkeypatch) -> list[tuple[bytes, bool]]:
    """The lines of what arrives in some pieces."""
    waiting = [*pieces, b""]
    monkeypatch.setattr(os, "read", lambda *_: waiting.pop(0))
    return list(read_lines(0, LONGEST))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"", []),
        (b"\n", [(b"", False)]),
        (b"a\nbc\n", [(b"a", False), (b"bc", False)]),
        (b"a\nbc", [(b"a", False), (b"bc", False)]),
        (b"abcd\n", [(b"abcd", False)]),
        (b"abcde\nf\n", [(b"abcd", True), (b"f", False)]),
        (b"abcdefghij\n\nk", [(b"abcd", True), (b"", False), (b"k", False)]),
        (b"abcdefghij", [(b"abcd", True)]),
        (b"abcd", [(b"abcd", False)]),
        (b"\xef\xbb\xbfab\nc", [(b"a", True), (b"c", False)]),
    ],
)
def test_a_line_that_is_too_long_is_cut_and_told_wherever_it_ends(text, lines, monkeypatch):
    """However it arrives: whole, byte by byte, or in two pieces."""
    assert read(text, monkeypatch=monkeypatch) == lines
    each = [text[n : n + 1] for n in range(len(text))]
    assert read(*each, monkeypatch=monkeypatch) == lines
    for at in range(1, len(text)):
        assert read(text[:at], text[at:], monkeypatch=monkeypatch) == lines
