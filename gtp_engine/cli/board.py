"""`gtp-board`: shows a board in the browser to play, analyze and review games."""

import argparse
import asyncio
import re
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from gtp_engine import ENGINE_NAME
from gtp_engine.base.log import log_to_stderr, on_first_use
from gtp_engine.base.option import Values, integers
from gtp_engine.base.platforms import flaw_of_program, split_command
from gtp_engine.board.journal.file import JournalFailed
from gtp_engine.board.journal.journal import Journal, JournalGames
from gtp_engine.board.table.engines import OUR_ENGINE
from gtp_engine.board.table.explorer import Explorer, PastGames
from gtp_engine.board.table.messages import CannotDo, Message
from gtp_engine.board.table.seat import ADAPTIVE
from gtp_engine.cli.board_journal import (
    add_journal_options,
    keep_invitations,
    left_invitations,
    left_tables,
    listening_as_before,
    open_as_before,
    open_journal,
)
from gtp_engine.cli.flags import taking
from gtp_engine.cli.interrupts import DONE, FAILED, exit_status, terminable
from gtp_engine.cli.parser import Parser, purpose
from gtp_engine.cli.serving import (
    add_serving_options,
    end_signal,
    serve_lobby,
)
from gtp_engine.gtp.client.child import Launch
from gtp_engine.gtp.client.faults import EngineFault
from gtp_engine.gtp.client.wirelog import WireLog
from gtp_engine.search.levels import HIGHEST, LADDER, LEVELS, LOWEST

if TYPE_CHECKING:
    from gtp_engine.board.server.lobby import Lobby
    from gtp_engine.board.server.play_desk import PlayDesk
    from gtp_engine.board.server.server import BoardServer
    from gtp_engine.cli.board_tables import Tables

_NAMED = re.compile(r"([A-Za-z0-9_ .+-]{1,40})=(.+)", re.DOTALL)


def main(arguments: Sequence[str] | None = None, program: str = "gtp-board") -> int:
    """Serve the board until Ctrl-C or SIGTERM. Returns the exit status.

    program -- the name under which it was called
    """
    words = sys.argv[1:] if arguments is None else arguments
    told = dict.fromkeys((CannotDo, EngineFault, JournalFailed, ValueError), FAILED)
    with terminable():
        return exit_status(program, partial(_run, words, program), told, serves=True)


def _run(arguments: Sequence[str], program: str) -> int:
    options = _parser(program).parse_args(arguments)
    on_first_use(log_to_stderr)
    asyncio.run(_serve(options, named_engines(options.engine)))
    return DONE


def _check(options: argparse.Namespace) -> None:
    """Raises ValueError, with a sentence, for engines that cannot be started or have one name."""
    engines = named_engines(options.engine)
    check_engines(command for command in engines.values() if isinstance(command, str))
    check_level(options)


def _parser(program: str) -> Parser:
    parser = Parser(
        prog=program,
        description=purpose(__doc__),
        check=_check,
        extras=lambda options: ("web",),
    )
    parser.add_argument(
        "--engine",
        action="append",
        default=[],
        metavar="[NAME=]COMMAND",
        help=f"the command of an engine that can play; may be repeated (default: {ENGINE_NAME})",
    )
    parser.add_argument(
        "--board",
        metavar="COMMAND",
        help="the command of the engine that checks turns, draws and analyzes (default: "
        f"{ENGINE_NAME})",
    )
    parser.add_argument(
        "--game", metavar="NAME", help="the first game (default: the board engine's)"
    )
    add_seat_options(parser, "level of the engine, which plays the second color at first")
    parser.add_argument(
        "--games",
        action="append",
        default=[],
        type=Path,
        metavar="DB",
        help="a match of gtp-arena whose games are shown by position; may be repeated",
    )
    add_serving_options(parser)
    add_journal_options(parser)
    parser.add_argument(
        "--log", metavar="FILE", help="write every line to and from the engines to this file"
    )
    return parser


def _seat_level(text: str) -> int | str:
    """The level of a seat in a text; an engine that is not ours may have other numbers."""
    if text == ADAPTIVE:
        return text
    return int(text) if text.isdigit() else int(LEVELS.parse(text))


_SEAT_LEVELS = Values(
    f"a number, a name or {ADAPTIVE}",
    "|".join(("[0-9]{1,4}", ADAPTIVE, *(level.word for level in LADDER))),
    _seat_level,
)


def add_seat_options(parser: argparse.ArgumentParser, level: str) -> None:
    """Add the options of the first game and of the engine's seat; `level` is what the help says."""
    parser.add_argument(
        "--size", type=taking(integers(1, 1000)), help="points along an edge (default: the game's)"
    )
    parser.add_argument(
        "--level",
        type=taking(_SEAT_LEVELS),
        help=f"{level}: {LOWEST} to {HIGHEST} or a name for {ENGINE_NAME}, or {ADAPTIVE}, which "
        f"follows your results (default: {ADAPTIVE}; with --engine: that engine's own)",
    )


def check_level(options: argparse.Namespace) -> None:
    """Raises ValueError, with a sentence, for a level that our engine does not have."""
    if not options.engine and isinstance(options.level, int):
        try:
            LEVELS.parse(str(options.level))
        except ValueError as error:
            raise ValueError(f"--level: {error}") from None


