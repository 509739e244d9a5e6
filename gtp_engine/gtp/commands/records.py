"""Records of games as files, and as text in the line. [Records](../records.md) describes them."""

import base64
import re
from collections.abc import Sequence

from gtp_engine.base.log import note
from gtp_engine.base.numbers import whole
from gtp_engine.engine.session import Session
from gtp_engine.gtp.commands import command
from gtp_engine.gtp.commands.arguments import FILE, choice, unquoted
from gtp_engine.gtp.wire.line import readable
from gtp_engine.gtp.wire.registry import NULL, Argument, Failure, JsonResult, optional, rest

PRINTED = "-"
PLAIN = "plain"
FORM = choice(PLAIN, "display", "clicks")

_INVALID = "invalid arguments"

# Properties that identify the game or its writer, which a controller must not override.
_OURS = re.compile("A[BEPW]|[BCW]|CA|FF|GAME|GM|HA|KM|PIE|PL|POS|RU|SZ|TURN")


def _turn_number(text: str) -> int:
    """Raises ValueError."""
    number = whole(text)
    if number < 1:
        raise ValueError("turns are counted from 1")
    return number


def _property(text: str) -> tuple[str, str]:
    r"""A name and a value from `NAME=VALUE`, where `\_` is a blank and `\\` a backslash.

    Raises ValueError, also for a value that is no UTF-8.
    """
    name, separator, value = unquoted(text).partition("=")
    name = name.upper()
    value.encode()
    if not separator or not re.fullmatch("[A-Z]{1,8}", name) or _OURS.fullmatch(name):
        raise ValueError("not a property")
    return name, re.sub(r"\\([_\\])", lambda found: found[1].replace("_", " "), value)


def _content(text: str) -> bytes:
    """Raises ValueError."""
    return base64.b64decode(text, validate=True)


CONTENT = Argument("BASE64", _content, failure="the record is not base64")
TURN_NUMBER = Argument("N", _turn_number, failure="turn number not a positive integer")


@command("loadsgf", FILE, optional(TURN_NUMBER), malformed="missing filename", files=True)
def loadsgf(session: Session, path: str, number: int | None = None) -> None:
    """Load a game from an SGF file in any form that we or GoGui write.

    Arguments: the file; the number of a turn to stop before it, or nothing
    Effect: game, size, pie rule, position and history become those of the file. Its names,
        comments, variations and other properties are kept for the next record
    Fails: `cannot load file`, also for another game (`game-record_report` has the reason);
        `missing filename`; `turn number not a positive integer`
    Example:
        > loadsgf no-such-file.sgf
        ? cannot load file
    """
    from gtp_engine.base.files import CannotRead, read_file
    from gtp_engine.engine.record_loading import CannotLoad
    from gtp_engine.rules.records.sgf import LARGEST_RECORD

    try:
        _replay(session, read_file(path, LARGEST_RECORD), number)
    except (CannotRead, CannotLoad) as error:
        if isinstance(error, CannotRead):
            _report(session, str(error))
        note("loadsgf {}: {}", path, error)
        raise Failure("cannot load file") from None


@command("printsgf", optional(FILE), counted=True, files=True)
def printsgf(session: Session, path: str = PRINTED) -> str:
    """Print the game as SGF, or write it to a file.

    Arguments: a file; nothing or `-` to print
    Effect: writes or replaces the file
    Reply: the SGF, without a file
    Fails: `cannot write file`; `syntax: ...`, also for a path with blanks outside quotes
    Example:
        > boardsize 6
        =
        > printsgf
        = (;FF[4]AP[Patchpie:VERSION]CA[UTF-8]GAME[implo]KM[0.0]PIE[pieces]SZ[6])
    """
    return _print(session, path)


@command("game-printsgf", FORM, optional(FILE), counted=True, files=True)
def game_printsgf(session: Session, form: str, path: str = PRINTED) -> str:
    """Print the game as SGF in one of three forms, or write it to a file.

    Arguments: `plain`, as `printsgf`; `display`, for viewers of Go records; `clicks`, for GoGui
        with our rules; then as for `printsgf`
    Effect: writes or replaces the file; `loadsgf` reads all three forms
    Reply: the SGF, without a file
    Fails: as `printsgf`; `the game began with a position set up`, for `clicks`; `syntax: ...`
    Example:
        > boardsize 6
        =
        > game-printsgf clicks
        = (;FF[4]AP[Patchpie:VERSION]CA[UTF-8]KM[0.0]PIE[pieces]RU[implo]SZ[6])
    """
    return _print(session, path, form)


