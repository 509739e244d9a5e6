"""Records for other programs (records.md)."""

from gtp_engine.commands import command
from gtp_engine.commands.arguments import choice, word
from gtp_engine.engine.session import Session
from gtp_engine.gtp.errors import Failure
from gtp_engine.gtp.registry import optional
from gtp_engine.log import note

PRINTED = "-"
PLAIN = "plain"


def print_record(
    session: Session, path: str, form: str = PLAIN, more: dict[str, str] | None = None
) -> str:
    """Write the record to a file, with additional root properties; or return it."""
    from gtp_engine.records.sgf import Form, Unwritable, save, sgf_text

    try:
        if path == PRINTED:
            return sgf_text(session, Form(form), more)
        save(session, path, Form(form), more)
    except Unwritable as error:
        raise Failure(str(error)) from None
    except OSError as error:
        note("record {}: {}", path, error)
        raise Failure("cannot write file") from None
    return ""


@command(
    "game-printsgf",
    choice(PLAIN, "display", "clicks"),
    optional(word("FILE")),
    counted=True,
    files=True,
)
def game_printsgf(session: Session, form: str, path: str = PRINTED) -> str:
    """Print the game as SGF in one of three forms, or write it to a file.

    Arguments: `plain`, as `printsgf`; `display`, for viewers of Go records; `clicks`, for GoGui
        with our rules; then a file, or nothing or `-` to print
    Effect: writes or replaces the file; `loadsgf` reads all three forms
    Reply: the SGF text, without a file
    Fails: `cannot write file`; `the game began with a position set up`, for `clicks`;
        `syntax: ...`, also for a path with blanks
    Example:
        > boardsize 6
        =
        > game-printsgf clicks
        = (;FF[4]AP[Patchpie:VERSION]CA[UTF-8]KM[0.0]PIE[pieces]RU[implo]SZ[6])
        > game-printsgf clicks no-such-folder/game.sgf
        ? cannot write file
        > game-printsgf pretty
        ? syntax: game-printsgf plain|display|clicks [FILE]
    """
    return print_record(session, path, form)
