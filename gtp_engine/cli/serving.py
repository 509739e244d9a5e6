"""What the tools that show a page share: where it is served, the browser, the end by a signal."""

import argparse
import asyncio
import gc
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from gtp_engine.cli.browser import opened
from gtp_engine.cli.options import between
from gtp_engine.client.messages import CannotDo
from gtp_engine.extras import how_to_install
from gtp_engine.platforms import on_end

if TYPE_CHECKING:
    from gtp_engine.web.room import Room
    from gtp_engine.web.server import BoardServer


def missing_library() -> str | None:
    """What to install where the library of the server is missing, in a sentence; else None."""
    if find_spec("tornado") is None:
        return f"tornado is missing: {how_to_install('web')}"
    return None


def add_serving_options(parser: argparse.ArgumentParser) -> None:
    """Where the page is served, and whether a browser is opened."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at")
    parser.add_argument("--port", type=between(0, 65535), default=0, help="default: a free one")
    parser.add_argument(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another name under which the page may be asked for, as of a proxy; may be repeated",
    )
    parser.add_argument("--no-open", action="store_true", help="open no browser")


def end_signal() -> asyncio.Event:
    """An event that Ctrl-C and the like set, in the loop that runs."""
    ended = asyncio.Event()
    on_end(ended.set)
    return ended


def listening(options: argparse.Namespace) -> "BoardServer":
    """The server, at its port; it answers nothing yet. Raises CannotDo."""
    from gtp_engine.web.server import ANY_ADDRESS, BoardServer

    try:
        server = BoardServer(options.host, options.port, options.allow_host)
    except OSError as error:
        raise CannotDo(f"cannot listen at {options.host}: {error.strerror or error}") from None
    if options.host in ANY_ADDRESS and not options.allow_host:
        print("Only this machine is answered; --allow-host NAME adds a name.", file=sys.stderr)
    return server


async def serve_room(
    server: "BoardServer", room: "Room", options: argparse.Namespace, ended: asyncio.Event
) -> None:
    """Show a room until the end: the first line on stdout is the address."""
    from gtp_engine.web.socket import route

    server.start([route(room)])
    print(server.address, flush=True)
    # What is there by now stays: looking for garbage in it would hold a click up.
    gc.freeze()
    waits = [asyncio.ensure_future(ended.wait()), asyncio.ensure_future(room.entered.wait())]
    if not options.no_open:
        with opened(server.address):
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    await waits[0]
