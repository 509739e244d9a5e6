"""What an engine is and which commands it knows."""

from gtp_engine import ENGINE_NAME, __version__
from gtp_engine.commands import command, registry
from gtp_engine.commands.arguments import word
from gtp_engine.gtp.dispatch import UNKNOWN_COMMAND
from gtp_engine.gtp.errors import Failure, Quit
from gtp_engine.gtp.registry import Result, optional
from gtp_engine.rules import games
from gtp_engine.session.session import Session

PROTOCOL_VERSION = "2"


@command("protocol_version")
def protocol_version(session: Session) -> str:
    """Tell the version of the protocol.

    Arguments: none
    Effect: none
    Reply: `2`
    Fails: never
    Example:
        > protocol_version
        = 2
    """
    return PROTOCOL_VERSION


@command("name")
def name(session: Session) -> str:
    """Tell the name of the engine.

    Arguments: none
    Effect: none
    Reply: `Patchpie`
    Fails: never
    Example:
        > name
        = Patchpie
    """
    return ENGINE_NAME


@command("version")
def version(session: Session) -> str:
    """Tell the version of the engine.

    Arguments: none
    Effect: none
    Reply: numbers separated by points
    Fails: never
    Example:
        > version
        = VERSION
    """
    return __version__


@command("game-build")
def game_build(session: Session) -> str:
    """Tell which build of the engine runs: a word that changes with its code, kernel and data.

    Arguments: none
    Effect: none
    Reply: the version and eight digits, as in `0.1.0+1ce8d31b`
    Fails: never
    Example:
        > known_command game-build
        = true
    """
    from gtp_engine.search.build import build_word

    return build_word()


@command("known_command", optional(word("COMMAND")))
def known_command(session: Session, name: str = "") -> str:
    """Tell whether there is a command of a name.

    Arguments: a name; names are case-sensitive
    Effect: none
    Reply: `true` or `false`
    Fails: never
    Example:
        > known_command genmove
        = true
        > known_command GENMOVE
        = false
    """
    return "true" if registry().get(name) else "false"


@command("list_commands")
def list_commands(session: Session) -> str:
    """List all commands, one a line.

    Arguments: none
    Effect: none
    Reply: the names, sorted
    Fails: never
    """
    return "\n".join(command.name for command in registry())


@command("game-help", optional(word("COMMAND")))
def game_help(session: Session, name: str | None = None) -> str:
    """Explain a command, or list all of them with a line each.

    Arguments: the name of a command, or nothing
    Effect: none
    Reply: for each family its commands with syntax and purpose; or all about one command
    Fails: `unknown command`
    Example:
        > game-help boardsiez
        ? unknown command
        > game-help name
        = name
        Tell the name of the engine.
        Arguments: none
        Effect: none
        Reply: `Patchpie`
        Fails: never
        Example:
            > name
            = Patchpie
    """
    commands = registry()
    if name is not None:
        command = commands.get(name)
        if command is None:
            raise Failure(UNKNOWN_COMMAND)
        return f"{command.syntax}\n{command.doc}"
    lines = []
    for family in commands.families():
        lines.append(f"{family}:")
        lines += [f"  {each.syntax} - {each.summary}" for each in commands.family(family)]
    return "\n".join(lines)


@command("help", optional(word("COMMAND")))
def help_person(session: Session, name: str | None = None) -> Result:
    """Tell a person how to play by typing commands, or explain one of them.

    Arguments: the name of a command, or nothing
    Effect: none
    Reply: the most useful commands; or all about one, as `game-help`
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
        f"genmove {mover.letter}": "have the engine choose and play one",
        "showboard": "see the board, and who is to move",
        "game-legal_steps": "see what may be played",
        f"game-explain {mover.letter} {turn}": "see why a turn is legal or not",
        "game-explain": "see what to play, and why",
        "game-rules": "read the rules in short",
        "undo": "take back the last turn or click",
        "game-select NAME SIZE": f"start another game: {names}",
        "game-set level 8": "choose the strength, 1 to 10 or a name such as beginner",
        "help COMMAND": "read about a command; game-help lists all of them",
        "quit": "leave",
    }
    width = max(map(len, commands))
    lines = [f"{ENGINE_NAME}, {session.game.title} {size}x{size}. Type a command and press Enter:"]
    return "\n".join(lines + [f"  {each:{width}}  {does}" for each, does in commands.items()])


@command("quit")
def quit_session(session: Session) -> str:
    """End the session.

    Arguments: none
    Effect: the engine answers and exits; later lines are not answered
    Reply: empty
    Fails: never
    """
    raise Quit
