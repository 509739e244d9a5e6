"""The name and version of the engine, and its commands."""

import re

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.base import kernel_build
from gtp_engine.engine.session import Session
from gtp_engine.engine.settings import settings
from gtp_engine.gtp.commands import command, registry
from gtp_engine.gtp.commands.arguments import word
from gtp_engine.gtp.wire.dispatch import UNKNOWN_COMMAND
from gtp_engine.gtp.wire.registry import Failure, Quit, Result, optional
from gtp_engine.rules import games
from gtp_engine.rules.game import Game
from gtp_engine.search.backends.choose import KERNEL, PYTHON, backend_for, in_kernel, uses_nets
from gtp_engine.search.levels import HIGHEST, LOWEST

PROTOCOL_VERSION = "2"

# A link in Markdown; a terminal shows its text alone.
_LINK = re.compile(r"\[([^]]+)\]\([^)]+\)")


@command("protocol_version")
def protocol_version(session: Session) -> str:
    """Report the protocol version.

    Reply: `2`
    Example:
        > protocol_version
        = 2
    """
    return PROTOCOL_VERSION


@command("name")
def name(session: Session) -> str:
    """Report the name of the engine.

    Reply: `Patchpie`
    Example:
        > name
        = Patchpie
    """
    return ENGINE_NAME


@command("version")
def version(session: Session) -> str:
    """Report the version of the engine.

    Reply: numbers separated by points
    Example:
        > version
        = VERSION
    """
    return __version__


@command("game-build")
def game_build(session: Session) -> str:
    """Report the build of the engine, which changes with code, kernel and data, and what it uses.

    Reply: the version and eight hexadecimal digits, as in `0.1.0+1ce8d31b`. If the player searches,
        a line with `backend` and what searches the present game, `kernel` or `python`; for the
        kernel, unless it is still being compiled, a line with `isa` and two [instruction
        sets](../../engine/speed.md#instruction-sets), that of rules and search and that of nets, as
        in `isa v3 v4_vnni`; then for each game that is searched with a net a line with the game and
        the name of the net, as in `32x2-tenth, six bits`. The setting `weights` chooses; a search
        in Python uses none
    Example:
        > known_command game-build
        = true
    """
    from gtp_engine.search.build_identity import build_word
    from gtp_engine.search.weights import names_of_nets

    settings = session.settings
    if settings.player != "mcts":
        return build_word()
    lines = [build_word(), f"backend {_backend(session.game, settings.backend)}"]
    if in_kernel(session.game, settings.backend):
        isas = backend_for(session.game, settings.backend).isas
        lines += [f"isa {' '.join(isas)}"] if isas else []
    nets = names_of_nets(settings.weights) if uses_nets(settings.backend) else {}
    return "\n".join([*lines, *(f"{game} {name}" for game, name in nets.items())])


def _backend(game: Game, name: str) -> str:
    """What searches a game: KERNEL, also while that is being compiled, or PYTHON."""
    if not uses_nets(name):
        return PYTHON
    coming = kernel_build.progress() is not None
    return KERNEL if coming or in_kernel(game, name) else PYTHON


@command("known_command", optional(word("COMMAND")))
def known_command(session: Session, name: str = "") -> str:
    """Report whether a command exists.

    Arguments: a name; case matters
    Reply: `true` or `false`
    Example:
        > known_command genmove
        = true
        > known_command GENMOVE
        = false
    """
    return "true" if registry().get(name) else "false"


@command("list_commands")
def list_commands(session: Session) -> str:
    """List all commands, one per line.

    Reply: the names, sorted
    """
    return "\n".join(command.name for command in registry())


@command("game-help", optional(word("COMMAND")))
def game_help(session: Session, name: str | None = None) -> str:
    """Explain a command, or list all commands with one line each.

    Arguments: a command, or nothing
    Reply: the commands by family, with syntax and purpose; or the reference of one
    Fails: `unknown command`
    Example:
        > game-help boardsiez
        ? unknown command
        > game-help name
        = name
        Report the name of the engine.
        Reply: `Patchpie`
        Example:
            > name
            = Patchpie
    """
    commands = registry()
    if name is not None:
        command = commands.get(name)
        if command is None:
            raise Failure(UNKNOWN_COMMAND)
        return command.syntax + "\n" + _LINK.sub(r"\1", command.doc)
    lines = []
    for family in commands.families():
        lines.append(f"{family}:")
        lines += [f"  {each.syntax} - {each.summary}" for each in commands.family(family)]
    return "\n".join(lines)


@command("help", optional(word("COMMAND")))
def help_person(session: Session, name: str | None = None) -> Result:
    """Explain how to play by typing commands, or explain one command.

    Arguments: a command, or nothing
    Reply: the most useful commands; or the reference of one, as `game-help`
    Fails: `unknown command`
    Example:
        > help gneral
        ? unknown command
    """
    if name is not None:
        return game_help(session, name)
    mover, size = session.position.to_move, session.position.size
    steps = session.legal_steps()
    turn = steps[len(steps) // 2] if steps else "TURN"
    names = " ".join(game.name for game in games())
    commands = {
        f"play {mover.letter} {turn}": f"play a turn of {session.game.color_names[mover]}",
        f"genmove {mover.letter}": "let the engine choose and play a turn",
        "showboard": "show the board and who is to move",
        "game-legal_steps": "list the legal steps",
        f"game-explain {mover.letter} {turn}": "show why a turn is legal or not",
        "game-explain": "show the best turn, and why",
        "game-rules": "show the rules in short",
        "undo": "take back the last turn or click",
        "game-select NAME SIZE": f"start another game: {names}",
        f"game-set level {HIGHEST - 2}": f"set the strength, {LOWEST} to {HIGHEST}, or a name",
        "help COMMAND": "explain a command; game-help lists all commands",
        "quit": "leave",
    }
    width = max(map(len, commands))
    lines = [f"{ENGINE_NAME}, {session.game.title} {size}x{size}. Type a command and press Enter:"]
    return "\n".join(lines + [f"  {each:{width}}  {does}" for each, does in commands.items()])


@command("quit")
def quit_session(session: Session) -> str:
    """End the session.

    Effect: the engine responds and exits; it ignores later input
    """
    raise Quit


@command("gomill-describe_engine")
def describe_engine(session: Session) -> str:
    """Describe the engine and its settings.

    Reply: name and version; game and size; one line per setting, also the seed
    """
    lines = [
        f"{ENGINE_NAME} {__version__}",
        f"game {session.game.name}",
        f"size {session.position.size}",
    ]
    lines += [f"{each.name} {session.settings.shown(each.name)}" for each in settings()]
    return "\n".join(lines)
