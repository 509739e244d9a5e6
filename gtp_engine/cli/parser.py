"""The parser of every command line, and how a command line is checked without running it."""

import argparse
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from gtp_engine.base.option import meant
from gtp_engine.base.optional_packages import how_to_install, missing


class ArgumentsAccepted(BaseException):
    """Ends a program whose arguments are right, where only these are checked.

    extras -- the extras of pyproject.toml that the program needs
    """

    def __init__(self, extras: tuple[str, ...]) -> None:
        super().__init__(extras)
        self.extras = extras


_only_checking = False
"""Whether programs end as soon as their arguments have been checked."""


def needed_extras(module: str, arguments: Sequence[str]) -> tuple[str, ...]:
    """Check the arguments of a program, which does not run. Needs no third-party package.

    module -- the module with the program's `main(arguments)`

    Returns the extras of pyproject.toml that the program needs with these arguments. Raises
    SystemExit if the program has ended by itself: after a help, a version or a usage error.
    """
    global _only_checking
    _only_checking = True
    try:
        raise SystemExit(import_module(module).main(arguments))
    except ArgumentsAccepted as accepted:
        return accepted.extras
    finally:
        _only_checking = False


class Parser(argparse.ArgumentParser):
    """A parser that suggests the most similar option for a mistyped one, and checks the values.

    check  -- raises ValueError, with a sentence for the user, for values that do not go together;
              it may store what it made of them in the options
    extras -- the extras of pyproject.toml that the program needs with some options

    The modules that define parsers and checks import no third-party package.
    """

    def __init__(
        self,
        *,
        check: Callable[[argparse.Namespace], None] | None = None,
        extras: Callable[[argparse.Namespace], tuple[str, ...]] = lambda options: (),
        **words: Any,
    ) -> None:
        super().__init__(**words)
        self._check, self._extras = check, extras

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: None = None
    ) -> argparse.Namespace:
        """As in argparse. Bad arguments and missing packages end the program with one sentence."""
        words = sys.argv[1:] if args is None else args
        options, unknown = self.parse_known_args(list(map(_dashed, words)), namespace)
        if unknown:
            known = [name for action in self._actions for name in action.option_strings]
            similar = meant(unknown[0].partition("=")[0], known)
            self.error(f"unrecognized arguments: {' '.join(unknown)}{similar}")
        self.accept(options)
        return options

    def accept(self, options: argparse.Namespace) -> None:
        """End the program unless the values go together and the packages are there."""
        if self._check is not None:
            try:
                self._check(options)
            except ValueError as error:
                self.error(str(error))
        extras = self._extras(options)
        if _only_checking:
            raise ArgumentsAccepted(extras)
        if names := missing(*extras):
            self.error(f"needs {', '.join(names)}; to install: {how_to_install(*extras)}")

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print a help or a version; argparse would not tell that this failed."""
        if message and (stream := file or sys.stderr) is not None:
            stream.write(message)

    def error(self, message: str) -> NoReturn:
        """End the program with one sentence; argparse would print the whole usage, too."""
        self.exit(2, f"{self.prog}: {message}\n")


def _dashed(word: str) -> str:
    """A flag such as --hash_mb as --hash-mb; other words as they are."""
    flag, equals, value = word.partition("=")
    return flag.replace("_", "-") + equals + value if flag.startswith("--") else word


def known_tool(parser: Parser, tools: Collection[str], arguments: Sequence[str]) -> bool:
    """Whether arguments begin with a subcommand; a mistyped one ends the program."""
    if not arguments or arguments[0].startswith("-"):
        return False
    if arguments[0] not in tools:
        similar = meant(arguments[0], tools)
        parser.error(f"there is no subcommand {arguments[0]}{similar}")
    return True


def purpose(docstring: str | None) -> str:
    """What a tool does, for its help, from the docstring of its module.

    "`gtp-arena report`: prints the results of a match." gives "Prints the results of a match."
    """
    does = (docstring or "").partition(": ")[2]
    return does[:1].upper() + does[1:]


def subcommands(tools: Mapping[str, str]) -> str:
    """A list of subcommands for the end of a help: each tool with what it does, one a line."""
    width = max(map(len, tools))
    lines = [f"  {name:{width}}  {does}" for name, does in tools.items()]
    return "\n".join(["subcommands, each with its own --help:", *lines])
