"""A response, as a value and as text."""

import re
from typing import NamedTuple

_HEAD = re.compile(r"(?P<sign>[=?])(?P<id>[0-9]{0,10})(?![^ \n])")
_PLAIN = {
    **dict.fromkeys((*range(32), *range(127, 160))),
    **dict.fromkeys(range(0xD800, 0xE000), "\N{REPLACEMENT CHARACTER}"),
    ord("\t"): " ",
    ord("\n"): "\n",
}


def plain(text: str) -> str:
    """A text made fit for a response: no empty line, no blanks at line ends, no surrogates."""
    lines = text.translate(_PLAIN).split("\n")
    return "\n".join(filter(None, (line.rstrip(" ") for line in lines)))


class Response(NamedTuple):
    """The response to a command: success or failure, the command's id, the text.

    >>> str(Response(True, "2", id=7))
    '=7 2\\n\\n'
    """

    success: bool
    text: str = ""
    id: int | None = None

    def __str__(self) -> str:
        """The text for the wire: no empty line inside, an empty line at the end."""
        body = plain(self.text)
        if body and self.text.startswith("\n"):  # a stream
            return f"{self.head}\n{body}\n\n"
        return f"{self.head} {body}\n\n" if body else f"{self.head}\n\n"

    @property
    def head(self) -> str:
        """The beginning of a response: its sign and its id."""
        return ("=" if self.success else "?") + ("" if self.id is None else str(self.id))

    @classmethod
    def parse(cls, text: str) -> "Response":
        """The response in a text from the wire. Raises ValueError for any other text."""
        text = text.replace("\r", "").strip("\n")
        head = _HEAD.match(text)
        if not head:
            raise ValueError(f"not a response: {text!r}")
        identifier = int(head["id"]) if head["id"] else None
        return cls(head["sign"] == "=", text[head.end() :].removeprefix(" "), identifier)
