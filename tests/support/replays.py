"""The games inside a page."""

import gzip
import json
import re
from base64 import b64decode


def game_on(page: str, number: int = 1) -> dict:
    """A game that a page encloses, with its rules."""
    game = _enclosed(page, f"game-{number}")
    return game | {"rules": _enclosed(page, "enclosed")["rules"][game["views"][0]["game"]["name"]]}


def listed_on(page: str) -> list[dict]:
    """The list of the games that a page encloses."""
    return _enclosed(page, "enclosed")["list"]


def _enclosed(page: str, name: str) -> dict:
    script = rf'<script type="text/plain" id="{name}">(.*?)</script>'
    return json.loads(gzip.decompress(b64decode(re.search(script, page, re.DOTALL)[1])))


def turns_on(page: str, number: int = 1) -> list[dict]:
    """The start, and the last node of each turn."""
    game = game_on(page, number)
    return [game["nodes"][end] for end in game["ends"]]


def pieces_on(page: str, node: int) -> dict[str, str]:
    """The pieces at a node in words, by their vertices."""
    game = game_on(page)
    pieces = [game["pieces"][number] for number in game["views"][node]["pieces"]]
    return {piece["at"]: piece["text"] for piece in pieces}
