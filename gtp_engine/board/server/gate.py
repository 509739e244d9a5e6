"""The gate that every request must pass before it is routed: page, file and WebSocket alike.

It admits a browser that addresses us by one of our names (so no other site, whose name was made to
point to this machine), with a token in the path, and from our own page. The response to a refused
request does not reveal whether another part of it was right.
"""

import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

SOCKET = "socket"
"""The name of the WebSocket after the token."""

HOST, WATCH = "host", "watch"
"""The roles of those who play no color as guests; the others are the names of the colors."""

_FORBIDDEN, _NOT_FOUND, _NO_SUCH_METHOD = 403, 404, 405


LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


def is_local(host: str) -> bool:
    """Whether only this machine reaches a host, with or without a port; IPv6 is in brackets."""
    name = host.rpartition(":")[0] if _has_port(host) else host
    return name in LOOPBACK_NAMES or name.startswith("127.")


class Headers(NamedTuple):
    """The headers that the gate reads: all values of each, so that none can hide another."""

    host: Sequence[str]
    origin: Sequence[str] = ()
    fetch_site: Sequence[str] = ()
    fetch_mode: Sequence[str] = ()


class Refused(NamedTuple):
    """Why a request is refused: an HTTP status and a sentence."""

    status: int
    reason: str


@dataclass(frozen=True, eq=False)
class Pass:
    """What the holder of a token may do; two passes are never equal.

    role  -- HOST may do everything, WATCH only look; a color plays that color's turns
    table -- the key of the only table of a guest; "" for the host
    """

    role: str
    table: str = ""


@dataclass(frozen=True)
class Gate:
    """The conditions for a request.

    passes  -- what the holder of each token may do; the first part of a path must be a token
    origins -- for each Host name of the server, the Origins of its page
    """

    passes: Mapping[str, Pass]
    origins: Mapping[str, frozenset[str]]

    def refusal(self, method: str, path: str, headers: Headers) -> Refused | None:
        """Why a request is refused; None if it is admitted.

        path -- the path as sent, without the query
        """
        host = headers.host[0].lower() if len(headers.host) == 1 else ""
        origins = self.origins.get(host)
        if origins is None:
            return Refused(_FORBIDDEN, "The server does not answer under this name.")
        name = [*path.split("/", 2), "", ""][2]
        if self.token_of(path) is None:
            return Refused(_NOT_FOUND, "Not found.")
        if method != "GET":
            return Refused(_NO_SUCH_METHOD, "Only reading is possible here.")
        if name == SOCKET and not headers.origin:
            return Refused(_FORBIDDEN, "Only the page may open a socket.")
        if headers.origin and (len(headers.origin) > 1 or headers.origin[0].lower() not in origins):
            return Refused(_FORBIDDEN, "Requests from another site are refused.")
        if not _fetched_by_us(name, headers):
            return Refused(_FORBIDDEN, "Requests from another site are refused.")
        return None

    def token_of(self, path: str) -> str | None:
        """The token with which a path begins; None without one."""
        first = [*path.split("/", 2), ""][1].encode()
        # All are compared, so that the time does not tell how much of one was right.
        found = [token for token in self.passes if hmac.compare_digest(first, token.encode())]
        return found[0] if found else None


def _fetched_by_us(name: str, headers: Headers) -> bool:
    """Whether the browser's metadata, if present, says that our page sent the request.

    A link may lead to the page itself, such as the file that opens it.
    """
    if not headers.fetch_site or headers.fetch_site == ["same-origin"]:
        return True
    if name:
        return False
    return headers.fetch_site == ["none"] or headers.fetch_mode == ["navigate"]


def origins_of(
    names: Iterable[str], port: int, others: Iterable[str] = ()
) -> dict[str, frozenset[str]]:
    """The Host names of the server, each with the Origins of its page.

    names  -- addresses of this server, without the port
    others -- names given by the user, with or without a port, such as a TLS proxy's
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
    """Whether a name contains a port; an IPv6 address is in brackets."""
    return ":" in name.rpartition("]")[2]