def level_of(options: argparse.Namespace) -> int | str | None:
    """The level of the engine's seat; None leaves that of an engine that is not ours."""
    usual = None if options.engine else ADAPTIVE
    return usual if options.level is None else cast(int | str, options.level)


def named_engines(given: Sequence[str]) -> dict[str, Launch]:
    """The commands given by `--engine`, by name; our own engine if none is given.

    An engine without a name gets the name of its program. Raises ValueError, with a sentence.
    """
    if not given:
        return {ENGINE_NAME: OUR_ENGINE}
    engines: dict[str, Launch] = {}
    for text in given:
        found = _NAMED.fullmatch(text)
        name, command = found.groups() if found else (Path(_program(text)).name[:40], text)
        if name.strip() in engines:
            raise ValueError(f"two engines are called {name}; give one a name: --engine NAME=...")
        engines[name.strip()] = command.strip()
    return engines


def check_engines(commands: Iterable[str]) -> None:
    """Raises ValueError, with a sentence, for a command whose program cannot be started."""
    for command in commands:
        program = _program(command)
        if flaw := flaw_of_program(program):
            raise ValueError(f"--engine: program {program} {flaw}")


def _program(command: str) -> str:
    """The program of a command line. Raises ValueError, with a sentence."""
    try:
        words = split_command(command)
    except ValueError as error:
        raise ValueError(f"--engine {command}: {error}") from None
    if not words:
        raise ValueError("--engine needs a command")
    return words[0]


async def _serve(options: argparse.Namespace, engines: dict[str, Launch]) -> None:
    """Serve the board until a signal ends it. Raises what `opened_board` raises."""
    ended = end_signal()
    async with opened_board(options, engines) as (server, lobby):
        await serve_lobby(server, lobby, options, ended)


@asynccontextmanager
async def opened_board(
    options: argparse.Namespace, engines: dict[str, Launch]
) -> AsyncIterator[tuple["BoardServer", "Lobby"]]:
    """A server that is bound to its port, and its tables; both end with the block.

    options -- see `_parser`
    engines -- commands by name; see `named_engines`

    Raises CannotDo, EngineFault, JournalFailed or OSError.
    """
    from gtp_engine.board.server.invitations import Invitations
    from gtp_engine.board.server.lobby import MAIN, Lobby
    from gtp_engine.board.server.network import Network
    from gtp_engine.cli.board_tables import Tables

    async with AsyncExitStack() as stack:
        log = None
        if options.log:
            log = WireLog(Path(options.log))
            stack.callback(log.close)
        journal = open_journal(options)
        stack.callback(journal.close)
        server = listening_as_before(options, journal)
        stack.push_async_callback(server.stop)
        explorer = _explorer(options, journal)
        stack.push_async_callback(explorer.close)
        invited = left_invitations(options, journal)
        tables = Tables(
            engines,
            journal,
            explorer,
            board=options.board,
            listeners=[] if log is None else [partial(_keep, log)],
            game=options.game,
            size=options.size,
            level=level_of(options),
            anew=_asked_for_game(options),
        )
        furnish = partial(_furnished, tables, invited)
        invitations = Invitations(server.guests)
        invitations.keep = partial(keep_invitations, journal)
        network = Network(server)
        lobby = Lobby(await furnish(MAIN), invitations, furnish, network=network)
        stack.push_async_callback(lobby.close)
        if not _asked_for_game(options):
            for key in sorted({*left_tables(journal), *(each["table"] for each in invited)}):
                await lobby.restore(key)
        await lobby.invite_again(invited)
        open_as_before(network, journal, len(invitations))
        invited.clear()
        yield server, lobby


async def _furnished(tables: "Tables", invited: list[Message], key: str) -> "PlayDesk":
    """The desk of a table; see Tables.

    invited -- the invitations that an earlier board has left, until they are restored

    Raises CannotDo or EngineFault.
    """
    guests = [each["role"] for each in invited if each["table"] == key]
    desk = await tables.furnished(key, guests)
    desk.follow_kernel()
    return desk


def _explorer(options: argparse.Namespace, journal: Journal) -> Explorer:
    """What was played in games of the past. Raises ValueError for a file that is no match."""
    sources: list[PastGames] = []
    if journal.path is not None:
        sources.append(JournalGames(journal.path))
    if options.games:
        from gtp_engine.arena.storage.store import StoreFailed
        from gtp_engine.cli.past_matches import MatchGames, check_matches

        try:
            check_matches(options.games)
        except StoreFailed as error:
            raise ValueError(str(error)) from None
        sources += map(MatchGames, options.games)
    return Explorer(options.board or OUR_ENGINE, sources)


def _asked_for_game(options: argparse.Namespace) -> bool:
    """Whether the person wants another game than that of an earlier run."""
    return bool(options.game or options.size or options.level is not None)


def _keep(log: WireLog, message: Message) -> None:
    """Write a line of the console to the log."""
    if message["kind"] == "console":
        mark = f"{message['engine']} {message['direction']}"
        log.write(mark, message["text"].encode() + b"\n")


if __name__ == "__main__":
    raise SystemExit(main())
