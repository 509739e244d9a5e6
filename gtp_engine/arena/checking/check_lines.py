"""Items about lines, responses and the process, checked byte by byte."""

import re
import time
from collections.abc import Callable

from gtp_engine.arena.checking.check_subject import CheckItem, Flaws, Subject, Wire, flaw
from gtp_engine.gtp.wire.line import LONGEST_LINE

_TWO = b"= 2\n\n"
_UNKNOWN = b"? unknown command\n\n"
_PIECE_PAUSE = 0.05
_SEVERAL = 300
_EXIT = 5.0  # seconds to exit after `quit`, the end of input or SIGTERM
_EXITED = "exit status 0"


def _answers(*pairs: tuple[bytes, bytes]) -> Callable[[Subject], Flaws]:
    """A check that sends lines to one process and compares each with the expected output."""

    def examine(subject: Subject) -> Flaws:
        wire = subject.wire()
        for sent, expected in pairs:
            wire = subject.wire() if wire.broken else wire
            got = wire.exchange(sent)
            if got != expected:
                yield flaw(_text(sent), _text(expected) or "no answer", _text(got))

    return examine


def _early(subject: Subject) -> Flaws:
    early = subject.wire().early
    if early:
        yield flaw("nothing", "nothing", _text(early))


def _pieces(subject: Subject) -> Flaws:
    wire = subject.wire()
    for piece in (b"proto", b"col_ver"):
        wire.write(piece)
        time.sleep(_PIECE_PAUSE)
    got = wire.exchange(b"sion\n")
    if got != _TWO:
        yield flaw("protocol_version, in three pieces", _text(_TWO), _text(got))


def _several(subject: Subject) -> Flaws:
    got = subject.wire().exchange(b"protocol_version\nno-such-command\n" * _SEVERAL)
    if got != (_TWO + _UNKNOWN) * _SEVERAL:
        sent = f"protocol_version\\nno-such-command\\n, {_SEVERAL} times in one write"
        expected = f"{_text(_TWO + _UNKNOWN)}, {_SEVERAL} times"
        yield flaw(sent, expected, f"{_text(got)}, {len(got)} bytes")


def _ascii(subject: Subject) -> Flaws:
    """Responses that need no game."""
    listed = subject.commands | {"list_commands"}
    wire = subject.wire()
    for command in ("version", "list_commands", "showboard", "game-help", "game-settings"):
        if command in listed:
            got = wire.exchange(command.encode() + b"\n")
            bad = sorted({byte for byte in got if byte != 10 and not 32 <= byte < 127})
            if bad:
                expected = "only printable ASCII and line ends"
                yield flaw(command, expected, f"bytes {' '.join(map(str, bad))}")
            elif got.count(b"\n\n") != 1 or not got.endswith(b"\n\n"):
                yield flaw(command, "one empty line, at the end", _text(got))


def _ending(
    last: bytes, expected: bytes, leave: Callable[[Wire], None], how: str
) -> Callable[[Subject], Flaws]:
    """A check of the output after the last bytes that a process receives."""

    def examine(subject: Subject) -> Flaws:
        wire = subject.wire()
        wire.write(last)
        leave(wire)
        got, ending = wire.rest(_EXIT)
        if (got, ending) != (expected, _EXITED):
            sent = " and ".join(filter(None, (_text(last), how)))
            yield flaw(
                sent, f"{_text(expected)} {_EXITED}".strip(), f"{_text(got)} {ending}".strip()
            )

    return examine


def _last_search(subject: Subject) -> Flaws:
    wire = subject.wire()
    wire.write(b"clear_board\ngenmove b\n")
    wire.end_input()
    got, ending = wire.rest(subject.options.seconds)
    if not re.fullmatch(rb"=\n\n= [^\n]+\n\n", got) or ending != _EXITED:
        sent = "clear_board\\ngenmove b\\n and the end of input"
        yield flaw(sent, f"=\\n\\n= TURN\\n\\n {_EXITED}", f"{_text(got)} {ending}")


def _text(data: bytes) -> str:
    """Bytes as printable text."""
    return repr(data)[2:-1]


def _stay(wire: Wire) -> None:
    pass


def _terminate(wire: Wire) -> None:
    wire.terminate()


