"""The placeholder for the program's version in specifications, so that no release edits them."""

from gtp_engine import __version__

VERSION = "VERSION"


def happened(specified: str, got: str) -> bool:
    """Whether a text is what a specification says, blanks at the ends of lines apart.

    The length of the version moves the line breaks of a record: where the specification names the
    version, line breaks may stand anywhere.
    """
    joint = "" if VERSION in specified else "\n"
    specified = specified.replace(VERSION, __version__)
    return _lines(specified, joint) == _lines(got, joint)


def _lines(text: str, joint: str) -> str:
    return joint.join(line.rstrip() for line in text.strip().splitlines())
