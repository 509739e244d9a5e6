"""How a command ends when it does not simply answer."""


class Failure(Exception):
    """The command fails: the text goes back after `?`, and nothing has changed."""


class Quit(Exception):
    """The command succeeds and the session ends."""
