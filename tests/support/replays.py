"""The game inside a replay page."""

import gzip
import json
import re
from base64 import b64decode


def game_on(page: str) -> dict:
    """The game that a page encloses."""
    script = r'<script type="text/plain" id="enclosed">(.*?)</script>'
    return json.loads(gzip.decompress(b64decode(re.search(script, page, re.DOTALL)[1])))


def turns_on(page: str) -> list[dict]:
    """The start, and the last node of each turn."""
    game = game_on(page)
    return [game["nodes"][end] for end in game["ends"]]


def pieces_on(page: str, node: int) -> dict[str, str]:
    """The pieces at a node in words, by their vertices."""
    game = game_on(page)
    pieces = [game["pieces"][number] for number in game["views"][node]["pieces"]]
    return {piece["at"]: piece["text"] for piece in pieces}
