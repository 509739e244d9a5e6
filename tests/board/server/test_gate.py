"""Access control for pages, files and sockets. The gate decides before any routing."""

import asyncio
import re
from contextlib import suppress

import pytest

from gtp_engine.board.server import connections
from gtp_engine.board.server.gate import HOST, Gate, Headers, Pass, origins_of
from gtp_engine.board.server.static import PAGE, POLICY
from support.pages import fetch, serving
from support.waiting import TurnedClock, waiting_for

TOKEN = "t0ken"
GATE = Gate({TOKEN: Pass(HOST)}, origins_of(["127.0.0.1", "localhost"], 80, ["board.example"]))
HERE, OURS = "127.0.0.1:80", "http://127.0.0.1:80"


def asked(path="/t0ken/", method="GET", host=HERE, **headers):
    given = {name: [value] for name, value in headers.items()}
    return GATE.refusal(method, path, Headers([host] if isinstance(host, str) else host, **given))


@pytest.mark.parametrize("host", [HERE, "localhost:80", "LOCALHOST:80", "board.example"])
def test_names_of_ours_are_let_in(host):
    assert asked(host=host) is None


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:81", "localhost:80.evil.example"],
)
def test_other_names_get_nothing_though_they_lead_here(host):
    """DNS rebinding: the name is the attacker's, the address ours, and Origin agrees with Host."""
    assert asked(host=host).status == 403
    assert asked("/t0ken/socket", host=host, origin=f"http://{host}").status == 403


@pytest.mark.parametrize("hosts", [[], [HERE, HERE], [HERE, "evil.example"], [""]])
def test_there_is_one_host(hosts):
    assert asked(host=hosts).status == 403


@pytest.mark.parametrize(
    "path", ["/", "", "/t0ke/", "/t0kenn/", "/T0KEN/", "//t0ken/", "/x/t0ken/"]
)
def test_without_the_token_there_is_nothing(path):
    assert asked(path).status == 404
    assert asked(f"{path}socket", origin=OURS).status == 404


@pytest.mark.parametrize("method", ["POST", "HEAD", "OPTIONS", "PUT", "DELETE", "CONNECT", "X", ""])
def test_things_are_only_read(method):
    assert asked(method=method).status == 405


@pytest.mark.parametrize("origin", [OURS.upper(), OURS])
def test_our_page_opens_a_socket(origin):
    assert asked("/t0ken/socket", origin=origin) is None


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://evil.example",
        "https://127.0.0.1:80",
        "http://127.0.0.1",
        "http://127.0.0.1:8080",
        "http://localhost:80",
        "http://board.example",
        "http://127.0.0.1:80 http://evil.example",
    ],
)
@pytest.mark.parametrize("name", ["socket", "main.js", ""])
def test_no_other_origin_gets_anything(origin, name):
    """Also not that of another name of ours: a page of ours asks the host that it came from."""
    assert asked(f"/t0ken/{name}", origin=origin).status == 403


def test_a_socket_has_an_origin():
    assert asked("/t0ken/socket").status == 403
    two = Headers([HERE], [OURS, OURS])
    assert GATE.refusal("GET", "/t0ken/socket", two).status == 403


def test_a_proxy_may_speak_tls():
    for origin in ("https://board.example", "http://board.example"):
        assert asked("/t0ken/socket", host="board.example", origin=origin) is None


def test_a_link_leads_to_the_page_and_to_nothing_else():
    link = {"fetch_site": "cross-site", "fetch_mode": "navigate"}
    assert asked(**link) is None
    assert asked(fetch_site="none") is None
    assert asked("/t0ken/main.js", fetch_site="same-origin") is None
    for refused in (link, {"fetch_site": "none"}, {"fetch_site": "same-site"}):
        assert asked("/t0ken/main.js", **refused).status == 403
        assert asked("/t0ken/socket", origin=OURS, **refused).status == 403
    assert asked(fetch_site="cross-site", fetch_mode="no-cors").status == 403


# The same, from outside -----------------------------------------------------------------------


def names():
    """All that is shown: the page, each of its files, and what no file stands behind."""
    return ["", "look.json", "socket", *sorted(path.name for path in PAGE.glob("*.[chj]*"))]


async def statuses(paths, method="GET", **headers):
    async with serving() as (server, _):
        base = server.address.removesuffix(f"{server.token}/")
        told = {name: value.format(port=server.port) for name, value in headers.items()}
        return [
            (await fetch(base + path.format(token=server.token), method, **told)).code
            for path in paths
        ]


def test_every_route_is_behind_the_gate():
    inside = [f"{{token}}/{name}" for name in names()]
    assert len(inside) > 3
    wrong = [f"{'A' * 43}/{name}" for name in names()]
    ours = {"Origin": "http://127.0.0.1:{port}"}
    rebound = {"Host": "evil.example:{port}", "Origin": "http://evil.example:{port}"}
    # A request for the socket that does not ask to change over is a bad one: it came through.
    expected = [400 if each.endswith("socket") else 200 for each in inside]
    assert asyncio.run(statuses(inside, **ours)) == expected
    assert set(asyncio.run(statuses([*names(), *wrong], **ours))) == {404}
    assert set(asyncio.run(statuses(inside, **rebound))) == {403}
    assert set(asyncio.run(statuses(inside, Origin="null"))) == {403}
    assert set(asyncio.run(statuses(inside, Origin="https://evil.example"))) == {403}
    each_kind = [f"{{token}}/{name}" for name in ("", "look.json", "socket", "main.js")]
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"):
        assert set(asyncio.run(statuses(each_kind, method, **ours))) == {405}


