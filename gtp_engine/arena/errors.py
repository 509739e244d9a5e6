"""The base class of all failures of the arena."""


class ArenaError(Exception):
    """Something cannot be done; the text tells the user what and why."""
