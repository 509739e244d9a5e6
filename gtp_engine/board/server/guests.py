"""What guests may do: the messages that their pages may send, and their bounds."""

from collections.abc import Mapping

from gtp_engine.board.server.gate import HOST, WATCH
from gtp_engine.board.table.messages import COLORS, Message

_WATCHING = frozenset({"hello", "look", "rules", "save", "visible"})
_PLAYING = _WATCHING | {"agree", "names", "new", "preview", "resign", "step", "undo", "why"}

MAY_SEND: Mapping[str, frozenset[str]] = {WATCH: _WATCHING, **dict.fromkeys(COLORS, _PLAYING)}
"""For each role of a guest the kinds of messages; all others end its socket.

`new` and `undo` are done when the other player agrees (sharing.py); `step` and `resign` only for
the guest's color.
"""

_PLAIN = "plain"
_PRIVATE = frozenset({"commands", "console", "journal"})


def may_send(role: str, message: Message) -> bool:
    """Whether the holder of a role may send a message."""
    if role == HOST:
        return True
    kind = message["kind"]
    return kind in MAY_SEND[role] and (kind != "save" or message["form"] == _PLAIN)


def may_hear(role: str, kind: str) -> bool:
    """Whether the holder of a role is told the messages of a kind."""
    return role == HOST or kind not in _PRIVATE


LARGEST_OF_A_GUEST = 2**13
"""Bytes of a guest's message."""

MOST_PAGES = {HOST: 8, WATCH: 8, **dict.fromkeys(COLORS, 3)}
"""Most pages at a time by one token, by its role."""

RATE = {HOST: (50.0, 100.0), **dict.fromkeys((WATCH, *COLORS), (20.0, 60.0))}
"""Messages per second, and at once, by the role."""

RATE_OF_HELLO = {HOST: (100.0, 200.0), **dict.fromkeys((WATCH, *COLORS), (2.0, 20.0))}
"""Hellos per second, and at once, by one token, by its role."""

MOST_AT_ONCE = {HOST: 16, **dict.fromkeys((WATCH, *COLORS), 4)}
"""Most messages of a page handled at a time, by its role; the next one stays unread."""
