"""What look.json says, for who draws in Python; README.md beside it describes the format."""

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
    """The file as it is, JSON in ASCII: for a page that draws by itself."""
    return files(__package__).joinpath(_FILE).read_bytes()


@cache
def page_style() -> str:
    """The style sheet that all our pages begin with: colors of both themes, type, buttons."""
    return files(__package__).joinpath(_PAGE_STYLE).read_text(encoding="utf-8")


@cache
def look() -> Mapping[str, Any]:
    """What the file says. Nobody may change it."""
    known: dict[str, Any] = json.loads(look_text())
    return known


def roles(board: str, ink: str | None = None) -> Roles:
    """The colors that an element may name on a board, in an ink where it has one.

    Raises KeyError for a board or an ink that there is not.
    """
    palette = look()["boards"][board]
    known = dict(palette["roles"])
    if ink is not None:
        known |= look()["inks"][ink]["roles"]
        known["rim"] = palette["rims"].get(ink, known["rim"])
    return known


def paint(value: str, colors: Roles) -> str:
    """A value of an attribute with the roles in it replaced by their colors."""
    return _ROLE.sub(lambda found: colors[found[1]], value)


def flat(ink: str) -> str:
    """The one color that stands for an ink where there are no shades, as `#rrggbb`."""
    return str(look()["inks"][ink]["roles"]["flat"])
