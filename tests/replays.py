"""The contents of a replay page."""

import json
import re


def game_on(page: str) -> dict:
    """The data inside a page."""
    script = r'<script type="application/json" id="game">(.*?)</script>'
    return json.loads(re.search(script, page, re.DOTALL)[1])
