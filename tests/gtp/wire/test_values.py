"""Lines, responses, registry and dispatch, without any stream."""

import os
import threading
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gtp_engine.gtp.wire.dispatch import Answer, answer
from gtp_engine.gtp.wire.inbox import Inbox, split_lines
from gtp_engine.gtp.wire.line import CommandLine, parse_line
from gtp_engine.gtp.wire.registry import Argument, Failure, Quit, Registry, optional, rest
from gtp_engine.gtp.wire.response import Response
from support.thorough import thorough
from support.waiting import wait_until

LINES = {
    "name": (None, "name"),
    "7 name": (7, "name"),
    "  7   name  ": (7, "name"),
    "7\tname": (7, "name"),
    "\tname": (None, "name"),
    "na\x01me\x7f\x0b\r": (None, "name"),
    "name # comment": (None, "name"),
    "play b d4 # x": (None, "play", "b", "d4"),
    'printsgf "a b#c.sgf" # x': (None, "printsgf", '"a b#c.sgf"'),
    'x "a b""c" "d "e': (None, "x", '"a', 'b""c"', '"d', '"e'),
    'x { "a" : "b  c" }': (None, "x", "{", '"a"', ":", '"b  c"', "}"),
    "x a\u3000b\u00a0c\u0085d": (None, "x", "a\u3000b\u00a0c\u0085d"),
    "0 name": (0, "name"),
    "007 name": (7, "name"),
    "7name": (7, "name"),
    "2147483647 name": (2147483647, "name"),
    "2147483648 name": (None, "2147483648", "name"),
    "99999999999999999999 name": (None, "99999999999999999999", "name"),
    "-1 name": (None, "-1", "name"),
    "1.5 name": (1, ".5", "name"),
    "=2 name": (None, "=2", "name"),
    "NAME": (None, "NAME"),
    "n\u00e4me": (None, "n\u00e4me"),
    "name # \u00e4": (None, "name"),
}


@pytest.mark.parametrize("text", LINES)
def test_a_line_is_cut_into_id_name_and_arguments(text):
    identifier, name, *arguments = LINES[text]
    assert parse_line(text) == CommandLine(identifier, name, tuple(arguments))


@pytest.mark.parametrize(
    "text, cut",
    [("x a#b", True), ("x#", True), ("x a #b", False), ('x "a#b"', False), ('x "a#', True)],
)
def test_a_comment_that_begins_inside_a_word_is_noticed(text, cut):
    assert parse_line(text).cut is cut


@pytest.mark.parametrize("text", ["", "   ", "\t", "# only comment", "5", "5 #x", "\x00", "\r"])
def test_a_line_without_a_command_is_none(text):
    assert parse_line(text) is None


RESPONSES = {
    Response(True): "=\n\n",
    Response(True, "", 7): "=7\n\n",
    Response(True, "a"): "= a\n\n",
    Response(False, "bad", 0): "?0 bad\n\n",
    Response(True, "a\nb", 3): "=3 a\nb\n\n",
    Response(True, "a\n\n \nb\n"): "= a\nb\n\n",
    Response(True, "a\tb  \nc\u00e9\ud800\u0085"): "= a b\nc\u00e9\ufffd\n\n",
}


@pytest.mark.parametrize("response", RESPONSES)
def test_a_response_as_text(response):
    assert str(response) == RESPONSES[response]


@given(st.booleans(), st.text(), st.none() | st.integers(0, 2**31 - 1))
def test_a_response_is_always_one_block(success, text, identifier):
    written = str(Response(success, text, identifier))
    assert written.encode()
    assert written.endswith("\n\n")
    assert "\n\n" not in written[:-2]
    read = Response.parse(written)
    assert (read.success, read.id) == (success, identifier)
    assert str(read) == written


@pytest.mark.parametrize("text", ["", "a\n\n", "x= a\n\n", "=a\n\n", "=1a\n\n", "=-1\n\n"])
def test_what_is_no_response_is_refused(text):
    with pytest.raises(ValueError, match="not a response"):
        Response.parse(text)


class Context:
    """A context with a number as its state."""

    def __init__(self) -> None:
        self.state = 0
        self.interrupt = None


class Refusal(Exception):
    """What is refused in its own words."""


class TooLate(Refusal):
    """What is refused in a text of the protocol."""


class MuchTooLate(TooLate):
    """The same, more exactly."""


REGISTRY = Registry({Refusal: "cannot: {}", TooLate: "too late"})
NUMBER = Argument("N", int)


@REGISTRY.command("add", NUMBER, rest(NUMBER), malformed="not a number")
def add(context, first, *others):
    """Add numbers to the state."""
    context.state += first + sum(others)
    return str(context.state)


@REGISTRY.command("maybe", optional(NUMBER._replace(failure="odd number")))
def maybe(context, number=5):
    """Tell a number."""
    return str(number)


