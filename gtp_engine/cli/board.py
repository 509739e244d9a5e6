"""`gtp-engine board`: a board in the browser, to play at, to analyse and to review games."""

import argparse
import asyncio
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from gtp_engine.cli.options import Parser, between
from gtp_engine.extras import how_to_install

if TYPE_CHECKING:
    from gtp_engine.web.server import BoardServer

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the board until Ctrl-C or SIGTERM. Returns the exit status."""
    options = _parser().parse_args(sys.argv[1:] if arguments is None else arguments)
    if find_spec("tornado") is None:
        return _failed(f"tornado is missing: {how_to_install('web')}")
    from gtp_engine.web.server import BoardServer

    try:
        server = BoardServer(options.host, options.port, options.allow_host)
    except OSError as error:
        return _failed(f"cannot listen at {options.host}: {error.strerror or error}")
    asyncio.run(_serve(server, options))
    return 0


def _failed(sentence: str) -> int:
    print(f"gtp-engine board: {sentence}", file=sys.stderr)
    return 2


def _parser() -> Parser:
    parser = Parser(prog="gtp-engine board", description=__doc__)
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
    return parser


async def _serve(server: "BoardServer", options: argparse.Namespace) -> None:
    """Show the board until a signal comes."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in _SIGNALS:
        if number := getattr(signal, name, None):
            loop.add_signal_handler(number, ended.set)
    server.start()
    print(server.address, flush=True)
    await ended.wait()
    await server.stop()


if __name__ == "__main__":
    raise SystemExit(main())
