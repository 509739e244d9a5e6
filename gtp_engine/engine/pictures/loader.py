"""Reads look.json for drawing in Python; README.md in this folder describes the format."""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

_FILE = "look.json"
_PAGE_STYLE = "page.css"
_ROLE = re.compile(r"\{([a-z_]+)\}")

Roles = Mapping[str, str]
"""Colors, written `#rrggbb`, by the roles that elements name."""


@cache
def look_text() -> bytes:
    """The file itself, JSON in ASCII, for a page that draws."""
    return files(__package__).joinpath(_FILE).read_bytes()


@cache
def page_style() -> str:
    """The style sheet of a page for reading: colors of both themes, type, buttons."""
    return files(__package__).joinpath(_PAGE_STYLE).read_text(encoding="utf-8")


@cache
def look() -> Mapping[str, Any]:
    """The contents of the file. Must not be modified."""
    known: dict[str, Any] = json.loads(look_text())
    return known


def roles(board: str, ink: str | None = None) -> Roles:
    """The colors available to an element on a board, in an ink if it has one.

    Raises KeyError for an unknown board or ink.
    """
    palette = look()["boards"][board]
    known = dict(palette["roles"])
    if ink is not None:
        known |= look()["inks"][ink]["roles"]
        known["rim"] = palette["rims"].get(ink, known["rim"])
    return known


def paint(value: str, colors: Roles) -> str:
    """An attribute's value with its roles replaced by colors."""
    return _ROLE.sub(lambda found: colors[found[1]], value)


def flat(ink: str) -> str:
    """The single color of an ink for media without shades, as `#rrggbb`."""
    return str(look()["inks"][ink]["roles"]["flat"])
