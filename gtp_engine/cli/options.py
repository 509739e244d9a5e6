"""Settings as options of a command line and as variables of the environment."""

import argparse
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from gtp_engine.search.options import Declaration
from gtp_engine.search.value_types import shown
from gtp_engine.session.settings import Settings, settings


class Parser(argparse.ArgumentParser):
    """A parser that says which option a mistyped one may have been meant for."""

    def parse_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: None = None
    ) -> argparse.Namespace:
        """As in argparse; it exits with a sentence for the user."""
        options, unknown = self.parse_known_args(args, namespace)
        if unknown:
            known = [name for action in self._actions for name in action.option_strings]
            self.error(f"unrecognized arguments: {' '.join(unknown)}{meant(unknown[0], known)}")
        return options


def meant(word: str, known: Iterable[str]) -> str:
    """A question after the most similar of some words, behind a semicolon; "" without one."""
    from difflib import get_close_matches

    similar = get_close_matches(word.partition("=")[0], known, n=1)
    return f"; did you mean {similar[0]}?" if similar else ""


ALL = tuple(setting.name for setting in settings())

Number = TypeVar("Number", int, float)


def between(lowest: Number, highest: Number) -> Callable[[str], Number]:
    """A type for argparse: a number in a range."""

    def parse(text: str) -> Number:
        value = type(lowest)(text)
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"not in {lowest}..{highest}: {text}")
        return value

    parse.__name__ = "number"  # argparse says so where the text is none
    return parse


def add_settings(parser: argparse.ArgumentParser, keys: Collection[str] = ALL) -> None:
    """Make `--key VALUE` an option for each of some settings."""
    for setting in _chosen(keys):
        parser.add_argument(
            f"--{setting.name}",
            metavar=setting.values.name.upper().split()[0],
            help=f"{setting.meaning} ({setting.values.name}; default {shown(setting.default)})",
        )
        if setting.former is not None:
            parser.add_argument(f"--{setting.former}", help=argparse.SUPPRESS)


def read_settings(options: argparse.Namespace, keys: Collection[str] = ALL) -> Settings:
    """The settings that the options give, else the environment: PATCHPIE_BACKEND and the like.

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
    """Where a setting is given, by which name and with which text, what counts most first."""
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