@command(
    "gomill-savesgf",
    FILE,
    rest(Argument("NAME=VALUE", _property)),
    malformed=_INVALID,
    files=True,
)
def savesgf(session: Session, path: str, *properties: tuple[str, str]) -> str:
    r"""Write the game to a file, in the form for viewers of Go records.

    Arguments: the file, `-` to print; properties for the root, such as `EV=League`, in which `\_`
        stands for a blank and `\\` for a backslash
    Effect: writes or replaces the file; `loadsgf` restores the game from it
    Reply: the SGF, for `-`
    Fails: `invalid arguments`, also for properties that identify the game or our program, such as
        `SZ`, `HA` and `AP`, and for a name given twice; `cannot write file`
    Example:
        > gomill-savesgf game.sgf SZ=9
        ? invalid arguments
    """
    named = dict(properties)
    if len(named) < len(properties):
        raise Failure(_INVALID)
    return _print(session, path, "display", named)


@command(
    "game-load_record",
    CONTENT,
    optional(TURN_NUMBER),
)
def load_record(session: Session, content: bytes, number: int | None = None) -> None:
    """Load a game from the content of an SGF file, for clients that share no files with us.

    Arguments: the file in base64, in one word; then as for `loadsgf`
    Effect: as `loadsgf`
    Fails: with the reason, and the place in the file; `the record is not base64`;
        `turn number not a positive integer`; `syntax: ...`
    Example:
        > game-load_record KDtHQU1FW3JvYmJsZV1TWlszXTtCW0IyXSk=
        =
        > game-history
        = 1 black B2
        > game-load_record KDtHQU1FW3JvYmJsZV1TWlszXTtCW0IyXVdbQTFdKQ==
        ? line 1, column 20: more than one turn in a node
    """
    _replay(session, content, number)


@command("game-record", FORM)
def record(session: Session, form: str) -> str:
    """Give the record of the game exactly, for clients that share no files with us.

    Arguments: the form, as for `game-printsgf`
    Reply: the SGF as UTF-8 in base64, in lines of at most 76 characters, with its empty lines
    Fails: `the game began with a position set up`, for `clicks`; `syntax: ...`
    Example:
        > game-select robble 3
        =
        > game-record pretty
        ? syntax: game-record plain|display|clicks
    """
    text, _ = _written(session, form)
    return base64.encodebytes(text.encode()).decode()


@command("game-record_report")
def record_report(session: Session) -> JsonResult | str:
    """Report on the last record that was loaded or written.

    Reply: a JSON object, `null` before the first record: `done`; `reason`, `line` and `column` of a
        failure to load, else null; `lost`, what could not be decoded, or what the form or the
        answer cannot hold; `guessed`, sentences about what the file does not say, such as its
        character set, or says against the grammar
    Example:
        > game-record_report
        = null
        > game-printsgf plain
        = (;FF[4]AP[Patchpie:VERSION]CA[UTF-8]GAME[implo]KM[0.0]PIE[pieces]SZ[8])
        > game-record_report
        = {"done":true,"reason":null,"line":null,"column":null,"lost":[],"guessed":[]}
    """
    return session.record_report or NULL


def _print(
    session: Session, path: str, form: str = PLAIN, more: dict[str, str] | None = None
) -> str:
    """Write the record to a file, with additional root properties; or return it."""
    from gtp_engine.base.files import write_file

    text, lost = _written(session, form, more)
    if path == PRINTED:
        if "\n\n" in text or " \n" in text:
            _report(session, lost=[*lost, "empty lines and blanks at the ends of lines"])
        return text
    try:
        write_file(path, text.encode())
    except OSError as error:
        note("record {}: {}", path, error)
        _report(session, str(error))
        raise Failure("cannot write file") from None
    return ""


def _written(
    session: Session, form: str, more: dict[str, str] | None = None
) -> tuple[str, list[str]]:
    """The text of a record, and what the form cannot hold."""
    from gtp_engine.engine.record_writing import Form, Unwritable, written

    try:
        text, lost = written(session, Form(form), more)
    except Unwritable as error:
        _report(session, str(error))
        raise
    _report(session, lost=lost)
    return text, lost


def _replay(session: Session, content: bytes, number: int | None) -> None:
    """Replace the game by that of a file. Raises CannotLoad."""
    from gtp_engine.engine.record_loading import CannotLoad, replay

    try:
        replay(session, content, number)
    except CannotLoad as error:
        place = error.place or (None, None)
        _report(session, error.reason, *place)
        raise
    assert session.state.record is not None
    _report(session, lost=session.state.record.lost, guessed=session.state.record.guessed)


def _report(
    session: Session,
    reason: str | None = None,
    line: int | None = None,
    column: int | None = None,
    lost: Sequence[str] = (),
    guessed: Sequence[str] = (),
) -> None:
    """Remember how reading or writing a record went, also when the command fails."""
    session.record_report = {
        "done": reason is None,
        "reason": None if reason is None else readable(reason),
        "line": line,
        "column": column,
        "lost": list(lost),
        "guessed": list(guessed),
    }
