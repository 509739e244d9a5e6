"""Commands, each declared once: name, arguments, docstring. Everything else is derived."""

from collections.abc import Callable, Iterator, Mapping
from inspect import cleandoc
from types import MappingProxyType
from typing import Any, NamedTuple


class Failure(Exception):
    """The command fails: the text is sent after `?`, and nothing has changed."""


class Quit(Exception):
    """The command succeeds and the session ends."""


Emit = Callable[[str], None]
"""Sends a text to the client."""

Stream = Callable[[Emit], None]
"""An answer line by line; it runs until it is complete, and sends each line."""

JsonResult = dict[str, Any] | list[Any]
"""An answer that is sent as JSON in one line of ASCII."""

NULL = "null"
"""The answer `null` in JSON; the answer None is empty."""

Result = str | Stream | JsonResult | None

Handler = Callable[..., Result]


class Argument(NamedTuple):
    """A typed argument.

    name     -- its name in the syntax
    convert  -- converts the word to a value; raises ValueError for an invalid word
    required -- whether it must be given; otherwise the handler's default applies
    many     -- whether it takes all remaining words
    failure  -- the error for an invalid word, None for the command's text
    depends  -- whether `convert` also gets the context
    """

    name: str
    convert: Callable[..., Any] = str
    required: bool = True
    many: bool = False
    failure: str | None = None
    depends: bool = False

    def __str__(self) -> str:
        shown = self.name + ("..." if self.many else "")
        return shown if self.required else f"[{shown}]"


def optional(argument: Argument) -> Argument:
    """The argument, made optional."""
    return argument._replace(required=False)


def rest(argument: Argument) -> Argument:
    """All remaining words, none or more, each like the argument."""
    return argument._replace(required=False, many=True)


class Command(NamedTuple):
    """A registered command.

    malformed -- the error for missing or invalid arguments
    counted   -- whether surplus arguments are malformed instead of ignored
    files     -- whether it reads or writes files named in its arguments
    streams   -- whether its answer may be a stream
    first     -- the name under which it is documented; some commands have a second one
    """

    name: str
    family: str
    arguments: tuple[Argument, ...]
    malformed: str
    handler: Handler
    counted: bool = False
    files: bool = False
    streams: bool = False
    first: str = ""

    @property
    def syntax(self) -> str:
        """The name with all arguments, as in the reference."""
        return " ".join([self.name, *map(str, self.arguments)])

    @property
    def doc(self) -> str:
        """The docstring of the handler."""
        return cleandoc(self.handler.__doc__ or "")

    @property
    def summary(self) -> str:
        """The first line of the documentation."""
        return self.doc.partition("\n")[0]

    def call(self, context: object, words: tuple[str, ...]) -> Result:
        """Convert the words and run the handler.

        Raises Failure with the command's text for malformed arguments, and TypeError for an
        undeclared stream, because clients are told which commands stream.
        """
        result = self.handler(context, *self._values(context, words))
        if callable(result) and not self.streams:
            raise TypeError(f"{self.name} streams, but is not declared so")
        return result

    def _values(self, context: object, words: tuple[str, ...]) -> Iterator[Any]:
        left = list(words)
        for argument in self.arguments:
            if argument.many:
                yield from (self._converted(argument, context, word) for word in left)
                return
            if left:
                yield self._converted(argument, context, left.pop(0))
            elif argument.required:
                raise Failure(self.malformed)
            else:
                return
        if left and self.counted:
            raise Failure(self.malformed)

    def _converted(self, argument: Argument, context: object, word: str) -> Any:
        try:
            return argument.convert(word, context) if argument.depends else argument.convert(word)
        except ValueError:
            raise Failure(argument.failure or self.malformed) from None


class Registry:
    """All commands of an engine, by name.

    refusals -- the text of the failure for each type of exception by which the engine refuses what
                a client asked for; `{}` stands for what the exception says
    hear     -- called with the context and the name of each command before it runs
    """

    def __init__(
        self,
        refusals: Mapping[type[Exception], str] = MappingProxyType({}),
        hear: Callable[[Any, str], None] = lambda context, name: None,
    ) -> None:
        self.hear = hear
        self._refusals = refusals
        self._commands: dict[str, Command] = {}

    def __iter__(self) -> Iterator[Command]:
        return iter(sorted(self._commands.values(), key=lambda command: command.name))

    def get(self, name: str) -> Command | None:
        """The command with a name, None if there is none."""
        return self._commands.get(name)

    def refusal(self, error: Exception) -> str | None:
        """The text of the failure for an exception, by its nearest type; None for a fault."""
        found = (self._refusals[kind] for kind in type(error).__mro__ if kind in self._refusals)
        text = next(found, None)
        return text and text.format(error)

    def families(self) -> list[str]:
        """The families, by name."""
        return sorted({command.family for command in self._commands.values()})

    def family(self, name: str) -> list[Command]:
        """The commands of a family, in the order of their declaration."""
        return [command for command in self._commands.values() if command.family == name]

    def command(
        self,
        name: str,
        *arguments: Argument,
        also: tuple[str, ...] = (),
        malformed: str | None = None,
        counted: bool = False,
        files: bool = False,
        streams: bool = False,
    ) -> Callable[[Handler], Handler]:
        """Declare the decorated function as the handler of a command.

        The handler receives the context and one value per argument sent, and returns the answer. A
        stream must not fail later. The name of its module is the family. `also` has other names of
        the command. For the other arguments see Command.
        """

        def declare(handler: Handler) -> Handler:
            family = handler.__module__.rpartition(".")[2]
            for each in (name, *also):
                if each in self._commands:
                    raise ValueError(f"the command {each} is declared twice")
                command = Command(
                    each, family, arguments, "", handler, counted, files, streams, name
                )
                text = malformed or f"syntax: {command.syntax}"
                self._commands[each] = command._replace(malformed=text)
            return handler

        return declare
