"""The lines of a page's console that reach an engine."""

import pytest

from gtp_engine.board.server.console import LONGEST_LINE, refusal

OURS = [
    {"name": "showboard", "files": False, "streams": False},
    {"name": "game-view", "files": False, "streams": False},
    {"name": "printsgf", "files": True, "streams": False},
    {"name": "game-set", "files": True, "streams": False},
    {"name": "game-analyze", "files": False, "streams": True},
    {"name": "quit", "files": False, "streams": False},
]
FOREIGN = [{"name": name} for name in ("name", "showboard", "loadsgf", "gogui-play_sequence", "x")]


@pytest.mark.parametrize("line", ["showboard", "  showboard ", "game-view", "showboard 'b' \"c\""])
def test_what_only_looks_is_sent(line):
    assert refusal(line, OURS) is None


@pytest.mark.parametrize(
    "line, told",
    [
        ("printsgf", "can access files"),
        ("printsgf /tmp/x", "can access files"),
        (" printsgf x", "can access files"),
        ("game-set weights /etc/passwd", "can access files"),
        ("game-analyze b 10", "without end"),
        ("quit", "button"),
        ("unknown", "no command unknown"),
        ("1 printsgf x", "must begin with the name"),
        ("1printsgf x", "must begin with the name"),
        ("7 showboard", "must begin with the name"),
        ("", "must begin with the name"),
        ("   ", "must begin with the name"),
        ("# interrupt", "must not contain a comment"),
        ("showboard # x", "must not contain a comment"),
        ("showboard\nprintsgf x", "printable ASCII"),
        ("showboard\rprintsgf x", "printable ASCII"),
        ("prin\x00tsgf x", "printable ASCII"),
        ("\x1bprintsgf x", "printable ASCII"),
        ("showboard\tx", "printable ASCII"),
        ("showboard \N{NO-BREAK SPACE}", "printable ASCII"),
        ("showboard\x85printsgf", "printable ASCII"),
        ("showboard\u2028printsgf", "printable ASCII"),
        ("showboard " + "x" * LONGEST_LINE, "at most"),
    ],
)
def test_nothing_else_is(line, told):
    assert told in refusal(line, OURS)


def test_an_engine_that_does_not_tell_what_touches_files_is_asked_only_harmless_things():
    assert refusal("name", FOREIGN) is None
    assert refusal("showboard", FOREIGN) is None
    for name in ("loadsgf", "gogui-play_sequence", "x"):
        assert "does not report" in refusal(name, FOREIGN)
    assert "no command version" in refusal("version", FOREIGN)
