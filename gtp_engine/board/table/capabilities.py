"""The commands an engine needs for each role, and a sentence on what is missing."""

from collections.abc import Collection
from enum import Enum


class Role(Enum):
    """An engine's role at a table, as what it is to do."""

    BOARD = "show the board and check turns"
    PLAYER = "play"
    ANALYST = "analyse"
    EXPLORER = "tell of past games"


TITLES = {
    Role.BOARD: "The board engine",
    Role.ANALYST: "The analysis engine",
    Role.EXPLORER: "The engine for past games",
}
"""How sentences begin about an engine that people have not named."""

PLAYING = ("play", "genmove", "boardsize", "clear_board")

NEEDED: dict[Role, tuple[str, ...]] = {
    Role.BOARD: ("play", "clear_board", "game-catalog", "game-select", "game-view"),
    Role.PLAYER: PLAYING,
    Role.ANALYST: ("play", "clear_board", "game-select", "game-analyze"),
    Role.EXPLORER: ("game-explore", "game-explore_add", "game-position"),
}
"""The commands that a role requires."""

WANTED: dict[Role, dict[str, str]] = {
    Role.BOARD: {
        "game-preview": "show the effect of a click",
        "game-objection": "explain why a turn is illegal",
        "game-position": "take a position as text",
        "game-rule_sentences": "show the numbered rules",
        "game-load_record": "save for viewers of Go records",
        "game-pie": "change the pie rule",
        "game-opening_values": "show a swap map",
        "game-edit": "set up single pieces",
        "undo": "take back turns",
    },
    Role.PLAYER: {
        "game-select": "select the game, so it plays its own",
        "game-position": "begin from a set-up position",
        "game-set": "change its level",
    },
    Role.ANALYST: {
        "game-hint": "give hints",
        "game-warning": "warn of mistakes",
        "game-review": "review a game",
        "game-position": "begin from a set-up position",
    },
    Role.EXPLORER: {},
}
"""Optional commands, and what is impossible without them."""


def unable(name: str, role: Role, commands: Collection[str]) -> str | None:
    """Why an engine cannot play its role at all, in a sentence; None if it can."""
    missing = [command for command in NEEDED[role] if command not in commands]
    if not missing:
        return None
    word = "command" if len(missing) == 1 else "commands"
    return f"{name} cannot {role.value}: it lacks the {word} {_listed(missing)}."


def limits(name: str, role: Role, commands: Collection[str]) -> list[str]:
    """A sentence for each thing that an engine cannot do, although it can play its role."""
    return [
        f"{name} cannot {what}: it has no command {command}."
        for command, what in WANTED[role].items()
        if command not in commands
    ]


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
