"""What all failures of the arena have in common."""


class ArenaError(Exception):
    """Something cannot be done; the text says what and why, for the user."""
