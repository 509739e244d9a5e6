"""Which lines a page may send to an engine: only commands that cannot access files.

The engine itself reports which of its commands access files and which stream without end
(`game-commands`). For an engine without such a report, only commands pass that every engine has and
that only return information.
"""

import re
from collections.abc import Iterable

from gtp_engine.board.table.messages import Message

LONGEST_LINE = 2000  # characters

_HARMLESS = frozenset(
    {
        "final_score",
        "final_status_list",
        "known_command",
        "list_commands",
        "name",
        "protocol_version",
        "showboard",
        "version",
    }
)
_PRINTABLE = re.compile(r"[ -~]*")
_ID = re.compile(r"[0-9]")


def refusal(line: str, commands: Iterable[Message]) -> str | None:
    """Why a line is not sent, in a sentence; None if it may be sent.

    commands -- the engine's commands: `name`, and `files` and `streams` if reported
    """
    if len(line) > LONGEST_LINE:
        return f"A line may have at most {LONGEST_LINE} characters."
    if _PRINTABLE.fullmatch(line) is None:
        return "A line must be printable ASCII."
    if "#" in line:
        return "A line must not contain a comment."
    words = line.split()
    if not words or _ID.match(words[0]):
        return "A line must begin with the name of a command."
    name = words[0]
    known = {each["name"]: each for each in commands}
    if name not in known:
        return f"The engine has no command {name[:60]}."
    if name == "quit":
        return "The engine cannot be ended from here. Use its button to restart it."
    if "files" not in known[name] and name not in _HARMLESS:
        return f"The engine does not report whether {name} accesses files (game-commands)."
    if known[name].get("files"):
        return f"{name} can access files, so the page does not send it."
    if known[name].get("streams"):
        return f"{name} streams without end; use the switch of the analysis instead."
    return None
