"""What an engine must know for what it is to do, and the sentence that says what is missing."""

from collections.abc import Collection
from enum import Enum


class Role(Enum):
    """What an engine does at a table."""

    BOARD = "show and judge the board"
    PLAYER = "play"
    ANALYST = "analyse"


PLAYING = ("play", "genmove", "boardsize", "clear_board")

NEEDED: dict[Role, tuple[str, ...]] = {
    Role.BOARD: ("play", "clear_board", "game-catalog", "game-select", "game-view"),
    Role.PLAYER: PLAYING,
    Role.ANALYST: ("play", "clear_board", "game-select", "game-analyze"),
}
"""What nothing goes without."""

WANTED: dict[Role, dict[str, str]] = {
    Role.BOARD: {
        "game-preview": "show what a click would do",
        "game-objection": "say why a turn is refused",
        "game-position": "take a position as text",
        "game-rule_sentences": "show the numbered rules",
        "game-printsgf": "save for viewers of Go records",
        "game-pie": "change the pie rule",
        "undo": "take back",
    },
    Role.PLAYER: {
        "game-select": "be told which game is played, and plays its own",
        "game-position": "begin from a position that was set up",
        "game-set": "change its level",
    },
    Role.ANALYST: {
        "game-explain": "give hints",
        "game-review": "review a game",
        "game-position": "begin from a position that was set up",
    },
}
"""What it can do without, and what then does not go."""


def unable(name: str, role: Role, commands: Collection[str]) -> str | None:
    """Why an engine cannot do its part at all, in a sentence; None where it can."""
    missing = [command for command in NEEDED[role] if command not in commands]
    if not missing:
        return None
    word = "command" if len(missing) == 1 else "commands"
    return f"{name} cannot {role.value}: it does not know the {word} {_listed(missing)}."


def limits(name: str, role: Role, commands: Collection[str]) -> list[str]:
    """A sentence for each thing that an engine cannot do, though it can do its part."""
    return [
        f"{name} cannot {what}: it does not know {command}."
        for command, what in WANTED[role].items()
        if command not in commands
    ]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
