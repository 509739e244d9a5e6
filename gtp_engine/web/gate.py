"""The one gate that every request passes before it is routed: page, file and WebSocket alike.

Who may come in: a browser that asks us by a name of ours (so no other site, whose name was made to
lead to this machine), with the token in the path, and from our own page. Which answer a refused
request gets does not tell whether another part of it was right.
"""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

SOCKET = "socket"
"""The name behind the token at which the WebSocket is."""

_FORBIDDEN, _NOT_FOUND, _NO_SUCH_METHOD = 403, 404, 405


class Headers(NamedTuple):
    """What the gate reads of a request: every value of each header, so that none hides another."""

    host: Sequence[str]
    origin: Sequence[str] = ()
    fetch_site: Sequence[str] = ()
    fetch_mode: Sequence[str] = ()


class Refused(NamedTuple):
    """Why a request is not let in: a status of HTTP and a sentence."""

    status: int
    reason: str


@dataclass(frozen=True)
class Gate:
    """What a request must have.

    token   -- what the first part of its path must be
    origins -- for each Host under which the server may be asked, what Origin its page has
    """

    token: str
    origins: Mapping[str, frozenset[str]]

    def refusal(self, method: str, path: str, headers: Headers) -> Refused | None:
        """Why a request is refused; None where it is let in.

        path -- as it was sent, without the query
        """
        host = headers.host[0].lower() if len(headers.host) == 1 else ""
        origins = self.origins.get(host)
        if origins is None:
            return Refused(_FORBIDDEN, "The server is not asked by this name.")
        _, first, name = [*path.split("/", 2), "", ""][:3]
        if not hmac.compare_digest(first.encode(), self.token.encode()):
            return Refused(_NOT_FOUND, "There is nothing here.")
        if method != "GET":
            return Refused(_NO_SUCH_METHOD, "Things here can only be read.")
        if name == SOCKET and not headers.origin:
            return Refused(_FORBIDDEN, "A socket is opened by the page.")
        if headers.origin and (len(headers.origin) > 1 or headers.origin[0].lower() not in origins):
            return Refused(_FORBIDDEN, "Another site asks.")
        if not _fetched_by_us(name, headers):
            return Refused(_FORBIDDEN, "Another site asks.")
        return None


def _fetched_by_us(name: str, headers: Headers) -> bool:
    """What the browser says about who asks, where it says it; a link may lead to the page itself.

    The file that opens the page is such a link.
    """
    if not headers.fetch_site or headers.fetch_site == ["same-origin"]:
        return True
    if name:
        return False
    return headers.fetch_site == ["none"] or headers.fetch_mode == ["navigate"]


def origins_of(
    names: Iterable[str], port: int, others: Iterable[str] = ()
) -> dict[str, frozenset[str]]:
    """The hosts under which the server may be asked, each with the origins of its page.

    names  -- addresses that lead here, without the port
    others -- names that the user gives, with or without a port, as of a proxy that speaks TLS
    """
    hosts: dict[str, tuple[str, ...]] = {f"{name}:{port}".lower(): ("http",) for name in names}
    for name in others:
        asked = [name] if _has_port(name) else [name, f"{name}:{port}"]
        hosts |= {each.lower(): ("http", "https") for each in asked}
    return {
        host: frozenset(f"{scheme}://{host}" for scheme in schemes)
        for host, schemes in hosts.items()
    }


def _has_port(name: str) -> bool:
    """Whether a name tells its port; an IPv6 address stands in brackets."""
    return ":" in name.rpartition("]")[2]