@REGISTRY.command("fail")
def fail(context):
    """Change the state, then fail."""
    context.state = 99
    raise Failure("too bad")


@REGISTRY.command("crash")
def crash(context):
    """Change the state, then crash."""
    context.state = 99
    raise ZeroDivisionError


@REGISTRY.command("refuse", Argument("N", int))
def refuse(context, number):
    """Change the state, then refuse."""
    context.state = 99
    raise (Refusal("{} is odd"), TooLate("by far"), MuchTooLate())[number]


@REGISTRY.command("tell", optional(NUMBER), also=("say",))
def tell(context, number=0):
    """Tell something in JSON."""
    return [{"a": [1, None]}, ["\u00e9"], {}, None][number]


@REGISTRY.command("leave")
def leave(context):
    """End."""
    raise Quit


@pytest.mark.parametrize(
    ("line", "response"),
    [
        ("add 1 2 3", "= 6"),
        ("add", "? not a number"),
        ("add x", "? not a number"),
        ("add 1 x", "? not a number"),
        ("maybe", "= 5"),
        ("maybe 3 junk", "= 3"),
        ("maybe x", "? odd number"),
        ("fail", "? too bad"),
        ("crash", "? internal error"),
        ("9 crash", "?9 internal error"),
        ("ADD 1", "? unknown command"),
        ("refuse 0", "? cannot: {} is odd"),
        ("refuse 1", "? too late"),
        ("refuse 2", "? too late"),
        ("tell", '= {"a":[1,null]}'),
        ("tell 1", r'= ["\u00e9"]'),
        ("tell 2", "= {}"),
        ("tell 3", "="),
        ("say 2", "= {}"),
        ("say x", "? syntax: say [N]"),
    ],
)
def test_dispatch(line, response):
    context = Context()
    reply = answer(REGISTRY, context, line)
    assert str(reply.response) == f"{response}\n\n"
    assert not reply.quits
    assert context.state == (6 if line == "add 1 2 3" else 0)


def test_an_unforeseen_error_is_logged_with_its_traceback():
    from loguru import logger

    messages = []
    logger.enable("gtp_engine")
    sink = logger.add(messages.append)
    try:
        answer(REGISTRY, Context(), "crash")
    finally:
        logger.remove(sink)
    assert "ZeroDivisionError" in "".join(messages)


def test_quitting_is_answered_first():
    assert answer(REGISTRY, Context(), "3 leave") == Answer(Response(True, "", 3), quits=True)


def test_a_comment_has_no_answer():
    assert answer(REGISTRY, Context(), "# add 1") is None


def test_a_command_is_declared_once():
    with pytest.raises(ValueError, match="twice"):
        REGISTRY.command("add")(add)


def test_a_second_name_is_taken_too():
    with pytest.raises(ValueError, match="say is declared twice"):
        REGISTRY.command("talk", also=("say",))(tell)


def test_the_context_hears_each_name_of_a_command():
    heard = []
    registry = Registry(hear=lambda context, name: heard.append(name))
    registry.command("tell", also=("say",))(tell)
    for line in ("say", "tell", "whisper", "# say"):
        answer(registry, Context(), line)
    assert heard == ["say", "tell"]


def test_the_syntax_shows_the_arguments():
    assert REGISTRY.get("add").syntax == "add N [N...]"
    assert REGISTRY.get("maybe").malformed == "syntax: maybe [N]"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (b"\xef\xbb\xbfname\nname\n", ["name", "name"]),
        (b"\xef\xbb\xbfname", ["name"]),
        (b"name\n\xef\xbb\xbfname\n", ["name", "\ufeffname"]),
    ],
)
def test_only_a_byte_order_mark_at_the_beginning_is_dropped(text, lines):
    read_end, write_end = os.pipe()
    os.write(write_end, text)
    os.close(write_end)
    assert list(split_lines(read_end)) == lines
    os.close(read_end)


class WatchedCondition(threading.Condition):
    """Knows whether a thread waits."""

    waits = False

    def wait(self, timeout=None):
        self.waits = True
        return super().wait(timeout)


@thorough
def test_a_client_that_is_too_fast_has_to_wait():
    """Lines that nobody takes are held up in the pipe, not in our memory."""
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    inbox = Inbox(read_end)
    inbox._changed = WatchedCondition()
    inbox.start()
    written, chunk = 0, b"name " + b"x" * 1000 + b"\n"

    def fill() -> None:
        nonlocal written
        with suppress(BlockingIOError):
            while written < 2**24:
                written += os.write(write_end, chunk)

    def is_held_up() -> bool:
        fill()
        return inbox._changed.waits or written >= 2**24

    wait_until(is_held_up)
    fill()
    os.close(write_end)
    assert 2**22 < written < 2**23
