"""Exceptions by which a command fails or quits."""


class Failure(Exception):
    """The command fails: the text is sent after `?`, and nothing has changed."""


class Quit(Exception):
    """The command succeeds and the session ends."""
