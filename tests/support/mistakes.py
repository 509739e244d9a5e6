"""Mistakes as the list of a reviewed game has them, and a position in which one is easily made."""

from typing import Any

ONE_TURN_WINS = "robble 5 ..WBB/W.BWW/BWBBW/WWBB./B.W.W b pie=off"
"""Only B4 wins."""


def mistake(number: int = 1, color: str = "black") -> dict[str, Any]:
    """A mistake of the list; each number has another position."""
    return {
        "id": f"mistakes.1.{number}",
        "number": number,
        "total": 9,
        "game": "robble",
        "size": 5,
        "position": f"robble 5 {number}",
        "color": color,
        "title": "Turn 3 of your game",
        "text": "Black played A5 here.",
        "hint": "",
        "solution": ["B4"],
        "visits": 500,
    }
