"""Shared by the tools that serve a page: the address, opening the browser, ending by a signal."""

import argparse
import asyncio
import gc
import html
import os
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from gtp_engine.base.files import private_file
from gtp_engine.base.option import integers
from gtp_engine.base.platforms import on_end
from gtp_engine.board.table.messages import CannotDo
from gtp_engine.cli.flags import taking

if TYPE_CHECKING:
    from gtp_engine.board.server.lobby import Lobby
    from gtp_engine.board.server.server import BoardServer


def add_serving_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the address of the page and for opening a browser."""
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on (default 127.0.0.1: this machine only)",
    )
    parser.add_argument(
        "--port",
        type=taking(integers(0, 65535)),
        default=0,
        help="port to listen on, 0..65535 (default 0: any free port)",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another host name under which the page may be requested, such as a proxy's; may be "
        "repeated",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def end_signal() -> asyncio.Event:
    """An event of the running loop that Ctrl-C, SIGTERM and SIGHUP set."""
    ended = asyncio.Event()
    on_end(ended.set)
    return ended


def listening(
    options: argparse.Namespace, token: str | None = None, port: int = 0
) -> "BoardServer":
    """The server, bound to its port but not yet answering. Raises CannotDo.

    token -- the secret part of the address; None for a new one
    port  -- preferred if the options leave the port open and it is free
    """
    from gtp_engine.board.server.server import ANY_ADDRESS, BoardServer

    def bound(port: int) -> BoardServer:
        return BoardServer(options.host, port, options.allow_host, token)

    try:
        server = None
        if port and not options.port:
            with suppress(OSError, OverflowError):
                server = bound(port)
        server = server or bound(options.port)
    except OSError as error:
        raise CannotDo(f"cannot listen on {options.host}: {error.strerror or error}") from None
    if server.reachable:
        print(
            f"Other machines can reach {server.reachable[0]} now. The connection is not encrypted: "
            "whoever can read it can play and use the console, too.",
            file=sys.stderr,
        )
    elif options.host in ANY_ADDRESS and not options.allow_host:
        print(
            "Only this machine is served: it is in no network. --allow-host NAME allows requests "
            "under another name.",
            file=sys.stderr,
        )
    return server


async def serve_lobby(
    server: "BoardServer", lobby: "Lobby", options: argparse.Namespace, ended: asyncio.Event
) -> None:
    """Serve the tables of a lobby until `ended` is set. The first line on stdout is the address."""
    from gtp_engine.board.server.socket import route

    server.start([route(lobby)])
    print(server.address, flush=True)
    # Objects from start-up stay alive: collecting garbage among them would delay a click.
    gc.freeze()
    waits = [asyncio.ensure_future(ended.wait()), asyncio.ensure_future(lobby.entered.wait())]
    if not options.no_open:
        with opened(server.address):
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    await waits[0]


_LEADING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={address}">
<title>Board</title>
<p><a href="{address}">To the board</a></p>
</html>
"""


@contextmanager
def opened(address: str) -> Iterator[None]:
    """Open the browser at an address while the block runs.

    Every user of the machine can see the arguments of a process. So the browser gets the name of a
    file that only its owner can read and that redirects to the address. The block's end removes it.
    """
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        browser = None
    if browser is None or _in_terminal(browser):
        print("No browser was found. Open the address above in a browser.", file=sys.stderr)
        yield
        return
    page = _LEADING.format(address=html.escape(address)).encode()
    with private_file("board.html", page) as path:
        _open(browser, path)
        yield


def _open(browser: webbrowser.BaseBrowser, path: Path) -> None:
    """Start the browser in a thread, because some browsers block the caller."""
    thread = threading.Thread(target=browser.open, args=(path.as_uri(),), daemon=True)
    thread.start()


def _in_terminal(browser: webbrowser.BaseBrowser) -> bool:
    """Whether the browser would take over the terminal, where it cannot show the page anyway.

    A browser named in $BROWSER is always trusted: the library knows nothing else about it.
    """
    foreground = isinstance(browser, webbrowser.GenericBrowser)
    background = isinstance(browser, webbrowser.BackgroundBrowser)
    return foreground and not background and "BROWSER" not in os.environ
