"""Which lines a page may send to an engine: those of commands that cannot reach a file.

The engine itself says which of its commands touch the file system and which answer without end
(`game-commands`). Of an engine that does not say it, only commands are let through that every
engine has and that only tell something.
"""

import re
from collections.abc import Iterable

from gtp_engine.client.messages import Message

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
    """Why a line is not sent, in a sentence; None where it is.

    commands -- what the engine has: `name`, and `files` and `streams` where it tells them
    """
    if len(line) > LONGEST_LINE:
        return f"A line has at most {LONGEST_LINE} characters."
    if _PRINTABLE.fullmatch(line) is None:
        return "A line is printable ASCII."
    if "#" in line:
        return "A line holds no comment."
    words = line.split()
    if not words or _ID.match(words[0]):
        return "A line begins with the name of a command."
    name = words[0]
    known = {each["name"]: each for each in commands}
    if name not in known:
        return f"The engine has no command {name[:60]}."
    if name == "quit":
        return "The engine ends with the board; restart it by its button."
    if "files" not in known[name] and name not in _HARMLESS:
        return f"The engine does not tell whether {name} touches files (game-commands)."
    if known[name].get("files"):
        return f"{name} can touch files, so the page does not send it."
    if known[name].get("streams"):
        return f"{name} answers without end; the switch of the analysis does that."
    return None
