"""What the parts of `make-site` share."""


class CannotMake(Exception):
    """A part of the site could not be made; the message is one sentence for the user."""