def test_there_are_no_files_but_those_of_the_page():
    paths = ["../server.py", "..%2fserver.py", "%2e%2e/server.py", "page/index.html", "index.html/"]
    paths += ["index.html%00", "none.js", ".", "INDEX.HTML", "main.py", "look.json/x", "socket/x"]
    assert set(asyncio.run(statuses([f"{{token}}/{path}" for path in paths]))) == {404}


def test_every_answer_keeps_the_page_to_itself():
    async def answers():
        async with serving() as (server, _):
            paths = [server.address, server.address + "none", server.address[:-5] + "/"]
            return [await fetch(path) for path in paths] + [await fetch(paths[0], "POST")]

    for answer in asyncio.run(answers()):
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert not {"Server", "Set-Cookie", "Etag", "Access-Control-Allow-Origin"} & set(
            answer.headers
        )


def test_each_run_has_another_token():
    async def tokens():
        async with serving() as (first, _), serving() as (second, _):
            return first.token, second.token

    first, second = asyncio.run(tokens())
    assert first != second
    assert len(first) == 43  # 256 bits in base 64


async def end_of(reader):
    """What comes until the connection is closed, in whichever way."""
    with suppress(ConnectionError):
        async with waiting_for("the end of the connection"):
            return await reader.read()
    return b""


def test_a_request_that_is_too_large_is_not_read():
    async def told():
        async with serving() as (server, _):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(b"GET / HTTP/1.1\r\nX: " + b"x" * 2**20)
            answer = await end_of(reader)
            writer.close()
            return answer, (await fetch(server.address)).code

    answer, after = asyncio.run(told())
    assert b"200" not in answer
    assert after == 200


class Raw:
    """A connection that says only what a test wants."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def to(cls, server):
        return cls(*await asyncio.open_connection("127.0.0.1", server.port))

    async def ask(self, server, path="", host=None):
        """The status of a request; the connection is kept."""
        host = host or f"127.0.0.1:{server.port}"
        self.writer.write(f"GET {path or '/'} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        async with waiting_for(f"the head of the answer to {path!r}"):
            head = await self.reader.readuntil(b"\r\n\r\n")
        size = re.search(rb"Content-Length: (\d+)", head)
        await self.reader.readexactly(int(size[1]))
        return int(head.split()[1])


def test_strangers_are_few_and_the_oldest_makes_way(monkeypatch):
    monkeypatch.setattr(connections, "MOST_STRANGERS", 20)

    async def tried():
        async with serving() as (server, _):
            page = f"/{server.token}/"
            known = await Raw.to(server)
            before = await known.ask(server, page)
            silent = [await Raw.to(server) for _ in range(40)]
            displaced = [await end_of(each.reader) for each in silent[:20]]
            reloaded = (await fetch(server.address)).code
            again = await known.ask(server, page)
            for each in (known, *silent):
                each.writer.close()
            return before, set(displaced), reloaded, again

    assert asyncio.run(tried()) == (200, {b""}, 200, 200)


def test_a_refused_request_ends_its_connection():
    """A site can make a browser open many, under names that lead here."""

    async def tried():
        async with serving() as (server, _):
            refused = [await Raw.to(server) for _ in range(3)]
            codes = [
                await refused[0].ask(server, host=f"a.localhost:{server.port}"),
                await refused[1].ask(server, f"/{server.token}/", f"b.localhost:{server.port}"),
                await refused[2].ask(server),
            ]
            return codes, [await end_of(each.reader) for each in refused]

    assert asyncio.run(tried()) == ([403, 403, 404], [b""] * 3)


def test_strangers_have_little_time():
    clock = TurnedClock()

    async def tried():
        async with serving(later=clock.later) as (server, _):
            silent, slow, known = [await Raw.to(server) for _ in range(3)]
            slow.writer.write(b"GET / HTTP/1.1\r\n")
            before = await known.ask(server, f"/{server.token}/")
            clock.turn(connections.PATIENCE)
            ends = [await end_of(each.reader) for each in (silent, slow)]
            return before, ends, await known.ask(server, f"/{server.token}/")

    assert asyncio.run(tried()) == (200, [b""] * 2, 200)


def test_of_known_connections_the_longest_idle_makes_way(monkeypatch):
    monkeypatch.setattr(connections, "MOST_KNOWN", 3)

    async def tried():
        async with serving() as (server, _):
            page = f"/{server.token}/"
            first, second, third, fourth = known = [await Raw.to(server) for _ in range(4)]
            for each in (first, second, third, first, fourth):
                await each.ask(server, page)
            displaced = await end_of(second.reader)
            codes = [await each.ask(server, page) for each in (first, third, fourth)]
            for each in known:
                each.writer.close()
            return displaced, codes

    assert asyncio.run(tried()) == (b"", [200] * 3)
