"""Invitations: tokens for guests, who play one color or only watch at one table."""

import secrets
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from gtp_engine.board.server.gate import Pass, is_local
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import COLORS

MOST_INVITATIONS = 24
"""Most invitations to all tables together."""


class Invitation(NamedTuple):
    """An invitation.

    number -- names it for the host's pages
    base   -- the address of the host's page when it was made, without the token
    """

    number: int
    token: str
    admits: Pass
    base: str

    def shown(self, here: int, reached: str | None) -> Message:
        """The invitation in the form of a message.

        here    -- how many pages have come by it
        reached -- the address for other machines, without a token: for an invitation that was made
                   at one that only this machine reaches. If it is None, there is no link.
        """
        base = reached if is_local(self.base.split("/")[2]) else self.base
        address = None if base is None else f"{base}{self.token}/"
        return {
            "guest": self.number,
            "role": self.admits.role,
            "address": address,
            "code": address and qr_code(address),
            "here": here,
        }


class Invitations:
    """All invitations, in the order of their making; at most `most`."""

    def __init__(self, passes: dict[str, Pass], most: int = MOST_INVITATIONS) -> None:
        """Nobody is invited yet.

        passes -- those of guests, which come and go here
        most   -- at a time; 0 where nobody can come

        `keep` is called after each change with what `restore` takes from a later board.
        """
        self.most = most
        self._passes = passes
        self._all: dict[int, Invitation] = {}
        self._made = 0
        self.keep: Callable[[list[Message]], None] = lambda kept: None

    def __len__(self) -> int:
        """The number of open invitations."""
        return len(self._all)

    def at(self, table: str) -> list[Invitation]:
        """The invitations to a table."""
        return [each for each in self._all.values() if each.admits.table == table]

    def make(self, admits: Pass, base: str) -> Invitation:
        """Invite somebody. Raises CannotDo if there are too many, or the color is taken.

        base -- the address of the host's page, without the token
        """
        if not self.most:
            raise CannotDo("Nobody else can come to this board.")
        if len(self._all) >= self.most:
            raise CannotDo(f"{self.most} invitations are open. Close one of them first.")
        if admits.role in COLORS and admits.role in (
            each.admits.role for each in self.at(admits.table)
        ):
            raise CannotDo("This color has an invitation already.")
        made = self._add(secrets.token_urlsafe(32), admits, base)
        self._keep()
        return made

    def restore(self, kept: Iterable[Message]) -> list[Invitation]:
        """Invite again whom an earlier board had invited; `kept`: see `keep`."""
        return [
            self._add(each["token"], Pass(each["role"], each["table"]), each["base"])
            for each in kept
        ]

    def end(self, number: int) -> Invitation:
        """End an invitation. Raises CannotDo if there is none of this number."""
        ended = self._all.pop(number, None)
        if ended is None:
            raise CannotDo("This invitation has ended already.")
        del self._passes[ended.token]
        self._keep()
        return ended

    def _add(self, token: str, admits: Pass, base: str) -> Invitation:
        self._made += 1
        made = Invitation(self._made, token, admits, base)
        self._all[made.number] = made
        self._passes[token] = admits
        return made

    def _keep(self) -> None:
        self.keep(
            [
                {
                    "token": each.token,
                    "role": each.admits.role,
                    "table": each.admits.table,
                    "base": each.base,
                }
                for each in self._all.values()
            ]
        )


@lru_cache(maxsize=MOST_INVITATIONS)
def qr_code(text: str) -> Message:
    """A QR code: its modules along an edge, and the dark ones as the data of an SVG path."""
    import segno  # only hosts who invite need it

    code = segno.make_qr(text, error="m")
    path = []
    for y, row in enumerate(code.matrix_iter(border=0)):
        x = 0
        for dark, run in groupby(row):
            width = len(list(run))
            path += [f"M{x} {y}h{width}v1h-{width}z"] if dark else []
            x += width
    return {"size": code.symbol_size(border=0)[0], "path": "".join(path)}