ITEMS = (
    CheckItem(
        "responses.form",
        "a response is `=`, a blank, the text and one empty line",
        "protocol.md#responses",
        _answers((b"protocol_version\n", _TWO)),
    ),
    CheckItem(
        "responses.id",
        "the id is repeated after the sign, also in a failure",
        "protocol.md#responses",
        _answers(
            (b"7 protocol_version\n", b"=7 2\n\n"),
            (b"7 no-such-command\n", b"?7 unknown command\n\n"),
        ),
    ),
    CheckItem(
        "responses.alone",
        "the engine writes nothing except responses",
        "protocol.md#responses",
        _early,
    ),
    CheckItem(
        "responses.order",
        "several commands in one write are answered one by one, in order",
        "protocol.md#responses",
        _several,
    ),
    CheckItem(
        "responses.ascii",
        "responses without texts of a client are printable ASCII, without a tab or an empty line",
        "protocol.md#responses",
        _ascii,
    ),
    CheckItem(
        "responses.unknown",
        "an unlisted command fails with exactly `unknown command`",
        "protocol.md#responses",
        _answers(
            (b"no-such-command\n", _UNKNOWN),
            (b"no-such-command protocol_version\n", _UNKNOWN),
            (b"=2 protocol_version\n", _UNKNOWN),
            (b"? protocol_version\n", _UNKNOWN),
        ),
    ),
    CheckItem(
        "lines.blanks",
        "blanks and tabs may stand before, between and after the words",
        "protocol.md#lines",
        _answers(
            (b"  protocol_version  \n", _TWO),
            (b"\tprotocol_version\t\n", _TWO),
            (b"known_command \t protocol_version\n", b"= true\n\n"),
        ),
    ),
    CheckItem(
        "lines.control",
        "control characters and carriage returns are ignored",
        "protocol.md#lines",
        _answers(
            (b"protocol_version\r\n", _TWO),
            (b"proto\x01col_\x00version\n", _TWO),
            (b"protocol_version\x7f\x0b\x0c\n", _TWO),
        ),
    ),
    CheckItem(
        "lines.comment",
        "`#` begins a comment, which may contain any bytes",
        "protocol.md#lines",
        _answers(
            (b"protocol_version # which\n", _TWO),
            (b"protocol_version#which\n", _TWO),
            (b"protocol_version # \xc3\xa9\xff\n", _TWO),
        ),
    ),
    CheckItem(
        "lines.silent",
        "a line without a command has no response",
        "protocol.md#lines",
        _answers(
            *((line, b"") for line in (b"\n", b"   \n", b"\t\n", b"\r\n", b"# 7 name\n")),
            *((line, b"") for line in (b"7\n", b" 7 # name\n", b"# interrupt\n")),
        ),
    ),
    CheckItem(
        "lines.ids",
        "ids go from 0 to 2147483647, need no blank after them, and lose leading zeros",
        "protocol.md#lines",
        _answers(
            (b"0 protocol_version\n", b"=0 2\n\n"),
            (b"2147483647 protocol_version\n", b"=2147483647 2\n\n"),
            (b"007 protocol_version\n", b"=7 2\n\n"),
            (b"7protocol_version\n", b"=7 2\n\n"),
            (b" 7\t protocol_version\n", b"=7 2\n\n"),
        ),
    ),
    CheckItem(
        "lines.no_ids",
        "a larger number, or one with a sign, is not an id but an unknown command",
        "protocol.md#lines",
        _answers(
            (b"2147483648 protocol_version\n", _UNKNOWN),
            (b"99999999999999999999 protocol_version\n", _UNKNOWN),
            (b"-1 protocol_version\n", _UNKNOWN),
            (b"+1 protocol_version\n", _UNKNOWN),
        ),
    ),
    CheckItem(
        "lines.case",
        "names are case-sensitive whole words",
        "protocol.md#lines",
        _answers(
            (b"PROTOCOL_VERSION\n", _UNKNOWN),
            (b"Protocol_version\n", _UNKNOWN),
            (b"protocol\n", _UNKNOWN),
            (b"protocol_versions\n", _UNKNOWN),
            (b"protocol_version\xff\n", _UNKNOWN),
        ),
    ),
    CheckItem(
        "lines.surplus",
        "most commands ignore surplus arguments",
        "protocol.md#lines",
        _answers(
            (b"protocol_version 1 2 3\n", _TWO),
            (b"clear_board now\n", b"=\n\n"),
            (b"komi 6.5 7\n", b"=\n\n"),
        ),
    ),
    CheckItem(
        "lines.long",
        f"a line of more than {LONGEST_LINE} bytes is refused, unless only its comment is too long",
        "protocol.md#lines",
        _answers(
            (b"protocol_version " + b"x" * LONGEST_LINE + b"\n", b"? line too long\n\n"),
            (b"protocol_version #" + b"x" * LONGEST_LINE + b"\n", _TWO),
        ),
    ),
    CheckItem(
        "lines.pieces",
        "a line may arrive in pieces",
        "protocol.md#lines",
        _pieces,
    ),
    CheckItem(
        "process.quit",
        "`quit` has a response, nothing follows it, and the process exits with status 0",
        "protocol.md#starting-and-ending",
        _ending(b"quit\nprotocol_version\n", b"=\n\n", _stay, ""),
    ),
    CheckItem(
        "process.end_of_input",
        "at the end of input the process exits with status 0",
        "protocol.md#starting-and-ending",
        _ending(b"", b"", Wire.end_input, "the end of input"),
    ),
    CheckItem(
        "process.last_line",
        "the last line counts even without a newline",
        "protocol.md#lines",
        _ending(b"protocol_version", _TWO, Wire.end_input, "the end of input"),
    ),
    CheckItem(
        "process.last_search",
        "the end of input does not interrupt a requested turn",
        "protocol.md#starting-and-ending",
        _last_search,
        ("genmove",),
    ),
    CheckItem(
        "process.sigterm",
        "SIGTERM ends the process with status 0",
        "protocol.md#starting-and-ending",
        _ending(b"", b"", _terminate, "SIGTERM"),
    ),
)
