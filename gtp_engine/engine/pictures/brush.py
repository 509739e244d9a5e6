"""Elements of the look as SVG text: fills in colors, defines each gradient and symbol once."""

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from gtp_engine.engine.pictures.loader import look, paint, roles

Element = Mapping[str, Any]
"""A tag and attributes, as in look.json."""

_GRADIENT = "@"

# Keys of an element that are not SVG attributes.
_OWN_KEYS = ("tag", "stops", "sizes", "dy", "area", "grow", "on")


def plain(text: str) -> str:
    """Any text as XML in ASCII."""
    return escape(text).encode("ascii", "xmlcharrefreplace").decode()


class Brush:
    """Draws in the colors of one board, and collects the definitions of the document."""

    def __init__(self, board: str) -> None:
        self._board = board
        self._defined: dict[str, str] = {}

    def element(self, data: Element, ink: str | None = None, inside: str = "", **more: Any) -> str:
        """An element with more attributes, whose names are written as in Python."""
        attributes = {name: value for name, value in data.items() if name not in _OWN_KEYS}
        attributes |= {name.replace("_", "-"): value for name, value in more.items()}
        written = "".join(f' {name}="{self._value(v, ink)}"' for name, v in attributes.items())
        tag = data["tag"]
        return f"<{tag}{written}>{inside}</{tag}>" if inside else f"<{tag}{written}/>"

    def text(self, data: Element, words: str, ink: str | None = None, **more: Any) -> str:
        """A text of the look, in the size for its length, with its base line below y."""
        sizes = data.get("sizes")
        if sizes:
            more["font_size"] = sizes[min(len(words), len(sizes)) - 1]
        more["y"] = more.get("y", 0) + data.get("dy", 0)
        return self.element(data, ink, plain(words), **more)

    def symbol(self, name: str, drawn: Iterable[str]) -> str:
        """Define a symbol that is used repeatedly. Returns its id."""
        if name not in self._defined:
            self._defined[name] = f'<g id="{name}">{"".join(drawn)}</g>'
        return name

    def definitions(self) -> str:
        """All definitions in use; call it after drawing everything else."""
        return f"<defs>{''.join(self._defined.values())}</defs>"

    def _value(self, value: object, ink: str | None) -> str:
        if not isinstance(value, str):
            return f"{value:g}"
        if value.startswith(_GRADIENT):
            return f"url(#{self._gradient(value[1:], ink)})"
        return paint(value, roles(self._board, ink)) if "{" in value else value

    def _gradient(self, name: str, ink: str | None) -> str:
        """Define a gradient. Returns its id; one without colors of an ink is shared by all."""
        data = look()["gradients"][name]
        own = any(_names_ink(color) for _, color, *_ in data["stops"])
        known = f"{name}-{ink}" if ink is not None and own else name
        if known not in self._defined:
            stops = "".join(self._stop(ink, *stop) for stop in data["stops"])
            self._defined[known] = self.element(data, ink, stops, id=known)
        return known

    def _stop(self, ink: str | None, offset: float, color: str, opacity: float = 1) -> str:
        more = {} if opacity == 1 else {"stop-opacity": opacity}
        return self.element({"tag": "stop", "offset": offset, "stop-color": color, **more}, ink)


def _names_ink(color: str) -> bool:
    """Whether the color depends on an ink."""
    board = next(iter(look()["boards"].values()))["roles"]
    return any(role not in board for role in re.findall(r"\{(.+?)\}", color))
