"""A fifth game for tests: its file counts as one more in gtp_engine/rules/."""

from pathlib import Path

from gtp_engine import rules

FOLDER = Path(__file__).parent / "fifth_game"
NAME = "hex"


def add_fifth_game() -> None:
    """Have the program find the game as if its file were in gtp_engine/rules/."""
    rules.__path__.append(str(FOLDER))
    rules.games.cache_clear()


def remove_fifth_game() -> None:
    """Undo that."""
    rules.__path__.remove(str(FOLDER))
    rules.games.cache_clear()
