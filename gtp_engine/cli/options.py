"""Settings as command-line options and environment variables."""

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from gtp_engine.search.options import Declaration
from gtp_engine.search.value_types import shown
from gtp_engine.session.settings import Settings, settings


class Parser(argparse.ArgumentParser):
    """A parser that suggests the most similar option for a mistyped one."""

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: None = None
    ) -> argparse.Namespace:
        """As in argparse. Bad arguments end the program with one sentence for the user."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            known = [name for action in self._actions for name in action.option_strings]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant(unknown[0], known)}")
        return options


def meant(word: str, known: Iterable[str]) -> str:
    """`; did you mean X?` with the most similar of the known words; "" if none is similar."""
    from difflib import get_close_matches

    similar = get_close_matches(word.partition("=")[0], known, n=1)
    return f"; did you mean {similar[0]}?" if similar else ""


ALL = tuple(setting.name for setting in settings())

Number = TypeVar("Number", int, float)


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


def between(lowest: Number, highest: Number) -> Callable[[str], Number]:
    """A type for argparse: a number within a range, both ends included."""

    def parse(text: str) -> Number:
        value = type(lowest)(text)
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"not in {lowest}..{highest}: {text}")
        return value

    parse.__name__ = "number"  # argparse shows this name when the text is not a number
    return parse


def add_settings(parser: argparse.ArgumentParser, keys: Collection[str] = ALL) -> None:
    """Add an option `--key VALUE` for each of the given settings."""
    for setting in _chosen(keys):
        parser.add_argument(
            f"--{setting.name}",
            metavar=setting.values.name.upper().split()[0],
            help=f"{setting.meaning} ({setting.values.name}; default {shown(setting.default)})",
        )
        if setting.former is not None:
            parser.add_argument(f"--{setting.former}", help=argparse.SUPPRESS)


def read_settings(options: argparse.Namespace, keys: Collection[str] = ALL) -> Settings:
    """The settings from the options, else from environment variables such as PATCHPIE_BACKEND.

    Raises ValueError, with a sentence for the user.
    """
    chosen = Settings()
    for setting in _chosen(keys):
        for source, name, text in _given(setting, options):
            try:
                chosen = chosen.change(name, text)
            except ValueError:
                raise ValueError(f"{source} takes: {setting.values.name}") from None
            break
    return chosen


def _given(setting: Declaration, options: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """The source, name and text of each value given for a setting, highest precedence first."""
    names = (setting.name,) if setting.former is None else (setting.name, setting.former)
    for name in names:
        if (text := getattr(options, name)) is not None:
            yield f"--{name}", name, text
    for name in names:
        variable = f"PATCHPIE_{name.upper()}"
        if (text := os.environ.get(variable)) is not None:
            yield variable, name, text


def _chosen(keys: Collection[str]) -> list[Declaration]:
    return [setting for setting in settings() if setting.name in keys]
