"""Who of the players at a table is there, since when the others are away, and how many watch."""

import time
from collections.abc import Callable, Collection

from gtp_engine.board.server.gate import HOST, WATCH
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import COLORS

CLAIM = 120.0
"""Seconds after which the game of a player who is away can be claimed on that player's turn."""

CLAIM_IN_PAUSE = 1800.0
"""The same while both have agreed to stop the clocks."""


class Attendance:
    """The roles of the players of a table: present, or away since a time.

    A role is present while one of its pages answers.

    watching -- how many pages of people who only watch answer
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Nobody is here yet; `now` gives seconds of a clock that never goes back."""
        self._now = now
        self._away = dict.fromkeys((HOST, *COLORS), now())
        self._awaited: set[str] = set()
        self.watching = 0

    def note(self, here: Collection[str]) -> bool:
        """Note the roles of all pages that are here. Returns whether anything has changed."""
        before, watched = self._away, self.watching
        self._awaited.difference_update(here)
        self.watching = sum(role == WATCH for role in here)
        self._away = {
            role: before.get(role, self._now()) for role in (HOST, *COLORS) if role not in here
        }
        return (before.keys(), watched) != (self._away.keys(), self.watching)

    def expect(self, role: str) -> None:
        """Begin to wait for a guest who has got a seat; the time before does not count."""
        if role in self._away:
            self._away[role] = self._now()
            self._awaited.add(role)

    def is_away(self, role: str) -> bool:
        """Whether no page of a role answers."""
        return role in self._away

    def check_claim(self, role: str, paused: bool) -> None:
        """Raises CannotDo unless a role has been away long enough to claim its game."""
        if role not in self._away:
            raise CannotDo("Your opponent is here.")
        left = (CLAIM_IN_PAUSE if paused else CLAIM) - (self._now() - self._away[role])
        if left > 0:
            raise CannotDo(f"You can claim the game in {left:.0f} seconds.")

    def message(self) -> Message:
        """The message `presence`: how many watch, and for how many seconds each role is away.

        `awaited` are the roles of guests who have not come yet.
        """
        since = {role: round(self._now() - at, 1) for role, at in self._away.items()}
        claim = {"claim": CLAIM, "in_pause": CLAIM_IN_PAUSE}
        awaited = sorted(self._awaited)
        return {
            "kind": "presence",
            "away": since,
            "awaited": awaited,
            "watching": self.watching,
            **claim,
        }
