"""Messages that wait to be sent to one socket: bounded, even if its page reads slowly."""

from collections.abc import Callable, Hashable, Iterable
from itertools import count
from typing import NamedTuple

NEWEST_ONLY = frozenset({"frame", "state", "review", "preview", "tables", "alive", "presence"})
"""Kinds of which only the newest matters: an older unsent one is dropped."""

_MOST_WAITING = 1000  # messages
_LARGEST_WAITING = 2**23  # bytes


class Letter(NamedTuple):
    """A message to send: its kind, and its text in ASCII."""

    kind: str
    text: str


class Outbox:
    """Messages in order. If too many wait, a new complete state replaces them all.

    anew -- returns the messages that initialize a new page
    """

    def __init__(self, anew: Callable[[], Iterable[Letter]]) -> None:
        self._anew = anew
        self._numbers = count()
        self._waiting: dict[Hashable, Letter] = {}
        self._size = 0
        self._behind = False

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def size(self) -> int:
        """The number of waiting bytes."""
        return self._size

    def put(self, letter: Letter) -> None:
        """Add a message. After a complete state is taken, messages follow it."""
        if self._behind:
            return
        self._add(letter)
        if len(self._waiting) > _MOST_WAITING or self._size > _LARGEST_WAITING:
            self.clear()
            self._behind = True

    def take(self) -> Letter | None:
        """The next message to send; None if there is none."""
        if self._behind:
            self._behind = False
            for letter in self._anew():
                self._add(letter)
        if not self._waiting:
            return None
        letter = self._waiting.pop(next(iter(self._waiting)))
        self._size -= len(letter.text)
        return letter

    def clear(self) -> None:
        """Drop all waiting messages."""
        self._waiting.clear()
        self._size = 0
        self._behind = False

    def forget(self, kind: str) -> None:
        """Drop the waiting message of a kind of which only the newest matters."""
        if dropped := self._waiting.pop(kind, None):
            self._size -= len(dropped.text)

    def _add(self, letter: Letter) -> None:
        """Put the newer of two messages at its own place, after messages it may refer to."""
        newest = letter.kind in NEWEST_ONLY
        if newest:
            self.forget(letter.kind)
        self._waiting[letter.kind if newest else next(self._numbers)] = letter
        self._size += len(letter.text)
